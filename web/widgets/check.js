import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { sharedEngine } from '../engine/client.js';
import { formatFixed } from '../draw/number.js';
import { forget, judgeNumber, judgeOptions, keyOf, recall, remember, rightOption, showValue } from '../parts/check.js';
import { GlassboxElement } from '../parts/element.js';
import { evaluateExpression } from '../parts/measure.js';
import { checkStyle } from '../styles/check.css.js';

/**
 * A question that the reader answers before the answer is shown.
 *
 * In a lesson's Markdown: the opening tag, the question, a list of 2 to 4 options of which `answer` (from 1) is right, then the explanation, and the
 * closing tag, each tag on a line of its own. Formulas, emphasis and computed numbers work in all of it.
 *
 *     <glassbox-check answer="2">
 *
 *     模型从左往右读。把「累」换成「高」，「它」那一行的注意力会变吗？
 *
 *     - 会变
 *     - 一个数也不变
 *
 *     读到「它」的时候，后面那个字还没有出现。
 *
 *     </glassbox-check>
 *
 * Scored against the engine instead: `value` is an expression of parts/measure.js on `text` (with `text-b`, `knockout`), and `answer` is left
 * out. With a list, the right option is the one that says the computed word, or the number nearest to the computed one (`0.1`, `50 %`). Without a
 * list the reader sets a slider from `min` (0) to `max` (1) in steps of `step` (0.01); `unit="%"` shows a share as a percentage.
 *
 *     <glassbox-check value="noun.weights[-1,0]" text="小猫没有跳上桌子，因为它太累了。太累的是" text-b="小猫没有跳上桌子，因为它太高了。太高的是">
 *
 *     「的是」那一行，有一个头看「小猫」的权重是多少？
 *
 *     它几乎只看小猫。
 *
 *     </glassbox-check>
 *
 * Without a script the page shows the question, the options, and the answer folded; the build fills in the computed answer.
 * On a page of one's own the same parts stand in the tag as elements with slot="question", slot="option-1" …, slot="why".
 *
 * The guess stays on the reader's device and can be taken back.
 */
export default class GlassboxCheck extends GlassboxElement {
  static properties = {
    answer: { reflect: true },
    value: { reflect: true },
    text: { reflect: true },
    textB: { attribute: 'text-b', reflect: true },
    model: { reflect: true },
    knockout: { reflect: true },
    min: { reflect: true },
    max: { reflect: true },
    step: { reflect: true },
    unit: { reflect: true },
    options: { state: true },
    guess: { state: true },
    setting: { state: true },
    open: { state: true },
  };

  static styles = [...GlassboxElement.styles, checkStyle];

  static inputs = ['answer', 'value', 'text', 'textB', 'model', 'knockout'];

  #focus = null;

  constructor() {
    super();
    this.options = [];
    this.guess = null; // number of the option from 1, or the number set on the slider
    this.setting = null; // where the slider stands before the guess
    this.open = false;
  }

  connectedCallback() {
    super.connectedCallback();
    // The parts that the build folds for pages without a script are laid open; what is shown when is decided here.
    for (const fold of this.querySelectorAll(':scope > details')) {
      this.append(...fold.querySelectorAll(':scope > [slot]'));
      fold.remove();
    }
    this.#readParts();
    this.guess = recall(this.#key);
    this.open = this.guess !== null;
  }

  #readParts() {
    this.options = [];
    for (let n = 1; ; n++) {
      const part = this.querySelector(`:scope > [slot="option-${n}"]`);
      if (!part) break;
      this.options.push(part.textContent.trim());
    }
  }

  get #key() {
    const question = this.querySelector(':scope > [slot="question"]')?.textContent.trim() ?? '';
    return keyOf([question, ...this.options, this.value ?? '', this.text ?? '']);
  }

  get #range() {
    const number = (raw, fallback) => (raw === undefined || raw === null || raw === '' || !Number.isFinite(Number(raw)) ? fallback : Number(raw));
    const min = number(this.min, 0);
    const max = Math.max(number(this.max, 1), min + 1e-6);
    const step = number(this.step, 0.01) > 0 ? number(this.step, 0.01) : 0.01;
    return { min, max, step };
  }

  async compute({ signal }) {
    if (!this.value) return { fixed: true };
    const engine = sharedEngine();
    const model = this.model || 'builtin';
    const { hash } = await engine.load(model, { signal });
    try {
      return { value: await evaluateExpression(engine, this.value, { model, text: this.text ?? '', textB: this.textB ?? '', knockout: this.knockout ?? '' }), model, hash };
    } catch (thrown) {
      if (thrown instanceof RangeError) throw Object.assign(new Error(thrown.message), { code: 'bad_argument' });
      throw thrown;
    }
  }

  /** Number of the right option, from 1; null while it is not known. */
  get #right() {
    if (!this.value) return rightOption(this.answer, this.options.length);
    return this.result ? judgeOptions(this.options, this.result.value) : null;
  }

  #give(guess) {
    if (this.guess !== null) return;
    this.guess = guess;
    this.open = true;
    remember(this.#key, guess);
    this.#focus = '.again';
  }

  #takeBack = () => {
    this.guess = null;
    this.open = false;
    this.setting = null;
    forget(this.#key);
    this.#focus = '.option, .slider';
  };

  reset() {
    super.reset();
    this.#takeBack();
  }

  updated(changed) {
    super.updated(changed);
    if (!this.#focus) return;
    const target = this.renderRoot.querySelector(this.#focus);
    this.#focus = null;
    target?.focus({ preventScroll: true });
  }

  render() {
    const { t } = this;
    const slider = this.options.length === 0 && this.value;
    return html`<section class="ask" lang=${this.language === 'zh' ? 'zh-Hans' : 'en'} aria-labelledby="tag question" aria-busy=${this.stale ? 'true' : 'false'}>
      <p class="ask-tag" id="tag">${t.check.tag}</p>
      <div class="ask-question" id="question"><slot name="question" @slotchange=${() => this.#readParts()}></slot></div>
      ${slider ? this.#renderSlider() : this.#renderOptions()}
      <div class="ask-answer" role="status">${this.open ? this.#renderAnswer(slider) : nothing}</div>
      ${this.open ? html`<p class="ask-acts"><button class="btn quiet again" type="button" @click=${this.#takeBack}>${t.check.again}</button></p>` : nothing}
      ${this.renderError()}
    </section>`;
  }

  #renderOptions() {
    const { t, guess, open } = this;
    const right = open ? this.#right : null;
    return html`<div class="options" role="group" aria-label=${t.check.options}>
      ${this.options.map((_, i) => {
        const n = i + 1;
        const state = right === null ? '' : n === right ? 'right' : n === guess ? 'wrong' : '';
        return html`<button class="btn option ${state}" type="button" aria-pressed=${guess === n ? 'true' : 'false'} aria-disabled=${open ? 'true' : nothing} @click=${() => this.#give(n)}>
          <span><slot name=${`option-${n}`}></slot></span>${state ? html`<span class="judged" aria-hidden="true">${state === 'right' ? '✓' : '✗'}</span><span class="vh">${state === 'right' ? t.check.isRight : t.check.isWrong}</span>` : nothing}
        </button>`;
      })}
    </div>`;
  }

  #show(x) {
    return showValue(x, this.unit, this.#range.step);
  }

  #renderSlider() {
    const { t, guess, open, result } = this;
    const { min, max, step } = this.#range;
    const shown = guess ?? this.setting ?? (min + max) / 2;
    const share = (x) => Math.min(1, Math.max(0, (x - min) / (max - min)));
    const known = open && typeof result?.value === 'number';
    return html`<div class="slide">
      <div class="slide-track">
        <input
          class="slider"
          type="range"
          min=${min}
          max=${max}
          step=${step}
          .value=${live(String(shown))}
          ?disabled=${open}
          aria-labelledby="question"
          aria-valuetext=${this.#show(shown)}
          @input=${(event) => {
            this.setting = Number(event.target.value);
          }}
        />
        ${known
          ? html`<span class="mark-true" .style="--at:${share(result.value)}" aria-hidden="true"><b>${this.#show(result.value)}</b></span>`
          : nothing}
        <div class="slide-ends" aria-hidden="true"><span>${this.#show(min)}</span><span>${this.#show(max)}</span></div>
      </div>
      <output class="slide-value">${this.#show(shown)}</output>
      ${open ? nothing : html`<button class="btn give" type="button" @click=${() => this.#give(shown)}>${t.check.give}</button>`}
    </div>`;
  }

  #renderAnswer(slider) {
    const { t, result, guess } = this;
    if (this.value && !result) return this.error ? nothing : html`<p class="verdict">${t.check.waiting}</p>`;
    let verdict;
    if (slider) {
      const { min, max } = this.#range;
      const { off, grade } = judgeNumber(guess, result.value, max - min);
      verdict = t.check.distance(t.check.grades[grade], this.#show(guess), this.#show(result.value), this.#show(off));
    } else {
      const right = this.#right;
      verdict = right === null ? t.check.noneRight : guess === right ? t.check.right : this.value ? t.check.missed : t.check.wrong(this.options[right - 1]);
      if (this.value) verdict += typeof result.value === 'number' ? t.check.computed(this.unit === '%' ? this.#show(result.value) : formatFixed(result.value, 3)) : t.check.computedWord(result.value);
    }
    return html`<p class="verdict">${verdict}</p>
      <slot name="why"></slot>
      ${this.value ? html`<p class="ask-source">${t.model(result.model)} <code>${result.hash.slice(0, 8)}</code></p>` : nothing}`;
  }
}
