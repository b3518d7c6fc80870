import { clipLabel, labelWidth } from './label.js';
import { px, textAt } from './svg.js';
import { escapeXml } from './escape.js';

const bar = 34; // height of the line in px
const top = 40; // room above it for the flag
const axis = 22;
const size = 12.5; // of the names on it

/** The height of the drawing in px. */
export const diceHeight = top + bar + axis;

const bare = (label) => label.replace(/^␣(?=.)/, '');

/**
 * The line from 0 to 1 cut into the shares of the tokens that are kept, in order, and the drawn number on it, as SVG shapes.
 * pieces: of linePieces, each with its `label`; u: the number drawn, null when nothing is drawn; flag: what stands over its place;
 * restLabel: for the tokens that are too narrow; paint: of painter.
 */
export function diceShapes({ pieces, u, flag, restLabel, width, paint }) {
  const x = (share) => share * width;
  let body = `<rect x="0" y="${top}" width="${px(width)}" height="${bar}" rx="3" fill="${paint('sunken')}"/>`;
  pieces.forEach((piece, i) => {
    const [left, right] = [x(piece.from), x(piece.to)];
    const wide = right - left;
    const fill = piece.drawn ? 'accent' : piece.rest ? 'hatch' : i % 2 ? 'accent-soft' : 'accent-line';
    body += `<rect x="${px(left)}" y="${top}" width="${px(Math.max(piece.drawn ? 2 : 0.5, wide - 0.75))}" height="${bar}"${piece.drawn ? ` stroke="${paint('select')}" stroke-width="1.5"` : ''} fill="${paint(fill)}"/>`;
    if (piece.inside) return;
    const label = piece.rest ? restLabel : bare(piece.label);
    // The mark must not cross the name of the piece that it falls on.
    const at = piece.drawn && u !== null ? x(u) : null;
    const half = Math.min(wide, labelWidth(label) * size + 18) / 2;
    const crossed = at !== null && Math.abs(at - (left + right) / 2) < half;
    const [from, to] = !crossed ? [left, right] : at - left > right - at ? [left, at] : [at, right];
    const room = (to - from - 8) / size;
    if (room < Math.min(1, labelWidth(label))) return;
    const shown = clipLabel(label, room);
    if (shown === '…') return;
    body += textAt((from + to) / 2, top + bar / 2 + 4.5, shown, { size, anchor: 'middle', weight: piece.drawn ? 600 : 400, fill: paint(piece.drawn ? 'on-accent' : piece.rest ? 'ink-3' : 'ink') });
  });
  [0, 0.25, 0.5, 0.75, 1].forEach((tick) => {
    body += `<path d="M${px(Math.min(width - 0.5, Math.max(0.5, x(tick))))} ${top + bar}v4" stroke="${paint('rule-control')}"/>`;
    body += textAt(x(tick), top + bar + 17, String(tick), { size: 11.5, anchor: tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle', fill: paint('ink-3') });
  });
  if (u === null) return body;
  const at = Math.min(width - 1, Math.max(1, x(u)));
  const flagWidth = Math.min(width, labelWidth(flag) * 12.5 + 18);
  const flagLeft = Math.min(width - flagWidth, Math.max(0, at - flagWidth / 2));
  body += `<path d="M${px(at)} 26V${top + bar + 5}" stroke="${paint('surface')}" stroke-width="4.5"/><path d="M${px(at)} 26V${top + bar + 5}" stroke="${paint('ink')}" stroke-width="2"/>`;
  body += `<rect x="${px(flagLeft)}" y="2" width="${px(flagWidth)}" height="25" rx="4" fill="${paint('ink')}"/>`;
  body += `<text x="${px(flagLeft + flagWidth / 2)}" y="19" font-size="12.5" text-anchor="middle" font-weight="600" fill="${paint('surface')}">${escapeXml(clipLabel(flag, (width - 14) / 12.5))}</text>`;
  return body;
}
