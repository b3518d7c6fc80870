import { css } from 'lit';

export const lossStyle = css`
  .loss-options {
    margin: var(--s-3) 0;
  }
  .answers {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
    align-items: end;
    margin-top: 0.3em;
  }
  .answer {
    min-height: var(--touch);
    padding: 0.2em 0.8em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--surface);
    text-align: left;
    line-height: 1.3;
    max-width: 100%;
  }
  .answer:hover {
    border-color: var(--accent);
    background: var(--accent-soft);
  }
  .answer[aria-pressed='true'] {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
    background: var(--accent-soft);
  }
  .answer small {
    display: block;
    color: var(--ink-2);
    font-size: var(--t-xs);
    white-space: nowrap;
  }
  .own-answer {
    display: inline-flex;
    align-items: center;
    gap: 0.5em;
  }
  .own-answer label {
    font-size: var(--t-sm);
    color: var(--ink-2);
  }
  .own-answer .text {
    width: 6.5em;
  }
  [aria-invalid='true'] {
    border: 2px solid var(--bad);
    background: var(--bad-soft);
  }
  .says {
    margin-bottom: var(--s-4);
  }
  .says p + p {
    margin-top: 0.25em;
  }
  .way.beside {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 32px;
  }
  .all-losses .scroll {
    overflow: auto;
    max-height: 20em;
  }
  .all-losses table {
    border-collapse: collapse;
    font-size: var(--t-sm);
  }
  .all-losses th,
  .all-losses td {
    padding: 0.3em 0.9em 0.3em 0;
    border-top: 1px solid var(--rule);
    text-align: right;
    font-weight: 400;
    white-space: nowrap;
  }
  .all-losses th:first-child {
    text-align: left;
  }
  .all-losses thead th {
    border-top: 0;
    color: var(--ink-2);
  }
  @media (forced-colors: active) {
    .drawing {
      background: var(--surface);
    }
    .answer[aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }
`;
