import { css } from 'lit';

export const descentStyle = css`
  .way {
    display: grid;
    gap: var(--s-2);
  }
  .way.beside {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 24px;
    align-items: end;
  }
  .way-left {
    order: 1;
  }
  .beside .way-left {
    order: 0;
    align-self: start;
  }
  .curve,
  .fit {
    touch-action: pan-y;
    user-select: none;
    -webkit-user-select: none;
  }
  .curve {
    cursor: ew-resize;
  }
  .handle {
    cursor: move;
    touch-action: none;
    pointer-events: all;
  }
  .fit .handle {
    stroke-width: 2;
  }
  .on-curve {
    appearance: none;
    display: block;
    box-sizing: border-box;
    width: calc(100% - 60px + 24px);
    height: var(--touch);
    margin: -4px 0 0 34px;
    background: none;
    cursor: pointer;
    touch-action: pan-y;
  }
  .on-curve::-webkit-slider-runnable-track {
    height: 6px;
    border-radius: 3px;
    background: var(--sunken);
    box-shadow: inset 0 0 0 1px var(--rule-control);
  }
  .on-curve::-moz-range-track {
    height: 6px;
    border-radius: 3px;
    background: var(--sunken);
    box-shadow: inset 0 0 0 1px var(--rule-control);
  }
  .on-curve::-webkit-slider-thumb {
    appearance: none;
    width: 24px;
    height: 24px;
    margin-top: -9px;
    border: 3px solid var(--surface);
    border-radius: 50%;
    background: var(--accent);
    box-shadow: 0 0 0 1px var(--accent);
  }
  .on-curve::-moz-range-thumb {
    width: 18px;
    height: 18px;
    border: 3px solid var(--surface);
    border-radius: 50%;
    background: var(--accent);
    box-shadow: 0 0 0 1px var(--accent);
  }
  .way-acts {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
    margin: var(--s-3) 0;
  }
  .btn.strong {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
  }
  .btn[aria-disabled='true'] {
    color: var(--ink-3);
    border-color: var(--rule);
    background: none;
  }
  .says .sum {
    font-weight: 600;
  }
  .says.bad {
    border-left-color: var(--bad);
    background: var(--bad-soft);
  }
  .says p + p {
    margin-top: 0.25em;
  }
  .fig-ctl.below {
    border-top: 1px solid var(--rule);
    padding-bottom: var(--s-3);
  }
  .seg label {
    flex: 1 0 auto;
  }
  .exact .text {
    width: 7em;
  }
  [aria-invalid='true'] {
    border: 2px solid var(--bad);
    background: var(--bad-soft);
  }
  .place {
    margin-inline: var(--s-5);
  }
  .point-fold {
    margin: 0 var(--s-5) var(--s-3);
  }
  .point-list {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2) var(--s-5);
  }
  .point-pair {
    white-space: nowrap;
  }
  .point-pair .text {
    width: 4.2em;
  }
  @container fig (max-width: 600px) {
    .exact {
      flex: 1 0 100%;
    }
    .point-fold {
      margin-inline: var(--s-3);
    }
  }
  @media (forced-colors: active) {
    .curve,
    .fit,
    .on-curve::-webkit-slider-runnable-track,
    .on-curve::-webkit-slider-thumb {
      forced-color-adjust: none;
    }
    .curve,
    .fit,
    .way-left {
      forced-color-adjust: none;
      background: var(--surface);
    }
    .btn.strong {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;
