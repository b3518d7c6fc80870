import { byteText } from '../draw/kv-figure.js';
import { formatNumber } from '../draw/number.js';
import { kvBytes } from './kv-models.js';

/** What is to be said about one model's cache of n tokens: the sum, and what is special. words: strings of `kv`; model: with `title`. */
export function kvSentences(model, n, bits, words) {
  const { layers, heads, kvHeads, headSize, kept, context, title } = model;
  const g = formatNumber;
  const tokens = Math.min(n, kept ?? Infinity);
  const bytes = kvBytes(model, n, bits);
  const lines = [`${title}: 2 × ${g(layers)} × ${g(kvHeads)} × ${g(headSize)} × ${g(tokens)} × ${bits / 8} B = ${byteText(bytes)}`];
  lines.push(kvHeads < heads ? words.shared(heads, kvHeads, g(heads / kvHeads)) : words.notShared(heads));
  if (kept) lines.push(words.windowed(g(kept)));
  if (n > context) lines.push(words.tooFar(title, g(n), g(context)));
  return lines;
}
