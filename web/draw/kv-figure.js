// The memory of KV caches as bars on one scale.
import { clipLabel, labelWidth } from './label.js';
import { formatNumber } from './number.js';
import { breakLines, painter, picture, px, textAt } from './svg.js';
import { inBytes, kvBytes } from '../parts/kv-models.js';

/** Bytes in words, such as 2.00 GiB. */
export function byteText(bytes) {
  const { value, unit } = inBytes(bytes);
  return `${formatNumber(value)}\u00a0${unit}`;
}

/** models: with `title` for their names; sentences: about the chosen one. words: strings of `kv`. → a standalone SVG string */
export function kvFigure({ models, n, bits, chosen, sentences, words, note = '', theme = 'light', width = 720, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const most = Math.max(...models.map((model) => kvBytes(model, n, bits)));
  const narrow = width < 560;
  const named = narrow ? 0 : 150;
  const bar = inner - named - 92;
  const body = [];
  let y = pad + 14;
  for (const line of breakLines(`${words.title}　${words.n(formatNumber(n))}　${words.bit(bits)}`, inner, 15, labelWidth)) {
    body.push(textAt(pad, y, line, { size: 15, weight: 600, fill: paint('ink') }));
    y += 21;
  }
  y += 10;
  const numbers = [];
  for (const model of models) {
    const bytes = kvBytes(model, n, bits);
    const on = model === chosen;
    body.push(textAt(pad, y, clipLabel(model.title, (narrow ? inner : named) / 13), { size: 13, weight: on ? 600 : 400, fill: paint(on ? 'accent' : 'ink') }));
    if (narrow) y += 18;
    body.push(`<rect x="${px(pad + named)}" y="${px(y - 11)}" width="${px(bar)}" height="12" rx="2" fill="${paint('sunken')}"/>`);
    body.push(`<rect x="${px(pad + named)}" y="${px(y - 11)}" width="${px(Math.max(0.75, (bar * bytes) / most))}" height="12" rx="2" fill="${paint(on ? 'accent' : 'accent-line')}"/>`);
    numbers.push(textAt(width - pad, y, byteText(bytes), { size: 13, weight: on ? 600 : 400, anchor: 'end', fill: paint('ink') }));
    y += narrow ? 24 : 23;
  }
  body.push(`<g>${numbers.join('')}</g>`);
  y += 6;
  for (const sentence of sentences) {
    for (const line of breakLines(sentence, inner, 13, labelWidth)) {
      body.push(textAt(pad, y, line, { size: 13, fill: paint('ink') }));
      y += 20;
    }
  }
  if (note) {
    y += 4;
    body.push(textAt(pad, y, note, { fill: paint('ink-3') }));
    y += 10;
  }
  return picture({ width, height: y - 6 + pad, title: words.title, body: body.join(''), theme });
}
