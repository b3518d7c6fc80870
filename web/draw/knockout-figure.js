import { figureId, svgFrame } from './attention-figure.js';
import { color, weightColor, weightInk, weightShade } from './color.js';
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
    `<text x="${n(x)}" y="${n(y)}" font-size="${size}" fill="${fill}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${weight === 400 ? '' : ` font-weight="${weight}"`}>${escapeXml(content)}</text>`;
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
  // What all parts of a kind share stands once, on their group.
  const group = (attributes, parts) => (parts.length ? `<g ${attributes}>${parts.join('')}</g>` : '');
  const at = (x, y, content) => `<text x="${n(x)}" y="${n(y)}">${escapeXml(content)}</text>`;
  const frames = { on: [], off: [] };
  const names = [];
  const fields = new Map(); // shade → { fill, parts }
  const looks = new Map(); // ink → { labels, weights } written in it
  const effect = { tracks: [], bars: [] };
  for (let layer = 0; layer < config.nLayer; layer++) {
    const y = top + layer * (high + 3);
    body.push(text(pad, y + high / 2 + 4, words.layerName(layer), { size: 12, fill: ink3 }));
    for (let head = 0; head < config.nHead; head++) {
      const x = pad + named + head * cell;
      const off = out.heads.has(`${layer}.${head}`);
      frames[off ? 'off' : 'on'].push(`<rect x="${n(x)}" y="${n(y)}" width="${n(cell - 3)}" height="${n(high)}" rx="5"/>`);
      names.push(at(x + 6, y + 14, `${layer}.${head}`));
      sides.forEach((side, i) => {
        const look = side.looks[layer][head];
        const row = y + 30 + i * 17;
        const fill = weightInk(look.weight, theme);
        if (!looks.has(fill)) looks.set(fill, { labels: [], weights: [] });
        const shade = weightShade(look.weight);
        if (!fields.has(shade)) fields.set(shade, { fill: weightColor(look.weight, theme), parts: [] });
        fields.get(shade).parts.push(`<rect x="${n(x + 4)}" y="${n(row - 11.5)}" width="${n(cell - 11)}" height="15.5" rx="2"${off ? ' opacity="0.55"' : ''}/>`);
        looks.get(fill).labels.push(at(x + 7, row, clipLabel(bare(look.label), (cell - 43) / 11.5)));
        looks.get(fill).weights.push(at(x + cell - 10, row, formatFixed(look.weight, 2)));
      });
      const kl = effects.get(`${layer}.${head}`);
      if (kl !== undefined) {
        effect.tracks.push(`<rect x="${n(x + 6)}" y="${n(y + high - 9)}" width="${n(cell - 15)}" height="4" rx="2"/>`);
        effect.bars.push(`<rect x="${n(x + 6)}" y="${n(y + high - 9)}" width="${n(Math.max(1, (cell - 15) * (kl / most)))}" height="4" rx="2"/>`);
      }
    }
  }
  body.push(
    group(`fill="${color('surface', theme)}" stroke="${color('accent-line', theme)}"`, frames.on),
    group(`fill="url(#hatch-${id})" stroke="${color('rule-control', theme)}" stroke-dasharray="3 3"`, frames.off),
    group(`font-size="11" fill="${ink3}"`, names),
    ...[...fields.values()].map(({ fill, parts }) => group(`fill="${fill}"`, parts)),
    ...[...looks].map(([fill, { labels, weights }]) => group(`font-size="11.5" fill="${fill}"`, labels) + group(`font-size="10" fill="${fill}" text-anchor="end"`, weights)),
    group(`fill="${color('sunken', theme)}"`, effect.tracks),
    group(`fill="${color('pos', theme)}"`, effect.bars),
  );
  let bottom = top + config.nLayer * (high + 3);

  // the guesses
  const left = two ? pad + boardWidth + 24 : pad;
  const room = two ? width - pad - left : inner;
  let y = two ? start : bottom + 24;
  const numbers = [];
  const bars = new Map(); // name of a colour → bars in it
  const draw = (name, width, at, height) => {
    if (!bars.has(name)) bars.set(name, []);
    bars.get(name).push(`<rect x="${n(left + 66)}" y="${n(at)}" width="${n(width)}" height="${height}" rx="2"/>`);
  };
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
      const line = (p, y, height, name) => {
        draw('sunken', bar, y, height);
        draw(name, Math.max(1, bar * p), y, height);
      };
      if (anything) {
        line(row.before, y - 10, 5, 'accent-line');
        line(row.after, y - 4, 5, 'accent');
        numbers.push(at(left + room - 62, y, formatPercent(row.before)), `<text x="${n(left + room)}" y="${n(y)}" fill="${ink}" font-weight="600">${escapeXml(formatPercent(row.after))}</text>`);
      } else {
        line(row.before, y - 10, 10, row.isRest ? 'accent-line' : 'accent');
        numbers.push(at(left + room, y, formatPercent(row.before)));
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
  body.push(...[...bars].map(([name, parts]) => group(`fill="${color(name, theme)}"`, parts)), `<g data-numbers="${id}" font-size="12" fill="${ink2}" text-anchor="end">${numbers.join('')}</g>`);
  if (words.note) {
    body.push(text(pad, bottom + 14, words.note, { size: 12, fill: ink3 }));
    bottom += 20;
  }
  const defs = `<pattern id="hatch-${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="${color('hatch', theme)}" stroke-width="1"/></pattern>`;
  return svgFrame({ width, height: bottom + pad, title: words.title, defs, body: body.join(''), theme });
}
