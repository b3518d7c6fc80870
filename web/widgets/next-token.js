import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { diceHeight, diceShapes } from '../draw/dice.js';
import { tokenLabel } from '../draw/label.js';
import { nextTokenFigure, textEnd } from '../draw/next-token-figure.js';
import { formatFixed, formatNumber, formatPercent } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { tokenParts } from '../draw/units.js';
import { sharedEngine } from '../engine/client.js';
import { errorSentence } from '../i18n/index.js';
import { guardSign } from '../parts/calc-panel.js';
import { ModelElement } from '../parts/model-element.js';
import { drawCalculation, fewestShown, formatEdge, formatPlace, generateCommand, linePieces, mostAdded, mostSeed, mostShown, mostStep, nearestPosition, readSettings, temperatures, topKs, topPs, usual, writeAdded } from '../parts/next-token.js';
import { shown } from '../parts/shown.js';
import { slider } from '../parts/slider.js';
import { stepper } from '../parts/stepper.js';
import { textBox } from '../parts/text-box.js';
import { tokenMark } from '../parts/token-mark.js';
import { chartStyle } from '../styles/chart.css.js';
import { nextTokenStyle } from '../styles/next-token.css.js';

const more = 20; // bars that one press adds
const stride = 20; // tokens of one "go on"
const counted = 6; // bars of the counter
const looked = 60; // candidates asked for at least, so that the dice find theirs
const endToken = '<|endoftext|>';

/**
 * What may come next, over the whole vocabulary; a bar is clicked to append its token, or the dice choose, with every stage of the draw in sight.
 *
 * Attributes: `text`, `added` (ids of the tokens appended to it), `temperature`, `top-k`, `top-p`, `seed`, `step` (how many numbers of the seed were
 * drawn before), `show` (how many bars), `dice` (`off` leaves the draw out), `counter` (`off` leaves the counted neighbours out), `model`,
 * `lang`, `theme`; all mirror the state, so that a link restores text and draw. What is drawn from `text` step by step is what
 * `glassbox generate` writes with the same settings.
 */
export default class GlassboxNextToken extends ModelElement {
  static properties = {
    added: { reflect: true },
    temperature: { reflect: true },
    topK: { attribute: 'top-k', reflect: true },
    topP: { attribute: 'top-p', reflect: true },
    seed: { reflect: true },
    step: { reflect: true },
    show: { reflect: true },
    dice: { reflect: true },
    counter: { reflect: true },
    left: { state: true },
  };

  static styles = [...ModelElement.styles, chartStyle, nextTokenStyle];
  static inputs = ['text', 'model', 'added', 'temperature', 'topK', 'topP', 'seed', 'step', 'show', 'counter', 'left'];

  #counts = new Map(); // what the counter said, by the text

  constructor() {
    super();
    this.left = 0; // tokens that "go on" has still to append
  }

  get prompts() {
    return this.t.next.prompts;
  }

  get #settings() {
    return readSettings(this);
  }

  async compute({ signal }) {
    const text = this.shownText;
    if (text === '') return { empty: true };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model, hash, config } = loaded;
    const engine = sharedEngine();
    const settings = this.#settings;
    const { bad } = settings;
    const start = performance.now();
    const known = settings.added.filter((id) => id < config.vocabSize);
    if (known.length < settings.added.length) {
      settings.added = [];
      bad.push('added');
    }
    const { added, temperature, topK, topP, seed, step, show } = settings;
    const drawing = { model, temperature, topK, topP, seed };
    const sample = await engine.sample(text, { ...drawing, added, step, top: Math.max(show, looked) });
    if (signal.aborted) return null;
    const whole = text + new TextDecoder().decode(Uint8Array.from(sample.added.bytes.flat()));
    const counts = this.counter === 'off' || this.left > 0 ? null : await this.#count(engine, whole, model);
    // Whether the command writes the same: said only after it has been tried.
    let command = null;
    if (this.left === 0 && this.dice !== 'off' && (added.length === 0 ? step === 0 : step === added.length || temperature === 0)) {
      const count = added.length || stride;
      const same = added.length === 0 || (await engine.generate(text, { ...drawing, maxTokens: count })).ids.join() === added.join();
      if (same) command = generateCommand(text, settings, count);
    }
    if (signal.aborted) return null;
    const notes = [];
    if (bad.length) notes.push({ kind: 'bad', values: [bad] });
    if (sample.dropped) notes.push({ kind: 'dropped', values: [sample.dropped, sample.tokens] });
    return { model, hash, config, size: sample.tokens, text, whole, settings, sample, counts, command, notes, ms: performance.now() - start };
  }

  /** The counted neighbours of the last token, or { missing } where the model has none. */
  async #count(engine, text, model) {
    const key = JSON.stringify([model, text]);
    if (!this.#counts.has(key)) {
      let counts;
      try {
        counts = await engine.bigrams(text, { model, top: counted });
      } catch (error) {
        // Without the counts the column says so and the rest works on.
        if (error?.code === 'crashed' || error?.code === 'cancelled') throw error;
        counts = { missing: error?.code ?? 'unknown' };
      }
      this.#counts = new Map([[key, counts]]);
    }
    return this.#counts.get(key);
  }

  accept(result) {
    this.notes = result?.notes ?? [];
  }

  updated(changed) {
    super.updated(changed);
    if (!changed.has('result') || this.left === 0) return;
    if (!this.result?.sample || this.result.sample.ends) this.left = 0;
    else this.#take(this.result.sample.chosen, true);
  }

  renderNotes() {
    if (!this.notes.length) return nothing;
    return html`<div class="notes" role="status">${this.notes.map((note) => html`<p>${this.t.next[note.kind](...note.values)}</p>`)}</div>`;
  }

  /** Appends a candidate; a drawn one has used a number of the seed. */
  #take(candidate, drawn) {
    const { added, step } = this.result.settings;
    if (added.length >= mostAdded) {
      this.left = 0;
      return;
    }
    if (this.left > 0) this.left -= 1;
    this.added = writeAdded([...added, candidate.id]);
    if (drawn && this.result.sample.u !== null) this.step = String(step + 1);
  }

  #append(candidate, drawn = false) {
    if (this.stale || this.left > 0) return;
    this.#take(candidate, drawn);
  }

  #again = () => {
    const { step } = this.#settings;
    if (!this.stale && step < mostStep) this.step = String(step + 1);
  };

  #undo = () => {
    this.left = 0;
    const { added, step } = this.#settings;
    if (step >= added.length && step > 0) this.step = step > 1 ? String(step - 1) : null;
    this.added = writeAdded(added.slice(0, -1));
  };

  #goOn = () => {
    if (this.left > 0) {
      this.left = 0;
      return;
    }
    if (this.stale || !this.result?.sample || this.result.sample.ends) return;
    this.left = stride;
    this.#take(this.result.sample.chosen, true);
  };

  /** A new beginning: what was appended belonged to the old one. */
  #begin(text) {
    this.left = 0;
    this.text = text;
    this.added = null;
    this.step = null;
  }

  #set(name, value, usually) {
    this.left = 0;
    this[name] = value === usually ? null : String(value);
  }

  reset() {
    this.left = 0;
    super.reset();
  }

  #label({ token, bytes }) {
    return token === endToken ? this.t.next.end : tokenLabel(token, bytes);
  }

  get #rows() {
    const { sample, settings } = this.result;
    return sample.candidates.slice(0, settings.show).map((one) => ({
      ...one,
      label: this.#label(one),
      cut: this.dice !== 'off' && settings.temperature !== 0 && one.rank >= sample.kept,
      drawn: this.dice !== 'off' && one.rank === sample.chosen.rank,
    }));
  }

  get #rest() {
    const { sample } = this.result;
    const rows = this.#rows;
    return {
      count: sample.vocabulary - rows.length,
      p: Math.max(0, 1 - rows.reduce((sum, { p }) => sum + p, 0)),
      tempered: Math.max(0, 1 - rows.reduce((sum, { tempered }) => sum + tempered, 0)),
    };
  }

  /** What the drawing of the dice needs; null where nothing is drawn. */
  get #line() {
    const { sample } = this.result;
    if (sample.u === null) return null;
    const { chosen } = sample;
    const place = formatPlace(sample.u, chosen.from, chosen.to);
    return {
      pieces: linePieces(sample.candidates, chosen, sample.kept).map((piece) => ({ ...piece, label: piece.rest ? '' : this.#label(piece) })),
      u: sample.u,
      flag: `${place} → ${this.#label(chosen)}`,
      restLabel: this.t.next.tail,
      sentence: this.#diceSentence,
    };
  }

  get #diceSentence() {
    const { t } = this;
    const { sample, settings } = this.result;
    const { chosen, u, kept, vocabulary } = sample;
    if (u === null) return t.next.greedy(this.#label(chosen));
    return t.next.fell({ u: formatPlace(u, chosen.from, chosen.to), from: formatEdge(chosen.from), to: formatEdge(chosen.to), label: this.#label(chosen), seed: settings.seed, nth: settings.step + 1, kept, all: kept === vocabulary });
  }

  exports() {
    const { result, t } = this;
    if (!result?.sample) return null;
    const tempered = this.#isTempered;
    return {
      name: 'next-token',
      svg: (theme) =>
        nextTokenFigure({
          text: result.whole,
          rows: this.#rows.map((row) => ({ ...row, p: tempered ? row.tempered : row.p })),
          rest: { count: this.#rest.count, p: tempered ? this.#rest.tempered : this.#rest.p },
          dice: this.dice === 'off' ? null : this.#line,
          words: t.next,
          heading: this.#heading,
          note: this.sourceLine,
          theme,
        }),
      table: () => ({
        header: t.next.header,
        rows: result.sample.candidates.slice(0, result.settings.show).map((one) => [one.rank + 1, one.token, one.id, one.logit, one.p, one.tempered, one.share, one.from, one.to]),
      }),
    };
  }

  /** Whether the bars show probabilities that a temperature has changed. */
  get #isTempered() {
    const { temperature } = this.result.settings;
    return this.dice !== 'off' && temperature !== 0 && temperature !== 1;
  }

  get #heading() {
    const { sample, settings } = this.result;
    return this.t.next.heading(formatNumber(sample.vocabulary), this.#isTempered ? String(settings.temperature) : null);
  }

  renderText() {
    return textBox({ name: this.t.next.start, value: this.shownText, change: (text) => this.#begin(text) });
  }

  takePrompt({ text }) {
    this.#begin(text);
  }

  renderFigure() {
    const { t } = this;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${t.next.title}</p>
        <p class="lead">${this.dice !== 'off' ? t.next.lead : this.counter === 'off' ? t.next.leadBars : t.next.leadCounts}</p>
      </div>
      <div class="fig-ctl">${this.renderText()}${this.renderPrompts()}</div>
      ${this.renderNotes()}${this.renderBody(() => this.#renderBody())}${this.renderModelFoot()}
    `;
  }

  #renderBody() {
    const { result } = this;
    return html`${this.#renderSoFar()}
      <div class="next-cols ${result.counts ? '' : 'alone'}">
        <div class="next-model">${this.#renderBars()}</div>
        ${this.counter === 'off' ? nothing : html`<div class="next-counter">${this.#renderCounter()}</div>`}
      </div>
      ${this.dice === 'off' ? nothing : html`${this.#renderDice()}${this.#renderWhy()}`}`;
  }

  /** The text with what was appended to it, each token by itself, and the place that is to be filled. */
  #renderSoFar() {
    const { t } = this;
    const { text, sample } = this.result;
    const { tokens, bytes } = sample.added;
    const parts = tokenParts(bytes);
    return html`<div class="so-far">
      <p class="so-far-text"><span class="vh">${t.next.soFar}</span><span>${textEnd(text, 160)}</span>${tokens.map((token, i) => html`<wbr /><bdi class="new ${i % 2 ? 'odd' : ''}">${this.#mark(tokenLabel(token, bytes[i]), parts[i])}</bdi>`)}<b class="blank" aria-hidden="true">＿</b></p>
      ${tokens.length
        ? html`<div class="so-far-acts">
            <span class="label">${t.next.appended(tokens.length)}</span>
            <button class="btn quiet" type="button" id="undo" @click=${this.#undo}>${t.next.undo}</button>
          </div>`
        : nothing}
    </div>`;
  }

  /** An appended token; the blank that most English ones begin with is drawn faintly. */
  #mark(label, part) {
    if (part || !/^␣./.test(label)) return tokenMark(label, part);
    return html`<small class="sp">␣</small>${label.slice(1)}`;
  }

  #renderBars() {
    const { t } = this;
    const { settings } = this.result;
    const rows = this.#rows;
    const rest = this.#rest;
    const tempered = this.#isTempered;
    const line = (label, p, was) => html`<span class="tk"><bdi>${label}</bdi></span>
      <span class="bars">${tempered ? html`<i class="was" .style="--p:${was.toFixed(4)}"></i>` : nothing}<i class="now" .style="--p:${p.toFixed(4)}"></i></span>
      ${tempered ? html`<span class="value was"><span class="vh">T = 1: </span>${formatPercent(was)}</span>` : nothing}<span class="value">${formatPercent(p)}</span>`;
    return html`<p class="subtitle" id="bars">${this.#heading}</p>
      ${tempered ? html`<p class="bar-heads" aria-hidden="true"><span>T = 1</span><span>T = ${String(settings.temperature)}</span></p>` : nothing}
      <ol class="next-bars ${tempered ? 'tempered' : ''}" aria-labelledby="bars">
        ${rows.map((row) => {
          const content = line(row.label, tempered ? row.tempered : row.p, row.p);
          const state = `${row.cut ? 'cut' : ''} ${row.drawn ? 'drawn' : ''}`;
          if (row.token === endToken) return html`<li class="fixed ${state}" title=${t.next.endIs}>${content}</li>`;
          return html`<li class=${state}><button type="button" title=${row.cut ? t.next.cutTitle(row.label) : t.next.append(row.label)} @click=${() => this.#append(row)}>${content}</button></li>`;
        })}
        ${rest.count > 0 ? html`<li class="rest fixed">${line(t.next.rest(formatNumber(rest.count)), tempered ? rest.tempered : rest.p, rest.p)}</li>` : nothing}
      </ol>
      ${rows.length < rest.count + rows.length
        ? html`<p class="next-more">
            ${settings.show < mostShown ? html`<button class="btn quiet" type="button" id="more" @click=${() => (this.show = String(Math.min(mostShown, settings.show + more)))}>${t.next.more(more)}</button>` : nothing}
            ${settings.show > fewestShown ? html`<button class="btn quiet" type="button" @click=${() => (this.show = null)}>${t.next.fewer}</button>` : nothing}
          </p>`
        : nothing}`;
  }

  #renderCounter() {
    const { t, result } = this;
    const { counts } = result;
    if (!counts) return html`<p class="subtitle">${t.next.counter}</p>`;
    if (counts.missing) return html`<p class="subtitle">${t.next.counter}</p><p class="hint none">${counts.missing === 'no_bigrams' ? t.next.counterMissing : errorSentence(counts.missing, this.language)}</p>`;
    const last = this.#label(counts.last);
    const line = (label, p, count) => html`<span class="tk"><bdi>${label}</bdi></span><span class="bars"><i class="now" .style="--p:${p.toFixed(4)}"></i></span><span class="value">${formatPercent(p)}</span><span class="value times">${count}</span>`;
    return html`<p class="subtitle" id="counter">${t.next.counter}</p>
      <p class="caption">${counts.total > 0 ? t.next.counted(last, formatNumber(counts.total)) : t.next.neverSeen(last)}</p>
      ${counts.total > 0
        ? html`<ol class="next-bars count" aria-labelledby="counter">
            ${counts.candidates.map((one) => html`<li class="fixed">${line(this.#label(one), one.p, t.next.times(formatNumber(one.count)))}</li>`)}
            ${counts.rest.count > 0 ? html`<li class="rest fixed">${line(t.next.others, counts.rest.p, t.next.times(formatNumber(counts.rest.count)))}</li>` : nothing}
          </ol>`
        : nothing}`;
  }

  #renderDice() {
    const { t, result } = this;
    const { sample, settings } = result;
    const { temperature, topK, topP, seed, step } = settings;
    const greedy = sample.u === null;
    const inner = this.inner;
    const label = this.#label(sample.chosen);
    const line = this.#line;
    return html`<section class="dice" role="group" aria-labelledby="dice-title">
      <p class="subtitle" id="dice-title">${t.next.dice}</p>
      <div class="dice-knobs">
        ${slider({ id: 'temperature', name: t.next.temperature, value: nearestPosition(temperatures, temperature), max: temperatures.length - 1, text: String(temperature), stops: [t.next.coldest, t.next.hottest], change: (at) => this.#set('temperature', temperatures[at], usual.temperature) })}
        ${slider({ id: 'top-k', name: t.next.topK, value: nearestPosition(topKs, topK, true), max: topKs.length - 1, text: topK ? t.next.keepK(formatNumber(topK)) : t.next.keepAll, stops: ['1', t.next.keepAll], change: (at) => this.#set('topK', topKs[at], usual.topK) })}
        ${slider({ id: 'top-p', name: t.next.topP, value: nearestPosition(topPs, topP), max: topPs.length - 1, text: topP < 1 ? t.next.keepP(topP) : t.next.keepAll, stops: ['0.1', t.next.keepAll], change: (at) => this.#set('topP', topPs[at], usual.topP) })}
      </div>
      ${line ? html`<div class="dice-line" role="img" aria-label=${this.#diceSentence}>${unsafeHTML(picture({ width: inner, height: diceHeight, body: diceShapes({ ...line, width: inner, paint: painter(null) }), theme: null }))}</div>` : nothing}
      <p class="dice-says" role="status">${t.sentences([this.#diceSentence, sample.ends && t.next.endsHere])}</p>
      <div class="dice-acts">
        ${sample.ends ? nothing : html`<button class="btn main" type="button" id="append" @click=${() => this.#append(sample.chosen, true)}>${t.next.append(label)}</button>`}
        ${greedy ? nothing : html`<button class="btn" type="button" id="again" @click=${this.#again}>${t.next.again}</button>`}
        ${sample.ends ? nothing : html`<button class="btn" type="button" id="go-on" @click=${this.#goOn}>${this.left > 0 ? t.next.stop(this.left) : t.next.goOn(stride)}</button>`}
        ${greedy
          ? nothing
          : html`<div class="dice-seed">
              ${stepper({
                id: 'seed',
                name: t.next.seed,
                value: Math.min(seed, Number.MAX_SAFE_INTEGER),
                max: Math.max(mostSeed, seed),
                t,
                change: (value) => {
                  this.left = 0;
                  this.seed = String(value);
                  this.added = null;
                  this.step = null;
                },
              })}
              <span class="label nth">${t.next.nth(step + 1)}</span>
            </div>`}
      </div>
      ${result.command
        ? html`<div class="command">
            <p class="label">${settings.added.length ? t.next.commandDone(settings.added.length) : t.next.commandAhead(stride)}</p>
            <div><code>${result.command}</code><button class="btn quiet" type="button" id="copy-command" @click=${() => this.copy(result.command, t.next.commandIs)}>${t.next.copy}</button></div>
          </div>`
        : nothing}
    </section>`;
  }

  /** The lines that lead to the drawn token. */
  #renderWhy() {
    const { t, result } = this;
    const { sample, settings } = result;
    const { chosen } = sample;
    const { temperature, topK, topP } = settings;
    const label = this.#label(chosen);
    const words = t.next.why;
    const all = formatNumber(sample.vocabulary);
    let lines;
    let exact = true;
    if (sample.u === null) {
      lines = [
        [words.logit, html`<span class="words">${words.logitHow}</span>`, formatFixed(chosen.logit, 2)],
        [words.greedy, html`<span class="words">${words.greedyHow(all)}</span>`, label],
      ];
    } else {
      const sum = drawCalculation(chosen, { temperature, largest: sample.largest, top: sample.candidates[0], total: sample.total, all: sample.kept === sample.vocabulary });
      exact = sum.exact;
      const T = String(temperature);
      const kept = formatNumber(sample.kept);
      lines = [
        [words.logit, html`<span class="words">${words.logitHow}</span>`, sum.logit.text],
        [words.divide, html`${sum.logit.text} ÷ ${T}`, sum.scaled.text],
        [words.subtract, html`${sum.scaled.text} − ${guardSign(sum.maximum.text)}`, sum.shifted.text],
        [words.exp, html`e<sup>${sum.shifted.text}</sup>`, sum.exp.text],
        [words.sum, html`<span class="words">${words.sumHow(all)}</span>`, sum.sum.text],
        [words.p, html`${shown(sum.exp.text)} ÷ ${shown(sum.sum.text)}`, sum.p.text],
        [words.topK, html`<span class="words">${topK ? words.topKHow(formatNumber(topK), chosen.rank + 1) : words.noCut}</span>`, formatNumber(sample.afterTopK)],
        [words.topP, html`<span class="words">${topP < 1 ? words.topPHow(topP) : words.noCut}</span>`, kept],
        [words.keptSum, html`<span class="words">${words.keptSumHow(kept)}</span>`, sum.total.text],
        [words.share, html`${shown(sum.p.text)} ÷ ${shown(sum.total.text)}`, sum.share.text],
        [words.draw, html`<span class="words">${words.drawHow(formatEdge(chosen.from), formatEdge(chosen.to))}</span>`, formatPlace(sample.u, chosen.from, chosen.to)],
      ];
    }
    return html`<section class="why" role="group" aria-labelledby="why-title">
      <p class="subtitle" id="why-title">${words.title(label)}</p>
      <ol class="steps">
        ${lines.map(
          ([what, how, value], i) => html`<li class=${i === lines.length - 1 ? 'last' : ''}>
            <span class="n" aria-hidden="true">${i + 1}</span><span class="what">${what}</span><span class="how">${how}</span><span class="value">${shown(value)}</span>
          </li>`,
        )}
      </ol>
      ${exact ? nothing : html`<p class="hint">${t.calc.inexact}</p>`}
    </section>`;
  }
}
