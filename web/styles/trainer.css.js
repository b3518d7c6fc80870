import { css } from 'lit';

export const trainerStyle = css`
  .btn.main {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .btn.main:hover {
    background: var(--accent-hover);
    border-color: var(--accent-hover);
  }
  .run-acts .btn[aria-disabled='true'] {
    background: var(--sunken);
    border-color: var(--rule);
    color: var(--ink-3);
  }
  .fig-ctl > .corpus-choice,
  .fig-ctl > .sizes-field,
  .own-more,
  .facts {
    flex: 1 0 100%;
    min-width: 0;
  }
  .facts {
    color: var(--ink-2);
    font-size: var(--t-sm);
    line-height: 1.6;
    text-wrap: pretty;
  }
  .own-more {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-2) var(--s-4);
  }
  .own-more .hint {
    flex: 1 1 16em;
    margin: 0;
  }
  .file-btn {
    position: relative;
    cursor: pointer;
    font-size: var(--t-ui);
    color: var(--ink);
  }
  .file-btn input {
    position: absolute;
    inset: 0;
    width: 100%;
    opacity: 0;
    cursor: pointer;
  }
  .file-btn:has(:focus-visible) {
    outline: var(--ring) solid var(--focus);
    outline-offset: 2px;
  }
  .file-is {
    flex: 1 0 100%;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--s-3);
  }
  .corpus-choice .seg {
    justify-self: start;
  }
  .corpus-choice .seg label {
    flex: 1 0 auto;
  }
  .fig-ctl > .f-text #text,
  .fig-ctl > .f-text #held-out {
    min-height: 6.5em;
    padding-block: 0.6em;
  }
  .size-cards {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(11.5em, 1fr));
    gap: var(--s-2);
  }
  .size-card {
    position: relative;
    display: grid;
    align-content: start;
    gap: 0.1em;
    padding: 0.6em 0.9em;
    min-height: var(--touch);
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    font-size: var(--t-ui);
    color: var(--ink);
    cursor: pointer;
  }
  .size-card:hover {
    border-color: var(--accent);
  }
  .size-card.on {
    border-color: var(--accent);
    background: var(--accent-soft);
    box-shadow: inset 0 0 0 1px var(--accent);
  }
  .size-card input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .size-card:has(:focus-visible) {
    outline: var(--ring) solid var(--focus);
    outline-offset: 2px;
  }
  .size-card.on b::after {
    content: ' ✓';
    color: var(--accent);
  }
  .size-shape,
  .size-time {
    color: var(--ink-2);
    font-size: var(--t-xs);
    line-height: 1.5;
    text-wrap: balance;
  }
  .sizes-field .hint {
    margin: 0;
  }
  .more-settings {
    flex: 1 0 100%;
    min-width: 0;
  }
  .more-settings > summary {
    flex-wrap: wrap;
    row-gap: 0;
  }
  .more-settings > summary span {
    color: var(--ink-2);
  }
  .more-fields {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--s-3) var(--s-4);
    padding-bottom: var(--s-2);
  }
  .more-fields > .field {
    flex: 0 1 9em;
  }
  .more-fields > .rate-field {
    flex: 0 1 9em;
  }
  .rate-row {
    display: flex;
    gap: var(--s-1);
  }
  .rate-row .text {
    width: 6.5em;
    flex: 1 1 6.5em;
    min-width: 0;
  }
  input.text,
  select.text {
    font-family: inherit;
    color: var(--ink);
    resize: none;
  }
  .text[aria-invalid='true'] {
    border: 2px solid var(--bad);
    background: var(--bad-soft);
  }
  .fig-ctl > .entry-error {
    flex: 1 1 20em;
    margin: 0;
  }
  .run-acts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-2) var(--s-3);
    flex: 1 1 24em;
    min-width: 0;
  }
  .run-acts .stage {
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .sure {
    flex: 1 0 100%;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-2) var(--s-3);
    max-width: none;
  }
  .run-stats {
    display: grid;
    grid-template-columns: repeat(6, minmax(0, 1fr));
    gap: var(--s-3);
    margin: 0 0 var(--s-5);
  }
  .run-stats > div {
    border-left: 3px solid var(--accent-line);
    padding-left: 0.7em;
    min-width: 0;
  }
  .run-stats dt,
  .run-stats .spread {
    color: var(--ink-2);
    font-size: var(--t-xs);
    line-height: 1.5;
  }
  .run-stats .spread {
    color: var(--ink-3);
    display: block;
    min-height: 1.5em;
  }
  .run-stats dd {
    margin: 0;
  }
  .run-stats .big {
    display: block;
    font-size: var(--t-h3);
    font-weight: 600;
    line-height: 1.35;
    white-space: nowrap;
  }
  .run-stats small {
    font-size: var(--t-xs);
    font-weight: 400;
    color: var(--ink-2);
  }
  .curve-head {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    justify-content: space-between;
    gap: var(--s-2) var(--s-4);
  }
  .curve-head .seg label {
    flex: 1 0 auto;
  }
  .curve-head .field {
    display: flex;
    align-items: center;
    gap: var(--s-2);
  }
  .drawn {
    margin-top: var(--s-2);
  }
  .drawn + .hint {
    margin-top: var(--s-1);
  }
  .says {
    margin-top: var(--s-3);
  }
  .astray {
    display: grid;
    gap: var(--s-3);
    justify-items: start;
    padding: 0.9em 1em;
    margin-bottom: var(--s-5);
    background: var(--bad-soft);
    border-left: 3px solid var(--bad);
    border-radius: var(--r-1);
    line-height: 1.7;
  }
  .astray .subtitle {
    margin: 0;
  }
  .astray .btn {
    white-space: normal;
    text-align: start;
  }
  .beside {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: var(--s-5) var(--s-6);
    margin-top: var(--s-6);
  }
  .beside .hint {
    margin: 0 0 var(--s-3);
  }
  .sample-list {
    max-height: 27em;
    overflow: auto;
    border: 1px solid var(--rule);
    border-radius: var(--r-2);
    overscroll-behavior: contain;
  }
  .beside .sample-list + .hint {
    margin: var(--s-2) 0 0;
  }
  .sample-list li {
    padding: 0.6em 0.9em;
  }
  .sample-list li + li {
    border-top: 1px solid var(--rule);
  }
  .sample-at {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.8em;
    color: var(--ink-2);
    font-size: var(--t-xs);
  }
  .sample-at small {
    font-size: inherit;
    color: var(--ink-3);
  }
  .sample-text {
    white-space: pre-wrap;
    line-height: 1.7;
  }
  .sample-start {
    color: var(--ink-3);
  }
  .loose {
    font: 400 var(--t-xs) / 1.4 var(--font-mono);
    color: var(--ink-2);
    background: var(--sunken);
    box-shadow: inset 0 0 0 1px var(--rule);
    border-radius: var(--r-1);
    padding: 0.1em 0.35em;
    margin: 0 0.15em;
  }
  .none {
    color: var(--ink-2);
    padding: var(--s-4);
    border: 1px dashed var(--rule);
    border-radius: var(--r-2);
  }
  .look .knobs {
    margin-bottom: var(--s-3);
  }
  .look .scroll-x {
    overflow-x: auto;
  }
  .look .peek-line {
    margin: var(--s-2) 0 0;
    min-height: 1.65em;
  }
  .take {
    margin-top: var(--s-6);
    padding-top: var(--s-4);
    border-top: 1px solid var(--rule);
  }
  .take .hint {
    margin-top: var(--s-2);
  }
  .saved-runs {
    margin-top: var(--s-5);
  }
  .saved-runs ul {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .saved-runs li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 var(--s-4);
    padding: 0.35em 0;
    border-top: 1px solid var(--rule);
  }
  .acts-two {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-1);
  }
  @container fig (max-width: 860px) {
    .run-stats {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
    .beside {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @container fig (max-width: 600px) {
    .corpus-choice .seg {
      display: flex;
      justify-self: stretch;
    }
    .size-cards {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .size-card {
      padding: 0.5em 0.7em;
    }
    .run-stats {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .fig-ctl > .rate-field {
      flex: 1 1 100% !important;
    }
  }
  @container fig (max-width: 440px) {
    .corpus-choice .seg label {
      padding: 0 0.45em;
    }
    .corpus-choice .seg:lang(en) {
      flex-direction: column;
      height: auto;
    }
    .corpus-choice .seg:lang(en) label {
      min-height: var(--touch);
    }
  }
  @media (forced-colors: active) {
    .loose {
      outline: 1px solid;
    }
    .drawn {
      forced-color-adjust: none;
      background: var(--surface);
    }
    .size-card.on {
      forced-color-adjust: none;
      border-color: Highlight;
      box-shadow: inset 0 0 0 1px Highlight;
      background: Canvas;
      color: CanvasText;
    }
  }
  @media print {
    .run-acts,
    .take {
      display: none;
    }
  }
`;
