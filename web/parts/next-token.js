// The next token by the dice: settings from attributes, and the calculation that leads to the drawn token. Pure.
import { formatFixed, formatNumber, roundTo, shownValue } from '../draw/number.js';

/** Positions of the sliders. */
export const temperatures = [0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 5];
export const topKs = [1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 0]; // 0 keeps all
export const topPs = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1];

export const mostSeed = 9999;
export const mostStep = 9999;
export const mostShown = 200; // bars
export const fewestShown = 8;
export const mostAdded = 1000;

/** What holds without attributes. */
export const usual = { temperature: 1, topK: 0, topP: 1, seed: 1, step: 0, show: fewestShown };

const isGiven = (text) => text !== null && text !== undefined && String(text).trim() !== '';

function readNumber(text, usually, fits) {
  if (!isGiven(text)) return { value: usually, bad: false };
  const value = Number(String(text).normalize('NFKC'));
  return fits(value) ? { value, bad: false } : { value: usually, bad: true };
}

const whole = (most) => (value) => Number.isInteger(value) && value >= 0 && value <= most;

/**
 * The attributes as numbers: { temperature, topK, topP, seed, step, show, added: ids, bad: names of attributes that could not be read and
 * count as left out }.
 */
export function readSettings({ temperature, topK, topP, seed, step, show, added }) {
  const fields = {
    temperature: readNumber(temperature, usual.temperature, (value) => value >= 0 && value <= 100),
    topK: readNumber(topK, usual.topK, whole(1_000_000)),
    topP: readNumber(topP, usual.topP, (value) => value > 0 && value <= 1),
    seed: readNumber(seed, usual.seed, whole(Number.MAX_SAFE_INTEGER)),
    step: readNumber(step, usual.step, whole(mostStep)),
    show: readNumber(show, usual.show, whole(mostShown)),
  };
  const words = isGiven(added) ? String(added).trim().split(/[\s,，]+/) : [];
  const readable = words.length <= mostAdded && words.every((word) => /^\d{1,7}$/.test(word));
  const bad = Object.entries(fields).filter(([, field]) => field.bad).map(([name]) => name);
  if (!readable) bad.push('added');
  return { ...Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])), added: readable ? words.map(Number) : [], bad };
}

/** The attribute of a list of ids; null for none. */
export const writeAdded = (ids) => (ids.length ? ids.join(' ') : null);

/** The position of a slider that is nearest to a value. `all` says that 0 means without end. */
export function nearestPosition(list, value, all = false) {
  const size = (x) => (all && x === 0 ? Infinity : x);
  if (size(value) === Infinity) return list.findIndex((x) => size(x) === Infinity);
  return list.reduce((best, x, i) => (Math.abs(size(x) - value) < Math.abs(size(list[best]) - value) ? i : best), 0);
}

const shellSafe = /^[\p{L}\p{N} .,;:?!'()，。？：；、“”「」‘’/+=_-]*$/u;

/** A text as one word of a shell's line. */
export const quoteForShell = (text) => (shellSafe.test(text) && !text.includes("'") ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`);

/** The command that draws the same tokens. model other than the built-in one is named by what the reader has to fill in. */
export function generateCommand(text, { temperature, topK, topP, seed }, count) {
  const options = [
    ...(temperature === 0 ? [] : ['--temperature', temperature]),
    ...(temperature !== 0 && topK ? ['--top-k', topK] : []),
    ...(temperature !== 0 && topP !== 1 ? ['--top-p', topP] : []),
    ...(temperature === 0 ? [] : ['--seed', seed]),
    '--max-tokens',
    count,
  ];
  return `glassbox generate ${options.join(' ')} ${text.startsWith('-') ? '-- ' : ''}${quoteForShell(text)}`;
}

const significant = (x, digits) => ({ value: shownValue(x, digits), text: formatNumber(x, digits) });
const fixed = (x, decimals) => {
  const value = roundTo(x, decimals);
  return { value, text: value === 0 && x === 0 ? '0' : formatFixed(value, decimals) };
};

/**
 * Why the drawn token: each line's numbers rounded so that they give the next line, with digits added until they do.
 *
 * one: the chosen candidate of `client.sample`; draw: { temperature, largest: the largest logit, top: the likeliest candidate, total: the sum of
 * what is kept, all: whether that is everything }
 * → { logit, scaled, maximum, shifted, exp, sum, p, total, share: { value, text }, exact }
 *   where scaled and maximum are divided by the temperature, p is the probability after it and `share` that among the tokens kept.
 */
export function drawCalculation(one, { temperature, largest, top, total, all }) {
  let last;
  for (let extra = 0; extra < 6; extra++) {
    const decimals = 2 + extra;
    const digits = 3 + extra;
    const logit = fixed(one.logit, decimals);
    const highest = fixed(largest, decimals);
    const scaled = fixed(logit.value / temperature, decimals);
    const maximum = fixed(highest.value / temperature, decimals);
    const shifted = fixed(scaled.value - maximum.value, decimals);
    const exp = significant(Math.exp(shifted.value), digits);
    // The largest has the exponential 1, so the sum is what its probability is the inverse of.
    const sum = significant(1 / top.tempered, digits);
    const p = significant(exp.value / sum.value, digits);
    const whole = all ? { value: 1, text: '1' } : significant(total, digits);
    const share = significant(p.value / whole.value, digits);
    last = { logit, scaled, maximum, shifted, exp, sum, p, total: whole, share };
    // Three digits as the engine has them, and never 1 by rounding alone.
    const same = ({ value }, exact) => (exact < 1e-20 ? value < 1e-19 : shownValue(value, 3) === shownValue(exact, 3) && (value !== 1 || exact === 1));
    if (same(p, one.tempered) && same(share, one.share)) return { ...last, exact: true };
  }
  return { ...last, exact: false };
}

/** The pieces of the line 0 … 1 that are drawn: those wide enough, the drawn one, and the rest in one. minimum: the least share to draw. */
export function linePieces(candidates, chosen, kept, minimum = 0.004) {
  const own = candidates.filter(({ rank, share }) => rank < kept && share >= minimum);
  const end = own.length ? own.at(-1).to : 0;
  const pieces = own.map((one) => ({ ...one, drawn: one.rank === chosen.rank }));
  const left = kept - own.length;
  if (left > 0) pieces.push({ rest: left, from: end, to: 1, drawn: false });
  if (chosen.rank >= own.length) pieces.push({ ...chosen, drawn: true, inside: true });
  return pieces;
}

/** An end of a piece of the line 0 … 1. */
export const formatEdge = (x) => (x === 0 || x === 1 ? String(x) : formatFixed(x, 3));

/** A share 0…1 as a place on the line: three decimals, more where a piece is narrower than they tell. */
export function formatPlace(x, from, to) {
  for (let decimals = 3; decimals < 12; decimals++) {
    const shown = roundTo(x, decimals);
    if (shown >= from && shown <= to) return formatFixed(x, decimals);
  }
  return formatFixed(x, 12);
}

