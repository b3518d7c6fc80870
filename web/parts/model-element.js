import { html, nothing } from 'lit';
import { clampIndex } from './attributes.js';
import { GlassboxElement } from './element.js';
import { stepper } from './stepper.js';
import { fitTextBox, textBox } from './text-box.js';

/**
 * What widgets share that run a model over a text: the text with its known-good prompts, loading with progress, notes about what was
 * clamped, and where the numbers come from. Attributes: `text`, `model`, `position` (a token counted from 0, the last by default).
 */
export class ModelElement extends GlassboxElement {
  static properties = {
    text: { reflect: true },
    model: { reflect: true },
    position: { reflect: true },
    notes: { state: true },
  };

  constructor() {
    super();
    this.notes = [];
  }

  get prompts() {
    return this.t.attention.prompts;
  }

  get shownText() {
    return this.text ?? this.prompts[0].text;
  }

  /** The chosen token, the last one while nobody has chosen. */
  get at() {
    const last = (this.result?.size ?? 1) - 1;
    return this.position === null || this.position === undefined || this.position === '' ? last : clampIndex(this.position, last).value;
  }

  accept(result) {
    this.notes = result?.notes ?? [];
    if (!result || result.empty) return;
    for (const { property } of this.notes) if (property) this[property] = String(result[property]);
    if (this.position !== null && this.position !== undefined && this.position !== '') this.position = String(this.at);
  }

  updated(changed) {
    super.updated(changed);
    fitTextBox(this.renderRoot.querySelector('textarea'));
  }

  /** What the text box is called. */
  get textName() {
    return this.t.text;
  }

  renderText() {
    return textBox({
      name: this.textName,
      value: this.shownText,
      change: (text) => {
        this.text = text;
      },
    });
  }

  renderStepper(property, name, max) {
    return stepper({
      id: property,
      name,
      value: clampIndex(this[property] ?? 0, max).value,
      max,
      t: this.t,
      disabled: !this.result?.config,
      change: (next) => {
        this[property] = String(next);
      },
    });
  }

  /** One of `prompts` was pressed. */
  takePrompt({ text }) {
    this.text = text;
    this.position = null;
  }

  renderPrompts() {
    const { t } = this;
    return html`<div class="prompts">
      <span class="label" id="try">${t.try}</span>
      <div role="group" aria-labelledby="try">
        ${this.prompts.map(
          (prompt) => html`<button
            class="btn quiet"
            type="button"
            aria-pressed=${prompt.text === this.shownText ? 'true' : 'false'}
            @click=${() => this.takePrompt(prompt)}
          >${prompt.label}</button>`,
        )}
      </div>
    </div>`;
  }

  renderNotes() {
    if (!this.notes.length) return nothing;
    return html`<div class="notes" role="status">${this.notes.map((note) => html`<p>${this.t[note.kind](...note.values)}</p>`)}</div>`;
  }

  /** The error, then what there is: `draw(result)`, or words for an empty text. */
  renderBody(draw) {
    const { result } = this;
    let body = this.error ? nothing : html`<div class="empty wait"></div>`;
    if (this.shownText === '') body = html`<div class="empty"><p>${this.t.attention.empty}</p></div>`;
    else if (result && !result.empty) body = draw(result);
    return html`<div class="fig-body">${this.renderError()}${body}</div>`;
  }

  renderModelFoot() {
    const { result } = this;
    return this.renderFoot({ facts: this.sourceFacts(result && !result.empty ? { model: result.model, hash: result.hash, tokens: result.size, ms: result.ms } : {}) });
  }

  /** One line about where the numbers come from, for exported figures. */
  get sourceLine() {
    const { t, result } = this;
    return `${t.model(result.model)} ${(result.hash ?? '').slice(0, 8)}`.trim();
  }

  /** Room for the figure's content, in px. */
  get inner() {
    return Math.max(240, (this.width || 640) - (this.width < 602 ? 24 : 48) - 2);
  }
}
