import { decimalsFor, formatFixed, roundTo } from '../draw/number.js';

export const partNames = ['q', 'k', 'v'];

/** One head's matrices and what they are applied to, of a whole text → what `vectorsAt` takes, and the tokens. */
export async function askProjection(engine, text, { model = 'builtin', layer, head }) {
  const norm = `h.${layer}.ln_1`;
  const prefix = `h.${layer}.attn.`;
  const [traced, matrices] = await Promise.all([
    engine.trace(text, { model, names: [norm, ...partNames.map((part) => prefix + part)] }),
    engine.headProjections({ model, layer, head }),
  ]);
  const { tokens, bytes, dropped, activations } = traced;
  const parts = Object.fromEntries(partNames.map((part) => [part, activations[prefix + part]]));
  return { tokens, bytes, dropped, input: activations[norm], parts, matrices, head };
}

/** Of one token: x (C), its vector after LayerNorm, and this head's q, k, v (D). */
export function vectorsAt({ input, parts, head }, position) {
  const channels = input.shape[1];
  const of = ({ shape: [, size, depth], data }) => data.slice((head * size + position) * depth, (head * size + position + 1) * depth);
  return { x: input.data.slice(position * channels, (position + 1) * channels), ...Object.fromEntries(partNames.map((part) => [part, of(parts[part])])) };
}

/** The colour scale of some matrices: three times the root mean square of all their entries, beyond which the colour is full. */
export function colourLimit(matrices) {
  let squares = 0;
  let count = 0;
  for (const { data } of matrices) {
    for (const x of data) squares += x * x;
    count += data.length;
  }
  return 3 * Math.sqrt(squares / (count || 1)) || 1;
}

const fixed = (x, places) => {
  const value = roundTo(x, places);
  return { value, text: formatFixed(value, places) };
};

/**
 * One number of q, k or v, made step by step: x (C) times column `column` of weight (C,D), summed, plus bias (D). exact: the number that the
 * engine computed. Every line is made of the numbers shown in the line before, with as many digits as it takes for the end to agree.
 * → { terms: [{ x, w, product, sum }], sum, bias, value, exact: whether it agrees } with shown numbers { value, text }
 */
export function dotProduct(input) {
  let last;
  for (let extra = 0; extra < 3; extra++) {
    for (let more = 1; more <= 6; more++) {
      last = attempt(input, digitsOf(input.exact) + extra, more);
      if (last.exact) return last;
    }
  }
  return last;
}

const digitsOf = (x) => Math.min(4, Math.max(2, decimalsFor(x, 3)));

function attempt({ x, weight, bias, column, exact }, places, more) {
  const [channels, depth] = weight.shape;
  const digits = places + more;
  let sum = 0;
  const terms = [];
  for (let i = 0; i < channels; i++) {
    const a = fixed(x[i], digits);
    const w = fixed(weight.data[i * depth + column], digits);
    const product = fixed(a.value * w.value, digits);
    sum = roundTo(sum + product.value, digits);
    terms.push({ x: a, w, product, sum: fixed(sum, digits) });
  }
  const total = fixed(sum, places + 1);
  const shift = fixed(bias.data[column], places + 1);
  const value = fixed(total.value + shift.value, places);
  return { terms, sum: total, bias: shift, value, exact: value.value === roundTo(exact, places) };
}

/** A number of a vector as the page shows it: the same digits as `dotProduct` ends with. */
export const shownEntry = (x) => (x === 0 ? '0' : formatFixed(x, digitsOf(x)));
