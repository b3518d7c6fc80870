import { clipLabel, labelWidth } from './label.js';
import { formatNumber, formatPercent } from './number.js';
import { breakLines, painter, picture, px, textAt } from './svg.js';

/**
 * The board of switches and the guess before and after, as a standalone SVG string. effect: of `measureSwitches`; off: Set of words; sentences: lines to say.
 */
export function switchesFigure({ config, off, effect, text, sentences, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const wide = inner > 560;
  const board = wide ? inner * 0.46 : inner;
  let y = pad + 14;
  let body = textAt(pad, y, words.title, { size: 15, weight: 600, fill: paint('ink') });
  const start = y + 16;
  y = start;
  const key = (x, at, room, name, word, isOff = off.has(word)) => {
    body += `<rect x="${px(x)}" y="${px(at)}" width="${px(room - 4)}" height="26" rx="5" fill="${paint(isOff ? 'sunken' : 'surface')}" stroke="${paint(isOff ? 'rule-control' : 'accent-line')}"${isOff ? ' stroke-dasharray="3 3"' : ''}/>`;
    body += textAt(x + 7, at + 17, clipLabel(isOff ? words.isOff(name) : name, (room - 14) / 12), { fill: paint(isOff ? 'ink-3' : 'ink') });
  };
  ['no-positions', 'no-mask', 'no-scale'].forEach((word, i) => key(pad + (i * board) / 3, y, board / 3, words.whole[word], word));
  y += 38;
  const named = 50;
  const side = Math.min(74, (board - named) * 0.24);
  const head = (board - named - 2 * side) / config.nHead;
  for (let layer = 0; layer < Math.min(config.nLayer, 12); layer++) {
    const gone = off.has(`h.${layer}.attn`);
    body += textAt(pad, y + 17, words.layerName(layer), { fill: paint('ink-3') });
    key(pad + named, y, side, words.attention, `h.${layer}.attn`);
    for (let i = 0; i < config.nHead; i++) key(pad + named + side + i * head, y, head, words.headShort(i), '', gone || off.has(`h.${layer}.${i}`));
    key(pad + board - side, y, side, words.mlp, `mlp.${layer}`);
    y += 31;
  }
  const left = wide ? pad + board + 26 : pad;
  const room = width - pad - left;
  let at = wide ? start + 12 : y + 22;
  const numbers = [];
  for (const line of breakLines(`${text} ＿`, room, 14, labelWidth)) {
    body += textAt(left, at, line, { size: 14, fill: paint('ink') });
    at += 20;
  }
  const bars = room - 82 - 112;
  const any = off.size > 0;
  body += textAt(left + room - 58, at, words.before, { size: 11, anchor: 'end', fill: paint('ink-3') }) + (any ? textAt(left + room, at, words.after, { size: 11, anchor: 'end', fill: paint('ink-3') }) : '');
  at += 18;
  for (const { label, before, after } of [...effect.rows, { label: words.rest, ...effect.rest }]) {
    body += textAt(left, at, clipLabel(label, 5.6), { size: 12.5, fill: paint('ink') });
    const bar = (p, top, high, fill) => `<rect x="${px(left + 82)}" y="${px(top)}" width="${px(Math.max(1, p * bars))}" height="${high}" rx="2" fill="${paint(fill)}"/>`;
    body += any ? bar(before, at - 10, 5, 'accent-line') + bar(after, at - 4, 5, 'accent') : bar(before, at - 10, 10, 'accent');
    numbers.push(textAt(left + room - 58, at, formatPercent(before), { anchor: 'end', fill: paint('ink-2') }));
    if (any) numbers.push(textAt(left + room, at, formatPercent(after), { anchor: 'end', weight: 600, fill: paint('ink') }));
    at += 20;
  }
  if (any) {
    body += textAt(left, at + 2, `${words.kl} ${formatNumber(effect.kl)}`, { fill: paint('ink-2') });
    at += 20;
  }
  y = Math.max(y, at);
  body += `<g data-numbers="switches">${numbers.join('')}</g>`;
  for (const sentence of sentences) {
    for (const line of breakLines(sentence, inner, 13, labelWidth)) {
      y += 20;
      body += textAt(pad, y, line, { size: 13, fill: paint('ink-2') });
    }
  }
  if (note) {
    y += 22;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.title, body, theme });
}
