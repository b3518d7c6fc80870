import { clipLabel, labelWidth } from './label.js';
import { formatFixed, formatNumber, formatWeight } from './number.js';
import { breakLines, moved, painter, picture, px, shadedLines, textAt } from './svg.js';

const levels = 32; // shades of one hue

/** One row of weights as upright bars, a slot for each of `size` tokens; the tallest in the accent, what is masked hatched. */
export function weightStrip({ row, size, top, width, height, paint }) {
  const slot = width / size;
  const gap = slot > 8 ? 2 : slot > 4 ? 1 : 0;
  const bar = (i) => `M${px(i * slot + gap / 2)} ${px(height)}v${px(-Math.max(row[i] * (height - 2), 0.75))}h${px(Math.max(slot - gap, 0.5))}V${px(height)}z`;
  const others = Array.from(row, (_, i) => (i === top ? '' : bar(i))).join('');
  let hatch = '';
  for (let x = row.length * slot + 3; x < width + height; x += 6) {
    const from = Math.max(row.length * slot, x - height);
    const to = Math.min(width, x);
    if (to > from) hatch += `M${px(from)} ${px(x - from)}L${px(to)} ${px(x - to)}`;
  }
  return (
    `<rect width="${px(row.length * slot)}" height="${px(height)}" fill="${paint('sunken')}" rx="2"/>` +
    (hatch ? `<path d="${hatch}" stroke="${paint('hatch')}" fill="none"/>` : '') +
    `<path d="${others}" fill="${paint('accent')}" opacity="0.5"/><path d="${bar(top)}" fill="${paint('accent')}"/>` +
    `<path d="M0 ${px(height)}H${px(width)}" stroke="${paint('rule-control')}"/>`
  );
}

/** The tokens under a strip, where their slots have room for them. */
export function stripLabels({ labels, width, y, chosen, paint }) {
  const slot = width / labels.length;
  const size = Math.min(11, Math.max(10, (slot - 1) / 2));
  if (slot < size * 1.2) return '';
  return labels
    .map((label, i) => textAt((i + 0.5) * slot, y, clipLabel(label, (slot - 1) / size + 0.01), { size, anchor: 'middle', weight: i === chosen ? 600 : 400, fill: paint(i === chosen ? 'ink' : 'ink-3') }))
    .join('');
}

/**
 * Signed numbers as cells in a row, blue below zero, orange above, full colour at ±limit. cuts: how many cells make a group, which a gap
 * and a line set apart.
 */
export function signedStrip({ values, width, height, limit, cuts = 0, paint }) {
  const cell = width / values.length;
  const cells = shadedLines(
    Array.from(values, (value, i) => ({ share: value / (limit || 1), d: `M${px(i * cell)} ${px(height / 2)}h${px(cell + 0.15)}` })),
    { levels, thick: height, paint },
  );
  let lines = '';
  for (let i = cuts; cuts && i < values.length; i += cuts) lines += `M${px(i * cell)} -4V${px(height + 4)}`;
  return `<rect width="${px(width)}" height="${px(height)}" fill="${paint('surface')}" stroke="${paint('rule-control')}"/>${cells}${lines ? `<path d="${lines}" stroke="${paint('ink-2')}" stroke-width="1.5"/>` : ''}`;
}

export const largest = (values) => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/** Heads' vectors beside one another, W_O, and what comes out, `width` px wide → { height, body }. */
export function concatShapes({ view, width, words, paint }) {
  const { concat, output, heads } = view;
  const depth = concat.length / heads.length;
  const cellHeight = 26;
  const group = width / heads.length;
  const label = (text, y, fill = 'ink-2') => textAt(0, y, text, { fill: paint(fill) });
  let body = label(words.concat(heads.length, depth), 12);
  body += moved(0, 24, signedStrip({ values: concat, width, height: cellHeight, limit: largest(concat), cuts: depth, paint }));
  const every = Math.ceil((labelWidth(words.short(heads.length)) * 11 + 6) / group);
  body += heads.map((_, i) => (i % every ? '' : textAt((i + 0.5) * group, 68, words.short(i), { size: 11, anchor: 'middle', fill: paint('ink-3') }))).join('');
  body += `<path d="M6 80V104M2 99L6 104.5L10 99" stroke="${paint('accent')}" stroke-width="1.75" fill="none"/>` + textAt(20, 97, words.times(concat.length, output.length), { weight: 600, fill: paint('accent') });
  body += label(words.out(output.length), 126);
  body += moved(0, 136, signedStrip({ values: output, width, height: cellHeight, limit: largest(output), paint }));
  body += textAt(0, 180, words.colours(formatNumber(largest(concat)), formatNumber(largest(output))), { size: 11, fill: paint('ink-3') });
  return { height: 186, body };
}

/** The sentences that say what there is to see, made of the measured numbers. */
export function headsSentences({ view, labels, position, layer, favourite, words }) {
  const { heads, norms, sum } = view;
  return {
    looks: words.looks({ from: labels[position], layer, heads: heads.length, count: favourite.count, to: labels[favourite.position], at: favourite.position }),
    adds: words.adds({ heads: heads.length, norms: formatNumber(norms), sum: formatNumber(sum), less: formatFixed(100 * (1 - sum / (norms || 1)), 0) }),
  };
}

/**
 * What the heads of a layer do at one position, as a standalone SVG string. view: of `headsAt`; labels: T names; sentences: of
 * `headsSentences`; words: strings of `heads` in one language.
 */
export function headsFigure({ view, labels, position, layer, sentences, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const { heads } = view;
  let y = pad + 14;
  let body = textAt(pad, y, words.titleAt(labels[position], layer), { size: 15, weight: 600, fill: paint('ink') });
  const write = (text) => {
    for (const line of breakLines(text, inner, 13, labelWidth)) {
      y += 20;
      body += textAt(pad, y, line, { size: 13, fill: paint('ink-2') });
    }
  };
  write(sentences.looks);
  y += 14;
  const left = 56;
  const right = 120;
  const strip = inner - left - right;
  for (const [i, head] of heads.entries()) {
    body += textAt(pad, y + 24, words.head(i), { size: 13, weight: 600, fill: paint('ink') });
    body += moved(pad + left, y, weightStrip({ row: head.row, size: labels.length, top: head.top, width: strip, height: 36, paint }));
    body += textAt(pad + left + strip + 12, y + 24, `${clipLabel(labels[head.top], 4.5)} ${formatWeight(head.weight)}`, { size: 13, fill: paint('accent'), weight: 600 });
    y += 46;
  }
  body += moved(pad + left, y + 4, stripLabels({ labels, width: strip, y: 4, chosen: position, paint }));
  y += 26;
  const strips = concatShapes({ view, width: inner, words, paint });
  body += moved(pad, y, strips.body);
  y += strips.height + 12;
  const most = Math.max(view.sum, ...heads.map((head) => head.norm)) || 1;
  const bar = (name, norm, extra, fill) => {
    body += textAt(pad, y + 11, name, { fill: paint('ink-2') });
    body += `<rect x="${pad + left + 60}" y="${px(y + 1)}" width="${px((norm / most) * (inner - left - 60 - right))}" height="12" rx="2" fill="${paint(fill)}"/>`;
    body += textAt(width - pad - 56, y + 12, formatNumber(norm), { anchor: 'end', weight: 600, fill: paint('ink') }) + textAt(width - pad, y + 12, extra, { anchor: 'end', fill: paint('ink-2') });
    y += 21;
  };
  heads.forEach((head, i) => bar(words.head(i), head.norm, `${formatFixed(100 * head.share, 1)}%`, 'accent'));
  bar(words.sum, view.sum, '', 'ink-3');
  y -= 4;
  write(sentences.adds);
  if (note) {
    y += 24;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.titleAt(labels[position], layer), body, theme });
}
