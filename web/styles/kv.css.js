import { css } from 'lit';

export const kvStyle = css`
  .exact .text {
    width: 7.5em;
  }
  .kv-list {
    margin-bottom: var(--s-4);
  }
  .kv-list li + li {
    border-top: 1px solid var(--rule);
  }
  .kv-list button {
    display: grid;
    grid-template-columns: 15em minmax(0, 1fr) 8em;
    gap: 0 var(--s-3);
    align-items: center;
    width: 100%;
    min-height: calc(1.15 * var(--touch));
    padding: 0.35em 0.6em;
    border: 0;
    border-radius: var(--r-2);
    background: none;
    text-align: left;
  }
  .kv-list button:hover {
    background: var(--accent-soft);
  }
  .kv-list [aria-pressed='true'] {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 0 var(--accent);
  }
  .kv-list small {
    display: block;
    font-size: var(--t-xs);
    color: var(--ink-2);
  }
  .kv-list .far {
    color: var(--bad);
  }
  .kv-list .bar {
    height: 0.8em;
    border-radius: 3px;
    background: var(--sunken);
    overflow: hidden;
  }
  .kv-list .bar i {
    display: block;
    height: 100%;
    min-width: 1px;
    width: calc(var(--p) * 100%);
    background: var(--accent-line);
  }
  .kv-list [aria-pressed='true'] .bar i {
    background: var(--accent);
  }
  .kv-bytes {
    text-align: right;
    font-weight: 600;
    white-space: nowrap;
  }
  .kv-bytes small {
    font-weight: 400;
    white-space: normal;
  }
  .kv-sum {
    font-weight: 600;
  }
  .hint-in {
    font-size: var(--t-sm);
    color: var(--ink-2);
  }
  @container fig (max-width: 660px) {
    .kv-list button {
      grid-template-columns: minmax(0, 1fr) auto;
      row-gap: 0.3em;
    }
    .kv-list .bar {
      grid-area: 2 / 1 / 3 / 3;
    }
  }
  @container fig (max-width: 420px) {
    .fig-ctl > .field:not(.f-text) {
      flex: 1 1 100%;
    }
    .exact .text {
      width: 100%;
    }
  }
  @media (forced-colors: active) {
    .kv-list .bar i {
      forced-color-adjust: none;
    }
    .kv-list [aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }
`;
