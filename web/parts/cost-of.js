// What glassbox-cost counts, and the numbers of tokens that its slider stops at.

export const mostTokens = 100_000;
export const usual = { n: 1000, versus: 100 };
export const examples = [100, 1000, 10_000, 100_000];

const series = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

/** Where the slider stops: 1 … 9, then ten steps to each power of ten, about evenly on a logarithmic scale. */
export const stops = [1, 2, 3, 4, 5, 6, 7, 8, 9, ...[1, 2, 3, 4].flatMap((power) => series.map((x) => Math.round(x * 10 ** power))), mostTokens];

/** The stop nearest to n on the logarithmic scale. */
export const stopNear = (n) => stops.reduce((best, stop, i) => (Math.abs(Math.log(stop / n)) < Math.abs(Math.log(stops[best] / n)) ? i : best), 0);

/** Scores of n tokens: of all with all, and of all with those up to themselves. */
export const costOf = (n) => ({ n, scores: n * n, used: (n * (n + 1)) / 2 });

/** A number of tokens as a reader or an attribute writes it → a whole number from 1 to 100,000, or NaN. */
export function parseTokens(text) {
  const plain = String(text).normalize('NFKC').replace(/[\s,_，]/g, '');
  const n = /^\d{1,7}$/.test(plain) ? Number(plain) : NaN;
  return n >= 1 && n <= mostTokens ? n : NaN;
}

/** The attribute: what can't be read becomes `fallback`, what is out of range the nearest end → { value, changed }. */
export function readTokens(raw, fallback) {
  if (raw === null || raw === undefined) return { value: fallback, changed: false };
  const number = String(raw).trim() === '' ? NaN : Number(String(raw).replace(/[\s,_]/g, ''));
  const value = Number.isNaN(number) ? fallback : Math.min(mostTokens, Math.max(1, Math.trunc(number)));
  return { value, changed: value !== number };
}
