import { html, nothing } from 'lit';
import { inkFlip } from '../draw/color.js';
import { characters } from '../draw/label.js';
import { formatFixed, formatNumber, formatPercent } from '../draw/number.js';
import { knockoutFigure } from '../draw/knockout-figure.js';
import { sharedEngine } from '../engine/client.js';
import { GlassboxElement } from '../parts/element.js';
import { formatKnockout, lesson, measureSide, parseKnockout, sweepAll } from '../parts/knockout.js';
import { resolveKnockout } from '../parts/measure.js';
import { shown } from '../parts/shown.js';
import { fitTextBox, textBox } from '../parts/text-box.js';
import { knockoutStyle } from '../styles/knockout.css.js';

const listed = 6; // heads of the ranking in sight
const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * The heads of the model as switches, and what the model says next with all of them and without those that are off, for one text or two.
 *
 * Attributes: `text`, `text-b` (the second text; empty for none), `model`, `knockout` ("h.2.1 mlp.3"; heads may be named by measurement as in
 * parts/measure.js, and are mirrored by number), `sweep` (`on` tries all heads one by one), `lang`, `theme`.
 */
export default class GlassboxKnockout extends GlassboxElement {
  static properties = {
    text: { reflect: true },
    textB: { attribute: 'text-b', reflect: true },
    model: { reflect: true },
    knockout: { reflect: true },
    sweep: { reflect: true },
    base: { state: true },
    all: { state: true },
    at: { state: true },
  };

  static styles = [...GlassboxElement.styles, knockoutStyle];
  static inputs = ['text', 'textB', 'model', 'knockout', 'sweep', 'base'];

  #swept = null;
  #sides = new Map();
  #guesses = new Map(); // of the texts shown, with everything on
  #focusPending = false;

  constructor() {
    super();
    this.base = ''; // what was out already when the heads were tried one by one
    this.all = false; // the whole ranking is in sight
    this.at = { layer: 0, head: 0 }; // the switch that the keyboard is at; head −1 is the one of the whole layer
  }

  get #pair() {
    const [first] = this.t.knockout.prompts;
    return [this.text ?? first.text, this.textB ?? (this.text === undefined || this.text === null ? first.textB : '')];
  }

  async compute({ signal }) {
    const [text, textB] = this.#pair;
    const texts = [text, textB].filter((given) => given !== '');
    if (!texts.length) return { empty: true, config: this.result?.config ?? null };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model, hash, config } = loaded;
    const engine = sharedEngine();
    const start = performance.now();
    let named = this.knockout ?? '';
    if (/\b(noun|strongest)\b/.test(named)) {
      try {
        named = await resolveKnockout(engine, named, { model, text: texts[0], textB: texts[1] ?? texts[0] });
      } catch (thrown) {
        if (!(thrown instanceof RangeError)) throw thrown;
      }
    }
    const out = parseKnockout(named, config);
    const words = formatKnockout(out) ?? '';
    const sides = [];
    const kept = new Map();
    for (const given of texts) {
      const key = JSON.stringify([model, words, given]);
      const side = this.#sides.get(key) ?? (await measureSide(engine, given, { model, layers: config.nLayer, knockout: words, guesses: this.#guesses }));
      if (signal.aborted) return null;
      kept.set(key, side);
      sides.push(side);
    }
    this.#sides = kept;
    const shownNow = new Set(texts.map((given) => JSON.stringify([model, given])));
    for (const key of this.#guesses.keys()) if (!shownNow.has(key)) this.#guesses.delete(key);
    let ranking = null;
    if (this.sweep === 'on') {
      const base = formatKnockout(parseKnockout(this.base, config)) ?? '';
      const key = JSON.stringify([model, base, texts]);
      if (this.#swept?.key !== key) {
        const from = performance.now();
        const rows = await sweepAll(engine, texts, { model, base });
        if (signal.aborted) return null;
        this.#swept = { key, base, rows, ms: performance.now() - from };
      }
      ranking = this.#swept;
    }
    const notes = [];
    if (out.unknown.length) notes.push({ kind: 'unknown', values: [out.unknown.map((word) => characters(word).slice(0, 24).join('')).slice(0, 5).join(' '), config.nLayer - 1, config.nHead - 1] });
    sides.forEach(({ dropped, labels }) => {
      if (dropped) notes.push({ kind: 'dropped', values: [dropped, labels.length] });
    });
    return { model, hash, config, sides, out, words, ranking, notes, ms: performance.now() - start };
  }

  accept(result) {
    if (!result || result.empty) return;
    this.knockout = result.words || null;
  }

  reset() {
    this.base = '';
    this.all = false;
    super.reset();
  }

  updated(changed) {
    super.updated(changed);
    this.renderRoot.querySelectorAll('textarea').forEach(fitTextBox);
    if (this.#focusPending) {
      this.#focusPending = false;
      this.renderRoot.querySelector('.board [tabindex="0"]')?.focus({ preventScroll: true });
    }
  }

  /** What the board shows: what is asked for by now, even while it is still being computed. */
  get #out() {
    const { config } = this.result;
    return parseKnockout(this.knockout, config);
  }

  #set(heads) {
    this.knockout = formatKnockout({ heads, others: this.#out.others });
  }

  #toggleHead(layer, head) {
    this.at = { layer, head };
    const { heads } = this.#out;
    const name = `${layer}.${head}`;
    if (!heads.delete(name)) heads.add(name);
    this.#set(heads);
  }

  #toggleLayer(layer) {
    this.at = { layer, head: -1 };
    const { heads } = this.#out;
    const names = Array.from({ length: this.result.config.nHead }, (_, head) => `${layer}.${head}`);
    const allOut = names.every((name) => heads.has(name));
    names.forEach((name) => (allOut ? heads.delete(name) : heads.add(name)));
    this.#set(heads);
  }

  #tryAll = () => {
    this.base = this.knockout ?? '';
    this.sweep = 'on';
  };

  /** A line of the ranking: that head out, on top of what was out when they were tried; the same line again takes it back. */
  #apply({ layer, head }) {
    const { config, ranking } = this.result;
    const out = parseKnockout(ranking.base, config);
    const before = formatKnockout(out);
    out.heads.add(`${layer}.${head}`);
    const wanted = formatKnockout(out);
    this.at = { layer, head };
    this.knockout = this.knockout === wanted ? before : wanted;
  }

  #prompt(prompt) {
    this.text = prompt.text;
    this.textB = prompt.textB;
    this.knockout = null;
    this.base = '';
  }

  #key = (event) => {
    const move = moves[event.key];
    if (!event.target.closest('.board button') || event.ctrlKey || event.metaKey || event.altKey) return;
    const { nLayer, nHead } = this.result.config;
    let { layer, head } = this.at;
    if (move) [layer, head] = [layer + move[0], head + move[1]];
    else if (event.key === 'Home') head = -1;
    else if (event.key === 'End') head = nHead - 1;
    else return;
    event.preventDefault();
    this.at = { layer: Math.min(nLayer - 1, Math.max(0, layer)), head: Math.min(nHead - 1, Math.max(-1, head)) };
    this.#focusPending = true;
  };

  exports() {
    const { result, t } = this;
    if (!result || result.empty) return null;
    const { sides, ranking, words } = result;
    const rows = [];
    for (const side of sides) for (const row of side.rows) rows.push([side.text, words, row.label, row.before, row.after, side.kl]);
    for (const entry of ranking?.rows ?? []) {
      entry.sides.forEach((side, i) => {
        rows.push([sides[i].text, [ranking.base, `h.${entry.layer}.${entry.head}`].filter(Boolean).join(' '), side.answer, side.from, side.first, side.kl]);
      });
    }
    return {
      name: 'knockout',
      svg: (theme) => knockoutFigure({ ...result, words: this.#figureWords, theme }),
      table: () => ({ header: t.knockout.columns, rows }),
    };
  }

  get #figureWords() {
    const { result, t } = this;
    return { ...t.knockout, note: `${t.model(result.model)} ${result.hash.slice(0, 8)}` };
  }

  renderFigure() {
    const { t, result } = this;
    const [text, textB] = this.#pair;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${t.knockout.title}</p>
        <p class="lead">${t.knockout.lead}</p>
      </div>
      <div class="fig-ctl">
        ${textBox({
          name: t.knockout.textA,
          value: text,
          change: (given) => {
            this.textB = textB;
            this.text = given;
          },
        })}
        ${textBox({
          id: 'text-b',
          name: t.knockout.textB,
          value: textB,
          change: (given) => {
            this.text = text;
            this.textB = given;
          },
        })}
        <div class="prompts">
          <span class="label" id="try">${t.try}</span>
          <div role="group" aria-labelledby="try">
            ${t.knockout.prompts.map(
              (prompt) => html`<button class="btn quiet" type="button" aria-pressed=${prompt.text === text && prompt.textB === textB ? 'true' : 'false'} @click=${() => this.#prompt(prompt)}>${prompt.label}</button>`,
            )}
          </div>
        </div>
      </div>
      ${this.#renderNotes()}
      <div class="fig-body">${this.renderError()}${this.#renderBody(text, textB)}</div>
      ${this.renderFoot({
        facts: this.sourceFacts(
          result && !result.empty ? { model: result.model, hash: result.hash, tokens: t.knockout.tokens(result.sides.map(({ labels }) => labels.length)), ms: result.ms } : {},
        ),
      })}
    `;
  }

  #renderNotes() {
    const { t, result } = this;
    const notes = result?.notes ?? [];
    const others = result && !result.empty ? result.out.others : [];
    if (!notes.length && !others.length) return nothing;
    return html`<div class="notes" role="status">
      ${notes.map((note) => html`<p>${t.knockout[note.kind](...note.values)}</p>`)}
      ${others.length ? html`<p>${t.knockout.others(others.join(' '))}</p>` : nothing}
    </div>`;
  }

  #renderBody(text, textB) {
    const { t, result } = this;
    if (text === '' && textB === '') return html`<div class="empty"><p>${t.knockout.empty}</p></div>`;
    if (!result || result.empty) return this.error ? nothing : html`<div class="empty wait"></div>`;
    return html`<div class="knock">
      <div class="knock-board">${this.#renderBoard()}</div>
      <div class="knock-sides">${result.sides.map((side, i) => this.#renderSide(side, i))}</div>
    </div>
    ${this.#renderRanking()}`;
  }

  #renderBoard() {
    const { t, result } = this;
    const { config, sides, ranking } = result;
    const { heads } = this.#out;
    const most = ranking?.rows[0]?.kl || 1;
    const effect = new Map(ranking?.rows.map((row) => [`${row.layer}.${row.head}`, row.kl]));
    const tab = (layer, head) => (this.at.layer === layer && this.at.head === head ? '0' : '-1');
    const none = heads.size === 0;
    return html`<p class="subtitle">${t.knockout.board}</p>
      <p class="knock-help" id="help">${t.knockout.help(sides.length)}</p>
      <div class="board-scroll">
      <table class="board" aria-describedby="help" @keydown=${this.#key}>
        <thead>
          <tr>
            <th scope="col"><span class="vh">${t.layer}</span></th>
            ${Array.from({ length: config.nHead }, (_, head) => html`<th scope="col">${t.knockout.headName(head)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Array.from({ length: config.nLayer }, (_, layer) => {
            const out = Array.from({ length: config.nHead }, (_, head) => heads.has(`${layer}.${head}`)).filter(Boolean).length;
            const state = out === 0 ? 'true' : out === config.nHead ? 'false' : 'mixed';
            return html`<tr>
              <th scope="row">
                <button class="whole" type="button" role="checkbox" aria-checked=${state} tabindex=${tab(layer, -1)} aria-label=${t.knockout.wholeLayer(layer)} @click=${() => this.#toggleLayer(layer)}>
                  <span>${t.knockout.layerName(layer)}</span><i aria-hidden="true"></i>
                </button>
              </th>
              ${Array.from({ length: config.nHead }, (_, head) => {
                const name = `${layer}.${head}`;
                const on = !heads.has(name);
                const kl = effect.get(name);
                const looks = sides.map((side) => side.looks[layer][head]);
                return html`<td>
                  <button
                    class="cell ${on ? '' : 'off'}"
                    type="button"
                    role="switch"
                    aria-checked=${on ? 'true' : 'false'}
                    tabindex=${tab(layer, head)}
                    aria-label=${t.knockout.cell(layer, head, looks.map((look) => [look.label, formatFixed(look.weight, 2)]), kl === undefined ? null : formatNumber(kl, 3))}
                    @click=${() => this.#toggleHead(layer, head)}
                  >
                    <span class="cell-top"><b>${name}</b><i class="lamp" aria-hidden="true"></i></span>
                    ${looks.map((look) => html`<span class="look ${look.weight >= inkFlip ? 'hi' : ''}" .style="--w:${look.weight.toFixed(4)}"><span>${look.label.replace(/^␣(?=.)/, '')}</span><small>${formatFixed(look.weight, 2)}</small></span>`)}
                    ${kl === undefined ? nothing : html`<span class="heat"><i .style="--p:${(kl / most).toFixed(4)}"></i></span>`}
                  </button>
                </td>`;
              })}
            </tr>`;
          })}
        </tbody>
      </table>
      </div>
      <p class="board-acts">
        <button class="btn" type="button" @click=${this.#tryAll} aria-pressed=${nothing}>${t.knockout.tryAll}</button>
        <button class="btn quiet" type="button" aria-disabled=${none ? 'true' : nothing} @click=${() => none || this.#set(new Set())}>${t.knockout.allOn}</button>
      </p>`;
  }

  #renderSide(side, i) {
    const { t, result } = this;
    const out = result.out.heads.size + result.out.others.length;
    const { before, after, kl, rows, rest } = side;
    const changed = before.id !== after.id;
    const said = lesson(side, result.out.heads);
    const row = (label, was, now, kind) => html`<li class=${kind}>
      <span class="tk">${label}</span>
      <span class="bars"><i class="was" .style="--p:${was.toFixed(4)}"></i>${out ? html`<i class="now" .style="--p:${now.toFixed(4)}"></i>` : nothing}</span>
      <span class="value was"><span class="vh">${t.knockout.before}</span>${formatPercent(was)}</span>
      <span class="value now">${out ? html`<span class="vh">${t.knockout.after}</span>${formatPercent(now)}` : nothing}</span>
    </li>`;
    return html`<section class="side" role="group" aria-labelledby=${`side-${i}`}>
      <p class="side-text" id=${`side-${i}`}>${clip(side.text)}</p>
      <p class="side-say ${changed ? 'changed' : ''}" role="status">
        ${out
          ? changed
            ? t.knockout.changes(before.label, formatPercent(before.p), after.label, formatPercent(after.p))
            : t.knockout.stays(result.out.heads.size, result.out.others.length, before.label, formatPercent(before.p), formatPercent(after.first))
          : t.knockout.allSays(before.label, formatPercent(before.p))}
      </p>
      <div class="side-head"><span>${t.knockout.next}</span><span class="was">${t.knockout.before}</span><span class="now">${out ? t.knockout.after : nothing}</span></div>
      <ol class="guesses">
        ${rows.map((entry) => row(entry.label, entry.before, entry.after, ''))} ${row(html`${t.knockout.restShort}<span class="vh"> ${rest.count}</span>`, rest.before, rest.after, 'rest')}
      </ol>
      <p class="side-kl ${out ? '' : 'none'}">${t.knockout.kl} <b>${shown(formatNumber(kl, 3))}</b></p>
      ${said
        ? html`<p class="side-lesson">
            ${said.kind === 'spare' ? t.knockout.spare(said.look.label, formatFixed(said.look.weight, 2), said.others) : t.knockout.decides(said.look.label, formatFixed(said.look.weight, 2))}
          </p>`
        : nothing}
    </section>`;
  }

  #renderRanking() {
    const { t, result } = this;
    const { ranking, config, sides } = result;
    if (!ranking) return nothing;
    const most = ranking.rows[0]?.kl || 1;
    const rows = this.all ? ranking.rows : ranking.rows.slice(0, listed);
    const hidden = ranking.rows.length - rows.length;
    const base = parseKnockout(ranking.base, config);
    const now = this.knockout ?? null;
    return html`<section class="sweep" role="group" aria-labelledby="sweep-title">
      <p class="subtitle" id="sweep-title">${t.knockout.ranking}</p>
      <p class="knock-help">${ranking.base ? t.knockout.onTop(ranking.base) : t.knockout.fromAll} ${t.knockout.rankingHelp(sides.length)}</p>
      <ol>
        ${rows.map(({ layer, head, kl, sides: effects }) => {
          const name = `${layer}.${head}`;
          const wanted = formatKnockout({ ...base, heads: new Set([...base.heads, name]) });
          const [first] = effects.map((_, i) => sides[i].looks[layer][head]);
          return html`<li>
            <button class="effect" type="button" aria-pressed=${now === wanted ? 'true' : 'false'} @click=${() => this.#apply({ layer, head })}>
              <span class="effect-name"><b>${name}</b><small>${t.knockout.looksAt(first.label)}</small></span>
              <span class="effect-bar"><i .style="--p:${(kl / most).toFixed(4)}"></i></span>
              <span class="effect-kl">${shown(formatNumber(kl, 3))}<small> nat</small></span>
              <span class="effect-sides">${effects.map((effect) => html`<span>${t.knockout.effect(effect.answer, formatPercent(effect.from), formatPercent(effect.first))}${effect.label === effect.answer ? nothing : html` <b>${t.knockout.turns(effect.label)}</b>`}</span>`)}</span>
            </button>
          </li>`;
        })}
      </ol>
      ${hidden || this.all
        ? html`<button
            class="btn quiet"
            type="button"
            @click=${() => {
              this.all = !this.all;
            }}
          >
            ${this.all ? t.knockout.fewer : t.knockout.more(hidden)}
          </button>`
        : nothing}
      <p class="knock-help">${t.knockout.sweepMeasured(ranking.rows.length * sides.length, formatFixed(ranking.ms, ranking.ms < 100 ? 1 : 0))}</p>
    </section>`;
  }
}

/** The end of a text, which is what counts here, and the blank that is to be filled, which keeps to the last word. */
function clip(text) {
  const list = characters(text);
  const cut = list.length > 60 ? ['…', ...list.slice(-59)] : list;
  return html`${cut.slice(0, -2).join('')}<span class="num">${cut.slice(-2).join('')}<b>＿</b></span>`;
}
