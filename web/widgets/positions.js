import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { formatCosine, strongColour } from '../draw/cosine.js';
import { curveFrame, distanceShapes, positionsFigure } from '../draw/distance-figure.js';
import { formatNumber } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex } from '../parts/attributes.js';
import { ModelElement } from '../parts/model-element.js';
import { SignedGrid } from '../parts/signed-grid.js';
import { slider } from '../parts/slider.js';
import { choice } from '../parts/switch.js';
import { askPositions, positionsSentence, positionViews, usualDistance } from '../parts/positions.js';
import { chartStyle } from '../styles/chart.css.js';
import { vectorsStyle } from '../styles/vectors.css.js';
import { widgetStyle } from '../styles/widget.css.js';

/**
 * The position table of a model: its rows as a heat map, their cosines each with each, and the mean cosine against distance.
 *
 * Attributes: `view` ("vectors", "cosines" or "distance"), `distance` (a distance to mark), `model`, `lang`, `theme`; all mirror the state.
 */
export default class GlassboxPositions extends ModelElement {
  static properties = {
    view: { reflect: true },
    distance: { reflect: true },
  };

  static styles = [widgetStyle, chartStyle, vectorsStyle];
  static inputs = ['model'];

  #grid = new SignedGrid(this);

  get shownText() {
    return null; // no text is read
  }

  get #view() {
    return positionViews.includes(this.view) ? this.view : positionViews[0];
  }

  get #distance() {
    return clampIndex(this.distance ?? usualDistance, (this.result?.byDistance.length ?? 1) - 1).value;
  }

  async compute({ signal }) {
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const start = performance.now();
    const asked = await askPositions(sharedEngine(), loaded.model);
    return { ...loaded, ...asked, limit: strongColour(asked.vectors.data), ms: performance.now() - start };
  }

  willUpdate(properties) {
    if (properties.has('view') && this.view !== null && this.view !== undefined) this.view = this.#view;
  }

  accept(result) {
    if (!result) return;
    if (this.distance !== null && this.distance !== undefined) this.distance = String(this.#distance);
  }

  exports() {
    const { result, t } = this;
    if (!result) return null;
    const words = t.positions;
    const view = this.#view;
    const matrixRows = ({ shape: [rows, columns], data }) => Array.from({ length: rows * columns }, (_, i) => [Math.floor(i / columns), i % columns, data[i]]);
    return {
      name: `positions-${view}`,
      svg: (theme) => positionsFigure({ ...result, d: this.#distance, says: positionsSentence(result, words), words, note: this.sourceLine, theme, width: 960 }),
      table: () => ({
        header: words.header[view],
        rows: view === 'distance' ? Array.from(result.byDistance, (x, d) => [d, result.byDistance.length - d, x]) : matrixRows(result[view]),
      }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.positions;
    let body = this.error ? nothing : html`<div class="empty wait"></div>`;
    if (result) body = this.#view === 'distance' ? this.#renderCurve() : this.#renderMap(this.#view);
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        <div class="many">${choice({
          id: 'view',
          name: words.view,
          value: this.#view,
          options: positionViews.map((value) => ({ value, name: words.views[value] })),
          change: (view) => {
            this.view = view;
            this.#grid.cell = null;
          },
        })}</div>
      </div>
      <div class="fig-body">
        ${this.renderError()}${result ? html`<p class="says" id="says">${positionsSentence(result, words)}</p>` : nothing}
        <div class="spaced">${body}</div>
      </div>
      ${this.renderFoot({ facts: this.sourceFacts(result ? { model: result.model, hash: result.hash, tokens: words.places(result.vectors.shape[0]), ms: result.ms } : {}) })}
    `;
  }

  #renderMap(view) {
    const { result, t, inner } = this;
    const words = t.positions;
    const matrix = result[view];
    const [rows, columns] = matrix.shape;
    const left = 40;
    const top = 20;
    const square = view === 'cosines';
    const side = Math.min(inner - left, 560);
    const cellWidth = (square ? side : inner - left) / columns;
    const cellHeight = square ? cellWidth : Math.max(1.5, Math.min(4, 512 / rows));
    const limit = square ? 1 : result.limit;
    const value = ({ row, column }) => matrix.data[row * columns + column];
    const say = (cell) => (square ? words.pair(cell.row, cell.column, formatCosine(value(cell))) : words.number(cell.row, cell.column, formatNumber(value(cell))));
    return html`<p class="caption">${square ? words.cosines(rows) : words.vectors(rows, columns)}</p>
      ${this.#grid.render({
        id: 'heat',
        rows,
        columns,
        data: matrix.data,
        limit,
        left,
        top,
        cellWidth,
        cellHeight,
        decimals: 0,
        rowLabels: null,
        columnLabels: null,
        label: square ? words.cosinesLabel(rows) : words.vectorsLabel(rows, columns),
        role: words.role,
        help: words.help,
        say,
      })}
      <p class="readout" id="number">${this.#grid.cell ? html`<b>${say(this.#grid.cell)}</b>` : words.point} ${words.colours(formatNumber(limit))}</p>`;
  }

  #renderCurve() {
    const { result, t, inner } = this;
    const words = t.positions;
    const values = Array.from(result.byDistance);
    const d = this.#distance;
    const width = inner;
    const height = Math.min(320, Math.max(240, Math.round(inner * 0.42)));
    const last = values.length - 1;
    const { left, right } = curveFrame(width, height);
    const point = (event) => {
      if (event.type === 'pointermove' && event.pointerType !== 'mouse' && !event.buttons) return;
      const box = event.currentTarget.getBoundingClientRect();
      const at = ((event.clientX - box.left) * (width / box.width) - left) / (right - left);
      this.distance = String(Math.min(last, Math.max(0, Math.round(at * last))));
    };
    return html`<p class="caption">${words.distance}</p>
      <div class="curves" id="curve" role="img" aria-label=${words.distanceLabel(formatCosine(values[Math.min(1, last)]), formatCosine(values[last]), last)} @click=${point} @pointermove=${point}>
        ${unsafeHTML(picture({ width, height, body: distanceShapes({ values, d, width, height, words, paint: painter(null) }), theme: null }))}
      </div>
      ${slider({ id: 'distance', name: words.chosen, value: d, max: last, text: words.away(d), stops: ['0', String(last)], change: (i) => (this.distance = String(i)) })}
      <p class="readout" id="number" role="status"><b>${words.at(d, formatCosine(values[d]), values.length - d)}</b></p>`;
  }
}
