import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { formatCosine } from '../draw/cosine.js';
import { axesOf, embeddingFigure, originOf, pairsOf } from '../draw/embedding-figure.js';
import { largest } from '../draw/heads-figure.js';
import { grouped } from '../draw/large-number.js';
import { formatNumber, formatPercent } from '../draw/number.js';
import { scatterShapes } from '../draw/scatter.js';
import { signedGeometry } from '../draw/signed-map.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { ModelElement } from '../parts/model-element.js';
import { SignedGrid } from '../parts/signed-grid.js';
import { tokenRow } from '../parts/token-row.js';
import { vectorStrip } from '../parts/vector-strip.js';
import { askWords } from '../parts/word-vectors.js';
import { chartStyle } from '../styles/chart.css.js';
import { headsStyle } from '../styles/heads.css.js';
import { vectorsStyle } from '../styles/vectors.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const neighbours = 8;
const twoColumns = 652; // px of room from which the style puts neighbours and map side by side

/**
 * The rows of the embedding table for the reader's own words: one as a strip, its nearest neighbours, all on a map (PCA), and their cosines.
 *
 * Attributes: `text` (the words, parted by blanks or commas; `#12` is the token with that number), `token` (the word whose vector is shown; the first if left
 * out; it need not be among the words), `model`, `lang`, `theme`; all mirror the state.
 */
export default class GlassboxEmbedding extends ModelElement {
  static properties = {
    token: { reflect: true },
    index: { state: true },
    pointed: { state: true },
  };

  static styles = [widgetStyle, chartStyle, headsStyle, vectorsStyle];
  static inputs = ['text', 'token', 'model'];

  #grid = new SignedGrid(this);

  constructor() {
    super();
    this.index = null;
    this.pointed = -1;
  }

  get prompts() {
    return this.t.embedding.sets;
  }

  get textName() {
    return this.t.embedding.words;
  }

  takePrompt({ text }) {
    this.text = text;
    this.token = null;
  }

  async compute({ signal }) {
    const text = this.shownText;
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const start = performance.now();
    const found = await askWords(sharedEngine(), text, { model: loaded.model, chosen: this.token ?? null, neighbours });
    if (!found?.chosen) return { ...loaded, empty: true, notes: this.#notes(found ?? { left: 0, unknown: [], words: [] }, loaded.config) };
    return { ...loaded, found, size: found.words.reduce((sum, { ids }) => sum + ids.length, 0), ms: performance.now() - start, notes: this.#notes(found, loaded.config) };
  }

  #notes({ left, unknown, words }, { vocabSize }) {
    const several = words.filter(({ ids }) => ids.length > 1).map(({ label, ids }) => `${label} (${ids.length})`);
    const list = [];
    if (left) list.push(['left', left]);
    if (unknown.length) list.push(['unknown', unknown, vocabSize - 1]);
    if (several.length) list.push(['several', several.length > 12 ? [...several.slice(0, 12), '…'] : several]);
    return list;
  }

  accept(result) {
    this.notes = result?.notes ?? [];
    this.pointed = -1;
    if (!result || result.empty) return;
    if (this.index !== null) this.index = Math.min(this.index, result.found.chosen.vector.length - 1);
  }

  exports() {
    const { result, t } = this;
    if (!result || result.empty) return null;
    const { found, config } = result;
    const words = t.embedding;
    return {
      name: `embedding-${found.chosen.ids.join('-').slice(0, 40)}`,
      svg: (theme) => embeddingFigure({ found, rows: config.vocabSize, words, note: this.sourceLine, theme, width: 960 }),
      table: () => ({
        header: [...words.header(found.chosen.vector.length), ...found.words.map(({ label }) => words.cosineOf(label))],
        rows: found.words.map(({ label, ids, vector }, i) => [label, ids.join(' '), ...vector, ...found.cosines.data.subarray(i * found.words.length, (i + 1) * found.words.length)]),
      }),
    };
  }

  #choose(word) {
    this.token = word;
  }

  renderNotes() {
    if (!this.notes.length) return nothing;
    return html`<div class="notes" role="status">${this.notes.map(([kind, ...values]) => html`<p>${this.t.embedding[kind](...values)}</p>`)}</div>`;
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.embedding;
    let body = this.error ? nothing : html`<div class="empty wait"></div>`;
    if (result?.empty) body = html`<div class="empty"><p>${words.empty}</p></div>`;
    else if (result) body = this.#renderFound();
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">${this.renderText()}${this.renderPrompts()}</div>
      ${this.renderNotes()}
      <div class="fig-body">${this.renderError()}${body}</div>
      ${this.renderModelFoot()}
    `;
  }

  #renderFound() {
    const { result, t, inner } = this;
    const words = t.embedding;
    const { found, config } = result;
    const { chosen } = found;
    const isGuest = chosen.place < 0;
    const shown = isGuest ? [chosen, ...found.words] : found.words;
    const at = isGuest ? 0 : chosen.place;
    const columns = chosen.vector.length;
    const limit = largest(chosen.vector);
    const say = (i) => words.nth(i, formatNumber(chosen.vector[i]));
    return html`
      <div class="words">${tokenRow({ id: 'tokens', name: words.chosen, labels: shown.map(({ label }) => label), chosen: at, unread: (i) => isGuest && i === at, choose: (i) => this.#choose(shown[i].word) })}</div>
      <p class="subtitle spaced">${words.vector}</p>
      <p class="says" id="says" role="status">${originOf({ chosen, rows: config.vocabSize, columns, words })}</p>
      <div class="spaced">
        ${vectorStrip({
          id: 'strip',
          values: chosen.vector,
          limit,
          width: inner,
          rowHeight: inner >= 560 ? 48 : 30,
          index: this.index,
          label: words.strip(chosen.label, columns),
          say,
          choose: (i) => {
            this.index = i;
          },
        })}
      </div>
      <p class="readout" id="number">${this.index === null ? words.point : html`<b>${say(this.index)}</b>`} ${words.colours(formatNumber(limit))}</p>
      <div class="two spaced">
        <div>${this.#renderNear()}</div>
        <div>${this.#renderMap()}</div>
      </div>
      ${found.cosines ? this.#renderTable() : nothing}
    `;
  }

  #renderNear() {
    const { result, t } = this;
    const words = t.embedding;
    const { chosen, near } = result.found;
    if (!near) {
      const unique = [...new Map(chosen.ids.map((id, i) => [id, chosen.pieces[i]]))].slice(0, 24);
      return html`<p class="subtitle" id="near">${words.near}</p>
        <p class="hint">${words.nearMean}</p>
        <div class="pieces" role="group" aria-labelledby="near">${unique.map(([id, label]) => html`<button class="btn" type="button" @click=${() => this.#choose(`#${id}`)}><bdi>${label}</bdi></button>`)}</div>`;
    }
    return html`<p class="subtitle" id="near">${words.near}</p>
      <ol class="near" aria-labelledby="near">
        ${near.map(
          ({ id, label, cosine }) => html`<li>
            <button type="button" @click=${() => this.#choose(`#${id}`)}>
              <bdi>${label}</bdi><span class="bar"><i class=${cosine < 0 ? 'minus' : ''} .style="--p:${Math.min(1, Math.abs(cosine)).toFixed(4)}"></i></span><span class="vh">${words.cosine}</span><span class="value">${formatCosine(cosine)}</span>
            </button>
          </li>`,
        )}
      </ol>
      <p class="hint">${words.nearHint(grouped(result.config.vocabSize))}</p>`;
  }

  #renderMap() {
    const { result, t, inner } = this;
    const words = t.embedding;
    const { found } = result;
    const { map, chosen } = found;
    if (!map) return html`<p class="subtitle">${words.map}</p><p class="hint" id="few">${words.mapFew}</p>`;
    const width = inner >= twoColumns ? Math.floor((inner - 32) / 2) : inner;
    const height = Math.min(420, Math.max(300, Math.round(width * 0.86)));
    const names = found.words.map(({ label }) => label);
    const drawn = scatterShapes({ names, coordinates: pairsOf(map.coordinates), chosen: chosen.place, pointed: this.pointed, axes: axesOf(map.explained, words), width, height, paint: painter(null) });
    const nearest = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const scale = width / box.width;
      const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
      const far = drawn.points.map((point) => Math.hypot(point.x - x, point.y - y));
      const best = far.indexOf(Math.min(...far));
      return far[best] < 44 ? best : -1;
    };
    const [first, second] = [formatPercent(map.explained[0]), formatPercent(map.explained[1])];
    return html`<p class="subtitle">${words.map}</p>
      <div
        class="map"
        id="map"
        role="img"
        aria-label=${words.mapLabel(names, first, second)}
        @pointermove=${(event) => {
          if (event.pointerType === 'mouse') this.pointed = nearest(event);
        }}
        @pointerleave=${() => {
          this.pointed = -1;
        }}
        @click=${(event) => {
          const i = nearest(event);
          if (i >= 0) this.#choose(found.words[i].word);
        }}
      >${unsafeHTML(picture({ width, height, body: drawn.body, theme: null }))}</div>
      <p class="hint" id="shares">${words.mapHint(chosen.vector.length, formatPercent(Math.min(1, map.explained[0] + map.explained[1])), drawn.unnamed)}</p>`;
  }

  #renderTable() {
    const { result, t, inner } = this;
    const words = t.embedding;
    const { found } = result;
    const labels = found.words.map(({ label }) => label);
    const geometry = signedGeometry({ labels, width: inner });
    const { size, cell, left, top, decimals, level } = geometry;
    const value = ({ row, column }) => found.cosines.data[row * size + column];
    const say = (at) => words.pair(labels[at.row], labels[at.column], formatCosine(value(at)));
    return html`<p class="subtitle spaced">${words.table}</p>
      <div class="scroll-x ${geometry.width > inner ? 'scrolls' : ''}">
        ${this.#grid.render({
          id: 'cosines',
          rows: size,
          columns: size,
          data: found.cosines.data,
          limit: 1,
          left,
          top,
          cellWidth: cell,
          cellHeight: cell,
          decimals,
          level,
          rowLabels: labels,
          columnLabels: labels,
          label: words.tableLabel(size),
          role: words.map2,
          help: words.help,
          say,
        })}
      </div>
      <p class="readout" id="pair" role="status">${this.#grid.cell ? html`<b>${say(this.#grid.cell)}</b>` : words.pointPair}</p>`;
  }
}
