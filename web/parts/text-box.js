import { html } from 'lit';
import { live } from 'lit/directives/live.js';

/** A text field that grows with its text. `change(text)` on every change; while an input method composes, at its end. */
export function textBox({ id = 'text', name, value, change }) {
  const give = (event) => {
    if (!event.isComposing) change(event.target.value);
  };
  const ended = (event) => change(event.target.value);
  return html`<div class="field f-text">
    <label for=${id}>${name}</label>
    <textarea
      id=${id}
      class="text"
      rows="1"
      spellcheck="false"
      autocomplete="off"
      autocapitalize="off"
      .value=${live(value)}
      @input=${give}
      @compositionend=${ended}
    ></textarea>
  </div>`;
}

/** Grows a text field to its text where the browser does not do so by itself. */
export function fitTextBox(field) {
  if (!field || CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight + 2, 160)}px`;
}
