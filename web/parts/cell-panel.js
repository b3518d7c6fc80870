import { html, nothing } from 'lit';
import { formatWeight } from '../draw/number.js';
import { calculationMarkdown } from './calc-markdown.js';
import { copyCalculation, rowTable, stepLines, termBars, termTable, valueSum } from './calc-panel.js';
import { calculation, weightedValues } from './calculation.js';
import { calculationLatex } from './latex.js';
import { headRow as rowOf } from './measure.js';
import { Memo } from './memo.js';
import { shown } from './shown.js';

/**
 * The calculation of one cell of a head from what was traced: the weight (`sum`), and what the row adds up from the values (`values`).
 * side: { size, grid, and of its layer q, k, v, z (H,T,D), scaled (H,T,T) }
 */
function calculate({ q, k, v, scaled, z, size, grid }, head, cell) {
  const weights = grid.subarray(cell.row * size, (cell.row + 1) * size);
  const sum = calculation({
    q: Array.from(rowOf(q, head, cell.row)),
    keys: Array.from({ length: Math.max(cell.row, cell.column) + 1 }, (_, i) => rowOf(k, head, i)),
    scaled: Array.from(rowOf(scaled, head, cell.row)),
    weights,
    visible: cell.row + 1,
    column: cell.column,
  });
  const values = weightedValues({
    weights,
    values: Array.from({ length: cell.row + 1 }, (_, i) => rowOf(v, head, i)),
    z: rowOf(z, head, cell.row),
    visible: cell.row + 1,
    column: cell.column,
  });
  return { sum, values };
}

const nothingPointed = { term: null, entry: null };

/**
 * The calculation of a chosen cell, as a Lit controller: under the grid, on a phone a sheet over the page (`#calc`).
 * choose(cell): another one of the tokens that are joined in the cell; close(): its button.
 */
export class CellPanel {
  #host;
  #choose;
  #close;
  #pointed = nothingPointed; // which of the bars and of the value's numbers
  #sorted = false;
  #opening = false;
  #memo = new Memo();

  constructor(host, { choose, close }) {
    this.#host = host;
    this.#choose = choose;
    this.#close = close;
    host.addController(this);
  }

  get #element() {
    return this.#host.renderRoot.querySelector('#calc');
  }

  hostUpdated() {
    if (!this.#opening) return;
    this.#opening = false;
    const sheet = this.#element;
    if (sheet?.hasAttribute('popover') && !sheet.matches(':popover-open')) {
      sheet.showPopover();
      sheet.querySelector('.close').focus({ preventScroll: true });
    }
  }

  /** Where it is a sheet, it opens with the next update. */
  open() {
    if (!this.#host.phone) return;
    this.#opening = true;
    this.#host.requestUpdate();
  }

  /** Hides an open sheet. → whether there was one */
  hide() {
    const sheet = this.#element;
    if (!sheet?.hasAttribute('popover') || !sheet.matches(':popover-open')) return false;
    sheet.hidePopover();
    return true;
  }

  /** Brings it into sight once it is drawn. */
  reveal() {
    this.#host.updateComplete.then(() => this.#element?.scrollIntoView({ block: 'nearest' }));
  }

  /** Another cell is shown: nothing in it is pointed at yet. */
  reset() {
    this.#point(nothingPointed);
  }

  #point(pointed) {
    const next = { ...this.#pointed, ...pointed };
    if (next.term === this.#pointed.term && next.entry === this.#pointed.entry) return;
    this.#pointed = next;
    this.#host.requestUpdate();
  }

  #sort(sorted) {
    this.#sorted = sorted;
    this.#host.requestUpdate();
  }

  /** Made only when it is to be seen. */
  #calculation(side, head, cell) {
    return this.#memo.keep('calculation', [side.grid, side.q, cell.row, cell.column], () => calculate(side, head, cell));
  }

  /** The calculation as texts to take along → { markdown(), latex() } */
  texts({ side, head, cell }, t) {
    const names = { query: side.labels[cell.row], key: side.labels[cell.column] };
    const { sum } = this.#calculation(side, head, cell);
    return { markdown: () => calculationMarkdown(sum, names, t), latex: () => calculationLatex(sum, names) };
  }

  /** side, shape, cell: the text, what is drawn of it, and the chosen cell of its tokens; head; where: the cell's place in words. */
  render({ side, shape, cell, head, where }, t) {
    const { labels } = side;
    const sheet = this.#host.phone && 'showPopover' in HTMLElement.prototype;
    const { sum, values } = this.#calculation(side, head, cell);
    const { term, entry } = this.#pointed;
    return html`<section class="calc" id="calc" popover=${sheet ? 'auto' : nothing} role=${sheet ? 'dialog' : 'group'} aria-labelledby="calc-title">
      <div class="calc-head">
        <p class="calc-title" id="calc-title">${t.attention.looks(labels[cell.row], labels[cell.column])}</p>
        <span class="where">${where}</span>
        <span class="big">${shown(sum.chosen.masked ? '0' : sum.chosen.weight.text)}</span>
        <button class="btn quiet close" type="button" @click=${this.#close}>${t.close}</button>
      </div>
      ${shape.units ? this.#renderUnit(side, shape, cell, t) : nothing}
      <div class="calc-cols">
        <div>
          ${termBars(sum, t, { term, point: (i) => this.#point({ term: i }), sorted: this.#sorted, sort: (sorted) => this.#sort(sorted) })}
          ${termTable(sum, t, { sorted: this.#sorted })}
        </div>
        <div>${stepLines(sum, t)}${rowTable(sum, labels, t)}</div>
      </div>
      ${valueSum(values, { labels, query: labels[cell.row], column: cell.column, entry, point: (i) => this.#point({ entry: i }) }, t)}
      ${copyCalculation({ ...this.texts({ side, head, cell }, t), copy: (text, what) => this.#host.copy(text, what) }, t)}
    </section>`;
  }

  /** Where tokens are joined: of which tokens the chosen cell's weight is the sum, each to be chosen. */
  #renderUnit(side, shape, cell, t) {
    const at = shape.toShown(cell);
    const [row, column] = [shape.units[at.row], shape.units[at.column]];
    if (column.end - column.start === 1 && row.end - row.start === 1) return nothing;
    const whole = shape.weights[at.row * shape.size + at.column];
    const query = row.end - 1;
    const tokens = Array.from({ length: column.end - column.start }, (_, i) => column.start + i);
    return html`<div class="unit">
      <p>${t.attention.unit(shape.labels[at.row], row.end - row.start, shape.labels[at.column], tokens.length, formatWeight(whole))}</p>
      <div role="group" aria-label=${t.attention.unitParts}>
        ${tokens.map(
          (i) => html`<button class="btn" type="button" aria-pressed=${i === cell.column && query === cell.row ? 'true' : 'false'} @click=${() => this.#choose({ row: query, column: i })}>
            ${side.labels[i]} <small>${shown(formatWeight(side.grid[query * side.size + i]))}</small>
          </button>`,
        )}
      </div>
    </div>`;
  }
}
