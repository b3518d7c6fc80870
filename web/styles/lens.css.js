import { css } from 'lit';

export const lensStyle = css`
  .lens-says {
    margin: var(--s-4) 0;
    padding: 0.7em 1em;
    border-left: 3px solid var(--accent);
    background: var(--accent-soft);
    border-radius: var(--r-1);
    line-height: 1.7;
    text-wrap: pretty;
  }
  .lens-stages li {
    display: grid;
    grid-template-columns: 6.4em repeat(3, minmax(0, 1fr));
    gap: 3px;
    align-items: center;
    margin-bottom: 3px;
  }
  .fig[lang='en'] .lens-stages li {
    grid-template-columns: 7.4em repeat(3, minmax(0, 1fr));
  }
  .lens-stage {
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .last .lens-stage {
    color: var(--ink);
    font-weight: 600;
  }
  .lens-cell {
    color: var(--cell-ink-lo);
    background: color-mix(in oklab, var(--ramp-1) clamp(0%, (var(--w, 0) - 0.5) * 200%, 100%), color-mix(in oklab, var(--ramp-m) clamp(0%, var(--w, 0) * 200%, 100%), var(--ramp-0)));
    box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--rule) 60%, transparent);
    border-radius: 3px;
    transition: background var(--slow) var(--ease);
  }
  .lens-cell.hi {
    color: var(--cell-ink-hi);
  }
  .lens-stages .lens-cell {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 0.5em;
    min-height: 2.3em;
    padding: 0.45em 0.6em;
    white-space: nowrap;
    line-height: 1.4;
  }
  .lens-cell bdi {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .lens-cell small {
    font-size: var(--t-xs);
  }
  .lens-gap {
    margin-top: var(--s-5);
  }
  .lens-help {
    color: var(--ink-2);
    font-size: var(--t-sm);
    margin-bottom: var(--s-2);
  }
  .lens-scroll {
    overflow-x: auto;
    overscroll-behavior-x: contain;
  }
  .lens-table {
    width: 100%;
    border-collapse: separate;
    border-spacing: 3px;
    margin: 0 -3px;
    line-height: 1.3;
  }
  .lens-table th {
    font-weight: 400;
    color: var(--ink-2);
    font-size: var(--t-sm);
    text-align: right;
    padding: 0 0.4em;
  }
  .lens-table tbody th {
    position: sticky;
    left: 0;
    z-index: 1;
    background: var(--surface);
    text-align: left;
    color: var(--ink);
    font-size: var(--t-ui);
    max-width: 7em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .lens-table td.lens-cell {
    min-width: 4.4em;
    padding: 0.3em 0.5em;
    text-align: right;
    white-space: nowrap;
    font-size: var(--t-sm);
  }
  .lens-table small {
    display: block;
  }
  @container fig (max-width: 600px) {
    .lens-stages li,
    .fig[lang='en'] .lens-stages li {
      grid-template-columns: repeat(3, minmax(0, 1fr));
      margin-bottom: var(--s-2);
    }
    .lens-stage {
      grid-column: 1 / -1;
    }
    .lens-stages .lens-cell {
      flex-wrap: wrap;
      gap: 0 0.3em;
      padding: 0.3em 0.4em;
    }
  }
  @media (forced-colors: active) {
    .lens-cell {
      forced-color-adjust: none;
    }
  }
`;
