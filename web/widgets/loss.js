import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { tokenLossShapes } from '../draw/descent-figure.js';
import { tokenLabel } from '../draw/label.js';
import { formatChance, formatLoss, lossCurveShapes, lossFigure, lossSentences } from '../draw/loss-figure.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { askLosses, placeIn } from '../parts/loss.js';
import { ModelElement } from '../parts/model-element.js';
import { tokenRow } from '../parts/token-row.js';
import { chartStyle } from '../styles/chart.css.js';
import { foldStyle } from '../styles/fold.css.js';
import { headsStyle } from '../styles/heads.css.js';
import { lossStyle } from '../styles/loss.css.js';

/**
 * The loss −log p of predictions: of each token of a text, and of another answer in its place.
 *
 * Attributes: `text`, `model`, `position` (which token is to be guessed, from 1; the last by default), `answer` (a token taken for the right one instead), `lang`, `theme`;
 * all mirror the state.
 */
export default class GlassboxLoss extends ModelElement {
  static properties = { answer: { reflect: true } };
  static styles = [...ModelElement.styles, chartStyle, foldStyle, headsStyle, lossStyle];
  static inputs = ['text', 'model', 'position', 'answer'];

  get prompts() {
    return this.t.loss.prompts;
  }

  async compute({ signal }) {
    const text = this.shownText;
    if (text === '') return { empty: true };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const start = performance.now();
    const engine = sharedEngine();
    const read = await askLosses(engine, text, { model: loaded.model });
    const size = read.tokens.length;
    if (read.few) return { ...loaded, read, few: true, size };
    const place = placeIn(read.places, this.position);
    const own = read.places[place];
    let chosen = { ...own, inText: true };
    let noAnswer = null;
    const wanted = this.answer ?? '';
    if (wanted !== '') {
      // In a running English text a word brings its blank along.
      const spellings = own.label.startsWith('␣') && !/^\s/.test(wanted) ? [` ${wanted}`, wanted] : [wanted, ` ${wanted}`];
      noAnswer = wanted;
      for (const spelling of spellings) {
        const { ids, tokens, bytes } = await engine.tokenize(spelling, { model: loaded.model });
        if (ids.length !== 1) continue;
        const [id] = ids;
        chosen = { id, label: tokenLabel(tokens[0], bytes[0]), p: own.row.p(id), loss: own.row.loss(id), inText: id === own.id };
        noAnswer = null;
        break;
      }
    }
    return { ...loaded, read, place, own, chosen, noAnswer, size, ms: performance.now() - start };
  }

  accept(result) {
    this.notes = [];
    if (!result || result.empty || result.few) return;
    if (this.position !== null && this.position !== undefined && this.position !== '') this.position = String(result.own.at);
  }

  /** The candidates at the place, the right one of the text among them. */
  get #options() {
    const { own } = this.result;
    return own.candidates.some(({ id }) => id === own.id) ? own.candidates : [own, ...own.candidates.slice(0, -1)];
  }

  get #points() {
    const { chosen } = this.result;
    const others = this.#options.filter(({ id }) => id !== chosen.id).map((one) => ({ ...one, chosen: false }));
    return [...others, { ...chosen, chosen: true }];
  }

  get #sentences() {
    const { read, own, chosen } = this.result;
    return lossSentences({ read, one: chosen, before: read.labels[own.at - 1], words: this.t.loss });
  }

  exports() {
    const { result, t } = this;
    if (!result || result.empty || result.few) return null;
    const words = t.loss;
    return {
      name: `loss-t${result.own.at}`,
      svg: (theme) => lossFigure({ read: result.read, points: this.#points, sentences: this.#sentences, words, note: this.sourceLine, theme }),
      table: () => ({ header: words.header, rows: result.read.places.map(({ label, p, loss, rank }) => [label, p, loss, rank]) }),
    };
  }

  #choose(place) {
    this.answer = null;
    this.position = String(place);
  }

  renderFigure() {
    const words = this.t.loss;
    const { result } = this;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">${this.renderText()}${this.renderPrompts()}</div>
      ${result?.read?.dropped ? html`<div class="notes" role="status"><p>${words.droppedOld(result.read.dropped)}</p></div>` : nothing}
      <div class="fig-body">${this.renderError()}${this.#renderBody(words)}</div>
      ${this.renderModelFoot()}
    `;
  }

  #renderBody(words) {
    const { result } = this;
    if (this.shownText === '') return html`<div class="empty"><p>${words.empty}</p></div>`;
    if (!result || result.empty) return this.error ? nothing : html`<div class="empty wait"></div>`;
    if (result.few) return html`<div class="empty"><p>${words.few}</p></div>`;
    const { read, own, chosen, noAnswer } = result;
    const { inner } = this;
    const beside = inner >= 640;
    const width = beside ? Math.floor((inner - 32) / 2) : inner;
    const paint = painter(null);
    const draw = (drawn) => unsafeHTML(picture({ width: drawn.width, height: drawn.height, body: drawn.body, theme: null }));
    const bars = 12;
    return html`
      ${tokenRow({ id: 'tokens', name: words.which, labels: read.labels, chosen: own.at, unread: (i) => i > own.at, choose: (i) => this.#choose(Math.max(1, i)) })}
      <p class="hint">${words.first}</p>
      <div class="loss-options" role="group" aria-labelledby="answers">
        <span class="label" id="answers">${words.answer}</span>
        <div class="answers">
          ${this.#options.map(
            (one) => html`<button type="button" class="answer" aria-pressed=${one.id === chosen.id ? 'true' : 'false'} @click=${() => { this.answer = one.id === own.id ? null : one.label.replaceAll('␣', ' '); }}><bdi>${one.label}</bdi><small>${one.id === own.id ? words.inText : ''} p = ${formatChance(one.p)}</small><span class="vh">${words.costs(formatLoss(one.loss))}</span></button>`,
          )}
          <span class="own-answer"><label for="answer">${words.other}</label><input id="answer" class="text" autocomplete="off" autocapitalize="off" spellcheck="false" .value=${live(this.answer ?? '')} aria-invalid=${noAnswer ? 'true' : 'false'} aria-describedby=${noAnswer ? 'fault' : nothing} @change=${(event) => { this.answer = event.target.value === '' ? null : event.target.value; }} /></span>
        </div>
      </div>
      ${noAnswer ? html`<p class="entry-error" id="fault" role="alert">${words.noAnswer(noAnswer)}</p>` : nothing}
      <div class="says" id="says" role="status">${this.#sentences.map((line) => html`<p>${line}</p>`)}</div>
      <div class="way ${beside ? 'beside' : ''}">
        <div role="img" id="curve" aria-label=${words.curveLabel(chosen.label, formatChance(chosen.p), formatLoss(chosen.loss))}>${draw(lossCurveShapes({ points: this.#points, random: read.random, width, height: beside ? 300 : 240, words, paint }))}</div>
        <div>
          <div role="img" aria-label=${words.perToken}>${draw(tokenLossShapes({ labels: read.places.map(({ label }) => label), losses: read.places.map(({ loss }) => loss), width, words, paint, most: bars }))}</div>
          ${read.places.length > bars ? html`<p class="hint">${words.more(read.places.length - bars)}</p>` : nothing}
        </div>
      </div>
      <details class="all-losses fold">
        <summary>${words.table}</summary>
        <div class="scroll" tabindex="0" role="group" aria-label=${words.table}>
          <table>
            <thead><tr>${words.header.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
            <tbody>${read.places.map(({ label, p, loss, rank }) => html`<tr><th scope="row"><bdi>${label}</bdi></th><td>${formatChance(p)}</td><td>${formatLoss(loss)}</td><td>${rank}</td></tr>`)}</tbody>
          </table>
        </div>
      </details>
    `;
  }
}
