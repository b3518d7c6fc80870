import { labelWidth } from './label.js';

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

/**
 * Measures of a square grid of `labels` (queries down, keys across) that fits into `width` px.
 * → { size, cell, left, top, width, height, decimals, scrolls, level }: cells are squares of `cell` px that begin at (left, top); row
 * labels stand left of it, column labels above: `level` when they fit across their cells, else upright. `decimals` is how many fit into a cell: 3, 2 or 0 (colour only).
 * The row labels get at least `minLeft` px. When even `minCell` does not fit, the grid is wider than `width` and `scrolls`
 * in its own box.
 */
export function heatmapGeometry({ labels, width, font = 13, minCell = 14, maxCell, minLeft = 26 }) {
  const size = labels.length;
  const longest = labels.reduce((most, label) => Math.max(most, labelWidth(label)), 1);
  const narrow = width < 480;
  const left = Math.ceil(clamp(longest * font + 10, minLeft, narrow ? Math.max(minLeft, Math.min(72, width * 0.24)) : 112));
  const roomy = maxCell ?? (size <= 4 ? 60 : size <= 8 ? 48 : size <= 16 ? 38 : 34);
  const fit = size ? (width - left) / size : roomy;
  const cell = Math.floor(clamp(fit, minCell, roomy));
  const level = longest * font <= cell - 3;
  const top = level ? 26 : Math.ceil(clamp(longest * font * 1.06 + 10, 26, narrow ? 78 : 104));
  return {
    size,
    cell,
    left,
    top,
    width: left + size * cell,
    height: top + size * cell,
    decimals: cell >= 40 ? 3 : cell >= 30 ? 2 : 0,
    scrolls: fit < minCell,
    level,
  };
}

/** Measures for a picture of very many tokens: cells may be smaller than a pixel, labels become ticks. */
export function canvasGeometry({ size, width, maxSide = 680 }) {
  const left = 34;
  const top = 20;
  const side = Math.max(1, Math.min(width - left, maxSide));
  return { size, cell: side / size, left, top, width: left + side, height: top + side, decimals: 0, scrolls: false, level: true };
}

/** The cell { row, column } under the point (x, y) in px from the grid's corner, or null outside of the cells. */
export function cellAt(geometry, x, y) {
  const column = Math.floor((x - geometry.left) / geometry.cell);
  const row = Math.floor((y - geometry.top) / geometry.cell);
  const inside = row >= 0 && column >= 0 && row < geometry.size && column < geometry.size;
  return inside ? { row, column } : null;
}

/** Positions for about `count` ticks among `size` tokens, at a round distance. */
export function ticks(size, count = 8) {
  const rough = size / count;
  const base = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((n) => n * base).find((n) => n >= rough) ?? base * 10;
  return Array.from({ length: Math.ceil(size / step) }, (_, i) => i * step);
}
