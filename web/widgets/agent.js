import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { agentFigure } from '../draw/agent-figure.js';
import { tokenLabel } from '../draw/label.js';
import { formatPercent } from '../draw/number.js';
import { tokenParts } from '../draw/units.js';
import { sharedEngine } from '../engine/client.js';
import { advance, alone, askedText, begin, cases, edit, look, mostSteps, readSettings, replay, run, settingsOf, toolNames, usualSteps, writtenText } from '../parts/agent.js';
import { agentTable, agentView } from '../parts/agent-view.js';
import { transcriptText } from '../parts/agent-words.js';
import { ModelElement } from '../parts/model-element.js';
import { stepper } from '../parts/stepper.js';
import { toggle } from '../parts/switch.js';
import { fitTextBox, textBox } from '../parts/text-box.js';
import { tokenMark } from '../parts/token-mark.js';
import { agentStyle } from '../styles/agent.css.js';
import { foldStyle } from '../styles/fold.css.js';
import { nextTokenStyle } from '../styles/next-token.css.js';

const picks = 3; // next tokens to choose from
const longText = 600; // characters from which a part scrolls

/**
 * A model that calls tools, and the program that does what it calls for: step by step, with every part of the transcript open to change.
 *
 * Attributes: `text` (the question), `so-far` (the transcript behind it; without it the loop runs to its end by itself), `added` (ids of tokens that are not in it
 * yet), `off` (of calc, clock, dict and runtime, with spaces), `clock` (HH:MM), `entry` (word=what the dictionary says), `result` (what every tool
 * says), `max-steps`, `own` (`off` hides what the model writes without a program), `rules` (`open` shows the tools), `model`, `lang`, `theme`; all mirror the state.
 */
export default class GlassboxAgent extends ModelElement {
  static properties = {
    soFar: { attribute: 'so-far', reflect: true },
    added: { reflect: true },
    off: { reflect: true },
    clock: { reflect: true },
    entry: { reflect: true },
    forced: { attribute: 'result', reflect: true },
    maxSteps: { attribute: 'max-steps', reflect: true },
    own: { reflect: true },
    rules: { reflect: true },
    live: { state: true },
    busy: { state: true },
    editing: { state: true },
    clockFault: { state: true },
  };

  static styles = [...ModelElement.styles, foldStyle, nextTokenStyle, agentStyle];
  static inputs = ['text', 'model', 'soFar', 'added', 'off', 'clock', 'entry', 'forced', 'maxSteps', 'own'];

  #control = null; // of the run that the reader started
  #known = null; // { key, state, stopped }: what the attributes stand for
  #chosen = null; // the case that was last brought into sight
  #owns = new Map(); // what was written without a program, by question

  constructor() {
    super();
    this.live = null;
    this.busy = false;
    this.editing = null;
    this.clockFault = false;
  }

  get #cases() {
    return cases[this.language];
  }

  get shownText() {
    return this.text ?? this.#cases[0].text;
  }

  get #settings() {
    const { off, clock, entry, forced: result, maxSteps } = this;
    return readSettings({ off, clock, entry, result, maxSteps });
  }

  /** What the transcript depends on besides itself. */
  get #key() {
    return JSON.stringify([this.shownText, this.model ?? '', this.soFar ?? null, this.added ?? '', this.off ?? '', this.clock ?? '', this.entry ?? '', this.forced ?? '', this.maxSteps ?? '']);
  }

  willUpdate(changed) {
    super.willUpdate(changed);
    if (GlassboxAgent.inputs.some((name) => changed.has(name))) {
      this.#control?.abort();
      if (['text', 'soFar', 'added'].some((name) => changed.has(name))) this.editing = null;
    }
  }

  updated(changed) {
    super.updated(changed);
    // Where the cases stand in one line that moves, the chosen one is in sight.
    const chosen = this.renderRoot.querySelector('[data-case][aria-pressed="true"]');
    if (!chosen || chosen === this.#chosen) return;
    this.#chosen = chosen;
    const [at, line] = [chosen, chosen.parentElement].map((element) => element.getBoundingClientRect());
    chosen.parentElement.scrollLeft += Math.max(0, at.right + 32 - line.right) + Math.min(0, at.left - 4 - line.left);
  }

  async compute({ signal }) {
    const question = this.shownText.trim();
    if (question === '') return { empty: true };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model } = loaded;
    const engine = sharedEngine();
    const start = performance.now();
    const settings = this.#settings;
    const key = this.#key;
    const asked = await askedText(engine, question);
    const stale = () => signal.aborted || this.#key !== key;
    const stop = {
      get aborted() {
        return stale();
      },
    };
    let { state, stopped = null } = this.#known?.key === key ? this.#known : {};
    let view;
    if (!state && (this.soFar === null || this.soFar === undefined)) {
      ({ state, view, stopped } = await run(engine, asked, begin(), settings, { model, signal: stop }));
    } else {
      state ??= await replay(engine, asked, { transcript: this.soFar, added: this.added }, settings, { model, signal: stop });
      if (!state || stale()) return null;
      view = await look(engine, asked, state, settings, model);
    }
    if (stale()) return null;
    this.#known = { key, state, stopped };
    let own = null;
    if (this.own !== 'off') {
      const ownKey = JSON.stringify([model, asked]);
      if (!this.#owns.has(ownKey)) {
        const written = await alone(engine, asked, { model, signal: stop });
        if (stale()) return null;
        this.#owns.set(ownKey, written);
      }
      own = this.#owns.get(ownKey);
    }
    return { ...loaded, question, asked, settings, state, view, stopped, own, ms: performance.now() - start };
  }

  accept() {
    this.live = null;
  }

  disconnectedCallback() {
    this.#control?.abort();
    super.disconnectedCallback();
  }

  reset() {
    this.#control?.abort();
    this.#known = null;
    this.editing = null;
    this.clockFault = false;
    super.reset();
  }

  // ---- what the reader does ----

  /** Another state is what the attributes stand for from now on. */
  #take(state, stopped = null) {
    this.soFar = state.transcript;
    this.added = state.added.length ? state.added.join(' ') : null;
    this.#known = { key: this.#key, state, stopped };
  }

  async #act(until) {
    const { result } = this;
    if (!result || result.empty || this.busy || this.stale || this.#isOver) return;
    const control = new AbortController();
    this.#control = control;
    this.busy = true;
    this.editing = null;
    const { asked, settings, model } = result;
    try {
      const engine = sharedEngine();
      let { state, view } = result;
      let stopped = null;
      if (until === 'token') ({ state } = await advance(engine, asked, state, settings, { view, model }));
      else {
        ({ state, stopped } = await run(engine, asked, state, settings, {
          until,
          model,
          signal: control.signal,
          onState: (now, seen) => {
            if (!control.signal.aborted) this.live = { state: now, view: seen };
          },
        }));
      }
      // A stop keeps what is written; another question or rule does not.
      if (!control.signal.aborted || control.signal.reason === 'stop') this.#take(state, stopped);
    } catch (error) {
      this.live = null;
      this.error = { code: error?.code ?? 'unknown', message: error?.message ?? '' };
    } finally {
      if (this.#control === control) this.#control = null;
      this.busy = false;
    }
  }

  get #isOver() {
    const { phase } = this.result.view;
    return phase === 'end' || phase === 'limit';
  }

  #stop = () => this.#control?.abort('stop');

  async #pick(id) {
    const { result } = this;
    if (this.busy || this.stale) return;
    const { asked, settings, model, state, view } = result;
    this.busy = true;
    try {
      const { state: next } = await advance(sharedEngine(), asked, state, settings, { view, pick: id, model });
      this.#take(next);
    } finally {
      this.busy = false;
    }
  }

  #restart = () => {
    this.#control?.abort();
    this.#take(begin());
  };

  #edit(row, text) {
    const { state } = this.result;
    this.editing = null;
    this.#take(edit(state, row.from, text));
  }

  async #openEditor(index) {
    this.editing = index;
    await this.updateComplete;
    const field = this.renderRoot.querySelector('#edit');
    fitTextBox(field);
    field?.focus();
  }

  #set(name, value) {
    this.#control?.abort();
    this.soFar = null;
    this.added = null;
    this[name] = value;
  }

  #begin(preset) {
    this.#control?.abort();
    const { result: forced, ...settings } = settingsOf(preset);
    Object.assign(this, settings, { forced, added: null, text: preset.text });
    this.clockFault = false;
  }

  #isCase(preset) {
    const { result: forced, soFar, ...settings } = settingsOf(preset);
    const same = (a, b) => (a ?? null) === (b ?? null);
    return this.shownText === preset.text && Object.entries({ ...settings, text: preset.text, forced }).every(([name, value]) => same(name === 'text' ? this.shownText : this[name], value)) && (soFar === null || same(this.soFar, soFar) || Boolean(this.soFar?.startsWith(soFar)));
  }

  #switchTool(name, on) {
    const { off } = this.#settings;
    if (on) off.delete(name);
    else off.add(name);
    this.#set('off', off.size ? [...off].join(' ') : null);
  }

  // ---- what is shown ----

  get #shown() {
    const { result, live: now, t } = this;
    const { question, asked, settings, stopped } = result;
    const { state, view } = now ?? result;
    return { ...agentView({ question, asked, state, view, stopped: now ? null : stopped, settings, words: t.agent }), view, state };
  }

  exports() {
    const { result, t } = this;
    if (!result || result.empty || this.live) return null;
    const words = t.agent;
    const shown = this.#shown;
    return {
      name: 'agent',
      svg: (theme) => agentFigure({ ...shown, words, note: this.sourceLine, theme }),
      table: () => agentTable({ ...shown, words }),
      text: () => `${transcriptText(shown.rows, shown.lanes, words)}\n`,
    };
  }

  renderFigure() {
    const { t, busy, result } = this;
    const words = t.agent;
    const settings = this.#settings;
    const tampered = result && !result.empty ? this.#shown.tampered : [];
    const dropped = result?.view?.preview?.dropped ?? 0;
    const idle = !result || result.empty || this.#isOver;
    const still = busy || idle ? 'true' : nothing;
    // The loop ran to its end by itself: there is nothing to do but to begin anew.
    const whole = idle && (this.soFar === null || this.soFar === undefined);
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        ${textBox({
          name: words.question,
          value: this.shownText,
          change: (text) => {
            this.soFar = '';
            this.added = null;
            this.text = text;
          },
        })}
        <div class="ag-acts ${whole ? 'whole' : ''}">
          ${busy && this.#control
            ? html`<button class="btn main" id="stop" type="button" @click=${this.#stop}>${words.stop}</button>`
            : html`<button class="btn ${idle ? '' : 'main'}" id="token" type="button" aria-disabled=${still} @click=${() => idle || this.#act('token')}>${words.token}</button>`}
          <button class="btn" id="event" type="button" aria-disabled=${still} @click=${() => idle || this.#act('event')}>${words.event}</button>
          <button class="btn" id="run" type="button" aria-disabled=${still} @click=${() => idle || this.#act('end')}>${words.run}</button>
          <button class="btn ${idle && result && !result.empty ? 'main' : ''}" id="restart" type="button" @click=${this.#restart}>${words.restart}</button>
        </div>
        ${[false, true].map(
          (broken) => html`<div class="prompts ag-cases">
            <span class="label" id=${broken ? 'break' : 'try'}>${broken ? words.breakIt : t.try}</span>
            <div role="group" aria-labelledby=${broken ? 'break' : 'try'}>
              ${this.#cases
                .filter((preset) => Boolean(preset.broken) === broken)
                .map((preset) => html`<button class="btn quiet" type="button" data-case=${preset.name} aria-pressed=${this.#isCase(preset) ? 'true' : 'false'} @click=${() => this.#begin(preset)}>${words.cases[preset.name]}</button>`)}
            </div>
          </div>`,
        )}
        ${this.#renderRules(settings, words)}
      </div>
      ${tampered.length ? html`<div class="notes ag-tampered" id="tampered">${tampered.map((text) => html`<p>${text}</p>`)}</div>` : nothing}
      ${settings.bad.length ? html`<div class="notes" id="bad" role="status"><p>${words.bad(settings.bad)}</p></div>` : nothing}
      ${dropped ? html`<div class="notes" id="dropped" role="status"><p>${words.dropped(dropped, result.config.nPositions)}</p></div>` : nothing}
      <div class="fig-body">${this.renderError()}${this.#renderBody(words)}</div>
      ${this.renderFoot({ facts: this.sourceFacts(result && !result.empty ? { model: result.model, hash: result.hash, ms: result.ms } : {}) })}
    `;
  }

  #renderRules(settings, words) {
    const { entry } = settings;
    const word = entry?.word ?? '';
    const meaning = entry?.meaning ?? '';
    const setEntry = (left, right) => this.#set('entry', left.trim() ? `${left.trim()}=${right}` : null);
    const field = ({ id, name, value, kind = '', help = '', change, fault }) => html`<div class="field ${kind}">
      <label for=${id}>${name}</label>
      <input class="line" id=${id} type="text" autocomplete="off" spellcheck="false" placeholder=${help} .value=${live(value)} aria-invalid=${fault ? 'true' : nothing} @change=${(event) => change(event.target.value)} />
      ${fault ? html`<span class="fault" role="alert">${fault}</span>` : nothing}
    </div>`;
    return html`<details class="ag-rules fold" .open=${this.rules === 'open'} @toggle=${(event) => (this.rules = event.target.open ? 'open' : null)}>
      <summary>${words.rules}</summary>
      <div class="ag-knobs">
        ${[...toolNames, 'runtime'].map((name) => toggle({ name: words.toolOn[name], on: !settings.off.has(name), change: (on) => this.#switchTool(name, on) }))}
      </div>
      <div class="ag-knobs">
        ${field({
          id: 'clock',
          name: words.clock,
          value: this.clock ?? '',
          kind: 'short keep',
          help: words.clockNow,
          fault: this.clockFault ? words.badClock : '',
          change: (value) => {
            const good = value.trim() === '' || readSettings({ clock: value.trim() }).clock;
            this.clockFault = !good;
            if (good) this.#set('clock', value.trim() || null);
          },
        })}
        ${stepper({ id: 'max-steps', name: words.steps, value: settings.maxSteps, min: 0, max: mostSteps, t: this.t, change: (value) => this.#set('maxSteps', value === usualSteps ? null : String(value)) })}
        ${field({ id: 'word', name: words.word, value: word, kind: 'short', help: words.wordHelp, change: (value) => setEntry(value, meaning) })}
        ${field({ id: 'meaning', name: words.meaning, value: meaning, kind: 'long', change: (value) => word && setEntry(word, value) })}
        ${field({ id: 'result', name: words.result, value: this.forced ?? '', kind: 'long', change: (value) => this.#set('forced', value || null) })}
      </div>
    </details>`;
  }

  #renderBody(words) {
    const { result } = this;
    if (this.shownText.trim() === '') return html`<div class="empty"><p>${words.empty}</p></div>`;
    if (!result || result.empty) return this.error ? nothing : html`<div class="empty wait"></div>`;
    const shown = this.#shown;
    return html`<ol class="ag-rows" aria-label=${words.transcript}>
        ${shown.rows.map((row, i) => this.#renderRow(row, i, shown, words))}${this.#renderNext(shown.view, words)}
      </ol>
      <p class="ag-says" id="says" role="status">${this.live ? nothing : shown.sentence}</p>
      ${this.#renderOwn(words)}`;
  }

  #renderRow(row, i, { rows, lanes, names }, words) {
    const editing = this.editing === i;
    const [kind, who] = names[i].split(' · ');
    return html`<li class=${row.kind}>
      <div class="ag-part">
        <p class="ag-name"><b>${kind}</b> ${who}${row.kind === 'question' || this.busy || editing ? nothing : html`<button class="btn quiet" type="button" data-edit=${i} aria-label=${words.editIs(kind)} @click=${() => this.#openEditor(i)}>${words.edit}</button>`}</p>
        ${editing ? this.#renderEditor(row, kind, words) : html`<div class="ag-text ${row.text.length > longText ? 'long' : ''}" tabindex=${row.text.length > longText ? '0' : nothing}>${row.kind === 'question' ? html`<span class="added">${row.before}</span>${row.own}<span class="added">${row.after}</span>` : this.#renderPieces(row)}</div>`}
      </div>
      ${this.#renderLane(lanes[i], words)}
    </li>`;
  }

  #renderLane(lines, words) {
    if (!lines.length) return nothing;
    return html`<div class="ag-lane" lang=${this.language}><span class="label">${words.lane}</span>${lines.map(({ name, text, bad }) => html`<p class=${bad ? 'bad' : ''}>${name ? html`<b>${name}</b>` : nothing}<span>${text}</span></p>`)}</div>`;
  }

  #renderPieces(row) {
    const tokens = row.pieces.filter(({ token }) => token).map(({ token }) => token);
    const parts = tokenParts(tokens.map(({ bytes }) => bytes));
    let n = -1;
    return row.pieces.map(({ token, text }) => {
      if (!token) return html`<span>${text}</span>`;
      n += 1;
      return html`<span class="tok ${token.p < 0.5 ? 'unsure' : ''}"><bdi>${tokenMark(tokenLabel(token.token, token.bytes), parts[n])}</bdi><small>${formatPercent(token.p)}</small></span>`;
    });
  }

  #renderEditor(row, kind, words) {
    return html`<div class="ag-edit">
      <label for="edit">${words.editing(kind)}</label>
      <textarea class="text" id="edit" rows="2" spellcheck="false" autocomplete="off" autocapitalize="off" .value=${row.text} @keydown=${(event) => {
        if (event.key === 'Escape') this.editing = null;
      }}></textarea>
      <div class="acts">
        <button class="btn main" id="apply" type="button" @click=${() => this.#edit(row, this.renderRoot.querySelector('#edit').value)}>${words.goOn}</button>
        <button class="btn" type="button" @click=${() => (this.editing = null)}>${words.cancel}</button>
      </div>
    </div>`;
  }

  /** What is to come: tokens to choose from, where it is the model's turn. */
  #renderNext({ phase, preview }, words) {
    if (this.live || phase === 'limit' || !preview) return nothing;
    const label = ({ token, bytes }) => (token === '<|endoftext|>' ? words.endToken : tokenLabel(token, bytes));
    return html`<li class="ag-next">
      <div class="ag-part">
        <p class="ag-name">${phase === 'end' ? words.ended : words.next}</p>
        <div class="ag-picks">
          ${preview.candidates.slice(0, picks).map((candidate) => html`<button class="btn" type="button" data-pick=${candidate.id} title=${words.pick(label(candidate), formatPercent(candidate.p))} @click=${() => this.#pick(candidate.id)}><bdi>${label(candidate)}</bdi><small>${formatPercent(candidate.p)}</small></button>`)}
        </div>
      </div>
    </li>`;
  }

  #renderOwn(words) {
    const { own, settings, view } = this.result;
    if (!own || settings.off.has('runtime')) return nothing;
    const real = view.parts.find(({ kind }) => kind === 'observation')?.argument ?? null;
    return html`<div class="ag-own" id="own">
      <p class="subtitle">${words.own}</p>
      <code>${own.text}</code>
      <p>${this.t.sentences(own.result === null ? [words.ownNone] : [words.ownSays(own.result), real !== null && (own.result === real ? words.ownSame : words.ownReal(real))])}</p>
    </div>`;
  }
}
