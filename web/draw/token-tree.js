// Where tokens come from: characters, their bytes, the merges, the tokens, each line above the next.
import { bytesLabel, clipLabel, glyphWidth, isPartial, labelWidth, tokenLabel } from './label.js';
import { formatNumber } from './number.js';
import { figureId } from './attention-figure.js';
import { fittedGlyph, glyphFit } from './chips.js';
import { painter, picture, px, textAt } from './svg.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const least = 25; // px for a byte

const depthOf = (node) => (node.parts ? 1 + Math.max(...node.parts.map(depthOf)) : 0);
const nodesOf = (node) => (node.parts ? [node, ...node.parts.flatMap(nodesOf)] : []);

/** What stands for some bytes: their text, or their numbers where they are no whole characters. */
export const bytesName = (bytes) => tokenLabel(decoder.decode(Uint8Array.from(bytes)), bytes);

/**
 * text: whole characters; roots: the nodes of mergeTree for its tokens, bytes counted from the text's first; tones: by token; step: how many
 * merges of the text are done, the others are drawn faint; chosen: index of a token with a ring.
 * → { width, height, svg }; wider than `width` when the text has many bytes.
 */
export function treeDrawing({ text, roots, tones, step = Infinity, chosen = -1, width, words }) {
  const paint = painter(null);
  const utf8 = encoder.encode(text);
  const cut = roots.map(({ from, to }) => isPartial(Array.from(utf8.slice(from, to))));
  // A character in parts is drawn across them, and would be stretched too far.
  const column = Math.max(least, Math.min(cut.includes(true) ? 36 : 56, (width - 2) / utf8.length));
  const x = (byte) => 1 + byte * column;
  const body = [];
  // Lines go behind the captions, which so stand last.
  const captions = [];
  const caption = (y, label) =>
    captions.push(`<rect x="0" y="${px(y - 12)}" width="${px(labelWidth(label) * 12 + 8)}" height="16" fill="${paint('surface')}"/>`, textAt(1, y, label, { size: 12, fill: paint('ink-3') }));
  const box = (from, to, y, height, fill, stroke, more = '') =>
    body.push(`<rect x="${px(x(from) + 1)}" y="${px(y)}" width="${px((to - from) * column - 2)}" height="${height}" rx="3" fill="${fill}" stroke="${stroke}"${more}/>`);
  const middle = (from, to) => (x(from) + x(to)) / 2;
  const bar = (at, from, to) => body.push(`<path d="M${px(at)} ${px(from)}V${px(to)}" stroke="${paint('rule-control')}"/>`);
  const fitted = (label, room, most) => Math.min(most, room / Math.max(0.5, labelWidth(label)));

  const spans = [];
  for (const character of text) {
    const from = spans.at(-1)?.to ?? 0;
    spans.push({ character, from, to: from + encoder.encode(character).length });
  }

  let y = 14;
  caption(y, words.characters);
  y += 8;
  const glyphAt = ({ character, from, to }, top, height, most) => {
    const label = tokenLabel(character);
    const glyph = Math.min(most, ((to - from) * column - 4) / Math.max(0.6, glyphWidth(label)));
    return textAt(middle(from, to), top + height / 2 + glyph * 0.36, label, { size: glyph, anchor: 'middle', fill: paint('ink') });
  };
  for (const span of spans) {
    box(span.from, span.to, y, 44, paint('sunken'), paint('rule'));
    body.push(glyphAt(span, y, 44, 30));
  }
  y += 44;

  caption(y + 20, words.bytes);
  y += 28;
  for (let i = 0; i < utf8.length; i++) bar(middle(i, i + 1), y - 28 + 24, y);
  for (let i = 0; i < utf8.length; i++) {
    box(i, i + 1, y, 26, paint('surface'), paint('rule-control'));
    body.push(textAt(middle(i, i + 1), y + 17.5, bytesLabel([utf8[i]]).slice(1, -1), { size: 12.5, anchor: 'middle', fill: paint('ink') }));
  }
  // Where each byte's or merge's box ends, to be joined to the next from there.
  const bottom = Array.from(utf8, () => y + 26);
  y += 26;

  const deepest = Math.max(0, ...roots.map(depthOf));
  const row = 44;
  if (deepest > 0) {
    caption(y + 22, words.merges);
    y += 30;
    for (const node of roots.flatMap(nodesOf).sort((a, b) => depthOf(a) - depthOf(b))) {
      const top = y + (depthOf(node) - 1) * row;
      const done = node.step < step;
      for (const part of node.parts) bar(middle(part.from, part.to), bottom[part.from], top);
      box(node.from, node.to, top, 32, paint(done ? 'accent-soft' : 'surface'), paint(done ? 'accent-line' : 'rule'), done ? '' : ' stroke-dasharray="3 3"');
      const room = (node.to - node.from) * column - 6;
      const name = clipLabel(bytesName(Array.from(utf8.slice(node.from, node.to))), room / 11);
      const rank = formatNumber(node.rank);
      body.push(textAt(middle(node.from, node.to), top + 13, name, { size: fitted(name, room, 12.5), anchor: 'middle', fill: paint(done ? 'ink' : 'ink-3') }));
      body.push(textAt(middle(node.from, node.to), top + 27, rank, { size: fitted(rank, room, 11.5), anchor: 'middle', weight: 600, fill: paint(done ? 'accent' : 'ink-3') }));
      for (let i = node.from; i < node.to; i++) bottom[i] = top + 32;
    }
    y += deepest * row - 12;
  }

  caption(y + 22, words.tokens);
  y += 30;
  const high = cut.includes(true) ? 64 : 32;
  const name = figureId(text, roots.map(({ id }) => id));
  roots.forEach(({ from, to, id }, i) => {
    const bytes = Array.from(utf8.slice(from, to));
    const room = (to - from) * column - 4;
    bar(middle(from, to), bottom[from], y);
    box(from, to, y, high, paint(`tok-${tones[i] + 1}`), paint(i === chosen ? 'select' : `tok-${tones[i] + 1}-line`), i === chosen ? ' stroke-width="2"' : '');
    if (cut[i]) {
      // A part of a character is its slice of it.
      const clip = `slice-${i}-${name}`;
      const slices = spans
        .filter((span) => span.from < to && span.to > from)
        .map((span) => {
          const label = tokenLabel(span.character);
          return fittedGlyph(label, middle(span.from, span.to), y + high / 2, glyphFit(label, (span.to - span.from) * column, 56), paint('ink'));
        });
      body.push(`<clipPath id="${clip}"><rect x="${px(x(from) + 1)}" y="${px(y)}" width="${px((to - from) * column - 2)}" height="${high}"/></clipPath><g clip-path="url(#${clip})">${slices.join('')}</g>`);
    } else {
      const label = clipLabel(bytesName(bytes), Math.max(2, room / 9));
      body.push(textAt(middle(from, to), y + high / 2 + 5, label, { size: fitted(label, room, 16), anchor: 'middle', fill: paint('ink') }));
    }
    body.push(textAt(middle(from, to), y + high + 16, String(id), { size: 12, anchor: 'middle', fill: paint('ink-2') }));
  });
  const all = { width: Math.max(x(utf8.length) + 1, 200), height: y + high + 22 };
  return { ...all, svg: picture({ ...all, body: body.join('') + captions.join(''), theme: null }) };
}
