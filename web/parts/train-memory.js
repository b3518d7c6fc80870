// What glassbox-train-memory counts: the bytes that training keeps for each parameter.

/** Bytes a parameter with Adam, by what they are for. `mixed`: Micikevicius et al. 2017, counted as Rajbhandari et al. 2019; `single`: everything in 32 bits. */
export const schemes = {
  mixed: [['weights', 2], ['gradients', 2], ['master', 4], ['moments', 8]],
  single: [['weights', 4], ['gradients', 4], ['moments', 8]],
};

/** Bytes a parameter of weights that are only used, in 16 bits. */
export const usedBytes = 2;

export const bytesPerParameter = (scheme) => schemes[scheme].reduce((sum, [, bytes]) => sum + bytes, 0);

/** → [{ part, each, bytes }] */
export const memoryParts = (parameters, scheme) => schemes[scheme].map(([part, each]) => ({ part, each, bytes: each * parameters }));

/** Cards by the memory that their maker states, in GB; source: strings of `trainMemory`. */
export const cards = [
  { name: 'RTX 4090', gigabytes: 24, source: 'rtx4090' },
  { name: 'A100 80GB', gigabytes: 80, source: 'a100' },
  { name: 'H200', gigabytes: 141, source: 'h200' },
];

/** Models by the number of parameters that their makers state. */
export const knownModels = [
  { name: 'GPT-2 124M', parameters: 124_439_808, source: 'gpt2' },
  { name: 'Llama 2 7B', parameters: 7e9, source: 'llama2' },
  { name: 'Llama 2 70B', parameters: 70e9, source: 'llama2' },
  { name: 'GPT-3 175B', parameters: 175e9, source: 'gpt3' },
];

export const usual = { parameters: 7e9, scheme: 'mixed', card: 'A100 80GB' };
export const mostParameters = 1e13;

/** Where the slider stops: 1, 2, 3, 5, 7 × powers of ten from a million to ten million millions. */
export const stops = Array.from({ length: 7 }, (_, power) => [1, 1.5, 2, 3, 5, 7].map((part) => part * 10 ** (6 + power))).flat().concat(mostParameters);

/** The stop nearest on the logarithmic scale. */
export const stopNear = (n) => stops.reduce((best, stop, i) => (Math.abs(Math.log(stop / n)) < Math.abs(Math.log(stops[best] / n)) ? i : best), 0);

const units = { '': 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12, 千: 1e3, 万: 1e4, 百万: 1e6, 千万: 1e7, 亿: 1e8, 十亿: 1e9, 百亿: 1e10, 千亿: 1e11, 万亿: 1e12, million: 1e6, billion: 1e9, trillion: 1e12 };

/** A number of parameters as a reader writes it: 7B, 70 亿, 1.3b, 7,000,000,000 → a whole number from 1 to 10¹³, or NaN. */
export function parseParameters(text) {
  const plain = String(text).normalize('NFKC').replace(/(\d)[,，_](?=\d{3})/g, '$1').replace(/\s+/g, '').toLowerCase();
  const found = /^(\d+\.?\d*|\.\d+)(?:e\+?(\d{1,2}))?([a-z\u4e00-\u9fff]*)$/.exec(plain);
  if (!found || !Object.hasOwn(units, found[3])) return NaN;
  const n = Math.round(Number(`${found[1]}e${found[2] ?? 0}`) * units[found[3]]);
  return n >= 1 && n <= mostParameters ? n : NaN;
}

/** The attributes: what can't be read becomes the usual → { parameters, scheme, card, changed }. */
export function readSettings({ parameters, scheme, card }) {
  const given = (raw) => raw !== null && raw !== undefined;
  const n = given(parameters) ? parseParameters(parameters) : usual.parameters;
  const known = !given(scheme) || Object.hasOwn(schemes, scheme);
  const named = !given(card) || cards.some(({ name }) => name === card);
  return {
    parameters: Number.isNaN(n) ? usual.parameters : n,
    scheme: given(scheme) && known ? scheme : usual.scheme,
    card: given(card) && named ? card : usual.card,
    changed: Number.isNaN(n) || !known || !named,
  };
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes with a unit of 1,000, as cards and disks are sold → { value, unit }. */
export function inBytes(bytes) {
  let power = 0;
  while (power < byteUnits.length - 1 && bytes >= 1000 ** (power + 1)) power += 1;
  return { value: bytes / 1000 ** power, unit: byteUnits[power] };
}

/** How many cards hold so many bytes, at the least. */
export const cardsFor = (bytes, { gigabytes }) => Math.ceil(bytes / (gigabytes * 1e9));
