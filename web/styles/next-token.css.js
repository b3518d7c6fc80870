import { css } from 'lit';

export const nextTokenStyle = css`
  .so-far {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 var(--s-4);
    margin-bottom: var(--s-4);
    padding: 0.4em 0.9em;
    border-left: 3px solid var(--accent-line);
    background: var(--accent-soft);
    border-radius: var(--r-1);
  }
  .so-far-text {
    flex: 1 1 16em;
    min-width: 0;
    font: 400 calc(1.125 * var(--rem)) / 1.9 var(--font-display);
    max-height: 11.5em;
    overflow: auto;
    white-space: pre-wrap;
  }
  .new {
    padding: 0.1em 0;
    border-bottom: 2px solid var(--accent);
    background: color-mix(in oklab, var(--accent-line) 30%, transparent);
  }
  .new.odd {
    border-bottom-style: dotted;
    background: none;
  }
  .sp {
    font-size: 0.7em;
    color: var(--ink-3);
  }
  .blank {
    color: var(--accent);
  }
  .so-far-acts {
    display: flex;
    align-items: center;
    gap: 0 var(--s-2);
    margin-left: auto;
  }
  .next-cols {
    display: grid;
    grid-template-columns: minmax(0, 1.7fr) minmax(0, 1fr);
    gap: var(--s-5) var(--s-7);
    align-items: start;
  }
  .next-cols.alone:not(:has(.next-counter)) {
    grid-template-columns: minmax(0, 1fr);
  }
  .next-bars > li,
  .next-bars button {
    --columns: minmax(4.5em, 9em) minmax(0, 1fr) 4.4em;
  }
  .next-bars.tempered > li,
  .next-bars.tempered button {
    --columns: minmax(4.5em, 9em) minmax(0, 1fr) 4.4em 4.4em;
  }
  .next-bars.count > li {
    --columns: minmax(3.5em, 5.5em) minmax(0, 1fr) 3.9em 4.6em;
    gap: 0.5em;
  }
  .next-bars button,
  .next-bars .fixed {
    display: grid;
    grid-template-columns: var(--columns);
    align-items: center;
    gap: 0.8em;
    width: 100%;
    min-height: var(--touch);
    padding: 0 0.5em;
    border: 0;
    border-radius: var(--r-2);
    background: none;
    text-align: left;
  }
  .next-bars .fixed {
    min-height: 2.2em;
  }
  .next-bars button:hover {
    background: var(--accent-soft);
  }
  .next-bars .tk {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    line-height: 1.8;
  }
  .next-bars .bars {
    position: relative;
    display: block;
    height: 0.95em;
    background: var(--sunken);
    border-radius: var(--r-1);
    overflow: hidden;
  }
  .next-bars .bars i {
    display: block;
    height: 100%;
    width: calc(var(--p) * 100%);
    min-width: 1px;
    background: var(--accent);
    border-radius: var(--r-1);
    transition: width var(--slow) var(--ease);
  }
  .next-bars.tempered .bars {
    height: 1.1em;
  }
  .next-bars.tempered .bars .was {
    height: 35%;
    background: var(--accent-line);
  }
  .next-bars.tempered .bars .now {
    height: 65%;
  }
  .next-bars .rest .tk {
    white-space: normal;
    line-height: 1.4;
    overflow-wrap: normal;
  }
  .next-bars .value {
    text-align: right;
    white-space: nowrap;
  }
  .next-bars .value.was,
  .next-bars .times {
    color: var(--ink-3);
  }
  .next-bars .times {
    font-size: var(--t-xs);
  }
  .next-bars .drawn {
    font-weight: 600;
  }
  .next-bars .drawn > button,
  .next-bars .drawn.fixed {
    box-shadow: inset 0 0 0 1.5px var(--select);
  }
  .next-bars .rest,
  .next-bars .cut {
    color: var(--ink-3);
  }
  .next-bars .rest .now,
  .next-bars .count .now {
    background: var(--accent-line);
  }
  .next-bars .cut .tk {
    text-decoration: line-through;
    text-decoration-thickness: 1px;
  }
  .next-bars .cut .now {
    background: repeating-linear-gradient(135deg, var(--ink-3) 0 2px, transparent 2px 5px);
  }
  .next-bars.count .now {
    background: var(--ink-3);
  }
  .bar-heads {
    display: flex;
    justify-content: flex-end;
    gap: 0.8em;
    padding: 0 0.5em;
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .bar-heads span {
    width: calc(4.4 * var(--t-ui));
    text-align: right;
  }
  .next-more {
    margin-left: -0.25em;
  }
  .next-counter .none {
    padding: 1em;
    border: 1px dashed var(--rule-control);
    border-radius: var(--r-2);
  }
  .dice,
  .why {
    margin-top: var(--s-5);
    padding-top: var(--s-4);
    border-top: 1px solid var(--rule);
  }
  .dice-knobs {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: var(--s-3) var(--s-6);
    margin: var(--s-2) 0 var(--s-4);
  }
  .dice-line {
    margin-top: var(--s-2);
  }
  .dice-says {
    margin-top: var(--s-2);
    line-height: 1.7;
    text-wrap: pretty;
  }
  .dice-acts {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--s-2) var(--s-3);
    margin-top: var(--s-3);
  }
  .btn.main {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
    max-width: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .btn.main:hover {
    background: var(--accent-hover);
  }
  .dice-seed {
    display: flex;
    align-items: end;
    gap: var(--s-2);
    margin-left: auto;
  }
  .dice-seed .nth {
    padding-bottom: 1em;
    white-space: nowrap;
  }
  .command {
    margin-top: var(--s-4);
  }
  .command > div {
    display: flex;
    align-items: center;
    gap: var(--s-2);
    background: var(--sunken);
    border-radius: var(--r-2);
    padding-left: 0.9em;
  }
  .command code {
    flex: 1;
    min-width: 0;
    padding: 0.7em 0;
    font: 400 var(--t-sm) / 1.6 var(--font-mono);
    overflow-wrap: anywhere;
  }
  .why .steps {
    max-width: 44em;
  }
  @container fig (max-width: 760px) {
    .next-cols {
      grid-template-columns: minmax(0, 1fr);
    }
    .dice-knobs {
      grid-template-columns: minmax(0, 1fr);
    }
    .dice-seed {
      margin-left: 0;
    }
  }
  @container fig (max-width: 600px) {
    .next-bars.count > li {
      --columns: 4.6em minmax(0, 1fr) 3.7em 3.4em;
    }
    .next-bars:not(.count) > li,
    .next-bars button {
      --columns: 6.4em minmax(0, 1fr) 4.2em;
    }
    .next-bars.tempered > li,
    .next-bars.tempered button {
      --columns: 4.6em minmax(0, 1fr) 4.1em 4.1em;
    }
    .next-bars button,
    .next-bars .fixed {
      gap: 0.5em;
    }
    .dice-acts .btn {
      flex: 1 1 auto;
    }
    .why .steps > li {
      grid-template-columns: 1.1em 6em minmax(0, 1fr) auto;
    }
  }
  @media (forced-colors: active) {
    .next-bars .bars i,
    .dice-line {
      forced-color-adjust: none;
    }
    .dice-line {
      background: var(--surface);
    }
    .next-bars .drawn > button,
    .next-bars .drawn.fixed {
      border: 2px solid;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .next-bars .bars i {
      transition: none;
    }
  }
`;
