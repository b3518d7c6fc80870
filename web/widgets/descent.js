import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { curveShapes, descentFigure, fitShapes, tokenLossShapes } from '../draw/descent-figure.js';
import { tokenLabels } from '../draw/label.js';
import { formatNumber } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { nextTurn } from '../engine/turn.js';
import { clampIndex } from '../parts/attributes.js';
import {
  askModelLandscape, largestCoordinate, largestRate, mostSteps, parseDecimal, pointsLandscape, presetRates, rateStop, rateStops, readDescent, walk, weightStep, writePoints,
} from '../parts/descent.js';
import { descentSentences, plainRate, shortNumber } from '../parts/descent-words.js';
import { ModelElement } from '../parts/model-element.js';
import { slider } from '../parts/slider.js';
import { choice } from '../parts/switch.js';
import { chartStyle } from '../styles/chart.css.js';
import { descentStyle } from '../styles/descent.css.js';
import { foldStyle } from '../styles/fold.css.js';

const pace = 220; // ms between two steps
const mostRun = 40; // steps of one run
const near = 26; // px around a point that count as touching it

/**
 * Gradient descent on one weight: of y = w·x over points that the reader moves, or one of the model's own with the true loss of a text.
 *
 * Attributes: `of` (`points` or `model`), `points` ("1,2 2,2 3,5"), `text`, `model`, `index` (which weight), `w` (where it starts), `rate` (the learning rate),
 * `steps` (how many were taken), `batch` (`all`, or `one` point after the other), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxDescent extends ModelElement {
  static properties = {
    of: { reflect: true },
    points: { reflect: true },
    index: { reflect: true },
    w: { reflect: true },
    rate: { reflect: true },
    steps: { reflect: true },
    batch: { reflect: true },
    rateDraft: { state: true },
    pointDrafts: { state: true },
    bad: { state: true },
    running: { state: true },
  };

  static styles = [...ModelElement.styles, chartStyle, foldStyle, descentStyle];
  static inputs = ['of', 'text', 'model', 'index'];

  #timer = 0;
  #drag = null;
  #made = null; // the landscape of points, kept while they stay

  constructor() {
    super();
    this.rateDraft = null;
    this.pointDrafts = null;
    this.bad = [];
    this.running = false;
  }

  get prompts() {
    return this.t.descent.texts;
  }

  get #ofModel() {
    return this.of === 'model';
  }

  get #landscape() {
    if (this.#ofModel) return this.result?.landscape ?? null;
    const { points } = this.#settings;
    const key = writePoints(points);
    if (this.#made?.key !== key) this.#made = { key, landscape: pointsLandscape(points) };
    return this.#made.landscape;
  }

  get #settings() {
    const read = readDescent(this);
    if (this.rate === null || this.rate === undefined) read.rate = this.#ofModel ? presetRates(this.result?.landscape ?? { range: [0, 1] }).good ?? 10 : read.rate;
    return read;
  }

  /** Settings with a start, and the walk from it. */
  get #walk() {
    const landscape = this.#landscape;
    if (!landscape) return null;
    const settings = this.#settings;
    const [from, to] = landscape.range;
    const w = settings.w ?? (this.#ofModel ? from + 0.1 * (to - from) : 0);
    return { ...settings, w, landscape, walked: walk(landscape, { ...settings, w }) };
  }

  willUpdate(changed) {
    const names = ['points', 'w', 'rate', 'steps', 'batch'];
    if (!names.some((name) => changed.has(name)) || this.pointDrafts) return;
    const { bad } = readDescent(this);
    if (!bad.length) return;
    this.bad = bad;
    for (const name of bad) this[name] = null;
  }

  async compute({ signal }) {
    if (!this.#ofModel) return { size: 1 };
    const text = this.shownText;
    if (text === '') return { empty: true };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { value: index, clamped } = clampIndex(this.index ?? 0, loaded.config.nEmbd - 1);
    const start = performance.now();
    const asked = await askModelLandscape(sharedEngine(), text, { model: loaded.model, config: loaded.config, index });
    if (asked.few) return { ...loaded, few: true, index };
    const { landscape, tokens, bytes, dropped } = asked;
    // The curve of a long text takes a while: the page may answer in between. What is computed here is not computed again.
    const [from, to] = landscape.range;
    for (let i = 0; i <= 80; i += 1) {
      landscape.loss(from + ((to - from) * i) / 80);
      if (i % 8 === 7) await nextTurn();
      if (signal.aborted) return null;
    }
    const notes = [
      ...(clamped ? [{ says: (words) => words.clampedIndex(loaded.config.nEmbd - 1) }] : []),
      ...(dropped ? [{ says: (words) => words.droppedOld(dropped) }] : []),
    ];
    return { ...loaded, landscape, index, clamped, labels: tokenLabels(tokens, bytes), size: tokens.length, ms: performance.now() - start, modelNotes: notes };
  }

  accept(result) {
    this.notes = [];
    if (result?.clamped) this.index = String(result.index);
  }

  reset() {
    this.#stop();
    this.rateDraft = null;
    this.pointDrafts = null;
    this.bad = [];
    super.reset();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
  }

  // ---- what the reader does ----

  #moveTo(w) {
    const [from, to] = this.#landscape.range;
    const step = weightStep([from, to]);
    this.#stop();
    this.bad = [];
    this.steps = null;
    this.w = String(Number((Math.round(Math.min(to, Math.max(from, w)) / step) * step).toFixed(6)));
  }

  #setRate(rate) {
    this.bad = [];
    this.rate = String(rate);
  }

  #typeRate(text) {
    this.rateDraft = text;
    const { value, fault } = parseDecimal(text, largestRate);
    if (!fault) this.#setRate(value);
  }

  #step = () => {
    this.#stop();
    this.#advance();
  };

  #advance() {
    const { steps } = this.#settings;
    if (steps >= mostSteps || this.#walk.walked.state === 'lost') return false;
    this.bad = [];
    this.steps = String(steps + 1);
    return true;
  }

  get #ended() {
    const { walked, landscape, steps } = this.#walk;
    const [from, to] = landscape.range;
    const last = walked.path.at(-1);
    const out = last.w < from || last.w > to;
    return ['there', 'still', 'flat', 'lost'].includes(walked.state) || (['away', 'uphill'].includes(walked.state) && out) || steps >= mostSteps;
  }

  #run = () => {
    if (this.running) {
      this.#stop();
      return;
    }
    if (this.#ended) this.steps = null;
    const began = this.#settings.steps;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      while (this.#settings.steps - began < mostRun && this.#advance() && !this.#ended);
      return;
    }
    this.running = true;
    const tick = () => {
      if (!this.#advance() || this.#ended || this.#settings.steps - began >= mostRun) this.#stop();
      else this.#timer = setTimeout(tick, pace);
    };
    this.#timer = setTimeout(tick, pace);
  };

  #stop() {
    clearTimeout(this.#timer);
    this.running = false;
  }

  #back = () => {
    this.#stop();
    this.steps = null;
  };

  #preset(rate) {
    this.#stop();
    this.rateDraft = null;
    this.#setRate(rate);
    this.steps = null;
    this.#run();
  }

  #placeOf(event) {
    const box = event.currentTarget.querySelector('svg').getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #curveDown = (event) => {
    if (event.button) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.#drag = { curve: true };
    this.#curveMove(event);
  };

  #curveMove = (event) => {
    if (!this.#drag?.curve) return;
    this.#moveTo(this.#curve.toW(this.#placeOf(event).x));
  };

  #fitDown = (event) => {
    if (event.button) return;
    const place = this.#placeOf(event);
    const far = this.#fit.at.map(({ x, y }) => Math.hypot(x - place.x, y - place.y));
    const point = far.indexOf(Math.min(...far));
    if (far[point] > near) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    // The axes stay as they are while a point is dragged.
    this.#drag = { point, toPoint: this.#fit.toPoint };
  };

  #fitMove = (event) => {
    if (this.#drag?.point === undefined) return;
    const place = this.#placeOf(event);
    const half = (x) => Math.round(x * 2) / 2;
    this.#setPoint(this.#drag.point, this.#drag.toPoint(place.x, place.y).map(half));
  };

  #drop = () => {
    this.#drag = null;
    this.requestUpdate();
  };

  #setPoint(i, pair) {
    this.#stop();
    this.bad = [];
    this.pointDrafts = null;
    const points = this.#settings.points.map((point, other) => (other === i ? pair : point));
    this.points = writePoints(points);
  }

  #typePoint(i, axis, text) {
    const drafts = this.pointDrafts ?? this.#settings.points.map((pair) => pair.map(String));
    drafts[i][axis] = text;
    this.pointDrafts = drafts.map((pair) => pair.slice());
    const numbers = drafts.map((pair) => pair.map((draft) => parseDecimal(draft, largestCoordinate)));
    if (numbers.every((pair) => pair.every(({ fault }) => !fault))) this.points = writePoints(numbers.map((pair) => pair.map(({ value }) => value)));
  }

  // ---- what is shown ----

  #title(words) {
    return words.titles[this.#ofModel ? 'model' : 'points'];
  }

  exports() {
    const now = this.#walk;
    const { result, t } = this;
    if (!now || (this.#ofModel && (!result || result.empty || result.few))) return null;
    const words = t.descent;
    const { landscape, walked } = now;
    const ofModel = this.#ofModel;
    const title = ofModel ? `${this.#title(words)}：${words.which(result.index)}` : this.#title(words);
    return {
      name: ofModel ? `descent-weight-${result.index}` : 'descent',
      svg: (theme) =>
        descentFigure({
          landscape,
          walked,
          labels: ofModel ? result.labels.slice(1) : null,
          losses: ofModel ? landscape.losses(walked.path.at(-1).w) : null,
          sentences: descentSentences({ ...now, words }),
          title,
          words,
          note: ofModel ? this.sourceLine : words.byHand,
          theme,
        }),
      table: () => ({ header: words.header, rows: walked.path.map(({ w, loss, slope }, i) => [i, w, loss, slope]) }),
    };
  }

  renderFigure() {
    const words = this.t.descent;
    const now = this.#walk;
    const { rate } = this.#settings;
    const stops = rateStops[this.#ofModel ? 'model' : 'points'];
    const { fault } = this.rateDraft === null ? {} : parseDecimal(this.rateDraft, largestRate);
    const rates = now ? presetRates(now.landscape) : {};
    return html`
      <div class="fig-head">
        <p class="title" id="title">${this.#title(words)}</p>
        <p class="lead">${words.leads[this.#ofModel ? 'model' : 'points']}</p>
      </div>
      ${this.#ofModel
        ? html`<div class="fig-ctl">${this.renderText()}${this.renderStepper('index', words.index, (this.result?.config?.nEmbd ?? 1) - 1)}${this.renderPrompts()}</div>`
        : nothing}
      ${this.bad.length ? html`<div class="notes" role="status"><p>${words.changed(this.bad)}</p></div>` : nothing}
      ${this.result?.modelNotes?.length ? html`<div class="notes" role="status">${this.result.modelNotes.map(({ says }) => html`<p>${says(words)}</p>`)}</div>` : nothing}
      <div class="fig-body">${this.renderError()}${this.#renderBody(now, words)}</div>
      <div class="fig-ctl below">
        ${slider({
          id: 'rate',
          name: words.rate,
          value: rateStop(stops, rate),
          max: stops.length - 1,
          text: plainRate(rate),
          change: (at) => {
            this.rateDraft = null;
            this.#setRate(stops[at]);
          },
        })}
        <div class="field exact">
          <label for="exact-rate">${words.exactRate}</label>
          <input id="exact-rate" class="text" inputmode="text" autocomplete="off" spellcheck="false" .value=${live(this.rateDraft ?? String(rate))} aria-invalid=${fault ? 'true' : 'false'} aria-describedby=${fault ? 'fault' : nothing} @input=${(event) => this.#typeRate(event.target.value)} />
        </div>
        <div class="prompts">
          <span class="label" id="try-rate">${this.t.try}</span>
          <div role="group" aria-labelledby="try-rate">
            ${Object.entries(rates).map(([name, value]) => html`<button class="btn quiet" id=${`rate-${name}`} type="button" aria-pressed=${value === rate ? 'true' : 'false'} @click=${() => this.#preset(value)}>${words.presets[name]}</button>`)}
          </div>
        </div>
        ${this.#ofModel
          ? nothing
          : choice({ id: 'batch', name: words.batch, value: this.#settings.batch, options: ['all', 'one'].map((value) => ({ value, name: words.batches[value] })), change: (value) => { this.batch = value === 'all' ? null : value; } })}
      </div>
      ${fault ? html`<p class="entry-error place" id="fault" role="alert">${fault === 'large' ? words.faults.large(formatNumber(largestRate)) : words.faults[fault]}</p>` : nothing}
      ${this.#ofModel ? nothing : this.#renderPoints(words)}
      ${this.renderFoot({ facts: this.#ofModel ? this.sourceFacts(this.result && !this.result.empty ? { model: this.result.model, hash: this.result.hash, tokens: this.result.size, ms: this.result.ms } : {}) : [words.byHand] })}
    `;
  }

  #fit = null;
  #curve = null;

  #renderBody(now, words) {
    const { result } = this;
    if (this.#ofModel) {
      if (this.shownText === '') return html`<div class="empty"><p>${words.empty}</p></div>`;
      if (!result) return this.error ? nothing : html`<div class="empty wait"></div>`;
      if (result.few) return html`<div class="empty"><p>${words.few}</p></div>`;
    }
    if (!now) return this.error ? nothing : html`<div class="empty wait"></div>`;
    const { inner } = this;
    const beside = inner >= 640;
    const width = beside ? Math.floor((inner - 24) / 2) : inner;
    const paint = painter(null);
    const { landscape, walked } = now;
    const last = walked.path.at(-1);
    const height = beside ? 300 : 210;
    const draw = (drawn) => unsafeHTML(picture({ width: drawn.width, height: drawn.height, body: drawn.body, theme: null }));
    this.#curve = curveShapes({ landscape, walked, width, height: beside ? 300 : 230, words, paint });
    let left;
    if (this.#ofModel) {
      const bars = tokenLossShapes({ labels: result.labels.slice(1), losses: landscape.losses(Math.abs(last.w) < 1e6 ? last.w : Math.sign(last.w) * 1e6), width, words, paint, most: beside ? 11 : 8 });
      left = html`<div role="img" aria-label=${words.barsLabel(result.labels.length - 1)}>${draw(bars)}</div>`;
    } else {
      this.#fit = fitShapes({ points: landscape.points, w: last.w, width, height, words, paint });
      left = html`<div class="fit" role="img" aria-label=${words.fitLabel(shortNumber(last.w), landscape.count)} @pointerdown=${this.#fitDown} @pointermove=${this.#fitMove} @pointerup=${this.#drop} @pointercancel=${this.#drop}>${draw(this.#fit)}</div>`;
    }
    const [from, to] = landscape.range;
    const sentences = descentSentences({ ...now, words });
    const bad = ['away', 'lost', 'uphill'].includes(walked.state);
    return html`<div class="way ${beside ? 'beside' : ''}">
        <div class="way-left">${left}</div>
        <div>
          <div class="curve" role="img" id="curve" aria-label=${words.curveLabel(shortNumber(last.w), shortNumber(last.loss), shortNumber(last.slope))} @pointerdown=${this.#curveDown} @pointermove=${this.#curveMove} @pointerup=${this.#drop} @pointercancel=${this.#drop}>${draw(this.#curve)}</div>
          <input class="on-curve" type="range" id="weight" min=${from} max=${to} step=${weightStep([from, to])} .value=${live(String(Math.min(to, Math.max(from, last.w))))} aria-label=${words.weight} aria-valuetext=${`w = ${shortNumber(last.w)}`} @input=${(event) => this.#moveTo(Number(event.target.value))} />
        </div>
      </div>
      <div class="way-acts">
        <button class="btn strong" id="step" type="button" aria-disabled=${walked.state === 'lost' || now.steps >= mostSteps ? 'true' : nothing} @click=${this.#step}>${words.step}</button>
        <button class="btn" id="run" type="button" @click=${this.#run}>${this.running ? words.stop : words.run}</button>
        <button class="btn quiet" id="back" type="button" aria-disabled=${now.steps ? nothing : 'true'} @click=${this.#back}>${words.back}</button>
      </div>
      <div class="says ${bad ? 'bad' : ''}" id="says" role="status">${sentences.map((line, i) => html`<p class=${i === 1 && walked.state !== 'lost' ? 'sum' : ''}>${line}</p>`)}</div>
      ${this.#ofModel ? html`<p class="hint">${words.which(result.index)}</p>` : nothing}`;
  }

  #renderPoints(words) {
    const { points } = this.#settings;
    const drafts = this.pointDrafts ?? points.map((pair) => pair.map(String));
    const isBad = (text) => Boolean(parseDecimal(text, largestCoordinate).fault);
    const wrong = drafts.some((pair) => pair.some(isBad));
    return html`<details class="point-fold fold">
      <summary>${words.editPoints}</summary>
      <div class="point-list">
        ${drafts.map((pair, i) => html`<span class="point-pair">(${pair.map((text, axis) => html`${axis ? ', ' : ''}<input class="text" inputmode="text" autocomplete="off" .value=${live(text)} aria-label=${(axis ? words.pointY : words.pointX)(i + 1)} aria-invalid=${isBad(text) ? 'true' : 'false'} @input=${(event) => this.#typePoint(i, axis, event.target.value)} />`)})</span>`)}
      </div>
      ${wrong ? html`<p class="entry-error" role="alert">${words.pointFault(largestCoordinate)}</p>` : html`<p class="hint">${words.dragPoints}</p>`}
    </details>`;
  }
}
