import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

/**
 * A slider with its name and the value in words. value, min, max, step: positions of the slider; text: what the position means;
 * stops: names for both ends. `change(position)`.
 */
export function slider({ id, name, value, min = 0, max, step = 1, text, stops, change }) {
  return html`<div class="field slider">
    <span class="slider-head"><label for=${id}>${name}</label><output for=${id}>${text}</output></span>
    <input type="range" id=${id} min=${min} max=${max} step=${step} .value=${live(String(value))} aria-valuetext=${text} @input=${(event) => change(Number(event.target.value))} />
    ${stops ? html`<span class="stops" aria-hidden="true">${stops.map((stop) => html`<span>${stop}</span>`)}</span>` : nothing}
  </div>`;
}
