import { css } from 'lit';

export const prefillStyle = css`
  .exact .text {
    width: 7.5em;
  }
  .btn[aria-disabled='true'] {
    color: var(--ink-3);
    border-color: var(--rule);
    background: none;
  }
  .pre-run {
    display: flex;
    flex: 1 1 12em;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--s-3);
    min-height: var(--touch);
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .pre-run progress {
    flex: 1 1 8em;
    accent-color: var(--accent);
  }
  .pre-two {
    display: grid;
    gap: var(--s-5) 32px;
  }
  .pre-two.beside {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .pre-curve {
    font-weight: 600;
  }
  .pre-key {
    list-style: none;
    display: flex;
    flex-wrap: wrap;
    gap: 0.2em 1.2em;
    margin: 0;
    padding: 0;
    font-size: var(--t-sm);
    color: var(--ink-2);
  }
  .pre-key i {
    display: inline-block;
    width: 0.8em;
    height: 0.8em;
    margin-right: 0.4em;
    border-radius: 2px;
    vertical-align: -0.05em;
    background: var(--accent-line);
  }
  .pre-key .a {
    background: var(--pos);
  }
  @media (forced-colors: active) {
    .pre-key i {
      forced-color-adjust: none;
    }
  }
`;
