import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { byteText, kvFigure } from '../draw/kv-figure.js';
import { formatNumber } from '../draw/number.js';
import { sharedEngine } from '../engine/client.js';
import { GlassboxElement } from '../parts/element.js';
import { bitChoices, builtinRow, kvBytes, kvModels, mostTokens, parseTokens, readSettings, stopNear, stops } from '../parts/kv-models.js';
import { kvSentences } from '../parts/kv-words.js';
import { slider } from '../parts/slider.js';
import { chartStyle } from '../styles/chart.css.js';
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
    draft: { state: true },
    changed: { state: true },
  };

  static styles = [...GlassboxElement.styles, chartStyle, kvStyle];
  static inputs = [];

  #builtin = null;

  constructor() {
    super();
    this.draft = null;
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
    if (properties.has('n') && this.draft !== null && parseTokens(this.draft) !== this.#settings.n) this.draft = null;
  }

  async compute({ signal }) {
    const { hash, config } = await sharedEngine().load('builtin', { signal });
    if (signal.aborted) return null;
    this.#builtin = builtinRow(config);
    return { hash };
  }

  reset() {
    this.draft = null;
    this.changed = false;
    super.reset();
  }

  get #models() {
    const rows = kvModels.map((model) => ({ ...model, id: model.name, title: model.name }));
    return this.#builtin ? [{ ...this.#builtin, id: 'builtin', title: this.t.kv.builtin }, ...rows] : rows;
  }

  #choose(n) {
    this.changed = false;
    this.draft = null;
    this.n = String(n);
  }

  #type(text) {
    this.draft = text;
    const n = parseTokens(text);
    if (Number.isNaN(n)) return;
    this.changed = false;
    this.n = String(n);
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
    const wrong = this.draft !== null && Number.isNaN(parseTokens(this.draft));
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
        ${slider({ id: 'tokens', name: words.tokens, value: stopNear(n), max: stops.length - 1, text: words.n(g(n)), stops: ['1', g(mostTokens)], change: (i) => this.#choose(stops[i]) })}
        <div class="field exact">
          <label for="n">${words.exact}</label>
          <input id="n" class="text" inputmode="numeric" autocomplete="off" .value=${live(this.draft ?? String(n))} aria-invalid=${wrong ? 'true' : 'false'} aria-describedby=${wrong ? 'fault' : nothing} @input=${(event) => this.#type(event.target.value)} />
        </div>
        <div class="field">
          <span class="label" id="bits-name">${words.bits}</span>
          <span class="seg" role="radiogroup" aria-labelledby="bits-name">
            ${bitChoices.map(
              (choice) => html`<label class=${choice === bits ? 'on' : ''}><input type="radio" name="bits" .checked=${live(choice === bits)} @change=${() => { this.bits = String(choice); }} />${words.bit(choice)}</label>`,
            )}
          </span>
        </div>
      </div>
      ${wrong ? html`<p class="entry-error place" id="fault" role="alert">${words.wrong(g(mostTokens))}</p>` : nothing}
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
