import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { costFigure, costSentences, costShapes } from '../draw/cost-figure.js';
import { grouped, inUnits } from '../draw/large-number.js';
import { formatNumber } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { costOf, examples, mostTokens, parseTokens, readTokens, stopNear, stops, usual } from '../parts/cost-of.js';
import { GlassboxElement } from '../parts/element.js';
import { ExactNumber } from '../parts/exact-number.js';
import { slider } from '../parts/slider.js';
import { chartStyle } from '../styles/chart.css.js';
import { costStyle } from '../styles/cost.css.js';
import { exactStyle } from '../styles/exact.css.js';
import { widgetStyle } from '../styles/widget.css.js';

/**
 * The price of attention: n tokens make n² scores.
 *
 * Attributes: `n` (tokens, 1 to 100,000), `versus` (the number to compare with), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxCost extends GlassboxElement {
  static properties = {
    n: { reflect: true },
    versus: { reflect: true },
    changed: { state: true },
  };

  static styles = [widgetStyle, chartStyle, exactStyle, costStyle];
  static inputs = ['n', 'versus'];

  #exact = new ExactNumber(this, {
    parse: parseTokens,
    take: (n) => {
      this.changed = false;
      this.n = String(n);
    },
  });

  constructor() {
    super();
    this.changed = false;
  }

  willUpdate(properties) {
    for (const name of ['n', 'versus']) {
      if (!properties.has(name) || this[name] === null || this[name] === undefined) continue;
      const { value, changed } = readTokens(this[name], usual[name]);
      if (String(value) === String(this[name])) continue;
      this.changed = changed;
      this[name] = String(value);
    }
    if (properties.has('n')) this.#exact.follow(this.#tokens);
  }

  get #tokens() {
    return readTokens(this.n, usual.n).value;
  }

  get #versus() {
    return readTokens(this.versus, usual.versus).value;
  }

  async compute() {
    return { n: this.#tokens, versus: this.#versus };
  }

  reset() {
    this.#exact.clear();
    this.changed = false;
    super.reset();
  }

  exports() {
    if (!this.result) return null;
    const n = this.#tokens;
    const versus = this.#versus;
    const words = this.t.cost;
    return {
      name: `cost-n${n}`,
      svg: (theme) => costFigure({ n, versus, words, sentences: costSentences(n, versus, words, this.language), note: words.source, theme }),
      table: () => ({ header: words.header(versus), rows: this.#listed().map((one) => [one.n, one.scores, one.used, (one.n / versus) ** 2]) }),
    };
  }

  /** The examples, and what is chosen, in order. */
  #listed() {
    return [...new Set([...examples, this.#tokens, this.#versus])].sort((a, b) => a - b).map(costOf);
  }

  renderFigure() {
    const { t } = this;
    const words = t.cost;
    const n = this.#tokens;
    const versus = this.#versus;
    const sentences = costSentences(n, versus, words, this.language);
    const inner = Math.max(240, (this.width || 640) - (this.width < 602 ? 24 : 48) - 2);
    const side = inner >= 560 ? Math.min(400, Math.floor(inner * 0.46)) : Math.min(inner, 360);
    const drawn = costShapes({ n, versus, side, words, paint: painter(null), id: 'cost' });
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        ${slider({ id: 'tokens', name: words.tokens, value: stopNear(n), max: stops.length - 1, text: words.n(grouped(n)), stops: ['1', grouped(mostTokens)], change: (i) => this.#exact.choose(stops[i]) })}
        ${this.#exact.render({ name: words.exact, value: n })}
        <button
          class="btn"
          id="pin"
          type="button"
          aria-disabled=${n === versus ? 'true' : 'false'}
          @click=${() => {
            this.versus = String(n);
          }}
        >${words.pin}</button>
      </div>
      ${this.#exact.renderFault(words.wrong(grouped(mostTokens)))}
      ${this.changed ? html`<div class="notes" role="status"><p>${words.nearest(grouped(mostTokens))}</p></div>` : nothing}
      <div class="fig-body">
        ${this.renderError()}
        <div class="cost ${inner >= 560 ? 'beside' : ''}">
          <div>
            <div role="img" aria-label=${words.pictureLabel(grouped(n), grouped(versus))}>${unsafeHTML(picture({ width: drawn.width, height: drawn.height, body: drawn.body, defs: drawn.defs, theme: null }))}</div>
            <p class="hint">${words.pictureNote}</p>
          </div>
          <div>
            <div class="says" id="says" role="status">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>
            <ol class="costs" aria-label=${words.list}>
              ${this.#listed().map((one) => this.#renderRow(one, n, versus, words))}
            </ol>
          </div>
        </div>
        <p class="hint">${words.note}</p>
      </div>
      ${this.renderFoot({ facts: [words.source] })}
    `;
  }

  #renderRow(one, n, versus, words) {
    const unit = inUnits(one.scores, this.language);
    return html`<li>
      <button type="button" aria-pressed=${one.n === n ? 'true' : 'false'} class=${one.n === versus ? 'versus' : ''} @click=${() => this.#exact.choose(one.n)}>
        <span class="count">${words.n(grouped(one.n))}</span><span class="scores">${grouped(one.scores)}</span>
        <span class="times">${one.n === versus ? words.compared : one.n > versus ? words.times(formatNumber((one.n / versus) ** 2), grouped(versus)) : words.part(formatNumber((versus / one.n) ** 2), grouped(versus))}</span><span class="unit">${unit ? words.unit(unit.text, unit.exact) : nothing}</span>
      </button>
    </li>`;
  }
}
