import { css } from 'lit';

/** The box of an `ExactNumber`, and the fault that is told under the controls. */
export const exactStyle = css`
  .exact [aria-invalid='true'] {
    border: 2px solid var(--bad);
    background: var(--bad-soft);
  }
  .place {
    margin-inline: var(--s-5);
  }
`;
