/** A whole number from an attribute, clamped to 0 … max. → { value, clamped } */
export function clampIndex(raw, max) {
  const number = Number(raw);
  const value = Number.isNaN(number) ? 0 : Math.min(Math.max(0, Math.trunc(number)), Math.max(0, max));
  return { value, clamped: Number.isNaN(number) || number !== value };
}

/** The attribute `cell`, "row,column" counted from 0, clamped to a grid of `size` rows. → { row, column } or null */
export function parseCell(text, size) {
  const found = /^\s*(-?\d+)\s*[,，]\s*(-?\d+)\s*$/.exec(text ?? '');
  if (!found || size < 1) return null;
  return { row: clampIndex(found[1], size - 1).value, column: clampIndex(found[2], size - 1).value };
}

export const formatCell = (cell) => (cell ? `${cell.row},${cell.column}` : null);

/** The largest number, up or down, that a matrix of the hand calculation takes: float32 keeps all its digits worth showing. */
export const largestEntry = 1000;

/**
 * A number as a reader types it: full-width digits, real minus signs and decimal commas are understood.
 * → the number, NaN when it is none, Infinity when it is beyond ±`largestEntry`.
 */
export function parseNumber(text) {
  const plain = String(text)
    .normalize('NFKC')
    .trim()
    .replace(/^[−–－]/, '-')
    .replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e(\+?\d{1,9}|-\d{1,2}))?$/i.test(plain)) return NaN;
  const number = Number(plain);
  return Math.abs(number) > largestEntry ? Infinity : number;
}

/** A matrix from an attribute: JSON rows of equal length, 1 … rows by 1 … columns numbers. → rows, or null when it is not one. */
export function parseMatrix(json, maxRows = 8, maxColumns = 4) {
  let rows;
  try {
    rows = JSON.parse(json);
  } catch {
    return null;
  }
  if (!Array.isArray(rows) || rows.length < 1 || rows.length > maxRows || !Array.isArray(rows[0])) return null;
  const columns = rows[0].length;
  if (columns < 1 || columns > maxColumns) return null;
  const good = (x) => typeof x === 'number' && Math.abs(x) <= largestEntry;
  return rows.every((row) => Array.isArray(row) && row.length === columns && row.every(good)) ? rows : null;
}

/** The matrix with `rows` × `columns` entries: what is there stays, what is new is `fill`. */
export const resizeMatrix = (matrix, rows, columns, fill) =>
  Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => matrix[r]?.[c] ?? fill));
