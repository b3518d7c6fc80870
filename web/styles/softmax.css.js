import { css } from 'lit';

export const softmaxStyle = css`
  .soft {
    display: grid;
    gap: 0.3em;
  }
  .soft-row {
    --columns: minmax(calc(4 * var(--t-ui)), calc(8 * var(--t-ui))) calc(6.2 * var(--t-ui)) calc(5.4 * var(--t-ui)) minmax(0, 1fr) var(--touch);
    display: grid;
    grid-template-columns: var(--columns);
    align-items: center;
    gap: 0 calc(0.8 * var(--t-ui));
  }
  .divided .soft-row {
    --columns: minmax(calc(4 * var(--t-ui)), calc(8 * var(--t-ui))) calc(6.2 * var(--t-ui)) calc(5 * var(--t-ui)) calc(5.4 * var(--t-ui)) minmax(0, 1fr) var(--touch);
  }
  .soft-row.head {
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .soft-row .n {
    display: block;
    text-align: right;
    white-space: nowrap;
  }
  .soft-row.sum {
    border-top: 1px solid var(--rule-control);
    padding-top: 0.5em;
    color: var(--ink-2);
  }
  .soft-row .wide {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 4.2em;
    align-items: center;
    gap: 0.6em;
  }
  .soft-row .value {
    text-align: right;
    white-space: nowrap;
  }
  .soft-row .bar i {
    transition: width var(--slow) var(--ease);
  }
  .soft-row .bar .none {
    min-width: 0;
  }
  .soft-row input {
    width: 100%;
    min-height: var(--touch);
    padding: 0 0.6em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--sunken);
    font-size: var(--rem);
  }
  .soft-row .name {
    border-color: transparent;
    background: none;
    padding-inline: 0.3em;
    text-overflow: ellipsis;
  }
  .soft-row input:hover {
    border-color: var(--accent);
  }
  .soft-row .score {
    text-align: right;
  }
  .soft-row input[aria-invalid='true'] {
    border-color: var(--bad);
    background: var(--bad-soft);
  }
  .drop {
    padding: 0;
    width: var(--touch);
    font-size: 1.2em;
  }
  .drop[aria-disabled='true'] {
    color: var(--rule-control);
  }
  .soft-knobs {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--s-3) var(--s-6);
    margin-top: var(--s-4);
  }
  .soft-knobs .slider {
    flex: 1 1 16em;
    max-width: 26em;
  }
  .soft-lines {
    margin-top: var(--s-4);
    border-top: 1px solid var(--rule);
  }
  .soft-lines > li {
    grid-template-columns: 1.1em 6.4em minmax(0, 1fr);
  }
  .soft-lines .words {
    display: block;
    color: var(--ink-3);
  }
  .soft-lines .how {
    line-height: 1.9;
  }
  @container fig (max-width: 600px) {
    .soft-row,
    .divided .soft-row {
      --columns: minmax(0, 1fr) calc(5.4 * var(--t-ui)) calc(4.4 * var(--t-ui)) var(--touch);
      gap: 0.1em calc(0.5 * var(--t-ui));
    }
    .divided .soft-row {
      --columns: minmax(0, 1fr) calc(5 * var(--t-ui)) calc(3.4 * var(--t-ui)) calc(4.2 * var(--t-ui)) var(--touch);
    }
    .soft-row .wide {
      grid-row: 2;
      grid-column: 1 / -1;
    }
    .soft-row.head .wide {
      display: none;
    }
    .soft-row:not(.head) {
      padding-bottom: 0.4em;
    }
    .soft-lines > li {
      grid-template-columns: 1.1em minmax(0, 1fr);
    }
    .soft-lines .how {
      grid-column: 2;
    }
  }
  @media (forced-colors: active) {
    .soft-row .bar i {
      forced-color-adjust: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .soft-row .bar i {
      transition: none;
    }
  }
`;
