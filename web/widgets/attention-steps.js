import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { heatmapGeometry } from '../draw/heatmap.js';
import { tokenLabel } from '../draw/label.js';
import { stepsFigure } from '../draw/steps-figure.js';
import { sharedEngine } from '../engine/client.js';
import { formatCell, largestEntry, parseCell, parseMatrix, parseNumber, resizeMatrix } from '../parts/attributes.js';
import { calculationMarkdown } from '../parts/calc-markdown.js';
import { copyCalculation, dot, guardSign, italic, root } from '../parts/calc-panel.js';
import { calculation, formatInput } from '../parts/calculation.js';
import { GlassboxElement } from '../parts/element.js';
import { GridView } from '../parts/grid.js';
import { calculationLatex } from '../parts/latex.js';
import { withMath } from '../parts/inline-math.js';
import { shown } from '../parts/shown.js';
import { stepper } from '../parts/stepper.js';
import { choice, toggle } from '../parts/switch.js';

const mostRows = 8;
const mostColumns = 4;
const examples = {
  q: [[1, 0], [0, 1], [1, 1]],
  v: [[1, 0], [0, 1], [0.5, 0.5]],
};
const identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

// Worked examples as attributes. Scores that are given already are q itself, with k and v the identity.
const presets = {
  words: { q: examples.q, k: null, v: examples.v, labels: 'A B C', scale: null, mask: null, cell: '1,1' },
  scores: { q: [[0.8, 0.2, 0.3], [0.3, 0.5, 0.4], [0.6, 0.2, 0.7]], k: identity, v: identity, labels: 'Thank you very', scale: 'off', mask: 'full', cell: '2,0' },
};

const views = ['both', 'full', 'causal'];

const plus = (i) => (i ? ' + ' : '');
const written = (matrix) => matrix.map((row) => row.map((x) => String(x)));

/**
 * Attention by hand on small matrices, every step and every term shown, without and with the causal mask.
 *
 * Attributes: `q`, `k`, `v` (JSON matrices of up to 8 × 4 numbers within ±1000; without `k`, k takes q's numbers),
 * `labels` (names of the rows, parted by spaces; A, B, C … by default), `scale` ("off" leaves the division by √d out),
 * `mask` ("both", "full" or "causal": which grids are shown), `cell` ("row,column" from 0, empty for none), `lang`, `theme`.
 */
export default class GlassboxAttentionSteps extends GlassboxElement {
  static properties = {
    q: { reflect: true },
    k: { reflect: true },
    v: { reflect: true },
    labels: { reflect: true },
    scale: { reflect: true },
    mask: { reflect: true },
    cell: { reflect: true },
    drafts: { state: true },
  };

  static inputs = ['q', 'k', 'v', 'scale'];

  #grids = {};
  #written = {};
  #bad = [];

  constructor() {
    super();
    this.drafts = null;
    for (const side of ['full', 'causal']) {
      this.#grids[side] = new GridView(this, { select: (cell) => this.#choose(cell), close: () => this.#choose(null) });
    }
  }

  willUpdate(changed) {
    // Attributes set from outside replace what is in the fields; those written by the fields themselves don't.
    const outside = ['q', 'k', 'v'].some((name) => changed.has(name) && this[name] !== this.#written[name]);
    if (outside || !this.drafts) this.#read();
  }

  #read() {
    this.#bad = [];
    const take = (name, fallback) => {
      if (this[name] === undefined || this[name] === null) return fallback;
      const matrix = parseMatrix(this[name], mostRows, mostColumns);
      if (!matrix) this.#bad.push(name);
      return matrix ?? fallback;
    };
    const q = take('q', examples.q);
    let k = take('k', null);
    let v = take('v', this.q ? null : examples.v);
    if (k && (k.length !== q.length || k[0].length !== q[0].length)) {
      this.#bad.push('k');
      k = null;
    }
    if (v && v.length !== q.length) {
      this.#bad.push('v');
      v = null;
    }
    // A k with q's very numbers is the same k.
    if (k && JSON.stringify(k) === JSON.stringify(q)) k = null;
    this.drafts = { q: written(q), k: k && written(k), v: written(v ?? resizeMatrix(examples.v, q.length, 2, 0)) };
    for (const name of ['q', 'k', 'v']) this.#written[name] = this[name];
  }

  get #rows() {
    return this.drafts.q.length;
  }

  get #width() {
    return this.drafts.q[0].length;
  }

  #label(i) {
    const names = (this.labels ?? '').split(/\s+/).filter(Boolean);
    return tokenLabel(names[i] ?? String.fromCharCode(65 + i));
  }

  /** The numbers in the fields, or the first entry that is none: { matrices } or { fault }. */
  #numbers() {
    const matrices = {};
    let fault = null;
    for (const name of ['q', 'k', 'v']) {
      const draft = this.drafts[name];
      if (!draft) continue;
      matrices[name] = draft.map((row, r) =>
        row.map((text, c) => {
          const value = parseNumber(text);
          if (!Number.isFinite(value)) fault ??= { name, row: r, column: c, text, large: value === Infinity };
          return value;
        }),
      );
    }
    return fault ? { fault } : { matrices };
  }

  async compute() {
    const { matrices, fault } = this.#numbers();
    // While an entry is no number, the last good matrices stay, and switches still work on them.
    const { q, v, k = q } = fault ? this.result : matrices;
    const scale = this.scale !== 'off';
    const engine = sharedEngine();
    const [full, causal] = await Promise.all([false, true].map((masked) => engine.attentionSteps({ q, k, v, causal: masked, scale })));
    return { q, k, v, scale, full, causal, size: q.length };
  }

  accept(result) {
    if (this.cell && result) this.cell = formatCell(parseCell(this.cell, result.size));
  }

  /** Takes over new fields; the attributes follow when all of them are numbers. */
  #edit(drafts) {
    this.drafts = drafts;
    this.#bad = [];
    const { matrices } = this.#numbers();
    if (!matrices) return;
    for (const name of ['q', 'k', 'v']) {
      const json = matrices[name] ? JSON.stringify(matrices[name]) : null;
      this.#written[name] = json;
      this[name] = json;
    }
  }

  #type(name, row, column, text) {
    const matrix = this.drafts[name].map((entries) => entries.slice());
    matrix[row][column] = text;
    this.#edit({ ...this.drafts, [name]: matrix });
  }

  #resize({ rows = this.#rows, width = this.#width, values = this.drafts.v[0].length }) {
    const { q, k, v } = this.drafts;
    this.#edit({
      q: resizeMatrix(q, rows, width, '0'),
      k: k && resizeMatrix(k, rows, width, '0'),
      v: resizeMatrix(v, rows, values, '0'),
    });
  }

  #share(same) {
    const { q } = this.drafts;
    this.#edit({ ...this.drafts, k: same ? null : q.map((row) => row.slice()) });
  }

  #choose(cell) {
    this.cell = formatCell(cell) ?? '';
  }

  /** The chosen cell; the middle of the example while nobody has chosen. An empty attribute says that none is. */
  get #chosen() {
    return this.result ? parseCell(this.cell ?? '1,1', this.result.size) : null;
  }

  #take({ q, k, v, ...rest }) {
    Object.assign(this, rest, { q: JSON.stringify(q), k: k && JSON.stringify(k), v: JSON.stringify(v) });
    this.drafts = null;
  }

  /** The name of the example whose numbers stand in the fields, or null. */
  get #preset() {
    const { matrices } = this.#numbers();
    const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
    const scale = this.scale === 'off' ? 'off' : null;
    const found = matrices && Object.entries(presets).find(([, one]) => same(one.q, matrices.q) && same(one.k, matrices.k) && same(one.v, matrices.v) && one.scale === scale);
    return found ? found[0] : null;
  }

  reset() {
    this.drafts = null;
    super.reset();
  }

  exports() {
    const { t, result } = this;
    if (!result) return null;
    const { q, k, v, full, causal, size } = result;
    const labels = Array.from({ length: size }, (_, i) => this.#label(i));
    const cell = this.#chosen;
    const sides = this.#view === 'both' ? ['full', 'causal'] : [this.#view];
    const names = { full: t.steps.full, causal: t.steps.causal };
    const rowOf = ({ shape, data }, row) => Array.from(data.subarray(row * shape[1], (row + 1) * shape[1]));
    const matrices = [['q', q], ['k', k], ['v', v]];
    const steps = { scores: t.steps.columns.score, scaled: t.steps.columns.scaled, weights: t.calc.weight };
    return {
      name: 'attention-steps',
      svg: (theme) => stepsFigure({ labels, full: full.weights, causal: causal.weights, titles: [t.steps.full, t.steps.causal], theme }),
      // One line a word and grid: what went in, then every step of its row.
      table: () => ({
        header: [
          t.steps.columns.grid,
          t.steps.columns.word,
          ...matrices.flatMap(([name, rows]) => rows[0].map((_, i) => `${name}${i + 1}`)),
          ...Object.values(steps).flatMap((name) => labels.map((label) => `${name} ${label}`)),
          ...v[0].map((_, i) => `z${i + 1}`),
        ],
        rows: sides.flatMap((side) =>
          labels.map((label, row) => [
            names[side],
            label,
            ...matrices.flatMap(([, rows]) => rows[row]),
            ...Object.keys(steps).flatMap((step) => rowOf(result[side][step], row)),
            ...rowOf(result[side].output, row),
          ]),
        ),
      }),
      ...(cell && { latex: this.#taken(cell).latex }),
    };
  }

  /** The calculation as texts to take along, of each grid that is shown. */
  #taken(cell) {
    const { t, result } = this;
    const sides = this.#view === 'both' ? ['full', 'causal'] : [this.#view];
    const names = { query: this.#label(cell.row), key: this.#label(cell.column), entry: (i, column) => formatInput(result.v[i][column]) };
    const heading = (side) => (side === 'full' ? t.steps.full : t.steps.causal);
    return {
      markdown: () => sides.map((side) => `**${heading(side)}**\n\n${calculationMarkdown(this.#calculation(side, cell), names, t)}`).join('\n'),
      latex: () => sides.map((side) => `% ${heading(side)}\n${calculationLatex(this.#calculation(side, cell), names)}`).join('\n'),
      copy: (text, what) => this.copy(text, what),
    };
  }

  renderFigure() {
    const { t } = this;
    const { fault } = this.#numbers();
    const size = this.#rows;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${size === 3 ? t.steps.title : t.steps.titleN(size)}</p>
        <p class="lead">${t.steps.lead}</p>
      </div>
      <div class="fig-ctl">
        <div class="prompts">
          <span class="label" id="examples">${t.try}</span>
          <div role="group" aria-labelledby="examples">
            ${Object.entries(presets).map(
              ([name, one]) => html`<button class="btn quiet" type="button" aria-pressed=${this.#preset === name ? 'true' : 'false'} @click=${() => this.#take(one)}>${t.steps.presets[name]}</button>`,
            )}
          </div>
        </div>
      </div>
      ${this.#preset === 'scores' ? html`<div class="notes"><p>${withMath(t.steps.scoresNote)}</p></div>` : nothing}
      ${this.#bad.length ? html`<div class="notes" role="status">${this.#bad.map((name) => html`<p>${t.steps.badMatrix(name)}</p>`)}</div>` : nothing}
      <div class="fig-body">
        ${this.renderError()}
        <div class="hand">${this.#renderInputs(fault)}${this.#renderSides()}</div>
      </div>
      ${this.#renderPanel()}
      ${this.renderFoot({ facts: [t.steps.byHand(this.#width)] })}
    `;
  }

  #renderInputs(fault) {
    const { t, drafts } = this;
    const same = !drafts.k;
    const sayFault = () => {
      const place = [this.#label(fault.row), fault.name, fault.column + 1];
      if (fault.large) return t.steps.tooLarge(...place, largestEntry);
      return fault.text.trim() ? t.steps.notNumber(...place, fault.text) : t.steps.noNumber(...place);
    };
    return html`<div class="inputs">
      <div class="mats">
        ${this.#renderMatrix('q', same ? html`${italic('q')} = ${italic('k')}` : italic('q'), fault)}
        ${same ? nothing : this.#renderMatrix('k', italic('k'), fault)} ${this.#renderMatrix('v', italic('v'), fault)}
      </div>
      ${fault ? html`<p class="entry-error" id="fault" role="alert">${sayFault()}</p>` : nothing}
      <div class="knobs">
        ${stepper({ id: 'rows', name: t.steps.words, value: this.#rows, min: 1, max: mostRows, t, change: (rows) => this.#resize({ rows }) })}
        ${stepper({ id: 'width', name: t.steps.width('q, k'), value: this.#width, min: 1, max: mostColumns, t, change: (width) => this.#resize({ width }) })}
        ${stepper({ id: 'values', name: t.steps.width('v'), value: drafts.v[0].length, min: 1, max: mostColumns, t, change: (values) => this.#resize({ values }) })}
      </div>
      <div class="knobs">
        ${toggle({ name: t.steps.same, on: same, change: (on) => this.#share(on) })}
        ${toggle({
          name: html`${t.steps.scale} ${root(italic('d'), 'd')}`,
          on: this.scale !== 'off',
          change: (on) => {
            this.scale = on ? null : 'off';
          },
        })}
      </div>
      ${choice({
        id: 'view',
        name: t.steps.view,
        value: this.#view,
        options: [
          { value: 'both', name: t.steps.viewBoth },
          { value: 'full', name: t.steps.viewFull },
          { value: 'causal', name: t.steps.viewCausal },
        ],
        change: (value) => {
          this.mask = value === 'both' ? null : value;
        },
      })}
    </div>`;
  }

  get #view() {
    return views.includes(this.mask) ? this.mask : 'both';
  }

  #renderMatrix(name, heading, fault) {
    const { t, drafts } = this;
    const matrix = drafts[name];
    const lit = this.#chosen;
    const litRow = name === 'q' ? lit?.row : name === 'k' ? lit?.column : null;
    return html`<table class="io">
      <thead>
        <tr><td></td><th scope="colgroup" colspan=${matrix[0].length}>${heading}</th></tr>
      </thead>
      <tbody>
        ${matrix.map(
          (row, r) => html`<tr class=${litRow === r ? 'lit' : ''}>
            <th scope="row">${this.#label(r)}</th>
            ${row.map((text, c) => {
              const wrong = fault && !Number.isFinite(parseNumber(text));
              return html`<td>
                <input
                  inputmode="text"
                  autocomplete="off"
                  spellcheck="false"
                  .value=${live(text)}
                  aria-label=${t.steps.entry(this.#label(r), name, c + 1)}
                  aria-invalid=${wrong ? 'true' : 'false'}
                  aria-describedby=${wrong ? 'fault' : nothing}
                  @input=${(event) => this.#type(name, r, c, event.target.value)}
                />
              </td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #renderSides() {
    const { result, t } = this;
    if (!result) return this.error ? nothing : html`<div class="empty wait"></div>`;
    const inner = Math.max(200, (this.width || 640) - (this.width < 600 ? 24 : 48) - 2);
    const sides = this.#view === 'both' ? ['full', 'causal'] : [this.#view];
    const inputs = (this.drafts.k ? 2 : 1) * (this.#width * 54 + 40) + this.drafts.v[0].length * 54 + 60;
    const beside = inner >= 760 && inputs < 330 && result.size <= 4;
    const gap = inner < 560 ? 12 : 40;
    const pair = beside || inner >= 640 || result.size <= 3;
    const room = sides.length === 1 ? (beside ? inner - 340 : inner) : beside ? (inner - 340 - gap) / 2 : pair ? (inner - gap) / 2 : inner;
    const labels = Array.from({ length: result.size }, (_, i) => this.#label(i));
    const geometry = heatmapGeometry({ labels, width: room, minLeft: this.language === 'en' ? 48 : 40, minCell: 24, maxCell: result.size <= 4 ? 58 : 50 });
    const selected = this.#chosen;
    return html`<div class="sides" .style="gap:${gap}px">
      ${sides.map((side) => this.#renderSide(side, { labels, geometry, selected, t }))}
    </div>`;
  }

  #renderSide(side, { labels, geometry, selected, t }) {
    const { result } = this;
    const name = side === 'full' ? t.steps.full : t.steps.causal;
    const causal = side === 'causal';
    const drawn = this.#grids[side].render({
      id: `grid-${side}`,
      labels,
      weights: result[side].weights.data,
      masked: (row, column) => causal && column > row,
      geometry,
      selected,
      canvas: false,
      t: { label: t.steps.grid(name), corner: t.attention.corner, masked: t.steps.masked },
    });
    return html`<div class="side" .style="width:${geometry.width}px">
      <p class="subtitle" .style="padding-left:${geometry.left}px">${name}${causal ? html`<small>${geometry.width > 200 ? t.steps.causalTerm : nothing}</small>` : nothing}</p>
      ${drawn}${selected ? this.#renderWalk(this.#calculation(side, selected), labels, geometry, selected) : nothing}
    </div>`;
  }

  /** The chosen row step by step, in the columns of the grid above it. */
  #renderWalk(sum, labels, geometry, selected) {
    const { t } = this;
    const line = (name, text) => html`<tr>
      <th scope="row">${name}</th>
      ${sum.row.map((cell, i) => html`<td class="${i === selected.column ? 'c' : ''} ${cell.masked ? 'x' : ''}">${text(cell)}</td>`)}
    </tr>`;
    return html`<table class="walk ${geometry.cell < 44 ? 'small' : ''}" .style="--cell:${geometry.cell}px;--left:${geometry.left}px;width:${geometry.width}px">
      <caption>${t.steps.row(labels[selected.row])}</caption>
      <tbody>
        ${line(html`${italic('q')}${dot}${italic('k')}`, (cell) => cell.score.text)}
        ${sum.scale ? line(html`÷${root(sum.size)}`, (cell) => (cell.masked ? '−∞' : cell.scaled.text)) : nothing}
        ${sum.subtract ? line('− max', (cell) => (cell.masked ? '−∞' : cell.shifted.text)) : nothing}
        ${line('exp', (cell) => shown(cell.exp.text))} ${line(t.calc.weight, (cell) => shown(cell.weight.text))}
      </tbody>
    </table>`;
  }

  #calculation(side, cell) {
    const { result } = this;
    const { q, k, v, scale, size } = result;
    const slice = ({ shape, data }) => Array.from(data.subarray(cell.row * shape[1], (cell.row + 1) * shape[1]));
    return calculation({
      q: q[cell.row],
      keys: k,
      values: v,
      // The scaled scores are the same on both sides; behind the mask they would be −∞.
      scaled: slice(result.full.scaled),
      weights: slice(result[side].weights),
      output: slice(result[side].output),
      visible: side === 'causal' ? cell.row + 1 : size,
      column: cell.column,
      scale,
      exactInputs: true,
      every: true,
    });
  }

  #renderPanel() {
    const { t, result } = this;
    const cell = this.#chosen;
    if (!cell) return nothing;
    const query = this.#label(cell.row);
    const key = this.#label(cell.column);
    const sides = this.#view === 'both' ? ['full', 'causal'] : [this.#view];
    const sums = sides.map((side) => this.#calculation(side, cell));
    const lines = [
      [html`${t.calc.dot} ${italic('q', query)}${dot}${italic('k', key)}`, (sum) => this.#dotLine(sum)],
      result.scale
        ? [html`${t.calc.scale} ÷${root(italic('d'), 'd')}`, (sum) => html`${sum.score.text} ÷ ${root(sum.size)} = <b>${sum.chosen.scaled.text}</b>`]
        : [t.calc.noScale, (sum) => html`<b>${sum.chosen.scaled.text}</b>`],
    ];
    if (sums.some((sum) => sum.chosen.masked)) {
      lines.push([t.calc.mask, (sum) => (sum.chosen.masked ? html`<b>−∞</b>` : html`<b>${sum.chosen.scaled.text}</b>`)]);
    }
    if (sums.some((sum) => sum.subtract)) {
      lines.push([
        t.calc.max,
        (sum) => (sum.subtract && !sum.chosen.masked ? html`${sum.chosen.scaled.text} − ${guardSign(sum.maximum.text)} = <b>${sum.chosen.shifted.text}</b>` : '—'),
      ]);
    }
    lines.push(
      [html`${t.calc.exp} exp`, (sum) => html`e<sup>${sum.chosen.masked ? '−∞' : sum.chosen.shifted.text}</sup> = <b>${shown(sum.chosen.exp.text)}</b>`],
      [t.calc.sum, (sum) => this.#totalLine(sum)],
      [t.calc.weight, (sum) => html`${shown(sum.chosen.exp.text)} ÷ ${shown(sum.total.text)} = <b>${shown(sum.chosen.weight.text)}</b>`],
      [t.calc.vector(query), (sum) => this.#vectorLine(sum)],
    );
    return html`<section class="calc" id="calc" role="group" aria-labelledby="calc-title">
      <div class="calc-head">
        <p class="calc-title" id="calc-title">${t.attention.looks(query, key)}</p>
        <span class="where">${t.steps.chosen}</span>
        <button class="btn quiet close push" type="button" @click=${() => this.#choose(null)}>${t.close}</button>
      </div>
      <ol class="two" .style="--sides:${sides.length}">
        ${sides.length > 1
          ? html`<li class="headrow" aria-hidden="true"><span class="n"></span><span class="what"></span><span class="how">${t.steps.full}</span><span class="how">${t.steps.causal}</span></li>`
          : nothing}
        ${lines.map(
          ([what, how], i) => html`<li>
            <span class="n" aria-hidden="true">${i + 1}</span><span class="what">${what}</span>${sums.map((sum) => html`<span class="how">${how(sum)}</span>`)}
          </li>`,
        )}
      </ol>
      ${sums.some((sum) => sum.subtract) ? html`<p class="hint">${t.calc.maxNote}</p>` : nothing}
      ${sums.every((sum) => sum.exact) ? nothing : html`<p class="hint">${t.calc.inexact}</p>`}
      ${copyCalculation(this.#taken(cell), t)}
    </section>`;
  }

  #dotLine(sum) {
    return html`${sum.terms.map((entry, i) => html`${plus(i)}<span class="nb">${guardSign(entry.q.text)}×${guardSign(entry.k.text)}</span>`)} = <b>${sum.score.text}</b>`;
  }

  #totalLine(sum) {
    const seen = sum.row.slice(0, sum.visible);
    return html`${seen.map((cell, i) => html`${plus(i)}${shown(cell.exp.text)}`)}${seen.length > 1 ? html` = <b>${shown(sum.total.text)}</b>` : nothing}`;
  }

  #vectorLine(sum) {
    const terms = sum.row.map((cell, i) => ({ cell, i })).filter(({ cell }) => !cell.masked);
    const { v } = this.result;
    const entry = (e) => terms.map(({ cell, i }, n) => html`${plus(n)}<span class="nb">${shown(cell.weight.text)}×${guardSign(formatInput(v[i][e]))}</span>`);
    return html`<span class="row">${terms.map(({ cell, i }, n) => html`${plus(n)}<span class="nb">${shown(cell.weight.text)} ${italic('v', this.#label(i))}</span>`)}</span>
      ${sum.output?.map((value, e) => html`<span class="row">${entry(e)} <span class="nb">= ${value.text}</span></span>`)}
      <b class="row">= [${sum.output?.map((value) => value.text).join(', ')}]</b>`;
  }
}
