import { css } from 'lit';

/** A `details` whose summary is a line to press, with an arrow that turns when it is open. */
export const foldStyle = css`
  .fold > summary {
    min-height: var(--touch);
    display: flex;
    align-items: center;
    gap: 0.6em;
    cursor: pointer;
    color: var(--accent);
    font-size: var(--t-sm);
    list-style: none;
  }
  .fold > summary::-webkit-details-marker {
    display: none;
  }
  .fold > summary::before {
    content: '';
    border: 0.32em solid transparent;
    border-left: 0.45em solid;
    border-right: 0;
  }
  .fold[open] > summary::before {
    rotate: 90deg;
  }
`;
