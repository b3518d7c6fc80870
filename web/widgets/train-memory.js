import { html, nothing } from 'lit';
import { decimalBytes, trainMemoryFigure } from '../draw/train-memory-figure.js';
import { sharedEngine } from '../engine/client.js';
import { GlassboxElement } from '../parts/element.js';
import { ExactNumber } from '../parts/exact-number.js';
import { slider } from '../parts/slider.js';
import { choice } from '../parts/switch.js';
import { cards, knownModels, memoryParts, bytesPerParameter, parseParameters, readSettings, stopNear, stops, usedBytes } from '../parts/train-memory.js';
import { countParameters, sizesOf } from '../parts/parameters.js';
import { memoryRows, memorySentences } from '../parts/train-memory-words.js';
import { chartStyle } from '../styles/chart.css.js';
import { exactStyle } from '../styles/exact.css.js';
import { trainMemoryStyle } from '../styles/train-memory.css.js';

/**
 * The bytes that training keeps for each parameter, and how many cards hold them. Activations are not counted.
 *
 * Attributes: `parameters` (7B, 70亿, 7000000000 …), `scheme` (`mixed` or `single`), `card` (a name of the list), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxTrainMemory extends GlassboxElement {
  static properties = {
    parameters: { reflect: true },
    scheme: { reflect: true },
    card: { reflect: true },
    changed: { state: true },
  };

  static styles = [...GlassboxElement.styles, chartStyle, exactStyle, trainMemoryStyle];
  static inputs = [];

  #exact = new ExactNumber(this, {
    parse: parseParameters,
    take: (n) => {
      this.changed = false;
      this.parameters = String(n);
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
    for (const name of ['parameters', 'scheme', 'card']) {
      if (!properties.has(name) || this[name] === null || this[name] === undefined) continue;
      const readable = name === 'parameters' ? parseParameters(this[name]) === settings.parameters : this[name] === settings[name];
      if (readable) continue;
      this.changed = true;
      this[name] = null;
    }
    if (properties.has('parameters')) this.#exact.follow(this.#settings.parameters);
  }

  async compute({ signal }) {
    const { hash, config } = await sharedEngine().load('builtin', { signal });
    if (signal.aborted) return null;
    return { hash, builtin: countParameters(sizesOf(config)).total };
  }

  reset() {
    this.#exact.clear();
    this.changed = false;
    super.reset();
  }

  get #models() {
    const known = knownModels.map((model) => ({ ...model, title: model.name }));
    const { result, t } = this;
    return result ? [{ title: t.trainMemory.builtin, parameters: result.builtin, source: 'builtin' }, ...known] : known;
  }

  get #card() {
    return cards.find(({ name }) => name === this.#settings.card);
  }

  exports() {
    const { parameters, scheme } = this.#settings;
    const words = this.t.trainMemory;
    const parts = memoryParts(parameters, scheme);
    const drawn = memoryRows({ parameters, scheme, card: this.#card, words });
    return {
      name: `train-memory-${parameters}`,
      svg: (theme) => trainMemoryFigure({ ...drawn, sentences: memorySentences({ parameters, scheme, card: this.#card, words }), words, note: `${words.source}；${words.cards[this.#card.source]}`, theme }),
      table: () => ({ header: words.columns, rows: [...parts.map(({ part, each, bytes }) => [words.parts[part], each, bytes]), [words.total, bytesPerParameter(scheme), bytesPerParameter(scheme) * parameters]] }),
    };
  }

  renderFigure() {
    const words = this.t.trainMemory;
    const { parameters, scheme } = this.#settings;
    const card = this.#card;
    const parts = memoryParts(parameters, scheme);
    const all = bytesPerParameter(scheme) * parameters;
    const most = Math.max(all, card.gigabytes * 1e9);
    const known = this.#models.find((model) => model.parameters === parameters);
    const share = (bytes) => (bytes / most).toFixed(5);
    const sentences = memorySentences({ parameters, scheme, card, words });
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        ${slider({ id: 'count', name: words.count, value: stopNear(parameters), max: stops.length - 1, text: words.n(parameters), stops: [words.n(stops[0]), words.n(stops.at(-1))], change: (i) => this.#exact.choose(stops[i]) })}
        ${this.#exact.render({ name: words.exact, value: parameters, inputmode: 'text' })}
        <div class="prompts">
          <span class="label" id="known">${words.presets}</span>
          <div role="group" aria-labelledby="known">
            ${this.#models.map((model) => html`<button class="btn quiet" type="button" aria-pressed=${model.parameters === parameters ? 'true' : 'false'} @click=${() => this.#exact.choose(model.parameters)}>${model.title}</button>`)}
          </div>
        </div>
        ${choice({ id: 'scheme', name: words.scheme, value: scheme, options: ['mixed', 'single'].map((value) => ({ value, name: words.schemes[value] })), change: (value) => { this.scheme = value; } })}
        ${choice({ id: 'card', name: words.card, value: card.name, options: cards.map(({ name }) => ({ value: name, name })), change: (value) => { this.card = value; } })}
      </div>
      ${this.#exact.renderFault(words.wrong)}
      ${this.changed ? html`<div class="notes" role="status"><p>${words.changed}</p></div>` : nothing}
      <div class="fig-body">
        ${this.renderError()}
        <ol class="mem-bars">
          <li>
            <span class="mem-name"><b>${words.train}</b><small>${words.perParameter(bytesPerParameter(scheme))}</small></span>
            <span class="mem-bar">${parts.map(({ part, bytes }) => html`<i class=${part} .style="--p:${share(bytes)}"></i>`)}</span>
            <b class="mem-bytes" id="all">${decimalBytes(all)}</b>
          </li>
          <li>
            <span class="mem-name">${words.use}<small>${words.perParameter(usedBytes)}</small></span>
            <span class="mem-bar"><i class="weights" .style="--p:${share(usedBytes * parameters)}"></i></span>
            <span class="mem-bytes">${decimalBytes(usedBytes * parameters)}</span>
          </li>
          <li>
            <span class="mem-name">${card.name}</span>
            <span class="mem-bar"><i class="card" .style="--p:${share(card.gigabytes * 1e9)}"></i></span>
            <span class="mem-bytes">${decimalBytes(card.gigabytes * 1e9)}</span>
          </li>
        </ol>
        <table class="mem-parts">
          <tbody>
            ${parts.map(({ part, each, bytes }) => html`<tr><th scope="row"><i class=${part} aria-hidden="true"></i>${words.parts[part]}<small>${words.partSays[scheme][part]}</small></th><td>${words.each(each)}</td><td>${decimalBytes(bytes)}</td></tr>`)}
            <tr class="sum"><th scope="row">${words.total}</th><td>${words.each(bytesPerParameter(scheme))}</td><td>${decimalBytes(all)}</td></tr>
          </tbody>
        </table>
        <div class="says" id="says" role="status">${sentences.map((line, i) => html`<p class=${i ? '' : 'sum'}>${line}</p>`)}</div>
        <p class="hint">${words.from}${words.sources[known?.source ?? 'own']}　${words.cardFrom}${words.cards[card.source]}</p>
      </div>
      ${this.renderFoot({ facts: [words.source] })}
    `;
  }
}
