// The time that reading a prompt takes against its length: what is measured, and the curve a + b·n + c·n² through it.

/** Lengths to measure up to `most`, about evenly apart, the shortest a sixteenth. */
export const lengthsUpTo = (most) => [...new Set([1, 2, 4, 6, 8, 10, 12, 14, 16].map((part) => Math.max(1, Math.round((most * part) / 16))))];

/** The fewest tokens with which a curve can be told from a line. */
export const leastLongest = 16;

/** The attribute: the longest length → { value, changed }, between 16 and what the model reads. */
export function readMost(raw, context) {
  if (raw === null || raw === undefined) return { value: context, changed: false };
  const number = /^\s*\d+\s*$/.test(String(raw)) ? Number(raw) : NaN;
  const value = Number.isNaN(number) ? context : Math.min(context, Math.max(Math.min(leastLongest, context), number));
  return { value, changed: value !== number };
}

/** The smallest, middle and largest of some numbers. */
export function spreadOf(list) {
  const sorted = [...list].sort((x, y) => x - y);
  const middle = sorted.length % 2 ? sorted[(sorted.length - 1) / 2] : (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
  return { least: sorted[0], middle, most: sorted[sorted.length - 1] };
}

/**
 * Least squares of y against 1, x, x²: points [{ x, y }], at three or more different x → { a, b, c, r2: share of the variance that the curve takes }.
 */
export function fitSquare(points) {
  const scale = Math.max(...points.map(({ x }) => x)); // the powers of x then are of one size
  const sums = Array.from({ length: 3 }, () => [0, 0, 0, 0]);
  for (const { x, y } of points) {
    const powers = [1, x / scale, (x / scale) ** 2];
    for (let i = 0; i < 3; i += 1) {
      for (let j = 0; j < 3; j += 1) sums[i][j] += powers[i] * powers[j];
      sums[i][3] += powers[i] * y;
    }
  }
  for (let i = 0; i < 3; i += 1) {
    const pivot = [0, 1, 2].slice(i).reduce((best, row) => (Math.abs(sums[row][i]) > Math.abs(sums[best][i]) ? row : best), i);
    [sums[i], sums[pivot]] = [sums[pivot], sums[i]];
    for (let row = 0; row < 3; row += 1) {
      if (row === i) continue;
      const factor = sums[row][i] / sums[i][i];
      for (let j = i; j < 4; j += 1) sums[row][j] -= factor * sums[i][j];
    }
  }
  const [a, b, c] = sums.map((row, i) => row[3] / row[i]);
  const mean = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const rest = points.reduce((sum, { x, y }) => sum + (y - (a + b * (x / scale) + c * (x / scale) ** 2)) ** 2, 0);
  const all = points.reduce((sum, { y }) => sum + (y - mean) ** 2, 0);
  return { a, b: b / scale, c: c / scale ** 2, r2: all === 0 ? 1 : 1 - rest / all };
}

/** What timePrefill gives → { points: [{ tokens, least, middle, most, repeats }], a, b, c (ms), r2 }; the curve goes through the fastest: other programs can only slow a run down. */
export function summarise(timed) {
  const points = timed.map(({ tokens, ms, repeats }) => ({ tokens, ...spreadOf(ms), runs: ms.length, repeats: Math.min(...repeats) }));
  return { points, ...fitSquare(points.map(({ tokens, least }) => ({ x: tokens, y: least }))) };
}

/**
 * Multiply-adds of reading n tokens at once, as the engine counts them: of the matrices (n times), of the scores and mixtures of attention (each row with those up to
 * itself), and of the output head, once.
 */
export function countedWork({ nLayer, nEmbd, nInner = 4 * nEmbd, vocabSize }, n) {
  const matrices = n * nLayer * (4 * nEmbd * nEmbd + 2 * nEmbd * nInner);
  const attention = (nLayer * 2 * nEmbd * n * (n + 1)) / 2;
  return { matrices, attention, head: nEmbd * vocabSize, total: matrices + attention + nEmbd * vocabSize };
}

/** The length at which the work that grows with n² is as much as the work that grows with n. */
export const evenLength = ({ nEmbd, nInner = 4 * nEmbd }) => (4 * nEmbd + 2 * nInner) - 1;
