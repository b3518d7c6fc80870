import { html } from 'lit';

const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A shown number; its power of ten raised by style, since fonts draw the raised digits unevenly. */
export function shown(text) {
  const [mantissa, power] = text.split('×10');
  if (power === undefined) return text;
  return html`<span class="nb">${mantissa}×10<sup>${power.replace(/./g, (c) => (c === '⁻' ? '−' : digits.indexOf(c)))}</sup></span>`;
}
