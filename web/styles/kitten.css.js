import { css } from 'lit';

export const kittenStyle = css`
  .kit {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 14.5em;
    gap: var(--s-5) calc(2.5 * var(--rem));
    align-items: end;
  }
  .strip {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-4) 3px;
    align-items: end;
  }
  .tile {
    display: grid;
    justify-items: stretch;
    text-align: center;
    min-width: 2.1em;
    gap: 6px;
  }
  .word {
    padding: 0 0.15em;
    font: 400 calc(1.5 * var(--rem)) / 1.5 var(--font-display);
    white-space: nowrap;
    unicode-bidi: isolate;
  }
  .follows {
    color: var(--accent);
  }
  .asked .word {
    color: var(--accent);
    font-weight: 700;
    box-shadow: inset 0 -2px 0 var(--accent);
  }
  .pronoun .word {
    box-shadow: inset 0 -2px 0 var(--accent-line);
  }
  .strip .seg {
    font-family: var(--font-display);
    touch-action: pan-y;
  }
  .strip .seg label {
    font-size: calc(1.5 * var(--rem));
    min-width: 1.8em;
    padding: 0 0.35em;
    -webkit-user-select: none;
    user-select: none;
  }
  .cell,
  .thin {
    display: block;
    border-radius: var(--r-1);
    color: var(--cell-ink-lo);
    background: color-mix(in oklab, var(--ramp-1) clamp(0%, (var(--w, 0) - 0.5) * 200%, 100%), color-mix(in oklab, var(--ramp-m) clamp(0%, var(--w, 0) * 200%, 100%), var(--ramp-0)));
    box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--rule) 70%, transparent);
    transition: background var(--slow) var(--ease);
  }
  .cell {
    height: 2.2em;
    font-size: var(--t-xs);
    line-height: 2.2em;
  }
  .cell.hi {
    color: var(--cell-ink-hi);
  }
  .cell.z {
    color: var(--cell-zero);
  }
  .thin {
    height: 0.75em;
    margin-top: -3px;
  }
  .thin.m {
    background: repeating-linear-gradient(135deg, transparent 0 4px, var(--hatch) 4px 5px);
    box-shadow: none;
  }
  .says ol {
    margin-top: var(--s-1);
  }
  .says li {
    display: grid;
    grid-template-columns: minmax(3em, auto) minmax(0, 1fr) 4.4em;
    align-items: center;
    gap: 0.75em;
    min-height: 2.1em;
    color: var(--ink-2);
  }
  .says .top {
    color: var(--ink);
    font-weight: 600;
  }
  .says .rest {
    color: var(--ink-3);
  }
  .says .tk {
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
    max-width: 8em;
  }
  .says .value {
    text-align: right;
    white-space: nowrap;
  }
  .says .bar i {
    transition: width var(--slow) var(--ease);
  }
  .kit-key {
    display: grid;
    gap: 0.35em;
    margin-top: var(--s-4);
    color: var(--ink-2);
    font-size: var(--t-sm);
    line-height: 1.6;
  }
  .kit-key p {
    display: flex;
    align-items: baseline;
    gap: 0.7em;
    text-wrap: pretty;
  }
  .kit-key i {
    flex: none;
    width: 1.9em;
    height: 10px;
    border-radius: var(--r-1);
    background: var(--accent);
  }
  .kit-key .k2 {
    height: 5px;
    transform: translateY(-2px);
  }
  @container fig (max-width: 860px) {
    .kit {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @container fig (max-width: 600px) {
    .word,
    .strip .seg label {
      font-size: calc(1.25 * var(--rem));
    }
    .word {
      padding: 0 0.05em;
    }
    .strip .seg label {
      min-width: calc(var(--touch) - 2px);
    }
  }
  @media (forced-colors: active) {
    .cell,
    .thin,
    .kit-key i {
      forced-color-adjust: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .cell,
    .thin,
    .says .bar i {
      transition: none;
    }
  }
`;
