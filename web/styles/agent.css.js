import { css } from 'lit';

export const agentStyle = css`
  .ag-acts {
    flex: 1 0 100%;
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
  }
  .btn.main {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
  }
  .btn.main:hover {
    background: var(--accent-hover);
    border-color: var(--accent-hover);
  }
  .btn[aria-disabled='true'] {
    color: var(--ink-3);
    border-color: var(--rule);
    background: none;
  }
  .ag-rules {
    flex: 1 0 100%;
    min-width: 0;
    border-top: 1px solid var(--rule);
  }
  .ag-knobs {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--s-2) var(--s-5);
    padding-bottom: var(--s-2);
  }
  .ag-knobs .field {
    flex: 0 1 auto;
  }
  .ag-knobs .line {
    width: 100%;
    height: calc(var(--touch) + 2px);
    padding: 0 0.7em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--sunken);
    font-size: var(--rem);
  }
  .ag-knobs .short {
    width: 7em;
  }
  .ag-knobs .long {
    flex: 1 1 16em;
  }
  .ag-knobs .fault {
    color: var(--bad);
    font-size: var(--t-xs);
  }
  .ag-tampered {
    border-left-color: var(--bad);
    background: var(--bad-soft);
  }
  .ag-rows > li {
    display: grid;
    grid-template-columns: minmax(0, 57fr) minmax(0, 43fr);
    gap: 0 var(--s-5);
    align-items: start;
    padding-bottom: var(--s-3);
  }
  .ag-part {
    min-width: 0;
    border-left: 3px solid var(--accent);
    padding: 0 0 0 0.9em;
  }
  .question > .ag-part {
    border-left-color: var(--pos-ink);
  }
  .observation > .ag-part {
    border-left-color: var(--neg-ink);
    border-left-style: double;
    border-left-width: 5px;
  }
  .ag-next > .ag-part {
    border-left: 3px dashed var(--accent-line);
  }
  .ag-name {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-height: 1.9em;
    font-size: var(--t-xs);
    color: var(--ink-3);
  }
  .ag-name b {
    color: var(--ink-2);
  }
  .ag-name .btn {
    margin: -0.7em 0;
    font-size: var(--t-xs);
  }
  .ag-text {
    line-height: 1.7;
    font-size: var(--rem);
    white-space: pre-wrap;
    unicode-bidi: isolate;
  }
  .ag-text.long {
    max-height: 16em;
    overflow: auto;
  }
  .call .ag-text,
  .observation .ag-text {
    font-family: var(--font-mono);
    font-size: var(--t-ui);
  }
  .ag-text .added {
    color: var(--neg-ink);
  }
  .tok {
    display: inline-flex;
    flex-direction: column;
    align-items: center;
    vertical-align: top;
    min-width: 1.2em;
    margin: 0 2px 3px 0;
    padding: 0 0.22em;
    border-radius: 3px;
    background: var(--accent-soft);
    line-height: 1.45;
    max-width: 100%;
  }
  .tok small {
    font: 400 var(--t-cell) / 1.25 var(--font-text);
    color: var(--ink-2);
    white-space: nowrap;
  }
  .tok.unsure {
    background: var(--bad-soft);
  }
  .tok.unsure small {
    color: var(--bad);
    text-decoration: underline dotted;
  }
  .ag-lane {
    min-width: 0;
    border-radius: var(--r-2);
    background: var(--sunken);
    padding: 0.35em 0.8em 0.45em;
    font-size: var(--t-sm);
    line-height: 1.6;
    color: var(--neg-ink);
  }
  .ag-lane .label {
    display: block;
  }
  .ag-lane p {
    display: flex;
    gap: 0.6em;
  }
  .ag-lane p > b {
    flex: none;
  }
  .ag-lane p > span {
    min-width: 0;
  }
  .ag-says {
    padding: 0.7em 1em;
    border-left: 3px solid var(--accent);
    background: var(--accent-soft);
    border-radius: var(--r-1);
    line-height: 1.7;
    text-wrap: pretty;
  }
  .ag-says:empty {
    display: none;
  }
  .ag-lane .bad {
    color: var(--bad);
  }
  .ag-picks {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
    padding-top: 0.2em;
  }
  .ag-picks .btn {
    flex-direction: column;
    padding: 0.2em 0.7em;
    font-family: var(--font-mono);
    max-width: 100%;
    white-space: normal;
  }
  .ag-picks .btn:first-child {
    border-color: var(--accent);
    background: var(--accent-soft);
  }
  .ag-picks small {
    font: 400 var(--t-cell) / 1.25 var(--font-text);
    color: var(--ink-2);
  }
  .ag-edit {
    display: grid;
    gap: var(--s-2);
  }
  .ag-edit .text {
    font-family: var(--font-mono);
  }
  .ag-edit .acts {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
  }
  .ag-edit label {
    font-size: var(--t-xs);
    color: var(--ink-2);
  }
  .ag-own {
    margin-top: var(--s-4);
    padding: 0.7em 1em;
    border: 1px dashed var(--rule-control);
    border-radius: var(--r-2);
  }
  .ag-own .subtitle {
    font-size: var(--t-sm);
    font-weight: 600;
    color: var(--ink-2);
  }
  .ag-own code {
    display: block;
    margin: 0.3em 0;
    font: 400 var(--t-sm) / 1.6 var(--font-mono);
    overflow-wrap: anywhere;
  }
  @container fig (max-width: 640px) {
    .ag-rows > li {
      grid-template-columns: minmax(0, 1fr);
      gap: var(--s-2);
    }
    .ag-lane {
      margin-left: 1.4em;
    }
    .ag-acts .btn {
      flex: 1 1 40%;
      padding: 0 0.5em;
    }
    .ag-acts.whole .btn:not(#restart) {
      display: none;
    }
    /* The cases of a kind are one line that a finger moves; the room behind the last one keeps it clear of the faded end. */
    .ag-cases {
      flex-wrap: nowrap;
      min-width: 0;
      margin: calc(-1 * var(--s-2)) 0;
    }
    .ag-cases .label {
      flex: 0 0 4.4em;
    }
    .ag-cases > div {
      flex-wrap: nowrap;
      min-width: 0;
      margin: 0;
      padding: 0 2em 0 4px;
      overflow-x: auto;
      overscroll-behavior-x: contain;
      scrollbar-width: none;
      mask-image: linear-gradient(to right, transparent, #000 4px calc(100% - 2em), transparent);
    }
    .ag-cases .btn {
      flex: none;
    }
    .ag-knobs .field:not(.keep) {
      flex: 1 1 100%;
    }
  }
  @media (forced-colors: active) {
    .tok,
    .ag-lane {
      border: 1px solid;
    }
    .tok.unsure {
      border-style: dashed;
    }
  }
`;
