import { svgFrame } from './attention-figure.js';
import { color } from './color.js';
import { escapeXml } from './escape.js';
import { mix, toLab, toRgb } from './oklch.js';
import { colors } from '../styles/tokens.js';

/** A length as an attribute: two decimals at most. */
export const px = (x) => String(Math.round(x * 100) / 100);

/** name → colour: resolved for a standalone picture, a CSS variable when `theme` is null, so that a drawing in a widget follows its theme. */
export const painter = (theme) => (theme ? (name) => color(name, theme) : (name) => `var(--${name})`);

// Chinese fonts draw the root sign with a bar of its own, a whole character wide.
const latinRoot = '<tspan font-family="Arial, Helvetica, \'DejaVu Sans\', sans-serif">√</tspan>';

/** Text as markup: a plain root sign, and W_Q and its like with their index lowered. */
function inlineMath(text, size) {
  const [first, ...rest] = text.split(/W_(?=[A-Z])/);
  const down = px(size * 0.25);
  const plain = (part) => escapeXml(part).replaceAll('√', latinRoot);
  return plain(first) + rest.map((part) => `<tspan font-style="italic">W</tspan><tspan dy="${down}" font-size="${px(size * 0.75)}">${part[0]}</tspan>${part.length > 1 ? `<tspan dy="-${down}">${plain(part.slice(1))}</tspan>` : ''}`).join('');
}

/** One line of text; `options`: size (px), anchor, weight, fill. */
export function textAt(x, y, text, { size = 12, anchor = 'start', weight = 400, fill }) {
  const place = (anchor === 'start' ? '' : ` text-anchor="${anchor}"`) + (weight === 400 ? '' : ` font-weight="${weight}"`);
  return `<text x="${px(x)}" y="${px(y)}" font-size="${px(size)}"${place} fill="${fill}">${inlineMath(text, size)}</text>`;
}

/**
 * Lines of signed shares −1…1, blue or orange, the stronger the larger: [{ share, d }] with a path each, `thick` px thick. One path a shade and one
 * group a hue keep thousands of cells small.
 */
export function shadedLines(lines, { levels, thick, paint }) {
  const shades = { neg: new Map(), pos: new Map() };
  for (const { share, d } of lines) {
    const level = Math.round(Math.max(-1, Math.min(1, share)) * levels);
    const hue = shades[level < 0 ? 'neg' : 'pos'];
    if (level) hue.set(Math.abs(level), (hue.get(Math.abs(level)) ?? '') + d);
  }
  const path = ([level, d]) => `<path d="${d}"${level === levels ? '' : ` stroke-opacity="${Math.round((1000 * level) / levels) / 1000}"`}/>`;
  return Object.entries(shades)
    .map(([name, hue]) => (hue.size ? `<g stroke="${paint(name)}" stroke-width="${px(thick)}">${[...hue].map(path).join('')}</g>` : ''))
    .join('');
}

export const moved = (x, y, body) => `<g transform="translate(${px(x)} ${px(y)})">${body}</g>`;

/** A picture: standalone with paper and title, or, when `theme` is null, a bare drawing for inside a widget, which names it itself. */
export function picture({ width, height, title = '', defs = '', body, theme }) {
  if (theme) return svgFrame({ width, height, title, defs, body, theme });
  return `<svg class="drawing" xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}" font-weight="400" aria-hidden="true" focusable="false">${defs ? `<defs>${defs}</defs>` : ''}${body}</svg>`;
}

/** Lines of a text that fit `width` px at `size` px, broken between characters in Chinese and between words elsewhere. */
export function breakLines(text, width, size, widthOf) {
  const pieces = text.match(/[A-Za-z0-9_\u00a0→±−√÷×=.,%()'’“”]+ ?|\s|./gu) ?? [];
  const closing = /^[，。；：、）」！？]/u;
  const lines = [''];
  for (const piece of pieces) {
    const line = lines[lines.length - 1];
    if (line && !closing.test(piece) && widthOf(line + piece.trimEnd()) * size > width) lines.push(piece.trimStart());
    else lines[lines.length - 1] += piece;
  }
  return lines.map((line) => line.trimEnd());
}

const lab = (name, theme) => toLab(colors[name][theme === 'dark' ? 1 : 0]);
const signedLab = (share, theme) => mix(lab('surface', theme), lab(share < 0 ? 'neg-cell' : 'pos-cell', theme), Math.min(1, Math.abs(share) || 0));

/** A signed share −1…1 on the scale blue – paper – orange, as [red, green, blue], 0…255. */
export const signedRgb = (share, theme = 'light') => toRgb(signedLab(share, theme));
