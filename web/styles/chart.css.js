import { css } from 'lit';

/** What charts and their controls add to the style of all widgets. */
export const chartStyle = css`
  .drawing {
    display: block;
    max-width: 100%;
    height: auto;
    overflow: visible;
    font-family: var(--font-text);
  }
  .slider {
    flex: 1 1 18em;
  }
  .slider-head {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: var(--s-3);
  }
  .slider-head label {
    font-size: var(--t-xs);
    color: var(--ink-3);
  }
  .slider output {
    font-weight: 600;
    white-space: nowrap;
  }
  .slider input {
    appearance: none;
    display: block;
    width: 100%;
    height: var(--touch);
    background: none;
    cursor: pointer;
    touch-action: pan-y;
  }
  .slider input::-webkit-slider-runnable-track {
    height: 6px;
    border-radius: 3px;
    background: var(--sunken);
    box-shadow: inset 0 0 0 1px var(--rule-control);
  }
  .slider input::-moz-range-track {
    height: 6px;
    border-radius: 3px;
    background: var(--sunken);
    box-shadow: inset 0 0 0 1px var(--rule-control);
  }
  .slider input::-webkit-slider-thumb {
    appearance: none;
    width: 24px;
    height: 24px;
    margin-top: -9px;
    border: 3px solid var(--surface);
    border-radius: 50%;
    background: var(--accent);
    box-shadow: 0 0 0 1px var(--accent);
  }
  .slider input::-moz-range-thumb {
    width: 18px;
    height: 18px;
    border: 3px solid var(--surface);
    border-radius: 50%;
    background: var(--accent);
    box-shadow: 0 0 0 1px var(--accent);
  }
  .stops {
    display: flex;
    justify-content: space-between;
    margin-top: -0.7em;
    color: var(--ink-3);
    font-size: var(--t-xs);
    line-height: 1;
  }
  .says {
    padding: 0.7em 1em;
    border-left: 3px solid var(--accent);
    background: var(--accent-soft);
    border-radius: var(--r-1);
    line-height: 1.7;
    text-wrap: pretty;
  }
  .pair {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: var(--s-5) var(--s-6);
  }
  .spaced {
    margin-top: var(--s-5);
  }
  .bar i.gray {
    background: var(--ink-3);
  }
  .caption {
    color: var(--ink-2);
    font-size: var(--t-sm);
    line-height: 1.5;
    margin-bottom: var(--s-2);
  }
  .measures {
    display: grid;
    gap: var(--s-3);
    margin-top: var(--s-3);
  }
  .measures .top {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--s-2);
    margin-bottom: 0.25em;
  }
  .measures .of {
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .measures .value {
    margin-left: auto;
    font-weight: 600;
  }
  .accented {
    color: var(--accent);
  }
  .curves svg {
    cursor: pointer;
  }
  @container fig (max-width: 600px) {
    .pair {
      grid-template-columns: minmax(0, 1fr);
    }
    .fig-ctl > .slider:not(.f-text) {
      flex: 1 0 100%;
    }
  }
  @media (forced-colors: active) {
    .drawing,
    .slider input::-webkit-slider-runnable-track,
    .slider input::-webkit-slider-thumb {
      forced-color-adjust: none;
    }
    .slider input::-webkit-slider-thumb {
      background: Highlight;
    }
    .slider input::-webkit-slider-runnable-track {
      background: CanvasText;
    }
  }
  @media print {
    .drawing {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
  }
`;
