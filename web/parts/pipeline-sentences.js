// What there is to see along the way, in sentences made of the measured numbers. words: strings of `transformer`.
import { formatNumber } from '../draw/number.js';

/** stations: of `streamAt`. */
export function streamSentence(stations, token, words) {
  const [first, last] = [stations[0].length, stations.at(-1).length];
  return words.streamSays(token, formatNumber(first), formatNumber(last), formatNumber(last / (first || 1)));
}

/** A mean as it is shown: one that is 0 but for rounding is 0. */
export const still = (x) => (Math.abs(x) < 5e-7 ? '0' : formatNumber(x));

/** view: of `normAt`. */
export function normSentence(view, words) {
  const of = ({ mean, spread }) => ({ mean: still(mean), spread: formatNumber(spread) });
  return words.normSays({ before: of(view.before), even: of(view.even), after: of(view.after) });
}

/** view: of `neuronsAt`. */
export const mlpSentence = (view, { token, layer }, words) => words.mlpSays(token, layer, view.pre.length, view.negative, view.quiet);
