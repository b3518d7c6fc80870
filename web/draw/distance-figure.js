import { strongColour } from './cosine.js';
import { ticks } from './heatmap.js';
import { labelWidth } from './label.js';
import { formatFixed, formatNumber } from './number.js';
import { matrixShapes } from './qkv-figure.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

/** Measures of the curve's frame. */
export const curveFrame = (width, height) => ({ left: 40, right: width - 10, top: 18, base: height - 34 });

/**
 * A mean cosine against the distance of the positions, with the point at distance `d` marked. values: at distances 0, 1, …; words: strings of
 * `positions`. → body
 */
export function distanceShapes({ values, d, width, height, words, paint }) {
  const { left, right, top, base } = curveFrame(width, height);
  const low = Math.min(-0.25, Math.floor(Math.min(...values) * 4) / 4);
  const x = (i) => left + (i / Math.max(1, values.length - 1)) * (right - left);
  const y = (v) => base - ((v - low) / (1 - low)) * (base - top);
  const marks = [];
  for (let v = low; v <= 1.0001; v += 0.25) marks.push(v);
  const line = values.reduce((path, v, i) => `${path}${i ? 'L' : 'M'}${px(x(i))} ${px(y(v))}`, '');
  return (
    marks.map((v) => `<path d="M${left} ${px(y(v))}H${px(right)}" stroke="${paint(Math.abs(v) < 1e-9 ? 'rule-control' : 'rule')}"/>` + textAt(left - 7, y(v) + 4, formatFixed(v, 2), { size: 11, anchor: 'end', fill: paint('ink-3') })).join('') +
    ticks(values.length, Math.min(8, (right - left) / 50)).map((i) => textAt(x(i), base + 16, String(i), { size: 11, anchor: 'middle', fill: paint('ink-3') })).join('') +
    textAt(right, height - 4, words.axis, { size: 11, anchor: 'end', fill: paint('ink-3') }) +
    textAt(left, 10, words.vertical, { size: 11, fill: paint('ink-3') }) +
    `<path d="M${px(x(d))} ${top}V${px(base)}" stroke="${paint('accent-line')}" stroke-width="7" opacity="0.35"/>` +
    `<path d="${line}" fill="none" stroke="${paint('accent')}" stroke-width="2" stroke-linejoin="round"/>` +
    `<circle cx="${px(x(d))}" cy="${px(y(values[d]))}" r="4.5" fill="${paint('accent')}" stroke="${paint('surface')}" stroke-width="1.5"/>`
  );
}

/** Every `every`-th row and column of a matrix. */
export function sampleMatrix({ shape: [rows, columns], data }, every, alsoColumns) {
  const down = Math.ceil(rows / every);
  const across = alsoColumns ? Math.ceil(columns / every) : columns;
  const sampled = new Float32Array(down * across);
  for (let row = 0; row < down; row++) for (let column = 0; column < across; column++) sampled[row * across + column] = data[row * every * columns + column * (alsoColumns ? every : 1)];
  return { shape: [down, across], data: sampled };
}

const drawHeat = ({ matrix, limit, width, rowHeight, every, paint }) => {
  const [rows, columns] = matrix.shape;
  const height = rows * rowHeight;
  const left = 34;
  const marks = ticks(rows, Math.max(2, Math.min(8, height / 30)));
  return {
    height: height + 18,
    body:
      marks.map((i) => textAt(left - 6, (i + 0.5) * rowHeight + 4, String(i * every), { size: 11, anchor: 'end', fill: paint('ink-3') })).join('') +
      moved(left, 0, matrixShapes({ matrix, limit, width: width - left, height, paint })) +
      textAt(left, height + 14, '0', { size: 11, fill: paint('ink-3') }) +
      textAt(width, height + 14, String(columns - 1), { size: 11, anchor: 'end', fill: paint('ink-3') }),
  };
};

/**
 * Position vectors, their similarity against distance, and each with each, as a standalone SVG string. vectors (P, C), cosines (P, P), byDistance (P);
 * rows: how many positions the two maps show at most, every so manieth then; says: a sentence; words: strings of `positions`.
 */
export function positionsFigure({ vectors, cosines, byDistance, rows = 256, d = 1, says, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const every = Math.ceil(vectors.shape[0] / rows);
  const heat = sampleMatrix(vectors, every, false);
  const pairs = sampleMatrix(cosines, every, true);
  const limit = strongColour(vectors.data);
  const about = every > 1 ? words.sampled(heat.shape[0], every) : '';
  let y = pad + 14;
  let body = textAt(pad, y, words.title, { size: 15, weight: 600, fill: paint('ink') });
  const write = (text, fill = 'ink-2') => {
    for (const line of breakLines(text, inner, 13, labelWidth)) {
      y += 20;
      body += textAt(pad, y, line, { size: 13, fill: paint(fill) });
    }
  };
  write(says);
  y += 10;
  write(words.vectors(...vectors.shape) + about, 'ink');
  y += 10;
  const map = drawHeat({ matrix: heat, limit, width: inner, rowHeight: Math.max(2, Math.min(6, 200 / heat.shape[0])), every, paint });
  body += moved(pad, y, map.body);
  y += map.height + 4;
  write(words.colours(formatNumber(limit)), 'ink-3');
  const wide = inner >= 560;
  const side = wide ? Math.min(260, inner * 0.4) : Math.min(260, inner);
  const curve = wide ? inner - side - 32 : inner;
  y += 10;
  const start = y;
  write(wide ? '' : words.distance, 'ink');
  if (wide) body += textAt(pad, start + 20, words.distance, { size: 13, fill: paint('ink') });
  y += 8;
  body += moved(pad, y, distanceShapes({ values: byDistance, d, width: curve, height: 220, words, paint }));
  const square = drawHeat({ matrix: pairs, limit: 1, width: side, rowHeight: (side - 34) / pairs.shape[0], every, paint });
  if (wide) {
    body += textAt(pad + curve + 32, start + 20, words.views.cosines, { size: 13, fill: paint('ink') });
    body += moved(pad + curve + 32, y, square.body);
    y += Math.max(220, square.height);
  } else {
    y += 224;
    write(words.views.cosines + about, 'ink');
    y += 8;
    body += moved(pad, y, square.body);
    y += square.height;
  }
  if (note) {
    y += 18;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.title, body, theme });
}
