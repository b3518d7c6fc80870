import { weightColor, weightInk } from './color.js';
import { escapeXml } from './escape.js';
import { clipLabel, labelWidth } from './label.js';
import { formatPercent } from './number.js';
import { breakLines, painter, picture, px, textAt } from './svg.js';

/** The guess after every layer, and candidates that once ranked high, as a standalone SVG string. read: of `askLens`; kept: how many candidates to follow. */
export function lensFigure({ read, kept, text, sentence, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const wide = inner > 520;
  const left = wide ? 92 : 62;
  let y = pad + 14;
  let body = textAt(pad, y, words.title, { size: 15, weight: 600, fill: paint('ink') });
  for (const line of [...breakLines(`${text} ＿`, inner, 14, labelWidth), ...breakLines(sentence, inner, 13, labelWidth)]) {
    y += 21;
    body += textAt(pad, y, line, { size: 13.5, fill: paint('ink-2') });
  }
  y += 14;
  // What cells share stands in groups, which keeps the picture small.
  let cells = '';
  const inks = new Map();
  const write = (x, at, text, p, end) => {
    const key = `${weightInk(p, theme)}${end ? '" text-anchor="end" font-size="11' : '" font-size="12.5'}`;
    inks.set(key, `${inks.get(key) ?? ''}<text x="${px(x)}" y="${px(at)}">${escapeXml(text)}</text>`);
  };
  const cell = (x, at, room, label, p, small) => {
    cells += `<rect x="${px(x)}" y="${px(at)}" width="${px(room - 3)}" height="26" fill="${weightColor(p, theme)}"/>`;
    if (label) write(x + 6, at + 17, clipLabel(label, (room - 56) / 12.5), p, false);
    write(x + room - 8, at + 17, small ?? formatPercent(p), p, true);
  };
  const columns = wide ? read.stages[0].candidates.length : Math.min(2, read.stages[0].candidates.length);
  for (const [i, { layer, candidates }] of read.stages.entries()) {
    body += textAt(pad, y + 17, words.stage(layer), { weight: i === read.stages.length - 1 ? 600 : 400, fill: paint('ink-2') });
    candidates.slice(0, columns).forEach(({ label, p }, at) => cell(pad + left + (at * (inner - left)) / columns, y, (inner - left) / columns, label, p));
    y += 29;
  }
  y += 24;
  body += textAt(pad, y, words.followed, { weight: 600, fill: paint('ink') });
  y += 24;
  const room = (inner - left) / read.stages.length;
  read.stages.forEach(({ layer }, i) => (body += textAt(pad + left + (i + 1) * room - 8, y, words.stageShort(layer), { size: 11, anchor: 'end', fill: paint('ink-3') })));
  y += 8;
  for (const one of read.tracked.slice(0, kept)) {
    body += textAt(pad, y + 17, clipLabel(one.label, (left - 8) / 12.5), { size: 12.5, fill: paint('ink') });
    one.p.forEach((p, i) => cell(pad + left + i * room, y, room, '', p, words.rank(one.rank[i] + 1)));
    y += 29;
  }
  body += `<g stroke="${paint('rule')}">${cells}</g><g data-numbers="lens">${[...inks].map(([ink, texts]) => `<g fill="${ink}">${texts}</g>`).join('')}</g>`;
  y += 8;
  for (const line of breakLines(words.rankKey, inner, 12, labelWidth)) {
    y += 17;
    body += textAt(pad, y, line, { fill: paint('ink-3') });
  }
  if (note) {
    y += 20;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.title, body, theme });
}
