import { formatNumber, roundTo, shownValue } from '../draw/number.js';

/** A weight, loss or slope with three digits; what is 0 but for rounding is 0. */
export const shortNumber = (x) => formatNumber(Math.abs(x) < 1e-9 ? 0 : Number.isInteger(roundTo(x, 9)) ? roundTo(x, 9) : x);

/** A learning rate as a reader writes it. */
export const plainRate = (rate) => ((Math.abs(rate) >= 1e-6 && Math.abs(rate) < 1000) || rate === 0 ? String(rate).replace('-', '−') : formatNumber(rate));

/** The next step as a line of arithmetic of which the shown numbers give the shown result, digits added until they do. */
export function stepSum({ w, rate, slope }) {
  for (let digits = 3; digits < 9; digits += 1) {
    const [a, b] = [shownValue(w, digits), shownValue(slope, digits)];
    const text = (x) => formatNumber(Math.abs(x) < 1e-9 ? 0 : x, digits);
    const exact = w - rate * slope;
    if (text(a - rate * b) === text(exact) || digits === 8) return { w: text(w), rate: plainRate(rate), slope: slope < 0 && text(slope) !== '0' ? `(${text(slope)})` : text(slope), next: text(exact) };
  }
  return null;
}

/** What there is to say about a walk, in sentences. words: strings of `descent`. */
export function descentSentences({ landscape, walked, rate, batch, words }) {
  const { path, state } = walked;
  const last = path.at(-1);
  const steps = path.length - 1;
  const n = shortNumber;
  const sum = stepSum({ w: last.w, rate, slope: last.used });
  const lines = [
    batch === 'one' ? words.nowOne(steps, n(last.w), n(last.loss), n(last.used), (steps % landscape.count) + 1) : words.now(steps, n(last.w), n(last.loss), n(last.slope)),
  ];
  if (state !== 'lost') lines.push(words.sum(sum.w, sum.rate.startsWith('−') ? `(${sum.rate})` : sum.rate, sum.slope, sum.next));
  lines.push(words.states[state]);
  if (landscape.kind === 'model') {
    const [from, to] = landscape.range;
    const most = Math.max(landscape.loss(from), landscape.loss(to)) - landscape.least.loss;
    if (most < 0.15) lines.push(words.hardly(n(most)));
    lines.push(words.trainedSays(n(landscape.now), n(landscape.loss(landscape.now)), n(landscape.least.loss)));
  } else if (landscape.least && (state === 'there' || state === 'away' || state === 'lost')) lines.push(words.valley(n(landscape.least.w), n(landscape.least.loss)));
  return lines;
}

