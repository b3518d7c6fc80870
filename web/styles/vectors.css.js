import { css } from 'lit';

/** Strips, tables and maps of vectors. */
export const vectorsStyle = css`
  .strip {
    position: relative;
    cursor: crosshair;
    touch-action: pan-y;
    user-select: none;
    -webkit-user-select: none;
    -webkit-tap-highlight-color: transparent;
  }
  .strip .ring {
    position: absolute;
    box-sizing: content-box;
    margin: -2px 0 0 -2px;
    border: 2px solid var(--select);
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--surface);
    pointer-events: none;
  }
  .readout {
    min-height: 1.7em;
    margin-top: var(--s-2);
    font-size: var(--t-sm);
    color: var(--ink-2);
  }
  .readout b {
    color: var(--ink);
  }
  .grid.signed td[data-row] {
    color: var(--ink);
    background: color-mix(in oklab, var(--pos-cell) calc(var(--s) * 100%), var(--surface));
    background-clip: padding-box;
  }
  .grid.signed td.neg {
    background: color-mix(in oklab, var(--neg-cell) calc(var(--s) * 100%), var(--surface));
    background-clip: padding-box;
  }
  .grid.signed td.corner {
    width: var(--left);
    height: auto;
    background: none;
    box-shadow: none;
    cursor: default;
  }
  .grid.signed .picture canvas {
    image-rendering: pixelated;
  }
  .grid.signed .picture {
    background: none;
  }
  .grid .cut {
    position: absolute;
    background: var(--ink-2);
    pointer-events: none;
    z-index: 1;
  }
  .tick.upright {
    writing-mode: vertical-rl;
    top: 0;
    overflow: hidden;
    text-align: end;
    line-height: 1.2;
  }
  /* A choice of more than fits into one line of a phone. */
  .many {
    max-width: 100%;
  }
  .many .seg {
    flex-wrap: wrap;
    height: auto;
  }
  .many .seg label {
    flex: 1 0 auto;
    min-width: 4.4em;
    min-height: calc(var(--touch) - 4px);
  }
  .two {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: var(--s-5) var(--s-6);
    align-items: start;
  }
  .near li button {
    display: grid;
    grid-template-columns: minmax(4.5em, 1fr) minmax(0, 2fr) 3.6em;
    gap: 0.7em;
    align-items: center;
    width: 100%;
    min-height: var(--touch);
    padding: 0 0.4em;
    border: 0;
    border-radius: var(--r-2);
    background: none;
    text-align: left;
  }
  .near li button:hover {
    background: var(--accent-soft);
  }
  .near .value {
    text-align: right;
    font-weight: 600;
  }
  .bar i.minus {
    background: var(--neg);
  }
  .words .tokens small {
    display: none;
  }
  .pieces {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
    margin-top: var(--s-3);
  }
  .map svg {
    cursor: pointer;
    touch-action: pan-y;
  }
  @container fig (max-width: 701px) {
    /* A choice of more than fits into one line of a phone. */
  .many {
    max-width: 100%;
  }
  .many .seg {
    flex-wrap: wrap;
    height: auto;
  }
  .many .seg label {
    flex: 1 0 auto;
    min-width: 4.4em;
    min-height: calc(var(--touch) - 4px);
  }
  .two {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (forced-colors: active) {
    .grid.signed td[data-row],
    .grid.signed canvas {
      forced-color-adjust: none;
    }
    .strip .ring {
      border-color: Highlight;
    }
  }
`;
