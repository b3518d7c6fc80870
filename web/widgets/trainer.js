import { html, nothing } from 'lit';
import { formatBytes } from '../draw/bytes.js';
import { grouped } from '../draw/large-number.js';
import { engineRoot } from '../engine/client.js';
import { estimate, trainingSizes } from '../engine/trainer-sizes.js';
import { errorSentence } from '../i18n/index.js';
import { GlassboxElement } from '../parts/element.js';
import { saveFile } from '../parts/save.js';
import { choice } from '../parts/switch.js';
import { fitTextBox } from '../parts/text-box.js';
import { exportsOf, renderAstray, renderCurve, renderSamples, renderSaved, renderStats, renderTake } from '../parts/trainer-panels.js';
import { countOf, rateText } from '../parts/trainer-numbers.js';
import { rateFault, rateField, renderSetup } from '../parts/trainer-setup.js';
import { TrainingDesk } from '../parts/training-desk.js';
import { TrainingGrid } from '../parts/training-grid.js';
import { projectText, readOwnFile } from '../parts/training-text.js';
import { cutText, fitsAttribute, isPair, mostRate, mostSteps, readRate, readSteps, readTraining } from '../parts/training.js';
import { chartStyle } from '../styles/chart.css.js';
import { foldStyle } from '../styles/fold.css.js';
import { trainerStyle } from '../styles/trainer.css.js';

const patience = 250; // ms between two drawings while it trains

let speed = null; // multiply-adds a ms, as the last run of this page measured it

/**
 * Trains a small GPT from random weights in the tab, on a text of ours or the reader's.
 *
 * Attributes: `corpus` (`zh`, `en`, `own`), `text` (an own text; an empty line parts documents), `held-out` (an own text to measure by), `size` (a name of trainingSizes, or
 * "layers width heads context"), `learning-rate`, `seed`, `steps` (where it stops by itself), `sample-every` (steps), `axis` (`log`), `layer`, `head` (of the attention
 * grid), `lang`, `theme`; all mirror the state. A long text or a file is kept out of the attributes. Nothing trains, and nothing for training is loaded, before the reader starts.
 */
export default class GlassboxTrainer extends GlassboxElement {
  static properties = {
    corpus: { reflect: true },
    text: { reflect: true },
    heldOut: { attribute: 'held-out', reflect: true },
    size: { reflect: true },
    learningRate: { attribute: 'learning-rate', reflect: true },
    seed: { reflect: true },
    steps: { reflect: true },
    sampleEvery: { attribute: 'sample-every', reflect: true },
    axis: { reflect: true },
    layer: { reflect: true },
    head: { reflect: true },
    file: { state: true },
    faults: { state: true },
    note: { state: true },
    asked: { state: true },
    opened: { state: true },
    sure: { state: true },
    busy: { state: true },
  };

  static styles = [...GlassboxElement.styles, chartStyle, foldStyle, trainerStyle];
  static inputs = ['corpus', 'text', 'size', 'file'];

  #timer = 0;
  #acting = false; // whether the focus was on a button of the run
  #grid = new TrainingGrid(this);
  #desk = new TrainingDesk({
    place: () => this.#place,
    changed: (now) => this.#show(now),
    hidden: (step) => (this.note = this.#words.states.hidden(grouped(step))),
    shown: (step) => (this.note = this.#words.states.shown(grouped(step))),
  });

  constructor() {
    super();
    this.file = null; // { name, text, bytes, encoding }
    this.faults = {}; // { rate: { fault, typed }, steps: { says, typed } }
    this.note = null;
    this.asked = null; // the kept run that is asked about
    this.opened = false;
    this.sure = false;
    this.busy = false;
  }

  get #words() {
    return this.t.trainer;
  }

  get #settings() {
    return readTraining(this);
  }

  /** The run that is worked at, or null. */
  get run() {
    return this.#desk.run;
  }

  /** Under which kept runs belong to this widget. */
  get #place() {
    if (this.id) return this.id;
    const place = [...document.querySelectorAll('glassbox-trainer:not([id])')].indexOf(this);
    return place > 0 ? `trainer-${place + 1}` : 'trainer';
  }

  connectedCallback() {
    super.connectedCallback();
    this.#desk.connect();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#desk.disconnect(() => !this.isConnected);
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  willUpdate(changed) {
    super.willUpdate(changed);
    this.#acting ||= Boolean(this.renderRoot?.activeElement?.closest('.run-acts, .saved-runs, .astray'));
  }

  updated(changed) {
    super.updated(changed);
    // A button that is pressed may go with what it began; the keyboard then finds the next one in its place.
    const next = this.renderRoot.querySelector('.run-acts button');
    if (this.#acting && next) {
      this.#acting = false;
      if (!this.renderRoot.activeElement && (document.activeElement === document.body || document.activeElement === this)) next.focus({ preventScroll: true });
    }
    for (const field of this.renderRoot.querySelectorAll('.f-text textarea')) fitTextBox(field);
  }

  /** Draws at once, or soon: a run has more to tell than a page should draw. */
  #show(now) {
    const { run } = this;
    if (run?.stepMs) speed = estimate(run.info).multiplyAdds / run.stepMs;
    if (now) {
      clearTimeout(this.#timer);
      this.#timer = 0;
      this.requestUpdate();
    } else {
      this.#timer ||= setTimeout(() => {
        this.#timer = 0;
        this.requestUpdate();
      }, patience);
    }
  }

  // ---- what can be computed without training ----

  async #whole(corpus) {
    return corpus === 'own' ? (this.file?.text ?? this.text ?? '') : projectText(corpus);
  }

  async compute() {
    const settings = this.#settings;
    const whole = await this.#whole(settings.corpus);
    const { bytes, cut } = cutText(whole);
    const chosen = { ...trainingSizes, [settings.size.name]: settings.size };
    const estimates = Object.fromEntries(Object.entries(chosen).map(([name, size]) => [name, { ...estimate({ size, vocabSize: size.vocabSize, tokensPerStep: size.tokensPerStep }), size }]));
    await this.#desk.list();
    return { bytes, whole: cut ? new TextEncoder().encode(whole).length : bytes, cut, estimates };
  }

  // ---- the run ----

  /** What fails is told in place; the settings are as they were. */
  async #try(act) {
    this.note = null;
    this.error = null;
    try {
      const run = await act();
      if (run) await this.#tell();
      return run;
    } catch ({ code, message }) {
      this.error = { code, message };
      this.dispatchEvent(new CustomEvent('glassbox-error', { bubbles: true, composed: true, detail: { code, message } }));
      return null;
    }
  }

  /** A new state is there to be seen. */
  async #tell() {
    this.requestUpdate();
    await this.updateComplete;
    this.dispatchEvent(new CustomEvent('glassbox-ready', { bubbles: true, composed: true }));
  }

  /** Begins with random weights; `then(run)` is what it does first. */
  async #start(then) {
    if (this.run) return;
    const words = this.#words;
    const settings = this.#settings;
    const own = settings.corpus === 'own';
    settings.label = own && this.file ? this.file.name : words.corpora[settings.corpus];
    const text = async () => cutText(await this.#whole(settings.corpus)).text;
    const run = await this.#try(() => this.#desk.start(settings, text, own ? (this.heldOut ?? null) : null));
    if (!run) return;
    await then(run);
    this.#tell();
  }

  #go = () => {
    this.note = null;
    this.run.run();
  };

  #pause = async () => {
    await this.run.pause();
    this.#tell();
  };

  #step = async () => {
    this.note = null;
    await this.run.stepOnce();
    this.#tell();
  };

  #back = async () => {
    const { run } = this;
    const { next } = run.astray;
    await run.goBack();
    if (run.state !== 'paused') return;
    this.learningRate = rateText(next);
    this.note = this.#words.astray.returned(grouped(run.step), rateText(next));
    this.#tell();
  };

  async #anew() {
    const left = await this.#desk.leave(this.sure);
    this.sure = !left;
    if (!left) return;
    this.note = this.#desk.left ? this.#words.undoNote : null;
    this.faults = {};
    this.#tell();
  }

  /** Goes on with a run; the attributes become those that it has. */
  async #resume(act) {
    const run = await this.#try(act);
    if (!run) return;
    const { settings, rate } = run;
    this.corpus = settings.corpus;
    this.size = settings.size.name;
    this.learningRate = rateText(rate);
    this.seed = String(settings.seed);
    this.steps = String(settings.steps);
    this.sampleEvery = String(settings.every);
  }

  reset() {
    if (this.run) this.#anew();
    this.file = null;
    this.faults = {};
    super.reset();
  }

  // ---- what the reader sets ----

  #setRate(rate) {
    this.faults = { ...this.faults, rate: null };
    this.learningRate = rateText(rate);
    if (!this.run) return;
    this.run.setRate(Number(rateText(rate)));
    this.note = this.#words.rateNow(rateText(rate));
  }

  #typeRate(typed) {
    const { value, fault } = readRate(typed);
    if (fault) this.faults = { ...this.faults, rate: { fault, typed } };
    else this.#setRate(value);
  }

  #scaleRate(times) {
    const rate = this.run.rate * times;
    if (rate > mostRate) this.faults = { ...this.faults, rate: { fault: 'large', typed: rateText(rate) } };
    else this.#setRate(rate);
  }

  #typeSteps(typed) {
    const steps = readSteps(typed);
    const bad = Number.isNaN(steps);
    this.faults = { ...this.faults, steps: bad ? { typed, says: this.#words.stepsBad(grouped(mostSteps)) } : null };
    if (!bad) this.steps = String(steps);
  }

  #typeText(text) {
    const short = fitsAttribute(text);
    this.file = short ? null : { name: this.#words.corpora.own, text, bytes: new TextEncoder().encode(text).length };
    this.text = short ? text : null;
    this.corpus = 'own';
  }

  #takeFile = async (event) => {
    const [file] = event.target.files;
    event.target.value = '';
    if (!file) return;
    const read = await readOwnFile(file).catch(() => null);
    this.note = read ? null : this.#words.noText;
    if (read) this.file = read;
  };

  // ---- taking along ----

  #download = async () => {
    const { run } = this;
    try {
      const bytes = await run.model();
      const name = `glassbox-step-${run.step}.safetensors`;
      saveFile(name, new Blob([bytes], { type: 'application/octet-stream' }));
      this.note = this.#words.downloaded(name, formatBytes(bytes.length));
    } catch (error) {
      this.note = errorSentence(error?.code, this.language);
    }
  };

  #openThere = async () => {
    const { run } = this;
    this.busy = true;
    const kept = await run.save();
    this.busy = false;
    if (!kept) return;
    const url = new URL('zh/04-attention.html', engineRoot());
    url.searchParams.set('attention.model', 'saved');
    url.searchParams.set('attention.text', run.taken.short);
    location.assign(url);
  };

  exports() {
    const { run } = this;
    return run?.curve.points.length ? exportsOf({ run, log: this.axis === 'log', facts: this.#facts, words: this.#words }) : null;
  }

  // ---- the figure ----

  get #facts() {
    const { run, language } = this;
    const words = this.#words;
    const { parameters, nonEmbedding, vocabSize, tokens, size } = run.info;
    return [
      run.settings.label,
      words.sizeIs(size),
      words.modelFacts({ parameters: grouped(parameters), nonEmbedding: grouped(nonEmbedding), vocabulary: grouped(vocabSize), train: countOf(tokens.train, language), heldOut: countOf(tokens.heldOut, language) }),
    ].join(' · ');
  }

  renderFigure() {
    const { run, result } = this;
    const words = this.#words;
    const { title, lead } = isPair(run?.settings ?? this.#settings, this.heldOut) ? words.pair : words;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${title}</p>
        <p class="lead">${lead}</p>
      </div>
      <div class="fig-ctl">${run ? this.#renderFacts() : this.#renderSetup()}${this.#renderActs()}${run ? this.#renderRate() : nothing}</div>
      ${this.#renderNotes()}
      <div class="fig-body">${this.#renderFailure()}${run?.info ? this.#renderRun() : this.#renderIdle()}</div>
      ${this.renderFoot({
        facts: run?.info
          ? [run.settings.label, words.parameters(countOf(run.info.parameters, this.language)), run.saved && !run.storageFault ? words.saved(grouped(run.saved.step), this.#when(run.saved.date, { timeStyle: 'medium' })) : null]
          : [result?.bytes ? words.textFacts(formatBytes(result.bytes)) : null],
      })}
    `;
  }

  #renderSetup() {
    const { result, file, text, heldOut, faults, t, language } = this;
    const settings = this.#settings;
    // The estimates of the last computation may lack a size that was only just chosen.
    if (!result?.estimates[settings.size.name]) return nothing;
    return renderSetup(
      { settings, file, text, heldOut, estimates: result.estimates, speed, faults, open: this.opened, words: this.#words, t, language },
      {
        corpus: (value) => (this.corpus = value),
        text: (value) => this.#typeText(value),
        heldOut: (value) => (this.heldOut = value),
        file: this.#takeFile,
        forgetFile: () => (this.file = null),
        size: (name) => (this.size = name),
        more: (open) => (this.opened = open),
        rate: (typed) => this.#typeRate(typed),
        steps: (typed) => this.#typeSteps(typed),
        every: (n) => (this.sampleEvery = String(n)),
        seed: (n) => (this.seed = String(n)),
      },
    );
  }

  #renderFacts() {
    return this.run.info ? html`<p class="facts">${this.#facts}</p>` : nothing;
  }

  #renderRate() {
    const { run, faults } = this;
    const words = this.#words;
    if (!run.info || run.state === 'astray' || run.state === 'failed') return nothing;
    return html`${rateField({ rate: run.rate, fault: faults.rate, words, change: (typed) => this.#typeRate(typed), scale: (times) => this.#scaleRate(times) })}${rateFault(faults.rate, words)}`;
  }

  #renderActs() {
    const { run } = this;
    const { saves, left } = this.#desk;
    const words = this.#words;
    const button = (id, name, act, { main = false, off = false } = {}) => html`<button class="btn ${main ? 'main' : ''}" id=${id} type="button" aria-disabled=${off ? 'true' : 'false'} @click=${() => off || act()}>${name}</button>`;
    if (!run) {
      const off = !this.result;
      const [newest] = saves;
      return html`<div class="run-acts">
        ${button('start', words.start, () => this.#start((begun) => begun.run()), { main: true, off })}${button('one', words.oneStep, () => this.#start((begun) => begun.stepOnce()), { off })}
        ${left ? button('undo', words.undo(grouped(left.kept.summary.step)), () => this.#resume(() => this.#desk.comeBack())) : nothing}
        ${newest && !left ? button('go-on', words.goOnAt(words.goOn, grouped(newest.step)), () => this.#resume(() => this.#desk.goOn(newest.id))) : nothing}
      </div>`;
    }
    if (!run.info) {
      const { loaded, total } = run.progress ?? {};
      return html`<div class="run-acts">${button('cancel', words.cancel, () => this.#anew())}<span class="stage" role="status">${total > 1 ? words.states.opened(`${Math.round((100 * loaded) / total)}%`) : words.states.opening}</span></div>`;
    }
    const still = run.state === 'paused';
    const stage = run.pausing ? words.states.pausing : run.running ? words.states.running : run.done ? words.states.done(grouped(run.step)) : still && !this.note ? words.states.paused(grouped(run.step)) : '';
    const first = run.running ? button('pause', words.pause, this.#pause, { main: true }) : button('resume', run.started ? words.resume : words.start, this.#go, { main: true, off: !still });
    return html`<div class="run-acts">
      ${run.state === 'astray' ? nothing : first}${button('one', words.oneStep, this.#step, { off: !still })}${button('anew', words.anew, () => this.#anew())}
      <span class="stage" role="status">${stage}</span>
      ${this.sure ? html`<div class="entry-error sure" role="alert"><p>${words.anewSure}</p>${button('anew-sure', words.anewGo, () => this.#anew())}${button('anew-not', words.keep, () => (this.sure = false))}</div>` : nothing}
    </div>`;
  }

  #renderNotes() {
    const { run, result } = this;
    const words = this.#words;
    const { bad } = this.#settings;
    const list = run
      ? [run.astray ? null : this.note, run.storageFault ? (words.storage[run.storageFault] ?? words.storage.other) : null]
      : [this.note, bad.length ? words.badAttributes(bad) : null, result?.cut ? words.cut(formatBytes(result.bytes), formatBytes(result.whole)) : null];
    const said = list.filter(Boolean);
    return said.length ? html`<div class="notes" role="status">${said.map((one) => html`<p>${one}</p>`)}</div>` : nothing;
  }

  #renderFailure() {
    const { run } = this;
    if (run?.state !== 'failed') return this.renderError();
    return html`<div class="err" role="alert"><span>${errorSentence(run.failure.code, this.language)}</span><button class="btn" id="recover" type="button" @click=${() => run.recover()}>${this.t.retry}</button></div>`;
  }

  #renderIdle() {
    const words = this.#words;
    if (this.run) return html`<div class="empty wait"></div>`;
    return html`<div class="empty"><p>${this.result ? words.idle : words.idleWait}</p></div>
      ${renderSaved({
        saves: this.#desk.saves,
        asked: this.asked,
        words,
        when: (date) => this.#when(date, { dateStyle: 'medium', timeStyle: 'short' }),
        goOn: (id) => this.#resume(() => this.#desk.goOn(id)),
        ask: (id) => (this.asked = id),
        remove: async (id) => {
          this.asked = null;
          await this.#desk.remove(id);
          this.note = words.removed;
        },
      })}`;
  }

  #renderRun() {
    const { run } = this;
    const words = this.#words;
    const room = Math.max(240, (this.width || 640) - (this.width < 602 ? 24 : 48) - 2);
    const controls = choice({
      id: 'axis',
      name: words.axis,
      value: this.axis === 'log' ? 'log' : 'linear',
      options: ['linear', 'log'].map((value) => ({ value, name: words[value] })),
      change: (value) => (this.axis = value === 'log' ? 'log' : null),
    });
    return html`
      ${run.astray ? renderAstray({ run, words, back: this.#back }) : nothing}${renderStats(run, words)}
      ${renderCurve({ run, log: this.axis === 'log', width: room, words, controls, zh: this.language === 'zh' })}
      <div class="beside">${renderSamples({ run, words })}${run.look ? this.#grid.render(run.look, this.width < 862 ? room : (room - 32) / 2) : nothing}</div>
      ${renderTake({ run, words, link: engineRoot().origin === location.origin, busy: this.busy, act: { download: this.#download, openThere: this.#openThere } })}
    `;
  }

  #when(date, style) {
    return new Intl.DateTimeFormat(this.language === 'zh' ? 'zh-CN' : 'en-GB', style).format(new Date(date));
  }
}
