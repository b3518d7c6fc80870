// A transcript of a model with tools: what stands in the text on the left, what the runtime did with it on the right.
import { escapeXml } from './escape.js';
import { clipLabel, labelWidth, tokenLabel } from './label.js';
import { formatPercent } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

const tones = { question: 'pos-ink', thought: 'accent', call: 'accent', answer: 'accent', observation: 'neg-ink' };
const size = 15;
const line = 36; // px from one line of tokens to the next
const longest = 400; // characters of a part that are drawn

/** The pieces of a row as labels with their probabilities, broken into lines of `width` px → [[{ label, p, x, width }]]. */
function chipLines(row, width) {
  // Of what is only said, the words are enough.
  const chips = row.kind === 'call' || row.by === 'model'
    ? row.pieces.flatMap(({ token, text }) => (token ? [{ label: tokenLabel(token.token, token.bytes).replace(/^␣(?=.)/, ' '), p: token.p }] : breakLines(text.slice(0, longest), width - 8, size, labelWidth).map((label) => ({ label, p: null }))))
    : breakLines(row.text.slice(0, longest), width - 8, size, labelWidth).map((label) => ({ label, p: null }));
  const lines = [[]];
  let x = 0;
  for (const { label, p } of chips) {
    const shown = clipLabel(label, width / size - 1);
    const value = p === null ? '' : formatPercent(p).replace(' ', '');
    const wide = Math.max(labelWidth(shown) * size, labelWidth(value) * 10.5) + (p === null ? 0 : 8);
    if (x > 0 && x + wide > width) {
      lines.push([]);
      x = 0;
    }
    lines.at(-1).push({ label: shown, value, p, x, width: wide });
    x += wide + (p === null ? 0 : 3);
  }
  return lines;
}

/**
 * Rows of rowsOf, `width` px wide → { height, body }. lanes: what the runtime has to say of each, [{ name, text, bad }]; names: what each is called and who wrote
 * it; words: strings of `agent`.
 */
export function agentShapes({ rows, lanes, names, words, width, paint }) {
  const beside = width >= 600;
  const main = beside ? Math.floor(width * 0.56) : width;
  const laneX = beside ? main + 24 : 22;
  const laneWidth = width - laneX - 10;
  const body = [];
  let y = 0;
  rows.forEach((row, i) => {
    const tone = paint(tones[row.kind]);
    const lines = chipLines(row, main - 16);
    const rated = lines.some((chips) => chips.some(({ p }) => p !== null));
    const tall = 24 + lines.length * (rated ? line : 23) + 6;
    const drawn = [textAt(12, 15, names[i], { size: 12, fill: paint('ink-3') })];
    // What all tokens of a line share stands once, or a page of such figures would be heavy.
    const group = (attributes, inner) => (inner ? `<g ${attributes} text-anchor="middle">${inner}</g>` : '');
    const boxes = { sure: '', unsure: '' };
    const values = { sure: '', unsure: '' };
    let texts = '';
    lines.forEach((chips, n) => {
      const base = 24 + n * (rated ? line : 23) + 16;
      for (const { label, value, p, x, width: wide } of chips) {
        if (p === null) {
          drawn.push(textAt(12 + x, base, label, { size, fill: paint('ink') }));
          continue;
        }
        const side = p < 0.5 ? 'unsure' : 'sure';
        const middle = px(12 + x + wide / 2);
        boxes[side] += `M${px(12 + x)} ${px(base - 17)}h${px(wide)}v22h-${px(wide)}z`;
        texts += `<text x="${middle}" y="${px(base)}">${escapeXml(label)}</text>`;
        values[side] += `<text x="${middle}" y="${px(base + 15)}">${escapeXml(value)}</text>`;
      }
    });
    if (boxes.sure) drawn.push(`<path d="${boxes.sure}" fill="${paint('accent-soft')}"/>`);
    if (boxes.unsure) drawn.push(`<path d="${boxes.unsure}" fill="${paint('bad-soft')}"/>`);
    drawn.push(group(`font-size="${size}" fill="${paint('ink')}"`, texts), group(`font-size="10.5" fill="${paint('ink-3')}"`, values.sure), group(`font-size="10.5" fill="${paint('bad')}"`, values.unsure));
    drawn.push(`<rect x="0" y="2" width="3" height="${px(tall - 6)}" fill="${tone}"/>`);
    body.push(moved(0, y, drawn.join('')));
    let laneY = beside ? y + 15 : y + tall + 8;
    const from = laneY - 12;
    const told = [];
    for (const { name, text, bad } of lanes[i]) {
      const said = name ? `${name}　${text}` : text;
      for (const piece of breakLines(said, laneWidth - 12, 13, labelWidth)) {
        told.push(textAt(laneX + 12, laneY, piece, { size: 13, fill: paint(bad ? 'bad' : 'neg-ink') }));
        laneY += 19;
      }
    }
    if (told.length) {
      body.push(`<rect x="${px(laneX)}" y="${px(from)}" width="${px(laneWidth + 8)}" height="${px(laneY - from - 4)}" rx="4" fill="${paint('sunken')}"/>`, ...told);
      y = beside ? Math.max(y + tall, laneY + 2) : laneY + 2;
    } else y += tall;
    y += 8;
  });
  return { height: y, body: body.join('') };
}

/** The transcript as a standalone SVG string; sentence: what came of it. */
export function agentFigure({ rows, lanes, names, sentence, tampered = [], words, note = '', theme = 'light', width = 760, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const body = [];
  let y = pad + 14;
  const write = (text, options, step) => {
    for (const piece of breakLines(text, inner, options.size, labelWidth)) {
      body.push(textAt(pad, y, piece, options));
      y += step;
    }
  };
  write(words.title, { size: 15, weight: 600, fill: paint('ink') }, 21);
  for (const text of tampered) write(text, { size: 13, fill: paint('bad') }, 19);
  y += 4;
  const drawn = agentShapes({ rows, lanes, names, words, width: inner, paint });
  body.push(moved(pad, y, drawn.body));
  y += drawn.height + 14;
  write(sentence, { size: 14, fill: paint('ink') }, 21);
  if (note) {
    y += 6;
    body.push(textAt(pad, y, note, { fill: paint('ink-3') }));
    y += 12;
  }
  return picture({ width, height: y + pad - 10, title: words.figure(rows[0].text), body: body.join(''), theme });
}
