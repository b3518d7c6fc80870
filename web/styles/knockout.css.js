import { css } from 'lit';

export const knockoutStyle = css`
  .knock {
    display: grid;
    grid-template-columns: minmax(0, 27em) minmax(0, 1fr);
    gap: var(--s-5) var(--s-6);
    align-items: start;
  }
  .knock-help {
    color: var(--ink-2);
    font-size: var(--t-sm);
    line-height: 1.6;
    text-wrap: pretty;
  }
  .board-scroll {
    overflow-x: auto;
    margin: var(--s-2) -3px 0;
    padding: 3px;
  }
  .board {
    border-collapse: separate;
    border-spacing: 3px;
    width: 100%;
    table-layout: fixed;
    line-height: 1.25;
    margin: -3px;
  }
  .board th {
    font-weight: 400;
    font-size: var(--t-xs);
    color: var(--ink-3);
    padding: 0;
  }
  .board th:first-child {
    width: 3.9em;
  }
  .board tbody th:first-child {
    height: 1px;
  }
  .board td {
    padding: 0;
    min-width: 4em;
    height: 1px;
  }
  .whole,
  .cell {
    width: 100%;
    height: 100%;
    min-height: var(--touch);
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--surface);
    padding: 0.3em 0.4em;
  }
  .whole:hover,
  .cell:hover {
    border-color: var(--accent);
    background: var(--accent-soft);
  }
  .whole {
    display: grid;
    align-content: center;
    justify-items: center;
    gap: 0.4em;
    border-color: transparent;
    background: none;
    font-size: var(--t-xs);
    color: var(--ink-2);
    padding: 0.2em 0;
  }
  .whole i,
  .lamp {
    width: 0.7em;
    height: 0.7em;
    border-radius: 50%;
    border: 1px solid var(--accent);
    background: var(--accent);
  }
  .whole i {
    width: 1.7em;
    border-radius: 0.4em;
  }
  .whole[aria-checked='mixed'] i {
    background: linear-gradient(90deg, var(--accent) 50%, transparent 50%);
  }
  .whole[aria-checked='false'] i,
  .off .lamp {
    background: none;
    border-color: var(--rule-control);
  }
  .cell {
    display: grid;
    align-content: start;
    gap: 0.15em;
    text-align: left;
    font-size: var(--t-sm);
  }
  .cell-top {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: 0.3em;
    font-size: var(--t-xs);
  }
  .cell-top b {
    color: var(--ink-3);
    font-weight: 400;
  }
  .cell .lamp {
    flex: none;
  }
  .look {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 0.3em;
    white-space: nowrap;
    line-height: 1.5;
    padding: 0 0.3em;
    margin: 0 -0.15em;
    border-radius: var(--r-1);
    color: var(--cell-ink-lo);
    background: color-mix(in oklab, var(--ramp-1) clamp(0%, (var(--w, 0) - 0.5) * 200%, 100%), color-mix(in oklab, var(--ramp-m) clamp(0%, var(--w, 0) * 200%, 100%), var(--ramp-0)));
  }
  .look.hi {
    color: var(--cell-ink-hi);
  }
  .look > span {
    overflow: hidden;
    text-overflow: ellipsis;
    unicode-bidi: isolate;
  }
  .look small {
    font-size: var(--t-cell);
  }
  .off {
    background: repeating-linear-gradient(135deg, transparent 0 4px, var(--hatch) 4px 5px);
    border-style: dashed;
    color: var(--ink-3);
  }
  .off .look {
    background: none;
    color: var(--ink-2);
  }
  .heat {
    height: 5px;
    margin-top: 0.15em;
    background: var(--sunken);
    border-radius: var(--r-1);
    overflow: hidden;
  }
  .heat i,
  .effect-bar i {
    display: block;
    height: 100%;
    width: calc(var(--p) * 100%);
    min-width: 1px;
    background: var(--pos);
    border-radius: var(--r-1);
  }
  .board-acts {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
    margin-top: var(--s-3);
  }
  .board-acts .btn[aria-disabled='true'] {
    color: var(--ink-3);
    cursor: default;
    background: none;
  }
  .knock-sides {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--s-5);
  }
  .side + .side {
    border-top: 1px solid var(--rule);
    padding-top: var(--s-4);
  }
  .side-text {
    font-family: var(--font-display);
    font-size: calc(1.0625 * var(--rem));
    line-height: 1.5;
    text-spacing-trim: trim-start;
    unicode-bidi: plaintext;
  }
  .side-text b {
    color: var(--accent);
  }
  .side-say {
    color: var(--ink-2);
    font-size: var(--t-sm);
    line-height: 1.6;
    min-height: 1.6em;
  }
  .side-say.changed {
    color: var(--ink);
    font-weight: 600;
  }
  .side-head,
  .guesses > li {
    display: grid;
    grid-template-columns: minmax(3.5em, 5.5em) minmax(0, 1fr) 4.4em 4.4em;
    align-items: center;
    gap: 0.6em;
  }
  .side-head {
    margin-top: var(--s-1);
    color: var(--ink-3);
    font-size: var(--t-xs);
    grid-template-columns: minmax(0, 1fr) calc(4.4 * var(--t-sm)) calc(4.4 * var(--t-sm));
  }
  .side-head .was,
  .side-head .now {
    text-align: right;
  }
  .guesses > li {
    min-height: 1.75em;
    font-size: var(--t-sm);
  }
  .guesses .tk {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: var(--t-ui);
    unicode-bidi: isolate;
  }
  .bars {
    display: grid;
    gap: 2px;
  }
  .bars i {
    display: block;
    height: 0.55em;
    width: calc(var(--p) * 100%);
    min-width: 1px;
    border-radius: var(--r-1);
    transition: width var(--slow) var(--ease);
  }
  .bars .was {
    background: var(--accent-line);
  }
  .bars .was:only-child {
    background: var(--accent);
    height: 0.875em;
  }
  .bars .now {
    background: var(--accent);
  }
  .guesses .value {
    text-align: right;
    white-space: nowrap;
    color: var(--ink-2);
  }
  .guesses .now {
    font-weight: 600;
    color: var(--ink);
  }
  .guesses .rest {
    color: var(--ink-3);
  }
  .guesses .rest .tk {
    font-size: var(--t-sm);
  }
  .side-kl {
    margin-top: var(--s-1);
    color: var(--ink-3);
    font-size: var(--t-sm);
  }
  .side-kl.none {
    visibility: hidden;
  }
  .side-kl b {
    color: var(--ink);
  }
  .side-lesson {
    margin-top: var(--s-2);
    padding: 0.45em 0.8em;
    border-left: 3px solid var(--accent-line);
    background: var(--accent-soft);
    border-radius: var(--r-1);
    font-size: var(--t-sm);
    line-height: 1.6;
  }
  .sweep {
    margin-top: var(--s-5);
    padding-top: var(--s-4);
    border-top: 1px solid var(--rule);
  }
  .sweep ol {
    margin-top: var(--s-2);
  }
  .effect {
    display: grid;
    grid-template-columns: 9em minmax(3em, 10em) 6em minmax(0, 1fr);
    align-items: center;
    gap: 0.2em 0.9em;
    width: 100%;
    min-height: var(--touch);
    padding: 0.3em 0.5em;
    border: 1px solid transparent;
    border-radius: var(--r-2);
    background: none;
    text-align: left;
    line-height: 1.4;
  }
  .effect:hover {
    background: var(--accent-soft);
  }
  .effect[aria-pressed='true'] {
    border-color: var(--select);
  }
  .effect-name {
    display: flex;
    align-items: baseline;
    gap: 0.7em;
    min-width: 0;
  }
  .effect small {
    color: var(--ink-3);
    font-size: var(--t-xs);
    font-weight: 400;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .effect-bar {
    height: 0.75em;
    background: var(--sunken);
    border-radius: var(--r-1);
    overflow: hidden;
  }
  .effect-kl {
    text-align: right;
    white-space: nowrap;
  }
  .effect-sides {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--s-4);
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .effect-sides b {
    color: var(--ink);
  }
  @container fig (max-width: 860px) {
    .knock {
      grid-template-columns: minmax(0, 1fr);
    }
    .knock-sides {
      grid-template-columns: repeat(auto-fit, minmax(min(19em, 100%), 1fr));
    }
  }
  @container fig (max-width: 600px) {
    .board th:first-child {
      width: 3.4em;
    }
    .cell {
      padding: 0.25em 0.3em;
    }
    .board {
      border-spacing: 2px;
    }
    .look {
      font-size: var(--t-xs);
      gap: 0.15em;
    }
    .effect {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto;
      padding-block: 0.45em;
    }
    .effect-sides {
      grid-column: 1 / -1;
    }
    .side-text {
      font-size: var(--t-ui);
    }
    .guesses > li {
      grid-template-columns: 4.4em minmax(0, 1fr) 4.1em 4.1em;
      gap: 0.4em;
    }
  }
  @media (forced-colors: active) {
    .bars i,
    .heat i,
    .look,
    .effect-bar i,
    .lamp,
    .whole i {
      forced-color-adjust: none;
    }
    .cell.off {
      border-style: dashed;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bars i {
      transition: none;
    }
  }
`;
