import { css } from 'lit';

export const generateStyle = css`
  .run-acts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-2) var(--s-4);
    flex: 1 0 100%;
  }
  .run-acts .stage {
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .view-choice .seg label {
    flex: 1 0 auto;
  }
  .sampling {
    flex: 1 0 100%;
    min-width: 0;
    border-top: 1px solid var(--rule);
  }
  .sampling > summary span {
    color: var(--ink-2);
  }
  .sampling > .dice-knobs {
    padding-bottom: var(--s-2);
  }
  .stats {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: var(--s-3) var(--s-5);
    margin: 0 0 var(--s-4);
  }
  .stats > div {
    border-left: 3px solid var(--accent-line);
    padding-left: 0.8em;
  }
  .stats dt,
  .stats .spread {
    color: var(--ink-2);
    font-size: var(--t-xs);
    line-height: 1.6;
  }
  .stats dd {
    margin: 0;
  }
  .stats .big {
    display: block;
    font-size: var(--t-h3);
    font-weight: 600;
    line-height: 1.4;
  }
  .lanes {
    margin-top: var(--s-4);
  }
  .stop-note {
    margin-bottom: var(--s-3);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2em var(--s-4);
    margin-top: var(--s-2);
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .legend span {
    display: inline-flex;
    align-items: center;
    gap: 0.5em;
  }
  .legend i {
    width: 0.9em;
    height: 0.9em;
    background: var(--sunken);
    box-shadow: inset 0 0 0 1px var(--rule);
  }
  .legend .prompt {
    background: var(--accent);
    box-shadow: none;
  }
  .legend .fresh {
    background: var(--accent-line);
    box-shadow: inset 0 0 0 1px var(--accent);
  }
  .cache-step {
    max-width: 40em;
  }
  .bill {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--t-ui);
  }
  .bill th,
  .bill td {
    padding: 0.55em 0.4em;
    border-top: 1px solid var(--rule);
    text-align: right;
    font-weight: 400;
    vertical-align: baseline;
    line-height: 1.4;
    overflow-wrap: normal;
  }
  .bill td {
    white-space: nowrap;
  }
  .bill th[scope='row'] {
    text-align: left;
    color: var(--ink-2);
    font-size: var(--t-sm);
    padding-left: 0;
  }
  .bill thead th,
  .bill thead td {
    border-top: 0;
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .bill .key td {
    font-weight: 600;
  }
  .bill small {
    display: block;
    color: var(--ink-2);
    font-size: var(--t-xs);
  }
  .says p + p {
    margin-top: 0.35em;
  }
  .says {
    margin-top: var(--s-4);
  }
  .steps-fold {
    margin-top: var(--s-4);
  }
  .steps-fold .scroll {
    overflow-x: auto;
    max-height: 22em;
  }
  .steps-fold table {
    border-collapse: collapse;
    font-size: var(--t-sm);
    white-space: nowrap;
  }
  .steps-fold th,
  .steps-fold td {
    padding: 0.3em 0.7em;
    text-align: right;
    border-top: 1px solid var(--rule);
    font-weight: 400;
  }
  .steps-fold th {
    color: var(--ink-2);
    border-top: 0;
  }
  .steps-fold td:nth-child(2),
  .steps-fold th:nth-child(2) {
    text-align: left;
  }
  @container fig (max-width: 600px) {
    .stats {
      grid-template-columns: minmax(0, 1fr);
    }
    .stats > div {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      align-items: baseline;
      gap: 0 var(--s-3);
    }
    .stats dd {
      text-align: right;
    }
    .view-choice {
      flex: 1 0 100%;
    }
    .view-choice .seg {
      display: flex;
    }
    .view-choice .seg label {
      padding: 0 0.2em;
    }
    .bill td {
      font-size: var(--t-sm);
    }
    .bill th,
    .bill td {
      padding-inline: 0.2em;
    }
  }
  @media (forced-colors: active) {
    .lanes,
    .legend i,
    .cache-cells {
      forced-color-adjust: none;
    }
    .lanes,
    .cache-cells {
      background: var(--surface);
    }
  }
`;
