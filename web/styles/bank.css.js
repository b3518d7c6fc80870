import { css } from 'lit';

export const bankStyle = css`
  .f-word {
    flex: 0 1 9em;
  }
  .f-word .text {
    field-sizing: fixed;
  }
  .sentence + .sentence {
    margin-top: var(--s-3);
  }
  .sentence .line {
    line-height: 2;
  }
  .tok {
    display: inline-block;
    max-width: 100%;
    line-height: 1.5;
    margin-right: 0.3em;
    padding: 0.1em 0.25em;
    border-bottom: 1px solid var(--rule-control);
  }
  .tok.on {
    background: var(--accent-soft);
    border-bottom: 2px solid var(--accent);
    font-weight: 600;
  }
  .places {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-1) var(--s-2);
  }
  .places .label {
    flex: 1 0 100%;
  }
  .places [aria-pressed='true'] {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
  }
  .missing {
    margin-top: var(--s-4);
    min-height: 6em;
  }
  .twins {
    margin-top: var(--s-4);
  }
  .twins li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto;
    gap: 0.2em 0.6em;
    align-items: center;
    padding: 0.4em 0;
  }
  .twins .pair-strip {
    grid-row: 2;
    grid-column: 1 / -1;
  }
  .twins .bar {
    display: none;
  }
  .twins.wide li {
    grid-template-columns: 110px minmax(0, 1fr) 66px 52px 60px;
    gap: 4px;
  }
  .twins.wide .pair-strip {
    grid-row: 1;
    grid-column: 2;
  }
  .twins.wide .bar {
    display: block;
    margin-left: 10px;
  }
  .twins .value {
    text-align: right;
    font-weight: 600;
  }
  .twins small {
    white-space: nowrap;
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .name {
    white-space: nowrap;
  }
  .lists textarea {
    min-height: 6.5em;
    max-height: 14em;
    font-size: var(--t-sm);
  }
  .fig-ctl.bare {
    padding: var(--s-4) 0 0;
    gap: var(--s-3) var(--s-5);
  }
  .fig-ctl.bare .many {
    flex: 1 1 100%;
  }
  .group-view {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--s-5) var(--s-6);
    align-items: start;
  }
  .group-view.beside {
    grid-template-columns: auto minmax(0, 1fr);
  }
  .group-view.beside .readout {
    max-width: 28em;
  }
  .means {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--t-sm);
  }
  .means caption {
    text-align: start;
  }
  .means th,
  .means > * > * > td {
    padding: 0.35em 0.5em;
    border-bottom: 1px solid var(--rule);
    text-align: right;
    font-weight: 400;
  }
  .means th[scope='row'] {
    text-align: left;
    white-space: nowrap;
  }
  .means .on {
    background: var(--accent-soft);
  }
  .means .on > * {
    font-weight: 600;
  }
`;
