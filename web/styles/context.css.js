import { css } from 'lit';

export const contextStyle = css`
  ul {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .ctx-jump {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
  }
  .btn[aria-disabled='true'] {
    color: var(--ink-3);
    border-color: var(--rule);
    background: none;
  }
  .ctx-budget {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2em 1.1em;
    margin: 0.4em 0 0.9em;
    font-size: var(--t-sm);
    color: var(--ink-2);
  }
  .ctx-budget b {
    color: var(--ink);
  }
  .ctx-budget .sum {
    color: var(--ink);
    font-weight: 600;
  }
  .sw {
    display: inline-block;
    width: 0.8em;
    height: 0.8em;
    margin-right: 0.4em;
    border-radius: 2px;
    vertical-align: -0.05em;
    background: var(--accent);
  }
  .sw.filler {
    background: var(--rule-control);
    opacity: 0.55;
  }
  .sw.question {
    background: var(--pos-ink);
  }
  .sw.answer {
    background: none;
    border: 1.5px dashed var(--good);
  }
  .ctx-answer {
    padding: 0.7em 1em;
    border-left: 3px solid var(--accent);
    background: var(--accent-soft);
    border-radius: var(--r-1);
    line-height: 1.7;
    text-wrap: pretty;
  }
  .ctx-answer.wrong {
    border-color: var(--bad);
    background: var(--bad-soft);
  }
  .ctx-said b {
    font-size: 1.2em;
  }
  .ctx-verdict {
    margin-left: 0.5em;
    font-weight: 600;
    color: var(--good);
    white-space: nowrap;
  }
  .wrong .ctx-verdict {
    color: var(--bad);
  }
  .ctx-text {
    margin-top: var(--s-4);
    padding: 0.7em 0.9em;
    max-height: 13em;
    overflow: auto;
    border: 1px solid var(--rule);
    border-radius: var(--r-2);
    background: var(--sunken);
    font-size: var(--t-sm);
    line-height: 1.8;
    white-space: pre-wrap;
    color: var(--ink-2);
  }
  .ctx-text .fact {
    color: var(--accent);
    font-weight: 600;
  }
  .ctx-text .question {
    color: var(--pos-ink);
    font-weight: 600;
  }
  .ctx-text s {
    text-decoration: line-through;
    text-decoration-color: var(--bad);
    text-decoration-thickness: 1.5px;
    color: var(--ink-3);
  }
  .ctx-two {
    display: grid;
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    gap: var(--s-5);
    margin-top: var(--s-5);
  }
  .subtitle {
    font-size: var(--t-sm);
    font-weight: 600;
    color: var(--ink-2);
    margin-bottom: 0.4em;
  }
  .ctx-next li {
    display: grid;
    grid-template-columns: 5em minmax(0, 1fr) 4.4em;
    gap: 0 0.6em;
    align-items: center;
    min-height: 1.9em;
    font-size: var(--t-sm);
  }
  .ctx-next .tk {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .ctx-next .bar {
    height: 0.7em;
    border-radius: 3px;
    background: var(--sunken);
    overflow: hidden;
  }
  .ctx-next .bar i {
    display: block;
    height: 100%;
    width: calc(var(--p) * 100%);
    background: var(--accent-line);
  }
  .ctx-next .right .bar i {
    background: var(--accent);
  }
  .ctx-next .right .tk,
  .ctx-next .right .value {
    font-weight: 600;
    color: var(--accent);
  }
  .ctx-next .value {
    text-align: right;
  }
  .ctx-values-name {
    margin-top: var(--s-4);
  }
  .ctx-values {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(7.2em, 1fr));
    gap: var(--s-2);
    margin-bottom: var(--s-2);
  }
  .ctx-values .btn {
    flex-direction: column;
    padding: 0.3em 0.4em;
    white-space: normal;
  }
  .ctx-values [aria-pressed='true'] {
    border-color: var(--accent);
    background: var(--accent-soft);
    font-weight: 600;
  }
  .ctx-values small {
    font-size: var(--t-xs);
    font-weight: 400;
    color: var(--good);
    overflow-wrap: anywhere;
  }
  .ctx-values small.wrong {
    color: var(--bad);
  }
  @container fig (max-width: 660px) {
    .ctx-two {
      grid-template-columns: minmax(0, 1fr);
    }
    .ctx-jump .btn {
      flex: 1 1 8em;
    }
    .ctx-jump {
      flex: 1 0 100%;
    }
  }
  @media (forced-colors: active) {
    .ctx-next .bar i,
    .sw {
      forced-color-adjust: none;
    }
    .ctx-values [aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }
  @media print {
    .ctx-next .bar i,
    .sw {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
  }
`;
