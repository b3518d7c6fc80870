import { css } from 'lit';

export const checkStyle = css`
  :host {
    max-width: none;
    font-size: var(--t-ui);
  }
  .ask {
    border-left: 2px solid var(--accent);
    padding: var(--s-1) 0 var(--s-1) var(--s-5);
  }
  .ask-tag {
    color: var(--accent);
    font-size: var(--t-xs);
    font-weight: 600;
  }
  .ask-question {
    margin-top: 0.15em;
    font-size: calc(1.0625 * var(--rem));
    line-height: 1.65;
  }
  ::slotted(*) {
    margin-block: 0;
  }
  .options {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2) var(--s-3);
    margin-top: var(--s-3);
  }
  .option {
    padding-block: 0.45em;
    white-space: normal;
    line-height: 1.4;
    text-align: start;
    gap: 0.5em;
    max-width: 100%;
  }
  .option[aria-pressed='true'] {
    border-color: var(--select);
    box-shadow: inset 0 0 0 1px var(--select);
    font-weight: 600;
  }
  .option[aria-disabled='true']:hover {
    background: var(--surface);
    border-color: var(--rule-control);
  }
  .option[aria-disabled='true'][aria-pressed='true']:hover {
    border-color: var(--select);
  }
  .judged {
    font-weight: 700;
  }
  .right .judged {
    color: var(--good);
  }
  .wrong .judged {
    color: var(--bad);
  }
  .slide {
    display: grid;
    grid-template-columns: minmax(0, 22em) auto auto;
    align-items: start;
    justify-content: start;
    gap: var(--s-2) var(--s-4);
    margin-top: var(--s-5);
  }
  .slide-track {
    position: relative;
  }
  .slider {
    display: block;
    width: 100%;
    height: var(--touch);
    margin: 0;
    accent-color: var(--accent);
    cursor: pointer;
  }
  .slider:disabled {
    cursor: default;
  }
  .slide-ends {
    display: flex;
    justify-content: space-between;
    color: var(--ink-3);
    font-size: var(--t-xs);
    line-height: 1.2;
  }
  /* The middle of a slider's thumb stops 8 px before either end. */
  .mark-true {
    position: absolute;
    left: calc(8px + var(--at) * (100% - 16px));
    top: 0;
    height: var(--touch);
    border-left: 2px solid var(--select);
    pointer-events: none;
  }
  .mark-true b {
    position: absolute;
    left: -1px;
    bottom: 100%;
    transform: translateX(-50%);
    font-size: var(--t-xs);
    line-height: 1.2;
    white-space: nowrap;
  }
  .slide-value {
    min-width: 4em;
    line-height: var(--touch);
    font-weight: 600;
    text-align: right;
  }
  .verdict {
    margin-top: var(--s-3);
    font-weight: 600;
  }
  .ask-answer {
    line-height: 1.75;
  }
  .ask-source {
    color: var(--ink-3);
    font-size: var(--t-xs);
    margin-top: var(--s-1);
  }
  .ask-source code {
    font: 400 var(--t-xs) / 1 var(--font-mono);
  }
  .ask-acts .btn {
    margin-left: -0.75em;
    font-size: var(--t-sm);
  }
  .ask .err {
    margin: var(--s-3) 0 0;
  }
  @media (max-width: 600px) {
    .ask {
      padding-left: var(--s-4);
    }
    .slide {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .give {
      justify-self: start;
    }
  }
`;
