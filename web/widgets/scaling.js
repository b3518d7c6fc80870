import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { curveShapes, dataShapes, lawShapes, optimumShapes, oursLegend, oursShapes, partsShapes, scalingFigure, shownReaders, splitLegend, splitShapes } from '../draw/scaling-figure.js';
import { formatNumber } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { engineRoot } from '../engine/client.js';
import { listTrainings } from '../engine/saved.js';
import { GlassboxElement } from '../parts/element.js';
import { bestSplit, computeOf, kaplanSplit, lastStep, lawNames, lossOf, lossParts, parseAmount, published, ranges, stepNear, valueAt, writeAmount } from '../parts/scaling-laws.js';
import { fitSmallest, lossIn, readRuns } from '../parts/scaling-runs.js';
import { readSettings, views } from '../parts/scaling-settings.js';
import { amountText, lossText, offText, sentencesFor, timesText } from '../parts/scaling-words.js';
import { slider } from '../parts/slider.js';
import measured from '../site/scaling.json';
import { chartStyle } from '../styles/chart.css.js';
import { scalingStyle } from '../styles/scaling.css.js';

const runs = readRuns(measured);
const amountNames = ['n', 'd', 'c'];

/**
 * Scaling laws: published formulas (`law`), the best split of a compute (`split`), our own measured family (`ours`) and runs that repeat the same
 * text (`data`).
 *
 * Attributes: `view`; `law` (hoffmann, besiroglu, kaplan); `n`, `d`, `c` (amounts such as 7e10); `fit` (how many of the smallest models make the line),
 * `floor` (on, off), `per` (token, byte: the unit of our losses); `run` (which of the repeating runs); `lang`, `theme`; all mirror the state.
 */
export default class GlassboxScaling extends GlassboxElement {
  static properties = {
    view: { reflect: true },
    law: { reflect: true },
    n: { reflect: true },
    d: { reflect: true },
    c: { reflect: true },
    fit: { reflect: true },
    floor: { reflect: true },
    per: { reflect: true },
    run: { reflect: true },
    drafts: { state: true },
    changed: { state: true },
    readers: { state: true },
  };

  static styles = [...GlassboxElement.styles, chartStyle, scalingStyle];
  static inputs = ['view', 'law', 'n', 'd', 'c', 'fit', 'floor', 'per', 'run'];

  constructor() {
    super();
    this.drafts = {};
    this.changed = false;
    this.readers = null; // of the saved models: null while asked for, 'fault' where the browser refuses
  }

  get #settings() {
    return readSettings(this, runs);
  }

  /** The unit of our losses: with a model of the reader's beside them the one that all share, unless the reader chose. */
  get #per() {
    if (this.per) return this.#settings.per;
    return Array.isArray(this.readers) && this.readers.length ? 'byte' : 'token';
  }

  get #state() {
    const settings = this.#settings;
    return { ...settings, per: this.#per, runs, fit: fitSmallest(runs.family, settings.fit, { floor: settings.floor === 'on' }), count: settings.fit, readers: Array.isArray(this.readers) ? this.readers : [] };
  }

  willUpdate(properties) {
    const settings = this.#settings;
    for (const name of GlassboxScaling.inputs) {
      if (!properties.has(name) || this[name] === null || this[name] === undefined) continue;
      const text = amountNames.includes(name) ? writeAmount(settings[name]) : String(settings[name]);
      if (amountNames.includes(name) && this.drafts[name] !== undefined && parseAmount(this.drafts[name], name) !== settings[name]) this.drafts = { ...this.drafts, [name]: undefined };
      if (text === String(this[name])) continue;
      if (settings.changed) this.changed = true;
      this[name] = text;
    }
  }

  async compute() {
    if (this.#settings.view === 'ours' && !Array.isArray(this.readers)) {
      try {
        this.readers = (await listTrainings())
          .filter(({ nonEmbedding, heldOutLossPerByte }) => nonEmbedding > 0 && heldOutLossPerByte > 0)
          .map(({ id, name, nonEmbedding, tokensSeen, heldOutLossPerByte, textLabel, ownText }) => ({ id, name, n: nonEmbedding, tokens: tokensSeen, perByte: heldOutLossPerByte, textLabel, ownText }));
      } catch {
        this.readers = 'fault';
      }
    }
    return { view: this.#settings.view };
  }

  reset() {
    this.drafts = {};
    this.changed = false;
    super.reset();
  }

  #set(values) {
    this.changed = false;
    this.drafts = {};
    for (const [name, value] of Object.entries(values)) this[name] = value === null ? null : amountNames.includes(name) ? writeAmount(value) : String(value);
  }

  #type(name, text) {
    this.drafts = { ...this.drafts, [name]: text };
    const value = parseAmount(text, name);
    if (Number.isNaN(value)) return;
    this.changed = false;
    this[name] = writeAmount(value);
  }

  #wrong(name) {
    return this.drafts[name] !== undefined && Number.isNaN(parseAmount(this.drafts[name], name));
  }

  #says(state) {
    return sentencesFor(state, this.t.scaling, this.language);
  }

  #sources(view) {
    const words = this.t.scaling;
    return view === 'law' || view === 'split' ? [words.quotedFormula] : [words.oursSource, words.command(runs.command)];
  }

  exports() {
    const state = this.#state;
    const words = this.t.scaling;
    const { view, law, n, d, c } = state;
    const tables = {
      law: () => {
        const parts = law === 'kaplan' ? { floor: '', size: '', data: '' } : lossParts(law, n, d);
        return { header: words.headerLaw, rows: [[words.laws[law], n, d, computeOf(n, d), parts.floor, parts.size, parts.data, lossOf(law, n, d)]] };
      },
      split: () => {
        const [first, second, third] = [bestSplit('hoffmann', c), bestSplit('besiroglu', c), kaplanSplit(c)];
        return { header: words.splitHeader, rows: [[c, first.n, first.d, first.loss, second.n, second.d, second.loss, third.n, third.d]] };
      },
      ours: () => ({
        header: words.headerOurs,
        rows: runs.family.map((run, i) => [words.modelName(run.layers, run.width), run.n, run.parameters, run.d, run.loss, state.fit?.predict(run.n) ?? '', i < state.count ? words.yes : words.no]),
      }),
      data: () => ({ header: words.dataHeader, rows: runs.data.map(({ unique, times, d: seen, loss }) => [unique, times, seen, loss]) }),
    };
    return {
      name: `scaling-${view}`,
      svg: (theme) => scalingFigure({ state, says: this.#says(state), words, caption: view === 'law' ? words.formulas[law] : '', note: this.#sources(view).join('　'), language: this.language, theme }),
      table: tables[view],
    };
  }

  renderFigure() {
    const state = this.#state;
    const words = this.t.scaling;
    const { view } = state;
    const inner = Math.max(240, (this.width || 640) - (this.width < 602 ? 24 : 48) - 2);
    const beside = inner >= 640;
    const width = beside ? Math.floor((inner - 32) / 2) : inner;
    const wrong = amountNames.filter((name) => this.#wrong(name) && this.#shownAmounts(view).includes(name));
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.titles[view]}</p>
        <p class="lead">${words.leads[view]}</p>
      </div>
      <div class="fig-ctl">
        ${this.#row([['view', words.view, views.map((one) => [one, words.views[one]]), view], ...(view === 'law' ? [['law', words.law, lawNames.map((one) => [one, words.laws[one].replace(/ \d+$/, '')]), state.law]] : [])])}
        ${this.#renderControls(state, words)}
      </div>
      ${wrong.map((name) => html`<p class="entry-error place" id="fault-${name}" role="alert">${words.wrongRange(words.wrong[name], ...ranges[name].map((x) => amountText(x, this.language)))}</p>`)}
      ${this.changed ? html`<div class="notes" role="status"><p>${words.changed}</p></div>` : nothing}
      <div class="fig-body">${this.renderError()}${this.#renderView(state, width, inner, words)}</div>
      ${this.renderFoot({ facts: this.#sources(view) })}
    `;
  }

  #shownAmounts(view) {
    return { law: ['n', 'd'], split: ['c', 'n'], ours: [], data: [] }[view];
  }

  #seg(name, label, choices, chosen) {
    return html`<span class="label" id="${name}-name">${label}</span>
      <span class="seg" role="radiogroup" aria-labelledby="${name}-name">
        ${choices.map(([value, text]) => html`<label class=${value === chosen ? 'on' : ''}><input type="radio" name=${name} value=${value} .checked=${live(value === chosen)} @change=${() => this.#choose(name, value)} />${text}</label>`)}
      </span>`;
  }

  #choose(name, value) {
    // Each view means something of its own by n.
    this.#set(name === 'view' ? { view: value, n: null } : { [name]: value });
  }

  /** A slider on a logarithmic scale, and beside it the field for the very number. */
  #amount(name, label, value) {
    const words = this.t.scaling;
    const { language } = this;
    const wrong = this.#wrong(name);
    return html`<div class="sc-amount">
      ${slider({ id: `slide-${name}`, name: label, value: stepNear(name, value), max: lastStep(name), text: amountText(value, language), stops: ranges[name].map((x) => amountText(x, language)), change: (step) => this.#set({ [name]: valueAt(name, step) }) })}
      <div class="field">
        <label for="exact-${name}">${words.exact(name.toUpperCase())}</label>
        <input
          id="exact-${name}"
          class="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${live(this.drafts[name] ?? writeAmount(Number(value.toPrecision(3))))}
          aria-invalid=${wrong ? 'true' : 'false'}
          aria-describedby=${wrong ? `fault-${name}` : nothing}
          @input=${(event) => this.#type(name, event.target.value)}
        />
      </div>
    </div>`;
  }

  #examples(isOn, take) {
    const words = this.t.scaling;
    return html`<div class="prompts sc-examples">
      <span class="label" id="examples">${words.examples}</span>
      <div role="group" aria-labelledby="examples">
        ${published.map((model) => html`<button class="btn quiet" type="button" aria-pressed=${isOn(model) ? 'true' : 'false'} title=${words.sources[model.source]} @click=${() => take(model)}>${model.name}</button>`)}
      </div>
    </div>`;
  }

  #row(choices) {
    return html`<div class="sc-row">${choices.map((choice) => html`<div class="field sc-seg">${this.#seg(...choice)}</div>`)}</div>`;
  }

  #renderControls(state, words) {
    const { view, n, d, c, count, run } = state;
    if (view === 'law') {
      return html`${this.#amount('n', words.size, n)}${this.#amount('d', words.tokens, d)}
        ${this.#examples((model) => model.n === n && model.d === d, (model) => this.#set({ n: model.n, d: model.d }))}`;
    }
    if (view === 'split') {
      return html`${this.#amount('c', words.compute, c)}${this.#amount('n', words.splitSize, n)}
        ${this.#examples((model) => computeOf(model.n, model.d) === c && model.n === n, (model) => this.#set({ c: computeOf(model.n, model.d), n: model.n }))}`;
    }
    if (view === 'ours') {
      const all = runs.family.length;
      return html`${slider({ id: 'fit', name: words.fitCount, value: count, min: Math.min(3, all), max: all, text: words.ofModels(count, all), change: (i) => this.#set({ fit: i }) })}
        ${this.#row([['floor', words.floorSwitch, Object.entries(words.floors), state.floor], ['per', words.per, Object.entries(words.pers), state.per]])}`;
    }
    const chosen = runs.data[run];
    return chosen
      ? slider({ id: 'run', name: words.run, value: run, max: runs.data.length - 1, text: words.runText(amountText(chosen.unique, this.language), timesText(chosen.times)), change: (i) => this.#set({ run: i }) })
      : nothing;
  }

  #draw(drawn) {
    return unsafeHTML(picture({ width: drawn.width, height: drawn.height, body: drawn.body, theme: null }));
  }

  /** A plot that a click sets a value in. */
  #plot(drawn, label, name) {
    const point = (event) => {
      const box = event.currentTarget.querySelector('svg').getBoundingClientRect();
      const value = drawn.valueAt(((event.clientX - box.left) / box.width) * drawn.width);
      this.#set({ [name]: valueAt(name, stepNear(name, value)) });
    };
    return html`<div class=${name ? 'curves' : ''} role="img" aria-label=${label} @click=${name ? point : null}>${this.#draw(drawn)}</div>`;
  }

  /** A formula whose exponents stand behind ^. */
  #formula(text) {
    return text.split(/\^(\([^)]*\)|[\d.]+)/).map((part, i) => (i % 2 ? html`<sup>${part.replace(/^\(|\)$/g, '')}</sup>` : part));
  }

  #renderView(state, width, inner, words) {
    const paint = painter(null);
    const { language } = this;
    const amount = (x) => amountText(x, language);
    const says = this.#says(state);
    const { view, law, n, d, c, run, fit, per, readers } = state;
    const common = { width, words, paint };
    const spoken = (more = nothing) => html`<div class="says spaced" id="says" role="status"><p class="main">${this.#formula(says.main)}</p>${says.lines.map((line) => html`<p>${line}</p>`)}${more}</div>`;
    if (view === 'law') {
      const loss = lossText(lossOf(law, n, d));
      return html`<p class="sc-formula">${this.#formula(words.formulas[law])}</p>
        <div class="sc-pair ${width < inner ? 'beside' : ''}">
          <div><p class="caption"><b>${words.panelN(amount(d))}</b></p>${this.#plot(lawShapes({ axis: 'n', law, n, d, ...common }), words.panelLabel(words.size, amount(n), loss), 'n')}</div>
          <div><p class="caption"><b>${words.panelD(amount(n))}</b></p>${this.#plot(lawShapes({ axis: 'd', law, n, d, ...common }), words.panelLabel(words.tokens, amount(d), loss), 'd')}</div>
        </div>
        ${law === 'kaplan' ? nothing : html`<div class="sc-parts" role="img" aria-label=${words.barLabel(loss)}>${this.#draw(partsShapes({ law, n, d, words, paint, width: Math.min(inner, 560) }))}</div>`}
        ${spoken(says.better ? html`<button class="btn" id="best" type="button" @click=${() => this.#set({ n: Number(says.better.n.toPrecision(3)), d: Number(says.better.d.toPrecision(3)) })}>${words.takeBest}</button>` : nothing)}
        <p class="hint">${words.sources[law]}${words.measuredRange}</p>`;
    }
    if (view === 'split') {
      const best = bestSplit('hoffmann', c).n;
      const names = splitLegend({ width: inner, words, paint });
      return html`<div aria-hidden="true">${this.#draw({ width: inner, height: names.bottom + 6, body: names.body })}</div>
        <div class="sc-pair ${width < inner ? 'beside' : ''}">
          <div><p class="caption"><b>${words.splitPanel(amount(c))}</b></p>${this.#plot(splitShapes({ c, n, ...common }), words.splitLabel(amount(c), amount(best)), 'n')}</div>
          <div><p class="caption"><b>${words.optimumPanel}</b></p>${this.#plot(optimumShapes({ c, ...common }), words.optimumLabel, 'c')}<p class="hint">${words.published}</p></div>
        </div>
        ${spoken(Math.abs(Math.log(best / n)) > 0.01 ? html`<button class="btn" id="best" type="button" @click=${() => this.#set({ n: null })}>${words.toBest}</button>` : nothing)}`;
    }
    if (view === 'ours') {
      const names = oursLegend({ width: inner, words, paint, readers: shownReaders(runs, readers, per).length > 0 });
      return html`<div aria-hidden="true">${this.#draw({ width: inner, height: names.bottom + 8, body: names.body })}</div>
        <div role="img" id="family" aria-label=${words.oursLabel(state.count, runs.family.length)}>${this.#draw(oursShapes({ runs, fit, per, readers, width: inner, words, paint }))}</div>
        <p class="hint">${fit ? (fit.deviation ? words.band : words.noBand) : nothing}${words.below(amount(runs.builtin.d), lossText(lossIn(runs.builtin.loss, per, runs.bytesPerToken)))}</p>
        ${spoken()}
        ${this.#renderReaders(state, words)}
        ${this.#renderFamily(state, words)}`;
    }
    if (!runs.data.length) return html`<div class="empty" role="status"><p>${words.nothing}</p></div>`;
    return html`<div class="sc-pair ${width < inner ? 'beside' : ''}">
        <div><p class="caption"><b>${words.dataPanel}</b></p>${this.#plot(dataShapes({ runs, run, ...common }), words.dataLabel(runs.data.length))}</div>
        <div><p class="caption"><b>${words.curvePanel}</b></p>${this.#plot(curveShapes({ runs, run, ...common }), words.curveLabel(amount(runs.data[run].unique)))}</div>
      </div>
      ${spoken()}`;
  }

  #renderFamily({ fit, count, per }, words) {
    const shown = (loss) => lossText(lossIn(loss, per, runs.bytesPerToken));
    return html`<table class="sc-table">
      <thead><tr>${['model', 'n', 'loss', 'line', 'off'].map((name) => html`<th scope="col">${words.table[name]}</th>`)}</tr></thead>
      <tbody>${runs.family.map((run, i) => {
        const guess = fit?.predict(run.n);
        return html`<tr class=${i < count ? '' : 'guess'}>
          <th scope="row"><i class="sc-dot" aria-hidden="true"></i>${run.layers} × ${run.width}${i < count ? nothing : html`<span class="vh"> ${words.guessed}</span>`}</th>
          <td>${formatNumber(run.n)}</td><td>${shown(run.loss)}</td><td>${fit ? shown(guess) : '–'}</td><td>${fit ? offText(guess, run.loss) : '–'}</td>
        </tr>`;
      })}</tbody>
    </table>`;
  }

  #renderReaders({ per }, words) {
    const { readers, language } = this;
    if (readers === null) return html`<div class="sc-reader" role="status">${words.readerLoading}</div>`;
    if (readers === 'fault') return html`<div class="sc-reader" role="status">${words.readerFault}</div>`;
    if (!readers.length) return html`<div class="sc-reader" id="no-reader"><p>${words.noReader} <a href=${new URL('zh/06-training.html', engineRoot()).href}>${words.toLesson}</a></p></div>`;
    const shown = shownReaders(runs, readers, per);
    return html`<div class="sc-reader" id="readers">
      ${readers.map((one) => html`<p>${words.readerSays(one.name, amountText(one.n, language), lossText(one.perByte), amountText(one.tokens, language))}${one.ownText ? words.readerOther : words.readerSame}${per === 'byte' && !shown.includes(one) ? words.readerOff : nothing}</p>`)}
      ${per === 'byte' ? nothing : html`<p>${words.readerPerToken}</p>`}
    </div>`;
  }
}
