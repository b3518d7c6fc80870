import { html } from 'lit';
import { root } from './calc-panel.js';

/** A sentence in which every √ before a number or a letter gets its bar. */
export function withRoots(text) {
  const parts = text.split(/√(\w+)/);
  return parts.map((part, i) => (i % 2 ? root(/\d/.test(part) ? part : html`<i>${part}</i>`, part) : part));
}
