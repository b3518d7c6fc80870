import { css } from 'lit';

/** The list of models, and what is said about a file. */
export const modelChoiceStyle = css`
  .model-choice {
    flex: 0 1 15em;
  }
  .model-choice select {
    font-family: inherit;
    color: var(--ink);
    text-overflow: ellipsis;
  }
  .model-fault {
    border-left-color: var(--bad);
    background: var(--bad-soft);
  }
  .drop-here {
    outline: 2px dashed var(--accent);
    outline-offset: -2px;
  }
`;
