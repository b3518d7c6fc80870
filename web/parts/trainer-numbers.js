// Numbers of a training run as they are shown.
import { grouped, inUnits } from '../draw/large-number.js';
import { formatNumber } from '../draw/number.js';
import { readable } from './training.js';

/** A count in the units of a language, as 5.6 万. */
export const countOf = (n, language) => inUnits(n, language)?.text ?? grouped(n);

/** A duration in words. */
export function durationOf(ms, words) {
  const { unit, value } = readable(ms);
  return words.durations[unit](value < 10 ? formatNumber(value, 2) : formatNumber(Math.round(value)));
}

/** A learning rate as it is shown and typed. */
export const rateText = (rate) => String(Number(rate.toPrecision(3)));
