import { css, unsafeCSS } from 'lit';
import { hostTokensCss } from './tokens.js';

const frame = css`
  /* The box is the page's to place; in a flex row it takes the room there is, since its content alone asks for none. */
  :host {
    display: block;
    flex: 1 1 100%;
    min-width: 0;
    /* The one thing that reaches inside without being inherited. */
    text-decoration: none !important;
    max-width: min(var(--wide), 100%);
    scroll-margin-top: calc(4.5 * var(--rem));
  }
  /* What is inside inherits nothing from the page but its theme: a page may well style the element with "*" and "!important". */
  .fig,
  .first,
  .ask {
    all: initial;
    visibility: inherit;
    color-scheme: inherit;
    direction: ltr;
    display: block;
    box-sizing: border-box;
    color: var(--ink);
    font: 400 var(--t-ui) / var(--lh-ui) var(--font-text);
    font-variant-numeric: tabular-nums lining-nums;
    text-autospace: normal;
    overflow-wrap: anywhere;
    -webkit-text-size-adjust: 100%;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  figure,
  p,
  ol,
  table {
    margin: 0;
    padding: 0;
  }
  ol {
    list-style: none;
  }
  button,
  input,
  textarea {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
    margin: 0;
  }
  button {
    cursor: pointer;
    touch-action: manipulation;
  }
  button[aria-disabled='true'] {
    cursor: default;
  }
  i {
    font-family: var(--font-math);
    font-style: italic;
    font-synthesis-style: auto;
  }
  sub,
  sup {
    font-size: 0.75em;
    line-height: 0;
    position: relative;
    vertical-align: baseline;
  }
  sup {
    top: -0.45em;
  }
  sub {
    top: 0.25em;
  }
  strong,
  b {
    font-weight: 600;
  }
  :focus-visible {
    outline: var(--ring) solid var(--focus);
    outline-offset: 2px;
    border-radius: var(--r-2);
  }
  .vh {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .num {
    white-space: nowrap;
  }

  .fig {
    container: fig / inline-size;
    contain-intrinsic-inline-size: var(--wide);
    position: relative;
    background: var(--surface);
    border: 1px solid var(--rule);
    border-radius: var(--r-3);
  }
  /* Latin faces first, or a Chinese one draws the quotation marks a whole character wide. */
  .fig[lang='en'] {
    --font-text: -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif;
    --font-display: Georgia, 'Noto Serif', 'Liberation Serif', 'DejaVu Serif', 'Songti SC', 'Noto Serif CJK SC', serif;
    font-family: var(--font-text);
  }
  .medium {
    all: initial;
  }
  .first {
    position: relative;
  }
  .rim {
    position: absolute;
    inset: -1px var(--s-5) auto;
    height: 2px;
    background: var(--accent-line);
  }
  .first > .rim {
    top: 0;
    z-index: 1;
  }
  .rim.is-loading {
    background: linear-gradient(90deg, var(--accent) calc(var(--share) * 100%), var(--accent-line) 0);
  }
  .first-error {
    padding-top: var(--s-3);
  }
  .fig-head {
    padding: 1.1em var(--s-5) 0;
  }
  .title {
    font-weight: 600;
  }
  .lead {
    color: var(--ink-2);
    font-size: var(--t-sm);
    line-height: 1.6;
    margin-top: 0.15em;
    max-width: 52em;
    text-wrap: pretty;
  }
  .fig-ctl {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--s-3);
    padding: var(--s-4) var(--s-5) 0;
  }
  .fig-body {
    padding: var(--s-5);
    transition: opacity var(--fast) var(--ease);
  }
  .fig.is-stale .fig-body,
  .fig.is-stale .calc {
    opacity: var(--dim);
  }
  .fig-foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--s-4);
    border-top: 1px solid var(--rule);
    padding: 0.2em var(--s-3) 0.2em var(--s-5);
    color: var(--ink-3);
    font-size: var(--t-xs);
    min-height: 3.6em;
  }
  .fig-foot code {
    font: 400 var(--t-xs) / 1 var(--font-mono);
  }
  .fig-foot .acts {
    position: relative;
    margin-left: auto;
    display: flex;
  }
  .fig-foot .btn {
    font-size: var(--t-sm);
  }
  .fig-foot .said {
    flex: 1 0 100%;
    text-align: end;
    padding-inline-end: var(--s-3);
    font-size: var(--t-sm);
    color: var(--ink-2);
  }
  .fig-foot .said:not(:empty) {
    padding-block: 0 0.6em;
  }
  .menu-box {
    position: relative;
    display: flex;
  }
  .menu {
    position: absolute;
    inset: auto 0 100% auto;
    z-index: 3;
    display: grid;
    padding: var(--s-1);
    background: var(--surface);
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    box-shadow: 0 0.4em 1.6em rgb(0 0 0 / 0.16);
  }
  .menu button {
    min-height: var(--touch);
    padding: 0 1em;
    border: 0;
    border-radius: var(--r-1);
    background: none;
    color: var(--ink);
    font-size: var(--t-sm);
    text-align: start;
    white-space: nowrap;
  }
  .menu button:focus-visible {
    outline-offset: -2px;
  }
  .menu button:hover,
  .menu button:focus-visible {
    background: var(--accent-soft);
    color: var(--accent);
  }
  .to-copy {
    flex: 1 1 100%;
    min-width: 0;
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2);
    align-items: end;
    padding: 0 var(--s-3) var(--s-3) 0;
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .to-copy label {
    flex: 1 0 100%;
  }
  .to-copy .text {
    flex: 1 1 16em;
    min-width: 0;
    font: 400 var(--t-sm) / 1.5 var(--font-mono);
  }
  .notes {
    margin: var(--s-3) var(--s-5) 0;
    padding: 0.5em 0.9em;
    border-left: 3px solid var(--accent-line);
    background: var(--accent-soft);
    border-radius: var(--r-1);
    font-size: var(--t-sm);
    line-height: 1.6;
  }
  .err {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s-2) var(--s-4);
    padding: 0.6em 0.6em 0.6em 1em;
    margin-bottom: var(--s-4);
    background: var(--bad-soft);
    border-left: 3px solid var(--bad);
    border-radius: var(--r-1);
  }
  .err > span {
    flex: 1 1 16em;
  }
  .err .btn {
    margin-left: auto;
  }
  .empty {
    display: grid;
    place-items: center;
    text-align: center;
    min-height: 11em;
    border: 1px dashed var(--rule-control);
    border-radius: var(--r-2);
    color: var(--ink-2);
    padding: var(--s-5);
    text-wrap: balance;
  }
  .empty.wait {
    border-color: transparent;
    background: var(--sunken);
    min-height: 18em;
  }
  .hint {
    color: var(--ink-2);
    font-size: var(--t-sm);
    line-height: 1.65;
    margin-top: var(--s-3);
  }
`;

const controls = css`
  .btn {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-height: var(--touch);
    min-width: var(--touch);
    padding: 0 1.05em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--surface);
    color: var(--ink);
    line-height: 1.2;
    white-space: nowrap;
    transition:
      background var(--fast) var(--ease),
      border-color var(--fast) var(--ease);
  }
  .btn:hover {
    background: var(--accent-soft);
    border-color: var(--accent);
  }
  .btn.quiet {
    border-color: transparent;
    background: none;
    color: var(--accent);
    padding: 0 0.75em;
  }
  .btn.quiet:hover {
    background: var(--accent-soft);
  }
  .field {
    display: grid;
    gap: 0.3em;
    min-width: 0;
  }
  .field > label,
  .label {
    font-size: var(--t-xs);
    line-height: var(--lh-ui);
    color: var(--ink-3);
  }
  .f-text {
    flex: 1 1 22em;
  }
  .text {
    display: block;
    width: 100%;
    min-height: calc(var(--touch) + 2px);
    max-height: 10em;
    padding: calc((var(--touch) - 1.5em) / 2) 0.8em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--sunken);
    font-size: var(--rem);
    line-height: 1.5;
    resize: none;
    field-sizing: content;
    overflow: auto;
    white-space: pre-wrap;
  }
  .text:hover {
    border-color: var(--accent);
  }
  .stepper {
    display: inline-flex;
    height: calc(var(--touch) + 2px);
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--surface);
    justify-content: space-between;
  }
  .stepper button {
    width: var(--touch);
    border: 0;
    background: none;
    font-size: 1.2em;
    line-height: 1;
    color: var(--accent);
    border-radius: var(--r-2);
    padding: 0;
  }
  .stepper button:hover {
    background: var(--accent-soft);
  }
  .stepper button[aria-disabled='true'] {
    color: var(--rule-control);
    background: none;
  }
  .stepper output {
    min-width: 1.8em;
    align-self: center;
    text-align: center;
    line-height: 1;
  }
  .prompts {
    flex: 1 0 100%;
    display: flex;
    align-items: center;
    gap: 0 var(--s-2);
    margin: calc(-1 * var(--s-2)) 0 calc(-1 * var(--s-3));
  }
  .prompts .label {
    flex: none;
  }
  .prompts > div {
    display: flex;
    flex-wrap: wrap;
  }
  .prompts .btn {
    font-size: var(--t-sm);
    padding: 0 0.7em;
  }
  .prompts .btn[aria-pressed='true'] {
    color: var(--ink);
    font-weight: 600;
  }
  .switch {
    display: inline-flex;
    align-items: center;
    gap: 0.6em;
    min-height: var(--touch);
    line-height: 1.3;
    cursor: pointer;
  }
  .switch input {
    appearance: none;
    flex: none;
    width: 2.7em;
    height: 1.6em;
    border: 1px solid var(--rule-control);
    border-radius: 1em;
    background: var(--sunken);
    position: relative;
    cursor: pointer;
    transition: background var(--fast) var(--ease);
  }
  .switch input::after {
    content: '';
    position: absolute;
    top: 50%;
    left: 0.2em;
    width: 1.05em;
    height: 1.05em;
    margin-top: -0.525em;
    border-radius: 50%;
    background: var(--rule-control);
    transition: transform var(--fast) var(--ease);
  }
  .switch input:checked {
    background: var(--accent);
    border-color: var(--accent);
  }
  .switch input:checked::after {
    transform: translateX(1.05em);
    background: var(--on-accent);
  }
  .switch input:focus-visible {
    border-radius: 1em;
  }
  .seg {
    display: inline-flex;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--sunken);
    padding: 2px;
    gap: 2px;
    height: calc(var(--touch) + 2px);
  }
  .seg label {
    position: relative;
    display: grid;
    place-items: center;
    min-width: calc(var(--touch) - 2px);
    padding: 0 0.7em;
    border-radius: 4px;
    line-height: 1;
    color: var(--ink-2);
    cursor: pointer;
    white-space: nowrap;
    flex: 1;
  }
  .seg input {
    position: absolute;
    inset: -3px 0;
    width: 100%;
    height: calc(100% + 6px);
    opacity: 0;
    cursor: pointer;
  }
  .seg label:hover {
    color: var(--ink);
  }
  .seg label.on {
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .seg label:has(:focus-visible) {
    outline: var(--ring) solid var(--focus);
    outline-offset: 3px;
  }
`;

const grid = css`
  .scroll-x {
    max-width: 100%;
    padding-bottom: 4px;
  }
  .scroll-x.scrolls {
    overflow-x: auto;
    overscroll-behavior-x: contain;
  }
  .grid {
    position: relative;
    touch-action: pan-y;
    user-select: none;
    -webkit-user-select: none;
    -webkit-tap-highlight-color: transparent;
  }
  .scrolls > .grid {
    touch-action: pan-x pan-y;
  }
  .grid table {
    border-collapse: separate;
    border-spacing: 0;
    table-layout: fixed;
    width: 100%;
    line-height: 1;
  }
  .grid th {
    font-weight: 400;
    color: var(--ink-2);
    font-size: var(--t-sm);
    padding: 0;
    overflow: hidden;
  }
  .grid th.on {
    color: var(--ink);
    font-weight: 700;
  }
  .grid .corner {
    width: var(--left);
  }
  .grid thead th {
    width: var(--cell);
    height: var(--top);
    vertical-align: bottom;
    padding-bottom: 6px;
    line-height: 1;
  }
  .grid thead th > span:not(.vh) {
    display: inline-block;
    writing-mode: vertical-rl;
    max-height: calc(var(--top) - 8px);
    overflow: hidden;
    white-space: nowrap;
    line-height: 1.5;
    letter-spacing: 0.04em;
    vertical-align: bottom;
    unicode-bidi: isolate;
  }
  .grid.is-level thead th > span:not(.vh) {
    writing-mode: horizontal-tb;
    letter-spacing: 0;
    line-height: 1.4;
  }
  .grid tbody th {
    line-height: 1.3;
    width: var(--left);
    height: var(--cell);
    text-align: right;
    padding-right: 8px;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .grid tbody th > span {
    unicode-bidi: isolate;
  }
  .scrolls .grid tbody th,
  .scrolls .grid .corner {
    position: sticky;
    left: 0;
    z-index: 3;
    background: var(--surface);
  }
  .grid td {
    width: var(--cell);
    height: var(--cell);
    padding: 0;
    text-align: center;
    vertical-align: middle;
    font-size: var(--t-cell);
    letter-spacing: -0.01em;
    cursor: pointer;
    color: var(--cell-ink-lo);
    background: color-mix(in oklab, var(--ramp-1) clamp(0%, (var(--w, 0) - 0.5) * 200%, 100%), color-mix(in oklab, var(--ramp-m) clamp(0%, var(--w, 0) * 200%, 100%), var(--ramp-0)));
    background-clip: padding-box;
    border: solid transparent;
    border-width: 0 1px 1px 0;
    border-radius: 3px;
    box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--rule) 50%, transparent);
  }
  .is-tiny th {
    font-size: var(--t-xs);
  }
  .is-tiny td {
    box-shadow: none;
    border-radius: 0;
  }
  .grid td.hi {
    color: var(--cell-ink-hi);
  }
  .grid td.z {
    color: var(--cell-zero);
  }
  .grid td.m {
    color: var(--mask-dot);
    background: repeating-linear-gradient(135deg, transparent 0 4px, var(--hatch) 4px 5px);
    box-shadow: none;
  }
  .is-tiny td.m {
    font-size: 0;
  }
  .grid.is-big td {
    font-size: var(--t-sm);
  }
  .grid td:focus-visible {
    position: relative;
    outline: var(--ring) solid var(--focus);
    outline-offset: 1px;
    z-index: 4;
  }
  .band,
  .mark {
    position: absolute;
    pointer-events: none;
  }
  .band {
    background: var(--accent);
    opacity: 0.08;
  }
  .mark {
    margin: -1px 0 0 -1px;
    padding: 0 1px 1px 0;
    box-sizing: content-box;
    box-shadow:
      inset 0 0 0 2px var(--select),
      inset 0 0 0 3px var(--surface);
    border-radius: 4px;
    z-index: 2;
  }
  .mark.hover {
    box-shadow: inset 0 0 0 1.5px var(--select);
  }
  .is-tiny .mark {
    box-shadow:
      0 0 0 1px var(--surface),
      0 0 0 3px var(--select);
    border-radius: 2px;
    margin: 0;
    padding: 0;
  }
  .probe {
    position: absolute;
    width: 0;
    height: 0;
    color: var(--ramp-0);
    transition: color 1ms step-end;
  }
  .picture {
    position: absolute;
    cursor: crosshair;
    background: repeating-linear-gradient(135deg, transparent 0 4px, var(--hatch) 4px 5px);
    box-shadow: 0 0 0 1px var(--rule);
  }
  .picture canvas {
    display: block;
    width: 100%;
    height: 100%;
  }
  .tick {
    position: absolute;
    white-space: nowrap;
    font-size: var(--t-xs);
    line-height: 1;
    color: var(--ink-3);
  }
  .tick.across {
    top: 2px;
    transform: translateX(-50%);
  }
  .tick.down {
    left: 0;
    text-align: right;
    transform: translateY(-50%);
  }
  .ramp {
    display: grid;
    grid-template-columns: auto minmax(5em, 11em) auto;
    align-items: center;
    gap: 0.6em;
    font-size: var(--t-xs);
    color: var(--ink-3);
  }
  .ramp i {
    height: 10px;
    border-radius: var(--r-1);
    background: linear-gradient(90deg, var(--ramp-0), var(--ramp-m), var(--ramp-1));
    box-shadow: inset 0 0 0 1px var(--rule);
  }
  .key-m {
    display: inline-flex;
    align-items: center;
    gap: 0.5em;
    font-size: var(--t-xs);
    color: var(--ink-3);
  }
  .key-m .m {
    display: inline-grid;
    place-items: center;
    width: 1.5em;
    height: 1.5em;
    line-height: 1;
    font: 400 var(--t-cell) / 1 var(--font-text);
    color: var(--mask-dot);
    background: repeating-linear-gradient(135deg, transparent 0 4px, var(--hatch) 4px 5px);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2) var(--s-5);
  }
  .att {
    display: grid;
    gap: var(--s-5);
    align-items: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .att.beside {
    grid-template-columns: auto minmax(0, 1fr);
    column-gap: var(--s-6);
  }
  .att .left {
    display: grid;
    gap: var(--s-3);
    justify-items: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .peek {
    display: flex;
    align-items: center;
    gap: 0 var(--s-3);
    width: 100%;
    min-height: 3em;
    padding: 0.3em 0.9em;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--surface);
    text-align: left;
  }
  .peek.quiet {
    border: 1px dashed var(--rule);
    color: var(--ink-3);
    font-size: var(--t-sm);
  }
  button.peek:hover {
    background: var(--accent-soft);
    border-color: var(--accent);
  }
  .peek .what {
    min-width: 0;
  }
  .peek .value {
    margin-left: auto;
    color: var(--accent);
    white-space: nowrap;
  }
  .peek .go {
    color: var(--ink-3);
    font-size: var(--t-sm);
    white-space: nowrap;
  }
  .subtitle {
    font-weight: 600;
    margin-bottom: var(--s-1);
  }
  .ranking ol {
    max-width: 40em;
    min-height: calc(var(--lines) * var(--touch));
  }
  .ranking button,
  .ranking .rest {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.5fr) 4em;
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
  .ranking button:hover {
    background: var(--accent-soft);
  }
  .ranking .on button {
    font-weight: 600;
    box-shadow: inset 0 0 0 1px var(--rule-control);
  }
  .ranking .tk {
    overflow: hidden;
    line-height: 1.9;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .ranking .tk small {
    color: var(--ink-3);
    font-size: var(--t-xs);
    font-weight: 400;
    margin-left: 0.5em;
  }
  .bar {
    height: 0.875em;
    background: var(--sunken);
    border-radius: var(--r-1);
    overflow: hidden;
  }
  .bar i {
    display: block;
    height: 100%;
    width: calc(var(--p) * 100%);
    min-width: 1px;
    background: var(--accent);
    border-radius: var(--r-1);
  }
  .ranking .value {
    text-align: right;
  }
  .ranking .rest {
    color: var(--ink-3);
  }
  .rest .bar i {
    background: var(--accent-line);
  }
`;

const calc = css`
  .calc {
    background: none;
    color: inherit;
    border: 0;
    border-top: 1px solid var(--rule);
    padding: var(--s-5);
    position: static;
    width: auto;
    height: auto;
    margin: 0;
    overflow: visible;
    inset: auto;
  }
  .calc-head {
    display: flex;
    align-items: baseline;
    gap: 0 var(--s-3);
    margin-bottom: var(--s-4);
    flex-wrap: wrap;
  }
  .takes {
    display: flex;
    flex-wrap: wrap;
    margin: var(--s-3) -0.75em 0;
    font-size: var(--t-sm);
  }
  .calc-title {
    font: 700 var(--t-h3) / 1.4 var(--font-display);
    text-spacing-trim: trim-start;
  }
  .calc-head .where {
    color: var(--ink-3);
    font-size: var(--t-sm);
  }
  .calc-head .big {
    margin-left: auto;
    font-size: 1.6em;
    line-height: 1;
    font-weight: 600;
    color: var(--accent);
  }
  .calc-head .push {
    margin-left: auto;
  }
  .calc-cols {
    display: grid;
    grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr);
    gap: var(--s-5) var(--s-7);
    align-items: start;
  }
  .sub {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: baseline;
    gap: 0 var(--s-3);
    margin-bottom: var(--s-3);
  }
  .sub span {
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .terms {
    display: grid;
    grid-template-columns: 3.6em minmax(0, 1fr);
    gap: 0 0.7em;
    font-size: var(--t-xs);
    color: var(--ink-3);
  }
  .plot {
    position: relative;
    display: flex;
    gap: 2px;
    height: 8.6em;
    touch-action: pan-y;
  }
  .plot::before {
    content: '';
    position: absolute;
    inset: var(--zero) 0 auto;
    border-top: 1px solid var(--rule-control);
  }
  .plot b {
    position: relative;
    flex: 1;
  }
  .plot b.on {
    background: var(--accent-soft);
  }
  .plot i {
    position: absolute;
    left: 0;
    right: 0;
    border-radius: 1px;
    min-height: 0.5px;
  }
  .plot .pos i {
    background: var(--pos);
  }
  .plot .neg i {
    background: var(--neg);
  }
  b.pos,
  td.pos {
    color: var(--pos-ink);
  }
  b.neg,
  td.neg {
    color: var(--neg-ink);
  }
  .ylab {
    position: relative;
    text-align: right;
    line-height: 1;
  }
  .ylab span {
    position: absolute;
    right: 0;
    transform: translateY(-50%);
    white-space: nowrap;
  }
  .ylab .at-top {
    top: 0;
  }
  .ylab .at-zero {
    top: var(--zero);
  }
  .ylab .at-end {
    top: 100%;
  }
  .ylab b {
    color: var(--ink);
  }
  .run,
  .run-lab {
    height: 5.2em;
    margin-top: var(--s-5);
  }
  .run svg {
    display: block;
    width: 100%;
    height: 100%;
    overflow: visible;
  }
  .run .area {
    fill: var(--accent-soft);
  }
  .run .zero {
    fill: none;
    stroke: var(--rule-control);
    stroke-width: 1;
    vector-effect: non-scaling-stroke;
  }
  .run .line {
    fill: none;
    stroke: var(--accent);
    stroke-width: 1.75;
    vector-effect: non-scaling-stroke;
  }
  .cap {
    grid-column: 2;
    padding-top: 0.6em;
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 var(--s-3);
    min-height: 2em;
  }
  .steps > li {
    display: grid;
    grid-template-columns: 1.1em 5.6em minmax(0, 1fr) auto;
    gap: 0 0.6em;
    align-items: baseline;
    padding: 0.55em 0;
    border-bottom: 1px solid var(--rule);
  }
  .steps > li:last-child {
    border-bottom: 0;
  }
  .steps .n {
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .steps .what {
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .steps .how {
    color: var(--ink-2);
  }
  .steps .words {
    font-size: var(--t-sm);
  }
  .steps .value {
    font-weight: 600;
    text-align: right;
  }
  .steps .last .value {
    color: var(--accent);
  }
  .root {
    position: relative;
    display: inline-block;
    padding-left: 0.56em;
    line-height: 1.15;
    white-space: nowrap;
  }
  .root svg {
    position: absolute;
    left: 0;
    top: 0;
    width: 0.58em;
    height: 100%;
    overflow: visible;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.1;
  }
  .root path {
    vector-effect: non-scaling-stroke;
  }
  .root > span {
    display: inline-block;
    border-top: 1px solid currentColor;
    padding: 0 0.12em 0 0.08em;
    line-height: 1.15;
  }
  .nb {
    white-space: nowrap;
  }
  .dot {
    font-family: var(--font-math);
    margin: 0 0.18em;
  }
  .more {
    margin-top: var(--s-2);
    font-size: var(--t-sm);
  }
  .more summary {
    display: inline-flex;
    align-items: center;
    min-height: var(--touch);
    color: var(--accent);
    cursor: pointer;
    gap: 0.4em;
    list-style: none;
  }
  .more summary::-webkit-details-marker {
    display: none;
  }
  .more summary::before {
    content: '';
    border: solid currentColor;
    border-width: 0 1.5px 1.5px 0;
    padding: 2.5px;
    transform: rotate(-45deg);
  }
  .more[open] summary::before {
    transform: rotate(45deg);
  }
  .more .scroll {
    max-height: 20em;
    overflow: auto;
    border: 1px solid var(--rule);
    border-radius: var(--r-2);
  }
  .list {
    border-collapse: collapse;
    width: 100%;
    font-size: var(--t-sm);
    line-height: 1.3;
  }
  .list th,
  .list td {
    text-align: right;
    padding: 0.35em 0.7em;
    font-weight: 400;
    white-space: nowrap;
  }
  .list th:first-child {
    text-align: left;
    color: var(--ink-2);
  }
  .list thead th {
    position: sticky;
    top: 0;
    background: var(--sunken);
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .list tbody tr + tr > * {
    border-top: 1px solid var(--rule);
  }
  .list .on > * {
    background: var(--accent-soft);
    font-weight: 600;
  }
  .list tfoot > tr > * {
    border-top: 1px solid var(--rule-control);
    font-weight: 600;
  }
  .calc[popover]:not(:popover-open) {
    display: none;
  }
  .calc:popover-open {
    display: block;
    position: fixed;
    inset: auto 0 0 0;
    width: 100%;
    max-width: none;
    max-height: 82vh;
    max-height: 82dvh;
    overflow: auto;
    background: var(--surface);
    border: 0;
    border-radius: var(--r-3) var(--r-3) 0 0;
    padding: 0.9em 1.25em 1.5em;
    box-shadow: 0 -8px 32px var(--shadow);
    overscroll-behavior: contain;
    animation: rise var(--slow) var(--ease);
  }
  .calc:popover-open::before {
    content: '';
    display: block;
    width: 2.4em;
    height: 4px;
    border-radius: 2px;
    background: var(--rule-control);
    margin: 0 auto 0.4em;
  }
  .calc:popover-open::backdrop {
    background: var(--scrim);
  }
  .calc:popover-open .calc-cols {
    grid-template-columns: minmax(0, 1fr);
  }
  .calc:popover-open .close {
    order: -1;
    margin: 0 -0.75em 0 auto;
  }
  .calc:popover-open .calc-head::before {
    content: '';
    flex: 0 0 100%;
    order: 0;
  }
  @keyframes rise {
    from {
      transform: translateY(24px);
      opacity: 0;
    }
  }
`;

const hand = css`
  .hand {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-5) calc(2.5 * var(--rem));
    align-items: flex-start;
  }
  .inputs {
    display: grid;
    gap: var(--s-3);
    min-width: 0;
  }
  .mats {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-3) var(--s-4);
  }
  .io {
    border-collapse: separate;
    border-spacing: 4px;
    margin: -4px;
  }
  .io th {
    font-weight: 400;
    font-size: var(--t-xs);
    color: var(--ink-3);
    padding: 0 0.3em 0 0;
  }
  .io thead th {
    padding: 0 0 0.2em;
  }
  .io thead i {
    font-size: var(--t-ui);
    color: var(--ink);
  }
  .io tbody th {
    font-size: var(--t-ui);
    color: var(--ink);
    font-weight: 600;
    min-width: 1.4em;
    max-width: 5em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .io td {
    padding: 0;
  }
  .io input {
    display: block;
    width: 3.1em;
    height: var(--touch);
    text-align: center;
    border: 1px solid var(--rule-control);
    border-radius: var(--r-2);
    background: var(--sunken);
    padding: 0;
    font-size: var(--rem);
  }
  .io input:hover {
    border-color: var(--accent);
  }
  .io input[aria-invalid='true'] {
    border: 2px solid var(--bad);
    background: var(--bad-soft);
  }
  .io tr.lit th {
    color: var(--accent);
  }
  .knobs {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-2) var(--s-4);
    align-items: end;
  }
  .sides {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s-5) calc(2.5 * var(--rem));
  }
  .side h3,
  .side .subtitle {
    display: flex;
    align-items: baseline;
    gap: 0.5em;
    flex-wrap: wrap;
  }
  .side .subtitle small {
    color: var(--ink-3);
    font-weight: 400;
    font-size: var(--t-xs);
  }
  .walk {
    border-collapse: separate;
    border-spacing: 0;
    table-layout: fixed;
    line-height: 1;
    margin-top: var(--s-3);
  }
  .walk caption {
    text-align: left;
    font-size: var(--t-xs);
    color: var(--ink-3);
    padding-bottom: 0.5em;
  }
  .walk th {
    width: var(--left);
    font-weight: 400;
    font-size: var(--t-xs);
    color: var(--ink-3);
    text-align: right;
    padding: 0 8px 0 0;
    white-space: nowrap;
  }
  .walk td {
    width: var(--cell);
    height: 2.3em;
    padding: 0;
    text-align: center;
    font-size: var(--t-sm);
    border-bottom: 1px solid var(--rule);
    overflow: hidden;
    overflow-wrap: normal;
    white-space: nowrap;
  }
  .walk.small td {
    font-size: var(--t-cell);
    letter-spacing: -0.03em;
  }
  .walk.small tr:last-child td:not(.c) {
    font-weight: 400;
  }
  .walk .nb {
    font-size: var(--t-cell);
    letter-spacing: -0.06em;
  }
  .walk td.c {
    background: var(--accent-soft);
  }
  .walk td.x {
    color: var(--ink-3);
  }
  .walk tr:last-child td {
    font-weight: 600;
    border-bottom: 0;
  }
  .walk tr:last-child td.c {
    color: var(--accent);
  }
  .two > li {
    display: grid;
    grid-template-columns: var(--s-4) calc(8 * var(--rem)) repeat(var(--sides), minmax(0, 1fr));
    gap: 0 var(--s-4);
    align-items: baseline;
    padding: 0.55em 0;
    border-bottom: 1px solid var(--rule);
  }
  .two > li:last-child {
    border-bottom: 0;
  }
  .two .headrow {
    color: var(--ink-3);
    font-size: var(--t-xs);
    padding-top: 0;
  }
  .two .n {
    color: var(--ink-3);
    font-size: var(--t-xs);
  }
  .two .what {
    color: var(--ink-2);
    font-size: var(--t-sm);
  }
  .two .how {
    color: var(--ink-2);
    line-height: 1.6;
  }
  .two .how b {
    color: var(--ink);
  }
  .two .how .row {
    display: block;
  }
  .entry-error {
    margin-top: var(--s-3);
    padding: 0.5em 0.9em;
    background: var(--bad-soft);
    border-left: 3px solid var(--bad);
    border-radius: var(--r-1);
    font-size: var(--t-sm);
    line-height: 1.6;
    max-width: 34em;
  }
`;

const narrow = css`
  @container fig (max-width: 860px) {
    .f-text {
      flex-basis: 100%;
    }
    .calc-cols {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @container fig (max-width: 600px) {
    .rim {
      inset-inline: var(--s-3);
    }
    .fig-head,
    .fig-ctl {
      padding-inline: var(--s-3);
    }
    .fig-body {
      padding: 1.1em var(--s-3);
    }
    .calc:not(:popover-open) {
      padding: 1.1em var(--s-3);
    }
    .menu-box {
      position: static;
    }
    .fig-foot {
      padding: 0.6em var(--s-1) 0 var(--s-3);
    }
    .notes {
      margin-inline: var(--s-3);
    }
    .fig-ctl > .field:not(.f-text) {
      flex: 1 1 8em;
    }
    .prompts {
      flex-wrap: wrap;
      margin-top: 0;
    }
    .prompts .label {
      flex: 0 0 100%;
    }
    .prompts > div {
      margin: -0.4em -0.5em 0;
    }
    .prompts .btn {
      padding: 0 0.5em;
    }
    .knobs > .field {
      flex: 0 1 calc(50% - var(--s-2));
    }
    .hand,
    .sides {
      gap: var(--s-4) 12px;
    }
    .steps > li {
      grid-template-columns: 1em 4.6em minmax(0, 1fr) auto;
    }
    .two > li {
      grid-template-columns: var(--s-4) repeat(var(--sides), minmax(0, 1fr));
      gap: 0.15em 0.6em;
      font-size: var(--t-sm);
    }
    .two .what {
      grid-column: 2 / -1;
    }
    .two .how:nth-child(3) {
      grid-column: 2;
    }
    .two .headrow .what {
      display: none;
    }
    .two .headrow .how:nth-child(3) {
      grid-column: 2;
    }
  }
  @supports not (color: color-mix(in oklab, red, red)) {
    .grid td {
      background-color: var(--ramp-0);
      background-image: linear-gradient(rgb(1 58 68 / var(--w, 0)), rgb(1 58 68 / var(--w, 0)));
    }
    .grid td.m {
      background: repeating-linear-gradient(135deg, transparent 0 4px, var(--hatch) 4px 5px);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
    }
  }
  @media (forced-colors: active) {
    .switch input::after {
      forced-color-adjust: none;
      background: ButtonText;
    }
    .switch input:checked {
      forced-color-adjust: none;
      background: Highlight;
      border-color: Highlight;
    }
    .switch input:checked::after {
      background: HighlightText;
    }
    .seg label.on {
      forced-color-adjust: none;
      color: HighlightText;
      background: Highlight;
    }
    .grid td,
    .picture,
    .bar i,
    .plot i,
    .ramp i {
      forced-color-adjust: none;
    }
  }
  @media print {
    .fig-ctl,
    .acts,
    .peek {
      display: none;
    }
    .grid td,
    .picture,
    .bar i,
    .plot i {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
  }
`;

/** The style of every widget: its own copy of the variables, then frame, controls, grid, calculation. */
export const widgetStyle = [unsafeCSS(hostTokensCss), frame, controls, grid, calc, hand, narrow];
