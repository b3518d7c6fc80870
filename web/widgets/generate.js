import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { formatBytes } from '../draw/bytes.js';
import { tokenLabel } from '../draw/label.js';
import { grouped, inUnits } from '../draw/large-number.js';
import { textEnd } from '../draw/next-token-figure.js';
import { formatNumber } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { cacheShapes, generationFigure, laneShapes } from '../draw/timeline-figure.js';
import { tokenParts } from '../draw/units.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex } from '../parts/attributes.js';
import { groupSteps, inTurn, lengths, measureGeneration, middleRun, readRun, summary, spread, totalOf, usual, views, wholeMs } from '../parts/generation.js';
import { ModelElement } from '../parts/model-element.js';
import { generateCommand, mostSeed, nearestPosition, temperatures, topKs, topPs } from '../parts/next-token.js';
import { slider } from '../parts/slider.js';
import { stepper } from '../parts/stepper.js';
import { choice } from '../parts/switch.js';
import { textBox } from '../parts/text-box.js';
import { tokenMark } from '../parts/token-mark.js';
import { chartStyle } from '../styles/chart.css.js';
import { foldStyle } from '../styles/fold.css.js';
import { generateStyle } from '../styles/generate.css.js';
import { nextTokenStyle } from '../styles/next-token.css.js';

const patience = 400; // ms until a run that takes long is shown before there is anything else
const perByte = ({ multiplyAdds, weightBytes, cacheRead }) => multiplyAdds / (weightBytes + cacheRead); // multiply-adds
const kept = 6; // measurements that are kept, so that another view of the same run needs no new one

/**
 * A text continued, measured: when each token was there, the same without the KV cache, the cache filling up, and what each pass reads and does.
 *
 * Attributes: `text`, `max-tokens` (24), `temperature` (0), `top-k`, `top-p`, `seed`, `view` (`line`, `race`, `cache`, `work`), `step` (of the view
 * of the cache, from 1; the last by default), `knobs` (`open` shows the controls of sampling), `model`, `lang`, `theme`; all mirror the state.
 * Times are measured in the reader's browser; only one such widget of a page measures at a time.
 */
export default class GlassboxGenerate extends ModelElement {
  static properties = {
    maxTokens: { attribute: 'max-tokens', reflect: true },
    temperature: { reflect: true },
    topK: { attribute: 'top-k', reflect: true },
    topP: { attribute: 'top-p', reflect: true },
    seed: { reflect: true },
    view: { reflect: true },
    step: { reflect: true },
    knobs: { reflect: true },
    times: { state: true },
    stage: { state: true },
    live: { state: true },
  };

  static styles = [...ModelElement.styles, chartStyle, foldStyle, nextTokenStyle, generateStyle];
  static inputs = ['text', 'model', 'maxTokens', 'temperature', 'topK', 'topP', 'seed', 'view', 'times'];

  #control = null; // of the measurement that runs
  #stopped = false; // by the reader
  #key = null; // of what is being measured
  #measured = new Map();

  constructor() {
    super();
    this.times = 0; // how often the reader asked for a new measurement
    this.stage = null;
    this.live = null;
  }

  get prompts() {
    return this.t.generate.prompts;
  }

  get #view() {
    return views.includes(this.view) ? this.view : views[0];
  }

  get #settings() {
    return readRun(this);
  }

  /** What a measurement depends on. */
  get #inputs() {
    const { maxTokens, temperature, topK, topP, seed } = this.#settings;
    const draw = temperature === 0 ? [] : [topK, topP, seed];
    return JSON.stringify([this.shownText, this.model ?? '', maxTokens, temperature, draw, this.times, this.#view === 'race']);
  }

  willUpdate(changed) {
    super.willUpdate(changed);
    // What nobody waits for any more ends at once.
    if (this.#control && this.#inputs !== this.#key) this.#control.abort();
  }

  async compute({ signal }) {
    const text = this.shownText;
    if (text === '') return { empty: true };
    const key = this.#inputs;
    const found = this.#measured.get(key);
    if (found) return found;
    const race = this.#view === 'race';
    const settings = this.#settings;
    const control = new AbortController();
    const abort = () => control.abort();
    signal.addEventListener('abort', abort);
    this.#control = control;
    this.#key = key;
    this.#stopped = false;
    this.stage = { stage: 'load' };
    const start = performance.now();
    let base = { text, settings, race, stopped: true, notes: [] };
    // A run that takes long is shown, with the way to stop it, before it has anything to show.
    const timer = setTimeout(() => {
      if (!this.result && this.#control === control) this.result = { ...base, started: true };
    }, patience);
    try {
      const loaded = await this.loadModel(control.signal);
      if (!loaded) return this.#stopped ? base : null;
      const { kvCacheBytesPerToken } = await sharedEngine().load(loaded.model);
      base = { ...base, ...loaded, perToken: kvCacheBytesPerToken };
      const none = { stopped: true, runs: [] };
      const aborted = new Promise((resolve) => {
        control.signal.addEventListener('abort', resolve, { once: true });
        if (control.signal.aborted) resolve();
      });
      const { bad, ...options } = settings;
      let begun = false;
      this.stage = { stage: 'wait' };
      const mine = inTurn(() => {
        if (control.signal.aborted) return none;
        begun = true;
        return this.#measure(text, { ...options, model: loaded.model, race }, control.signal);
      });
      // A stop does not wait for the turn of a measurement that has not begun.
      const measured = await Promise.race([mine, aborted.then(() => (begun ? mine : none))]);
      if (control.signal.aborted && !this.#stopped) return null;
      const result = { ...base, ...measured, ms: performance.now() - start };
      if (!result.runs.length) return { ...result, stopped: true };
      const first = result.runs[0];
      const notes = [];
      if (bad.length) notes.push({ kind: 'bad', values: [bad] });
      const prompt = first.steps[0].tokens;
      const rereads = first.steps.filter(({ kind }) => kind === 'reread').length;
      const before = result.dropped - this.#droppedOnTheWay(first.steps);
      if (before > 0) notes.push({ kind: 'dropped', values: [before, prompt] });
      if (rereads > 0) notes.push({ kind: 'overflow', values: [base.config.nPositions, rereads] });
      const complete = { ...result, size: prompt, rereads, notes, sums: summary(result) };
      if (!complete.stopped) {
        this.#measured.set(key, complete);
        if (this.#measured.size > kept) this.#measured.delete(this.#measured.keys().next().value);
      }
      return complete;
    } catch (error) {
      if (error?.code === 'cancelled' && this.#stopped) return base;
      if (error?.code === 'cancelled' && control.signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (this.#control === control) this.#control = null;
      this.stage = null;
      this.live = null;
    }
  }

  #measure(text, options, signal) {
    this.live = [];
    return measureGeneration(sharedEngine(), text, options, {
      signal,
      onStage: (stage) => {
        this.stage = stage;
        if (stage.stage === 'write') this.requestUpdate();
      },
      onToken: (token) => {
        this.live = [...this.live, token];
      },
    });
  }

  /** Tokens that left the window while it was written: before each step that reads anew there were more. */
  #droppedOnTheWay(steps) {
    let held = 0;
    let dropped = 0;
    for (const { kind, tokens } of steps) {
      if (kind === 'reread') dropped += held + 1 - tokens;
      held = kind === 'decode' ? held + 1 : tokens;
    }
    return dropped;
  }

  accept(result) {
    this.notes = result?.notes ?? [];
  }

  renderNotes() {
    if (!this.notes.length) return nothing;
    return html`<div class="notes" role="status">${this.notes.map((note) => html`<p>${this.t.generate[note.kind](...note.values)}</p>`)}</div>`;
  }

  #start = () => {
    if (this.#control) return;
    this.times += 1;
  };

  #stop = () => {
    if (!this.#control) return;
    this.#stopped = true;
    this.#control.abort();
  };

  disconnectedCallback() {
    if (this.result?.started) this.result = null;
    super.disconnectedCallback();
  }

  #set(name, value, usually) {
    this[name] = value === usually ? null : String(value);
  }

  #count(n) {
    const unit = inUnits(n, this.language);
    return unit ? unit.text : grouped(n);
  }

  #ms(spreadOf) {
    return this.t.generate.ms(formatNumber(spreadOf.median));
  }

  #range({ least, most }) {
    return this.t.generate.ms(this.t.generate.between(formatNumber(least), formatNumber(most)));
  }

  // ---- what is drawn ----

  /** Bars of a run on the axis of ms, from `offset` on. */
  #bars({ steps }, offset, only = () => true) {
    const { tokens, clock } = this.result;
    return groupSteps(steps, 10 * clock)
      .filter(only)
      .map((group) => ({
        kind: group.kind,
        from: offset + group.startMs,
        to: offset + group.endMs,
        // A step reads a token and writes the next; the name is what it wrote.
        label: tokens.slice(group.from, group.to).map(({ token, bytes }) => tokenLabel(token, bytes).replace(/^␣(?=.)/, '')).join(' '),
      }));
  }

  get #lanes() {
    const { result, t } = this;
    const words = t.generate;
    if (result.race) {
      const sides = [[middleRun(result.runs), 'on'], [middleRun(result.off), 'off']];
      return {
        end: Math.max(...sides.map(([run]) => wholeMs(run.steps))),
        lanes: sides.map(([run, name]) => ({
          name: words.lanes[name](grouped(totalOf(run.steps).tokens)),
          value: words.ms(formatNumber(wholeMs(run.steps))),
          bars: this.#bars(run, 0).map((one) => ({ ...one, label: name === 'on' ? '' : one.label })),
        })),
      };
    }
    const run = middleRun(result.runs);
    const { tokeniseMs, steps } = run;
    const end = tokeniseMs + wholeMs(steps);
    const decodes = steps.slice(1).filter(({ kind }) => kind === 'decode');
    const after = this.#bars(run, tokeniseMs, ({ kind }) => kind !== 'prefill');
    return {
      end,
      lanes: [
        { name: words.lanes.tokenise, value: words.ms(formatNumber(tokeniseMs)), bars: [{ kind: 'tokenise', from: 0, to: tokeniseMs }] },
        { name: words.lanes.prefill(steps[0].tokens), value: words.ms(formatNumber(steps[0].ms)), bars: this.#bars(run, tokeniseMs, ({ kind }) => kind === 'prefill') },
        {
          name: after.length ? words.lanes.decode(decodes.length) + (result.rereads ? words.lanes.reread(result.rereads) : '') : words.lanes.none,
          value: after.length ? words.ms(formatNumber(after.at(-1).to - after[0].from)) : '',
          bars: after,
        },
      ],
    };
  }

  #drawLanes({ width, paint }) {
    return laneShapes({ ...this.#lanes, unit: 'ms', width, paint });
  }

  get #lineSays() {
    const { result, t } = this;
    const words = t.generate;
    return [
      ...(this.#grouped ? [words.together(formatNumber(result.clock))] : []),
      ...(result.prefill ? [words.prefillAlone({ ms: this.#ms(result.sums.prefill), range: this.#range(result.sums.prefill) })] : []),
      ...(result.runs.length > 1 ? [words.drawn(result.runs.length)] : []),
    ];
  }

  get #grouped() {
    return groupSteps(middleRun(this.result.runs).steps, 10 * this.result.clock).some(({ steps }) => steps > 1);
  }

  get #raceSays() {
    const { result, t } = this;
    const words = t.generate;
    const [on, off] = [result.runs, result.off].map((runs) => spread(runs.map(({ steps }) => wholeMs(steps))));
    const [work, other] = [result.runs[0], result.off[0]].map(({ steps }) => totalOf(steps).multiplyAdds);
    return [
      words.raced({ times: formatNumber(off.median / on.median), on: this.#ms(on), off: this.#ms(off), runs: result.runs.length }),
      ...(result.runs.length > 1 ? [words.racedSpread({ on: this.#range(on), off: this.#range(off) })] : []),
      words.counted({ on: words.times(this.#count(work)), off: words.times(this.#count(other)) }),
      result.same ? words.same : words.notSame,
    ];
  }

  /** The chosen step of the view of the cache, counted from 0. */
  get #at() {
    const last = this.result.runs[0].steps.length - 1;
    return this.step === null || this.step === undefined || this.step === '' ? last : clampIndex(Number(this.step) - 1, last).value;
  }

  /** What the cache holds after the chosen step: { used, prompt, fresh, bytes, capacity, kind }. */
  get #cache() {
    const { steps } = this.result.runs[0];
    const { perToken, config } = this.result;
    const { cacheBytes, kind } = steps[this.#at];
    const used = cacheBytes / perToken;
    // What was dropped were the oldest, so the prompt's share shrinks first.
    const fresh = Math.min(used, this.#at);
    return { used, fresh, prompt: used - fresh, bytes: cacheBytes, capacity: config.nPositions, kind };
  }

  #drawCache({ width, paint }) {
    return cacheShapes({ ...this.#cache, width, paint });
  }

  get #cacheSays() {
    const { result, t } = this;
    const words = t.generate;
    const { used, bytes, capacity, kind } = this.#cache;
    const { nLayer, nEmbd } = result.config;
    return [
      words.cacheNow({ used, bytes: formatBytes(bytes), capacity: grouped(capacity), whole: formatBytes(capacity * result.perToken) }),
      ...(kind === 'reread' ? [words.rereadNow] : []),
      words.perToken({ layers: nLayer, width: nEmbd, bytes: grouped(result.perToken) }),
    ];
  }

  /** The rows of the bill: [name, prefill, decode], each { text, more }. */
  get #bill() {
    const words = this.t.generate;
    const { prefill, decode } = this.result.sums.work;
    const row = (name, of, key = false) => ({ name: words.table[name], key, cells: [prefill, decode].map((side) => (side ? of(side) : { text: words.table.none })) });
    const measured = (spreadOf, unit) => (spreadOf ? { text: `${formatNumber(spreadOf.median)} ${unit}`, more: spreadOf.count > 1 ? words.between(formatNumber(spreadOf.least), formatNumber(spreadOf.most)) : '' } : { text: words.tooShort });
    return [
      row('multiplyAdds', ({ multiplyAdds }) => ({ text: words.times(this.#count(Math.round(multiplyAdds))) })),
      row('weightBytes', ({ weightBytes }) => ({ text: formatBytes(weightBytes) })),
      row('cacheRead', ({ cacheRead }) => ({ text: formatBytes(cacheRead) })),
      row('perByte', (side) => ({ text: formatNumber(perByte(side)) }), true),
      row('ms', ({ ms }) => measured(ms, 'ms')),
      row('gigaflops', ({ gigaflops }) => measured(gigaflops, 'GFLOP/s'), true),
      row('gigabytes', ({ gigabytes }) => measured(gigabytes, 'GB/s')),
    ];
  }

  get #workSays() {
    const words = this.t.generate;
    const { prefill, decode } = this.result.sums.work;
    const says = decode ? [words.workSays({ tokens: prefill.tokens, ratio: formatNumber(perByte(prefill) / perByte(decode)) })] : [];
    return [...says, words.workNote];
  }

  exports() {
    const { result, t } = this;
    if (!result?.runs?.length) return null;
    const view = this.#view;
    const words = t.generate;
    const bill = () => this.#bill.map(({ name, cells }) => `${name}: ${cells.map(({ text }) => text).join(' · ')}`);
    const drawings = {
      line: { draw: (room) => this.#drawLanes(room), lines: [this.#stats.map(({ name, value }) => `${name} ${value}`).join(' · '), ...this.#lineSays] },
      race: { draw: (room) => this.#drawLanes(room), lines: result.race ? this.#raceSays : [] },
      cache: { draw: (room) => this.#drawCache(room), lines: this.#cacheSays },
      work: { draw: () => ({ height: 0, body: '' }), lines: [words.table.prefill(result.sums.work.prefill.tokens) + ' · ' + words.table.decode(result.sums.work.decode?.steps ?? 0), ...bill(), ...this.#workSays] },
    };
    return {
      name: `generate-${view}`,
      svg: (theme) => generationFigure({ title: words.titles[view], text: textEnd(result.text + result.written, 160).replace(/\s+/g, ' '), ...drawings[view], note: this.sourceLine, theme }),
      table: () =>
        view === 'race' && result.race
          ? { header: words.raceHeader, rows: result.runs.map(({ steps }, i) => [i + 1, wholeMs(steps), wholeMs(result.off[i].steps)]) }
          : { header: words.stepHeader, rows: this.#stepRows },
    };
  }

  /** Every step of the drawn run, those that were timed together with the times of all of them. */
  get #stepRows() {
    const run = middleRun(this.result.runs);
    const { kinds } = this.t.generate;
    return groupSteps(run.steps, 10 * this.result.clock).flatMap((group) =>
      run.steps.slice(group.from, group.to).map((step, i) => [group.from + i + 1, kinds[step.kind], step.tokens, group.steps, group.startMs, group.endMs, step.multiplyAdds, step.weightBytes, step.cacheRead, step.cacheBytes]),
    );
  }

  get #stats() {
    const { result, t } = this;
    const words = t.generate;
    const { first, rate, whole } = result.sums;
    const many = result.runs.length > 1;
    return [
      { id: 'first', name: words.first, value: this.#ms(first), more: many ? this.#range(first) : '' },
      { id: 'rate', name: words.rate, value: rate ? words.rateValue(formatNumber(rate.median)) : words.tooShort, more: rate && many ? words.between(formatNumber(rate.least), formatNumber(rate.most)) : '' },
      { id: 'whole', name: words.whole, value: this.#ms(whole), more: many ? this.#range(whole) : '' },
    ];
  }

  // ---- the figure ----

  renderText() {
    return textBox({ name: this.t.generate.start, value: this.shownText, change: (text) => (this.text = text) });
  }

  renderFigure() {
    const { t } = this;
    const words = t.generate;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.titles[this.#view]}</p>
        <p class="lead">${words.leads[this.#view]}</p>
      </div>
      <div class="fig-ctl">${this.renderText()}${this.renderPrompts()}${this.#renderControls()}</div>
      ${this.renderNotes()}${this.#renderContent()}${this.renderModelFoot()}
    `;
  }

  #renderControls() {
    const words = this.t.generate;
    const { maxTokens, temperature, topK, topP, seed } = this.#settings;
    const running = this.stage !== null;
    return html`
      ${slider({ id: 'length', name: words.length, value: nearestPosition(lengths, maxTokens), max: lengths.length - 1, text: words.n(maxTokens), change: (at) => this.#set('maxTokens', lengths[at], usual.maxTokens) })}
      <div class="view-choice">${choice({ id: 'view', name: words.view, value: this.#view, options: views.map((value) => ({ value, name: words.views[value] })), change: (value) => this.#set('view', value, views[0]) })}</div>
      <details class="sampling fold" ?open=${this.knobs === 'open'} @toggle=${(event) => (this.knobs = event.target.open ? 'open' : null)}>
        <summary id="knobs">${words.sampling}<span>${words.samplingNow({ temperature, topK, topP, seed })}</span></summary>
        <div class="dice-knobs">${this.#renderKnobs()}</div>
      </details>
      <div class="run-acts">
        ${running
          ? html`<button class="btn main" type="button" id="stop" @click=${this.#stop}>${words.stop}</button>`
          : html`<button class="btn main" type="button" id="run" aria-disabled=${this.shownText === '' ? 'true' : 'false'} @click=${() => this.shownText !== '' && this.#start()}>${words.run}</button>`}
        <span class="stage" role="status">${running ? words.stages[this.stage.stage](this.stage.done, this.stage.of) : nothing}</span>
      </div>
    `;
  }

  #renderKnobs() {
    const { t } = this;
    const { temperature, topK, topP, seed } = this.#settings;
    return html`
      ${slider({ id: 'temperature', name: t.next.temperature, value: nearestPosition(temperatures, temperature), max: temperatures.length - 1, text: String(temperature), stops: [t.next.coldest, t.next.hottest], change: (at) => this.#set('temperature', temperatures[at], usual.temperature) })}
      ${slider({ id: 'top-k', name: t.next.topK, value: nearestPosition(topKs, topK, true), max: topKs.length - 1, text: topK ? t.next.keepK(formatNumber(topK)) : t.next.keepAll, stops: ['1', t.next.keepAll], change: (at) => this.#set('topK', topKs[at], usual.topK) })}
      ${slider({ id: 'top-p', name: t.next.topP, value: nearestPosition(topPs, topP), max: topPs.length - 1, text: topP < 1 ? t.next.keepP(topP) : t.next.keepAll, stops: ['0.1', t.next.keepAll], change: (at) => this.#set('topP', topPs[at], usual.topP) })}
      ${stepper({ id: 'seed', name: t.next.seed, value: Math.min(seed, Number.MAX_SAFE_INTEGER), max: Math.max(mostSeed, seed), t, change: (value) => this.#set('seed', value, usual.seed) })}
    `;
  }

  #renderContent() {
    const { result } = this;
    const words = this.t.generate;
    if (this.shownText === '') return html`<div class="fig-body">${this.renderError()}<div class="empty"><p>${words.empty}</p></div></div>`;
    const measured = result?.runs?.length ? result : null;
    // After a failure, or a stop before the first run was through, what was measured before is another text's.
    let body = html`<div class="empty wait"></div>`;
    if (measured) body = html`${measured.stopped ? html`<p class="hint stop-note" role="status">${words.stoppedAfter(measured.runs.length)}</p>` : nothing}${this.#renderView()}`;
    else if (this.error) body = nothing;
    else if (result?.stopped && !result.started && this.stage === null) body = html`<div class="empty"><p role="status">${words.stopped}</p></div>`;
    return html`<div class="fig-body">${this.renderError()}${this.#renderWritten(measured)}${body}</div>`;
  }

  /** The prompt and what is written after it, as it comes. */
  #renderWritten(measured) {
    const words = this.t.generate;
    const tokens = this.live ?? measured?.tokens;
    if (!tokens) return nothing;
    const text = this.live ? this.shownText : measured.text;
    const parts = tokenParts(tokens.map(({ bytes }) => bytes));
    const ended = !this.live && !measured.stopped && measured.tokens.length < measured.settings.maxTokens;
    return html`<div class="so-far">
      <p class="so-far-text" role="group" tabindex="0" aria-label=${words.wrote}><span>${textEnd(text, 80)}</span>${tokens.map(({ token, bytes }, i) => html`<wbr /><bdi class="new ${i % 2 ? 'odd' : ''}">${this.#mark(tokenLabel(token, bytes), parts[i])}</bdi>`)}</p>
      ${ended ? html`<span class="label">${words.ended}</span>` : nothing}
    </div>`;
  }

  #mark(label, part) {
    if (part || !/^␣./.test(label)) return tokenMark(label, part);
    return html`<small class="sp">␣</small>${label.slice(1)}`;
  }

  #drawing(draw, label) {
    const drawn = draw({ width: this.inner, paint: painter(null) });
    return html`<div class="lanes" role="img" aria-label=${label}>${unsafeHTML(picture({ width: this.inner, height: drawn.height, body: drawn.body, theme: null }))}</div>`;
  }

  #renderView() {
    const { result } = this;
    const words = this.t.generate;
    const view = this.#view;
    if (view === 'race') {
      // The race is still being run: the last result is of another view.
      if (!result.race) return html`<div class="empty wait"></div>`;
      return html`${this.#drawing((room) => this.#drawLanes(room), words.picture)}${this.#says(this.#raceSays)}${this.#renderCommands()}`;
    }
    if (view === 'cache') return this.#renderCache();
    if (view === 'work') return this.#renderWork();
    if (result.race) return html`<div class="empty wait"></div>`;
    return html`<dl class="stats">
        ${this.#stats.map(({ id, name, value, more }) => html`<div><dt>${name}</dt><dd><span class="big" id=${`stat-${id}`}>${value}</span><span class="spread">${more}</span></dd></div>`)}
      </dl>
      ${this.#drawing((room) => this.#drawLanes(room), words.picture)}
      <p class="hint">${this.t.sentences([...this.#lineSays, words.runs(result.runs.length)])}</p>
      ${this.#renderSteps()}`;
  }

  #says(sentences) {
    return html`<div class="says" id="says" role="status">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>`;
  }

  #renderSteps() {
    const words = this.t.generate;
    return html`<details class="steps-fold fold">
      <summary id="steps">${words.steps}</summary>
      <div class="scroll" tabindex="0" role="group" aria-label=${words.steps}>
        <table>
          <thead><tr>${words.stepHeader.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
          <tbody>${this.#stepRows.map((row) => html`<tr>${row.map((cell, i) => html`<td>${typeof cell !== 'number' ? cell : i === 4 || i === 5 ? formatNumber(cell) : grouped(cell)}</td>`)}</tr>`)}</tbody>
        </table>
      </div>
    </details>`;
  }

  #renderCache() {
    const { result } = this;
    const words = this.t.generate;
    const { steps } = result.runs[0];
    const { used, capacity } = this.#cache;
    return html`<div class="cache-step">
        ${slider({ id: 'step', name: words.cacheStep, value: this.#at, max: steps.length - 1, text: words.nth(this.#at + 1, steps.length), change: (at) => (this.step = at === steps.length - 1 ? null : String(at + 1)) })}
      </div>
      <div class="cache-cells">${this.#drawing((room) => this.#drawCache(room), words.cachePicture(used, capacity))}</div>
      <p class="legend">${['prompt', 'fresh', 'free'].map((name) => html`<span><i class=${name}></i>${words.legend[name]}</span>`)}</p>
      ${this.#says(this.#cacheSays)}`;
  }

  #renderWork() {
    const { result } = this;
    const words = this.t.generate;
    const { prefill, decode } = result.sums.work;
    return html`<table class="bill" aria-labelledby="title">
        <thead><tr><td></td><th scope="col">${words.table.prefill(prefill.tokens)}</th><th scope="col">${words.table.decode(decode?.steps ?? 0)}</th></tr></thead>
        <tbody>
          ${this.#bill.map(({ name, key, cells }) => html`<tr class=${key ? 'key' : ''}><th scope="row">${name}</th>${cells.map(({ text, more }) => html`<td><span>${text}</span>${more ? html`<small>${more}</small>` : nothing}</td>`)}</tr>`)}
        </tbody>
      </table>
      ${this.#says(this.#workSays)}`;
  }

  #renderCommands() {
    const { settings, text, tokens } = this.result;
    const words = this.t.generate;
    const command = generateCommand(text, settings, Math.max(1, tokens.length));
    return html`<div class="command"><span class="label">${words.command(true)}</span><div><code>${command}</code></div></div>
      <div class="command"><span class="label">${words.command(false)}</span><div><code>${command.replace('glassbox generate', 'glassbox generate --no-cache')}</code></div></div>`;
  }
}
