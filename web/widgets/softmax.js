import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatNumber, formatPercent } from '../draw/number.js';
import { softmaxFigure } from '../draw/softmax-figure.js';
import { sharedEngine } from '../engine/client.js';
import { guardSign } from '../parts/calc-panel.js';
import { GlassboxElement } from '../parts/element.js';
import { shown } from '../parts/shown.js';
import { slider } from '../parts/slider.js';
import { fewest, largestScore, most, parseScore, readTemperature, shownSteps, splitNames, splitScores, temperatures, usualScores, writeScore } from '../parts/softmax.js';
import { chartStyle } from '../styles/chart.css.js';
import { softmaxStyle } from '../styles/softmax.css.js';

const usualText = usualScores.join(', ');

/** Scores that show something, each the texts of the fields. */
const presets = {
  hand: usualScores.map(String),
  apart: ['6', '2', '7'],
  shifted: ['100.6', '100.2', '100.7'],
  large: ['1000', '999', '998'],
  masked: ['0.6', '-∞', '0.7'],
};

/**
 * A softmax worked out by hand: scores to edit, their exponentials, the sum and the shares.
 *
 * Attributes: `scores` (numbers separated by commas, 1 to 8 of them; −∞ is one), `labels` (names separated by commas), `temperature` (0.1 to 10),
 * `lang`, `theme`; all mirror the state. While a field holds no score the attributes keep the last good ones.
 */
export default class GlassboxSoftmax extends GlassboxElement {
  static properties = {
    scores: { reflect: true },
    labels: { reflect: true },
    temperature: { reflect: true },
    drafts: { state: true },
  };

  static styles = [...GlassboxElement.styles, chartStyle, softmaxStyle];
  static inputs = ['scores', 'temperature'];

  #taken = undefined; // the attribute that the fields were filled from
  #focus = null;

  constructor() {
    super();
    this.drafts = null; // the texts of the fields
  }

  willUpdate() {
    if (this.drafts && this.#taken === (this.scores ?? null)) return;
    this.#taken = this.scores ?? null;
    const texts = splitScores(this.scores ?? usualText);
    this.drafts = texts.length ? texts : [''];
  }

  get #parsed() {
    return this.drafts.map(parseScore);
  }

  get #names() {
    const own = splitNames(this.labels ?? '');
    return this.drafts.map((_, i) => own[i] || this.t.softmax.names[i]);
  }

  get #temperature() {
    return readTemperature(this.temperature);
  }

  async compute() {
    const parsed = splitScores(this.scores ?? usualText).map(parseScore);
    const scores = parsed.map(({ value }) => value);
    if (!scores.length || parsed.some(({ fault }) => fault) || scores.every((score) => score === -Infinity)) return this.result ?? { scores: [] };
    const temperature = this.#temperature;
    const steps = await sharedEngine().softmax(scores, { temperature });
    return { scores, temperature, steps, shown: shownSteps(scores, steps) };
  }

  /** Takes over new fields; the attribute follows when all of them are scores of which one counts. */
  #edit(drafts) {
    this.drafts = drafts;
    const parsed = drafts.map(parseScore);
    if (parsed.some(({ fault }) => fault)) return;
    if (parsed.every(({ value }) => value === -Infinity)) return;
    this.#taken = parsed.map(({ value }) => writeScore(value)).join(', ');
    this.scores = this.#taken;
  }

  #rename(i, name) {
    const names = this.#names;
    names[i] = name.replace(/[,，]/g, ' ').trim();
    this.labels = names.join(', ');
  }

  #add = () => {
    this.#focus = this.drafts.length;
    if (this.labels) this.labels = [...this.#names, this.t.softmax.names[this.drafts.length]].join(', ');
    this.#edit([...this.drafts, '0']);
  };

  #remove(i) {
    const names = this.#names;
    this.#focus = Math.min(i, this.drafts.length - 2);
    if (this.labels) this.labels = names.filter((_, other) => other !== i).join(', ');
    this.#edit(this.drafts.filter((_, other) => other !== i));
  }

  reset() {
    this.drafts = null;
    super.reset();
  }

  updated(changed) {
    super.updated(changed);
    if (this.#focus === null) return;
    this.renderRoot.querySelector(`#score-${this.#focus}`)?.focus();
    this.#focus = null;
  }

  /** Whether the computed numbers are those of the fields. */
  get #fresh() {
    const parsed = this.#parsed;
    const { result } = this;
    return Boolean(result) && parsed.length === result.scores.length && parsed.every(({ value }, i) => value === result.scores[i]);
  }

  exports() {
    const { result, t } = this;
    if (!result?.shown) return null;
    const names = result.scores.map((_, i) => this.#names[i] ?? t.softmax.names[i]);
    const { steps, scores, temperature } = result;
    return {
      name: 'softmax',
      svg: (theme) => softmaxFigure({ names, shown: result.shown, temperature, words: t.softmax, note: t.softmax.source, theme }),
      table: () => ({
        header: t.softmax.header,
        rows: scores.map((score, i) => [names[i], score, steps.divided[i], steps.exp[i], steps.divided[i] - steps.largest, steps.shiftedExp[i], steps.shares[i]]),
      }),
    };
  }

  renderFigure() {
    const { t } = this;
    const words = t.softmax;
    const T = this.#temperature;
    const position = temperatures.reduce((best, value, i) => (Math.abs(value - T) < Math.abs(temperatures[best] - T) ? i : best), 0);
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        <div class="prompts">
          <span class="label" id="try">${t.try}</span>
          <div role="group" aria-labelledby="try">
            ${Object.entries(presets).map(
              ([name, texts]) => html`<button class="btn quiet" type="button" aria-pressed=${texts.join() === this.drafts.join() && T === 1 ? 'true' : 'false'} @click=${() => this.#preset(texts)}>${words.presets[name]}</button>`,
            )}
          </div>
        </div>
      </div>
      <div class="fig-body">
        ${this.renderError()}${this.#renderTable()}
        <div class="soft-knobs">
          <button class="btn" type="button" aria-disabled=${this.drafts.length >= most ? 'true' : nothing} @click=${() => this.drafts.length < most && this.#add()}>${words.add}</button>
          ${slider({
            id: 'temperature',
            name: words.temperature,
            value: position,
            max: temperatures.length - 1,
            text: `T = ${formatNumber(T)}`,
            stops: [words.sharper, words.flatter],
            change: (at) => {
              this.temperature = temperatures[at] === 1 ? null : String(temperatures[at]);
            },
          })}
        </div>
        ${this.#renderLines()}
      </div>
      ${this.renderFoot({ facts: [words.source] })}
    `;
  }

  #preset(texts) {
    this.labels = null;
    this.temperature = null;
    this.#edit(texts.slice());
  }

  #renderTable() {
    const { result, drafts } = this;
    const words = this.t.softmax;
    const parsed = this.#parsed;
    const names = this.#names;
    const fresh = this.#fresh;
    const divided = this.#temperature !== 1;
    const bad = parsed.findIndex(({ fault }) => fault);
    const none = bad < 0 && parsed.every(({ value }) => value === -Infinity);
    const fault = bad >= 0 ? words.faults[parsed[bad].fault](names[bad], drafts[bad], formatNumber(largestScore)) : none ? words.noneLeft : '';
    const sum = fresh ? (result.shown.overflow ? result.shown.shiftedSum : result.shown.sum) : '';
    const cell = (text) => html`<span class="n">${fresh ? shown(text) : '–'}</span>`;
    return html`<div class="soft ${divided ? 'divided' : ''}" role="table" aria-labelledby="title">
        <div class="soft-row head" role="row">
          <span role="columnheader">${words.name}</span><span role="columnheader" class="n">${words.score}</span>${divided ? html`<span role="columnheader" class="n">${words.dividedBy(this.#temperature)}</span>` : nothing}
          <span role="columnheader" class="n">${fresh && result.shown.overflow ? words.shiftedExp : 'exp'}</span><span role="columnheader" class="wide">${words.share}</span><span role="columnheader"><span class="vh">${words.removeColumn}</span></span>
        </div>
        ${drafts.map((text, i) => {
          const row = fresh ? result.shown.rows[i] : null;
          const wrong = Boolean(parsed[i].fault) || none;
          return html`<div class="soft-row" role="row">
            <span role="cell"><input class="name" autocomplete="off" spellcheck="false" maxlength="40" .value=${live(names[i])} aria-label=${words.nameOf(i + 1)} @change=${(event) => this.#rename(i, event.target.value)} /></span>
            <span role="cell"><input class="score" id=${`score-${i}`} inputmode="text" autocomplete="off" spellcheck="false" .value=${live(text)} aria-label=${words.scoreOf(names[i])} aria-invalid=${wrong ? 'true' : 'false'} aria-describedby=${wrong ? 'fault' : nothing} @input=${(event) => this.#type(i, event.target.value)} /></span>
            ${divided ? html`<span role="cell">${cell(row?.divided ?? '')}</span>` : nothing}
            <span role="cell">${cell(row ? (result.shown.overflow ? row.shiftedExp : row.exp) : '')}</span>
            <span role="cell" class="wide"><span class="bar"><i class=${row?.value ? '' : 'none'} .style="--p:${row ? row.value.toFixed(4) : 0}"></i></span><b class="value">${row ? formatPercent(row.value) : '–'}</b></span>
            <span role="cell"><button class="btn quiet drop" type="button" aria-label=${words.remove(names[i])} aria-disabled=${drafts.length <= fewest ? 'true' : nothing} @click=${() => drafts.length > fewest && this.#remove(i)}>−</button></span>
          </div>`;
        })}
        <div class="soft-row sum" role="row">
          <span role="cell">${words.sum}</span><span role="cell"></span>${divided ? html`<span role="cell"></span>` : nothing}<span role="cell"><span class="n"><b>${fresh ? shown(sum) : '–'}</b></span></span>
          <span role="cell" class="wide"><span></span><b class="value">${fresh ? '100%' : '–'}</b></span><span role="cell"></span>
        </div>
      </div>
      ${fault ? html`<p class="entry-error" id="fault" role="alert">${fault}</p>` : nothing}`;
  }

  #type(i, text) {
    const drafts = this.drafts.slice();
    drafts[i] = text;
    this.#edit(drafts);
  }

  #renderLines() {
    const { result, t } = this;
    if (!this.#fresh) return nothing;
    const words = t.softmax;
    const { rows, sum, shiftedSum, largest, overflow, sumNote } = result.shown;
    const exps = rows.map((row) => (overflow ? row.shiftedExp : row.exp));
    const powers = rows.map((row) => (overflow ? row.shifted : row.divided));
    const total = overflow ? shiftedSum : sum;
    const join = (parts, between) => parts.map((part, i) => html`${i ? between : nothing}<span class="nb">${part}</span>`);
    const power = (exponent, value) => html`e<sup>${exponent}</sup> = <b>${shown(value)}</b>`;
    const lines = [
      ...(overflow
        ? [
            [words.asWritten, html`${join(rows.map((row) => power(row.divided, row.exp)), words.comma)}<span class="words">${result.steps.sum === 0 || result.steps.sum < 1 ? words.tooSmall : words.tooLarge}</span>`],
            [words.subtract, join(rows.map((row) => html`${row.divided} − ${guardSign(largest)} = <b>${row.shifted}</b>`), words.comma)],
          ]
        : []),
      [words.powers, join(rows.map((_, i) => power(powers[i], exps[i])), words.comma)],
      [words.add2, html`${join(exps.map((text, i) => html`${i ? '+ ' : ''}${shown(text)}`), ' ')}${rows.length > 1 ? html` = <b>${shown(total)}</b>` : nothing}${sumNote ? html`<span class="words">${words.sumNote(sumNote.rounded, sumNote.fine)}</span>` : nothing}`],
      [words.divide, join(rows.map((row, i) => html`${shown(exps[i])} ÷ ${shown(total)} = <b>${shown(row.share)}</b>`), words.comma)],
    ];
    return html`<ol class="steps soft-lines">
        ${lines.map(([what, how], i) => html`<li><span class="n" aria-hidden="true">${i + 1}</span><span class="what">${what}</span><span class="how">${how}</span></li>`)}
      </ol>
      ${overflow ? html`<p class="hint">${words.trick}</p>` : nothing}`;
  }
}
