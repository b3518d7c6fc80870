import { clipLabel, labelWidth } from './label.js';
import { formatPercent } from './number.js';
import { breakLines, painter, picture, px, textAt } from './svg.js';

/**
 * Scores, their exponentials and their shares as a standalone SVG string, with the arithmetic in one line below.
 * names (n); shown: of shownSteps; words: strings of `softmax` in one language; `temperature` other than 1 adds a column; `pad` is left free around it.
 */
export function softmaxFigure({ names, shown, temperature = 1, words, note = '', theme = 'light', width = 640, pad = 14 }) {
  const paint = painter(theme);
  const narrow = width < 480;
  const ink = paint('ink');
  const quiet = paint('ink-3');
  const divided = temperature !== 1;
  const [nameWidth, number] = narrow ? [52, 50] : [110, 76];
  const columns = [words.score, ...(divided ? [words.dividedBy(temperature)] : []), 'exp'];
  const left = pad + nameWidth;
  const barLeft = left + columns.length * number + 16;
  const barRight = width - pad - 54;
  let body = textAt(pad, pad + 14, words.title, { size: 15, weight: 600, fill: ink });
  let y = pad + 44;
  columns.forEach((column, i) => {
    body += textAt(left + (i + 1) * number, y, column, { anchor: 'end', fill: quiet });
  });
  body += textAt(width - pad, y, words.share, { anchor: 'end', fill: quiet });
  y += 8;
  shown.rows.forEach((row, i) => {
    const cells = [row.score, ...(divided ? [row.divided] : []), shown.overflow ? row.shiftedExp : row.exp];
    y += 28;
    body += textAt(pad, y, clipLabel(names[i], nameWidth / 13 + 0.5), { size: 13, fill: ink });
    cells.forEach((cell, c) => {
      body += textAt(left + (c + 1) * number, y, cell, { size: 13, anchor: 'end', fill: paint('ink-2') });
    });
    body += `<rect x="${px(barLeft)}" y="${px(y - 11)}" width="${px(barRight - barLeft)}" height="13" rx="2" fill="${paint('sunken')}"/>`;
    body += `<rect x="${px(barLeft)}" y="${px(y - 11)}" width="${px(row.value === 0 ? 0 : Math.max(1, row.value * (barRight - barLeft)))}" height="13" rx="2" fill="${paint('accent')}"/>`;
    body += textAt(width - pad, y, formatPercent(row.value), { size: 13, anchor: 'end', weight: 600, fill: ink });
  });
  y += 14;
  body += `<path d="M${pad} ${px(y)}H${px(width - pad)}" stroke="${paint('rule')}"/>`;
  y += 20;
  const exps = shown.rows.map((row) => (shown.overflow ? row.shiftedExp : row.exp));
  const sum = shown.overflow ? shown.shiftedSum : shown.sum;
  const lines = [
    ...(shown.overflow ? [words.tooLargeShort(shown.largest)] : []),
    `${exps.join(' + ')} = ${sum}`,
    ...shown.rows.map((row, i) => `${exps[i]} ÷ ${sum} = ${row.share}`),
  ];
  for (const whole of lines) {
    for (const line of breakLines(whole, width - 2 * pad, 13, labelWidth)) {
      body += textAt(pad, y, line, { size: 13, fill: paint('ink-2') });
      y += 20;
    }
  }
  if (note) {
    body += textAt(pad, y + 6, note, { fill: quiet });
    y += 20;
  }
  return picture({ width, height: y + pad - 8, title: words.title, body, theme });
}
