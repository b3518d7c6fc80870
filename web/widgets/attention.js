import { html, nothing } from 'lit';
import { arcsFigure, arcsGeometry } from '../draw/arcs.js';
import { attentionFigure, attentionPairFigure } from '../draw/attention-figure.js';
import { canvasGeometry, heatmapGeometry } from '../draw/heatmap.js';
import { tokenLabel, tokenLabels } from '../draw/label.js';
import { formatFixed, formatWeight } from '../draw/number.js';
import { mergeWeights, tokenParts, tokenUnits } from '../draw/units.js';
import { sharedEngine } from '../engine/client.js';
import { ArcsView } from '../parts/arcs.js';
import { AtlasView } from '../parts/atlas.js';
import { clampIndex, formatCell, parseCell } from '../parts/attributes.js';
import { calculationMarkdown } from '../parts/calc-markdown.js';
import { copyCalculation, rowTable, stepLines, termBars, termTable, valueSum } from '../parts/calc-panel.js';
import { calculation, weightedValues } from '../parts/calculation.js';
import { GlassboxElement } from '../parts/element.js';
import { GridView } from '../parts/grid.js';
import { guessBars } from '../parts/guess.js';
import { calculationLatex } from '../parts/latex.js';
import { headRow as rowOf, largestAt } from '../parts/measure.js';
import { ModelChoice } from '../parts/model-choice.js';
import { compareRows, entropyOf, rowDifference, seenRow } from '../parts/rows.js';
import { shown } from '../parts/shown.js';
import { stepper } from '../parts/stepper.js';
import { choice, toggle } from '../parts/switch.js';
import { fitTextBox, textBox } from '../parts/text-box.js';
import { tokenMark } from '../parts/token-mark.js';
import { attentionStyle } from '../styles/attention.css.js';
import { modelChoiceStyle } from '../styles/model-choice.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const mostCells = 40; // tokens up to which the grid is a table; beyond it is a canvas
const mostListed = 6; // keys and guesses listed beside the grid
const mostWeights = 8_000_000; // numbers up to which the weights of all layers are asked for; beyond, only the shown layer's
const markRoom = 20; // px beside a grid of two for the signs of its rows
const thumb = 82; // px of a head's small picture with its gap
const orders = ['place', 'cell', 'entropy', 'difference'];

const masked = (row, column) => column > row;

/** Head `head` of weights (H,T,T) → T·T numbers. */
const headOf = ({ shape: [, rows, columns], data }, head) => data.subarray(head * rows * columns, (head + 1) * rows * columns);

/**
 * Any head of the model as a grid or as arcs for any text, beside a second text if wanted, with all heads as small pictures, the next token, and
 * the calculation of each cell from the traced q, k and v.
 *
 * Attributes: `text`, `text-b` (a second text to compare with), `model`, `layer`, `head` (from 0), `cell` ("row,column" of tokens, from 0),
 * `view` ("arcs"), `merge` ("words": tokens joined to characters and words; columns are added, of the rows the last token's counts), `sort` (of
 * the heads: "cell", "entropy", "difference"), `show` ("a" or "b": only one of two texts), `side` ("b": the cell is one of the second text),
 * `lang`, `theme`; all mirror the state.
 */
export default class GlassboxAttention extends GlassboxElement {
  static properties = {
    text: { reflect: true },
    textB: { attribute: 'text-b', reflect: true },
    model: { reflect: true },
    layer: { reflect: true },
    head: { reflect: true },
    cell: { reflect: true },
    view: { reflect: true },
    merge: { reflect: true },
    sort: { reflect: true },
    show: { reflect: true },
    side: { reflect: true },
    term: { state: true },
    sorted: { state: true },
    entry: { state: true },
    pointed: { state: true },
    notes: { state: true },
  };

  static styles = [widgetStyle, attentionStyle, modelChoiceStyle];
  static inputs = ['text', 'textB', 'model', 'layer', 'head'];

  #kept = {}; // what was traced last, for each side
  #memory = new Map();
  #grids = {};
  #arcs = {};
  #atlas = new AtlasView(this, {
    choose: ({ layer, head }) => {
      this.layer = layer;
      this.head = head;
    },
  });
  #models = new ModelChoice(this);
  #openSheet = false;

  constructor() {
    super();
    this.term = null;
    this.sorted = false;
    this.entry = null;
    this.pointed = null;
    this.notes = [];
    for (const slot of ['a', 'b']) {
      this.#grids[slot] = new GridView(this, { select: (cell, how) => this.#choose(slot, cell, how), close: () => this.#close() });
      this.#arcs[slot] = new ArcsView(this, {
        ask: (row, how) => this.#ask(slot, row, how),
        close: () => this.#close(),
        point: (cell) => {
          this.pointed = cell && { slot, cell };
        },
      });
    }
  }

  get #text() {
    return this.text ?? this.t.attention.prompts[0].text;
  }

  get #two() {
    return this.textB !== null && this.textB !== undefined;
  }

  /** What `make` gives, made anew only when one of `on` is another one. */
  #memo(name, on, make) {
    const kept = this.#memory.get(name);
    if (kept && kept.on.length === on.length && kept.on.every((x, i) => Object.is(x, on[i]))) return kept.made;
    const made = make();
    this.#memory.set(name, { on, made });
    return made;
  }

  async compute({ signal }) {
    const texts = { a: this.#text, b: this.#two ? this.textB : '' };
    if (texts.a === '') return { empty: true, config: this.result?.config ?? null, layer: Number(this.layer) || 0, head: Number(this.head) || 0 };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model, hash, config } = loaded;
    const layer = clampIndex(this.layer ?? 0, config.nLayer - 1);
    const head = clampIndex(this.head ?? 0, config.nHead - 1);
    const notes = [];
    if (layer.clamped) notes.push({ kind: 'clampedLayer', values: [config.nLayer - 1] });
    if (head.clamped) notes.push({ kind: 'clampedHead', values: [config.nHead - 1] });
    const sides = {};
    for (const slot of texts.b === '' ? ['a'] : ['a', 'b']) {
      const traced = await this.#trace(slot, texts[slot], { model, config, layer: layer.value });
      if (traced.dropped) notes.push({ kind: 'dropped', values: [traced.dropped, traced.size] });
      sides[slot] = { ...traced, slot, grid: headOf(traced.all[layer.value], head.value) };
    }
    return { ...sides.a, b: sides.b ?? null, model, hash, config, layer: layer.value, head: head.value, notes };
  }

  /** The layers whose weights are asked for: all, or only the shown one where all would be too many numbers. */
  async #layersFor(text, { model, config, layer }) {
    const all = Array.from({ length: config.nLayer }, (_, l) => l);
    const fit = (tokens) => Math.min(tokens, config.nPositions) ** 2 * config.nHead * config.nLayer <= mostWeights;
    // No text has more tokens than bytes; only where that is too many are they counted.
    if (fit(3 * text.length) || fit((await sharedEngine().tokenize(text, { model })).ids.length)) return all;
    return [layer];
  }

  /** The weights of the layers and the next token once a text; of the shown layer also what its calculations need. */
  async #trace(slot, text, { model, config, layer }) {
    const kept = this.#kept[slot];
    const same = kept?.text === text && kept.model === model && kept.all[layer] ? kept : null;
    if (same?.layer === layer) return same;
    const engine = sharedEngine();
    const layers = same ? [] : (await this.#layersFor(text, { model, config, layer })).map((l) => `h.${l}.attn.weights`);
    const parts = ['q', 'k', 'v', 'scaled', 'z'].map((name) => `h.${layer}.attn.${name}`);
    const start = performance.now();
    const [{ tokens, bytes, dropped, activations, ms }, { candidates }] = await Promise.all([
      engine.trace(text, { model, names: [...layers, ...parts] }).then((traced) => ({ ...traced, ms: performance.now() - start })),
      same ?? engine.next(text, { model, top: mostListed }),
    ]);
    const [q, k, v, scaled, z] = parts.map((name) => activations[name]);
    const read = same
      ? { ...same }
      : { text, model, size: tokens.length, tokens, bytes, labels: tokenLabels(tokens, bytes), pieces: tokenParts(bytes), dropped, candidates, all: Array.from({ length: config.nLayer }, (_, l) => activations[`h.${l}.attn.weights`] ?? null) };
    this.#kept[slot] = { ...read, layer, ms, q, k, v, scaled, z };
    return this.#kept[slot];
  }

  accept(result) {
    this.notes = result.notes ?? [];
    this.term = null;
    this.entry = null;
    if (result.empty) return;
    // What was clamped is mirrored as it is shown, so that the copied tag is the view.
    for (const { kind } of this.notes) {
      if (kind === 'clampedLayer') this.layer = result.layer;
      if (kind === 'clampedHead') this.head = result.head;
    }
    if (this.cell) this.cell = formatCell(parseCell(this.cell, Math.max(result.size, result.b?.size ?? 0)));
  }

  updated(changed) {
    super.updated(changed);
    for (const field of this.renderRoot.querySelectorAll('.f-text textarea')) fitTextBox(field);
    if (this.#openSheet) {
      this.#openSheet = false;
      const sheet = this.renderRoot.querySelector('#calc');
      if (sheet?.hasAttribute('popover') && !sheet.matches(':popover-open')) {
        sheet.showPopover();
        sheet.querySelector('.close').focus({ preventScroll: true });
      }
    }
  }

  /** The texts that are drawn, one or two. */
  get #drawn() {
    const { result } = this;
    if (!result || result.empty) return [];
    if (!result.b) return [{ slot: 'a', side: result }];
    return ['a', 'b'].filter((slot) => (this.show === 'a' || this.show === 'b' ? this.show === slot : true)).map((slot) => ({ slot, side: slot === 'b' ? result.b : result }));
  }

  /** The text that the chosen cell belongs to. */
  get #chosenSide() {
    const drawn = this.#drawn;
    return drawn.find(({ slot }) => slot === (this.side === 'b' ? 'b' : 'a')) ?? drawn[0];
  }

  /**
   * What is drawn of one text: its tokens, or what they are joined to → { labels, parts, units, weights, size, toShown(cell), toTokens(cell) }.
   */
  #shape(slot, side) {
    const joined = this.merge === 'words';
    return this.#memo(`shape ${slot}`, [side.grid, joined], () => {
      const { labels, pieces, bytes, size, grid } = side;
      if (!joined) return { labels, parts: pieces, units: null, weights: grid, size, toShown: (cell) => cell, toTokens: (cell) => cell };
      const units = tokenUnits(bytes);
      const unitOf = units.flatMap((unit, i) => Array(unit.end - unit.start).fill(i));
      return {
        labels: units.map((unit) => (unit.text === null ? labels[unit.start] : tokenLabel(unit.text))),
        parts: units.map(() => null),
        units,
        weights: mergeWeights(grid, size, units),
        size: units.length,
        toShown: (cell) => cell && { row: unitOf[cell.row], column: unitOf[cell.column] },
        // A cell of joined tokens stands for the last token's row and the token that gets most of it.
        toTokens: ({ row, column }) => {
          const at = units[row].end - 1;
          const { start, end } = units[column];
          return { row: at, column: start + largestAt(grid.subarray(at * size + start, at * size + end)) };
        },
      };
    });
  }

  /** The chosen cell in tokens of a text, or null; where tokens are joined its row is the last token's. */
  #cellIn(side) {
    const cell = parseCell(this.cell, side.size);
    const { units, toShown } = this.#shape(side.slot, side);
    return cell && units ? { row: units[toShown(cell).row].end - 1, column: cell.column } : cell;
  }

  /** What is pointed at, in any of the views: { slot, cell } or null. */
  get #pointedAt() {
    for (const { slot } of this.#drawn) if (this.#grids[slot].hover) return { slot, cell: this.#grids[slot].hover };
    return this.pointed;
  }

  #choose(slot, cell, { open }) {
    const side = slot === 'b' ? this.result.b : this.result;
    this.cell = formatCell(this.#shape(slot, side).toTokens(cell));
    this.side = slot === 'b' ? 'b' : null;
    this.term = null;
    this.entry = null;
    if (open && this.phone) {
      this.#openSheet = true;
      this.requestUpdate();
    }
  }

  /** Makes a row the chosen one, at the key it looks at most. */
  #ask(slot, row, { open = false }) {
    const { weights, size } = this.#shape(slot, slot === 'b' ? this.result.b : this.result);
    this.pointed = null;
    this.#choose(slot, { row, column: largestAt(seenRow(weights, size, row)) }, { open });
  }

  #reveal(slot, cell) {
    this.#choose(slot, cell, { open: true });
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
    this.side = null;
    for (const grid of Object.values(this.#grids)) grid.hover = null;
  }

  #closeAndReturn = () => {
    const slot = this.#chosenSide?.slot ?? 'a';
    this.#close();
    if (this.view !== 'arcs') this.#grids[slot].focus();
  };

  #prompt({ text, textB = null }) {
    this.text = text;
    this.textB = textB;
    this.cell = null;
    this.side = null;
    this.show = null;
  }

  /** A second text to begin with: the other one of the pair where the text is one of them, else the same text. */
  #compare(on) {
    const { pair } = this.t.attention;
    const others = { [pair.text]: pair.textB, [pair.textB]: pair.text };
    this.textB = on ? (others[this.#text] ?? this.#text) : null;
    if (!on) {
      this.side = null;
      this.show = null;
      if (this.sort === 'difference') this.sort = null;
    }
  }

  /** How many tokens the shown texts have, in words. */
  get #tokenCount() {
    return this.#drawn.map(({ side }) => this.t.tokens(side.size)).join(' / ');
  }

  exports() {
    const { t, result } = this;
    if (!result || result.empty || this.#text === '') return null;
    const { layer, head, model, hash } = result;
    const { slot, side } = this.#chosenSide;
    const shape = this.#shape(slot, side);
    const cell = this.#cellIn(side);
    const query = shape.toShown(cell)?.row ?? shape.size - 1;
    const where = t.attention.where(layer, head);
    const sideName = (one) => (one === 'b' ? t.attention.secondText : t.attention.firstText);
    const place = result.b ? `${sideName(slot)} · ${where}` : where;
    // Joined tokens are whole characters, so that their labels need no bytes.
    const names = shape.units ? { tokens: shape.labels } : { tokens: side.tokens, bytes: side.bytes };
    const square = { shape: [shape.size, shape.size], data: shape.weights };
    const note = [t.model(model), hash?.slice(0, 8), t.tokens(side.size)].filter(Boolean).join(' · ');
    const lines = (one) => one.labels.map((label, row) => [label, ...one.weights.subarray(row * one.size, (row + 1) * one.size)]);
    return {
      name: `attention-l${layer}h${head}`,
      svg: (theme) => {
        const drawn = this.#drawn;
        if (drawn.length === 2 && this.view !== 'arcs') {
          const sides = drawn.map((one) => {
            const { labels, units, size, weights } = this.#shape(one.slot, one.side);
            return { ...(units ? { tokens: labels } : { tokens: one.side.tokens, bytes: one.side.bytes }), weights: { shape: [size, size], data: weights }, title: `${sideName(one.slot)} · ${where}` };
          });
          return attentionPairFigure({ sides, note, theme });
        }
        return this.view === 'arcs'
          ? arcsFigure({ ...names, weights: square, query, title: t.attention.arcsFigure(place, shape.labels[query]), note, theme })
          : attentionFigure({ ...names, weights: square, title: t.attention.figure(place), note, theme });
      },
      table: () => {
        const drawn = this.#drawn.map((one) => ({ ...one, shape: this.#shape(one.slot, one.side) }));
        if (drawn.length === 1) return { header: [t.attention.corner, ...drawn[0].shape.labels], rows: lines(drawn[0].shape) };
        // Two texts share their columns, which are then named by their places.
        const most = Math.max(...drawn.map((one) => one.shape.size));
        const filled = (row) => [...row, ...Array(most + 1 - row.length).fill('')];
        return {
          header: [t.text, t.attention.corner, ...Array.from({ length: most }, (_, i) => String(i))],
          rows: drawn.flatMap((one) => lines(one.shape).map((row) => [sideName(one.slot), ...filled(row)])),
        };
      },
      ...(cell && { latex: this.#taken(side, cell).latex }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    const text = this.#text;
    const prompt = (one, on) => html`<button class="btn quiet" type="button" aria-pressed=${on ? 'true' : 'false'} @click=${() => this.#prompt(one)}>${one.label}</button>`;
    const { pair } = t.attention;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${t.attention.title}</p>
        <p class="lead">${t.attention.lead}</p>
      </div>
      <div class="fig-ctl">
        ${textBox({
          name: this.#two ? t.attention.firstText : t.text,
          value: text,
          change: (words) => {
            this.text = words;
          },
        })}
        ${this.#two
          ? textBox({
              id: 'text-b',
              name: t.attention.secondText,
              value: this.textB,
              change: (words) => {
                this.textB = words;
              },
            })
          : nothing}
        ${this.#renderStepper('layer', t.layer, (result?.config?.nLayer ?? 1) - 1)}
        ${this.#renderStepper('head', t.head, (result?.config?.nHead ?? 1) - 1)}
        <div class="prompts">
          <span class="label" id="try">${t.try}</span>
          <div role="group" aria-labelledby="try">
            ${t.attention.prompts.map((one) => prompt(one, one.text === text && !this.#two))} ${prompt(pair, this.#two && pair.text === text && pair.textB === this.textB)}
          </div>
        </div>
        ${this.#renderSwitches()}
      </div>
      ${this.#models.renderSays()}${this.#renderNotes()}
      <div class="fig-body">${this.renderError()}${this.#renderBody()}</div>
      ${this.#renderPanel()}
      ${this.renderFoot({ facts: this.sourceFacts(result && !result.empty ? { model: result.model, hash: result.hash, tokens: this.#tokenCount, ms: result.ms } : {}) })}
    `;
  }

  #renderSwitches() {
    const { t } = this;
    const words = t.attention;
    return html`<div class="switches">
      ${choice({
        id: 'view',
        name: words.view,
        value: this.view === 'arcs' ? 'arcs' : 'grid',
        options: [
          { value: 'grid', name: words.asGrid },
          { value: 'arcs', name: words.asArcs },
        ],
        change: (value) => {
          this.view = value === 'arcs' ? 'arcs' : null;
          this.pointed = null;
        },
      })}
      ${this.#two
        ? choice({
            id: 'show',
            name: words.show,
            value: this.show === 'a' || this.show === 'b' ? this.show : 'both',
            options: [
              { value: 'both', name: words.showBoth },
              { value: 'a', name: words.showFirst },
              { value: 'b', name: words.showSecond },
            ],
            change: (value) => {
              this.show = value === 'both' ? null : value;
              this.side = value === 'b' && this.cell ? 'b' : null;
            },
          })
        : nothing}
      ${this.#models.render()}${toggle({ name: words.compare, on: this.#two, change: (on) => this.#compare(on) })}
      <span title=${words.mergeNote}>${toggle({
        name: words.merge,
        on: this.merge === 'words',
        change: (on) => {
          this.merge = on ? 'words' : null;
        },
      })}</span>
      ${this.merge === 'words' ? html`<p class="hint">${words.mergeNote}</p>` : nothing}
    </div>`;
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
    const drawn = this.#drawn;
    const shapes = drawn.map(({ slot, side }) => ({ slot, side, shape: this.#shape(slot, side) }));
    const rows = result.b ? this.#memo('rows', [this.#shape('a', result), this.#shape('b', result.b)], () => compareRows(this.#shape('a', result), this.#shape('b', result.b))) : null;
    const atlas = this.#renderAtlas(inner);
    if (shapes.length === 2) return this.#renderPair(shapes, { inner, rows, atlas });
    const [{ slot, side, shape }] = shapes;
    const canvas = shape.size > mostCells;
    const arcs = this.view === 'arcs';
    const beside = !arcs && ((inner >= 720 && shape.size <= 18) || (inner >= 900 && canvas));
    const room = beside ? inner - 32 - this.#atlasWidth : inner - (rows && !arcs ? markRoom : 0);
    const { geometry, body } = this.#renderView(slot, side, shape, { room, rows });
    return html`<div class="att ${beside ? 'beside' : ''}">
      <div class="left">${body}${this.#renderPeek()}${arcs ? nothing : this.#renderLegend(beside ? geometry.left : 0)}${rows ? this.#renderSays(rows) : nothing}</div>
      ${beside ? atlas : nothing}
      <div class="under">${beside ? nothing : atlas}${this.#renderRow(slot, shape)}${this.#renderGuess(slot, side)}</div>
    </div>`;
  }

  #renderPair(shapes, { inner, rows, atlas }) {
    const { t } = this;
    const stacked = inner < 620;
    const gap = 20;
    const lines = stacked ? 3 : mostListed;
    const room = (stacked ? inner : (inner - gap) / 2) - (this.view === 'arcs' ? 0 : markRoom);
    return html`<div class="att">
      <div class="pair ${stacked ? 'stacked' : ''}">
        ${shapes.map(
          ({ slot, side, shape }) => html`<div class="one">
            <p class="subtitle">${slot === 'a' ? t.attention.firstText : t.attention.secondText}</p>
            ${this.#renderView(slot, side, shape, { room, rows }).body}
          </div>`,
        )}
      </div>
      <div class="left">${this.#renderPeek()}${this.#renderSays(rows)}${this.view === 'arcs' ? nothing : this.#renderLegend(0, true)}</div>
      <div class="pair ${stacked ? 'stacked' : ''}">
        ${shapes.map(({ slot, side, shape }) => html`<div class="one"><p class="label">${slot === 'a' ? t.attention.firstText : t.attention.secondText}</p>${this.#renderRow(slot, shape, lines)}${this.#renderGuess(slot, side, lines)}</div>`)}
      </div>
      <div class="under">${atlas}</div>
    </div>`;
  }

  #renderLegend(left, marks = false) {
    const { t } = this;
    return html`<div class="legend" .style="padding-left:${left}px">
      <span class="ramp"><span>0</span><i></i><span>1</span></span>
      <span class="key-m"><i class="m">·</i>${t.attention.maskedKey}</span>
      ${marks ? html`<span class="key-m"><span class="row-sign">=</span>${t.attention.sameRow}</span><span class="key-m"><span class="row-sign changed">≠</span>${t.attention.changedRow}</span>` : nothing}
    </div>`;
  }

  /** One text's grid or arcs → { geometry, body }. */
  #renderView(slot, side, shape, { room, rows }) {
    const { t, result } = this;
    const { labels, parts, weights, size } = shape;
    const words = t.attention;
    const other = rows && this.#shape(slot === 'a' ? 'b' : 'a', slot === 'a' ? result.b : result);
    const odd = other && labels.map((label, i) => label !== other.labels[i]);
    const selected = shape.toShown(this.#cellIn(side));
    // Slices of a character stand before their bytes and want room of their own.
    const wide = labels.map((label, i) => (parts[i] ? `字${label}` : label));
    const label = words.grid(result.layer, result.head);
    const pointed = this.#pointedAt;
    const inside = pointed && pointed.cell.row < size && pointed.cell.column < size ? pointed.cell : null;
    if (this.view === 'arcs') {
      const query = inside?.row ?? selected?.row ?? size - 1;
      const geometry = this.#memo(`arcs ${slot}`, [labels, room], () => arcsGeometry({ labels: wide, width: room }));
      const drawn = this.#arcs[slot].render({
        id: `arcs-${slot}`,
        labels,
        parts,
        odd,
        row: seenRow(weights, size, query),
        query,
        at: inside?.column ?? null,
        geometry,
        t: { label: words.arcs(result.layer, result.head, labels[query]), word: (name, weight) => `${name}: ${formatWeight(weight)}`, unread: (name) => `${name}: ${words.masked}` },
      });
      return { geometry, body: html`<div class="scroll-y">${drawn}</div>` };
    }
    const canvas = size > mostCells;
    const geometry = this.#memo(`grid ${slot}`, [labels, room, canvas], () => (canvas ? canvasGeometry({ size, width: room }) : heatmapGeometry({ labels: wide, width: room })));
    const drawn = this.#grids[slot].render({
      id: slot === 'a' ? 'grid' : 'grid-b',
      labels,
      parts,
      weights,
      masked,
      geometry,
      selected,
      canvas,
      echo: pointed && pointed.slot !== slot ? inside : null,
      odd,
      marks: rows && labels.map((_, i) => (rows[i] ? (rows[i].same ? { sign: '=', text: words.sameRow } : { sign: '≠', text: words.changedRow, changed: true }) : null)),
      t: {
        label: rows ? `${slot === 'a' ? words.firstText : words.secondText}: ${label}` : label,
        corner: words.corner,
        masked: words.masked,
        help: words.canvas,
        role: words.canvasRole,
        cell: (at, value, names) => words.cell(at.row, names[at.row], at.column, names[at.column], value),
      },
    });
    return { geometry, body: html`<div class="scroll-x ${geometry.scrolls ? 'scrolls' : ''}" .style="max-width:${rows ? `calc(100% + ${geometry.scrolls ? 0 : markRoom}px)` : '100%'}">${drawn}</div>` };
  }

  /** The line under the grid that says in words and digits what is pointed at. */
  #renderPeek() {
    const { t } = this;
    const pointed = this.#pointedAt;
    const target = pointed ? this.#drawn.find(({ slot }) => slot === pointed.slot) : this.#chosenSide;
    const shape = target && this.#shape(target.slot, target.side);
    const lit = shape && (pointed ? pointed.cell : shape.toShown(this.#cellIn(target.side)));
    if (!lit || lit.row >= shape.size || lit.column >= shape.size) return html`<p class="peek quiet">${this.view === 'arcs' ? t.attention.pointArcs : t.attention.point}</p>`;
    const { labels, weights, size } = shape;
    const value = masked(lit.row, lit.column) ? t.attention.masked : formatWeight(weights[lit.row * size + lit.column]);
    const other = this.#drawn.length === 2 && this.#drawn.find(({ slot }) => slot !== target.slot);
    const there = other && this.#shape(other.slot, other.side);
    const second = there && lit.row < there.size && lit.column <= lit.row ? formatWeight(there.weights[lit.row * there.size + lit.column]) : null;
    return html`<button class="peek" type="button" @click=${() => this.#reveal(target.slot, lit)}>
      <span class="what">${t.attention.looks(labels[lit.row], labels[lit.column])}</span><b class="value">${shown(value)}</b>${second === null ? nothing : html`<span class="go">${t.attention.other} ${shown(second)}</span>`}<span class="go">${t.attention.open}</span>
    </button>`;
  }

  /** What differs between two texts in this head, in words. */
  #renderSays(rows) {
    const { t, result } = this;
    const words = t.attention;
    const [a, b] = [this.#shape('a', result), this.#shape('b', result.b)];
    const same = rows.map((row, i) => (row.same ? i : -1)).filter((i) => i >= 0);
    const changed = rows.map((row, i) => (row.same ? -1 : i)).filter((i) => i >= 0);
    const name = (i) => (a.labels[i] === b.labels[i] ? a.labels[i] : `${a.labels[i]} / ${b.labels[i]}`);
    const chosen = a.toShown(this.#cellIn(result))?.row;
    const about = (i) => (rows[i].same ? words.rowSame(name(i)) : words.rowChanged(name(i), formatWeight(rows[i].difference)));
    const most = changed.length ? changed.reduce((best, i) => (rows[i].difference > rows[best].difference ? i : best)) : null;
    const looked = (shape, i) => shape.labels[largestAt(seenRow(shape.weights, shape.size, i))];
    const list = (some) => (some.length > 6 ? words.someRows(some.slice(0, 5).map(name), some.length) : words.rowNames(some.map(name)));
    return html`<div class="says" role="status">
      ${chosen !== undefined && rows[chosen] ? html`<p class="about">${about(chosen)}</p>` : nothing}
      ${same.length ? html`<p>${words.sameRows(list(same), changed.length === 0)}</p>` : nothing}
      ${most === null ? nothing : html`<p>${words.changedRows(list(changed), name(most), looked(a, most), looked(b, most))}</p>`}
    </div>`;
  }

  #renderRow(slot, shape, listed = mostListed) {
    const { t } = this;
    const { labels, size, weights: grid } = shape;
    const side = slot === 'b' ? this.result.b : this.result;
    const pointed = this.#pointedAt;
    const lit = pointed?.cell ?? shape.toShown(this.#cellIn(side));
    const at = Math.min(lit?.row ?? size - 1, size - 1);
    const weights = seenRow(grid, size, at);
    const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a] || a - b);
    const top = order.slice(0, listed);
    const rest = order.slice(listed);
    const restSum = rest.reduce((sum, i) => sum + weights[i], 0);
    return html`<div class="ranking">
      <p class="subtitle">${t.attention.row(labels[at])}</p>
      <ol .style="--lines:${Math.min(listed, size) + (size > listed ? 1 : 0)}">
        ${top.map(
          (i) => html`<li class=${lit?.column === i ? 'on' : ''}>
            <button type="button" @click=${() => this.#choose(slot, { row: at, column: i }, { open: true })}>
              <span class="tk">${tokenMark(labels[i], shape.parts[i])}<small>${i}</small></span><span class="bar"><i .style="--p:${weights[i].toFixed(4)}"></i></span><span class="value">${shown(formatWeight(weights[i]))}</span>
            </button>
          </li>`,
        )}
        ${rest.length ? html`<li class="rest"><span class="tk">${t.attention.rest(rest.length)}</span><span class="bar"><i .style="--p:${restSum.toFixed(4)}"></i></span><span class="value">${shown(formatWeight(restSum))}</span></li>` : nothing}
      </ol>
    </div>`;
  }

  #renderGuess(slot, side, listed = mostListed) {
    const { t, result } = this;
    return guessBars(
      {
        id: `guess-${slot}`,
        heading: t.attention.next(formatFixed(result.config.vocabSize, 0)),
        candidates: side.candidates.slice(0, listed),
        vocabulary: result.config.vocabSize,
        append: (token) => {
          if (slot === 'b') this.textB += token;
          else this.text = this.#text + token;
        },
      },
      t,
    );
  }

  get #atlasWidth() {
    return Math.min(420, this.result.config.nHead * thumb + 40);
  }

  #renderAtlas(inner) {
    const { t, result } = this;
    const words = t.attention;
    const { slot, side } = this.#chosenSide;
    const other = result.b && (slot === 'b' ? result : result.b);
    const cell = this.#cellIn(side);
    const row = cell?.row ?? side.size - 1;
    const column = cell && !masked(cell.row, cell.column) ? cell.column : null;
    const possible = orders.filter((order) => (order === 'cell' ? column !== null : order === 'difference' ? other : true));
    const sort = possible.includes(this.sort) ? this.sort : 'place';
    const { nHead, nLayer } = result.config;
    const heads = this.#memo('atlas', [side.all, other?.all, row, column, sort, t], () => {
      const list = [];
      for (let layer = 0; layer < nLayer; layer++) {
        if (!side.all[layer] || (other && !other.all[layer])) continue;
        for (let head = 0; head < nHead; head++) {
          const looks = rowOf(side.all[layer], head, row).subarray(0, row + 1);
          const most = largestAt(looks);
          const one = { layer, head, pictures: [{ size: side.size, weights: headOf(side.all[layer], head) }], most: side.labels[most], note: '', order: layer * nHead + head };
          one.label = words.thumb(layer, head, side.labels[row], one.most, formatWeight(looks[most]));
          const there = other && row < other.size ? rowOf(other.all[layer], head, row).subarray(0, row + 1) : [];
          if (other) {
            one.pictures.push({ size: other.size, weights: headOf(other.all[layer], head) });
            if (slot === 'b') one.pictures.reverse();
            if (there.length) {
              const second = largestAt(there);
              one.label += `; ${words.other} ${words.thumbOther(other.labels[second], formatWeight(there[second]))}`;
              if (other.labels[second] !== one.most) one.most = slot === 'b' ? `${other.labels[second]} → ${one.most}` : `${one.most} → ${other.labels[second]}`;
            }
          }
          if (sort === 'cell') [one.order, one.note] = [-looks[column], formatWeight(looks[column])];
          if (sort === 'entropy') [one.order, one.note] = [entropyOf(looks), formatFixed(entropyOf(looks), 2)];
          if (sort === 'difference') {
            const difference = rowDifference(looks, there);
            [one.order, one.note] = [-difference, formatWeight(difference)];
          }
          list.push(one);
        }
      }
      return list.sort((a, b) => a.order - b.order || a.layer - b.layer || a.head - b.head);
    });
    const names = this.#memo('atlas words', [words, sort, side.labels[row], heads.length, result.layer], () => ({
      title: heads.length === nLayer * nHead ? words.atlas(heads.length) : words.atlasOne(result.layer, heads.length),
      hint: words.atlasHint(side.labels[row], sort),
      layer: words.layerShort,
      head: words.headShort,
    }));
    return this.#atlas.render({
      heads,
      columns: nHead,
      byPlace: sort === 'place',
      chosen: { layer: result.layer, head: result.head },
      t: names,
      controls: html`<label class="sort"><span class="label">${words.sort}</span>
        <select @change=${(event) => (this.sort = event.target.value === 'place' ? null : event.target.value)}>
          ${possible.map((order) => html`<option value=${order} ?selected=${order === sort}>${words.sorts[order]}</option>`)}
        </select></label>`,
    });
  }

  /** The calculation of the chosen cell, made only when it is to be seen. */
  #calculation(side, cell) {
    const { q, k, v, scaled, z, size, grid } = side;
    const { head } = this.result;
    return this.#memo('calculation', [side.grid, side.q, cell.row, cell.column], () => {
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
    });
  }

  /** The calculation as texts to take along. */
  #taken(side, cell) {
    const names = { query: side.labels[cell.row], key: side.labels[cell.column] };
    const { sum } = this.#calculation(side, cell);
    return { markdown: () => calculationMarkdown(sum, names, this.t), latex: () => calculationLatex(sum, names), copy: (text, what) => this.copy(text, what) };
  }

  #renderPanel() {
    const { t, result } = this;
    const target = this.#text === '' ? null : this.#chosenSide;
    const cell = target && this.#cellIn(target.side);
    if (!cell) return nothing;
    const { slot, side } = target;
    const { labels } = side;
    const sheet = this.phone && 'showPopover' in HTMLElement.prototype;
    const { sum, values } = this.#calculation(side, cell);
    const where = t.attention.where(result.layer, result.head);
    return html`<section class="calc" id="calc" popover=${sheet ? 'auto' : nothing} role=${sheet ? 'dialog' : 'group'} aria-labelledby="calc-title">
      <div class="calc-head">
        <p class="calc-title" id="calc-title">${t.attention.looks(labels[cell.row], labels[cell.column])}</p>
        <span class="where">${result.b ? `${slot === 'b' ? t.attention.secondText : t.attention.firstText} · ${where}` : where}</span>
        <span class="big">${shown(sum.chosen.masked ? '0' : sum.chosen.weight.text)}</span>
        <button class="btn quiet close" type="button" @click=${this.#closeAndReturn}>${t.close}</button>
      </div>
      ${this.#renderUnit(slot, side, cell)}
      <div class="calc-cols">
        <div>
          ${termBars(sum, t, {
            term: this.term,
            point: (i) => {
              this.term = i;
            },
            sorted: this.sorted,
            sort: (sorted) => {
              this.sorted = sorted;
            },
          })}
          ${termTable(sum, t, { sorted: this.sorted })}
        </div>
        <div>${stepLines(sum, t)}${rowTable(sum, labels, t)}</div>
      </div>
      ${valueSum(
        values,
        {
          labels,
          query: labels[cell.row],
          column: cell.column,
          entry: this.entry,
          point: (i) => {
            this.entry = i;
          },
        },
        t,
      )}
      ${copyCalculation(this.#taken(side, cell), t)}
    </section>`;
  }

  /** Where tokens are joined: of which tokens the chosen cell's weight is the sum, each to be chosen. */
  #renderUnit(slot, side, cell) {
    const { t } = this;
    const shape = this.#shape(slot, side);
    if (!shape.units) return nothing;
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
          (i) => html`<button class="btn" type="button" aria-pressed=${i === cell.column && query === cell.row ? 'true' : 'false'} @click=${() => (this.cell = formatCell({ row: query, column: i }))}>
            ${side.labels[i]} <small>${shown(formatWeight(side.grid[query * side.size + i]))}</small>
          </button>`,
        )}
      </div>
    </div>`;
  }
}
