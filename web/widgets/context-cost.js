import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { formatFixed, formatNumber, formatPercent } from '../draw/number.js';
import { prefillFigure, timeShapes, workShapes } from '../draw/prefill-figure.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { GlassboxElement } from '../parts/element.js';
import { ExactNumber } from '../parts/exact-number.js';
import { countedWork, leastLongest, lengthsUpTo, readMost, summarise } from '../parts/prefill-time.js';
import { timeSentences, workSentence } from '../parts/prefill-words.js';
import { chartStyle } from '../styles/chart.css.js';
import { exactStyle } from '../styles/exact.css.js';
import { prefillStyle } from '../styles/prefill.css.js';

/**
 * How much work and time reading n tokens at once takes: counted, and measured in this tab, with the curve a + b·n + c·n² through what was measured.
 *
 * Attributes: `most` (the longest n; what the model reads if left out), `model`, `lang`, `theme`.
 */
export default class GlassboxContextCost extends GlassboxElement {
  static properties = {
    most: { reflect: true },
    model: { reflect: true },
    measured: { state: true },
    done: { state: true },
    stopped: { state: true },
    changed: { state: true },
    fault: { state: true },
  };

  static styles = [...GlassboxElement.styles, chartStyle, exactStyle, prefillStyle];
  static inputs = ['most', 'model'];

  #timing = null;
  #longest = new ExactNumber(this, {
    parse: (text) => {
      const [least, most] = this.#range();
      const plain = text.normalize('NFKC').replace(/[\s,_]/g, '');
      const n = /^\d{1,7}$/.test(plain) ? Number(plain) : NaN;
      return n >= least && n <= most ? n : NaN;
    },
    take: (n) => {
      this.changed = false;
      this.most = String(n);
    },
  });

  constructor() {
    super();
    this.#clear();
    this.changed = false;
  }

  #clear() {
    this.#timing?.abort();
    this.#timing = null;
    this.measured = null;
    this.done = null;
    this.stopped = false;
    this.fault = null;
  }

  async compute({ signal }) {
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { value, changed } = readMost(this.most, loaded.config.nPositions);
    return { ...loaded, longest: value, changed };
  }

  accept(result) {
    if (!result) return;
    this.#clear();
    this.changed = result.changed;
    if (this.most !== null && this.most !== undefined) this.most = String(result.longest);
  }

  reset() {
    this.#clear();
    this.#longest.clear();
    this.changed = false;
    super.reset();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#timing?.abort();
  }

  #range() {
    const context = this.result?.config.nPositions ?? leastLongest;
    return [Math.min(leastLongest, context), context];
  }

  #start = async () => {
    if (this.#timing || this.stale || !this.result || this.#longest.wrong) return;
    this.#clear();
    const timing = new AbortController();
    this.#timing = timing;
    this.done = { loaded: 0, total: 0 };
    try {
      const timed = await sharedEngine().timePrefill(lengthsUpTo(this.result.longest), {
        model: this.result.model,
        signal: timing.signal,
        onProgress: (progress) => {
          if (this.#timing === timing) this.done = progress;
        },
      });
      if (this.#timing !== timing) return;
      this.measured = summarise(timed);
    } catch (thrown) {
      if (this.#timing !== timing) return;
      if (thrown.code === 'cancelled') this.stopped = true;
      else this.fault = thrown;
    }
    this.#timing = null;
    this.done = null;
    if (this.fault) this.error = { code: this.fault.code ?? 'unknown', message: this.fault.message ?? '' };
    await this.updateComplete;
    this.dispatchEvent(new CustomEvent(this.error ? 'glassbox-error' : 'glassbox-ready', { bubbles: true, composed: true, detail: { code: this.error?.code } }));
  };

  #stop = () => this.#timing?.abort();

  exports() {
    const { result, measured, t } = this;
    if (!result) return null;
    const words = t.prefill;
    const { config, longest } = result;
    const work = (n) => countedWork(config, n);
    const sentences = { work: [workSentence(config, longest, words)], time: measured ? timeSentences(measured, words) : [] };
    return {
      name: `prefill-n${longest}`,
      svg: (theme) => prefillFigure({ work, longest, measured, sentences, words, language: this.language, note: `${t.model(result.model)} ${result.hash.slice(0, 8)}`, theme }),
      table: () => ({
        header: words.columns,
        rows: measured
          ? measured.points.map(({ tokens, least, middle, most, repeats }) => [tokens, middle, least, most, repeats, measured.a + measured.b * tokens + measured.c * tokens ** 2, work(tokens).total])
          : lengthsUpTo(longest).map((tokens) => [tokens, '', '', '', '', '', work(tokens).total]),
      }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.prefill;
    const [least, most] = this.#range();
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        ${this.#longest.render({ id: 'most', name: words.most, value: result?.longest ?? '' })}
        ${this.done
          ? html`<button class="btn" id="stop" type="button" @click=${this.#stop}>${words.cancel}</button>
              <div class="pre-run"><progress max=${this.done.total || 1} .value=${this.done.loaded} aria-label=${words.time}></progress><span>${words.running(this.done.loaded, this.done.total || '…')}</span></div>`
          : html`<button class="btn" id="start" type="button" aria-disabled=${!result || this.#longest.wrong ? 'true' : nothing} @click=${this.#start}>${this.measured ? words.again : words.start}</button>`}
      </div>
      ${this.#longest.renderFault(words.wrong(least, most))}
      ${this.changed ? html`<div class="notes" role="status"><p>${words.clamped(least, most)}</p></div>` : nothing}
      <div class="fig-body">${this.renderError()}${this.#renderBody(words)}</div>
      ${this.renderFoot({ facts: result ? this.sourceFacts({ model: result.model, hash: result.hash }) : this.sourceFacts({}) })}
    `;
  }

  #renderBody(words) {
    const { result, measured } = this;
    if (!result) return this.error ? nothing : html`<div class="empty wait"></div>`;
    const { config, longest } = result;
    const inner = Math.max(260, (this.width || 640) - (this.width < 602 ? 24 : 48) - 2);
    const beside = inner >= 700;
    const width = beside ? Math.floor((inner - 32) / 2) : inner;
    const paint = painter(null);
    const draw = (drawn) => unsafeHTML(picture({ width: drawn.width, height: drawn.height, body: drawn.body, theme: null }));
    const { attention, total } = countedWork(config, longest);
    const last = measured?.points.at(-1);
    const lines = measured ? timeSentences(measured, words) : [];
    return html`<div class="pre-two ${beside ? 'beside' : ''}">
      <div>
        <p class="caption"><b>${words.time}</b></p>
        ${measured
          ? html`<div role="img" id="times" aria-label=${words.timeLabel(last.tokens, formatNumber(last.least))}>${draw(timeShapes({ measured, width, words, paint }))}</div>
              <div class="says" id="says" role="status"><p class="pre-curve">${lines[0]}</p>${lines.slice(1, 3).map((line) => html`<p>${line}</p>`)}</div>
              <p class="hint">${lines[3]}</p>`
          : html`<div class="empty" role="status"><p>${this.done ? words.running(this.done.loaded, this.done.total || '…') : this.stopped ? words.stopped : words.idle}</p></div>`}
      </div>
      <div>
        <p class="caption"><b>${words.work}</b></p>
        <div role="img" aria-label=${words.workLabel(longest, formatFixed(total, 0), formatPercent(attention / total))}>${draw(workShapes({ work: (n) => countedWork(config, n), longest, width, words, language: this.language, paint }))}</div>
        <ul class="pre-key"><li><i class="m" aria-hidden="true"></i>${words.workKey.matrices}</li><li><i class="a" aria-hidden="true"></i>${words.workKey.attention}</li></ul>
        <p class="hint" id="work">${workSentence(config, longest, words)}</p>
      </div>
    </div>`;
  }
}
