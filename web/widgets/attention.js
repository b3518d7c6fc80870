import { html, nothing } from 'lit';
import { formatFixed } from '../draw/number.js';
import { AttentionAtlas } from '../parts/attention-atlas.js';
import { attentionExports } from '../parts/attention-export.js';
import { differenceSays, gridLegend, peekLine, rowRanking } from '../parts/attention-readings.js';
import { chosenCell, shapeOf } from '../parts/attention-shape.js';
import { AttentionTrace, headOf } from '../parts/attention-trace.js';
import { AttentionViews, markRoom, mostCells } from '../parts/attention-views.js';
import { clampIndex, formatCell, parseCell } from '../parts/attributes.js';
import { CellPanel } from '../parts/cell-panel.js';
import { GlassboxElement } from '../parts/element.js';
import { guessBars } from '../parts/guess.js';
import { Memo } from '../parts/memo.js';
import { ModelChoice } from '../parts/model-choice.js';
import { compareRows } from '../parts/rows.js';
import { stepper } from '../parts/stepper.js';
import { choice, toggle } from '../parts/switch.js';
import { fitTextBox, textBox } from '../parts/text-box.js';
import { attentionStyle } from '../styles/attention.css.js';
import { modelChoiceStyle } from '../styles/model-choice.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const mostListed = 6; // keys and guesses listed beside the grid

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
    notes: { state: true },
  };

  static styles = [widgetStyle, attentionStyle, modelChoiceStyle];
  static inputs = ['text', 'textB', 'model', 'layer', 'head'];

  #trace = new AttentionTrace({ guesses: mostListed });
  #memo = new Memo();
  #atlas = new AttentionAtlas(this, {
    choose: ({ layer, head }) => {
      this.layer = layer;
      this.head = head;
    },
    sortBy: (order) => {
      this.sort = order;
    },
  });
  #models = new ModelChoice(this);
  #views = new AttentionViews(this, { choose: (slot, cell, how) => this.#choose(slot, cell, how), close: () => this.#close() });
  #panel = new CellPanel(this, {
    choose: (cell) => {
      this.cell = formatCell(cell);
    },
    close: () => this.#closeAndReturn(),
  });

  constructor() {
    super();
    this.notes = [];
  }

  get #text() {
    return this.text ?? this.t.attention.prompts[0].text;
  }

  get #two() {
    return this.textB !== null && this.textB !== undefined;
  }

  get #asArcs() {
    return this.view === 'arcs';
  }

  // ---- what is computed ----

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
      const traced = await this.#trace.read(slot, texts[slot], { model, config, layer: layer.value });
      if (traced.dropped) notes.push({ kind: 'dropped', values: [traced.dropped, traced.size] });
      sides[slot] = { ...traced, slot, grid: headOf(traced.all[layer.value], head.value) };
    }
    return { ...sides.a, b: sides.b ?? null, model, hash, config, layer: layer.value, head: head.value, notes };
  }

  accept(result) {
    this.notes = result.notes ?? [];
    this.#panel.reset();
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
  }

  /** The texts that were read, one or two → [{ slot, side: what was traced, shape: what is drawn of it, cell: the chosen one in its tokens, or null }]. */
  get #read() {
    const { result } = this;
    if (!result || result.empty) return [];
    const joined = this.merge === 'words';
    return [result, result.b].filter(Boolean).map((side) => {
      const { slot } = side;
      const shape = this.#memo.keep(`shape ${slot}`, [side.grid, joined], () => shapeOf(side, joined));
      return { slot, side, shape, cell: chosenCell(this.cell, side, shape) };
    });
  }

  /** Those of them that are drawn. */
  get #drawn() {
    const read = this.#read;
    if (read.length < 2 || (this.show !== 'a' && this.show !== 'b')) return read;
    return read.filter(({ slot }) => slot === this.show);
  }

  /** The one of them that the chosen cell belongs to. */
  #chosenOf(drawn) {
    return drawn.find(({ slot }) => slot === (this.side === 'b' ? 'b' : 'a')) ?? drawn[0];
  }

  /** Where a cell of a text is, in words. */
  #placeName(slot) {
    const { result, t } = this;
    const where = t.attention.where(result.layer, result.head);
    return result.b ? `${this.#sideName(slot)} · ${where}` : where;
  }

  #sideName(slot) {
    return slot === 'b' ? this.t.attention.secondText : this.t.attention.firstText;
  }

  exports() {
    const { t, result } = this;
    if (!result || result.empty || this.#text === '') return null;
    const { layer, head, model, hash } = result;
    const drawn = this.#drawn;
    const chosen = this.#chosenOf(drawn);
    return attentionExports(
      {
        drawn,
        chosen,
        two: result.b !== null,
        arcs: this.#asArcs,
        layer,
        head,
        note: [t.model(model), hash?.slice(0, 8), t.tokens(chosen.side.size)].filter(Boolean).join(' · '),
        latex: () => this.#panel.texts({ ...chosen, head }, t).latex(),
      },
      t,
    );
  }

  // ---- what the reader does ----

  /** A cell of what is drawn of a text. */
  #choose(slot, cell, { open }) {
    const { shape } = this.#read.find((one) => one.slot === slot);
    this.cell = formatCell(shape.toTokens(cell));
    this.side = slot === 'b' ? 'b' : null;
    this.#panel.reset();
    if (open) this.#panel.open();
  }

  #reveal(slot, cell) {
    this.#choose(slot, cell, { open: true });
    this.#panel.reveal();
  }

  #close() {
    if (this.#panel.hide() || !this.cell) return;
    this.cell = null;
    this.side = null;
    this.#views.leaveGrids();
  }

  #closeAndReturn() {
    const slot = this.#chosenOf(this.#drawn)?.slot ?? 'a';
    this.#close();
    if (!this.#asArcs) this.#views.focus(slot);
  }

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

  // ---- what is shown ----

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
      ${text === '' ? nothing : this.#renderPanel()}
      ${this.renderFoot({ facts: this.sourceFacts(result && !result.empty ? { model: result.model, hash: result.hash, tokens: this.#drawn.map(({ side }) => t.tokens(side.size)).join(' / '), ms: result.ms } : {}) })}
    `;
  }

  #renderSwitches() {
    const { t } = this;
    const words = t.attention;
    return html`<div class="switches">
      ${choice({
        id: 'view',
        name: words.view,
        value: this.#asArcs ? 'arcs' : 'grid',
        options: [
          { value: 'grid', name: words.asGrid },
          { value: 'arcs', name: words.asArcs },
        ],
        change: (value) => {
          this.view = value === 'arcs' ? 'arcs' : null;
          this.#views.leaveArcs();
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
    const read = this.#read;
    const drawn = this.#drawn;
    const rows = result.b ? this.#memo.keep('rows', read.map(({ shape }) => shape), () => compareRows(...read.map(({ shape }) => shape))) : null;
    const pointed = this.#views.pointedIn(drawn.map(({ slot }) => slot));
    const seen = { read, drawn, rows, pointed };
    const atlas = this.#renderAtlas(seen);
    return drawn.length === 2 ? this.#renderPair(seen, { inner, atlas }) : this.#renderOne(seen, { inner, atlas });
  }

  #renderOne(seen, { inner, atlas }) {
    const { rows } = seen;
    const [one] = seen.drawn;
    const { size } = one.shape;
    const arcs = this.#asArcs;
    const beside = !arcs && ((inner >= 720 && size <= 18) || (inner >= 900 && size > mostCells));
    const room = beside ? inner - 32 - AttentionAtlas.width(this.result.config) : inner - (rows && !arcs ? markRoom : 0);
    const { geometry, body } = this.#renderView(one, seen, room);
    return html`<div class="att ${beside ? 'beside' : ''}">
      <div class="left">${body}${this.#renderPeek(seen)}${arcs ? nothing : gridLegend({ left: beside ? geometry.left : 0 }, this.t)}${rows ? this.#renderDifference(seen) : nothing}</div>
      ${beside ? atlas : nothing}
      <div class="under">${beside ? nothing : atlas}${this.#renderRow(one, seen)}${this.#renderGuess(one)}</div>
    </div>`;
  }

  #renderPair(seen, { inner, atlas }) {
    const stacked = inner < 620;
    const gap = 20;
    const lines = stacked ? 3 : mostListed;
    const arcs = this.#asArcs;
    const room = (stacked ? inner : (inner - gap) / 2) - (arcs ? 0 : markRoom);
    return html`<div class="att">
      <div class="pair ${stacked ? 'stacked' : ''}">
        ${seen.drawn.map((one) => html`<div class="one"><p class="subtitle">${this.#sideName(one.slot)}</p>${this.#renderView(one, seen, room).body}</div>`)}
      </div>
      <div class="left">${this.#renderPeek(seen)}${this.#renderDifference(seen)}${arcs ? nothing : gridLegend({ left: 0, marks: true }, this.t)}</div>
      <div class="pair ${stacked ? 'stacked' : ''}">
        ${seen.drawn.map((one) => html`<div class="one"><p class="label">${this.#sideName(one.slot)}</p>${this.#renderRow(one, seen, lines)}${this.#renderGuess(one, lines)}</div>`)}
      </div>
      <div class="under">${atlas}</div>
    </div>`;
  }

  /** One text's grid or arcs → { geometry, body }. */
  #renderView({ slot, shape, cell }, { read, rows, pointed }, room) {
    const { layer, head } = this.result;
    const other = read.find((one) => one.slot !== slot)?.shape;
    return this.#views.render({ slot, shape, selected: shape.toShown(cell), pointed, arcs: this.#asArcs, layer, head, room, rows, other }, this.t);
  }

  #renderPeek({ drawn, pointed }) {
    const target = pointed ? drawn.find(({ slot }) => slot === pointed.slot) : this.#chosenOf(drawn);
    const lit = target && (pointed ? pointed.cell : target.shape.toShown(target.cell));
    const other = target && drawn.find(({ slot }) => slot !== target.slot)?.shape;
    return peekLine({ shape: target?.shape, lit, other, arcs: this.#asArcs, reveal: () => this.#reveal(target.slot, lit) }, this.t);
  }

  #renderDifference({ read: [a, b], rows }) {
    return differenceSays({ rows, a: a.shape, b: b.shape, chosen: a.shape.toShown(a.cell)?.row }, this.t);
  }

  #renderRow({ slot, shape, cell }, { pointed }, listed = mostListed) {
    return rowRanking({ shape, lit: pointed?.cell ?? shape.toShown(cell), listed, choose: (chosen) => this.#choose(slot, chosen, { open: true }) }, this.t);
  }

  #renderGuess({ slot, side }, listed = mostListed) {
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

  #renderAtlas({ read, drawn }) {
    const { layer, head, config } = this.result;
    const { slot, side, cell } = this.#chosenOf(drawn);
    const other = read.find((one) => one.slot !== slot)?.side ?? null;
    return this.#atlas.render({ side, other, first: slot === 'a', cell, sort: this.sort, chosen: { layer, head }, config }, this.t);
  }

  #renderPanel() {
    const chosen = this.#chosenOf(this.#drawn);
    if (!chosen?.cell) return nothing;
    return this.#panel.render({ ...chosen, head: this.result.head, where: this.#placeName(chosen.slot) }, this.t);
  }
}
