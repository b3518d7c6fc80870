// Numbers in prose: `{{ p("Thank you very", " much") | 3 }}` in a lesson's Markdown is computed by the engine when the site is built.
//
// The language. Values are numbers, texts, true and false, lists, heads of the model, and records such as { token, p }.
//   "text" 'text' 1.5 [1, 2]        literals
//   a + b  a - b  a * b  a / b  a ^ b  -a
//   a == b  a != b  a < b  a <= b  a > b  a >= b  a and b  a or b  not a    two values of one kind; nothing is converted
//   f(a, b)  list[0]  record.field  x => expression
//   let name = expression           shows nothing; the name may be used from there on, on the same page
//   expression | FORMAT             how it is shown:
//     3           as a number with 3 decimals             digits 3    to 3 significant digits
//     percent 1   as a percentage with 1 decimal          thousands   as a whole number, 10,000
//     chance      as a percentage with 1 decimal, "> 99.9%" and "< 0.1%" where it would read as certain or impossible
// A whole number and a text may stand without a format. A format that would show a number as 0 or 1 (0 %, 100 %) which is not
// exactly that, is refused: "0.00" would be read as nothing at all.
//
// The functions are listed, with what they take and give, in `library` below.

import { formatPercent } from '../draw/number.js';
import { edges, measureContext, promptOf, prompts, tryValues } from '../parts/context.js';
import { kvBytes, kvModels } from '../parts/kv-models.js';
import { askPositions } from '../parts/positions.js';
import { characters } from '../draw/label.js';
import { bytesName } from '../draw/token-tree.js';
import { mostMerges } from '../parts/learning.js';
import { piecesAfter } from '../parts/merges.js';
import { countParameters, gpt2Sizes, parameterGroups, sizesOf } from '../parts/parameters.js';
import { geluCurve, momentsOf, neuronsAt, rowAt } from '../parts/pipeline.js';
import { countedWork, evenLength } from '../parts/prefill-time.js';
import { keys, rows, usual } from '../parts/scale-experiment.js';
import { compareGroups, compareWord } from '../parts/word-in-text.js';
import { agentLibrary } from './agent-numbers.mjs';
import { trainingLibrary } from './training-numbers.mjs';
import { scalingLibrary } from './scaling-numbers.mjs';

/** A fault in an expression, or one that does not hold. */
export class ExpressionError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'ExpressionError';
  }
}

const fail = (message) => {
  throw new ExpressionError(message);
};

// ---- text → tree ----

const SYMBOLS = ['=>', '==', '!=', '<=', '>=', '<', '>', '+', '-', '*', '/', '^', '(', ')', '[', ']', ',', '.', '|', '='];

function splitWords(source) {
  const words = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const space = /^\s+/.exec(rest);
    if (space) {
      at += space[0].length;
      continue;
    }
    const number = /^\d+(?:\.\d+)?/.exec(rest);
    const name = /^[A-Za-z_]\w*/.exec(rest);
    const text = /^(?:"[^"]*"|'[^']*')/.exec(rest);
    const symbol = SYMBOLS.find((candidate) => rest.startsWith(candidate));
    if (number) words.push({ kind: 'number', text: number[0], value: Number(number[0]) });
    else if (name) words.push({ kind: 'name', text: name[0] });
    else if (text) words.push({ kind: 'text', text: text[0], value: text[0].slice(1, -1) });
    else if (symbol) words.push({ kind: 'symbol', text: symbol });
    else fail(`"${rest[0]}" is not understood`);
    at += (number ?? name ?? text ?? [symbol])[0].length;
  }
  return words;
}

class Parser {
  #words;
  #at = 0;

  constructor(source) {
    this.#words = splitWords(source);
  }

  #is(text, ahead = 0) {
    const word = this.#words[this.#at + ahead];
    return word !== undefined && word.kind !== 'text' && word.text === text;
  }

  #take(...texts) {
    for (const text of texts) {
      if (this.#is(text)) {
        this.#at += 1;
        return text;
      }
    }
    return null;
  }

  #expect(text) {
    if (!this.#take(text)) fail(`expected "${text}" ${this.#where()}`);
  }

  #name() {
    const word = this.#words[this.#at];
    if (word?.kind !== 'name') fail(`expected a name ${this.#where()}`);
    this.#at += 1;
    return word.text;
  }

  #where() {
    const word = this.#words[this.#at];
    return word ? `before ${word.text}` : 'at the end';
  }

  statement() {
    if (this.#is('let') && this.#words[this.#at + 1]?.kind === 'name') {
      this.#at += 1;
      const name = this.#name();
      this.#expect('=');
      return this.#end({ let: name, value: this.#expression() });
    }
    const value = this.#expression();
    return this.#end({ value, format: this.#take('|') ? this.#format() : null });
  }

  #end(result) {
    if (this.#at < this.#words.length) fail(`did not expect anything ${this.#where()}`);
    return result;
  }

  #format() {
    const word = this.#words[this.#at];
    const count = (fallback) => {
      const next = this.#words[this.#at];
      if (next?.kind !== 'number') return fallback;
      this.#at += 1;
      return Number.isInteger(next.value) && next.value <= 12 ? next.value : fail(`a format takes a whole number up to 12, not ${next.text}`);
    };
    if (word?.kind === 'number') return { name: 'decimals', count: count() };
    const name = this.#name();
    if (!Object.hasOwn(formats, name)) fail(`no format is called ${name}; there are a number of decimals, ${Object.keys(formats).slice(1).join(', ')}`);
    return { name, count: count(formats[name].fallback) };
  }

  #expression() {
    if (this.#words[this.#at]?.kind === 'name' && this.#is('=>', 1)) {
      const parameter = this.#name();
      this.#expect('=>');
      return { kind: 'function', parameter, body: this.#expression() };
    }
    return this.#binary(0);
  }

  #binary(level) {
    const LEVELS = [['or'], ['and'], ['==', '!=', '<=', '>=', '<', '>'], ['+', '-'], ['*', '/']];
    if (level === 2 && this.#take('not')) return { kind: 'not', of: this.#binary(2) };
    if (level === LEVELS.length) return this.#unary();
    let left = this.#binary(level + 1);
    for (let symbol = this.#take(...LEVELS[level]); symbol; symbol = this.#take(...LEVELS[level])) {
      left = { kind: 'binary', symbol, left, right: this.#binary(level + 1) };
      if (level === 2) break;
    }
    return left;
  }

  #unary() {
    if (this.#take('-')) return { kind: 'minus', of: this.#unary() };
    const base = this.#postfix();
    return this.#take('^') ? { kind: 'binary', symbol: '^', left: base, right: this.#unary() } : base;
  }

  #postfix() {
    let value = this.#primary();
    for (;;) {
      if (this.#take('.')) value = { kind: 'field', of: value, name: this.#name() };
      else if (this.#take('[')) {
        value = { kind: 'item', of: value, index: this.#expression() };
        this.#expect(']');
      } else return value;
    }
  }

  #list(end) {
    const items = [];
    if (this.#take(end)) return items;
    do items.push(this.#expression()); while (this.#take(','));
    this.#expect(end);
    return items;
  }

  #primary() {
    const word = this.#words[this.#at];
    if (word?.kind === 'number' || word?.kind === 'text') {
      this.#at += 1;
      return { kind: 'value', value: word.value };
    }
    if (this.#take('(')) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#take('[')) return { kind: 'list', items: this.#list(']') };
    if (word?.kind !== 'name') fail(`expected a value ${this.#where()}`);
    const name = this.#name();
    return this.#take('(') ? { kind: 'call', name, of: this.#list(')') } : { kind: 'name', name };
  }
}

/**
 * The end of the expression that begins with `{{` at `from`: the index just behind its `}}`, or -1. Braces in texts don't count.
 */
export function findExpressionEnd(source, from) {
  let quote = '';
  for (let i = from + 2; i < source.length; i += 1) {
    if (quote) quote = source[i] === quote ? '' : quote;
    else if (source[i] === '"' || source[i] === "'") quote = source[i];
    else if (source.startsWith('}}', i)) return i + 2;
  }
  return -1;
}

// ---- how numbers are shown ----

const group = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** The shown text of a number, refused where it would read as exactly 0 or 1 and is not. */
function honest(value, shown, unit = 1) {
  const read = Number(shown.replaceAll(',', ''));
  const other = [0, unit].find((exact) => Math.abs(read) === exact && Math.abs(value) !== exact);
  if (other !== undefined && Math.abs(value) < unit) fail(`${value} would be shown as ${shown}: give it more digits, or say in words how small or large it is`);
  return shown.replace(/^-/, '−');
}

const formats = {
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

function show(value, format) {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) fail(`the value is ${value}`);
    if (format) return formats[format.name].show(value, format.count);
    return Number.isInteger(value) ? honest(value, String(value)) : fail(`${value} needs a format, for example "| 3"`);
  }
  if (format) fail(`only a number can be formatted, not ${name(value)}`);
  if (typeof value === 'string') return value;
  return fail(`${name(value)} can't be shown`);
}

// ---- what can be asked ----

/** A quoted fact: a number that is not computed here, with where it is from. */
class Quote {
  constructor(text, source) {
    this.text = text;
    this.source = source;
  }
}

const nothing = Symbol('nothing');

const name = (value) => {
  if (value === nothing) return 'nothing';
  if (typeof value === 'string') return `"${value}"`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (value instanceof Quote) return 'a quoted fact';
  return typeof value === 'object' ? `a record of ${Object.keys(value).join(', ')}` : String(value);
};

const kinds = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  count: (value) => Number.isSafeInteger(value) && value >= 0,
  truth: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  numbers: (value) => Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number'),
  matrix: (value) => Array.isArray(value) && value.length > 0 && value.every((row) => kinds.numbers(row)),
  place: (value) => kinds.text(value) || kinds.count(value),
  head: (value) => typeof value === 'object' && Object.hasOwn(value, 'layer') && Object.hasOwn(value, 'head'),
  out: (value) => typeof value === 'string' || kinds.head(value) || (Array.isArray(value) && value.every(kinds.out)),
  function: (value) => typeof value === 'function',
};

/** Heads left out, as the engine reads them: a text, a head or a list of both. */
const knockout = (out) => (typeof out === 'string' ? out : Array.isArray(out) ? out.map(knockout).join(' ') : `h.${out.layer}.${out.head}`);

const rowsOf = ({ shape: [rows, columns], data }) => Array.from({ length: rows }, (_, i) => Array.from(data.slice(i * columns, (i + 1) * columns)));

const matrixOf = (rows) => {
  if (rows.some((row) => row.length !== rows[0].length)) fail('rows of a matrix must be of one length');
  return { shape: [rows.length, rows[0].length], data: Float32Array.from(rows.flat()) };
};

async function idOf(engine, text) {
  const { ids, tokens } = await engine.tokenize(text);
  return ids.length === 1 ? ids[0] : fail(`"${text}" is not one token: ${tokens.join(' | ')}`);
}

async function embeddingOf(engine, words) {
  const ids = [];
  for (const word of words) ids.push(await idOf(engine, word));
  return engine.embedding({ ids });
}

const cosinesOf = async (engine, words) => rowsOf(await engine.cosines({ vectors: await embeddingOf(engine, words) }));

const headOf = (layer, head) => ({ layer, head, name: `h.${layer}.${head}` });

/** Everything that costs a run of the model, asked once for each engine. */
const memories = new WeakMap();

function remember(engine, key, make) {
  if (!memories.has(engine)) memories.set(engine, new Map());
  const memory = memories.get(engine);
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key);
}

const ask = {
  config: (engine) => remember(engine, 'config', async () => (await engine.load('builtin')).config),
  next: (engine, text, out) => remember(engine, `next ${out} ${text}`, async () => (await engine.next(text, { top: 0x7fffffff, knockout: out })).candidates),
  sweep: (engine, text) => remember(engine, `sweep ${text}`, () => engine.sweep(text)),
  tokens: (engine, text, tokenizer) => remember(engine, `tokens ${tokenizer} ${text}`, () => engine.tokenize(text, { tokenizer, steps: true })),
  scores: (engine, text) => remember(engine, `scores ${text}`, () => engine.headScores(text)),
  lens: (engine, text) => remember(engine, `lens ${text}`, () => engine.logitLens(text, { top: 3 })),
  repeats: (engine) => remember(engine, 'repeats', () => engine.repeatScores()),
  trace: (engine, text) =>
    remember(engine, `trace ${text}`, async () => {
      const { nLayer } = await ask.config(engine);
      return engine.trace(text, { names: Array.from({ length: nLayer }, (_, layer) => `h.${layer}.attn.weights`) });
    }),
};

async function rowOf(engine, { layer, head }, text, from) {
  const { tokens, activations } = await ask.trace(engine, text);
  const weights = activations[`h.${layer}.attn.weights`];
  if (!weights || head >= weights.shape[0]) fail(`the model has no h.${layer}.${head}`);
  const at = typeof from === 'number' ? from : tokens.lastIndexOf(from);
  if (at < 0 || at >= tokens.length) fail(`${name(from)} is no token of "${text}": ${tokens.join(' | ')}`);
  const size = tokens.length;
  const start = (head * size + at) * size;
  return { tokens, row: Array.from(weights.data.slice(start, start + size)) };
}

/** What the engine measured of one head. */
const scoreOf = (scores, { layer, head }) =>
  scores.find((score) => score.layer === layer && score.head === head) ?? fail(`the model has no h.${layer}.${head}`);

async function valuesOf(list, f) {
  const values = [];
  for (const item of list) values.push(await f(item));
  return values;
}

async function choose(list, f, better) {
  if (!list.length) fail('there is nothing to choose from');
  const values = await valuesOf(list, f);
  values.forEach((value) => typeof value === 'number' || fail(`expected a number for each, got ${name(value)}`));
  return list[values.reduce((best, value, i) => (better(value, values[best]) ? i : best), 0)];
}

const truths = async (list, f) => (await valuesOf(list, f)).map((value) => (typeof value === 'boolean' ? value : fail(`expected true or false for each, got ${name(value)}`)));

/** What an expression may call: [the kinds of its arguments, a ? for those that may be left out; what it gives]. */
const library = {
  /** Fails the build unless it is true. Shows nothing. */
  check: [['truth'], (_, holds) => (holds ? nothing : fail('does not hold'))],
  /** A number from elsewhere, as text, with its source. */
  quoted: [['text', 'text'], (_, text, source) => new Quote(text, source)],

  /** The model's sizes: { layers, heads, width, headSize, vocabulary, context }. */
  model: [[], async (engine) => {
    const { nLayer, nHead, nEmbd, vocabSize, nPositions } = await ask.config(engine);
    return { layers: nLayer, heads: nHead, width: nEmbd, headSize: nEmbd / nHead, vocabulary: vocabSize, context: nPositions };
  }],
  /**
   * passes(text, count): what each pass of the model reads while it writes `count` tokens, the likeliest taken every time → { kind: prefill, decode or reread, tokens, multiplyAdds, weightBytes, cacheRead,
   * cacheBytes: after it }; passes(text, count, false): without the KV cache.
   */
  passes: [['text', 'count', 'truth?'], (engine, text, maxTokens, cache = true) =>
    remember(engine, `passes ${maxTokens} ${cache} ${text}`, async () => (await engine.generate(text, { maxTokens, cache })).steps.map(({ startMs, ms, ...counted }) => counted))],
  /** Bytes of the KV cache for each token. */
  cacheBytes: [[], async (engine) => (await engine.load('builtin')).kvCacheBytesPerToken],
  /** The tokens of a text. */
  tokens: [['text'], async (engine, text) => (await ask.trace(engine, text)).tokens],
  /** A text in a vocabulary, "gpt2" or "builtin", without its model: its tokens { id, token, bytes: how many }; parts of a character as ‹E7 8C›. */
  cut: [['text', 'text'], async (engine, text, tokenizer) => {
    const { ids, bytes } = await ask.tokens(engine, text, tokenizer);
    return ids.map((id, i) => ({ id, token: bytesName(bytes[i]), bytes: bytes[i].length }));
  }],
  /** The merges on the way from the bytes of a text to its tokens: { rank, left, right, made }. */
  merges: [['text', 'text'], async (engine, text, tokenizer) => {
    const asked = await ask.tokens(engine, text, tokenizer);
    return asked.steps.map(({ rank }, i) => {
      const made = piecesAfter(asked, i + 1).find(({ fresh }) => fresh);
      const left = piecesAfter(asked, i).find(({ from }) => from === made.from);
      return { rank, left: bytesName(left.bytes), right: bytesName(made.bytes.slice(left.bytes.length)), made: bytesName(made.bytes) };
    });
  }],
  /** How many tokens a vocabulary has. */
  vocabulary: [['text'], async (engine, tokenizer) => (await ask.tokens(engine, '', tokenizer)).size],
  /** The UTF-8 bytes of a text, and how many characters a reader counts. */
  bytes: [['text'], (_, text) => new TextEncoder().encode(text).length],
  characters: [['text'], (_, text) => characters(text).length],
  /** What glassbox-bpe-trainer learns from a text: { before: tokens without a merge, merges: [{ count, left, right, made, after: tokens after it }] }. */
  learn: [['text'], async (engine, text) => {
    const { tokens, merges, bytes } = await remember(engine, `learn ${text}`, () => engine.learnBpe(text, { most: mostMerges }));
    const named = (id) => bytesName(id < bytes.length ? [bytes[id]] : merges[id - bytes.length].bytes);
    return { before: tokens, merges: merges.map(({ pair, id, count, tokens: after }) => ({ count, left: named(pair[0]), right: named(pair[1]), made: named(id), after })) };
  }],
  /** The candidates for the next token, the likeliest first: { token, p }; some heads left out if wanted. */
  next: [['text', 'out?'], async (engine, text, out = '') => (await ask.next(engine, text, knockout(out))).map(({ token, p }) => ({ token, p }))],
  /** The probability of one next token. */
  p: [['text', 'text', 'out?'], async (engine, text, token, out = '') =>
    ((await ask.next(engine, text, knockout(out))).find((candidate) => candidate.token === token) ?? fail(`"${token}" is no token of the model`)).p],
  /** How far the guess moves when heads are left out: the Kullback-Leibler divergence in nats. */
  kl: [['text', 'out'], async (engine, text, out) => {
    const without = new Map((await ask.next(engine, text, knockout(out))).map(({ id, p }) => [id, p]));
    return (await ask.next(engine, text, '')).reduce((sum, { id, p }) => sum + (p > 0 ? p * Math.log(p / without.get(id)) : 0), 0);
  }],
  /** Each head left out by itself, the one that moves the guess most first: { layer, head, name, kl, token, p, pFirst }. */
  sweep: [['text'], async (engine, text) =>
    (await ask.sweep(engine, text)).map(({ layer, head, kl, token, p, pFirst }) => ({ ...headOf(layer, head), kl, token, p, pFirst }))],

  /** One head. */
  head: [['count', 'count'], (_, layer, head) => headOf(layer, head)],
  /** All heads, or those of one layer. */
  heads: [['count?'], async (engine, only) => {
    const { nLayer, nHead } = await ask.config(engine);
    const all = Array.from({ length: nLayer * nHead }, (_, i) => headOf(Math.floor(i / nHead), i % nHead));
    return only === undefined ? all : all.filter(({ layer }) => layer === only);
  }],
  /** All unordered pairs of a list. */
  pairs: [['list'], (_, list) => list.flatMap((first, i) => list.slice(i + 1).map((second) => [first, second]))],
  /** Heads, as an attribute `knockout` takes them. */
  names: [['out'], (_, out) => knockout(out)],
  /** weight(head, text, from, to): how much `from`, the last such token or a position, looks at `to`, at all its places together. */
  weight: [['head', 'text', 'place', 'text'], async (engine, head, text, from, to) => {
    const { tokens, row } = await rowOf(engine, head, text, from);
    if (!tokens.includes(to)) fail(`"${to}" is no token of "${text}": ${tokens.join(' | ')}`);
    return row.reduce((sum, weight, i) => (tokens[i] === to ? sum + weight : sum), 0);
  }],
  /** row(head, text, from): all weights of one row. */
  row: [['head', 'text', 'place'], async (engine, head, text, from) => (await rowOf(engine, head, text, from)).row],
  /** looksAt(head, text, from): the token at the one place that `from` looks at most. */
  looksAt: [['head', 'text', 'place'], async (engine, head, text, from) => {
    const { tokens, row } = await rowOf(engine, head, text, from);
    return tokens[row.indexOf(Math.max(...row))];
  }],

  /** previous(head, text): how much each token looks at the one before it, on average. */
  previous: [['head', 'text'], async (engine, head, text) =>
    scoreOf(await ask.scores(engine, text), head).previous ?? fail('one token has none before it')],
  /** induction(head): how much each token of random lists said twice looks at what followed it the first time, on average. */
  induction: [['head'], async (engine, head) => scoreOf(await ask.repeats(engine), head).induction],

  /** steps(q, k, v, causal): attention by hand → matrices scores, scaled, exp, weights, output, and the list sums. */
  steps: [['matrix', 'matrix', 'matrix', 'truth?'], async (engine, q, k, v, causal = false) => {
    const steps = await engine.attentionSteps({ q, k, v, causal, scale: true });
    const exp = rowsOf(steps.masked).map((row) => row.map(Math.exp));
    const [scores, scaled, weights, output] = [steps.scores, steps.scaled, steps.weights, steps.output].map(rowsOf);
    return { scores, scaled, exp, sums: exp.map((row) => row.reduce((sum, value) => sum + value)), weights, output };
  }],
  /** softmax(scores): the weights of each row of ready scores. */
  softmax: [['matrix'], async (engine, scores) => {
    const unit = scores[0].map((_, i) => scores[0].map((__, j) => Number(i === j)));
    return rowsOf((await engine.attentionSteps({ q: scores, k: unit, v: unit, causal: false, scale: false })).weights);
  }],
  /** scale(d): the experiment of glassbox-scale with random vectors of d numbers → { raw, scaled }, each { deviation, entropy, largestWeight, gradient }. */
  scale: [['count'], async (engine, d) => {
    const pick = ({ deviation, entropy, largestWeight, gradient }) => ({ deviation, entropy, largestWeight, gradient });
    const { raw, scaled } = await remember(engine, `scale ${d}`, () => engine.scaleExperiment({ d, rows, keys, seed: usual.seed }));
    return { raw: pick(raw), scaled: pick(scaled) };
  }],

  /** The number of a text that is one token. */
  id: [['text'], async (engine, text) => idOf(engine, text)],
  /** The row of the embedding table of a text that is one token. */
  embedding: [['text'], async (engine, text) => rowsOf(await engine.embedding({ ids: [await idOf(engine, text)] }))[0]],
  /** The cosine of two such rows. */
  cosine: [['text', 'text'], async (engine, a, b) => (await cosinesOf(engine, [a, b]))[0][1]],
  /** Cosines of a matrix's rows, each with each. */
  cosines: [['matrix'], async (engine, matrix) => rowsOf(await engine.cosines({ vectors: matrixOf(matrix) }))],
  /** dot(a, b): the dot product of two lists of numbers. */
  dot: [['numbers', 'numbers'], async (engine, a, b) => rowsOf((await engine.attentionSteps({ q: [a], k: [b], v: [b], causal: false, scale: false })).scores)[0][0]],
  /** nearest(text, n): the tokens whose rows point most nearly as that of `text`: { token, cosine }. */
  nearest: [['text', 'count'], async (engine, text, count) => (await engine.neighbours({ id: await idOf(engine, text), count })).map(({ token, cosine }) => ({ token, cosine }))],
  /** spread(words): how much of the differences of these tokens' rows the first two principal directions hold: a list of shares. */
  spread: [['list'], async (engine, words) => Array.from((await engine.pca({ vectors: await embeddingOf(engine, words), components: 2 })).explained)],
  /** byDistance(): the mean cosine of positions 0, 1, 2 … apart. */
  byDistance: [[], async (engine) => Array.from((await askPositions(engine)).byDistance)],
  /** oneWord(word, text, text): its vector in two texts, from the table up: { cosines, same: truths, positions }. */
  oneWord: [['text', 'text', 'text'], async (engine, word, first, second) => {
    const { sides, stages } = await compareWord(engine, { word, texts: [first, second] });
    if (!stages.length) fail(`"${word}" does not stand in both texts`);
    return { cosines: stages.map(({ cosine }) => cosine), same: stages.map(({ same }) => same), positions: sides.map(({ position }) => position) };
  }],
  /** twoGroups(word, texts, texts): after the last layer, mean cosines { within, across } and, without the mean, { centredWithin, centredAcross }. */
  twoGroups: [['text', 'list', 'list'], async (engine, word, first, second) => {
    const { stages } = await compareGroups(engine, { word, groups: [first, second] });
    if (!stages.length) fail(`"${word}" does not stand in two texts of each group`);
    const { raw, centred } = stages.at(-1);
    return { within: raw.within, across: raw.across, centredWithin: centred.within, centredAcross: centred.across };
  }],

  /** tempered(text, token, T): the probability of a next token after the temperature, over the whole vocabulary. */
  tempered: [['text', 'text', 'number'], async (engine, text, token, temperature) =>
    ((await engine.sample(text, { temperature, top: 0x7fffffff })).candidates.find((candidate) => candidate.token === token) ?? fail(`"${token}" is no token of the model`)).tempered],
  /** tail(text, T, n): what all but the n likeliest have together after the temperature. */
  tail: [['text', 'number', 'count'], async (engine, text, temperature, n) =>
    (await engine.sample(text, { temperature, top: 0x7fffffff })).candidates.slice(n).reduce((total, candidate) => total + candidate.tempered, 0)],
  /** drawn(text, T, top-k, top-p, seed, step): one draw → { token, u, from, to, p, share, kept }. */
  drawn: [['text', 'number', 'count', 'number', 'count', 'count'], async (engine, text, temperature, topK, topP, seed, step) => {
    const { chosen, u, kept } = await engine.sample(text, { temperature, topK, topP, seed, step, top: 1 });
    return { token: chosen.token, u: u ?? 0, from: chosen.from, to: chosen.to, p: chosen.tempered, share: chosen.share, kept };
  }],
  /** written(text, count): what is written after a text when the likeliest is taken every time. written(text, count, T, seed): by the dice. */
  written: [['text', 'count', 'number?', 'count?'], async (engine, text, maxTokens, temperature = 0, seed = 0) => (await engine.generate(text, { maxTokens, temperature, seed })).text],

  /**
   * recall(fact, question, count): asked behind so many other sentences, as glassbox-context does it → { text, tokens, dropped, seen: "all", "some", "none" or
   * "nothing", written: the answer, token: the right answer's first, near: its probability asked at once, p: now, found }.
   */
  recall: [['text', 'text', 'count'], async (engine, fact, question, count) => {
    const known = promptOf(fact, question);
    const found = await remember(engine, `recall ${count} ${fact} ${question}`, () => measureContext(engine, { fact, question, count, value: known?.prompt.values[known.index] ?? null }));
    return { text: found.text, tokens: found.total, dropped: found.dropped, seen: found.seen, written: found.written, token: found.reference?.label ?? '', near: found.reference?.p ?? 0, p: found.p ?? 0, found: found.found };
  }],
  /** edges(fact, question): the most other sentences with which all of the fact is seen, and the fewest with which nothing is → { inside, outside }. */
  edges: [['text', 'text'], async (engine, fact, question) => {
    const { inside, outside } = await remember(engine, `edges ${fact} ${question}`, () => edges(engine, { fact, question }));
    return { inside: inside ?? fail('all of the fact is never seen'), outside: outside ?? fail('the fact is never pushed out') };
  }],
  /** recallAll(name, count): each value of one of the examples of glassbox-context told and asked for → a list of { value, written, right }. */
  recallAll: [['text', 'count'], async (engine, called, count) =>
    remember(engine, `recall all ${called} ${count}`, () => tryValues(engine, { prompt: prompts.find((prompt) => prompt.name === called) ?? fail(`there is no example ${called}`), count }))],
  /** kv(model, n, bits): bytes of the keys and values of n tokens in a public model of glassbox-kv-memory; kvModel(model): its sizes. */
  kv: [['text', 'count', 'count'], (_, called, n, bits) => kvBytes(kvModels.find((model) => model.name === called) ?? fail(`there is no model ${called}`), n, bits)],
  kvModel: [['text'], (_, called) => {
    const { layers, heads, kvHeads, headSize, context } = kvModels.find((model) => model.name === called) ?? fail(`there is no model ${called}`);
    return { layers, heads, kvHeads, headSize, context };
  }],
  /** kvPerToken(): bytes of keys and values that the engine keeps of a token of the built-in model. */
  kvPerToken: [[], async (engine) => (await engine.load('builtin')).kvCacheBytesPerToken],
  /** work(n): multiply-adds of reading n tokens → { matrices: grow with n, attention: grow with n², head, total, even: the n at which both are equal }. */
  work: [['count'], async (engine, n) => {
    const config = await ask.config(engine);
    return { ...countedWork(config, n), even: evenLength(config) };
  }],

  /** lens(text): the likeliest next token read off before the first layer and after each: { token, p }. */
  lens: [['text'], async (engine, text) => (await ask.lens(engine, text)).layers.map(({ candidates: [{ token, p }] }) => ({ token, p }))],
  /** along(text, token): what one next token has there: { p, rank }, rank 1 for the likeliest. It must once be among the first three. */
  along: [['text', 'text'], async (engine, text, token) => {
    const found = (await ask.lens(engine, text)).tracked.find((one) => one.token === token) ?? fail(`"${token}" is never among the first three`);
    return Array.from(found.p, (p, i) => ({ p, rank: found.rank[i] + 1 }));
  }],
  /** moments(text, name, place): { mean, spread, length } of an activation's vector at one token. */
  moments: [['text', 'text', 'place'], async (engine, text, activation, place) => {
    const { tokens, activations } = await remember(engine, `moments ${activation} ${text}`, () => engine.trace(text, { names: [activation] }));
    const at = typeof place === 'number' ? place : tokens.lastIndexOf(place);
    if (at < 0 || at >= tokens.length) fail(`${name(place)} is no token of "${text}": ${tokens.join(' | ')}`);
    return momentsOf(rowAt(activations[activation], at));
  }],
  /** neurons(text, layer): of the MLP at the last token: { all, negative, quiet, top: the number of the brightest }. */
  neurons: [['text', 'count'], async (engine, text, layer) => {
    const { tokens, activations } = await remember(engine, `neurons ${layer} ${text}`, () => engine.trace(text, { names: [`h.${layer}.mlp.pre`, `h.${layer}.mlp.act`] }));
    const { pre, negative, quiet, top } = neuronsAt(activations, { layer, position: tokens.length - 1, count: 1 });
    return { all: pre.length, negative, quiet, top: top[0].neuron };
  }],
  /** gelu(x), the tanh form. */
  gelu: [['number'], (_, x) => geluCurve(x)],
  /** switched(text, out): what switching parts off does: { kl, token, p: the likeliest then }. */
  switched: [['text', 'out'], async (engine, text, out) => {
    const { after: [{ token, p }], kl } = await remember(engine, `switched ${knockout(out)} ${text}`, () => engine.switchEffect(text, { knockout: knockout(out), top: 1 }));
    return { kl, token, p };
  }],
  /** everyLayer("h.#.attn"): such words for every layer. */
  everyLayer: [['text'], async (engine, words) => Array.from({ length: (await ask.config(engine)).nLayer }, (_, layer) => words.replaceAll('#', layer)).join(' ')],
  /** lastLayer("h.#.attn"): such a word for the last one. */
  lastLayer: [['text'], async (engine, words) => words.replaceAll('#', (await ask.config(engine)).nLayer - 1)],
  /** parameters("builtin" or "gpt2"): { total, layer: of one layer, tables, attention, mlp, norms: of all layers, parts: { wte, … } }. */
  parameters: [['text'], async (engine, which) => {
    const counted = countParameters(which === 'gpt2' ? gpt2Sizes[0] : sizesOf(await ask.config(engine)));
    const groups = Object.fromEntries(parameterGroups(counted).map(({ group, count }) => [group, count]));
    const parts = Object.fromEntries(counted.rows.map(({ part, each }) => [part.replace('.', '_'), each]));
    return { total: counted.total, layer: counted.layer, ...groups, parts };
  }],

  ...agentLibrary(fail),

  ...trainingLibrary(fail, remember),

  ...scalingLibrary,

  exp: [['number'], (_, x) => Math.exp(x)],
  abs: [['number'], (_, x) => Math.abs(x)],
  sqrt: [['number'], (_, x) => Math.sqrt(x)],
  min: [['number', 'number'], (_, a, b) => Math.min(a, b)],
  max: [['number', 'number'], (_, a, b) => Math.max(a, b)],
  size: [['list'], (_, list) => list.length],
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
kinds.any = () => true;

/** The functions that an expression may call. */
export const functionNames = Object.keys(library);

const same = (symbol, a, b) => {
  if (typeof a !== typeof b || !['number', 'string', 'boolean'].includes(typeof a)) fail(`${name(a)} and ${name(b)} can't be compared`);
  if (symbol === '==') return a === b;
  if (symbol === '!=') return a !== b;
  if (typeof a !== 'number') fail(`${symbol} compares numbers, not ${name(a)}`);
  return { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[symbol];
};

/** The expressions of one page: names given by `let` hold from there on. */
export class Numbers {
  #engine;
  #names = new Map();

  /** engine: with the methods of EngineClient. */
  constructor(engine) {
    this.#engine = engine;
  }

  /**
   * Evaluates what stands between the braces.
   * @returns {Promise<{text: string, value?: number, source?: string}>} the text to show, empty for let and check; the value of a
   *   number in full; the source of a quoted fact
   * @throws {ExpressionError} when it can't be read or computed, does not hold, or its format would mislead
   */
  async evaluate(source) {
    const statement = new Parser(source).statement();
    const value = await this.#value(statement.value, this.#names);
    if (statement.let) {
      if (Object.hasOwn(library, statement.let) || ['true', 'false', 'and', 'or', 'not', 'let'].includes(statement.let)) fail(`${statement.let} has a meaning already`);
      if (value === nothing) fail('there is nothing to name');
      this.#names.set(statement.let, value);
      return { text: '' };
    }
    if (value === nothing) return { text: '' };
    if (value instanceof Quote) return { text: value.text, source: value.source };
    const text = show(value, statement.format);
    return typeof value === 'number' ? { text, value } : { text };
  }

  async #value(node, names) {
    switch (node.kind) {
      case 'value':
        return node.value;
      case 'list':
        return valuesOf(node.items, (item) => this.#value(item, names));
      case 'name':
        if (names.has(node.name)) return names.get(node.name);
        if (node.name === 'true' || node.name === 'false') return node.name === 'true';
        return fail(`${node.name} is not defined`);
      case 'function':
        return (argument) => this.#value(node.body, new Map(names).set(node.parameter, argument));
      case 'field': {
        const record = await this.#value(node.of, names);
        if (record === null || typeof record !== 'object' || Array.isArray(record) || !Object.hasOwn(record, node.name)) fail(`there is no ${node.name} in ${name(record)}`);
        return record[node.name];
      }
      case 'item': {
        const list = await this.#value(node.of, names);
        const index = await this.#value(node.index, names);
        if (!Array.isArray(list)) fail(`${name(list)} has no items`);
        if (!kinds.count(index) || index >= list.length) fail(`a list of ${list.length} has no item ${name(index)}`);
        return list[index];
      }
      case 'not': {
        const value = await this.#value(node.of, names);
        return typeof value === 'boolean' ? !value : fail(`not wants true or false, got ${name(value)}`);
      }
      case 'minus': {
        const value = await this.#value(node.of, names);
        return typeof value === 'number' ? -value : fail(`${name(value)} is no number`);
      }
      case 'binary':
        return this.#binary(node, names);
      default:
        return this.#call(node, names);
    }
  }

  async #binary({ symbol, left, right }, names) {
    const a = await this.#value(left, names);
    if (symbol === 'and' || symbol === 'or') {
      if (typeof a !== 'boolean') fail(`${symbol} wants true or false, got ${name(a)}`);
      if (a === (symbol === 'or')) return a;
      const b = await this.#value(right, names);
      return typeof b === 'boolean' ? b : fail(`${symbol} wants true or false, got ${name(b)}`);
    }
    const b = await this.#value(right, names);
    if (['==', '!=', '<', '<=', '>', '>='].includes(symbol)) return same(symbol, a, b);
    for (const value of [a, b]) if (typeof value !== 'number') fail(`${symbol} wants numbers, got ${name(value)}`);
    return { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '^': a ** b }[symbol];
  }

  async #call({ name: called, of }, names) {
    if (!Object.hasOwn(library, called)) fail(`no function is called ${called}; there are ${functionNames.join(', ')}`);
    const [wanted, run] = library[called];
    const given = await valuesOf(of, (argument) => this.#value(argument, names));
    const needed = wanted.filter((kind) => !kind.endsWith('?')).length;
    if (given.length < needed || given.length > wanted.length) fail(`${called} takes ${needed === wanted.length ? needed : `${needed} to ${wanted.length}`} values, got ${given.length}`);
    given.forEach((value, i) => {
      const kind = wanted[i].replace('?', '');
      if (value === nothing || !kinds[kind](value)) fail(`${called}: value ${i + 1} must be a ${kind}, got ${name(value)}`);
    });
    try {
      return await run(this.#engine, ...given);
    } catch (error) {
      throw error instanceof ExpressionError ? error : new ExpressionError(`${called}: ${error.message}`, { cause: error });
    }
  }
}
