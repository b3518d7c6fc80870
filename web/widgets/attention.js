import { html, nothing } from 'lit';
import { attentionFigure } from '../draw/attention-figure.js';
import { canvasGeometry, heatmapGeometry } from '../draw/heatmap.js';
import { tokenLabels } from '../draw/label.js';
import { formatWeight } from '../draw/number.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex, formatCell, parseCell } from '../parts/attributes.js';
import { rowTable, stepLines, termBars, termTable } from '../parts/calc-panel.js';
import { calculation } from '../parts/calculation.js';
import { GlassboxElement } from '../parts/element.js';
import { GridView } from '../parts/grid.js';
import { calculationLatex } from '../parts/latex.js';
import { shown } from '../parts/shown.js';
import { stepper } from '../parts/stepper.js';
import { fitTextBox, textBox } from '../parts/text-box.js';

const mostCells = 40; // tokens up to which the grid is a table; beyond it is a canvas
const listed = 6; // keys listed beside the grid

const masked = (row, column) => column > row;

/** Row `index` of head `head` in an activation (H,T,N) → N numbers. */
function rowOf({ shape: [, rows, columns], data }, head, index) {
  const start = (head * rows + index) * columns;
  return data.subarray(start, start + columns);
}

/**
 * One head of the model as a grid for any text, and the calculation of each cell from the traced q and k.
 *
 * Attributes: `text`, `model`, `layer`, `head` (from 0), `cell` ("row,column" from 0), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxAttention extends GlassboxElement {
  static properties = {
    text: { reflect: true },
    model: { reflect: true },
    layer: { reflect: true },
    head: { reflect: true },
    cell: { reflect: true },
    term: { state: true },
    notes: { state: true },
  };

  static inputs = ['text', 'model', 'layer', 'head'];

  #trace = null;
  #made = null;
  #grid = new GridView(this, { select: (cell, how) => this.#choose(cell, how), close: () => this.#close() });
  #openSheet = false;

  constructor() {
    super();
    this.term = null;
    this.notes = [];
  }

  get #text() {
    return this.text ?? this.t.attention.prompts[0].text;
  }

  async compute({ signal }) {
    const text = this.#text;
    const model = this.model || 'builtin';
    if (text === '') return { empty: true, config: this.result?.config ?? null, layer: Number(this.layer) || 0, head: Number(this.head) || 0 };
    const engine = sharedEngine();
    const { hash, config } = await engine.load(model, {
      signal,
      onProgress: (progress) => {
        if (!signal.aborted) this.progress = progress;
      },
    });
    if (signal.aborted) return null;
    this.progress = null;
    const layer = clampIndex(this.layer ?? 0, config.nLayer - 1);
    const head = clampIndex(this.head ?? 0, config.nHead - 1);
    const key = JSON.stringify([text, model, layer.value]);
    if (this.#trace?.key !== key) {
      const prefix = `h.${layer.value}.attn.`;
      const start = performance.now();
      const { tokens, bytes, dropped, activations } = await engine.trace(text, { model, names: ['q', 'k', 'scaled', 'weights'].map((name) => prefix + name) });
      this.#trace = {
        key,
        ms: performance.now() - start,
        tokens,
        bytes,
        labels: tokenLabels(tokens, bytes),
        dropped,
        q: activations[`${prefix}q`],
        k: activations[`${prefix}k`],
        scaled: activations[`${prefix}scaled`],
        weights: activations[`${prefix}weights`],
      };
    }
    const trace = this.#trace;
    const size = trace.labels.length;
    const notes = [];
    if (layer.clamped) notes.push({ kind: 'clampedLayer', values: [config.nLayer - 1] });
    if (head.clamped) notes.push({ kind: 'clampedHead', values: [config.nHead - 1] });
    if (trace.dropped) notes.push({ kind: 'dropped', values: [trace.dropped, size] });
    return {
      ...trace,
      size,
      model,
      hash,
      config,
      layer: layer.value,
      head: head.value,
      notes,
      grid: trace.weights.data.subarray(head.value * size * size, (head.value + 1) * size * size),
    };
  }

  accept(result) {
    this.notes = result.notes ?? [];
    this.term = null;
    if (result.empty) return;
    // What was clamped is mirrored as it is shown, so that the copied tag is the view.
    for (const { kind } of this.notes) {
      if (kind === 'clampedLayer') this.layer = result.layer;
      if (kind === 'clampedHead') this.head = result.head;
    }
    if (this.cell) this.cell = formatCell(parseCell(this.cell, result.size));
  }

  updated(changed) {
    super.updated(changed);
    fitTextBox(this.renderRoot.querySelector('textarea'));
    if (this.#openSheet) {
      this.#openSheet = false;
      const sheet = this.renderRoot.querySelector('#calc');
      if (sheet?.hasAttribute('popover') && !sheet.matches(':popover-open')) {
        sheet.showPopover();
        sheet.querySelector('.close').focus({ preventScroll: true });
      }
    }
  }

  #choose(cell, { open }) {
    this.cell = formatCell(cell);
    this.term = null;
    if (open && this.phone) {
      this.#openSheet = true;
      this.requestUpdate();
    }
  }

  #show(cell) {
    this.#choose(cell, { open: true });
    this.updateComplete.then(() => this.renderRoot.querySelector('#calc')?.scrollIntoView({ block: 'nearest' }));
  }

  #close() {
    const sheet = this.renderRoot.querySelector('#calc');
    if (sheet?.hasAttribute('popover') && sheet.matches(':popover-open')) {
      sheet.hidePopover();
      return;
    }
    if (!this.cell) return;
    this.cell = null;
    this.#grid.hover = null;
  }

  #closeAndReturn = () => {
    this.#close();
    this.#grid.focus();
  };

  #write(text) {
    this.text = text;
  }

  #prompt(text) {
    this.text = text;
    this.cell = null;
  }

  exports() {
    const { t, result } = this;
    if (!result || result.empty || this.#text === '') return null;
    const { labels, grid, size, layer, head, model, hash } = result;
    const cell = parseCell(this.cell, size);
    return {
      name: `attention-l${layer}h${head}`,
      svg: (theme) =>
        attentionFigure({
          tokens: result.tokens,
          bytes: result.bytes,
          weights: { shape: [size, size], data: grid },
          title: t.attention.figure(t.attention.where(layer, head)),
          note: [t.model(model), hash?.slice(0, 8), t.tokens(size)].filter(Boolean).join(' · '),
          theme,
        }),
      table: () => ({ header: [t.attention.corner, ...labels], rows: labels.map((label, row) => [label, ...grid.subarray(row * size, (row + 1) * size)]) }),
      ...(cell && { latex: () => calculationLatex(this.#calculation(cell), { query: labels[cell.row], key: labels[cell.column] }) }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${t.attention.title}</p>
        <p class="lead">${t.attention.lead}</p>
      </div>
      <div class="fig-ctl">
        ${textBox({ name: t.text, value: this.#text, change: (text) => this.#write(text) })}
        ${this.#renderStepper('layer', t.layer, (result?.config?.nLayer ?? 1) - 1)}
        ${this.#renderStepper('head', t.head, (result?.config?.nHead ?? 1) - 1)}
        <div class="prompts">
          <span class="label" id="try">${t.try}</span>
          <div role="group" aria-labelledby="try">
            ${t.attention.prompts.map(
              (prompt) => html`<button class="btn quiet" type="button" aria-pressed=${prompt.text === this.#text ? 'true' : 'false'} @click=${() => this.#prompt(prompt.text)}>${prompt.label}</button>`,
            )}
          </div>
        </div>
      </div>
      ${this.#renderNotes()}
      <div class="fig-body">${this.renderError()}${this.#renderBody()}</div>
      ${this.#renderPanel()}
      ${this.renderFoot({ facts: this.sourceFacts(result && !result.empty ? { model: result.model, hash: result.hash, tokens: result.size, ms: result.ms } : {}) })}
    `;
  }

  #renderStepper(property, name, max) {
    const { value } = clampIndex(this[property] ?? 0, max);
    return stepper({
      id: property,
      name,
      value,
      max,
      t: this.t,
      disabled: !this.result?.config,
      change: (next) => {
        this[property] = next;
      },
    });
  }

  #renderNotes() {
    if (!this.notes.length) return nothing;
    return html`<div class="notes" role="status">${this.notes.map((note) => html`<p>${this.t[note.kind](...note.values)}</p>`)}</div>`;
  }

  #renderBody() {
    const { t, result } = this;
    if (this.#text === '') return html`<div class="empty"><p>${t.attention.empty}</p></div>`;
    if (!result || result.empty) return this.error ? nothing : html`<div class="empty wait"></div>`;
    const padding = this.width < 600 ? 24 : 48;
    const inner = Math.max(240, (this.width || 640) - padding - 2);
    const { labels, grid, size, layer, head } = result;
    const canvas = size > mostCells;
    const beside = (inner >= 720 && size <= 18) || (inner >= 900 && canvas);
    const geometry = canvas
      ? canvasGeometry({ size, width: beside ? inner - 272 : inner })
      : heatmapGeometry({ labels, width: beside ? inner - 272 : inner });
    const selected = parseCell(this.cell, size);
    const lit = this.#grid.hover ?? selected;
    const drawn = this.#grid.render({
      id: 'grid',
      labels,
      weights: grid,
      masked,
      geometry,
      selected,
      canvas,
      t: {
        label: t.attention.grid(layer, head),
        corner: t.attention.corner,
        masked: t.attention.masked,
        help: t.attention.canvas,
        role: t.attention.canvasRole,
        cell: (at, value, names) => t.attention.cell(at.row, names[at.row], at.column, names[at.column], value),
      },
    });
    return html`<div class="att ${beside ? 'beside' : ''}">
      <div class="left">
        <div class="scroll-x ${geometry.scrolls ? 'scrolls' : ''}">${drawn}</div>
        ${this.#renderPeek(lit)}
        <div class="legend" .style="padding-left:${beside ? geometry.left : 0}px">
          <span class="ramp"><span>0</span><i></i><span>1</span></span>
          <span class="key-m"><i class="m">·</i>${t.attention.maskedKey}</span>
        </div>
      </div>
      ${this.#renderRow(lit?.row ?? size - 1, lit)}
    </div>`;
  }

  /** The line under the grid that says in words and digits what is pointed at. */
  #renderPeek(lit) {
    const { t, result } = this;
    if (!lit || lit.row >= result.size || lit.column >= result.size) return html`<p class="peek quiet">${t.attention.point}</p>`;
    const { labels, grid, size } = result;
    const value = masked(lit.row, lit.column) ? t.attention.masked : formatWeight(grid[lit.row * size + lit.column]);
    return html`<button class="peek" type="button" @click=${() => this.#show(lit)}>
      <span class="what">${t.attention.looks(labels[lit.row], labels[lit.column])}</span><b class="value">${shown(value)}</b><span class="go">${t.attention.open}</span>
    </button>`;
  }

  #renderRow(row, lit) {
    const { t, result } = this;
    const at = Math.min(row, result.size - 1);
    const weights = result.grid.subarray(at * result.size, at * result.size + at + 1);
    const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a] || a - b);
    const top = order.slice(0, listed);
    const rest = order.slice(listed);
    const restSum = rest.reduce((sum, i) => sum + weights[i], 0);
    return html`<div class="ranking">
      <p class="subtitle">${t.attention.row(result.labels[at])}</p>
      <ol .style="--lines:${Math.min(listed, result.size) + (result.size > listed ? 1 : 0)}">
        ${top.map(
          (i) => html`<li class=${lit?.column === i ? 'on' : ''}>
            <button type="button" @click=${() => this.#choose({ row: at, column: i }, { open: true })}>
              <span class="tk">${result.labels[i]}<small>${i}</small></span><span class="bar"><i .style="--p:${weights[i].toFixed(4)}"></i></span><span class="value">${shown(formatWeight(weights[i]))}</span>
            </button>
          </li>`,
        )}
        ${rest.length ? html`<li class="rest"><span class="tk">${t.attention.rest(rest.length)}</span><span class="bar"><i .style="--p:${restSum.toFixed(4)}"></i></span><span class="value">${shown(formatWeight(restSum))}</span></li>` : nothing}
      </ol>
    </div>`;
  }

  /** The calculation of the chosen cell, made only when it is to be seen. */
  #calculation(cell) {
    const { result } = this;
    if (this.#made?.result === result && this.#made.cell === this.cell) return this.#made.sum;
    const { q, k, scaled, size, head, grid } = result;
    const sum = calculation({
      q: Array.from(rowOf(q, head, cell.row)),
      keys: Array.from({ length: Math.max(cell.row, cell.column) + 1 }, (_, i) => rowOf(k, head, i)),
      scaled: Array.from(rowOf(scaled, head, cell.row)),
      weights: grid.subarray(cell.row * size, (cell.row + 1) * size),
      visible: cell.row + 1,
      column: cell.column,
    });
    this.#made = { result, cell: this.cell, sum };
    return sum;
  }

  #renderPanel() {
    const { t, result } = this;
    const cell = result && !result.empty && this.#text !== '' ? parseCell(this.cell, result.size) : null;
    if (!cell) return nothing;
    const { labels } = result;
    const sheet = this.phone && 'showPopover' in HTMLElement.prototype;
    const sum = this.#calculation(cell);
    return html`<section class="calc" id="calc" popover=${sheet ? 'auto' : nothing} role=${sheet ? 'dialog' : 'group'} aria-labelledby="calc-title">
      <div class="calc-head">
        <p class="calc-title" id="calc-title">${t.attention.looks(labels[cell.row], labels[cell.column])}</p>
        <span class="where">${t.attention.where(result.layer, result.head)}</span>
        <span class="big">${shown(sum.chosen.masked ? '0' : sum.chosen.weight.text)}</span>
        <button class="btn quiet close" type="button" @click=${this.#closeAndReturn}>${t.close}</button>
      </div>
      <div class="calc-cols">
        <div>
          ${termBars(sum, t, {
            term: this.term,
            point: (i) => {
              this.term = i;
            },
          })}
          ${termTable(sum, t)}
        </div>
        <div>${stepLines(sum, t)}${rowTable(sum, labels, t)}</div>
      </div>
    </section>`;
  }
}
