import { labelWidth } from './label.js';
import { formatFixed, formatPercent } from './number.js';
import { breakLines, painter, picture, px, textAt } from './svg.js';

/** The colour and, for those who see none, the hatching of each group. */
export const groupFills = { tables: 'accent-line', attention: 'accent', mlp: 'pos-cell', norms: 'ink-3' };

/** The factors of a part: 768 × 2,304 + 2,304. */
export const termsText = (terms) => terms.map((factors) => factors.map((n) => formatFixed(n, 0)).join(' × ')).join(' + ');

/** Where a model's parameters are, as a standalone SVG string. counted: of `countParameters`; groups: of `parameterGroups`. */
export function parametersFigure({ counted, groups, name, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  let y = pad + 14;
  let body = textAt(pad, y, words.titles.parameters, { size: 15, weight: 600, fill: paint('ink') });
  y += 30;
  body += textAt(pad, y, name, { size: 13, fill: paint('ink-2') }) + textAt(width - pad, y, formatFixed(counted.total, 0), { size: 20, anchor: 'end', weight: 600, fill: paint('accent') });
  y += 14;
  let x = pad;
  for (const { group, share } of groups) {
    body += `<rect x="${px(x)}" y="${px(y)}" width="${px(Math.max(0.5, share * inner - 1))}" height="18" fill="${paint(groupFills[group])}"/>`;
    x += share * inner;
  }
  y += 26;
  x = pad;
  for (const { group, share } of groups) {
    const text = `${words.groups[group]} ${formatPercent(share)}`;
    const room = labelWidth(text) * 12 + 34;
    if (x + room > width - pad && x > pad) {
      x = pad;
      y += 20;
    }
    body += `<rect x="${px(x)}" y="${px(y + 2)}" width="10" height="10" fill="${paint(groupFills[group])}"/>` + textAt(x + 16, y + 11, text, { fill: paint('ink-2') });
    x += room;
  }
  y += 24;
  const wide = inner > 560;
  for (const { part, times, count, terms } of counted.rows) {
    y += 22;
    const formula = times === 1 ? termsText(terms) : words.times(termsText(terms), times);
    body += textAt(pad, y, words.parts[part], { fill: paint('ink') });
    body += textAt(width - pad, y, formatFixed(count, 0), { anchor: 'end', fill: paint('ink') });
    if (!wide) y += 17;
    body += textAt(wide ? pad + inner * 0.34 : pad, y, formula, { fill: paint('ink-3') });
  }
  y += 10;
  for (const line of breakLines(note, inner, 12, labelWidth)) {
    y += 18;
    body += textAt(pad, y, line, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.titles.parameters, body, theme });
}
