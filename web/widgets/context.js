import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { budgetOf, contextFigure, curveShapes, rulerShapes, textPieces } from '../draw/context-figure.js';
import { tokenLabel } from '../draw/label.js';
import { formatFixed, formatPercent } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { edges, languageFor, measureContext, measureCurve, mostFiller, promptOf, prompts, readFiller, tryValues } from '../parts/context.js';
import { contextSentences } from '../parts/context-words.js';
import { GlassboxElement } from '../parts/element.js';
import { slider } from '../parts/slider.js';
import { fitTextBox, textBox } from '../parts/text-box.js';
import { chartStyle } from '../styles/chart.css.js';
import { contextStyle } from '../styles/context.css.js';

const shownText = 6000; // characters of a text that are shown of each of its parts

/**
 * A fact is told, other sentences follow, then it is asked for: what the window still holds, and what the model answers.
 *
 * Attributes: `fact`, `question`, `filler` (the number of other sentences), `values` (`on` asks with each value of a known example), `model`, `lang`, `theme`.
 */
export default class GlassboxContext extends GlassboxElement {
  static properties = {
    fact: { reflect: true },
    question: { reflect: true },
    filler: { reflect: true },
    values: { reflect: true },
    model: { reflect: true },
    changed: { state: true },
  };

  static styles = [...GlassboxElement.styles, chartStyle, contextStyle];
  static inputs = ['fact', 'question', 'filler', 'values', 'model'];

  #curves = new Map(); // of the fact and question shown
  #near = new Map(); // their answers without other sentences

  constructor() {
    super();
    this.changed = false;
  }

  get #given() {
    const first = prompts.find(({ language }) => language === this.language);
    const alone = this.fact === undefined || this.fact === null;
    const fact = alone ? first.fact(first.values[0]) : this.fact;
    const question = this.question ?? (alone ? first.question : '');
    const language = languageFor(fact, question);
    return { fact, question, count: readFiller(this.filler, language).value };
  }

  willUpdate(properties) {
    if (!properties.has('filler') || this.filler === null || this.filler === undefined) return;
    const { fact, question } = this.#given;
    const { value, changed } = readFiller(this.filler, languageFor(fact, question));
    if (String(value) === this.filler) return;
    this.changed = changed;
    this.filler = String(value);
  }

  async compute({ signal }) {
    const { fact, question, count } = this.#given;
    if (!fact.trim() && !question.trim()) return { empty: true };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model } = loaded;
    // What has been typed or dragged on since is what counts; this answer would be thrown away.
    const asked = () => JSON.stringify(GlassboxContext.inputs.map((name) => this[name] ?? null));
    const began = asked();
    const stop = {
      get aborted() {
        return signal.aborted || asked() !== began;
      },
    };
    const engine = sharedEngine();
    const known = promptOf(fact, question);
    const start = performance.now();
    const measured = await measureContext(engine, { fact, question, count, model, value: known?.prompt.values[known.index] ?? null, near: this.#near, signal: stop });
    if (!measured) return null;
    const key = JSON.stringify([model, fact, question]);
    if (!this.#curves.has(key)) {
      const found = {
        curve: measured.reference ? await measureCurve(engine, { fact, question, model, reference: measured.reference, signal: stop }) : null,
        edges: fact ? await edges(engine, { fact, question, model }) : { inside: null, outside: null },
      };
      if (stop.aborted) return null;
      this.#curves = new Map([[key, found]]);
    }
    const tried = this.values === 'on' && known ? await tryValues(engine, { prompt: known.prompt, count, model, signal: stop }) : null;
    if (stop.aborted) return null;
    return { ...measured, ...this.#curves.get(key), known, tried, fact, question, ms: performance.now() - start };
  }

  reset() {
    this.changed = false;
    super.reset();
  }

  updated(changed) {
    super.updated(changed);
    this.renderRoot.querySelectorAll('textarea').forEach(fitTextBox);
  }

  #setFiller(count) {
    this.changed = false;
    this.filler = String(count);
  }

  #tell(fact, question) {
    this.changed = false;
    this.question = question;
    this.fact = fact;
  }

  exports() {
    const { result, t } = this;
    if (!result || result.empty) return null;
    const words = t.context;
    return {
      name: `context-${result.count}`,
      svg: (theme) => contextFigure({ result, sentences: contextSentences(result, words), words, note: `${t.model(result.model)} ${result.hash.slice(0, 8)}`, theme }),
      table: () => ({
        header: words.columns,
        rows: (result.curve ?? []).map(({ count, total, seen, p }) => [count, total, words.seen[seen], p]),
      }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.context;
    const { fact, question, count } = this.#given;
    const language = languageFor(fact, question);
    const known = promptOf(fact, question);
    const ready = result && !result.empty;
    const { inside = null, outside = null } = ready ? result.edges : {};
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        ${textBox({ id: 'fact', name: words.fact, value: fact, change: (given) => this.#tell(given, question) })}
        ${textBox({ id: 'question', name: words.question, value: question, change: (given) => this.#tell(fact, given) })}
        <div class="prompts">
          <span class="label" id="try">${t.try}</span>
          <div role="group" aria-labelledby="try">
            ${prompts.map(
              (prompt) => html`<button class="btn quiet" type="button" aria-pressed=${known?.prompt === prompt ? 'true' : 'false'} @click=${() => this.#tell(prompt.fact(prompt.values[0]), prompt.question)}>${words.prompts[prompt.name]}</button>`,
            )}
          </div>
        </div>
        ${slider({ id: 'filler', name: words.filler, value: count, max: mostFiller(language), text: words.sentences(count), stops: ['0', String(mostFiller(language))], change: (value) => this.#setFiller(value) })}
        <div class="ctx-jump">
          <button class="btn" id="inside" type="button" aria-disabled=${inside === null ? 'true' : nothing} @click=${() => inside === null || this.#setFiller(inside)}>${words.toInside}</button>
          <button class="btn" id="outside" type="button" aria-disabled=${outside === null ? 'true' : nothing} @click=${() => outside === null || this.#setFiller(outside)}>${words.toOutside}</button>
        </div>
      </div>
      ${this.changed ? html`<div class="notes" role="status"><p>${words.clamped(mostFiller(language))}</p></div>` : nothing}
      <div class="fig-body">${this.renderError()}${this.#renderBody()}</div>
      ${this.renderFoot({ facts: ready ? this.sourceFacts({ model: result.model, hash: result.hash, tokens: t.tokens(result.total), ms: result.ms }) : this.sourceFacts({}) })}
    `;
  }

  #renderBody() {
    const { t, result } = this;
    const words = t.context;
    if (!result) return this.error ? nothing : html`<div class="empty wait"></div>`;
    if (result.empty) return html`<div class="empty"><p>${words.empty}</p></div>`;
    const inner = Math.max(260, (this.width || 640) - (this.width < 602 ? 24 : 48) - 2);
    const paint = painter(null);
    const ruler = rulerShapes({ result, width: inner, words, paint, id: 'context' });
    const draw = (drawn) => unsafeHTML(picture({ width: drawn.width, height: drawn.height, body: drawn.body, defs: drawn.defs, theme: null }));
    const sentences = contextSentences(result, words);
    const { rows, free, over } = budgetOf(result);
    const verdict = result.seen === 'nothing' || !result.reference ? '' : result.found ? 'right' : 'wrong';
    return html`
      <div role="img" aria-label=${words.rulerLabel(result.total, result.context, result.dropped)}>${draw(ruler)}</div>
      <ul class="ctx-budget" aria-label=${words.budget}>
        ${rows.map(({ name, tokens }) => html`<li><i class="sw ${name}" aria-hidden="true"></i>${words.partNames[name]} <b>${formatFixed(tokens, 0)}</b></li>`)}
        <li class="sum">${over ? words.over(formatFixed(over, 0)) : words.free(formatFixed(free, 0))}</li>
      </ul>
      <div class="ctx-answer ${verdict}" id="says" role="status">
        <p class="ctx-said"><span class="label">${words.answers}</span> <b id="answer">${result.written || words.silence}</b>${verdict ? html` <span class="ctx-verdict">${verdict === 'right' ? words.right : words.wrong}</span>` : nothing}</p>
        ${sentences.slice(1).map((sentence) => html`<p>${sentence}</p>`)}
      </div>
      <div class="ctx-text" tabindex="0" role="group" aria-label=${words.text}>${textPieces(result).map((piece) => {
          const cut = piece.text.length > shownText ? `${piece.text.slice(0, shownText)}…` : piece.text;
          return piece.gone ? html`<s class=${piece.name}>${cut}</s>` : html`<span class=${piece.name}>${cut}</span>`;
        })}</div>
      <div class="ctx-two">
        <div>
          <p class="subtitle">${words.next}</p>
          <ol class="ctx-next">
            ${result.candidates.map(
              ({ id, token, bytes, p }) => html`<li class=${id === result.reference?.id ? 'right' : ''}>
                <span class="tk">${tokenLabel(token, bytes)}</span><span class="bar"><i .style="--p:${p.toFixed(4)}"></i></span><span class="value">${formatPercent(p)}</span>
              </li>`,
            )}
          </ol>
          ${result.known ? this.#renderValues(result, words) : nothing}
        </div>
        ${result.curve
          ? html`<div>
              <p class="subtitle">${words.curve(result.reference.label)}</p>
              <div role="img" aria-label=${words.curveLabel}>${draw(curveShapes({ points: result.curve, now: result, context: result.context, width: inner >= 620 ? Math.floor(inner * 0.56) : inner, words, paint }))}</div>
              <p class="hint">${words.curveNote}</p>
            </div>`
          : nothing}
      </div>
    `;
  }

  #renderValues({ known, tried }, words) {
    const { prompt, index } = known;
    const right = tried?.filter((row) => row.right).length;
    return html`<p class="subtitle ctx-values-name" id="values-name">${words.values}</p>
      <div class="ctx-values" role="group" aria-labelledby="values-name">
        ${prompt.values.map((value, i) => {
          const row = tried?.[i];
          return html`<button class="btn" type="button" aria-pressed=${i === index ? 'true' : 'false'} @click=${() => this.#tell(prompt.fact(value), prompt.question)}>
            <span>${value}</span>${row ? html`<small class=${row.right ? 'right' : 'wrong'}>→ ${row.written || words.silence} ${row.right ? '✓' : '✗'}</small>` : nothing}
          </button>`;
        })}
      </div>
      <label class="switch"><input type="checkbox" id="values" .checked=${live(this.values === 'on')} @change=${(event) => { this.values = event.target.checked ? 'on' : null; }} /><span>${words.tryAll(prompt.values.length)}</span></label>
      ${tried ? html`<p id="tried" role="status"><b>${words.tried(right, tried.length)}</b></p>` : nothing}`;
  }
}
