import { css } from 'lit';

export const costStyle = css`
  .exact .text {
    width: 7em;
  }
  .cost {
    display: grid;
    gap: var(--s-5);
  }
  .cost.beside {
    grid-template-columns: auto minmax(0, 1fr);
    column-gap: var(--s-6);
  }
  .cost .hint {
    max-width: 26em;
  }
  .says p + p {
    margin-top: 0.35em;
  }
  .costs {
    margin-top: var(--s-3);
  }
  .costs li + li {
    border-top: 1px solid var(--rule);
  }
  .costs button {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0 var(--s-3);
    align-items: baseline;
    width: 100%;
    min-height: calc(1.2 * var(--touch));
    padding: 0.45em 0.6em;
    border: 0;
    border-radius: var(--r-2);
    background: none;
    text-align: left;
  }
  .costs button:hover {
    background: var(--accent-soft);
  }
  .costs [aria-pressed='true'] {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 0 var(--accent);
  }
  .costs .versus {
    box-shadow: inset 3px 0 0 var(--pos);
  }
  .costs .count {
    font-weight: 600;
  }
  .costs .scores,
  .costs .unit {
    text-align: right;
    white-space: nowrap;
  }
  .costs .times,
  .costs .unit {
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  #pin[aria-disabled='true'] {
    color: var(--ink-3);
    border-color: var(--rule);
    background: none;
  }
`;
