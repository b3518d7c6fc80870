import { css } from 'lit';

export const trainMemoryStyle = css`
  .seg {
    max-width: 100%;
  }
  .seg label {
    flex: 1 0 auto;
  }
  .exact .text {
    width: 9em;
  }
  .mem-bars {
    list-style: none;
    margin: 0 0 var(--s-4);
    padding: 0;
  }
  .mem-bars li {
    display: grid;
    grid-template-columns: 12.5em minmax(0, 1fr) 6em;
    gap: 0 var(--s-3);
    align-items: center;
    padding: 0.45em 0;
  }
  .mem-bars small,
  .mem-parts small {
    display: block;
    color: var(--ink-2);
    font-size: var(--t-xs);
    font-weight: 400;
  }
  .mem-bar {
    display: flex;
    height: 1.35em;
    background: var(--sunken);
    border-radius: 3px;
    overflow: hidden;
  }
  .mem-bar i {
    box-sizing: border-box;
    flex: none;
    width: calc(var(--p) * 100%);
    min-width: 1px;
    border-right: 1px solid var(--surface);
  }
  i.weights {
    background: var(--accent);
  }
  i.gradients {
    background: var(--pos);
  }
  i.master {
    background: var(--accent-line);
  }
  i.moments {
    background: var(--neg);
  }
  i.card {
    background: var(--rule-control);
  }
  .mem-bytes {
    text-align: right;
    white-space: nowrap;
  }
  .mem-parts {
    width: 100%;
    border-collapse: collapse;
    margin-bottom: var(--s-4);
  }
  .mem-parts th,
  .mem-parts td {
    padding: 0.45em 0;
    border-top: 1px solid var(--rule);
    text-align: right;
    vertical-align: baseline;
    white-space: nowrap;
  }
  .mem-parts th {
    text-align: left;
    white-space: normal;
    font-weight: 500;
    padding-left: 1.6em;
    position: relative;
  }
  .mem-parts th i {
    position: absolute;
    left: 0;
    top: 0.75em;
    width: 0.9em;
    height: 0.9em;
  }
  .mem-parts td {
    padding-left: var(--s-4);
  }
  .mem-parts .sum th,
  .mem-parts .sum td,
  .says .sum {
    font-weight: 600;
  }
  .says p + p {
    margin-top: 0.25em;
  }
  @container fig (max-width: 600px) {
    .mem-bars li {
      grid-template-columns: minmax(0, 1fr) auto;
      row-gap: 0.3em;
    }
    .mem-bar {
      grid-area: 2 / 1 / 3 / 3;
    }
    .exact {
      flex: 1 0 100%;
    }
    .exact .text {
      width: 100%;
    }
    .fig-ctl > .field:not(.f-text) {
      flex: 1 1 100%;
    }
    .seg {
      display: flex;
    }
  }
  @media (forced-colors: active) {
    .mem-bar,
    .mem-parts th i {
      forced-color-adjust: none;
    }
  }
`;
