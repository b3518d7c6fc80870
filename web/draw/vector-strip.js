import { px } from './svg.js';

const levels = 12;

/** How many cells of a vector stand in one row, so that each is at least `least` px wide in `width` px: a power of two, at most all of them. */
export function foldOf(count, width, least = 6) {
  if (count * least <= width) return count;
  let columns = 16;
  while (columns * 2 * least <= width) columns *= 2;
  return Math.min(columns, count);
}

/**
 * A vector as cells, blue below zero, orange above, full colour at ±limit, folded into rows of `columns` cells; one path a shade keeps it
 * small; `shades` of each hue. → { height, body }, `width` px wide.
 */
export function vectorShapes({ values, columns = values.length, width, rowHeight, limit, paint, shades = levels }) {
  const rows = Math.ceil(values.length / columns);
  const paths = new Map();
  for (let i = 0; i < values.length; i++) {
    const level = Math.round(Math.max(-1, Math.min(1, values[i] / limit || 0)) * shades);
    if (!level) continue;
    paths.set(level, `${paths.get(level) ?? ''}M${i % columns} ${Math.floor(i / columns)}h1`);
  }
  const cells = [...paths].map(([level, d]) => `<path d="${d}" stroke="${paint(level < 0 ? 'neg' : 'pos')}" stroke-opacity="${px(Math.abs(level) / shades)}"/>`).join('');
  const outline = (rows - 1) * columns === values.length - columns ? '' : `M${px(((values.length % columns) * width) / columns)} ${px(rows * rowHeight)}v${px(-rowHeight)}H${px(width)}`;
  return {
    height: rows * rowHeight,
    body:
      `<rect width="${px(width)}" height="${px(rows * rowHeight)}" fill="${paint('surface')}" stroke="${paint('rule-control')}"/>` +
      (outline ? `<path d="${outline}" fill="none" stroke="${paint('rule-control')}"/>` : '') +
      `<g transform="scale(${width / columns} ${rowHeight}) translate(0 .5)" stroke-width="1">${cells}</g>` +
      Array.from({ length: rows - 1 }, (_, i) => `<path d="M0 ${px((i + 1) * rowHeight)}H${px(width)}" stroke="${paint('surface')}" stroke-width="2"/>`).join(''),
  };
}
