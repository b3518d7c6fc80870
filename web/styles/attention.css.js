import { css } from 'lit';

/** What the attention widget adds to the style of all widgets: small pictures of heads, arcs, guesses, two texts, slices of characters. */
export const attentionStyle = css`
  .switches {
    flex: 1 0 100%;
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--s-2) var(--s-5);
  }
  .switches .hint {
    flex: 1 0 100%;
    margin: 0;
  }
  .switches .seg label {
    flex: 1 0 auto;
  }
  .att .under {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 18em), 1fr));
    gap: var(--s-5) var(--s-6);
    align-items: start;
    grid-column: 1 / -1;
  }
  .att > .left {
    min-width: 0;
  }
  .pair {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: var(--s-5) 20px;
    align-items: start;
  }
  .pair.stacked {
    grid-template-columns: minmax(0, 1fr);
  }
  .pair .one {
    display: grid;
    gap: var(--s-4);
    min-width: 0;
    grid-template-columns: minmax(0, 1fr);
  }
  .pair .one > .subtitle {
    margin: 0;
  }
  .pair .one > .label {
    margin-bottom: calc(-1 * var(--s-3));
  }
  .peek {
    flex-wrap: wrap;
  }
  .peek .what {
    flex: 1 1 9em;
  }
  .says {
    display: grid;
    gap: 0.25em;
    padding: 0.6em 0.9em;
    border-left: 3px solid var(--accent-line);
    background: var(--accent-soft);
    border-radius: var(--r-1);
    font-size: var(--t-sm);
    line-height: 1.65;
    width: 100%;
  }
  .says .about {
    font-weight: 600;
    font-size: var(--t-ui);
  }

  .row-mark {
    position: absolute;
    width: 17px;
    display: grid;
    place-items: center;
    font-size: var(--t-xs);
    line-height: 1;
    color: var(--ink-3);
  }
  .row-mark.changed,
  .row-sign.changed {
    color: var(--accent);
    font-weight: 700;
  }
  .row-sign {
    font-size: var(--t-ui);
    line-height: 1;
  }
  .grid th.odd > span:not(.vh),
  .word.odd {
    text-decoration: underline 2px;
    text-decoration-color: var(--accent);
    text-underline-offset: 3px;
  }

  .slice {
    display: inline-block;
    position: relative;
    overflow: hidden;
    writing-mode: horizontal-tb;
    flex: none;
    font-size: calc(1.125 * var(--rem));
    width: calc(var(--em) * 1em);
    height: 1.36em;
    line-height: 1.3;
    vertical-align: middle;
    margin-inline-end: 0.25em;
    color: var(--ink);
    --tint: var(--tok-1);
    --line: var(--tok-1-line);
  }
  .slice::before,
  .slice::after {
    content: attr(data-glyph);
    position: absolute;
    top: 0;
    bottom: 0;
    left: 0;
    white-space: pre;
  }
  .slice::before {
    opacity: 0.28;
  }
  .slice::after {
    left: calc(var(--from) * 100%);
    width: calc((var(--to) - var(--from)) * 100%);
    text-indent: calc(var(--from) * var(--em) * -1em);
    overflow: hidden;
    background: var(--tint);
    border-bottom: 2px solid var(--line);
  }
  .slice.seam-left::after {
    border-left: 1px dashed var(--ink-3);
    text-indent: calc(var(--from) * var(--em) * -1em - 1px);
  }
  .slice.seam-right::after {
    border-right: 1px dashed var(--ink-3);
  }
  .slice.tint-2 {
    --tint: var(--tok-2);
    --line: var(--tok-2-line);
  }
  .slice.tint-2::after {
    border-bottom-style: dashed;
  }
  .slice.tint-3 {
    --tint: var(--tok-3);
    --line: var(--tok-3-line);
  }
  .slice.tint-3::after {
    border-bottom-style: dotted;
  }
  .grid thead th.part > span:not(.vh),
  .grid tbody th.part {
    font-size: var(--t-xs);
  }
  .grid.is-tiny .slice {
    font-size: calc(0.6875 * var(--rem));
  }
  .grid thead th .slice {
    margin: 0 0 0.3em;
  }

  .atlas {
    position: relative;
    min-width: 0;
  }
  .atlas-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 var(--s-3);
    margin-bottom: var(--s-2);
  }
  .atlas-head .subtitle {
    margin: 0;
  }
  .sort {
    display: flex;
    align-items: center;
    gap: 0.5em;
  }
  .sort select {
    font: inherit;
    font-size: var(--t-sm);
    color: inherit;
    min-height: var(--touch);
    max-width: 12em;
    padding: 0 0.5em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--surface);
  }
  .atlas-scroll {
    overflow-x: auto;
    padding: 2px;
    margin: -2px;
    max-height: 40em;
  }
  .thumbs {
    display: grid;
    grid-template-columns: repeat(var(--columns), minmax(56px, 1fr));
    gap: var(--s-1);
    max-width: calc(var(--columns) * 104px + 2.5em);
  }
  .thumbs.two-texts {
    max-width: none;
  }
  .thumbs.by-place {
    grid-template-columns: auto repeat(var(--columns), minmax(56px, 1fr));
  }
  .axis {
    font-size: var(--t-xs);
    line-height: 1;
    color: var(--ink-3);
    text-align: center;
    align-self: center;
    white-space: nowrap;
  }
  .axis.down {
    padding-right: 0.4em;
  }
  .thumb {
    display: grid;
    gap: 3px;
    justify-items: center;
    min-width: 0;
    padding: 5px;
    border: 1px solid transparent;
    border-radius: var(--r-2);
    background: none;
    font-size: var(--t-xs);
    line-height: 1.3;
    color: var(--ink-2);
  }
  .thumb:hover {
    background: var(--accent-soft);
    border-color: var(--accent-line);
  }
  .thumb.on {
    border-color: var(--select);
    box-shadow: inset 0 0 0 1px var(--select);
    color: var(--ink);
    font-weight: 600;
  }
  .thumb .pictures {
    display: flex;
    justify-content: center;
    gap: 3px;
    width: 100%;
  }
  .thumb canvas {
    display: block;
    flex: 0 1 84px;
    min-width: 0;
    width: 100%;
    max-width: 84px;
    aspect-ratio: 1;
    background: repeating-linear-gradient(135deg, transparent 0 4px, var(--hatch) 4px 5px);
    box-shadow: 0 0 0 1px var(--rule);
    image-rendering: auto;
  }
  .thumb .most {
    max-width: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    unicode-bidi: isolate;
  }
  .thumb .most small {
    color: var(--ink-3);
    font-size: inherit;
    font-weight: 400;
    margin-right: 0.5em;
  }
  .thumb .note {
    font-size: inherit;
    color: var(--ink-3);
    font-weight: 400;
  }

  .guess ol {
    max-width: 40em;
  }
  .ranking button,
  .ranking .rest,
  .guess button,
  .guess .fixed {
    display: grid;
    grid-template-columns: minmax(6.6em, 1fr) minmax(0, 1.4fr) 5em;
    align-items: center;
    gap: 0.7em;
    width: 100%;
    min-height: var(--touch);
    padding: 0 0.4em;
    border: 0;
    border-radius: var(--r-2);
    background: none;
    text-align: left;
  }
  .guess button:hover {
    background: var(--accent-soft);
  }
  .guess .tk {
    overflow: hidden;
    line-height: 1.9;
    text-overflow: ellipsis;
    white-space: nowrap;
    unicode-bidi: isolate;
  }
  .ranking .value,
  .guess .value {
    text-align: right;
    white-space: nowrap;
  }
  .guess .rest {
    color: var(--ink-3);
  }

  .scroll-y {
    max-width: 100%;
    max-height: 44em;
    overflow: auto;
    padding: 2px;
    margin: -2px;
  }
  .arcs {
    position: relative;
    user-select: none;
    -webkit-user-select: none;
    -webkit-tap-highlight-color: transparent;
  }
  .arcs .drawing {
    display: block;
    overflow: visible;
    font-family: var(--font-text);
  }
  .arcs .word {
    position: absolute;
    display: grid;
    grid-auto-flow: column;
    place-content: center;
    align-items: center;
    padding: 0 2px;
    overflow: hidden;
    white-space: nowrap;
    font-size: 14px;
    line-height: 1;
    border-radius: var(--r-2);
    cursor: pointer;
    unicode-bidi: isolate;
  }
  /* A finger's width, though the line is thinner. */
  .arcs .word::after {
    content: '';
    position: absolute;
    inset: -10px 0;
  }
  .arcs.is-down .word {
    place-content: center end;
    padding-right: 8px;
  }
  .arcs.is-down .word::after {
    inset: 0;
  }
  .arcs .word.query {
    font-weight: 700;
    box-shadow: inset 0 0 0 2px var(--select);
  }
  .arcs .word.on {
    background: var(--accent-soft);
  }
  .arcs .word.unread {
    color: var(--ink-3);
  }
  .arcs .word:focus-visible {
    outline-offset: 0;
  }

  .unit {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-2) var(--s-4);
    margin: 0 0 var(--s-4);
    font-size: var(--t-sm);
    line-height: 1.6;
  }
  .unit .btn[aria-pressed='true'] {
    border-color: var(--select);
    box-shadow: inset 0 0 0 1px var(--select);
  }
  .unit small {
    margin-left: 0.5em;
    color: var(--ink-3);
  }
  .calc-cols .sub + .field {
    justify-items: start;
    margin-bottom: var(--s-4);
  }

  .value-sum {
    margin-top: var(--s-5);
    padding-top: var(--s-5);
    border-top: 1px solid var(--rule);
  }
  .strips {
    display: grid;
    gap: 3px;
    touch-action: pan-y;
  }
  .strips .line {
    display: grid;
    grid-template-columns: 7em minmax(3em, 7em) minmax(0, 1fr);
    align-items: center;
    gap: 0.8em;
    min-height: 1.6em;
    padding: 2px 0.4em;
    border-radius: var(--r-1);
    font-size: var(--t-sm);
    line-height: 1.3;
  }
  .strips .w {
    text-align: right;
    white-space: nowrap;
    color: var(--ink-2);
  }
  .strips .tk {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    unicode-bidi: isolate;
  }
  .strips .chosen {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 0 var(--accent);
    font-weight: 600;
  }
  .strips .rest {
    color: var(--ink-3);
  }
  .strips .total {
    border-top: 1px solid var(--rule-control);
    border-radius: 0;
    padding-top: 5px;
    font-weight: 600;
  }
  .strip {
    display: flex;
    gap: 1px;
    height: 1.25em;
  }
  .strip i {
    flex: 1;
    min-width: 0;
    box-shadow: inset 0 0 0 0.5px var(--rule);
    background: color-mix(in oklab, var(--pos-cell) calc(var(--s) * 100%), var(--ramp-0));
  }
  .strip i.neg {
    background: color-mix(in oklab, var(--neg-cell) calc(var(--s) * 100%), var(--ramp-0));
  }
  .strip i.on {
    box-shadow: 0 0 0 1.5px var(--select);
    z-index: 1;
  }
  .entry {
    min-height: 2em;
    padding-top: 0.4em;
    color: var(--ink-2);
    font-size: var(--t-sm);
    line-height: 1.6;
  }
  @supports not (color: color-mix(in oklab, red, red)) {
    .strip i {
      background: rgb(214 128 40 / var(--s));
    }
    .strip i.neg {
      background: rgb(70 120 210 / var(--s));
    }
  }

  @container fig (max-width: 600px) {
    .switches > .field {
      flex: 1 1 100%;
    }
    .switches .seg {
      display: flex;
    }
    .strips .line {
      grid-template-columns: 7.4em minmax(0, 1fr);
      gap: 1px 0.6em;
    }
    .strips .strip {
      grid-column: 1 / -1;
    }
    .thumbs {
      max-width: none;
    }
    .thumbs.two-texts:not(.by-place) {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .ranking ol {
      min-height: 0;
    }
    .atlas-scroll {
      max-height: none;
    }
  }
  @media (forced-colors: active) {
    .strip i,
    .thumb canvas,
    .slice,
    .guess .bar i {
      forced-color-adjust: none;
    }
    .slice {
      background: white;
      color: black;
    }
    .thumb.on,
    .arcs .word.query,
    .strips .chosen {
      outline: 2px solid Highlight;
    }
  }
  @media print {
    .switches,
    .sort {
      display: none;
    }
    .strip i,
    .thumb canvas,
    .slice {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
  }
`;
