// The curve −log p with the chosen prediction on it, and the loss of every token of a text.
import { ticks, tickText, tokenLossShapes } from './descent-figure.js';
import { labelWidth } from './label.js';
import { formatFixed, formatNumber } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

/** A probability as a percentage that −log p can be checked with: three digits, near 1 as many as tell it from 1. */
export function formatChance(p) {
  const percent = p * 100;
  if (p === 1 || percent < 50) return `${formatNumber(percent)}%`;
  return `${formatFixed(percent, Math.min(9, Math.max(1, 1 - Math.floor(Math.log10(100 - percent)))))}%`;
}

/** A loss in nats with three digits. */
export const formatLoss = (loss) => formatNumber(Math.max(0, loss));

/**
 * −log p over p. points: [{ p, loss, label, chosen }]; random: ln V.
 * → { width, height, body }
 */
export function lossCurveShapes({ points, random, width, height = 280, words, paint }) {
  const [left, right, top, bottom] = [40, width - 16, 16, height - 36];
  const most = Math.max(random * 1.12, ...points.filter(({ chosen }) => chosen).map(({ loss }) => Math.min(loss, 40) * 1.08), 1);
  const x = (p) => left + (right - left) * p;
  const y = (loss) => bottom - ((bottom - top) * Math.min(most, loss)) / most;
  const body = [];
  for (const tick of ticks(0, most, 4)) {
    body.push(`<path d="M${left} ${px(y(tick))}H${px(right)}" stroke="${paint(tick ? 'rule' : 'rule-control')}"/>`);
    body.push(textAt(left - 6, y(tick) + 4, tickText(tick), { anchor: 'end', fill: paint('ink-3') }));
  }
  for (const p of [0, 0.25, 0.5, 0.75, 1]) body.push(textAt(x(p), bottom + 16, `${p * 100}%`, { anchor: p === 1 ? 'end' : 'middle', fill: paint('ink-3') }));
  body.push(textAt(right, bottom + 31, words.pAxis, { anchor: 'end', fill: paint('ink-3') }));
  body.push(textAt(left + 6, top + 2, words.lossAxis, { fill: paint('ink-3') }));
  const curve = Array.from({ length: 61 }, (_, i) => Math.exp(-most * (1 - i / 60))).map((p) => [p, -Math.log(p)]);
  for (let i = 1; i <= 24; i += 1) curve.push([i / 24, -Math.log(i / 24)]);
  curve.sort((a, b) => a[0] - b[0]);
  body.push(`<path d="${curve.map(([p, loss], i) => `${i ? 'L' : 'M'}${px(x(p))} ${px(y(loss))}`).join('')}" fill="none" stroke="${paint('ink-3')}" stroke-width="2"/>`);
  body.push(`<path d="M${left} ${px(y(random))}H${px(right)}" stroke="${paint('bad')}" stroke-width="1.25" stroke-dasharray="5 4"/>`);
  body.push(textAt(right, y(random) - 6, words.randomLine(formatNumber(random)), { anchor: 'end', fill: paint('bad') }));
  for (const { p, loss, chosen } of points) if (!chosen) body.push(`<circle cx="${px(x(p))}" cy="${px(y(loss))}" r="4" fill="${paint('surface')}" stroke="${paint('ink-2')}" stroke-width="1.5"/>`);
  for (const { p, loss, label, chosen } of points) {
    if (!chosen) continue;
    const [cx, cy] = [x(p), y(loss)];
    body.push(`<path d="M${px(cx)} ${px(bottom)}V${px(cy)}H${left}" fill="none" stroke="${paint('accent')}" stroke-dasharray="2 3"/>`);
    body.push(`<circle cx="${px(cx)}" cy="${px(cy)}" r="7.5" fill="${paint('accent')}" stroke="${paint('surface')}" stroke-width="2"/>`);
    const text = `${label} ${formatLoss(loss)}`;
    const end = cx + 14 + labelWidth(text) * 13.5 > right;
    // The label keeps off the line of the guess at random.
    const ly = Math.abs(cy - 12 - y(random) + 6) < 16 ? cy + 22 : Math.min(bottom - 16, cy - 12);
    body.push(textAt(end ? cx - 12 : cx + 12, Math.max(top + 14, ly), text, { size: 13.5, weight: 600, anchor: end ? 'end' : 'start', fill: paint('accent') }));
  }
  return { width, height, body: body.join('') };
}

/** The curve and the bars of a text as a standalone SVG string. read: of askLosses; place, points: what is chosen. */
export function lossFigure({ read, points, sentences, words, note = '', theme = 'light', width = 720, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const beside = inner >= 560;
  const half = beside ? (inner - 24) / 2 : inner;
  const body = [];
  let y = pad + 14;
  for (const line of breakLines(words.title, inner, 15, labelWidth)) {
    body.push(textAt(pad, y, line, { size: 15, weight: 600, fill: paint('ink') }));
    y += 21;
  }
  const curve = lossCurveShapes({ points, random: read.random, width: half, height: beside ? 280 : 240, words, paint });
  const bars = tokenLossShapes({ labels: read.places.map(({ label }) => label), losses: read.places.map(({ loss }) => loss), width: half, words, paint, most: beside ? 10 : 8 });
  body.push(moved(pad, y, curve.body));
  if (beside) body.push(moved(pad + half + 24, y, bars.body));
  else body.push(moved(pad, y + curve.height + 8, bars.body));
  y += (beside ? Math.max(curve.height, bars.height) : curve.height + bars.height + 8) + 16;
  for (const sentence of sentences) {
    for (const line of breakLines(sentence, inner, 13, labelWidth)) {
      body.push(textAt(pad, y, line, { size: 13, fill: paint('ink') }));
      y += 20;
    }
  }
  if (note) {
    body.push(textAt(pad, y + 4, note, { fill: paint('ink-3') }));
    y += 16;
  }
  return picture({ width, height: y - 8 + pad, title: words.title, body: body.join(''), theme });
}

/** What there is to say about a chosen right token, in sentences. words: strings of `loss`; one: { label, p, loss, rank? }. */
export function lossSentences({ read, one, before, words }) {
  const mean = read.mean === null ? null : formatLoss(read.mean);
  return [
    words.says(before, one.label, formatChance(one.p), formatLoss(one.loss)),
    ...(mean === null ? [] : [words.meanSays(read.places.length, mean, formatNumber(Math.exp(read.mean)))]),
    words.randomSays(formatNumber(read.vocabulary), formatNumber(read.random)),
  ];
}
