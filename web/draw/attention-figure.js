import { color, weightColor, weightInk, weightShade } from './color.js';
import { escapeXml } from './escape.js';
import { heatmapGeometry, ticks } from './heatmap.js';
import { characters, clipLabel, glyphWidth, labelWidth, tokenLabels } from './label.js';
import { formatFixed } from './number.js';
import { tokenParts } from './units.js';

const fonts = "-apple-system, 'Segoe UI', 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif";
const levels = 32;
const n = (x) => String(Math.round(x * 100) / 100);

// Stands in a group whose text is anchored in the middle.
function columnLabel(label, x, bottom, size, level) {
  if (level) return `<text x="${n(x)}" y="${n(bottom - 3)}">${escapeXml(label)}</text>`;
  const shown = clipLabel(label, 6);
  if (characters(shown).some((c) => labelWidth(c) === 1)) {
    const chars = characters(shown);
    return chars
      .map((c, i) => `<text x="${n(x)}" y="${n(bottom - (chars.length - 1 - i) * size * 1.06 - 2)}">${escapeXml(c)}</text>`)
      .join('');
  }
  return `<text transform="translate(${n(x - size * 0.34)} ${n(bottom)}) rotate(90)" text-anchor="end">${escapeXml(shown)}</text>`;
}

// A part of a character: the character faint, the part's slice of it on a tint between dashed seams; (x, y) is the left end of its base line.
function sliceShapes({ glyph, from, to, part, parts }, x, y, size, theme, id) {
  const width = glyphWidth(glyph) * size;
  const [left, right] = [x + from * width, x + to * width];
  const [top, bottom] = [y - size * 0.98, y + size * 0.24];
  const tint = (part % 3) + 1;
  const text = (more) => `<text x="${n(x)}" y="${n(y)}" textLength="${n(width)}" lengthAdjust="spacingAndGlyphs" fill="${color('ink', theme)}"${more}>${escapeXml(glyph)}</text>`;
  const seam = (at) => `<path d="M${n(at)} ${n(top)}V${n(bottom)}" stroke="${color('ink-3', theme)}" stroke-dasharray="2 2"/>`;
  return (
    `<g font-size="${size}" text-anchor="start">${text(' fill-opacity="0.3"')}<clipPath id="${id}"><rect x="${n(left)}" y="${n(top)}" width="${n(right - left)}" height="${n(bottom - top)}"/></clipPath>` +
    `<g clip-path="url(#${id})"><rect x="${n(left)}" y="${n(top)}" width="${n(right - left)}" height="${n(bottom - top)}" fill="${color(`tok-${tint}`, theme)}"/>${text('')}</g>` +
    `<path d="M${n(left)} ${n(bottom)}H${n(right)}" stroke="${color(`tok-${tint}-line`, theme)}" stroke-width="2"/>${part > 0 ? seam(left) : ''}${part < parts - 1 ? seam(right) : ''}</g>`
  );
}

function cellShapes(weights, geometry, masked, theme, left, top, id) {
  const { size, cell, decimals } = geometry;
  const gap = cell > 8 ? 1 : 0;
  const side = n(cell - gap);
  const shades = new Map(); // shade → { fill, cells }
  const dots = [];
  const numbers = [];
  const usual = color('cell-ink-lo', theme);
  for (let row = 0; row < size; row++) {
    const hidden = [];
    for (let column = 0; column < size; column++) {
      const x = left + column * cell;
      const y = top + row * cell;
      if (masked(row, column)) {
        hidden.push(n(x + cell / 2));
        continue;
      }
      const weight = weights.data[row * size + column];
      const shade = weightShade(weight);
      if (!shades.has(shade)) shades.set(shade, { fill: weightColor(weight, theme), cells: '' });
      shades.get(shade).cells += `<rect x="${n(x)}" y="${n(y)}" width="${side}" height="${side}" rx="2"/>`;
      if (decimals) {
        const text = formatFixed(weight, decimals);
        const ink = Number(text) === 0 ? color('cell-zero', theme) : weightInk(weight, theme);
        numbers.push(`<text x="${n(x + (cell - gap) / 2)}" y="${n(y + cell / 2 + 4)}"${ink === usual ? '' : ` fill="${ink}"`}>${text}</text>`);
      }
    }
    if (hidden.length) dots.push(`<text x="${hidden.join(' ')}" y="${n(top + (row + 0.5) * cell + 4)}">${'·'.repeat(hidden.length)}</text>`);
  }
  return (
    `<g stroke="${color('rule', theme)}" stroke-width="0.5">${[...shades.values()].map(({ fill, cells }) => `<g fill="${fill}">${cells}</g>`).join('')}</g>` +
    `<g text-anchor="middle" font-size="11" fill="${color('mask-dot', theme)}">${dots.join('')}</g>` +
    `<g text-anchor="middle" font-size="${cell >= 46 ? 13 : 11.5}" fill="${usual}" data-numbers="${id}">${numbers.join('')}</g>`
  );
}

// Thousands of cells as one path for each shade keep a large picture small.
function cellPaths(weights, geometry, masked, theme, left, top) {
  const { size, cell } = geometry;
  const paths = Array.from({ length: levels + 1 }, () => '');
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (masked(row, column)) continue;
      const level = Math.round(Math.min(1, weights.data[row * size + column]) * levels);
      if (level > 0) paths[level] += `M${n(left + column * cell)} ${n(top + row * cell)}h${n(cell)}v${n(cell)}h${n(-cell)}z`;
    }
  }
  return paths
    .map((d, level) => (d ? `<path d="${d}" fill="${weightColor(level / levels, theme)}"/>` : ''))
    .join('');
}

function maskShape(geometry, left, top, id) {
  const { size, cell } = geometry;
  let d = `M${n(left + cell)} ${n(top)}H${n(left + size * cell)}V${n(top + (size - 1) * cell)}`;
  for (let row = size - 2; row >= 0; row--) d += `H${n(left + (row + 1) * cell)}V${n(top + row * cell)}`;
  return size > 1 ? `<path d="${d}z" fill="url(#hatch-${id})"/>` : '';
}

/**
 * One grid as SVG elements with its upper left corner at (x, y): labels, cells, mask. Shared by the figures. parts: which part of a
 * character a token is, as tokenParts gives it.
 * → { width, height, body, defs }
 */
export function gridShapes({ labels, parts = [], weights, causal = true, geometry, x = 0, y = 0, theme = 'light', id }) {
  const { size, cell } = geometry;
  if (weights.shape[0] !== size || weights.shape[1] !== size) {
    throw new RangeError(`weights: expected (${size}, ${size}), got (${weights.shape.join(', ')})`);
  }
  const left = x + geometry.left;
  const top = y + geometry.top;
  const masked = (row, column) => causal && column > row;
  const font = cell < 16 ? 10.5 : 13;
  const every = size <= 40 ? labels.map((_, i) => i) : ticks(size);
  const name = (i) => (size <= 40 ? labels[i] : String(i));
  const rows = every
    .map((i) => `<text x="${n(left - 7)}" y="${n(top + (i + 0.5) * cell + font * 0.36)}">${escapeXml(clipLabel(name(i), (geometry.left - 9) / font))}</text>`)
    .join('');
  const columns = every.map((i) => columnLabel(name(i), left + (i + 0.5) * cell, top - 6, font, geometry.level)).join('');
  const slices = (size <= 40 ? every : [])
    .filter((i) => parts[i])
    .map((i) => {
      const side = Math.min(16, cell - 3);
      const wide = glyphWidth(parts[i].glyph) * side;
      const across = left - 7 - labelWidth(name(i)) * font - wide - 3;
      const up = top - 10 - (geometry.level ? font * 1.4 : Math.min(6, labelWidth(name(i))) * font * 1.06);
      return (
        sliceShapes(parts[i], Math.max(x + 1, across), top + (i + 0.5) * cell + side * 0.36, side, theme, `row-${i}-${id}`) +
        sliceShapes(parts[i], left + (i + 0.5) * cell - wide / 2, Math.max(y + side, up), side, theme, `column-${i}-${id}`)
      );
    })
    .join('');
  const cells = size <= 40 ? cellShapes(weights, geometry, masked, theme, left, top, id) : cellPaths(weights, geometry, masked, theme, left, top);
  const defs = `<pattern id="hatch-${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="${color('hatch', theme)}" stroke-width="1"/></pattern>`;
  const body = `<g font-size="${font}" fill="${color('ink-2', theme)}"><g text-anchor="end">${rows}</g><g text-anchor="middle">${columns}</g></g>${slices}${causal ? maskShape(geometry, left, top, id) : ''}${cells}`;
  return { width: geometry.width, height: geometry.height, body, defs };
}

/** A name for a figure's definitions that no other figure on the same page has, unless it is the same figure. */
export function figureId(...parts) {
  let hash = 0x811c9dc5;
  for (const char of JSON.stringify(parts)) hash = Math.imul(hash ^ char.codePointAt(0), 0x01000193) >>> 0;
  return hash.toString(36);
}

/** The frame of a standalone picture: paper, font, title for readers who can't see it. */
export function svgFrame({ width, height, title, defs, body, theme }) {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}" role="img" font-family="${fonts}" font-weight="400" style="max-width:100%;height:auto">` +
    `<title>${escapeXml(title)}</title><defs>${defs}</defs><rect width="100%" height="100%" fill="${color('surface', theme)}"/>${body}</svg>`
  );
}

const pad = 12;

/** One text's grid under its title, with its upper left corner at (x, y) → { width, height, body, defs }. */
function titledGrid({ tokens, bytes, weights, title, theme, width, x, y }) {
  const labels = tokenLabels(tokens, bytes);
  const parts = bytes ? tokenParts(bytes) : [];
  const many = labels.length > 40;
  // Slices of a character stand before their bytes and want room of their own.
  const wide = labels.map((label, i) => (parts[i] ? `字${label}` : label));
  const geometry = many
    ? { ...heatmapGeometry({ labels: ['0000'], width }), size: labels.length, cell: Math.max(2, Math.min(12, (width - 40) / labels.length)), left: 40, top: 26, decimals: 0, level: true }
    : heatmapGeometry({ labels: wide, width: width - 2 * pad });
  if (many) {
    geometry.width = geometry.left + geometry.size * geometry.cell;
    geometry.height = geometry.top + geometry.size * geometry.cell;
  }
  const titleRoom = title ? 24 : 0;
  const grid = gridShapes({ labels, parts, weights, geometry, x, y: y + titleRoom, theme, id: figureId(labels, theme, title, width, Array.from(weights.data)) });
  const heading = title ? `<text x="${n(x)}" y="${n(y + 13)}" font-size="15" font-weight="600" fill="${color('ink', theme)}">${escapeXml(title)}</text>` : '';
  return { width: Math.max(grid.width, labelWidth(title) * 15), height: grid.height + titleRoom, body: heading + grid.body, defs: grid.defs, name: labels.join(' ') };
}

const noteLine = (note, y, theme) => (note ? `<text x="${pad}" y="${n(y)}" font-size="12" fill="${color('ink-3', theme)}">${escapeXml(note)}</text>` : '');

/**
 * The attention grid of a text as a standalone SVG string: queries down, keys across, every colour resolved.
 * tokens, bytes: T entries each, as the engine gives them; weights { shape: [T, T], data }. Above 40 tokens the cells become
 * one path a shade and the labels ticks. `title` stands above, `note` below; `width` is the room in px that cells may use.
 */
export function attentionFigure({ tokens, bytes, weights, title = '', note = '', theme = 'light', width = 640 }) {
  const grid = titledGrid({ tokens, bytes, weights, title, theme, width, x: pad, y: pad });
  return svgFrame({
    width: Math.max(grid.width, labelWidth(note) * 12) + 2 * pad,
    height: grid.height + 2 * pad + (note ? 18 : 0),
    title: title || grid.name,
    defs: grid.defs,
    body: grid.body + noteLine(note, pad + grid.height + 20, theme),
    theme,
  });
}

/**
 * The same head's grids of two texts as a standalone SVG string, side by side where there is room, else one below the other.
 * sides: two of { tokens, bytes, weights, title } as for attentionFigure.
 */
export function attentionPairFigure({ sides, note = '', theme = 'light', width = 1000 }) {
  const beside = width >= 700;
  const gap = 28;
  const room = beside ? (width - gap) / 2 : width;
  const first = titledGrid({ ...sides[0], theme, width: room, x: pad, y: pad });
  const [x, y] = beside ? [pad + first.width + gap, pad] : [pad, pad + first.height + gap];
  const second = titledGrid({ ...sides[1], theme, width: room, x, y });
  const right = Math.max(pad + first.width, x + second.width, pad + labelWidth(note) * 12);
  const bottom = Math.max(pad + first.height, y + second.height);
  return svgFrame({
    width: right + pad,
    height: bottom + pad + (note ? 18 : 0),
    title: sides.map(({ title }) => title).join(' / '),
    defs: first.defs + second.defs,
    body: first.body + second.body + noteLine(note, bottom + 20, theme),
    theme,
  });
}
