import { labelWidth } from './label.js';

// Chinese may break anywhere but before these.
const closing = /^[、，。；：？！」』）》]/;

/** A sentence in lines of at most `em`: between words, and between Chinese characters. */
export function textLines(text, em) {
  const pieces = text.match(/[\u2e80-\uffff]|[^\u2e80-\uffff\s]+\s*|\s+/gu) ?? [];
  const list = [''];
  for (const piece of pieces) {
    const line = list.at(-1);
    if (line && !closing.test(piece) && labelWidth((line + piece).trimEnd()) > em) list.push(piece);
    else list[list.length - 1] += piece;
  }
  return list.map((line) => line.trim());
}
