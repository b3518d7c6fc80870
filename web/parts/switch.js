import { html } from 'lit';
import { live } from 'lit/directives/live.js';

/** A switch with its name. `change(on)`. */
export const toggle = ({ name, on, change }) => html`<label class="switch">
  <input type="checkbox" role="switch" .checked=${live(on)} @change=${(event) => change(event.target.checked)} /><span>${name}</span>
</label>`;

/** One of a few: options [{ value, name }]. `change(value)`. */
export const choice = ({ id, name, value, options, change }) => html`<div class="field">
  <span class="label" id=${id}>${name}</span>
  <span class="seg" role="radiogroup" aria-labelledby=${id}>
    ${options.map(
      (option) => html`<label class=${option.value === value ? 'on' : ''}>
        <input type="radio" name=${id} .checked=${live(option.value === value)} @change=${() => change(option.value)} />${option.name}
      </label>`,
    )}
  </span>
</div>`;
