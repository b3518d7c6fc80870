// Tokens, and the pieces on the way to them, as chips in lines.
import { figureId, svgFrame } from './attention-figure.js';
import { bytesLabel, glyphWidth, labelWidth, tokenLabel } from './label.js';
import { painter, px, textAt } from './svg.js';
import { textLines } from './text-lines.js';
import { tokenParts } from './units.js';

/** How many tints there are for chips, each with an underline of its own. */
export const tones = 6;

const hex = (bytes) => bytesLabel(bytes).slice(1, -1);

/** The few bytes of a piece in hexadecimal, or how many there are. */
export const bytesShort = (bytes, words) => (bytes.length <= 3 ? hex(bytes) : words.bytes(bytes.length));

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Pieces that are drawn together: one that is whole characters by itself, or those that only together make some.
 * bytes: of each piece → [{start, end, glyph: the characters of several pieces, null for one piece, labels, parts}], pieces start … end−1.
 */
export function chipGroups(bytes) {
  const parts = tokenParts(bytes);
  const groups = [];
  for (let start = 0; start < bytes.length; ) {
    const part = parts[start];
    const end = start + (part ? part.parts : 1);
    const own = bytes.slice(start, end);
    groups.push({
      start,
      end,
      glyph: part ? tokenLabel(part.glyph) : null,
      labels: own.map((piece) => (part ? hex(piece) : tokenLabel(decoder.decode(Uint8Array.from(piece)), piece))),
      parts: parts.slice(start, end),
    });
    start = end;
  }
  return groups;
}

/**
 * A character that stands across its parts, together `width` px wide → { size: px of its font, stretch: how much wider than that font makes it }:
 * so that each part holds its share of it.
 */
export function glyphFit(glyph, width, most = 48) {
  const size = Math.min(most, (0.94 * width) / glyphWidth(glyph));
  return { size, stretch: Math.min(1.8, (0.94 * width) / (glyphWidth(glyph) * size)) };
}

/** The character as SVG, its middle at (x, y). */
export const fittedGlyph = (glyph, x, y, { size, stretch }, fill) =>
  `<g transform="translate(${px(x)} ${px(y + size * 0.36)}) scale(${px(stretch)} 1)">${textAt(0, 0, glyph, { size, anchor: 'middle', fill })}</g>`;

/** Room for one byte of a character in parts, px: as wide as the three digits of its id. */
export const byteWidth = 24;

const size = { text: 18, high: 32, tall: 58, gap: 4, small: 12 };

// The underline of each tone; width and dashes.
const lines = [['2', ''], ['3', '3 2'], ['2', '7 3'], ['double', ''], ['4', ''], ['3', '2 5']];

function underline(x, y, width, tone, paint) {
  const stroke = paint(`tok-${tone + 1}-line`);
  const [thick, dashes] = lines[tone];
  const line = (at, by) => `<path d="M${px(x)} ${px(at)}H${px(x + width)}" stroke="${stroke}" stroke-width="${by}"${dashes ? ` stroke-dasharray="${dashes}"` : ''}/>`;
  return thick === 'double' ? line(y - 1, 1.2) + line(y - 4, 1.2) : line(y - Number(thick) / 2, thick);
}

/**
 * Chips in lines of at most `width` px, with the upper left corner at (x, y). pieces: [{bytes, id, tone: 0 … 5}]; most: lines that are drawn.
 * → { height, body, drawn: how many pieces }
 */
export function chipShapes({ pieces, x = 0, y = 0, width, theme, id, words, most = Infinity }) {
  const paint = painter(theme);
  const groups = chipGroups(pieces.map(({ bytes }) => bytes));
  const sized = groups.map((group) => {
    const own = pieces.slice(group.start, group.end);
    const widths = own.map((piece, i) =>
      group.glyph
        ? piece.bytes.length * byteWidth
        : Math.max(labelWidth(group.labels[i]) * size.text + 14, String(piece.id).length * 7.2 + 6, labelWidth(bytesShort(piece.bytes, words)) * size.small + 6),
    );
    return { ...group, own, widths, wide: widths.reduce((sum, w) => sum + w), high: group.glyph ? size.tall : size.high };
  });
  const rows = [];
  for (const group of sized) {
    const row = rows.at(-1);
    if (row && row.wide + size.gap + group.wide <= width) {
      row.groups.push(group);
      row.wide += size.gap + group.wide;
    } else rows.push({ groups: [group], wide: group.wide });
  }
  const body = [];
  let top = y;
  let drawn = 0;
  for (const { groups: inRow } of rows.slice(0, most)) {
    const bottom = top + Math.max(...inRow.map(({ high }) => high));
    let left = x;
    for (const { own, widths, wide, high, glyph, labels } of inRow) {
      let at = left;
      const whole = glyph && fittedGlyph(glyph, left + wide / 2, bottom - high / 2, glyphFit(glyph, wide), paint('ink'));
      own.forEach((piece, i) => {
        const w = widths[i];
        body.push(`<rect x="${px(at)}" y="${px(bottom - high)}" width="${px(w)}" height="${high}" fill="${paint(`tok-${piece.tone + 1}`)}"/>`);
        if (glyph) {
          const clip = `part-${drawn}-${id}`;
          body.push(
            `<clipPath id="${clip}"><rect x="${px(at)}" y="${px(bottom - high)}" width="${px(w)}" height="${high}"/></clipPath>` +
              `<g clip-path="url(#${clip})">${whole}</g>`,
          );
          if (i > 0) body.push(`<path d="M${px(at)} ${px(bottom - high)}V${px(bottom)}" stroke="${paint('ink-3')}" stroke-dasharray="3 3"/>`);
        } else body.push(textAt(at + w / 2, bottom - 10, labels[i], { size: size.text, anchor: 'middle', fill: paint('ink') }));
        body.push(underline(at, bottom, w, piece.tone, paint));
        body.push(textAt(at + w / 2, bottom + 15, String(piece.id), { size: size.small, anchor: 'middle', fill: paint('ink-2') }));
        body.push(textAt(at + w / 2, bottom + 29, bytesShort(piece.bytes, words), { size: 11, anchor: 'middle', fill: paint('ink-3') }));
        at += w;
        drawn += 1;
      });
      left += wide + size.gap;
    }
    top = bottom + 44;
  }
  return { height: Math.max(0, top - y - 10), body: body.join(''), drawn };
}

const pad = 12;

/** How a token's place in the text becomes its tone. */
export const toneOf = (i) => i % tones;

/**
 * The tokens of a text in one or two vocabularies, under each other. sides: [{title, stats, ids, bytes}]; most: lines of chips for each.
 */
export function tokensFigure({ sides, title, words, note, theme = 'light', width = 720, most = 12 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const body = [];
  let y = pad;
  const id = figureId(title, sides.map(({ ids }) => ids), theme, width);
  sides.forEach(({ title: name, stats, ids, bytes }, side) => {
    y += side ? 22 : 0;
    body.push(textAt(pad, y + 14, name, { size: 14, weight: 600, fill: paint('ink') }));
    y += 22;
    for (const line of textLines(stats, inner / 13.2)) {
      body.push(textAt(pad, y + 13, line, { size: 13, fill: paint('ink-2') }));
      y += 19;
    }
    y += 8;
    const pieces = ids.map((one, i) => ({ id: one, bytes: bytes[i], tone: toneOf(i) }));
    const { height, body: chips, drawn } = chipShapes({ pieces, x: pad, y, width: inner, theme, id: `${side}-${id}`, words, most });
    body.push(chips);
    y += height;
    if (drawn < pieces.length) {
      body.push(textAt(pad, y + 14, words.rest(pieces.length - drawn), { size: 13, fill: paint('ink-3') }));
      y += 20;
    }
  });
  if (note) {
    body.push(textAt(pad, y + 18, note, { size: 12, fill: paint('ink-3') }));
    y += 20;
  }
  return svgFrame({ width, height: y + pad, title, defs: '', body: body.join(''), theme });
}
