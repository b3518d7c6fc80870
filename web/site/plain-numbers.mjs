// Functions for expressions in prose that ask no model: facts, arithmetic and lists. See numbers.mjs.
import { knockout } from './number-asks.mjs';
import { fail, kinds, name, nothing, Quote, valuesOf } from './number-values.mjs';

async function choose(list, f, better) {
  if (!list.length) fail('there is nothing to choose from');
  const values = await valuesOf(list, f);
  values.forEach((value) => typeof value === 'number' || fail(`expected a number for each, got ${name(value)}`));
  return list[values.reduce((best, value, i) => (better(value, values[best]) ? i : best), 0)];
}

const truths = async (list, f) => (await valuesOf(list, f)).map((value) => (typeof value === 'boolean' ? value : fail(`expected true or false for each, got ${name(value)}`)));

export const plainLibrary = {
  /** Fails the build unless it is true. Shows nothing. */
  check: [['truth'], (_, holds) => (holds ? nothing : fail('does not hold'))],
  /** A number from elsewhere, as text, with its source. */
  quoted: [['text', 'text'], (_, text, source) => new Quote(text, source)],
  exp: [['number'], (_, x) => Math.exp(x)],
  abs: [['number'], (_, x) => Math.abs(x)],
  sqrt: [['number'], (_, x) => Math.sqrt(x)],
  min: [['number', 'number'], (_, a, b) => Math.min(a, b)],
  max: [['number', 'number'], (_, a, b) => Math.max(a, b)],
  size: [['list'], (_, list) => list.length],
  /** All unordered pairs of a list. */
  pairs: [['list'], (_, list) => list.flatMap((first, i) => list.slice(i + 1).map((second) => [first, second]))],
  /** The mean of a function over a list. */
  mean: [['list', 'function'], async (_, list, f) => {
    if (!list.length) fail('there is nothing to take the mean of');
    return (await valuesOf(list, f)).reduce((sum, value) => sum + value) / list.length;
  }],
  /** Whether a list has the text or number, or the head. */
  has: [['list', 'any'], (_, list, item) => list.some((other) => (kinds.head(item) ? kinds.head(other) && knockout(other) === knockout(item) : other === item))],
  /** The item for which the function is largest; least: smallest. */
  best: [['list', 'function'], (_, list, f) => choose(list, f, (a, b) => a > b)],
  least: [['list', 'function'], (_, list, f) => choose(list, f, (a, b) => a < b)],
  /** What the function gives for each, added up. */
  sum: [['list', 'function'], async (_, list, f) => (await valuesOf(list, f)).reduce((total, value) => total + (typeof value === 'number' ? value : fail(`sum wants numbers, got ${name(value)}`)), 0)],
  /** For how many, for all, for which ones the function is true. */
  count: [['list', 'function'], async (_, list, f) => (await truths(list, f)).filter(Boolean).length],
  every: [['list', 'function'], async (_, list, f) => (await truths(list, f)).every(Boolean)],
  where: [['list', 'function'], async (_, list, f) => {
    const kept = await truths(list, f);
    return list.filter((__, i) => kept[i]);
  }],
};
