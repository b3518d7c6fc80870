// What training keeps for each parameter, as one bar, and cards on the same scale.
import { labelWidth } from './label.js';
import { formatNumber } from './number.js';
import { breakLines, painter, picture, px, textAt } from './svg.js';
import { inBytes } from '../parts/train-memory.js';

/** Bytes in words, such as 112 GB. */
export function decimalBytes(bytes) {
  const { value, unit } = inBytes(bytes);
  return `${formatNumber(value)}\u00a0${unit}`;
}

export const partPaints = { weights: 'accent', gradients: 'pos', master: 'accent-line', moments: 'neg' };

/** rows: [{ name, parts: [{ part, bytes }] or bytes }]; on one scale. words: strings of `trainMemory`. → a standalone SVG string */
export function trainMemoryFigure({ rows, key, sentences, words, note = '', theme = 'light', width = 720, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const whole = ({ parts, bytes }) => (parts ? parts.reduce((sum, part) => sum + part.bytes, 0) : bytes);
  const most = Math.max(...rows.map(whole));
  const narrow = width < 560;
  const named = narrow ? 0 : 190;
  const bar = inner - named - 78;
  const body = [];
  let y = pad + 14;
  for (const line of breakLines(words.title, inner, 15, labelWidth)) {
    body.push(textAt(pad, y, line, { size: 15, weight: 600, fill: paint('ink') }));
    y += 21;
  }
  y += 8;
  for (const row of rows) {
    body.push(textAt(pad, y, row.name, { size: 13, weight: row.parts ? 600 : 400, fill: paint('ink') }));
    if (narrow) y += 18;
    let at = pad + named;
    const parts = row.parts ?? [{ part: null, bytes: row.bytes }];
    for (const { part, bytes } of parts) {
      const long = (bar * bytes) / most;
      body.push(`<rect x="${px(at)}" y="${px(y - 12)}" width="${px(Math.max(0.75, long))}" height="15" fill="${paint(part ? partPaints[part] : 'rule-control')}" stroke="${paint('surface')}"/>`);
      at += long;
    }
    body.push(textAt(width - pad, y, decimalBytes(whole(row)), { size: 13, weight: row.parts ? 600 : 400, anchor: 'end', fill: paint('ink') }));
    y += 27;
  }
  y += 4;
  for (const { part, text } of key) {
    body.push(`<rect x="${px(pad)}" y="${px(y - 10)}" width="11" height="11" fill="${paint(partPaints[part])}"/>`);
    body.push(textAt(pad + 18, y, text, { size: 13, fill: paint('ink') }));
    y += 21;
  }
  y += 4;
  for (const sentence of sentences) {
    for (const line of breakLines(sentence, inner, 13, labelWidth)) {
      body.push(textAt(pad, y, line, { size: 13, fill: paint('ink') }));
      y += 20;
    }
  }
  if (note) {
    for (const line of breakLines(note, inner, 12, labelWidth)) {
      body.push(textAt(pad, y + 4, line, { fill: paint('ink-3') }));
      y += 17;
    }
  }
  return picture({ width, height: y - 8 + pad, title: words.title, body: body.join(''), theme });
}
