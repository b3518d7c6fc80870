import { css } from 'lit';

/** What the board of parts adds to the style of knockoutStyle. */
export const switchesStyle = css`
  .sw-board {
    display: grid;
    gap: var(--s-3);
    margin-top: var(--s-2);
  }
  .sw-whole,
  .sw-attn {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(6.6em, 1fr));
    gap: 3px;
  }
  .sw-attn {
    grid-template-columns: repeat(auto-fit, minmax(max(2.9em, calc(100% / var(--heads) - 3px)), 1fr));
  }
  .sw-attn .block {
    grid-column: 1 / -1;
  }
  .sw-layer {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 6.2em;
    gap: 3px;
    align-items: stretch;
  }
  .sw-name {
    grid-column: 1 / -1;
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .sw {
    position: relative;
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.4em;
    min-height: var(--touch);
    padding: 0.2em 0.6em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--surface);
    text-align: left;
    line-height: 1.25;
    font-size: var(--t-sm);
  }
  .sw.head {
    gap: 0.2em;
    padding-inline: 0.35em;
  }
  .sw:hover {
    border-color: var(--accent);
    background: var(--accent-soft);
  }
  .sw.off {
    background: repeating-linear-gradient(135deg, transparent 0 4px, var(--hatch) 4px 5px);
    border-style: dashed;
    color: var(--ink-3);
  }
  .sw .lamp {
    flex: none;
  }
  .sw.off .lamp {
    background: none;
    border-color: var(--rule-control);
  }
  .sw .heat {
    position: absolute;
    inset: auto 4px 3px;
    height: 4px;
    margin: 0;
  }
  .sw-sets {
    margin: var(--s-3) 0 0;
    align-items: start;
  }
  .sw-sets .label {
    line-height: var(--touch);
  }
  /* Where the guesses stand below the board, what a switch does is told at the screen's edge. */
  .sw-now {
    display: none;
  }
  @container fig (max-width: 860px) {
    .sw-now {
      display: block;
      position: sticky;
      pointer-events: none;
      bottom: 0;
      z-index: 2;
      margin-top: var(--s-3);
      padding: 0.5em 0.8em;
      border: 1px solid var(--accent-line);
      border-radius: var(--r-2);
      background: var(--accent-soft);
      font-size: var(--t-sm);
      line-height: 1.5;
    }
  }
  @media (forced-colors: active) {
    .sw.off {
      color: GrayText;
    }
  }
`;
