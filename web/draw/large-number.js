import { formatFixed, formatNumber } from './number.js';

const units = {
  zh: [[1e8, '亿'], [1e4, '万']],
  en: [[1e9, 'billion'], [1e6, 'million']],
};

const axisUnits = {
  zh: [[1e8, '亿'], [1e4, '万']],
  en: [[1e6, 'M']],
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

/** How the ticks of an axis up to `most` are written in a language: all in one unit, such as 0.5 亿, 1 亿 and 1.5 亿, or 50 M → (value) => text. */
export function axisNumbers(most, language) {
  const [size, name] = axisUnits[language].find(([least]) => most >= least) ?? [1, ''];
  return (value) => {
    const share = Number((value / size).toPrecision(3));
    const text = formatFixed(share, String(share).split('.')[1]?.length ?? 0);
    return value && name ? `${text}\u00a0${name}` : text;
  };
}
