import { html, nothing } from 'lit';
import { formatFixed, formatNumber, formatPercent } from '../draw/number.js';
import { switchesFigure } from '../draw/switches-figure.js';
import { characters } from '../draw/label.js';
import { textEnd } from '../draw/next-token-figure.js';
import { sharedEngine } from '../engine/client.js';
import { withMath } from '../parts/inline-math.js';
import { ModelElement } from '../parts/model-element.js';
import { shown } from '../parts/shown.js';
import { allSwitches, formatSwitches, measureSwitches, parseSwitches, strangeness, sweepSwitches, switchName, switchSays, switchSets, toggled, wholeSwitches } from '../parts/switches.js';
import { knockoutStyle } from '../styles/knockout.css.js';
import { switchesStyle } from '../styles/switches.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const listed = 6; // lines of the ranking in sight

/**
 * Every part of the model as a switch, and what the model says next with all of them and without those that are off.
 *
 * Attributes: `text`, `model`, `knockout` ("h.2.1 h.0.attn mlp.3 no-positions no-mask no-scale"), `sweep` (`on` tries all one by one), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxSwitches extends ModelElement {
  static properties = {
    knockout: { reflect: true },
    sweep: { reflect: true },
    all: { state: true },
    at: { state: true },
  };

  static styles = [widgetStyle, knockoutStyle, switchesStyle];
  static inputs = ['text', 'model', 'knockout', 'sweep'];

  #swept = null;
  #focusPending = false;

  constructor() {
    super();
    this.all = false; // the whole ranking is in sight
    this.at = null; // the switch that the keyboard is at
  }

  get prompts() {
    return this.t.switches.prompts;
  }

  async compute({ signal }) {
    const text = this.shownText;
    if (text === '') return { empty: true, config: this.result?.config ?? null };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model, config } = loaded;
    const engine = sharedEngine();
    const start = performance.now();
    const { off, unknown } = parseSwitches(this.knockout, config);
    const effect = await measureSwitches(engine, text, { model, off });
    const ms = performance.now() - start;
    if (signal.aborted) return null;
    let ranking = null;
    if (this.sweep === 'on') {
      const key = JSON.stringify([model, text]);
      if (this.#swept?.key !== key) {
        const from = performance.now();
        const rows = await sweepSwitches(engine, text, { model, config, stop: () => signal.aborted });
        if (!rows) return null;
        this.#swept = { key, rows, ms: performance.now() - from };
      }
      ranking = this.#swept;
    }
    const notes = [];
    if (unknown.length) notes.push({ kind: 'unknown', values: [unknown.map((word) => characters(word).slice(0, 24).join('')).slice(0, 5).join(' '), config.nLayer - 1, config.nHead - 1] });
    if (effect.dropped) notes.push({ kind: 'droppedOld', values: [effect.dropped] });
    return { ...loaded, off, effect, ranking, notes, ms };
  }

  accept(result) {
    super.accept(result);
    if (result && !result.empty) this.knockout = formatSwitches(result.off);
  }

  reset() {
    this.all = false;
    super.reset();
  }

  updated(changed) {
    super.updated(changed);
    if (!this.#focusPending) return;
    this.#focusPending = false;
    this.renderRoot.querySelector('.sw-board [tabindex="0"]')?.focus({ preventScroll: true });
  }

  /** What the board shows: what is asked for by now, even while it is still being computed. */
  get #off() {
    return parseSwitches(this.knockout, this.result.config).off;
  }

  #toggle(word) {
    this.at = word;
    this.knockout = formatSwitches(toggled(this.#off, word, this.result.config));
  }

  renderNotes() {
    if (!this.notes.length) return nothing;
    return html`<div class="notes" role="status">${this.notes.map(({ kind, values }) => html`<p>${this.t.switches[kind](...values)}</p>`)}</div>`;
  }

  exports() {
    const { result, t } = this;
    if (!result || result.empty) return null;
    const words = t.switches;
    const { effect, off, config } = result;
    const name = formatSwitches(off) ?? words.nothingOff;
    const strange = strangeness(off, config);
    return {
      name: 'switches',
      svg: (theme) => switchesFigure({ config, off, effect, text: textEnd(this.shownText.replace(/\s+/g, ' '), 60), sentences: [switchSays(effect, off.size, words), ...(strange ? [words.strange[strange]] : [])], words, note: this.sourceLine, theme }),
      table: () => ({ header: words.exportHeader, rows: effect.rows.map(({ label, before, after }) => [name, label, before, after, effect.kl]) }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${t.switches.title}</p>
        <p class="lead">${t.switches.lead}</p>
      </div>
      <div class="fig-ctl">${this.renderText()}${this.renderPrompts()}</div>
      ${this.renderNotes()}
      <div class="fig-body">${this.renderError()}${this.#renderBody()}</div>
      ${this.renderFoot({ facts: this.sourceFacts(result && !result.empty ? { model: result.model, hash: result.hash, ms: result.ms } : {}) })}
    `;
  }

  #renderBody() {
    const { t, result } = this;
    if (this.shownText === '') return html`<div class="empty"><p>${t.switches.empty}</p></div>`;
    if (!result || result.empty) return this.error ? nothing : html`<div class="empty wait"></div>`;
    return html`<div class="knock">
        <div class="knock-board">${this.#renderBoard()}</div>
        <div class="knock-sides">${this.#renderEffect()}</div>
      </div>
      ${this.#renderRanking()}`;
  }

  #key = (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!event.target.closest('button') || event.ctrlKey || event.metaKey || event.altKey || (!step && !['Home', 'End'].includes(event.key))) return;
    event.preventDefault();
    const { nLayer, nHead } = this.result.config;
    const rows = [wholeSwitches, ...Array.from({ length: nLayer }, (_, i) => [`h.${i}.attn`, ...Array.from({ length: nHead }, (__, head) => `h.${i}.${head}`), `mlp.${i}`])];
    const word = this.#current;
    let row = rows.findIndex((one) => one.includes(word));
    let column = rows[row].indexOf(word);
    if (step) {
      row = Math.min(rows.length - 1, Math.max(0, row + step[0]));
      column += step[1];
    } else column = event.key === 'Home' ? 0 : Infinity;
    this.at = rows[row][Math.min(rows[row].length - 1, Math.max(0, column))];
    this.#focusPending = true;
  };

  get #current() {
    const words = allSwitches(this.result.config);
    return words.includes(this.at) ? this.at : words[0];
  }

  #renderBoard() {
    const { t, result } = this;
    const { config, ranking } = result;
    const words = t.switches;
    const off = this.#off;
    const most = ranking?.rows[0]?.kl || 1;
    const effects = new Map(ranking?.rows.map(({ word, kl }) => [word, kl]));
    const key = (word, name, kind = '', within = false) => {
      const on = !off.has(word) && !within;
      const kl = effects.get(word);
      return html`<button
        class="sw ${kind} ${on ? '' : 'off'}"
        type="button"
        role="switch"
        data-word=${word}
        aria-checked=${on ? 'true' : 'false'}
        aria-disabled=${within ? 'true' : nothing}
        aria-label="${switchName(word, words)}${within ? ` (${words.within})` : ''}"
        tabindex=${word === this.#current ? '0' : '-1'}
        @click=${() => within || this.#toggle(word)}
      ><span>${withMath(name)}</span><i class="lamp" aria-hidden="true"></i>${kl === undefined ? nothing : html`<span class="heat"><i .style="--p:${(kl / most).toFixed(4)}"></i></span>`}</button>`;
    };
    const sets = switchSets(config);
    const now = formatSwitches(off);
    return html`<p class="subtitle">${words.board}</p>
      <div class="sw-board" role="group" aria-label=${words.board} @keydown=${this.#key}>
        <div class="sw-whole" role="group" aria-label=${words.wholeModel}>${wholeSwitches.map((word) => key(word, words.whole[word]))}</div>
        ${Array.from({ length: config.nLayer }, (_, layer) => {
          const gone = off.has(`h.${layer}.attn`);
          return html`<div class="sw-layer" role="group" aria-label=${words.layerName(layer)}>
            <span class="sw-name">${words.layerName(layer)}</span>
            <div class="sw-attn" .style="--heads:${config.nHead}">${key(`h.${layer}.attn`, words.attention, 'block')}${Array.from({ length: config.nHead }, (__, head) => key(`h.${layer}.${head}`, words.headShort(head), 'head', gone))}</div>
            ${key(`mlp.${layer}`, words.mlp, 'block mlp')}
          </div>`;
        })}
      </div>
      <div class="prompts sw-sets">
        <span class="label" id="sets">${words.trySets}</span>
        <div role="group" aria-labelledby="sets">
          ${Object.entries(sets).map(
            ([name, set]) => html`<button class="btn quiet" type="button" data-set=${name} aria-pressed=${now === formatSwitches(parseSwitches(set, config).off) ? 'true' : 'false'} @click=${() => (this.knockout = formatSwitches(parseSwitches(set, config).off))}><span>${withMath(words.sets[name])}</span></button>`,
          )}
        </div>
      </div>
      <p class="board-acts">
        <button class="btn" id="sweep" type="button" @click=${() => (this.sweep = 'on')}>${words.sweep}</button>
        <button class="btn quiet" id="all-on" type="button" aria-disabled=${off.size ? nothing : 'true'} @click=${() => (this.knockout = null)}>${words.allOn}</button>
      </p>
      <p class="sw-now" aria-hidden="true">${switchSays(result.effect, result.off.size, words)}</p>`;
  }

  #renderEffect() {
    const { t, result } = this;
    const words = t.switches;
    const { effect, off, config } = result;
    const any = off.size > 0;
    const strange = strangeness(off, config);
    const row = (label, was, now, kind) => html`<li class=${kind}>
      <span class="tk">${label}</span>
      <span class="bars"><i class="was" .style="--p:${was.toFixed(4)}"></i>${any ? html`<i class="now" .style="--p:${now.toFixed(4)}"></i>` : nothing}</span>
      <span class="value was"><span class="vh">${words.before}</span>${formatPercent(was)}</span>
      <span class="value now">${any ? html`<span class="vh">${words.after}</span>${formatPercent(now)}` : nothing}</span>
    </li>`;
    return html`<section class="side" role="group" aria-label=${words.next}>
      <p class="side-text">${textEnd(this.shownText, 60)}<span class="num"><b>＿</b></span></p>
      <p class="side-say ${effect.before.id === effect.after.id ? '' : 'changed'}" id="says" role="status">${switchSays(effect, off.size, words)}</p>
      <div class="side-head"><span>${words.next}</span><span class="was">${words.before}</span><span class="now">${any ? words.after : nothing}</span></div>
      <ol class="guesses">
        ${effect.rows.map((entry) => row(entry.label, entry.before, entry.after, ''))} ${row(words.rest, effect.rest.before, effect.rest.after, 'rest')}
      </ol>
      <p class="side-kl ${any ? '' : 'none'}" id="kl">${words.kl} <b>${shown(formatNumber(effect.kl))}</b></p>
      ${strange ? html`<p class="side-lesson" id="strange">${withMath(words.strange[strange])}</p>` : nothing}
    </section>`;
  }

  #renderRanking() {
    const { t, result } = this;
    const { ranking, off } = result;
    if (!ranking) return nothing;
    const words = t.switches;
    const rows = this.all ? ranking.rows : ranking.rows.slice(0, listed);
    const hidden = ranking.rows.length - rows.length;
    const most = ranking.rows[0].kl || 1;
    const now = formatSwitches(off);
    return html`<div class="sweep" role="group" aria-labelledby="sweep-title">
      <p class="subtitle" id="sweep-title">${words.sweepTitle}</p>
      <p class="knock-help">${words.sweepHelp}</p>
      <ol>
        ${rows.map(
          ({ word, kl, label, p }) => html`<li>
            <button class="effect" type="button" aria-pressed=${now === word ? 'true' : 'false'} @click=${() => (this.knockout = now === word ? null : word)}>
              <span class="effect-name">${withMath(switchName(word, words))}</span>
              <span class="effect-bar"><i .style="--p:${(kl / most).toFixed(4)}"></i></span>
              <span class="effect-kl">${shown(formatNumber(kl))}<small> nat</small></span>
              <span class="effect-sides"><span><bdi>${label}</bdi> ${formatPercent(p)}</span></span>
            </button>
          </li>`,
        )}
      </ol>
      ${hidden || this.all ? html`<button class="btn quiet" type="button" @click=${() => (this.all = !this.all)}>${this.all ? words.fewer : words.sweepShown(hidden)}</button>` : nothing}
      <p class="knock-help">${words.sweepMs(ranking.rows.length, formatFixed(ranking.ms, ranking.ms < 100 ? 1 : 0))}</p>
    </div>`;
  }
}
