import { html } from 'lit';

/** A whole number with − and +. `change(value)` is called with a value within min … max. */
export function stepper({ id, name, value, min = 0, max, t, change, disabled = false }) {
  const set = (next) => {
    if (next >= min && next <= max) change(next);
  };
  const keys = (event) => {
    const step = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(value + step);
  };
  return html`<div class="field">
    <span class="label" id=${`${id}-label`}>${name} <span class="num">${min}–${max}</span></span>
    <div class="stepper" role="group" aria-labelledby=${`${id}-label`} @keydown=${keys}>
      <button type="button" aria-label=${t.less(name)} aria-disabled=${disabled || value <= min} @click=${() => disabled || set(value - 1)}>−</button>
      <output id=${id} aria-live="polite">${value}</output>
      <button type="button" aria-label=${t.more(name)} aria-disabled=${disabled || value >= max} @click=${() => disabled || set(value + 1)}>+</button>
    </div>
  </div>`;
}
