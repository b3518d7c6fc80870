import { svgFrame } from './attention-figure.js';
import { clipLabel, labelWidth, tokenLabels } from './label.js';
import { formatWeight } from './number.js';
import { moved, painter, picture, px, textAt } from './svg.js';

const font = 14;
const line = 30; // px from token to token down
const gap = 8; // px between tokens across, at least
const wideGap = 36; // and at most, where there is room

/**
 * Places of the tokens for arcs that fit `width` px: side by side as a line of text when there is room, else one below the other.
 * → { down, width, height, base, places: [{ at, size }] }: `at` is the middle of a token along the line in px, `size` its length; `base` is
 * where the arcs stand on, across the line.
 */
export function arcsGeometry({ labels, width, tallest = 230 }) {
  const sizes = labels.map((label) => Math.max(26, Math.ceil(labelWidth(label) * font) + 12));
  const length = sizes.reduce((sum, size) => sum + size + gap, -gap);
  if (length <= width) {
    const apart = Math.min(wideGap, gap + (width - length) / Math.max(1, labels.length - 1));
    let x = 0;
    const places = sizes.map((size) => {
      const place = { at: x + size / 2, size };
      x += size + apart;
      return place;
    });
    const whole = Math.max(1, x - apart);
    const base = Math.min(tallest, Math.max(70, whole * 0.36)) + 22;
    return { down: false, width: whole, height: base + 34, base, places };
  }
  const longest = labels.reduce((most, label) => Math.max(most, labelWidth(label)), 1);
  const base = Math.min(Math.ceil(longest * font) + 20, Math.round(width * 0.36));
  return { down: true, width, height: labels.length * line, base, places: labels.map((_, i) => ({ at: (i + 0.5) * line, size: line })) };
}

/** The bow from one place to another; one to itself is a small loop. */
function bow(geometry, from, to) {
  const { down, base, width, places } = geometry;
  const room = down ? width - base - 64 : base - 22;
  const [a, b] = [places[from].at, places[to].at];
  const point = (along, across) => (down ? `${px(base + across)} ${px(along)}` : `${px(along)} ${px(base - across)}`);
  if (from === to) {
    const r = down ? 7 : 9;
    return { d: `M${point(a - r, 0)}C${point(a - r, 26)} ${point(a + r, 26)} ${point(a + r, 0)}`, top: [a, 20] };
  }
  const span = Math.abs(a - b);
  const longest = Math.max(1, places[places.length - 1].at - places[0].at);
  const height = Math.min(room, 24 + (room - 24) * Math.sqrt(span / longest));
  // The highest point of such a curve is three quarters of its handles.
  return { d: `M${point(a, 0)}C${point(a, height * 1.333)} ${point(b, height * 1.333)} ${point(b, 0)}`, top: [(a + b) / 2, height] };
}

/**
 * Arcs from the query to the keys of its row as SVG elements, the strong ones above. row: weights up to the query; `at`: the key pointed at, or
 * null; values stand at the keys with at least a twentieth, and at the one pointed at. paint: name → colour.
 */
export function arcsShapes({ row, query, at = null, geometry, paint }) {
  const { down, base, places } = geometry;
  const order = Array.from(row.keys()).sort((a, b) => (a === at ? 1 : b === at ? -1 : row[a] - row[b]));
  const bows = order
    .filter((key) => row[key] > 0.0005 || key === at)
    .map((key) => {
      const weight = row[key];
      const opacity = at === null || key === at ? 0.25 + 0.75 * weight : 0.12 + 0.3 * weight;
      return `<path d="${bow(geometry, query, key).d}" fill="none" stroke="${paint('accent')}" stroke-width="${px(1 + 9 * weight)}" stroke-opacity="${px(opacity)}" stroke-linecap="round"/>`;
    });
  const values = order
    .filter((key) => row[key] >= 0.05 || key === at)
    .map((key) => {
      const text = formatWeight(row[key]);
      const chosen = key === at || (at === null && row[key] >= 0.5);
      const style = { size: 12, weight: chosen ? 600 : 400, fill: paint(chosen ? 'ink' : 'ink-2') };
      return down
        ? textAt(geometry.width - 2, places[key].at + 4, text, { ...style, anchor: 'end' })
        : textAt(places[key].at, base + 34, text, { ...style, anchor: 'middle' });
    });
  return bows.join('') + values.join('');
}

/**
 * The arcs of one query as a standalone SVG string. tokens, bytes: as the engine gives them; weights { shape: [T, T], data }; query: its row,
 * the last by default; title stands above, note below.
 */
export function arcsFigure({ tokens, bytes, weights, query = tokens.length - 1, title = '', note = '', theme = 'light', width = 720 }) {
  const labels = tokenLabels(tokens, bytes);
  const geometry = arcsGeometry({ labels, width });
  const paint = painter(theme);
  const row = weights.data.subarray(query * labels.length, query * labels.length + query + 1);
  const pad = 14;
  const head = title ? 26 : 0;
  const names = labels.map((label, i) => {
    const style = { size: font, weight: i === query ? 600 : 400, fill: paint(i > query ? 'ink-3' : 'ink') };
    return geometry.down
      ? textAt(geometry.base - 8, geometry.places[i].at + 5, clipLabel(label, (geometry.base - 8) / font), { ...style, anchor: 'end' })
      : textAt(geometry.places[i].at, geometry.base + 17, label, { ...style, anchor: 'middle' });
  });
  return svgFrame({
    width: Math.max(geometry.width, labelWidth(title) * 15, labelWidth(note) * 12) + 2 * pad,
    height: geometry.height + head + 2 * pad + (note ? 20 : 0),
    title: title || labels.join(' '),
    defs: '',
    body: `${title ? textAt(pad, pad + 13, title, { size: 15, weight: 600, fill: paint('ink') }) : ''}${moved(pad, pad + head, arcsShapes({ row, query, geometry, paint }) + names.join(''))}${note ? textAt(pad, pad + head + geometry.height + 22, note, { size: 12, fill: paint('ink-3') }) : ''}`,
    theme,
  });
}

/** The arcs as a bare drawing for inside a widget, in its colours. */
export const arcsDrawing = (given) => picture({ width: given.geometry.width, height: given.geometry.height, body: arcsShapes({ ...given, paint: painter(null) }), theme: null });
