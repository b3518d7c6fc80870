import { formatFixed, formatNumber } from './number.js';

const units = {
  zh: [[1e8, '亿'], [1e4, '万']],
  en: [[1e9, 'billion'], [1e6, 'million']],
};

/** A whole number in groups of three. */
export const grouped = (n) => formatFixed(n, 0);

/**
 * A large whole number in the units of a language, such as 100 万 or 1.5 billion → { text, exact }, or null below the smallest unit.
 * `exact` is false where digits were left out.
 */
export function inUnits(n, language) {
  const found = units[language].find(([size]) => n >= size);
  if (!found) return null;
  const [size, name] = found;
  const share = n / size;
  const whole = Number.isInteger(share * 100);
  const text = whole ? formatFixed(share, Number.isInteger(share) ? 0 : Number.isInteger(share * 10) ? 1 : 2) : share >= 1000 ? grouped(share) : formatNumber(share);
  return { text: `${text}\u00a0${name}`, exact: whole };
}
