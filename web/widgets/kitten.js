import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { inkFlip } from '../draw/color.js';
import { kittenFigure } from '../draw/kitten-figure.js';
import { formatFixed, formatPercent } from '../draw/number.js';
import { sharedEngine } from '../engine/client.js';
import { GlassboxElement } from '../parts/element.js';
import { measureKitten } from '../parts/kitten.js';
import { kittenStyle } from '../styles/kitten.css.js';

const swipe = 24; // px that a finger must go sideways to change the word

const bare = (label) => label.replace(/^␣(?=.)/, '');

/**
 * A sentence with one word to switch: where the model looks when the answer is due, where it looked at the pronoun, and what it says next.
 *
 * Attributes: `text` and `text-b` (the sentence with the one word and with the other; of equal length in tokens), `side` (`b` for the second), `word` (the
 * pronoun, found by itself if left out), `model`, `lang`, `theme`. The head is found by measurement.
 */
export default class GlassboxKitten extends GlassboxElement {
  static properties = {
    text: { reflect: true },
    textB: { attribute: 'text-b', reflect: true },
    side: { reflect: true },
    word: { reflect: true },
    model: { reflect: true },
  };

  static styles = [...GlassboxElement.styles, kittenStyle];
  static inputs = ['text', 'textB', 'word', 'model'];

  #from = null;

  get #pair() {
    const { pair } = this.t.kitten;
    return this.text === undefined || this.text === null ? pair : [this.text, this.textB ?? ''];
  }

  get #index() {
    return this.side === 'b' ? 1 : 0;
  }

  async compute({ signal }) {
    const pair = this.#pair;
    if (pair.some((text) => text === '')) return { empty: true };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model } = loaded;
    const start = performance.now();
    const measured = await measureKitten(sharedEngine(), pair, { model, word: this.word || undefined });
    return measured ? { ...measured, model, ms: performance.now() - start } : { noPair: true };
  }

  #choose(index) {
    this.side = index === 1 ? 'b' : null;
  }

  #down = (event) => {
    this.#from = event.pointerType === 'mouse' ? null : event.clientX;
  };

  #up = (event) => {
    if (this.#from === null) return;
    const way = event.clientX - this.#from;
    this.#from = null;
    if (Math.abs(way) < swipe) return;
    this.#choose(way > 0 ? 1 : 0);
  };

  #cancel = () => {
    this.#from = null;
  };

  exports() {
    const { result, t } = this;
    if (!result?.sides) return null;
    const index = this.#index;
    const { labels, asks, pronounRow } = result.sides[index];
    return {
      name: `kitten-l${result.layer}h${result.head}`,
      svg: (theme) => kittenFigure({ ...result, index, words: t.kitten, note: this.#source(result), theme, width: 940 }),
      table: () => ({
        header: [t.calc.token, labels[result.asked], labels[result.pronoun]],
        rows: labels.map((label, i) => [label, asks[i], pronounRow[i] ?? 0]),
      }),
    };
  }

  #source({ model, hash, layer, head, sides }) {
    const { t } = this;
    return `${t.model(model)} ${hash.slice(0, 8)} · ${t.kitten.where(layer, head)} · ${t.tokens(sides[0].labels.length)}`;
  }

  renderFigure() {
    const { t, result } = this;
    const sides = result?.sides;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${t.kitten.title}</p>
        <p class="lead">${t.kitten.lead}</p>
      </div>
      <div class="fig-body">${this.renderError()}${this.#renderBody()}</div>
      ${this.renderFoot({
        facts: sides
          ? this.sourceFacts({ model: result.model, hash: result.hash, tokens: `${t.kitten.where(result.layer, result.head)} · ${t.tokens(sides[0].labels.length)}`, ms: result.ms })
          : this.sourceFacts({}),
      })}
    `;
  }

  #renderBody() {
    const { t, result } = this;
    if (!result) return this.error ? nothing : html`<div class="empty wait"></div>`;
    if (!result.sides) return html`<div class="empty"><p>${result.empty ? t.kitten.empty : t.kitten.noPair}</p></div>`;
    const { sides, answers, changed, asked, pronoun } = result;
    const side = sides[this.#index];
    const names = changed.slice(0, 1).flatMap((place) => sides.map(({ labels }) => bare(labels[place])));
    return html`<div class="kit">
        <div class="strip">
          ${side.labels.map((label, i) => {
            const weight = side.asks[i];
            const text = formatFixed(weight, 2);
            const before = i <= pronoun;
            return html`<span class="tile ${i === asked ? 'asked' : ''} ${i === pronoun ? 'pronoun' : ''}">
              ${i === changed[0]
                ? this.#renderSwitch(names)
                : html`<span class="word ${changed.includes(i) ? 'follows' : ''}">${bare(label)}</span>`}
              <span class="cell ${Number(text) === 0 ? 'z' : weight >= inkFlip ? 'hi' : ''}" .style="--w:${weight.toFixed(4)}"><span class="vh">${t.kitten.looks(bare(side.labels[asked]), bare(label))}</span>${text}</span>
              <span class="thin ${before ? '' : 'm'}" .style="--w:${before ? side.pronounRow[i].toFixed(4) : 0}"
                ><span class="vh">${before ? `${t.kitten.looks(bare(side.labels[pronoun]), bare(label))} ${formatFixed(side.pronounRow[i], 2)}` : t.attention.masked}</span></span
              >
            </span>`;
          })}
        </div>
        <div class="says">
          <p class="label">${t.kitten.next}</p>
          <ol>
            ${side.shares.map(
              (p, i) => html`<li class="${i === 2 ? 'rest' : ''} ${i === this.#index ? 'top' : ''}">
                <span class="tk">${i < 2 ? bare(answers[i]) : t.kitten.others}</span><span class="bar"><i .style="--p:${p.toFixed(4)}"></i></span><span class="value">${formatPercent(p)}</span>
              </li>`,
            )}
          </ol>
        </div>
      </div>
      <div class="kit-key">
        <p><i class="k1"></i><span>${t.kitten.upper(bare(side.labels[asked]), names, answers.map(bare), sides.map(({ weight }) => formatFixed(weight, 2)))}</span></p>
        <p><i class="k2"></i><span>${t.kitten.lower(bare(side.labels[pronoun]), names, result.steady)}</span></p>
      </div>
      <p class="vh" role="status">${t.kitten.now(names[this.#index], bare(answers[this.#index]), formatPercent(side.shares[this.#index]))}</p>`;
  }

  #renderSwitch(names) {
    return html`<span class="seg" role="radiogroup" aria-label=${this.t.kitten.choose} @pointerdown=${this.#down} @pointerup=${this.#up} @pointercancel=${this.#cancel}>
      ${names.map(
        (name, i) => html`<label class=${this.#index === i ? 'on' : ''}>
          <input type="radio" name="word" .checked=${live(this.#index === i)} @change=${() => this.#choose(i)} />${name}
        </label>`,
      )}
    </span>`;
  }
}
