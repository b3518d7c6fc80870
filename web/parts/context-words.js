import { formatFixed, formatPercent } from '../draw/number.js';

/** What has become of the fact, in sentences; the first is the answer. words: strings of `context`. */
export function contextSentences(result, words) {
  const { total, context, dropped, seen, reference, p, written, found } = result;
  const n = (value) => formatFixed(value, 0);
  const lines = [`${words.answers} ${written || words.silence}`];
  lines.push(dropped ? words.tooLong(n(total), n(context), n(dropped)) : words.fits(n(total), n(context)));
  lines.push(words.state[seen]);
  if (reference) lines.push(words.chance(reference.label, formatPercent(reference.p), formatPercent(p)));
  if (reference && found && seen === 'none') lines.push(words.luck);
  if (reference && !found && seen === 'all') lines.push(words.missed);
  return lines;
}
