import { diceHeight, diceShapes } from './dice.js';
import { characters, clipLabel, labelWidth } from './label.js';
import { formatNumber, formatPercent } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

/** The end of a text in labels, … where its beginning is cut. */
export function textEnd(text, most = 60) {
  const list = characters(text);
  return list.length > most ? `…${list.slice(1 - most).join('')}` : text;
}

/**
 * What may come next and how likely it is, over the whole vocabulary, as a standalone SVG string; below, if `pieces` are given, the dice.
 * text: what stands before; rows: [{ label, p, cut, drawn }], the likeliest first; rest: { count, p }; dice: null, or { pieces, u, flag, sentence };
 * words: strings of `next` in one language; `pad` is left free around it.
 */
export function nextTokenFigure({ text, rows, rest, dice = null, words, heading, note = '', theme = 'light', width = 640, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const labelRoom = Math.min(150, inner * 0.28);
  const barLeft = pad + labelRoom + 10;
  const barRight = width - pad - 62;
  let body = textAt(pad, pad + 14, words.title, { size: 15, weight: 600, fill: paint('ink') });
  let y = pad + 42;
  for (const line of breakLines(`${textEnd(text.replace(/\s+/g, ' '), 120)} ＿`, inner, 15, labelWidth)) {
    body += textAt(pad, y, line, { size: 15, fill: paint('ink') });
    y += 23;
  }
  y += 6;
  body += textAt(pad, y, heading, { fill: paint('ink-3') });
  const numbers = [];
  const line = (label, p, { quiet = false, strong = false }) => {
    y += 25;
    body += textAt(pad, y, clipLabel(label, labelRoom / 13.5), { size: 13.5, weight: strong ? 600 : 400, fill: paint(quiet ? 'ink-3' : 'ink') });
    body += `<rect x="${px(barLeft)}" y="${px(y - 11)}" width="${px(barRight - barLeft)}" height="13" rx="2" fill="${paint('sunken')}"/>`;
    body += `<rect x="${px(barLeft)}" y="${px(y - 11)}" width="${px(Math.max(1, p * (barRight - barLeft)))}" height="13" rx="2" fill="${paint(quiet ? 'accent-line' : 'accent')}"/>`;
    numbers.push(textAt(width - pad, y, formatPercent(p), { size: 13.5, anchor: 'end', weight: strong ? 600 : 400, fill: paint(quiet ? 'ink-3' : 'ink') }));
  };
  rows.forEach((row) => line(row.label, row.p, { quiet: row.cut, strong: row.drawn }));
  if (rest.count > 0) line(words.rest(formatNumber(rest.count)), rest.p, { quiet: true });
  body += `<g data-numbers="next">${numbers.join('')}</g>`;
  if (dice) {
    y += 22;
    body += moved(pad, y, diceShapes({ ...dice, width: inner, paint }));
    y += diceHeight + 18;
    for (const sentence of breakLines(dice.sentence, inner, 13, labelWidth)) {
      body += textAt(pad, y, sentence, { size: 13, fill: paint('ink-2') });
      y += 19;
    }
    y -= 14;
  }
  if (note) {
    y += 24;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad + 2, title: `${words.title}: ${textEnd(text)}`, body, theme });
}
