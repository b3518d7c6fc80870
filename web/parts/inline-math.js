import { html } from 'lit';
import { italic, root } from './calc-panel.js';

/** A sentence in which every √ before a number or a letter gets its bar, and W_Q and its like their index; GPT-2 stays in one piece. */
export function withMath(text) {
  const parts = text.split(/(√\w+|W_[A-Z]|GPT-2)/);
  return parts.map((part, i) => {
    if (i % 2 === 0) return part;
    if (part === 'GPT-2') return html`<span class="nb">${part}</span>`;
    if (part[0] === 'W') return italic('W', part[2]);
    const inside = part.slice(1);
    return root(/\d/.test(inside) ? inside : html`<i>${inside}</i>`, inside);
  });
}
