import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { tones } from '../draw/chips.js';
import { learnFigure, rateShapes, ratesOf } from '../draw/learn-figure.js';
import { formatNumber } from '../draw/number.js';
import { picture } from '../draw/svg.js';
import { bytesName } from '../draw/token-tree.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex } from '../parts/attributes.js';
import { runningPieces } from '../parts/chips.js';
import { GlassboxElement } from '../parts/element.js';
import { learnedPieces } from '../parts/merges.js';
import { slider } from '../parts/slider.js';
import { fitTextBox, textBox } from '../parts/text-box.js';
import { countCharacters } from '../parts/tokens-of.js';
import { mostMerges } from '../parts/learning.js';
import { chartStyle } from '../styles/chart.css.js';
import { piecesStyle, tokensStyle } from '../styles/pieces.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const mostShown = 3000; // bytes of the text that are drawn in pieces
const mostRows = 60; // merges in the list
const [quickest, slowest, wholeRun] = [50, 500, 20_000]; // ms between two merges while it plays; ms for all

/** The first bytes of a text, up to the end of a character. */
function beginning(text) {
  const utf8 = new TextEncoder().encode(text.slice(0, mostShown));
  let end = Math.min(utf8.length, mostShown);
  while ((utf8[end] & 0xc0) === 0x80) end -= 1;
  return utf8.slice(0, end);
}

/**
 * Learns the merges of a byte-level BPE from the reader's own text, one by one.
 *
 * Attributes: `text`, `step` (how many merges are learned, 0 without it), `lang`, `theme`; all mirror the state. No model is loaded.
 */
export default class GlassboxBpeTrainer extends GlassboxElement {
  static properties = {
    text: { reflect: true },
    step: { reflect: true },
    playing: { state: true },
  };

  static styles = [widgetStyle, chartStyle, piecesStyle, tokensStyle];
  static inputs = ['text'];

  #timer = 0;

  constructor() {
    super();
    this.playing = false;
  }

  get #text() {
    return this.text ?? this.t.learner.examples[0].text;
  }

  async compute({ signal }) {
    const text = this.#text;
    if (text === '') return { empty: true };
    const start = performance.now();
    const learned = await sharedEngine().learnBpe(text, {
      most: mostMerges,
      shown: mostShown,
      signal,
      onProgress: (progress) => {
        if (!signal.aborted) this.progress = progress;
      },
    });
    const characters = countCharacters(text);
    return {
      ...learned,
      utf8: beginning(text),
      characters,
      rates: ratesOf(learned, characters),
      ms: performance.now() - start,
    };
  }

  accept(result) {
    if (!result || result.empty) this.#pause();
    else if (this.step !== null && this.step !== undefined) this.#go(clampIndex(this.step, result.merges.length).value);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#pause();
  }

  updated(changed) {
    super.updated(changed);
    fitTextBox(this.renderRoot.querySelector('textarea'));
    if (changed.has('step')) this.renderRoot.querySelector('.learned-list')?.scrollTo(0, 0);
  }

  reset() {
    this.#pause();
    super.reset();
  }

  get #last() {
    return this.result?.merges?.length ?? 0;
  }

  get #at() {
    return clampIndex(this.step ?? 0, this.#last).value;
  }

  #go(step) {
    const to = Math.min(this.#last, Math.max(0, step));
    this.step = to ? String(to) : null;
  }

  #jump(step) {
    this.#pause();
    this.#go(step);
  }

  #pause() {
    clearInterval(this.#timer);
    this.playing = false;
  }

  #play() {
    if (this.playing) {
      this.#pause();
      return;
    }
    if (this.#at === this.#last) this.#go(0);
    this.playing = true;
    this.#go(this.#at + 1);
    this.#timer = setInterval(
      () => {
        this.#go(this.#at + 1);
        if (this.#at >= this.#last) this.#pause();
      },
      Math.max(quickest, Math.min(slowest, wholeRun / this.#last)),
    );
  }

  #take(text) {
    this.#pause();
    this.text = text;
    this.step = null;
  }

  /** The name of a token: its text, or its bytes. */
  #name(id) {
    const { bytes, merges } = this.result;
    return bytesName(id < bytes.length ? [bytes[id]] : merges[id - bytes.length].bytes);
  }

  exports() {
    const { result, t } = this;
    if (!result?.merges?.length) return null;
    const words = t.learner;
    return {
      name: `bpe-${this.#at}`,
      svg: (theme) => learnFigure({ learned: result, characters: result.characters, step: this.#at, words, note: words.source(formatNumber(result.textBytes)), theme }),
      table: () => ({
        header: words.header,
        rows: result.merges.slice(0, this.#at || this.#last).map(({ rank, pair, count, id, tokens }) => [rank, this.#name(pair[0]), this.#name(pair[1]), count, this.#name(id), id, tokens]),
      }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.learner;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        ${textBox({ name: t.text, value: this.#text, change: (text) => this.#take(text) })}
        <div class="prompts">
          <span class="label" id="try">${t.try}</span>
          <div role="group" aria-labelledby="try">
            ${words.examples.map(
              (example) => html`<button class="btn quiet" type="button" aria-pressed=${example.text === this.#text ? 'true' : 'false'} @click=${() => this.#take(example.text)}>${example.label}</button>`,
            )}
          </div>
        </div>
      </div>
      <div class="fig-body">${this.renderError()}${this.#renderBody()}</div>
      ${this.renderFoot({ facts: result?.merges ? [words.source(formatNumber(result.textBytes)), t.measured(formatNumber(result.ms))] : [] })}
    `;
  }

  #renderBody() {
    const { result } = this;
    const words = this.t.learner;
    if (this.#text === '') return html`<div class="empty"><p>${words.empty}</p></div>`;
    if (!result?.merges) return this.error ? nothing : html`<div class="empty wait"></div>`;
    if (!result.merges.length) return html`<div class="empty" role="status"><p>${words.nothing}</p></div>`;
    const at = this.#at;
    const last = this.#last;
    const tokens = at ? result.merges[at - 1].tokens : result.tokens;
    const button = (id, name, act, off = false, primary = false) =>
      html`<button class="btn ${primary && !off ? 'primary' : ''}" id=${id} type="button" aria-disabled=${off ? 'true' : 'false'} @click=${() => off || act()}>${name}</button>`;
    return html`
      <div class="sizes">${slider({
        id: 'size',
        name: words.size,
        value: at,
        max: last,
        text: words.sizeIs(formatNumber(256 + at), formatNumber(at)),
        stops: ['256', formatNumber(256 + last)],
        change: (step) => this.#jump(step),
      })}</div>
      <div class="acts-row">
        ${button('learn', words.learn, () => this.#jump(at + 1), at === last, true)}
        ${button('play', this.playing ? words.pause : words.play, () => this.#play(), at === last && !this.playing)}
        ${button('back', words.back, () => this.#jump(at - 1), at === 0)}
        ${button('start', words.start, () => this.#jump(0), at === 0)}
        ${button('end', words.end, () => this.#jump(last), at === last)}
      </div>
      ${this.#renderNow(at)}
      <div class="learn">
        ${this.#renderCurve(at, tokens)}
        <div role="group" aria-labelledby="list-title">
          <p class="subtitle" id="list-title">${words.merges}</p>
          ${this.#renderList(at)}
        </div>
      </div>
      ${this.#renderText(at, tokens)}
      ${last === mostMerges ? html`<p class="hint">${words.limit(formatNumber(mostMerges))}</p>` : nothing}
    `;
  }

  #renderNow(at) {
    const words = this.t.learner;
    const merge = at ? this.result.merges[at - 1] : null;
    return html`<p class="says-now" id="now" role=${this.playing ? nothing : 'status'}>
      ${merge ? words.now(formatNumber(merge.rank), this.#name(merge.pair[0]), this.#name(merge.pair[1]), this.#name(merge.id), formatNumber(merge.count)) : words.noneYet}
      ${at === this.#last && at < mostMerges ? words.used : nothing}
    </p>`;
  }

  #renderCurve(at, tokens) {
    const words = this.t.learner;
    const { rates } = this.result;
    const room = Math.max(240, (this.width || 640) - (this.width < 602 ? 24 : 48) - 2);
    const width = this.width < 862 ? room : (room - 32) / 2.15;
    const shapes = rateShapes({ rates, step: at, width, height: 240, words, theme: null });
    return html`<div role="group" aria-labelledby="curve-title">
      <p class="subtitle" id="curve-title">${words.rateHead}</p>
      <div id="curve" role="img" aria-label=${words.after(formatNumber(at), formatNumber(tokens), formatNumber(rates[at]))}>${unsafeHTML(picture({ width, height: 240, body: shapes, theme: null }))}</div>
    </div>`;
  }

  #renderList(at) {
    const words = this.t.learner;
    const rows = this.result.merges.slice(Math.max(0, at - mostRows), at).reverse();
    return html`<div class="learned-list" tabindex="0" role="group" aria-labelledby="list-title">
      ${rows.length
        ? html`<table>
            <thead>
              <tr>${words.columns.map((column, i) => html`<th scope="col" class=${i === 0 || i === 3 ? 'n' : ''}>${column}</th>`)}</tr>
            </thead>
            <tbody>
              ${rows.map(
                ({ rank, pair, count, id }) => html`<tr>
                  <td class="n">${formatNumber(rank)}</td>
                  ${pair.map((one) => html`<td><bdi class="piece">${this.#name(one)}</bdi></td>`)}
                  <td class="n">${formatNumber(count)}</td>
                  <td><bdi class="piece">${this.#name(id)}</bdi></td>
                </tr>`,
              )}
            </tbody>
          </table>`
        : html`<p class="none">${words.listHere}</p>`}
    </div>`;
  }

  #renderText(at, tokens) {
    const words = this.t.learner;
    const { result } = this;
    let before = null;
    const pieces = learnedPieces(result, at).map((piece) => {
      // A token keeps its tint wherever it stands, but for two of one tint side by side.
      let tone = piece.id % tones;
      if (before && before.tone === tone && before.id !== piece.id) tone = (tone + 1) % tones;
      before = { ...piece, tone };
      return before;
    });
    const drawn = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return html`<div role="group" aria-labelledby="text-title">
      <p class="subtitle" id="text-title">${words.inPieces(html`<span id="tokens">${formatNumber(tokens)}</span>`)}</p>
      <div class="running" id="running" tabindex="0" role="group" aria-labelledby="text-title">${runningPieces(pieces)}</div>
      <p class="hint">${at ? words.fresh : nothing} ${drawn < result.textBytes ? words.shownPart(formatNumber(drawn)) : nothing}</p>
    </div>`;
  }
}
