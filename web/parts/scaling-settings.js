// The state of glassbox-scaling as its attributes write it.
import { bestSplit, lawNames, readAmount } from './scaling-laws.js';

export const views = ['law', 'split', 'ours', 'data'];

const oneOf = (raw, list) => (raw === null || raw === undefined ? { value: list[0], changed: false } : { value: list.includes(raw) ? raw : list[0], changed: !list.includes(raw) });

function wholeNumber(raw, [least, most], fallback) {
  if (raw === null || raw === undefined) return { value: fallback, changed: false };
  const number = /^\s*-?\d{1,9}\s*$/.test(raw) ? Number(raw) : NaN;
  const value = Number.isNaN(number) ? fallback : Math.min(most, Math.max(least, number));
  return { value, changed: value !== number };
}

/**
 * attributes: view, law, n, d, c, fit, floor, per, run as written; runs: of readRuns. → the same as values, with `changed` where one had to be.
 * Without `n` the view `split` stands at the best one.
 */
export function readSettings(attributes, runs) {
  const view = oneOf(attributes.view, views);
  const law = oneOf(attributes.law, lawNames);
  const d = readAmount(attributes.d, 'd');
  const c = readAmount(attributes.c, 'c');
  const n = readAmount(attributes.n, 'n', view.value === 'split' ? bestSplit('hoffmann', c.value).n : undefined);
  const floor = oneOf(attributes.floor, ['on', 'off']);
  const fit = wholeNumber(attributes.fit, [Math.min(3, runs.family.length), runs.family.length], runs.family.length);
  const run = wholeNumber(attributes.run, [0, Math.max(0, runs.data.length - 1)], Math.max(0, runs.data.length - 1));
  const per = oneOf(attributes.per, ['token', 'byte']);
  const all = { view, law, n, d, c, fit, floor, per, run };
  return { ...Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value])), changed: Object.values(all).some(({ changed }) => changed) };
}
