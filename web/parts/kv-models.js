// What glassbox-kv-memory counts: the keys and values that a model keeps of n tokens.

/**
 * Public models by the numbers that their makers published: layers, heads with keys and values of their own, numbers in a key, the tokens that it was made for; `kept`
 * where no more than so many tokens stay in the cache. `heads`: of queries. sources: strings of `kv`.
 */
export const kvModels = [
  { name: 'GPT-2 124M', layers: 12, heads: 12, kvHeads: 12, headSize: 64, context: 1024, source: 'gpt2' },
  { name: 'GPT-3 175B', layers: 96, heads: 96, kvHeads: 96, headSize: 128, context: 2048, source: 'gpt3' },
  { name: 'Llama 2 7B', layers: 32, heads: 32, kvHeads: 32, headSize: 128, context: 4096, source: 'llama2' },
  { name: 'Llama 2 70B', layers: 80, heads: 64, kvHeads: 8, headSize: 128, context: 4096, source: 'llama2' },
  { name: 'Mistral 7B', layers: 32, heads: 32, kvHeads: 8, headSize: 128, context: 8192, kept: 4096, source: 'mistral' },
  { name: 'Llama 3.1 8B', layers: 32, heads: 32, kvHeads: 8, headSize: 128, context: 131_072, source: 'llama3' },
  { name: 'Llama 3.1 405B', layers: 126, heads: 128, kvHeads: 8, headSize: 128, context: 131_072, source: 'llama3' },
  { name: 'Qwen2.5-7B', layers: 28, heads: 28, kvHeads: 4, headSize: 128, context: 131_072, source: 'qwen' },
];

/** The built-in model among them, from its configuration. */
export const builtinRow = ({ nLayer, nHead, nEmbd, nPositions }) => ({ name: null, layers: nLayer, heads: nHead, kvHeads: nHead, headSize: nEmbd / nHead, context: nPositions, source: 'builtin' });

/** Bytes of keys and values of n tokens, `bits` for each number: a key and a value in each layer for each of its heads. */
export const kvBytes = ({ layers, kvHeads, headSize, kept = Infinity }, n, bits = 16) => (2 * layers * kvHeads * headSize * Math.min(n, kept) * bits) / 8;

export const mostTokens = 2 ** 20;
export const usual = { n: 4096, bits: 16, model: 'Llama 2 7B' };
export const bitChoices = [32, 16, 8];

/** Where the slider stops: the powers of two up to a million. */
export const stops = Array.from({ length: 21 }, (_, power) => 2 ** power);

/** The stop nearest to n on the logarithmic scale. */
export const stopNear = (n) => Math.min(stops.length - 1, Math.max(0, Math.round(Math.log2(n))));

/** A number of tokens as a reader writes it → a whole number from 1 to 1,048,576, or NaN. */
export function parseTokens(text) {
  const plain = String(text).normalize('NFKC').replace(/[\s,_，]/g, '');
  const n = /^\d{1,8}$/.test(plain) ? Number(plain) : NaN;
  return n >= 1 && n <= mostTokens ? n : NaN;
}

/** The attributes: what can't be read becomes the usual, a number out of range the nearest end → { n, bits, model, changed }. */
export function readSettings({ n, bits, model }) {
  let changed = false;
  const given = (raw) => raw !== null && raw !== undefined;
  let tokens = usual.n;
  if (given(n)) {
    const number = String(n).trim() === '' ? NaN : Number(String(n).replace(/[\s,_]/g, ''));
    tokens = Number.isNaN(number) ? usual.n : Math.min(mostTokens, Math.max(1, Math.trunc(number)));
    changed ||= tokens !== number;
  }
  const width = given(bits) ? Number(bits) : usual.bits;
  const known = bitChoices.includes(width);
  const named = given(model) ? model : usual.model;
  const knownModel = named === 'builtin' || kvModels.some(({ name }) => name === named);
  return { n: tokens, bits: known ? width : usual.bits, model: knownModel ? named : usual.model, changed: changed || !known || !knownModel };
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes with a unit of 1,024 → { value, unit }. */
export function inBytes(bytes) {
  let power = 0;
  while (power < units.length - 1 && bytes >= 1024 ** (power + 1)) power += 1;
  return { value: bytes / 1024 ** power, unit: units[power] };
}
