import { css } from 'lit';

export const scalingStyle = css`
  .sc-examples {
    flex: 1 0 100%;
  }
  .sc-row {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-3) var(--s-5);
    flex: 1 0 100%;
  }
  .sc-amount {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 8.5em;
    gap: var(--s-3);
    align-items: end;
    flex: 1 1 24em;
  }
  .sc-amount .text {
    width: 100%;
  }
  .sc-amount [aria-invalid='true'] {
    border: 2px solid var(--bad);
    background: var(--bad-soft);
  }
  .place {
    margin-inline: var(--s-5);
  }
  .sc-formula {
    margin-bottom: var(--s-3);
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .sc-pair {
    display: grid;
    gap: var(--s-5) var(--s-6);
  }
  .sc-pair.beside {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .seg label {
    flex: 1 1 auto;
    padding-inline: 0.85em;
  }
  sup {
    font-size: 0.75em;
    line-height: 0;
  }
  .curves svg {
    cursor: pointer;
  }
  .says .main {
    font-weight: 600;
  }
  .says .btn {
    margin-top: var(--s-2);
  }
  .sc-parts {
    margin-top: var(--s-4);
    max-width: 560px;
  }
  .sc-table {
    width: 100%;
    margin-top: var(--s-4);
    border-collapse: collapse;
    font-size: var(--t-sm);
    font-variant-numeric: tabular-nums;
  }
  .sc-table th,
  .sc-table td {
    padding: 0.4em 0.6em;
    border-bottom: 1px solid var(--rule);
    text-align: right;
    font-weight: 400;
    white-space: nowrap;
  }
  .sc-table thead th {
    white-space: normal;
    overflow-wrap: normal;
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .sc-table th:first-child {
    text-align: left;
  }
  .sc-table .guess td,
  .sc-table .guess th {
    background: var(--accent-soft);
  }
  .sc-dot {
    display: inline-block;
    width: 0.75em;
    height: 0.75em;
    margin-right: 0.6em;
    border: 2px solid var(--accent);
    border-radius: 50%;
    background: var(--accent);
  }
  .guess .sc-dot {
    border-color: var(--pos-ink);
    background: none;
  }
  .sc-reader {
    margin-top: var(--s-4);
    padding: 0.7em 1em;
    border: 1px dashed var(--rule-control);
    border-radius: var(--r-2);
    font-size: var(--t-sm);
    line-height: 1.65;
  }
  .sc-reader a {
    display: inline-flex;
    align-items: center;
    min-height: var(--touch);
    color: var(--accent);
    font-weight: 600;
  }
  @container fig (max-width: 660px) {
    .fig-ctl > .sc-amount:not(.f-text) {
      flex: 1 0 100%;
    }
  }
  @container fig (max-width: 600px) {
    .sc-seg {
      flex: 1 0 100%;
    }
  }
  @container fig (max-width: 420px) {
    .sc-amount {
      grid-template-columns: minmax(0, 1fr) 7em;
    }
    .sc-table th,
    .sc-table td {
      padding-inline: 0.2em;
    }
    .sc-table td,
    .sc-table th {
      font-size: var(--t-xs);
    }
    .sc-dot {
      margin-right: 0.35em;
    }
    .seg label {
      min-width: 0;
      padding-inline: 0.3em;
      font-size: var(--t-sm);
    }
  }
`;
