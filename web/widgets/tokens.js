import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { bytesLabel } from '../draw/label.js';
import { bytesName, treeDrawing } from '../draw/token-tree.js';
import { tokensFigure, toneOf } from '../draw/chips.js';
import { formatNumber } from '../draw/number.js';
import { tokenParts } from '../draw/units.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex } from '../parts/attributes.js';
import { chips } from '../parts/chips.js';
import { GlassboxElement } from '../parts/element.js';
import { mergeTree, piecesAfter } from '../parts/merges.js';
import { slider } from '../parts/slider.js';
import { choice } from '../parts/switch.js';
import { fitTextBox, textBox } from '../parts/text-box.js';
import { chosenTokenizers, longestWithSteps, mostTokens, tokensOf } from '../parts/tokens-of.js';
import { chartStyle } from '../styles/chart.css.js';
import { piecesStyle, tokensStyle } from '../styles/pieces.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const hex = (bytes) => bytesLabel(bytes).slice(1, -1);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A text as tokens: numbers and bytes, in GPT-2's vocabulary and in the built-in model's; the merges one by one; where a token comes from.
 *
 * Attributes: `text`, `tokenizer` (`gpt2`, `builtin`; both without it), `step` (how many merges are done, all without it; with one vocabulary only),
 * `token` (the chosen one, counted from 0; with both vocabularies after its name: `builtin 3`), `lang`, `theme`; all mirror the state. No model is loaded.
 */
export default class GlassboxTokens extends GlassboxElement {
  static properties = {
    text: { reflect: true },
    tokenizer: { reflect: true },
    step: { reflect: true },
    token: { reflect: true },
  };

  static styles = [widgetStyle, chartStyle, piecesStyle, tokensStyle];
  static inputs = ['text', 'tokenizer'];

  get #words() {
    return this.t.pieces;
  }

  get #text() {
    return this.text ?? this.#words.examples[0].text;
  }

  async compute() {
    const text = this.#text;
    if (text === '') return { empty: true };
    const names = chosenTokenizers(this.tokenizer);
    // Loaded first, so that what is measured is the cutting.
    await Promise.all(names.map((tokenizer) => sharedEngine().tokenize('', { tokenizer })));
    const start = performance.now();
    const asked = await tokensOf(sharedEngine(), text, names);
    for (const side of asked.sides) {
      // Each byte's token, for the tints and for choosing a piece that is no token yet.
      side.owner = side.bytes.flatMap(({ length }, i) => Array(length).fill(i));
      side.tree = side.steps ? mergeTree(side) : null;
    }
    return { ...asked, text, hash: asked.sides.find(({ name }) => name === 'builtin')?.hash ?? undefined, ms: performance.now() - start };
  }

  accept(result) {
    if (!result || result.empty) return;
    const [only] = result.sides;
    if (this.step !== null && this.step !== undefined) {
      const last = only.steps?.length ?? 0;
      const { value } = clampIndex(this.step, last);
      this.step = result.sides.length > 1 || value >= last ? null : String(value);
    }
    if (this.token !== null && this.token !== undefined) this.token = this.#chosenText(this.#chosen(result), result);
  }

  updated(changed) {
    super.updated(changed);
    fitTextBox(this.renderRoot.querySelector('textarea'));
  }

  /** The chosen token → { side, index } or null. */
  #chosen({ sides }) {
    const found = /^\s*(?:(gpt2|builtin)\s+)?(\d+)\s*$/.exec(this.token ?? '');
    if (!found) return null;
    const side = found[1] ? sides.find(({ name }) => name === found[1]) : sides[0];
    return side && Number(found[2]) < side.ids.length ? { side, index: Number(found[2]) } : null;
  }

  #chosenText(chosen, { sides }) {
    if (!chosen) return null;
    return sides.length > 1 ? `${chosen.side.name} ${chosen.index}` : String(chosen.index);
  }

  #step(side) {
    const last = side.steps?.length ?? 0;
    return this.step === null || this.step === undefined ? last : clampIndex(this.step, last).value;
  }

  #setStep(step, last) {
    this.step = step >= last ? null : String(Math.max(0, step));
  }

  #watch(name) {
    this.tokenizer = name;
    this.step = '0';
    this.token = null;
  }

  exports() {
    const { result, t } = this;
    if (!result?.sides) return null;
    const words = this.#words;
    return {
      name: `tokens-${result.sides.map(({ name }) => name).join('-')}`,
      svg: (theme) =>
        tokensFigure({
          sides: result.sides.map((side) => ({ ...side, title: `${this.#vocabulary(side)} · ${words.count(formatNumber(side.count))}`, stats: this.#stats(side) })),
          title: words.figure(result.text.length > 60 ? `${result.text.slice(0, 60)}…` : result.text),
          words,
          note: this.#source(),
          theme,
          most: Infinity,
        }),
      table: () => ({
        header: words.header,
        rows: result.sides.flatMap((side) => side.ids.map((id, i) => [i, id, bytesName(side.bytes[i]), hex(side.bytes[i]), t.pieces.names[side.name]])),
      }),
    };
  }

  #vocabulary({ name, size }) {
    return this.#words.vocabularyOf(name, formatNumber(size));
  }

  #stats({ rate }) {
    const { characters, textBytes } = this.result;
    return this.#words.rate(formatNumber(characters), formatNumber(textBytes), formatNumber(rate));
  }

  #source() {
    return this.#words.source(this.result.sides.map((side) => this.#vocabulary(side)));
  }

  renderFigure() {
    const { t, result } = this;
    const words = this.#words;
    const names = chosenTokenizers(this.tokenizer);
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        ${textBox({
          name: t.text,
          value: this.#text,
          change: (text) => {
            this.text = text;
            this.token = null;
            this.step = null;
          },
        })}
        ${choice({
          id: 'vocabulary',
          name: words.vocabulary,
          value: names.length > 1 ? 'both' : names[0],
          options: ['gpt2', 'builtin', 'both'].map((value) => ({ value, name: words.names[value] })),
          change: (value) => {
            this.tokenizer = value === 'both' ? null : value;
            this.token = null;
            this.step = null;
          },
        })}
        <div class="prompts">
          <span class="label" id="try">${t.try}</span>
          <div role="group" aria-labelledby="try">
            ${words.examples.map(
              (example) => html`<button
                class="btn quiet"
                type="button"
                aria-pressed=${example.text === this.#text ? 'true' : 'false'}
                @click=${() => {
                  this.text = example.text;
                  this.token = null;
                  this.step = null;
                }}
              >${example.label}</button>`,
            )}
          </div>
        </div>
      </div>
      <div class="fig-body">${this.renderError()}${this.#renderBody()}</div>
      ${this.renderFoot({
        facts: result?.sides ? [this.#source(), t.measured(formatNumber(result.ms))] : [this.stale && !this.error ? words.preparing : null],
      })}
    `;
  }

  #renderBody() {
    const { result } = this;
    if (this.#text === '') return html`<div class="empty"><p>${this.#words.empty}</p></div>`;
    if (!result?.sides) return this.error ? nothing : html`<div class="empty wait"></div>`;
    const chosen = this.#chosen(result);
    return html`${result.sides.map((side) => this.#renderSide(side, chosen))}
      <div class="below ${this.#beside ? 'beside' : ''}">${result.sides.length === 1 ? this.#renderWalk(result.sides[0]) : nothing} ${chosen ? this.#renderTree(chosen) : nothing}</div>`;
  }

  /** Whether the merges and where a token comes from stand side by side. */
  get #beside() {
    const { sides } = this.result;
    return this.width > 860 && sides.length === 1 && sides[0].steps?.length > 0 && this.#chosen(this.result) !== null;
  }

  #renderSide(side, chosen) {
    const { result } = this;
    const words = this.#words;
    const both = result.sides.length > 1;
    const step = this.#step(side);
    const whole = !side.steps || step === side.steps.length;
    const all = whole ? side.ids.map((id, i) => ({ id, bytes: side.bytes[i], token: i })) : piecesAfter(side, step).map((piece) => ({ ...piece, token: side.owner[piece.from] }));
    const pieces = all.slice(0, mostTokens).map((piece) => ({ ...piece, tone: toneOf(piece.token) }));
    const parts = tokenParts(pieces.map(({ bytes }) => bytes));
    const nameOf = (i) => {
      const { bytes, id } = pieces[i];
      const part = parts[i];
      const label = part ? words.part(part.part + 1, part.parts, part.glyph) : bytesName(bytes);
      return whole ? words.chip(i, label, id, hex(bytes)) : words.piece(label, id, hex(bytes));
    };
    const drawn = pieces.length;
    const total = whole ? side.count : all.length;
    return html`<div class="voc" role="group" aria-labelledby=${`voc-${side.name}`}>
      <div class="voc-head">
        <p class="subtitle" id=${`voc-${side.name}`}>${this.#vocabulary(side)}</p>
        <span class="big">${words.count(formatNumber(side.count))}</span>
        <span class="rest">${this.#stats(side)}</span>
        ${both && side.steps ? html`<button class="btn quiet" type="button" id=${`watch-${side.name}`} @click=${() => this.#watch(side.name)}>${words.watch}</button>` : nothing}
      </div>
      ${chips({
        id: `chips-${side.name}`,
        label: words.list(words.names[side.name]),
        pieces,
        isChosen: (i) => chosen?.side === side && pieces[i].token === chosen.index,
        name: nameOf,
        words,
        choose: (i) => {
          this.token = i === null ? null : this.#chosenText({ side, index: pieces[i].token }, result);
        },
      })}
      ${drawn < total ? html`<p class="hint">${words.rest(formatNumber(total - drawn))}</p>` : nothing}
    </div>`;
  }

  #renderWalk(side) {
    const words = this.#words;
    const { textBytes } = this.result;
    if (!side.steps) return html`<p class="hint" id="too-long" role="status">${words.tooLong(formatNumber(longestWithSteps), formatNumber(textBytes))}</p>`;
    const last = side.steps.length;
    if (!last) return html`<p class="hint">${words.noSteps}</p>`;
    const step = this.#step(side);
    const go = (to) => this.#setStep(to, last);
    const made = step > 0 ? side.steps[step - 1] : null;
    const pieces = made ? piecesAfter(side, step - 1) : null;
    const bytesOf = (id) => pieces.find((piece) => piece.id === id)?.bytes ?? [];
    const [left, right] = made ? made.pair.map(bytesOf) : [];
    const button = (id, name, to, off, primary = false) =>
      html`<button class="btn ${primary && !off ? 'primary' : ''}" id=${id} type="button" aria-disabled=${off ? 'true' : 'false'} @click=${() => off || go(to)}>${name}</button>`;
    return html`<div class="walk-box" role="group" aria-labelledby="walk-title">
      ${slider({ id: 'step', name: html`<span id="walk-title">${words.walk}</span>`, value: step, max: last, text: words.stepOf(formatNumber(step), formatNumber(last)), change: go })}
      <p class="now" id="now" role="status">
        ${made
          ? html`<span>${words.rank(formatNumber(made.rank))}</span><span class="pc"><bdi>${bytesName(left)}</bdi></span>+<span class="pc"><bdi>${bytesName(right)}</bdi></span><span>${words.becomes}</span><span class="pc made"><bdi>${bytesName([...left, ...right])}</bdi></span><span>${made.count > 1 ? words.twice(made.count) : nothing}</span>`
          : html`<span>${words.starts}</span>`}
        ${step === last ? html`<span class="rest">${words.done}</span>` : nothing}
      </p>
      <div class="acts-row">
        ${button('to-start', words.toStart, 0, step === 0)}${button('back', words.back, step - 1, step === 0)}${button('forward', words.forward, step + 1, step === last, true)}${button('to-end', words.toEnd, last, step === last)}
      </div>
      <p class="hint">${words.walkHelp}</p>
    </div>`;
  }

  #renderTree({ side, index }) {
    const words = this.#words;
    if (!side.tree) return nothing;
    const room = Math.max(240, (this.width || 640) - (this.width < 602 ? 24 : 48) - 2);
    const part = tokenParts(side.bytes)[index];
    const first = part ? index - part.part : index;
    const count = part ? part.parts : 1;
    const from = side.tree[first].from;
    const own = side.tree.slice(first, first + count);
    const bytes = side.bytes.slice(first, first + count).flat();
    const text = decoder.decode(Uint8Array.from(bytes));
    const shift = (node) => ({ ...node, from: node.from - from, to: node.to - from, parts: node.parts?.map(shift) });
    const { svg } = treeDrawing({
      text,
      roots: own.map(shift),
      tones: own.map((_, i) => toneOf(first + i)),
      step: this.result.sides.length > 1 ? Infinity : this.#step(side),
      chosen: count > 1 ? index - first : -1,
      width: this.#beside ? room / 2 - 32 : room,
      words: words.lines,
    });
    const name = bytesName(bytes);
    return html`<div class="tree" id="tree" role="group" aria-labelledby="tree-title">
      <p class="subtitle" id="tree-title">${words.from(name)}</p>
      <p class="lead">${own.some(({ parts }) => parts) ? words.fromHelp : words.unmerged}</p>
      <div class="tree-box" role="img" tabindex="0" aria-label=${words.treeLabel(name, formatNumber(bytes.length), formatNumber(count))}>${unsafeHTML(svg)}</div>
    </div>`;
  }
}
