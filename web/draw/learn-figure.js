// What learning merges does to a text: pieces a character, merge by merge.
import { svgFrame } from './attention-figure.js';
import { clipLabel, labelWidth } from './label.js';
import { formatFixed, formatNumber } from './number.js';
import { painter, px, textAt } from './svg.js';
import { textLines } from './text-lines.js';
import { bytesName } from './token-tree.js';

/**
 * rates: pieces a character after 0, 1 … merges; step: where the dot stands. A drawing of `width` × `height` px with its corner at (x, y).
 */
export function rateShapes({ rates, step, x = 0, y = 0, width, height, words, theme }) {
  const paint = painter(theme);
  const left = x + 30;
  const right = x + width - 46;
  const [top, bottom] = [y + 20, y + height - 24];
  const last = rates.length - 1;
  const most = Math.max(1, Math.ceil(rates[0]));
  const at = (merges) => left + ((right - left) * merges) / Math.max(1, last);
  const up = (rate) => bottom - ((bottom - top) * rate) / most;
  const body = [];
  for (let line = 0; line <= most; line += 1) {
    body.push(`<path d="M${px(left)} ${px(up(line))}H${px(right)}" stroke="${paint(line ? 'rule' : 'rule-control')}"/>`);
    body.push(textAt(left - 7, up(line) + 4, String(line), { anchor: 'end', fill: paint('ink-3') }));
  }
  // After a merge the text stays as it is until the next: a stair. Of many merges only as many stairs as there are pixels.
  const stride = Math.max(1, Math.floor(last / 400));
  const shown = rates.map((rate, i) => [i, rate]).filter(([i]) => i % stride === 0 || i === last || i === step);
  const path = (points) => points.map(([i, rate], k) => (k ? `H${px(at(i))}V${px(up(rate))}` : `M${px(at(i))} ${px(up(rate))}`)).join('');
  if (last > 0) body.push(`<path d="${path(shown)}" fill="none" stroke="${paint('accent-line')}" stroke-width="1.75"/>`);
  if (step > 0) body.push(`<path d="${path(shown.filter(([i]) => i <= step))}" fill="none" stroke="${paint('accent')}" stroke-width="2.25"/>`);
  body.push(`<circle cx="${px(at(step))}" cy="${px(up(rates[step]))}" r="5" fill="${paint('accent')}" stroke="${paint('surface')}" stroke-width="2"/>`);
  body.push(textAt(at(step) + 8, up(rates[step]) - 7, formatNumber(rates[step]), { size: 13, weight: 600, fill: paint('accent') }));
  body.push(textAt(left, bottom + 18, '0', { anchor: 'middle', fill: paint('ink-3') }));
  if (last > 0) body.push(textAt(right, bottom + 18, words.axis(formatNumber(last)), { anchor: 'end', fill: paint('ink-3') }));
  return body.join('');
}

/** Pieces a character after each number of merges. */
export const ratesOf = ({ tokens, merges }, characters) => [tokens, ...merges.map((merge) => merge.tokens)].map((count) => count / Math.max(1, characters));

const pad = 12;
const row = 24;
const listed = 8;

/** The curve, and the merges up to `step`, the newest first. learned: what EngineClient's learnBpe gives. */
export function learnFigure({ learned, characters, step, words, note, theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const rates = ratesOf(learned, characters);
  const narrow = width < 560;
  const half = narrow ? width - 2 * pad : (width - 3 * pad) / 2;
  const nameOf = (id) => bytesName(id < 256 ? [learned.bytes[id]] : learned.merges[id - 256].bytes);
  const body = [textAt(pad, pad + 14, words.rateHead, { size: 14, weight: 600, fill: paint('ink') })];
  body.push(rateShapes({ rates, step, x: pad, y: pad + 24, width: half, height: 190, words, theme }));
  const x = narrow ? pad : 2 * pad + half;
  let y = narrow ? pad + 240 : pad;
  body.push(textAt(x, y + 14, words.merges, { size: 14, weight: 600, fill: paint('ink') }));
  y += 26;
  const columns = [[0, 0.12, 'end'], [0.17, 0.19, 'start'], [0.37, 0.19, 'start'], [0.57, 0.12, 'end'], [0.74, 0.26, 'start']];
  const cells = (texts, baseline, style) =>
    columns.forEach(([from, share, anchor], i) => {
      const room = share * half;
      const size = Math.min(style.size, Math.max(8, room / Math.max(1, labelWidth(texts[i]))));
      body.push(textAt(x + from * half + (anchor === 'end' ? room : 0), baseline, clipLabel(texts[i], room / size + 0.05), { ...style, size, anchor }));
    });
  cells(words.columns, y + 12, { size: 12, fill: paint('ink-3') });
  y += 20;
  const shown = learned.merges.slice(Math.max(0, step - listed), step).reverse();
  for (const [i, { rank, pair, count, id }] of shown.entries()) {
    body.push(`<path d="M${px(x)} ${px(y)}H${px(x + half)}" stroke="${paint('rule')}"/>`);
    cells([formatNumber(rank), nameOf(pair[0]), nameOf(pair[1]), formatNumber(count), nameOf(id)], y + 17, { size: 13, weight: i ? 400 : 600, fill: paint('ink') });
    y += row;
  }
  if (!shown.length) {
    for (const line of textLines(words.noneYet, half / 13.4)) {
      body.push(textAt(x, y + 18, line, { size: 13, fill: paint('ink-2') }));
      y += 20;
    }
  }
  y = Math.max(y, narrow ? 0 : pad + 24 + 190) + 12;
  for (const line of textLines(words.after(formatNumber(step), formatNumber(step ? learned.merges[step - 1].tokens : learned.tokens), formatFixed(rates[step], 2)), (width - 2 * pad) / 14)) {
    body.push(textAt(pad, y + 14, line, { size: 14, fill: paint('ink') }));
    y += 21;
  }
  if (note) {
    body.push(textAt(pad, y + 15, note, { size: 12, fill: paint('ink-3') }));
    y += 20;
  }
  return svgFrame({ width, height: y + pad, title: words.figure, defs: '', body: body.join(''), theme });
}
