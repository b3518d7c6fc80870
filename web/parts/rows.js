// Arithmetic on rows of attention weights.

/** Entropy of a row in nats: 0 when all weight lies on one key. */
export function entropyOf(row) {
  let sum = 0;
  for (const w of row) if (w > 0) sum -= w * Math.log(w);
  return sum;
}

/** How much two rows differ: the share of weight that lies elsewhere, ½ Σ|a − b|, from 0 to 1. Columns that one row lacks count as 0. */
export function rowDifference(a, b) {
  let sum = 0;
  for (let i = 0; i < Math.max(a.length, b.length); i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum / 2;
}

/** Whether two rows hold the same float32 numbers, bit by bit. */
export const sameNumbers = (a, b) => a.length === b.length && a.every((x, i) => Object.is(x, b[i]));

/** Row `row` of a square grid (size·size), up to and with the diagonal. */
export const seenRow = (weights, size, row) => weights.subarray(row * size, row * size + row + 1);

/**
 * Two grids of the same head row by row → [{ same, difference }], one for each row that both have; `same` means the same to the bit.
 * a, b: { weights (size·size), size }.
 */
export function compareRows(a, b) {
  return Array.from({ length: Math.min(a.size, b.size) }, (_, row) => {
    const [x, y] = [seenRow(a.weights, a.size, row), seenRow(b.weights, b.size, row)];
    return { same: sameNumbers(x, y), difference: rowDifference(x, y) };
  });
}
