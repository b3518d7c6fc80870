import { figureId, svgFrame } from './attention-figure.js';
import { color, weightColor, weightInk } from './color.js';
import { escapeXml } from './escape.js';
import { clipLabel } from './label.js';
import { formatFixed, formatNumber, formatPercent } from './number.js';
import { textLines } from './text-lines.js';

const n = (x) => String(Math.round(x * 100) / 100);

/** A label without the blank that most English tokens begin with: there is no room for it. */
const bare = (label) => label.replace(/^␣(?=.)/, '');

/**
 * The heads as a board, each with the token it looks at most from the last place, and the guess of each text with all heads and without those
 * that are out, as a standalone SVG string.
 * config { nLayer, nHead }; sides as measureSide gives them; out { heads: Set }; ranking: null or { rows } of sweepAll, drawn as a bar in each cell;
 * words: strings { title, board, before, after, next, kl, headName(head), layerName(layer), restShort, note }; `width` in px: two columns from 560 on.
 */
export function knockoutFigure({ config, sides, out, ranking = null, words, theme = 'light', width = 720 }) {
  const ink = color('ink', theme);
  const [ink2, ink3] = [color('ink-2', theme), color('ink-3', theme)];
  const text = (x, y, content, { size = 13, fill = ink, anchor = 'start', weight = 400 } = {}) =>
    `<text x="${n(x)}" y="${n(y)}" font-size="${size}" fill="${fill}" text-anchor="${anchor}"${weight === 400 ? '' : ` font-weight="${weight}"`}>${escapeXml(content)}</text>`;
  const pad = 12;
  const two = width >= 560;
  const inner = width - 2 * pad;
  const boardWidth = two ? Math.min(400, inner * 0.54) : inner;
  const effects = new Map(ranking?.rows.map((row) => [`${row.layer}.${row.head}`, row.kl]));
  const most = ranking?.rows[0]?.kl || 1;
  const id = figureId('knockout', sides.map((side) => side.text), [...out.heads], theme, width);
  const anything = out.heads.size > 0 || (out.others?.length ?? 0) > 0;

  // the board
  const named = 46;
  const cell = (boardWidth - named) / config.nHead;
  const high = 20 + 17 * sides.length + (ranking ? 8 : 0) + 6;
  const heading = textLines(words.title, inner / 15.5);
  const start = pad + 18 + heading.length * 20;
  const body = [...heading.map((line, i) => text(pad, pad + 13 + i * 20, line, { size: 15, weight: 600 })), text(pad, start, clipLabel(words.board, boardWidth / 12.5), { fill: ink2, size: 12.5 })];
  const top = start + 28;
  for (let head = 0; head < config.nHead; head++) body.push(text(pad + named + (head + 0.5) * cell, top - 6, words.headName(head), { size: 12, fill: ink3, anchor: 'middle' }));
  for (let layer = 0; layer < config.nLayer; layer++) {
    const y = top + layer * (high + 3);
    body.push(text(pad, y + high / 2 + 4, words.layerName(layer), { size: 12, fill: ink3 }));
    for (let head = 0; head < config.nHead; head++) {
      const x = pad + named + head * cell;
      const off = out.heads.has(`${layer}.${head}`);
      body.push(
        `<rect x="${n(x)}" y="${n(y)}" width="${n(cell - 3)}" height="${n(high)}" rx="5" fill="${off ? `url(#hatch-${id})` : color('surface', theme)}" stroke="${color(off ? 'rule-control' : 'accent-line', theme)}"${off ? ' stroke-dasharray="3 3"' : ''}/>`,
        text(x + 6, y + 14, `${layer}.${head}`, { size: 11, fill: ink3 }),
      );
      sides.forEach((side, i) => {
        const look = side.looks[layer][head];
        const row = y + 30 + i * 17;
        const fill = weightInk(look.weight, theme);
        body.push(
          `<rect x="${n(x + 4)}" y="${n(row - 11.5)}" width="${n(cell - 11)}" height="15.5" rx="2" fill="${weightColor(look.weight, theme)}"${off ? ' opacity="0.55"' : ''}/>`,
          text(x + 7, row, clipLabel(bare(look.label), (cell - 43) / 11.5), { size: 11.5, fill }),
          text(x + cell - 10, row, formatFixed(look.weight, 2), { size: 10, fill, anchor: 'end' }),
        );
      });
      const kl = effects.get(`${layer}.${head}`);
      if (kl !== undefined) {
        body.push(
          `<rect x="${n(x + 6)}" y="${n(y + high - 9)}" width="${n(cell - 15)}" height="4" rx="2" fill="${color('sunken', theme)}"/>`,
          `<rect x="${n(x + 6)}" y="${n(y + high - 9)}" width="${n(Math.max(1, (cell - 15) * (kl / most)))}" height="4" rx="2" fill="${color('pos', theme)}"/>`,
        );
      }
    }
  }
  let bottom = top + config.nLayer * (high + 3);

  // the guesses
  const left = two ? pad + boardWidth + 24 : pad;
  const room = two ? width - pad - left : inner;
  let y = two ? start : bottom + 24;
  const numbers = [];
  for (const side of sides) {
    for (const line of textLines(side.text, room / 13.5)) {
      body.push(text(left, y, line, { size: 13.5 }));
      y += 19;
    }
    const columns = anything ? 2 : 1;
    const bar = room - 66 - 62 * columns;
    body.push(text(left, y, words.next, { size: 11.5, fill: ink3 }));
    if (anything) body.push(text(left + room - 62, y, words.before, { size: 11.5, fill: ink3, anchor: 'end' }), text(left + room, y, words.after, { size: 11.5, fill: ink3, anchor: 'end' }));
    y += 17;
    const rest = { label: words.restShort, ...side.rest, isRest: true };
    for (const row of [...side.rows, rest]) {
      body.push(text(left, y, clipLabel(row.label, 4.8), { size: 12.5, fill: row.isRest ? ink3 : ink }));
      const line = (p, at, height, fill) =>
        `<rect x="${n(left + 66)}" y="${n(at)}" width="${n(bar)}" height="${height}" rx="2" fill="${color('sunken', theme)}"/><rect x="${n(left + 66)}" y="${n(at)}" width="${n(Math.max(1, bar * p))}" height="${height}" rx="2" fill="${fill}"/>`;
      if (anything) {
        body.push(line(row.before, y - 10, 5, color('accent-line', theme)), line(row.after, y - 4, 5, color('accent', theme)));
        numbers.push(text(left + room - 62, y, formatPercent(row.before), { size: 12, fill: ink2, anchor: 'end' }), text(left + room, y, formatPercent(row.after), { size: 12, anchor: 'end', weight: 600 }));
      } else {
        body.push(line(row.before, y - 10, 10, color(row.isRest ? 'accent-line' : 'accent', theme)));
        numbers.push(text(left + room, y, formatPercent(row.before), { size: 12, fill: ink2, anchor: 'end' }));
      }
      y += 20;
    }
    if (anything) {
      body.push(text(left, y + 2, `${words.kl} ${formatNumber(side.kl, 3)}`, { size: 12, fill: ink2 }));
      y += 20;
    }
    y += 14;
  }
  bottom = Math.max(bottom, y - 8);
  body.push(`<g data-numbers="${id}">${numbers.join('')}</g>`);
  if (words.note) {
    body.push(text(pad, bottom + 14, words.note, { size: 12, fill: ink3 }));
    bottom += 20;
  }
  const defs = `<pattern id="hatch-${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="${color('hatch', theme)}" stroke-width="1"/></pattern>`;
  return svgFrame({ width, height: bottom + pad, title: words.title, defs, body: body.join(''), theme });
}
