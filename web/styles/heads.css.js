import { css } from 'lit';

export const headsStyle = css`
  .tokens {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    max-height: 16em;
    overflow-y: auto;
    padding: 4px;
    margin: -4px;
  }
  .tokens button {
    min-width: var(--touch);
    min-height: var(--touch);
    padding: 0 0.5em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--surface);
    line-height: 1.1;
    max-width: 100%;
  }
  .tokens button:hover {
    border-color: var(--accent);
    background: var(--accent-soft);
  }
  .tokens .unread {
    border-style: dashed;
    color: var(--ink-3);
  }
  .tokens button[aria-checked='true'] {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .tokens small,
  .heads small {
    margin-left: 0.35em;
    font-size: var(--t-xs);
    font-weight: 400;
    color: var(--ink-3);
  }
  .tokens [aria-checked='true'] small {
    color: inherit;
  }
  .heads li {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.3em 0.8em;
    align-items: center;
    padding: 0.4em 0;
  }
  .heads .row-strip {
    grid-row: 2;
    grid-column: 1 / -1;
  }
  .heads .top {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .heads.wide li {
    grid-template-columns: 52px minmax(0, 1fr) 140px;
    gap: 12px;
  }
  .heads.wide .row-strip {
    grid-row: 1;
    grid-column: 2;
  }
  .heads .axis {
    padding: 0;
  }
  .heads .axis .name {
    display: none;
  }
  .name {
    font-weight: 600;
    white-space: nowrap;
  }
  .norms li {
    display: grid;
    grid-template-columns: 5.4em minmax(0, 1fr) 3.6em 3.6em;
    gap: 0.7em;
    align-items: center;
    min-height: 2em;
  }
  .norms .value,
  .norms .share {
    text-align: right;
  }
  .norms .value {
    font-weight: 600;
  }
  .norms .share {
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .norms .sum {
    border-top: 1px solid var(--rule-control);
    margin-top: 0.3em;
    padding-top: 0.3em;
  }
  .fig[lang='en'] .norms li {
    grid-template-columns: 7.2em minmax(0, 1fr) 3.6em 3.6em;
  }
`;
