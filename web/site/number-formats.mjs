// How expressions in prose show a value; the formats are described in numbers.mjs.
import { formatPercent } from '../draw/number.js';
import { fail, name } from './number-values.mjs';

const group = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** The shown text of a number, refused where it would read as exactly 0 or 1 and is not. */
function honest(value, shown, unit = 1) {
  const read = Number(shown.replaceAll(',', ''));
  const other = [0, unit].find((exact) => Math.abs(read) === exact && Math.abs(value) !== exact);
  if (other !== undefined && Math.abs(value) < unit) fail(`${value} would be shown as ${shown}: give it more digits, or say in words how small or large it is`);
  return shown.replace(/^-/, '−');
}

/** By name: show(value, count) → its text; `fallback` is the count where none is written. */
export const formats = {
  decimals: { show: (value, count) => honest(value, value.toFixed(count)) },
  digits: { fallback: 3, show: (value, count) => honest(value, Number(value.toPrecision(count)) === 0 ? '0' : toPlain(value, count)) },
  percent: { fallback: 0, show: (value, count) => `${honest(value * 100, (value * 100).toFixed(count), 100)}%` },
  chance: { fallback: 0, show: (value) => (value >= 0 && value <= 1 ? formatPercent(value) : fail(`${value} is not a probability`)) },
  thousands: { fallback: 0, show: (value) => (Number.isSafeInteger(value) ? group(String(value)).replace(/^-/, '−') : fail(`${value} is not a whole number`)) },
};

/** toPrecision without a power of ten; digits before the point are never rounded away. */
function toPlain(value, count) {
  const rounded = Math.abs(Number(value.toPrecision(count)));
  return value.toFixed(Math.min(100, Math.max(0, count - 1 - Math.floor(Math.log10(rounded)))));
}

/** The text of a value by a format { name, count }, or null for none. */
export function show(value, format) {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) fail(`the value is ${value}`);
    if (format) return formats[format.name].show(value, format.count);
    return Number.isInteger(value) ? honest(value, String(value)) : fail(`${value} needs a format, for example "| 3"`);
  }
  if (format) fail(`only a number can be formatted, not ${name(value)}`);
  if (typeof value === 'string') return value;
  return fail(`${name(value)} can't be shown`);
}
