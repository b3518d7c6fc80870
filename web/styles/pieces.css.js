import { css, unsafeCSS } from 'lit';
import { byteWidth } from '../draw/chips.js';

const tone = (n, style) => `
  .tone-${n} { --tint: var(--tok-${n}); --line: var(--tok-${n}-line); --under: ${style}; }`;

/** Tokens as chips and as running text: six tints, each with an underline of its own. */
export const piecesStyle = [
  unsafeCSS([tone(1, '2px solid'), tone(2, '3px dotted'), tone(3, '2px dashed'), tone(4, '4px double'), tone(5, '4px solid'), tone(6, '3px dashed')].join('')),
  css`
  .chips {
    --byte: calc(${unsafeCSS(byteWidth / 16)} * var(--rem));
    display: flex;
    flex-wrap: wrap;
    align-items: flex-end;
    gap: var(--s-2) 4px;
  }
  .chip {
    position: relative;
    display: inline-grid;
    justify-items: center;
    align-content: end;
    gap: 1px;
    min-width: calc(1.75 * var(--rem));
    min-height: var(--touch);
    max-width: 100%;
    padding: 0 0 2px;
    border: 0;
    background: none;
    border-radius: 3px;
  }
  .chip-text {
    display: block;
    justify-self: stretch;
    min-height: calc(2 * var(--rem));
    padding: 0 0.35em;
    background: var(--tint);
    border-bottom: var(--under) var(--line);
    border-radius: 3px 3px 0 0;
    font-size: calc(1.125 * var(--rem));
    line-height: calc(2 * var(--rem) - 4px);
    text-align: center;
    white-space: pre-wrap;
  }
  .chip small {
    padding: 0 3px;
    font-size: var(--t-xs);
    line-height: 1.25;
    color: var(--ink-2);
    white-space: nowrap;
  }
  .chip .hex {
    font-size: var(--t-cell);
    color: var(--ink-3);
  }
  .chip:hover .chip-text {
    box-shadow: inset 0 0 0 1px var(--line);
  }
  .chip.fresh .chip-text {
    box-shadow: inset 0 0 0 2px var(--accent);
  }
  .chip[aria-pressed='true'] .chip-text {
    box-shadow: inset 0 0 0 2px var(--select);
  }
  .joined {
    display: inline-flex;
    max-width: 100%;
  }
  .joined .chip {
    width: calc(var(--bytes) * var(--byte));
    min-width: 0;
  }
  .joined .chip-text {
    position: relative;
    overflow: hidden;
    height: calc(3.625 * var(--rem));
    padding: 0;
    border-radius: 0;
  }
  .joined .chip + .chip .chip-text {
    border-left: 1px dashed var(--ink-3);
  }
  .joined .glyph {
    position: absolute;
    top: 0;
    left: calc(var(--before) * var(--byte) * -1);
    width: calc(var(--total) * var(--byte));
    font-size: calc(var(--glyph) * var(--byte));
    line-height: calc(3.625 * var(--rem));
    text-align: center;
    white-space: pre;
    transform: scaleX(var(--stretch));
  }
  .joined .chip + .chip .glyph {
    margin-left: -1px;
  }
  .joined .chip small {
    padding: 0;
  }

  .running {
    padding: 0.5em 0.8em;
    max-height: 22em;
    overflow: auto;
    border: 1px solid var(--rule);
    border-radius: var(--r-2);
    background: var(--surface);
    font-size: calc(1.125 * var(--rem));
    line-height: 1.8;
    overflow-wrap: anywhere;
  }
  .run-piece {
    display: inline-block;
    max-width: 100%;
    margin: 0.14em 2px 0.14em 0;
    padding: 0 0.12em;
    background: var(--tint);
    border-bottom: var(--under) var(--line);
    line-height: 1.6;
    white-space: pre-wrap;
    vertical-align: bottom;
  }
  .run-joined {
    display: inline-flex;
    margin-inline-end: 2px;
    vertical-align: bottom;
    height: 1.72em;
    margin-block: 0.14em;
  }
  .run-part {
    position: relative;
    overflow: hidden;
    width: calc(var(--bytes) / var(--total) * var(--em) * 1.12em);
    background: var(--tint);
    border-bottom: var(--under) var(--line);
  }
  .run-part + .run-part {
    border-left: 1px dashed var(--ink-3);
  }
  .run-part .glyph {
    position: absolute;
    left: calc(var(--before) / var(--total) * var(--em) * -1.12em);
    width: calc(var(--em) * 1.12em);
    line-height: 1.6;
    text-align: center;
    white-space: pre;
  }
  .run-piece.fresh,
  .run-part.fresh {
    background: var(--accent);
    color: var(--on-accent);
    border-color: var(--accent);
  }
  @media (forced-colors: active) {
    .chip-text,
    .run-piece,
    .run-part,
    .drawing {
      forced-color-adjust: none;
      color: var(--ink);
    }
    .run-piece.fresh,
    .run-part.fresh {
      color: var(--on-accent);
    }
  }
  @media print {
    .chip-text,
    .run-piece,
    .run-part {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
  }
`,
];

/** What the two widgets about tokens add besides. */
export const tokensStyle = css`
  .voc + .voc {
    margin-top: var(--s-5);
    padding-top: var(--s-5);
    border-top: 1px solid var(--rule);
  }
  .voc-head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--s-4);
    margin-bottom: var(--s-3);
  }
  .voc-head .subtitle {
    margin: 0;
  }
  .voc-head .big {
    color: var(--accent);
    font-weight: 600;
    white-space: nowrap;
  }
  .voc-head .rest {
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .voc-head .btn {
    margin-left: auto;
    margin-block: -0.6em;
    font-size: var(--t-sm);
  }
  .walk-box {
    display: grid;
    gap: var(--s-2);
    margin-top: var(--s-5);
    padding-top: var(--s-4);
    border-top: 1px solid var(--rule);
  }
  .sizes .stops {
    margin-top: -0.4em;
  }
  .sizes + .acts-row {
    margin-top: var(--s-3);
  }
  .says-now {
    margin: var(--s-3) 0 var(--s-4);
    min-height: 3.2em;
    line-height: 1.6;
  }
  .now {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.2em 0.6em;
    min-height: 1.8em;
    line-height: 1.8;
  }
  .now .pc {
    padding: 0 0.35em;
    border-radius: 3px;
    background: var(--sunken);
    white-space: pre-wrap;
  }
  .now .made {
    background: var(--accent);
    color: var(--on-accent);
  }
  .acts-row {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
  }
  .btn.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .btn.primary:hover {
    background: var(--accent-hover);
  }
  .btn[aria-disabled='true'] {
    color: var(--ink-3);
    background: none;
    border-color: var(--rule);
  }
  .below.beside {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: var(--s-6);
    margin-top: var(--s-5);
    padding-top: var(--s-4);
    border-top: 1px solid var(--rule);
  }
  .tree {
    min-width: 0;
    margin-top: var(--s-5);
    padding-top: var(--s-4);
    border-top: 1px solid var(--rule);
  }
  .beside > * {
    align-content: start;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .tree-box {
    margin-top: var(--s-3);
    max-width: 100%;
    overflow-x: auto;
    overscroll-behavior-x: contain;
    padding-bottom: 4px;
  }
  .tree-box svg {
    max-width: none;
  }
  .learn {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr);
    gap: var(--s-5) var(--s-6);
    margin-bottom: var(--s-5);
  }
  .learned-list {
    height: 15em;
    overflow: auto;
    border: 1px solid var(--rule);
    border-radius: var(--r-2);
  }
  .learned-list table {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--t-sm);
    line-height: 1.35;
  }
  .learned-list th {
    position: sticky;
    top: 0;
    z-index: 1;
    background: var(--sunken);
    color: var(--ink-3);
    font-size: var(--t-xs);
    font-weight: 400;
    text-align: left;
  }
  .learned-list th,
  .learned-list td {
    padding: 0.4em 0.6em;
    white-space: nowrap;
  }
  .learned-list .n {
    text-align: right;
  }
  .learned-list tbody tr + tr > * {
    border-top: 1px solid var(--rule);
  }
  .learned-list tbody tr:first-child > * {
    background: var(--accent-soft);
    font-weight: 600;
  }
  .learned-list .piece {
    display: inline-block;
    max-width: 9em;
    overflow: hidden;
    text-overflow: ellipsis;
    vertical-align: bottom;
    white-space: pre;
  }
  .learned-list .none {
    padding: var(--s-5) var(--s-3);
    color: var(--ink-2);
    text-align: center;
    white-space: normal;
  }
  @media (forced-colors: active) {
    .now .pc {
      border: 1px solid;
    }
  }
  @container fig (max-width: 860px) {
    .learn {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
