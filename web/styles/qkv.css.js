import { css } from 'lit';

export const qkvStyle = css`
  .projection {
    display: flex;
  }
  .projection > div {
    flex: none;
  }
  .over,
  .under {
    color: var(--ink-2);
    font-size: var(--t-sm);
    white-space: nowrap;
  }
  .over {
    margin-bottom: var(--s-2);
  }
  .under {
    margin-top: var(--s-1);
  }
  .in .over {
    padding-left: 6px;
  }
  .in .under {
    margin-top: var(--s-3);
  }
  .matrix.on .over,
  .matrix.on .under {
    color: var(--accent);
    font-weight: 600;
  }
  .matrix .area {
    position: relative;
    cursor: pointer;
    touch-action: pan-y;
    user-select: none;
    -webkit-user-select: none;
  }
  .matrix canvas {
    display: block;
    image-rendering: pixelated;
    box-shadow: 0 0 0 1px var(--rule-control);
  }
  .result {
    padding: 8px 0;
  }
  .column {
    position: absolute;
    top: -3px;
    bottom: 3px;
    box-sizing: content-box;
    margin-left: -2px;
    border: 2px solid var(--select);
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--surface);
    pointer-events: none;
  }
  .calc-cols .stepper {
    justify-self: start;
  }
  .plot.dense {
    gap: 0.5px;
  }
  @media (forced-colors: active) {
    .matrix canvas {
      forced-color-adjust: none;
    }
  }
`;
