import { css } from 'lit';

export const transformerStyle = css`
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .tf-stream {
    margin-top: var(--s-4);
  }
  .tf-list {
    margin-top: var(--s-4);
  }
  .tf-stage {
    display: flex;
    align-items: center;
    justify-content: space-between;
    width: 100%;
    min-height: var(--touch);
    padding: 0 8px;
    border: 0;
    border-bottom: 1px solid var(--rule);
    background: none;
    color: var(--ink-2);
    font-weight: 600;
    text-align: left;
  }
  .tf-open {
    display: grid;
    grid-template-columns: 196px minmax(0, 1fr) 64px;
    padding: 6px 8px;
  }
  .tf-open .tf-name::before {
    content: '▸';
    display: inline-block;
    width: 1.2em;
    color: var(--accent);
  }
  .tf-open[aria-expanded='true'] .tf-name::before {
    content: '▾';
  }
  .tf-open:hover,
  .tf-joint > button:hover {
    background: var(--accent-soft);
  }
  .tf-open .tf-length {
    font-weight: 400;
    font-size: var(--t-sm);
  }
  .tf-joint > button {
    display: grid;
    grid-template-columns: 196px minmax(0, 1fr) 64px;
    align-items: center;
    width: 100%;
    min-height: var(--touch);
    padding: 6px 8px;
    border: 0;
    background: none;
    text-align: left;
    font-size: var(--t-sm);
    color: var(--ink-2);
  }
  .tf-joint.stream > button {
    color: var(--ink);
    font-weight: 600;
    box-shadow: inset 3px 0 0 var(--accent);
  }
  .tf-length {
    text-align: right;
    white-space: nowrap;
  }
  .tf-tensor {
    margin: var(--s-2) 8px var(--s-5);
  }
  .tf-tensor .tick.down {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .tf-guess {
    margin-top: var(--s-4);
    padding-top: var(--s-3);
    border-top: 1px solid var(--rule);
    line-height: 1.7;
  }
  .tf-norms {
    display: grid;
    gap: var(--s-5) 24px;
  }
  .tf-norms.wide {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
  .tf-mlp {
    display: grid;
    gap: var(--s-5) 32px;
  }
  .tf-mlp.wide {
    grid-template-columns: auto minmax(0, 1fr);
  }
  .tf-neurons button {
    display: grid;
    grid-template-columns: 92px minmax(0, 1fr) 60px;
    align-items: center;
    width: 100%;
    min-height: var(--touch);
    padding: 0 6px;
    border: 1px solid transparent;
    border-radius: var(--r-2);
    background: none;
    text-align: left;
    font-size: var(--t-sm);
  }
  .tf-neurons button:hover {
    background: var(--accent-soft);
  }
  .tf-neurons [aria-pressed='true'] {
    border-color: var(--select);
    font-weight: 600;
  }
  .tf-neurons b {
    text-align: right;
    white-space: nowrap;
  }
  .tf-presets {
    margin: 0;
    align-items: start;
  }
  .tf-presets .label {
    line-height: var(--touch);
  }
  .tf-sizes {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(6.5em, 1fr));
    gap: var(--s-3);
    margin-top: var(--s-2);
  }
  .tf-sizes [aria-invalid='true'] {
    border-color: var(--bad);
  }
  .tf-bad {
    margin-top: var(--s-2);
    color: var(--bad);
    font-size: var(--t-sm);
  }
  .tf-total {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 var(--s-4);
    margin: var(--s-4) 0 var(--s-2);
  }
  .tf-total b {
    font-size: 1.7em;
    line-height: 1.3;
    color: var(--accent);
  }
  .tf-shares {
    display: flex;
    gap: 2px;
    height: 20px;
  }
  .tf-shares i {
    flex: 0 1 0;
    min-width: 1px;
    border-radius: 2px;
  }
  .tf-groups {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2em var(--s-4);
    margin: var(--s-2) 0 var(--s-4);
    font-size: var(--t-sm);
    color: var(--ink-2);
  }
  .tf-groups i {
    display: inline-block;
    width: 0.75em;
    height: 0.75em;
    margin-right: 0.4em;
    border-radius: 2px;
  }
  .tf-groups b {
    color: var(--ink);
  }
  .tf-scroll {
    max-width: 100%;
    overflow: auto;
  }
  .tf-tall {
    max-height: 24em;
  }
  .tf-table {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--t-sm);
  }
  .tf-table th,
  .tf-table td {
    padding: 0.4em 0.6em;
    border-bottom: 1px solid var(--rule);
    text-align: right;
    font-weight: 400;
  }
  .tf-table th:first-child {
    padding-left: 0;
    text-align: left;
  }
  .tf-table thead th {
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .tf-table .tf-formula {
    color: var(--ink-2);
    text-align: left;
  }
  .tf-table thead th:nth-child(2) {
    text-align: left;
  }
  #every thead th:nth-child(2) {
    text-align: right;
  }
  @container fig (max-width: 607px) {
    .tf-open,
    .tf-joint > button {
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 4px;
    }
    .tf-strip {
      grid-row: 2;
      grid-column: 1 / -1;
    }
    #parts,
    #parts tbody,
    #parts tfoot,
    #parts tr {
      display: block;
    }
    #parts thead {
      position: absolute;
      clip-path: inset(50%);
    }
    #parts tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      border-bottom: 1px solid var(--rule);
      padding: 0.35em 0;
    }
    #parts th,
    #parts td {
      border: 0;
      padding: 0.1em 0;
    }
    #parts .tf-formula {
      grid-row: 2;
      grid-column: 1 / -1;
    }
    #parts .tf-formula:empty {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .tf-shares i,
    .tf-groups i {
      forced-color-adjust: none;
    }
  }
`;
