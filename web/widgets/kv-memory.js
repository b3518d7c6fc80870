import { html, nothing } from 'lit';
import { byteText, kvFigure } from '../draw/kv-figure.js';
import { formatNumber } from '../draw/number.js';
import { sharedEngine } from '../engine/client.js';
import { GlassboxElement } from '../parts/element.js';
import { ExactNumber } from '../parts/exact-number.js';
import { bitChoices, builtinRow, kvBytes, kvModels, mostTokens, parseTokens, readSettings, stopNear, stops } from '../parts/kv-models.js';
import { kvSentences } from '../parts/kv-words.js';
import { slider } from '../parts/slider.js';
import { choice } from '../parts/switch.js';
import { chartStyle } from '../styles/chart.css.js';
import { exactStyle } from '../styles/exact.css.js';
import { kvStyle } from '../styles/kv.css.js';

/**
 * The memory that the keys and values of n tokens take in public models, and in the built-in one.
 *
 * Attributes: `n` (tokens, 1 to 1,048,576), `bits` (of each number: 32, 16 or 8), `model` (whose sum is shown: a name of the list, or `builtin`), `lang`,
 * `theme`; all mirror the state.
 */
export default class GlassboxKvMemory extends GlassboxElement {
  static properties = {
    n: { reflect: true },
    bits: { reflect: true },
    model: { reflect: true },
    changed: { state: true },
  };

  static styles = [...GlassboxElement.styles, chartStyle, exactStyle, kvStyle];
  static inputs = [];

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

  get #settings() {
    return readSettings(this);
  }

  willUpdate(properties) {
    const settings = this.#settings;
    for (const name of ['n', 'bits', 'model']) {
      if (!properties.has(name) || this[name] === null || this[name] === undefined) continue;
      if (String(settings[name]) === String(this[name])) continue;
      this.changed = settings.changed;
      this[name] = String(settings[name]);
    }
    if (properties.has('n')) this.#exact.follow(this.#settings.n);
  }

  async compute({ signal }) {
    const { hash, config } = await sharedEngine().load('builtin', { signal });
    if (signal.aborted) return null;
    return { hash, builtin: builtinRow(config) };
  }

  reset() {
    this.#exact.clear();
    this.changed = false;
    super.reset();
  }

  get #models() {
    const rows = kvModels.map((model) => ({ ...model, id: model.name, title: model.name }));
    return this.result ? [{ ...this.result.builtin, id: 'builtin', title: this.t.kv.builtin }, ...rows] : rows;
  }

  exports() {
    const { n, bits, model } = this.#settings;
    const words = this.t.kv;
    const models = this.#models;
    const chosen = models.find(({ id }) => id === model) ?? models[0];
    return {
      name: `kv-memory-n${n}`,
      svg: (theme) => kvFigure({ models, n, bits, chosen, sentences: kvSentences(chosen, n, bits, words), words, note: words.source, theme }),
      table: () => ({
        header: words.columns,
        rows: models.map((one) => [one.title, one.layers, one.heads, one.kvHeads, one.headSize, one.context, n, bits, kvBytes(one, n, bits), words.sources[one.source]]),
      }),
    };
  }

  renderFigure() {
    const words = this.t.kv;
    const { n, bits, model } = this.#settings;
    const models = this.#models;
    const chosen = models.find(({ id }) => id === model) ?? models[0];
    const most = Math.max(...models.map((one) => kvBytes(one, n, bits)));
    const g = formatNumber;
    const [sum, ...more] = kvSentences(chosen, n, bits, words);
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        ${slider({ id: 'tokens', name: words.tokens, value: stopNear(n), max: stops.length - 1, text: words.n(g(n)), stops: ['1', g(mostTokens)], change: (i) => this.#exact.choose(stops[i]) })}
        ${this.#exact.render({ name: words.exact, value: n })}
        ${choice({ id: 'bits', name: words.bits, value: bits, options: bitChoices.map((value) => ({ value, name: words.bit(value) })), change: (value) => { this.bits = String(value); } })}
      </div>
      ${this.#exact.renderFault(words.wrong(g(mostTokens)))}
      ${this.changed ? html`<div class="notes" role="status"><p>${words.changed}</p></div>` : nothing}
      <div class="fig-body">
        ${this.renderError()}
        <ol class="kv-list" aria-label=${words.list}>
          ${models.map((one) => {
            const bytes = kvBytes(one, n, bits);
            return html`<li>
              <button type="button" aria-pressed=${one.id === chosen.id ? 'true' : 'false'} @click=${() => { this.model = one.id; }}>
                <span class="kv-name"><b>${one.title}</b><small>${words.shape(one.layers, one.kvHeads, one.headSize)}</small></span>
                <span class="bar"><i .style="--p:${(bytes / most).toFixed(5)}"></i></span>
                <span class="kv-bytes">${byteText(bytes)}${n > one.context ? html`<small class="far">${words.beyond(g(one.context))}</small>` : one.kept && n > one.kept ? html`<small>${words.kept(g(one.kept))}</small>` : nothing}</span>
              </button>
            </li>`;
          })}
        </ol>
        <div class="says" id="says" role="status">
          <p class="kv-sum">${sum}</p>
          <p class="hint-in">${words.two} × ${words.layers} × ${words.kvHeads} × ${words.size} × ${words.count} × ${words.bytes}　${words.perToken(byteText(kvBytes(chosen, 1, bits)))}</p>
          ${more.map((line) => html`<p>${line}</p>`)}
        </div>
        <p class="hint">${words.from}${words.sources[chosen.source]}</p>
      </div>
      ${this.renderFoot({ facts: [words.source] })}
    `;
  }
}
