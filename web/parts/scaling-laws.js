// Published scaling laws: the loss of a language model (nats a token) from its parameters N and the tokens D that it was trained on, and how a given
// compute C ≈ 6·N·D is best split between the two. Every constant is quoted and names its source.

/**
 * Laws of the form L(N, D) = floor + a/N^alpha + b/D^beta.
 *  - hoffmann: Hoffmann et al., "Training Compute-Optimal Large Language Models", 2022, equation 10, as printed. N counts all parameters.
 *  - unrounded: the same fit with the digits that stand in the paper's source, by Besiroglu et al., 2024.
 *  - besiroglu: Besiroglu et al., "Chinchilla Scaling: A replication attempt", 2024: the same form, fitted anew to the points of the paper's figure.
 */
export const laws = {
  hoffmann: { floor: 1.69, a: 406.4, alpha: 0.34, b: 410.7, beta: 0.28 },
  unrounded: { floor: 1.6934, a: 406.4, alpha: 0.3392, b: 410.7, beta: 0.2849 },
  besiroglu: { floor: 1.8172, a: 482.01, alpha: 0.3478, b: 2085.43, beta: 0.3658 },
};

/**
 * Kaplan et al., "Scaling Laws for Neural Language Models", 2020. N counts the parameters without the two embedding tables.
 *  - size, data: L(N) = (scale/N)^power and L(D) = (scale/D)^power, where the other of the two is no limit (equations 1.1 and 1.2).
 *  - joint: L(N, D) = [(sizeScale/N)^(sizePower/dataPower) + dataScale/D]^dataPower (equation 1.5), fitted by itself (table 2), so that its constants
 *    are not quite those of the two alone.
 *  - split: N = count · (C/petaflopDay)^power (table 6), where C is what training takes with small batches.
 */
export const kaplan = {
  size: { scale: 8.8e13, power: 0.076 },
  data: { scale: 5.4e13, power: 0.095 },
  joint: { sizeScale: 6.4e13, sizePower: 0.076, dataScale: 1.8e13, dataPower: 0.103 },
  split: { count: 1.3e9, power: 0.73, petaflopDay: 8.64e19 },
};

/** The laws that a reader chooses from. */
export const lawNames = ['hoffmann', 'besiroglu', 'kaplan'];

/** Floating-point operations of training: 6 for each parameter and token, 2 forward and 4 back (Kaplan et al. 2020, section 2.1). */
export const computeOf = (n, d) => 6 * n * d;

/** Kaplan's two laws alone. */
export const kaplanSizeLoss = (n) => (kaplan.size.scale / n) ** kaplan.size.power;
export const kaplanDataLoss = (d) => (kaplan.data.scale / d) ** kaplan.data.power;

/** What a law adds up: { floor, size, data } of a law of `laws`; either of n, d may be Infinity. */
export function lossParts(name, n, d) {
  const { floor, a, alpha, b, beta } = laws[name];
  return { floor, size: a / n ** alpha, data: b / d ** beta };
}

/** The loss in nats a token by one of `lawNames`, or by `unrounded`; either of n, d may be Infinity. */
export function lossOf(name, n, d) {
  if (name === 'kaplan') {
    const { sizeScale, sizePower, dataScale, dataPower } = kaplan.joint;
    return ((sizeScale / n) ** (sizePower / dataPower) + dataScale / d) ** dataPower;
  }
  const { floor, size, data } = lossParts(name, n, d);
  return floor + size + data;
}

/** What no size and no amount of text takes away; 0 for Kaplan's law, which has no such term. */
export const floorOf = (name) => (name === 'kaplan' ? 0 : laws[name].floor);

/**
 * The split of C = 6·N·D with the least loss → { n, d, loss }, in closed form (Hoffmann et al. 2022, equation 4): where one more per cent of N
 * gives as much as one more per cent of D.
 */
export function bestSplit(name, c) {
  const { a, alpha, b, beta } = laws[name];
  const product = c / 6;
  const n = ((alpha * a) / (beta * b)) ** (1 / (alpha + beta)) * product ** (beta / (alpha + beta));
  const d = product / n;
  return { n, d, loss: lossOf(name, n, d) };
}

/** The same by trying: golden-section search over log N, which knows nothing of the closed form. For any of the laws. */
export function searchSplit(name, c, { least = 1, most = 1e18 } = {}) {
  const golden = (Math.sqrt(5) - 1) / 2;
  const at = (x) => lossOf(name, Math.exp(x), c / 6 / Math.exp(x));
  let [low, high] = [Math.log(least), Math.log(most)];
  for (let i = 0; i < 120; i += 1) {
    const [left, right] = [high - golden * (high - low), low + golden * (high - low)];
    if (at(left) < at(right)) high = right;
    else low = left;
  }
  const n = Math.exp((low + high) / 2);
  return { n, d: c / 6 / n, loss: lossOf(name, n, c / 6 / n) };
}

/**
 * How large a model Kaplan et al. would train with C: their table 6 speaks of small batches; with their critical batch size training takes twice
 * that, as Hoffmann et al. 2022 count it too (appendix D.4).
 */
export function kaplanSplit(c) {
  const { count, power, petaflopDay } = kaplan.split;
  const n = count * (c / 2 / petaflopDay) ** power;
  return { n, d: c / 6 / n };
}

/** Models whose size and training text are published: all parameters, tokens, and where that stands. */
export const published = [
  { name: 'GPT-3', n: 175e9, d: 300e9, source: 'brown' },
  { name: 'Gopher', n: 280e9, d: 300e9, source: 'rae' },
  { name: 'Chinchilla', n: 70e9, d: 1.4e12, source: 'hoffmann' },
  { name: 'LLaMA 7B', n: 6.7e9, d: 1e12, source: 'touvron' },
  { name: 'Llama 3.1 405B', n: 405e9, d: 15.6e12, source: 'grattafiori' },
];

/** What the papers trained: the least and the most of N and D (Hoffmann et al. 2022, abstract; Kaplan et al. 2020, section 3). */
export const trained = {
  hoffmann: { n: [70e6, 16e9], d: [5e9, 500e9] },
  besiroglu: { n: [70e6, 16e9], d: [5e9, 500e9] },
  kaplan: { n: [768, 1.5e9], d: [22e6, 23e9] },
};

/** The compute for which Hoffmann et al. planned Chinchilla: that of Gopher (their figures 2 to 4). */
export const gopherCompute = 5.76e23;

/** What can be chosen: the ends of N, D and C. */
export const ranges = { n: [1e4, 1e13], d: [1e5, 1e15], c: [1e16, 1e28] };
export const usual = { n: 70e9, d: 1.4e12, c: gopherCompute };

/** What the plots of a published law show of the loss. */
export const lossRange = (name) => (name === 'kaplan' ? [1, 10] : [1.5, 10]);

/** Steps of a slider to a power of ten. */
export const stepsPerDecade = 10;
const steps = (name) => Math.round(Math.log10(ranges[name][1] / ranges[name][0]) * stepsPerDecade);

/** A slider's last position, the value of a position (3 digits), and the position nearest to a value. */
export const lastStep = (name) => steps(name);
export const valueAt = (name, step) => Number((ranges[name][0] * 10 ** (step / stepsPerDecade)).toPrecision(3));
export const stepNear = (name, value) => Math.min(steps(name), Math.max(0, Math.round(Math.log10(value / ranges[name][0]) * stepsPerDecade)));

const units = { '': 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12, 万: 1e4, 亿: 1e8, 万亿: 1e12, thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 };

/** A number as a reader writes it: 7e10, 70B, 1.4 T, 700 亿, 70,000,000,000, 5.76×10^23 → the number, or NaN where it is none or not in the range. */
export function parseAmount(text, name) {
  const plain = String(text)
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)[,_ ](?=\d{3}(?!\d))/g, '')
    .replace(/\s*[×x*]\s*10\s*\^?\s*(?=\d)/, 'e');
  const found = /^\+?((?:\d+\.?\d*|\.\d+)(?:e\+?\d{1,3})?)\s*([a-z万亿]*)$/.exec(plain);
  if (!found || !Object.hasOwn(units, found[2])) return NaN;
  const value = Number(found[1]) * units[found[2]];
  const [least, most] = ranges[name];
  return value >= least && value <= most ? value : NaN;
}

/** An attribute: what can't be read becomes `fallback`, what is out of the range the nearest end → { value, changed }. */
export function readAmount(raw, name, fallback = usual[name]) {
  if (raw === null || raw === undefined) return { value: fallback, changed: false };
  const value = parseAmount(raw, name);
  if (!Number.isNaN(value)) return { value, changed: false };
  const number = String(raw).trim() === '' ? NaN : Number(String(raw).replace(/[\s,_]/g, ''));
  const [least, most] = ranges[name];
  return { value: Number.isNaN(number) ? fallback : Math.min(most, Math.max(least, number)), changed: true };
}

/** A number as an attribute: 70000, 7e10. */
export const writeAmount = (value) => (value < 1e6 ? String(value) : value.toExponential().replace('e+', 'e'));
