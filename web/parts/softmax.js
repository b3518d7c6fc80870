// A softmax by hand: what the reader types, and the steps as shown numbers.
import { formatFixed, formatNumber, shownValue } from '../draw/number.js';
import { formatInput } from './calculation.js';

/** How many scores there may be. */
export const fewest = 1;
export const most = 8;

/** The largest score, up or down: float32 still tells such numbers apart by hundredths. */
export const largestScore = 100_000;

/** Positions of the slider of temperatures. */
export const temperatures = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10];

/** The three scores that the lessons work out by hand. */
export const usualScores = [0.6, 0.2, 0.7];

/**
 * A score as a reader types it: full-width digits, real minus signs, a decimal comma and −∞ are understood.
 * → { value }, or { fault }: `missing`, `endless` (+∞), `large` or `text`.
 */
export function parseScore(text) {
  const plain = String(text).normalize('NFKC').trim().replace(/^[−–]/, '-');
  if (plain === '') return { fault: 'missing' };
  if (/^-(∞|inf|infinity)$/i.test(plain)) return { value: -Infinity };
  if (/^\+?(∞|inf|infinity)$/i.test(plain)) return { fault: 'endless' };
  const number = plain.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,9})?$/i.test(number)) return { fault: 'text' };
  const value = Number(number);
  return Math.abs(value) > largestScore ? { fault: 'large' } : { value };
}

/** A score as it is written in a field and in an attribute. */
export const writeScore = (value) => (value === -Infinity ? '-∞' : String(value));

/** The scores of an attribute, "0.6, 0.2, 0.7" → texts of the fields. */
export const splitScores = (text) => text.split(/[,，;；\s]+/).filter(Boolean).slice(0, most);

/** The names of an attribute, separated by commas → texts. */
export const splitNames = (text) => text.split(/[,，]/).map((name) => name.trim());

/** A temperature from an attribute → a number, 1 for what is none or out of reach. */
export function readTemperature(text) {
  const value = Number(text);
  return text !== null && text !== undefined && String(text).trim() !== '' && value >= temperatures[0] && value <= temperatures.at(-1) ? value : 1;
}

/** A share 0…1 with two decimals, small ones with two digits; `rounded` marks a 0 that only the machine's digits make. */
export function formatShare(share, rounded = false) {
  if (share === 0) return rounded ? '≈ 0' : '0';
  return share >= 0.0995 ? formatFixed(share, 2) : formatNumber(share, 2);
}

/**
 * What the engine's softmax says, as shown numbers. scores (n); steps: what `client.softmax` gives.
 * → { rows: [{ score, divided, exp, shifted, shiftedExp, share: texts, value: the share }], sum, shiftedSum, largest: texts,
 *   overflow: whether the exponentials as written are beyond the machine's numbers, or all too small for them,
 *   sumNote: null, or { rounded, fine } when the shown exponentials add up to another last digit }
 */
export function shownSteps(scores, steps) {
  const overflow = !Number.isFinite(steps.sum) || steps.sum < 1e-30;
  const exps = overflow ? steps.shiftedExp : steps.exp;
  const total = overflow ? steps.shiftedSum : steps.sum;
  const rows = scores.map((score, i) => ({
    score: short(score),
    divided: short(steps.divided[i]),
    exp: expText(steps.exp[i], score),
    shifted: short(steps.divided[i] - steps.largest),
    shiftedExp: expText(steps.shiftedExp[i], score),
    share: formatShare(steps.shares[i], score > -Infinity),
    value: steps.shares[i],
  }));
  // Numbers that are rounded first and added then may end in another digit; a reader who checks is told.
  const added = Array.from(exps).reduce((sum, value) => sum + shownValue(value, 3), 0);
  const differs = rows.length > 1 && total >= 0.1 && total < 1000 && formatNumber(added, 3) !== formatNumber(total, 3);
  return {
    rows,
    sum: formatNumber(steps.sum, 3),
    shiftedSum: formatNumber(steps.shiftedSum, 3),
    largest: short(steps.largest),
    overflow,
    sumNote: differs ? { rounded: short(added), fine: formatNumber(total, 5) } : null,
  };
}

/** A number as the reader may have typed it: five digits at most, no zeros that only float32 or a format puts there. */
const short = (x) => (Number.isFinite(x) && Math.abs(x) >= 1e-4 ? formatInput(Number(x.toPrecision(5))) : formatNumber(x, 3));

const expText = (value, score) => (value === 0 && score > -Infinity ? '≈ 0' : formatNumber(value, 3));
