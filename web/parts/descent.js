// Gradient descent on one weight: where it walks (the landscape), and the walk. Pure.
import { standardised } from './pipeline.js';

/** Three walks: hours on the way, and kilometres. */
export const usualPoints = [[1, 2], [2, 2], [3, 5]];
export const usual = { w: 0, rate: 0.05, steps: 0, batch: 'all' };
export const mostPoints = 6;
export const largestCoordinate = 100;
export const mostSteps = 60;
export const largestRate = 1e6;
export const largestWeight = 1e6;

/** Where the slider of learning rates stops: for points, and for a weight of a model, whose slopes are gentle. */
export const rateStops = {
  points: [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.18, 0.2, 0.21, 0.22, 0.25, 0.3, 0.5, 1],
  model: [0, 1, 2, 5, 10, 20, 30, 50, 80, 100, 150, 200, 300, 500, 1000, 2000, 5000],
};

/**
 * The loss of y = w·x over points [x, y]: the mean of (w·x − y)².
 * → { kind, count, loss(w), slope(w, i?): of all points or of one, least: { w, loss } or null where w does nothing, curvature, range: [from, to] to look at }
 */
export function pointsLandscape(points) {
  const n = points.length;
  const mean = (f) => points.reduce((sum, point) => sum + f(point), 0) / n;
  const loss = (w) => mean(([x, y]) => (w * x - y) ** 2);
  const own = (w, [x, y]) => 2 * x * (w * x - y);
  const slope = (w, i) => (i === undefined ? mean((point) => own(w, point)) : own(w, points[i % n]));
  const squares = mean(([x]) => x * x);
  const best = squares > 0 ? mean(([x, y]) => x * y) / squares : null;
  const half = best === null ? 2 : roundUp(1.2 * Math.max(0.5, Math.abs(best)));
  const middle = best === null ? 0 : Math.round(best * 2) / 2;
  return { kind: 'points', points, count: n, loss, slope, least: best === null ? null : { w: best, loss: loss(best) }, curvature: 2 * squares, range: [middle - half, middle + half] };
}

/** The next number up of 1, 2, 3, 5, 10, 20 … */
function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-12);
  return [1, 2, 3, 5, 10].find((part) => part * power >= x * 0.999999) * power;
}

/**
 * The loss of a text against one weight of a model: the gain of its last LayerNorm for number `index`. It multiplies one number of each token's vector on the way out,
 * so every logit follows it in a straight line: logit(w) = logit + (w − now) · x̂ · wte. That makes the whole curve exact without running the model anew.
 *
 * logits { shape: [T, V], data }; normed (T): that number as the last LayerNorm standardised it; column (V): that number of every row of the output table; ids (T);
 * now: the weight's value. → as pointsLandscape, with losses(w): −log p of each token but the first.
 */
export function modelLandscape({ logits, normed, column, ids, now }) {
  const [size, vocabulary] = logits.shape;
  const { data } = logits;
  const at = (w, t) => {
    const shift = (w - now) * normed[t];
    const start = t * vocabulary;
    let top = -Infinity;
    for (let v = 0; v < vocabulary; v += 1) top = Math.max(top, data[start + v] + shift * column[v]);
    let sum = 0;
    let weighted = 0;
    for (let v = 0; v < vocabulary; v += 1) {
      const e = Math.exp(data[start + v] + shift * column[v] - top);
      sum += e;
      weighted += e * column[v];
    }
    const right = ids[t + 1];
    return { loss: Math.log(sum) + top - (data[start + right] + shift * column[right]), slope: normed[t] * (weighted / sum - column[right]) };
  };
  const places = Array.from({ length: size - 1 }, (_, t) => t);
  const known = new Map();
  const all = (w) => {
    if (!known.has(w)) {
      if (known.size > 500) known.clear();
      known.set(w, places.map((t) => at(w, t)));
    }
    return known.get(w);
  };
  const mean = (list, of) => list.reduce((sum, one) => sum + of(one), 0) / list.length;
  const loss = (w) => mean(all(w), (one) => one.loss);
  const slope = (w, i) => (i === undefined ? mean(all(w), (one) => one.slope) : all(w)[i % places.length].slope);
  const least = lowest(slope, now);
  const rising = [2, 5, 10, 20].find((wide) => Math.min(loss(now + wide), loss(now - wide)) > loss(least) + 0.5) ?? 20;
  const half = Math.max(rising, Math.ceil(1.3 * Math.abs(least - now)));
  const middle = Math.round(now);
  return { kind: 'model', now, count: places.length, loss, slope, losses: (w) => all(w).map((one) => one.loss), least: { w: least, loss: loss(least) }, range: [middle - half, middle + half] };
}

/** Where a curve that bends upwards everywhere is lowest: where its slope crosses zero, within 40 of `from`. */
function lowest(slope, from) {
  let [low, high] = [from - 40, from + 40];
  if (slope(low) >= 0) return low;
  if (slope(high) <= 0) return high;
  for (let i = 0; i < 26; i += 1) {
    const middle = (low + high) / 2;
    if (slope(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * What modelLandscape needs of a text, asked of the engine. → { tokens, bytes, ids, dropped, landscape, index } or { few: true } for a text of one token.
 * The weight itself is read off what it does: x̂ goes in, ln_f = now · x̂ + bias comes out.
 */
export async function askModelLandscape(engine, text, { model = 'builtin', config, index }) {
  const input = `h.${config.nLayer - 1}.resid_out`;
  const { ids, tokens, bytes, dropped, activations } = await engine.trace(text, { model, names: [input, 'ln_f', 'logits'] });
  if (ids.length < 2) return { few: true };
  const width = config.nEmbd;
  const { data: before } = activations[input];
  const { data: after } = activations.ln_f;
  const normed = Float64Array.from(ids, (_, t) => standardised(before.subarray(t * width, (t + 1) * width), config.layerNormEpsilon)[index]);
  const out = Float64Array.from(ids, (_, t) => after[t * width + index]);
  const column = new Float64Array(config.vocabSize);
  for (let from = 0; from < config.vocabSize; from += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, config.vocabSize - from);
    const { data } = await engine.embedding({ model, ids: Array.from({ length: rows }, (_, i) => from + i) });
    for (let i = 0; i < rows; i += 1) column[from + i] = data[i * width + index];
  }
  const landscape = modelLandscape({ logits: activations.logits, normed, column, ids, now: straightLine(normed, out) });
  return { ids, tokens, bytes, dropped, landscape, index };
}

const rowsAtOnce = 4096; // of the output table

/** The slope of the straight line through points (x, y), by least squares. */
function straightLine(x, y) {
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xy, xx] = [0, 0];
  x.forEach((value, i) => {
    xy += (value - mx) * (y[i] - my);
    xx += (value - mx) ** 2;
  });
  return xy / xx;
}

/**
 * A walk downhill from w: each step takes away rate × slope, of everything, or with batch `one` of one point after the other.
 * → { path: [{ w, loss, slope: of everything, used: the slope that the next step goes by }], next: where one more step would lead, state }
 * state: `start`; `still` at rate 0; `uphill` for a negative one; `away` when it ends farther off than it began; `lost` when no number is large enough; `there`; `zigzag`; `slow`; `moving`.
 */
export function walk(landscape, { w, rate, steps, batch }) {
  const one = (at, i) => ({ w: at, loss: landscape.loss(at), slope: landscape.slope(at), used: landscape.slope(at, batch === 'one' ? i : undefined) });
  const path = [one(w, 0)];
  let lost = false;
  for (let i = 0; i < steps && !lost; i += 1) {
    const { w: at, used } = path.at(-1);
    const next = at - rate * used;
    if (Math.abs(next) > 1e12) lost = true;
    else path.push(one(next, i + 1));
  }
  const last = path.at(-1);
  return { path, next: last.w - rate * last.used, state: lost ? 'lost' : stateOf(landscape, path, { rate, batch }) };
}

function stateOf({ least, kind }, path, { rate }) {
  const [first, last] = [path[0], path.at(-1)];
  if (path.length < 2) return 'start';
  if (rate === 0) return 'still';
  if (!least) return 'flat';
  if (rate < 0) return 'uphill';
  const above = last.loss - least.loss;
  const began = first.loss - least.loss;
  const close = kind === 'points' ? Math.max(0.01 * began, 1e-9) : Math.max(0.01 * began, 1e-5);
  if (above > began * 1.0001 && above > close) return 'away';
  if (above <= close) return 'there';
  const before = path.at(-2);
  if (before.slope * last.slope < 0) return 'zigzag';
  return (began - above) / began / (path.length - 1) < 0.02 ? 'slow' : 'moving';
}

/**
 * A number as a reader types it: full-width digits, real minus signs, a decimal comma.
 * → { value } or { fault }: `missing`, `text` or `large`.
 */
export function parseDecimal(text, largest) {
  const plain = String(text).normalize('NFKC').trim().replace(/^[−–]/, '-').replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  if (plain === '') return { fault: 'missing' };
  if (/^[+-]?(∞|inf|infinity)$/i.test(plain)) return { fault: 'large' };
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,9})?$/i.test(plain)) return { fault: 'text' };
  const value = Number(plain) + 0;
  return Math.abs(value) > largest ? { fault: 'large' } : { value };
}

/** Points of an attribute, "1,2 2,2 3,5" → pairs, or null for what is none. */
export function parsePoints(text) {
  const pairs = String(text).trim().split(/[\s;；]+/).map((pair) => pair.split(/[,，]/));
  if (!pairs.length || pairs.length > mostPoints || pairs.some((pair) => pair.length !== 2)) return null;
  const numbers = pairs.map((pair) => pair.map((part) => parseDecimal(part, largestCoordinate)));
  return numbers.every((pair) => pair.every(({ fault }) => !fault)) ? numbers.map((pair) => pair.map(({ value }) => value)) : null;
}

export const writePoints = (points) => points.map((pair) => pair.join(',')).join(' ');

const isGiven = (text) => text !== null && text !== undefined && String(text).trim() !== '';

/** The attributes; what can't be read counts as left out and is named in `bad` → { points, w: null unless given, rate, steps, batch, bad }. */
export function readDescent({ points, w, rate, steps, batch }, { rate: usualRate = usual.rate } = {}) {
  const bad = [];
  const number = (name, text, largest, fallback) => {
    if (!isGiven(text)) return fallback;
    const { value, fault } = parseDecimal(text, largest);
    if (fault) bad.push(name);
    return fault ? fallback : value;
  };
  const given = isGiven(points) ? parsePoints(points) : usualPoints;
  if (!given) bad.push('points');
  const read = { points: given ?? usualPoints, w: number('w', w, largestWeight, null), rate: number('rate', rate, largestRate, usualRate), steps: usual.steps, batch: usual.batch };
  const count = Number(steps);
  if (isGiven(steps)) {
    if (Number.isInteger(count) && count >= 0 && count <= mostSteps) read.steps = count;
    else bad.push('steps');
  }
  if (isGiven(batch)) {
    if (['all', 'one'].includes(batch)) read.batch = batch;
    else bad.push('batch');
  }
  return { ...read, bad };
}

/** Learning rates that show something, by how much of the way to the bottom one step goes: a crawl, straight there, across and back, ever farther. */
export function presetRates(landscape) {
  const { least, range: [from, to] } = landscape;
  if (!least) return {};
  const little = (to - from) / 20;
  const curvature = (landscape.slope(least.w + little) - landscape.slope(least.w - little)) / (2 * little);
  if (!(curvature > 0)) return {};
  const rate = (share) => Number((share / curvature).toPrecision(2));
  return { tiny: rate(0.0467), good: rate(0.93), zigzag: rate(1.87), huge: rate(2.33) };
}

/** How fine the weight is moved by hand. */
export const weightStep = ([from, to]) => [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].find((step) => step * 130 >= to - from) ?? (to - from) / 100;

/** The stop of the slider that is nearest to a rate. */
export const rateStop = (stops, rate) => stops.reduce((best, stop, i) => (Math.abs(stop - rate) < Math.abs(stops[best] - rate) ? i : best), 0);
