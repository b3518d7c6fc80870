import { formatCosine } from './cosine.js';
import { largest } from './heads-figure.js';
import { clipLabel, labelWidth } from './label.js';
import { grouped } from './large-number.js';
import { formatNumber, formatPercent } from './number.js';
import { scatterShapes } from './scatter.js';
import { signedTableShapes } from './signed-map.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';
import { foldOf, vectorShapes } from './vector-strip.js';

/** The sentence that says where the chosen vector comes from. rows: of the table; words: strings of `embedding`. */
export const originOf = ({ chosen, rows, columns, words }) =>
  chosen.ids.length === 1 ? words.row(chosen.label, chosen.pieces[0], chosen.ids[0], grouped(rows), columns) : words.mean(chosen.label, chosen.pieces, columns);

/** Names of the map's two directions with their shares of variance. */
export const axesOf = (explained, words) => words.axes(formatPercent(explained[0]), formatPercent(explained[1]));

/** Coordinates (n, 2) as pairs. */
export const pairsOf = ({ shape: [rows, columns], data }) => Array.from({ length: rows }, (_, i) => [data[i * columns], data[i * columns + 1]]);

/**
 * A word's vector, its neighbours, the map and the cosine table, as a standalone SVG string. found: of askWords; rows: of the embedding table;
 * words: strings of `embedding`.
 */
export function embeddingFigure({ found, rows, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const { chosen, near, map, cosines } = found;
  const labels = found.words.map(({ label }) => label);
  const columns = chosen.vector.length;
  const wide = inner >= 560;
  let y = pad + 14;
  let body = textAt(pad, y, words.title, { size: 15, weight: 600, fill: paint('ink') });
  const write = (text, fill = 'ink-2', left = pad, room = inner) => {
    for (const line of breakLines(text, room, 13, labelWidth)) {
      y += 20;
      body += textAt(left, y, line, { size: 13, fill: paint(fill) });
    }
  };
  write(originOf({ chosen, rows, columns, words }));
  y += 12;
  const limit = largest(chosen.vector);
  const strip = vectorShapes({ values: chosen.vector, columns: foldOf(columns, inner), width: inner, rowHeight: wide ? 40 : 24, limit, paint });
  body += moved(pad, y, strip.body);
  y += strip.height;
  write(words.colours(formatNumber(limit)), 'ink-3');
  y += 12;
  const start = y;
  if (near) {
    write(words.near, 'ink');
    y += 6;
    const room = wide ? inner * 0.42 : inner;
    for (const { label, cosine } of near) {
      const bar = room - 96 - 56;
      body += textAt(pad, y + 14, clipLabel(label, 6.5), { size: 13, fill: paint('ink') });
      body += `<rect x="${px(pad + 96)}" y="${px(y + 4)}" width="${px(bar)}" height="12" rx="2" fill="${paint('sunken')}"/><rect x="${px(pad + 96)}" y="${px(y + 4)}" width="${px(Math.max(1, Math.abs(cosine) * bar))}" height="12" rx="2" fill="${paint(cosine < 0 ? 'neg' : 'accent')}"/>`;
      body += textAt(pad + room, y + 14, formatCosine(cosine), { size: 13, anchor: 'end', weight: 600, fill: paint('ink') });
      y += 24;
    }
  }
  let end = y;
  if (map) {
    const size = wide ? inner * 0.52 : inner;
    const left = wide ? pad + inner - size : pad;
    if (wide) y = start;
    else y += 10;
    write(words.map, 'ink', left, size);
    y += 10;
    const height = wide ? 330 : 300;
    body += moved(left, y, scatterShapes({ names: labels, coordinates: pairsOf(map.coordinates), chosen: chosen.place, axes: axesOf(map.explained, words), width: size, height, paint }).body);
    y += height;
    end = Math.max(end, y);
  }
  y = end + 10;
  if (cosines) {
    write(words.table, 'ink');
    y += 8;
    const table = signedTableShapes({ labels, data: cosines.data, width: Math.min(inner, 640), paint });
    body += moved(pad, y, table.body);
    y += table.height;
  }
  if (note) {
    y += 22;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.figure(chosen.label), body, theme });
}
