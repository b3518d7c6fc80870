import { decimalsFor, formatFixed, formatNumber, formatWeight, roundTo, shownValue } from '../draw/number.js';

// A shown number is { value, text }: `value` is exactly what `text` says, so that a line computed from shown numbers is
// what a reader's calculator gives.
const fixed = (x, decimals) => {
  const value = roundTo(x, decimals);
  return { value, text: Number.isInteger(value) && Number.isInteger(x) ? formatFixed(value, 0) : formatFixed(value, decimals) };
};
// A sum of short numbers is short itself: no zeros behind it that nobody has computed.
const short = (x, decimals) => {
  for (let fewer = 0; fewer < decimals; fewer++) if (Math.abs(roundTo(x, fewer) - x) < 1e-12) return fixed(x, fewer);
  return fixed(x, decimals);
};
const significant = (x, digits) => ({ value: shownValue(x, digits), text: formatNumber(x, digits) });
const weightShown = (w, extra = 0) => {
  if (extra) return significant(w, 3 + extra);
  return { value: w >= 0.0995 ? roundTo(w, 3) : shownValue(w, 3), text: formatWeight(w) };
};

// The engine's numbers are float32, which the digits shown may go beyond.
// Weights below this reach the end of float32, where the engine's last digits are lost.
const vanishing = 1e-30;

const near = (shown, exact, decimals) => Math.abs(shown - exact) <= 1.0001 * 10 ** -decimals + 1e-6 * Math.abs(exact);

/** Exponents beyond this are either unreadable or vanish, so that the row's maximum is subtracted first. */
export const largestExponent = 10;

function products(q, k, decimals, exactInputs) {
  const terms = [];
  let sum = 0;
  for (let i = 0; i < q.length; i++) {
    const a = exactInputs ? { value: q[i], text: formatInput(q[i]) } : fixed(q[i], decimals);
    const b = exactInputs ? { value: k[i], text: formatInput(k[i]) } : fixed(k[i], decimals);
    const product = fixed(a.value * b.value, decimals);
    sum = roundTo(sum + product.value, decimals);
    terms.push({ q: a, k: b, product, sum: fixed(sum, decimals) });
  }
  return { terms, sum };
}

/** A number of the reader's own as it was typed, with a real minus sign. */
export const formatInput = (x) => String(x).replace('-', '−');

/**
 * The calculation of one cell of attention, line by line, each line's numbers rounded so that they give the next line.
 *
 * q (D), keys (S,D): the row's query and the key of every column; scaled (S), weights (S): what the engine computed for
 * the row; visible: how many columns the row sees; column: the chosen one; scale: false leaves the division by √D out;
 * values (S,E), output (E): for the last line, the weighted sum; exactInputs: q, k and v are short numbers typed by hand;
 * every: all weights of the row must come out to the digit, not only the chosen one.
 *
 * → { size, root, terms, score, row: [{ score, scaled, shifted, exp, weight, masked }], chosen, subtract, maximum, total, output, fine, exact }
 *   where terms are the D products { q, k, product, sum } of the chosen column and `output` the entries of the new vector.
 * Digits are added until every line follows from the one before; `fine` says that the weights needed one more than
 * elsewhere, `exact` is false when no number of digits did it.
 */
export function calculation(input) {
  let last;
  for (let extra = 0; extra < 6; extra++) {
    for (let more = 0; more < 2; more++) {
      last = attempt(input, extra, more, 0);
      if (last.exact) return last;
    }
  }
  // A weight that lies on the edge of rounding, where float32 and double part: one more digit settles it.
  for (let extra = 2; extra < 7; extra++) {
    const result = attempt(input, extra, 1, 1);
    if (result.exact) return result;
  }
  return last;
}

function attempt(input, extra, more, weightDigits) {
  const { q, keys, scaled, weights, visible, column, scale = true, values, output, exactInputs = false, every = false } = input;
  const size = q.length;
  const root = scale ? Math.sqrt(size) : 1;
  const dot = (k) => q.reduce((sum, x, i) => sum + x * k[i], 0);
  const largest = Math.max(...scaled.slice(0, visible).map(Math.abs), Math.abs(scaled[column]), 0);
  const places = Math.min(9, Math.max(2, decimalsFor(largest, 3)) + extra);

  // The products get as many decimals as it takes for their sum to come out.
  const exactScore = dot(keys[column]);
  let summed;
  let termPlaces = places;
  let scorePlaces = places;
  for (; termPlaces <= places + 4; termPlaces++) {
    summed = products(q, keys[column], termPlaces, exactInputs);
    if (roundTo(summed.sum, scorePlaces) === roundTo(exactScore, scorePlaces)) break;
  }
  const row = keys.map((k, i) => {
    const score = (exactInputs ? short : fixed)(i === column ? summed.sum : dot(k), scorePlaces);
    return { score, scaled: scale ? fixed(score.value / root, places) : score, masked: i >= visible };
  });
  const seen = row.slice(0, visible);
  const maximum = seen.reduce((most, cell) => (cell.scaled.value > most.value ? cell.scaled : most), seen[0].scaled);
  const subtract = Math.abs(maximum.value) > largestExponent;
  const digits = 3 + extra + more;
  for (const cell of row) {
    cell.shifted = subtract ? fixed(cell.scaled.value - maximum.value, places) : cell.scaled;
    cell.exp = cell.masked ? { value: 0, text: '0' } : significant(Math.exp(cell.shifted.value), digits);
  }
  const total = significant(seen.reduce((sum, cell) => sum + cell.exp.value, 0), digits);
  for (const cell of row) cell.weight = cell.masked ? { value: 0, text: '0' } : weightShown(cell.exp.value / total.value, weightDigits);

  let exact = near(row[column].score.value, exactScore, scorePlaces) && roundTo(summed.sum, scorePlaces) === row[column].score.value;
  exact &&= near(row[column].scaled.value, scaled[column], places);
  row.forEach((cell, i) => {
    if (cell.masked || (!every && i !== column)) return;
    if (weights[i] < vanishing && cell.weight.value < vanishing) return;
    exact &&= cell.weight.text === weightShown(weights[i], weightDigits).text;
  });

  // Exponents typed by hand are exact, so that a reader may know the sum from elsewhere.
  if (exactInputs && !scale && !subtract) exact &&= total.text === significant(seen.reduce((sum, _, i) => sum + Math.exp(dot(keys[i])), 0), digits).text;

  let vector = null;
  if (output) {
    vector = weightedSum(row, values, output);
    exact &&= vector !== null;
  }
  return { size, root, scale, terms: summed.terms, score: row[column].score, row, chosen: row[column], column, visible, subtract, maximum, total, output: vector, fine: weightDigits > 0, exact };
}

// The new vector with three digits if the shown weights give them, else with two.
function weightedSum(row, values, output) {
  for (const digits of [3, 2]) {
    const largest = Math.max(...output.map(Math.abs));
    const places = largest === 0 ? 0 : decimalsFor(largest, digits);
    const sums = Array.from(output, (_, e) => row.reduce((sum, cell, i) => sum + (cell.masked ? 0 : cell.weight.value * values[i][e]), 0));
    if (sums.every((sum, e) => roundTo(sum, places) === roundTo(output[e], places))) return sums.map((sum) => fixed(sum, places)).map((s) => ({ ...s, text: formatFixed(s.value, places) }));
  }
  return null;
}

/**
 * The products of a calculation in another order, the largest in size first, with their running sum → terms as in calculation, each with its
 * `index` in the vectors. The last sum is the same: all have the same decimals.
 */
export function sortTerms(terms) {
  const places = terms.reduce((most, { product }) => Math.max(most, product.text.split('.')[1]?.length ?? 0), 0);
  let sum = 0;
  return terms
    .map((entry, index) => ({ ...entry, index }))
    .sort((a, b) => Math.abs(b.product.value) - Math.abs(a.product.value) || a.index - b.index)
    .map((entry) => {
      sum = roundTo(sum + entry.product.value, places);
      return { ...entry, sum: fixed(sum, places) };
    });
}

/**
 * The weighted sum of the values of one row: z = Σ w·v.
 *
 * weights (S), values (S,D: one array a key), z (D): what the engine computed; visible: how many keys the row sees; column: the chosen key;
 * most: keys that get a line of their own, the others are added.
 * → { lines: [{ key, weight, parts (D) }], rest: { keys, weight, parts (D) } or null, entries: [{ share, rest, z }], exact }
 *   lines and rest are exact numbers, the chosen key's line is always there, lines are in the order of the text; entries (D) are shown numbers:
 *   what the chosen key adds, what all the others add, and their sum, which is the engine's number to the digits shown (`exact` is false where
 *   no number of digits does it).
 */
export function weightedValues({ weights, values, z, visible, column, most = 8 }) {
  const size = z.length;
  const seen = Array.from({ length: visible }, (_, key) => key);
  const order = seen.slice().sort((a, b) => weights[b] - weights[a] || a - b);
  const kept = new Set(order.slice(0, visible <= most + 1 ? visible : most));
  if (column < visible) kept.add(column);
  const line = (keys) => Array.from({ length: size }, (_, e) => keys.reduce((sum, key) => sum + weights[key] * values[key][e], 0));
  const lines = seen.filter((key) => kept.has(key)).map((key) => ({ key, weight: weights[key], parts: line([key]) }));
  const left = seen.filter((key) => !kept.has(key));
  const rest = left.length ? { keys: left.length, weight: left.reduce((sum, key) => sum + weights[key], 0), parts: line(left) } : null;
  const sums = line(seen);
  const share = column < visible ? line([column]) : Array(size).fill(0);
  const largest = Math.max(...Array.from(z, Math.abs));
  // Three digits of the largest number; fewer where double and float32 part at the last one.
  let places = largest > 0 ? decimalsFor(largest, 3) : 0;
  const agrees = (digits) => sums.every((sum, e) => roundTo(sum, digits) === roundTo(z[e], digits));
  let exact = agrees(places);
  for (let fewer = places - 1; !exact && fewer >= Math.max(0, places - 1); fewer--) {
    if (agrees(fewer)) [exact, places] = [true, fewer];
  }
  const text = (x) => ({ value: roundTo(x, places), text: formatFixed(x, places) });
  const entries = Array.from(z, (whole, e) => {
    const [shown, part] = [text(whole), text(share[e])];
    return { share: part, rest: text(shown.value - part.value), z: shown };
  });
  return { lines, rest, entries, largest, exact };
}
