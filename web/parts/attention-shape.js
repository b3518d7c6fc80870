import { tokenLabel } from '../draw/label.js';
import { mergeWeights, tokenUnits } from '../draw/units.js';
import { parseCell } from './attributes.js';
import { largestAt } from './measure.js';

/** Whether a cell is one that no token may look at. */
export const masked = (row, column) => column > row;

/**
 * What is drawn of one text in one head: its tokens, or, `joined`, the characters and words that they make.
 * side: { labels, pieces, bytes, size, grid (size·size) } → { labels, parts, units, weights (size·size), size, toShown(cell of tokens), toTokens(shown cell) }
 */
export function shapeOf({ labels, pieces, bytes, size, grid }, joined) {
  if (!joined) return { labels, parts: pieces, units: null, weights: grid, size, toShown: (cell) => cell, toTokens: (cell) => cell };
  const units = tokenUnits(bytes);
  const unitOf = units.flatMap((unit, i) => Array(unit.end - unit.start).fill(i));
  return {
    labels: units.map((unit) => (unit.text === null ? labels[unit.start] : tokenLabel(unit.text))),
    parts: units.map(() => null),
    units,
    weights: mergeWeights(grid, size, units),
    size: units.length,
    toShown: (cell) => cell && { row: unitOf[cell.row], column: unitOf[cell.column] },
    // A cell of joined tokens stands for the last token's row and the token that gets most of it.
    toTokens: ({ row, column }) => {
      const at = units[row].end - 1;
      const { start, end } = units[column];
      return { row: at, column: start + largestAt(grid.subarray(at * size + start, at * size + end)) };
    },
  };
}

/** The attribute `cell` as a cell of a text's tokens, or null; where they are joined its row is the last token's. */
export function chosenCell(attribute, { size }, { units, toShown }) {
  const cell = parseCell(attribute, size);
  return cell && units ? { row: units[toShown(cell).row].end - 1, column: cell.column } : cell;
}
