import { largest, signedStrip } from './heads-figure.js';
import { labelWidth } from './label.js';
import { formatNumber } from './number.js';
import { breakLines, moved, painter, picture, px, shadedLines, textAt } from './svg.js';

const levels = 8;

/** A matrix (rows, columns) as cells from blue over paper to orange, full colour at ±limit; one path a shade keeps it small. */
export function matrixShapes({ matrix, limit, width, height, paint }) {
  const { shape: [rows, columns], data } = matrix;
  const level = (at) => Math.round(Math.max(-1, Math.min(1, data[at] / limit)) * levels);
  const lines = [];
  const ends = new Map(); // shade → where its last line ends: the next one begins from there, in fewer characters
  for (let row = 0; row < rows; row++) {
    let column = 0;
    while (column < columns) {
      const shade = level(row * columns + column);
      let end = column + 1;
      while (end < columns && level(row * columns + end) === shade) end += 1;
      const [x, y] = ends.get(shade) ?? [0, 0];
      lines.push({ share: shade / levels, d: `m${column - x} ${row - y}h${end - column}` });
      ends.set(shade, [end, row]);
      column = end;
    }
  }
  return `<rect width="${px(width)}" height="${px(height)}" fill="${paint('surface')}" stroke="${paint('rule-control')}"/><g transform="scale(${width / columns} ${height / rows}) translate(0 .5)">${shadedLines(lines, { levels, thick: 1, paint })}</g>`;
}

/** A vector as a strip that runs downwards. */
export const uprightStrip = ({ values, width, height, paint }) =>
  `<g transform="matrix(0 1 1 0 0 0)">${signedStrip({ values, width: height, height: width, limit: largest(values), paint })}</g>`;

/** The products of one dot product as bars on a line, orange up and blue down. */
export function productShapes({ values, width, height, paint }) {
  const high = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  const span = high - low || 1;
  const zero = (high / span) * height;
  const slot = width / values.length;
  const bars = (sign) =>
    Array.from(values, (value, i) => (Math.sign(value) === sign ? `M${px(i * slot)} ${px(zero)}v${px((-value / span) * height)}h${px(slot * 0.8)}V${px(zero)}z` : '')).join('');
  return `<path d="${bars(1)}" fill="${paint('pos')}"/><path d="${bars(-1)}" fill="${paint('neg')}"/><path d="M0 ${px(zero)}H${px(width)}" stroke="${paint('rule-control')}"/>`;
}

/**
 * One token's vector, the matrix or matrices of `parts`, and what comes out, as a standalone SVG string; below, the products of the chosen
 * number. vectors: of `vectorsAt`; made: of `dotProduct`; words: strings of `qkv` in one language; sentence: what there is to see.
 */
export function qkvFigure({ vectors, matrices, limit, parts, part, index, made, words, title, sentence, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const gap = 24;
  const left = 70;
  const [rows, columns] = matrices[part].weight.shape;
  const room = (inner - left - gap * (parts.length - 1)) / parts.length;
  const across = Math.min(room, 360);
  const height = 256;
  let y = pad + 14;
  let body = textAt(pad, y, title, { size: 15, weight: 600, fill: paint('ink') });
  for (const line of breakLines(sentence, inner, 13, labelWidth)) {
    y += 20;
    body += textAt(pad, y, line, { size: 13, fill: paint('ink-2') });
  }
  y += 34;
  body += textAt(pad + 11, y - 8, 'x', { anchor: 'middle', fill: paint('ink-2') }) + textAt(pad + 11, y + height + 30, String(rows), { anchor: 'middle', fill: paint('ink-2') });
  body += moved(pad, y, uprightStrip({ values: vectors.x, width: 22, height, paint })) + textAt(pad + 34, y + height / 2 + 5, '×', { size: 16, fill: paint('accent') });
  parts.forEach((name, i) => {
    const x = pad + left + i * (across + gap);
    body += textAt(x, y - 8, words.matrix(name, rows, columns), { weight: 600, fill: paint(name === part ? 'accent' : 'ink-2') });
    body += moved(x, y, matrixShapes({ matrix: matrices[name].weight, limit, width: across, height, paint }));
    body += moved(x, y + height + 14, signedStrip({ values: vectors[name], width: across, height: 22, limit: largest(vectors[name]), paint }));
    body += textAt(x, y + height + 52, words.output(name, columns), { fill: paint('ink-2') });
    if (name === part) {
      const cell = across / columns;
      body += `<path d="M${px(x + index * cell - 1)} ${px(y - 1)}h${px(cell + 2)}v${px(height + 38)}h${px(-cell - 2)}z" fill="none" stroke="${paint('select')}" stroke-width="1.5"/>`;
    }
  });
  y += height + 84;
  body += textAt(pad, y, words.products(part, index, made.terms.length), { weight: 600, fill: paint('ink') });
  body += moved(pad, y + 12, productShapes({ values: made.terms.map((term) => term.product.value), width: inner, height: 90, paint }));
  y += 126;
  for (const line of breakLines(words.adds(part, index, made.sum.text, made.bias.text, made.value.text), inner, 13, labelWidth)) {
    body += textAt(pad, y, line, { size: 13, fill: paint('ink') });
    y += 20;
  }
  y += 2;
  body += textAt(pad, y, words.colours(formatNumber(limit)), { size: 11, fill: paint('ink-3') });
  if (note) {
    y += 20;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title, body, theme });
}
