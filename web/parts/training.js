// What a training run is asked for: text, sizes, learning rate. Pure: texts and numbers in, settings out.
import { defaultSize, trainingSizes } from '../engine/trainer-sizes.js';

export const usual = { seed: 1, steps: 400, every: 20 };

// What a size of the reader's own is trained with.
const ownSize = { vocabSize: 512, tokensPerStep: 512, learningRate: 0.003 };

export const corpora = ['zh', 'en', 'own'];

/** Samples are drawn with these, whatever is trained, so that they can be compared. */
export const sampling = { temperature: 0.8, seed: 1, maxTokens: 48 };

/** Steps between two samples that can be chosen. */
export const everies = [5, 10, 20, 50, 100, 200];

export const mostSteps = 100_000;
export const mostSeed = 9999;
export const mostRate = 1;

/** Bytes of a text that are used; a longer one is cut off there. */
export const mostBytes = 2_000_000;

const mirrored = 4000; // UTF-16 units of an own text up to which it stands in the attribute

/** Whether a text is short enough to stand in an attribute, and so in links and copied tags. */
export const fitsAttribute = (text) => text.length <= mirrored;

/** Whether one own text is learned and another one only measured. */
export const isPair = ({ corpus }, heldOut) => corpus === 'own' && heldOut !== null && heldOut !== undefined;

/** A size by its name, or as "layers width heads context" → { name, layers, width, heads, context, vocabSize, tokensPerStep, learningRate }, or null. */
export function readSize(written) {
  if (written === null || written === undefined || written === '') return { name: defaultSize, ...trainingSizes[defaultSize] };
  if (Object.hasOwn(trainingSizes, written)) return { name: written, ...trainingSizes[written] };
  const numbers = String(written).trim().split(/[\s,]+/).map(Number);
  const [layers, width, heads, context] = numbers;
  const limits = [[layers, 8], [width, 256], [heads, 16], [context, 256]];
  const sound = numbers.length === 4 && limits.every(([n, most]) => Number.isInteger(n) && n >= 1 && n <= most) && width % heads === 0 && context >= 8;
  return sound ? { name: numbers.join(' '), layers, width, heads, context, ...ownSize } : null;
}

/**
 * A learning rate as a reader types it: full-width digits, decimal commas and percent-free powers such as 1e-3 are understood → { value } or { fault: `text`,
 * `zero`, `negative`, `large` }.
 */
export function readRate(written) {
  const plain = String(written ?? '')
    .normalize('NFKC')
    .trim()
    .replace(/^[−–－]/, '-')
    .replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return { fault: 'text' };
  const value = Number(plain);
  if (value < 0) return { fault: 'negative' };
  if (value < 1e-12) return { fault: 'zero' };
  return value > mostRate ? { fault: 'large' } : { value };
}

const whole = (written, fallback, least, most) => {
  if (written === null || written === undefined || written === '') return { value: fallback };
  const value = Number(String(written).normalize('NFKC').trim());
  return Number.isInteger(value) && value >= least && value <= most ? { value } : { value: fallback, bad: true };
};

/** A number of steps as a reader types it → the number, or NaN. */
export function readSteps(written) {
  const { value, bad } = whole(written || 'x', NaN, 1, mostSteps);
  return bad ? NaN : value;
}

/**
 * What the attributes ask for; language: of the text unless one is asked for → { corpus, size, learningRate, seed, steps, every, bad: names of the attributes that could not be read, and for which the usual value
 * stands in }.
 */
export function readTraining({ language = 'zh', corpus, text, size, learningRate, seed, steps, sampleEvery }) {
  const bad = [];
  const take = (name, { value, bad: unread }) => {
    if (unread) bad.push(name);
    return value;
  };
  const found = readSize(size);
  if (!found) bad.push('size');
  const chosen = found ?? readSize(null);
  const rate = learningRate === null || learningRate === undefined ? { value: chosen.learningRate } : readRate(learningRate);
  if (rate.fault) bad.push('learning-rate');
  if (corpus && !corpora.includes(corpus)) bad.push('corpus');
  const own = text !== null && text !== undefined;
  return {
    corpus: corpora.includes(corpus) ? corpus : own ? 'own' : language,
    size: chosen,
    learningRate: rate.value ?? chosen.learningRate,
    seed: take('seed', whole(seed, usual.seed, 0, mostSeed)),
    steps: take('steps', whole(steps, usual.steps, 1, mostSteps)),
    every: take('sample-every', whole(sampleEvery, usual.every, 1, mostSteps)),
    bad,
  };
}

/** The first characters of a text that fit `most` bytes of UTF-8 → { text, bytes, cut: whether any were left out }. */
export function cutText(text, most = mostBytes) {
  const utf8 = new TextEncoder().encode(text);
  if (utf8.length <= most) return { text, bytes: utf8.length, cut: false };
  let end = most;
  while ((utf8[end] & 0xc0) === 0x80) end -= 1;
  return { text: new TextDecoder().decode(utf8.subarray(0, end)), bytes: end, cut: true };
}

const control = /[\u0000-\u0008\u000e-\u001f\ufffd]/g;

/**
 * A file as text: UTF-8, UTF-16 with its mark, or GB 18030, as Chinese files of old are → { text, encoding } or null for what is no text.
 */
export function readTextFile(bytes) {
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
  for (const encoding of mark ? [mark] : ['utf-8', 'gb18030']) {
    let text;
    try {
      text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      continue;
    }
    const beginning = text.slice(0, 20_000);
    const strange = (beginning.match(control) ?? []).length;
    // A text has next to no control characters; what is read in a foreign encoding by chance has rare characters instead.
    if (strange > beginning.length / 500) return null;
    if (encoding === 'gb18030' && (beginning.match(/[\ue000-\uf8ff\u0080-\u009f]/g) ?? []).length > beginning.length / 200) return null;
    return { text: text.replace(/\r\n?/g, '\n'), encoding };
  }
  return null;
}

/**
 * A beginning for samples and a short text for the attention grid, both taken from the text itself: the first few words of its first line that is long enough.
 */
export function takeFromText(text) {
  const lines = text.split('\n').map((one) => one.trim());
  const line = lines.find((one) => one.length >= 12 && one.length <= 400) ?? lines.find(Boolean) ?? text.slice(0, 40);
  const words = line.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{P}\p{S}]|[^\s\p{P}\p{S}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s?|\s/gu) ?? [line];
  const take = (most, units) => {
    let taken = '';
    for (const word of words.slice(0, units)) {
      if (taken && taken.length + word.length > most) break;
      taken += word;
    }
    return taken.trimEnd();
  };
  const isHan = /\p{Script=Han}/u.test(words[0] ?? '');
  return { beginning: take(24, isHan ? 2 : 1) || line.slice(0, 1), short: take(48, isHan ? 14 : 8) };
}

/** A duration in ms → { unit: `s`, `min` or `h`, value }. */
export function readable(ms) {
  const seconds = ms / 1000;
  if (seconds < 90) return { unit: 's', value: seconds };
  return seconds < 5400 ? { unit: 'min', value: seconds / 60 } : { unit: 'h', value: seconds / 3600 };
}
