import { formatFixed, formatNumber, formatPercent } from '../draw/number.js';
import { countedWork, evenLength } from './prefill-time.js';

/** What the counted work of n tokens comes to, in one sentence. words: strings of `prefill`. */
export function workSentence(config, n, words) {
  const { attention, total } = countedWork(config, n);
  return words.workSays(formatFixed(n, 0), formatFixed(total, 0), formatPercent(attention / total), formatFixed(evenLength(config), 0));
}

/** What was measured, in sentences; measured: of summarise. */
export function timeSentences(measured, words) {
  const { points, a, b, c, r2 } = measured;
  const signed = (value) => `${value < 0 ? '−' : '+'} ${formatNumber(Math.abs(value))}`;
  const n = points.at(-1).tokens;
  const lines = [words.curve(formatNumber(a), formatNumber(b * 1e3), signed(c * 1e6)), words.fit(formatPercent(Math.max(0, r2)))];
  lines.push(c > 0 ? words.split(formatFixed(n, 0), formatNumber(b * n), formatNumber(c * n * n)) : words.flat);
  lines.push(words.note(points[0].runs));
  return lines;
}
