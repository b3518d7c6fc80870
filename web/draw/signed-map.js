import { clipLabel, labelWidth } from './label.js';
import { formatFixed } from './number.js';
import { matrixShapes } from './qkv-figure.js';
import { moved, px, textAt } from './svg.js';

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

const levels = 8; // shades of one hue in a drawn table

/** Cells from this size on have their names beside them, smaller ones are counted. */
export const namedCell = 13;

/**
 * Measures of a square table of signed numbers with names at both sides → { size, cell, left, top, width, height, decimals, level }: as
 * heatmapGeometry's; decimals is 2 where a signed number fits into a cell, else 0.
 */
export function signedGeometry({ labels, width, font = 13, maxCell = 52, minCell = 5 }) {
  const size = labels.length;
  const longest = labels.reduce((most, label) => Math.max(most, labelWidth(label)), 1);
  let left = Math.ceil(clamp(longest * font + 10, 26, width < 480 ? 76 : 112));
  let cell = Math.max(minCell, Math.min(maxCell, Math.floor((width - left) / size)));
  // Names that would not fit beside their rows are counted instead.
  if (cell < namedCell) {
    left = 34;
    cell = Math.max(minCell, Math.floor((width - left) / size));
    return { size, cell, left, top: 20, width: left + size * cell, height: 20 + size * cell, decimals: 0, level: false };
  }
  const level = longest * font <= cell - 3;
  const top = level ? 26 : Math.ceil(clamp(longest * font * 1.06 + 10, 26, width < 480 ? 78 : 104));
  return { size, cell, left, top, width: left + size * cell, height: top + size * cell, decimals: cell >= 34 ? 2 : 0, level };
}

/** A cosine or another signed share as it stands in a cell. */
export const signedText = (x, decimals = 2) => formatFixed(x, decimals);

/** A square table of numbers within ±1 as drawn for a figure, its names left and above. → { width, height, body } */
export function signedTableShapes({ labels, data, width, paint, cut = 0, maxCell = 52, numbers: wanted = true }) {
  const geometry = signedGeometry({ labels, width, maxCell });
  const { size, cell, left, top, level } = geometry;
  const decimals = wanted ? geometry.decimals : 0;
  const small = cell < namedCell;
  const room = (left - 8) / 13;
  let body = '';
  labels.forEach((label, i) => {
    if (small && i % (cell < 5 ? 20 : 10)) return;
    const name = small ? String(i) : clipLabel(label, room);
    body += textAt(left - 6, top + (i + 0.5) * cell + 4.5, name, { size: small ? 11 : 13, anchor: 'end', fill: paint('ink-2') });
    if (level) body += textAt(left + (i + 0.5) * cell, top - 7, name, { size: 13, anchor: 'middle', fill: paint('ink-2') });
    else body += `<g transform="translate(${px(left + (i + 0.5) * cell + 4.5)} ${px(top - 6)}) rotate(-90)">${textAt(0, 0, small ? name : clipLabel(label, (top - 10) / 13), { size: small ? 11 : 13, fill: paint('ink-2') })}</g>`;
  });
  if (decimals) {
    const paths = new Map();
    let numbers = '';
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const x = data[row * size + column];
        const level = Math.round(Math.max(-1, Math.min(1, x)) * levels);
        paths.set(level, `${paths.get(level) ?? ''}M${px(left + column * cell)} ${px(top + row * cell)}h${cell - 1}v${cell - 1}h${1 - cell}z`);
        numbers += `<text x="${px(left + column * cell + (cell - 1) / 2)}" y="${px(top + row * cell + cell / 2 + 4)}">${signedText(x)}</text>`;
      }
    }
    for (const [level, d] of paths) body += `<path d="${d}" fill="${paint(level < 0 ? 'neg-cell' : 'pos-cell')}" fill-opacity="${Math.abs(level) / levels}" stroke="${paint('rule')}" stroke-width="0.5"/>`;
    body += `<g font-size="11.5" text-anchor="middle" fill="${paint('ink')}" data-numbers="">${numbers}</g>`;
  } else body += moved(left, top, matrixShapes({ matrix: { shape: [size, size], data }, limit: 1, width: size * cell, height: size * cell, paint }));
  if (cut > 0 && cut < size) {
    const at = cut * cell - 0.5;
    body += `<path d="M${px(left - 4)} ${px(top + at)}H${px(left + size * cell)}M${px(left + at)} ${px(top - 4)}V${px(top + size * cell)}" stroke="${paint('ink-2')}" stroke-width="1.5"/>`;
  }
  return { width: geometry.width, height: geometry.height, body };
}
