// The time line of a generation, the race with and without its cache, and the cache filling up. Pure drawing.
import { clipLabel, labelWidth } from './label.js';
import { formatNumber } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

const bar = 26; // height of a lane's bars in px
const head = 24; // room for its name

/** Round steps for an axis from 0 to `end`, four to six of them → { step, ticks }. */
export function ticksFor(end, most = 5) {
  if (!(end > 0)) return { step: 1, ticks: [0] };
  const rough = end / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => size >= rough * (1 - 1e-9));
  const ticks = [];
  for (let i = 0; i * step <= end * (1 + 1e-9); i += 1) ticks.push(Number((i * step).toPrecision(12)));
  return { step, ticks };
}

const fills = { tokenise: ['pos', 'pos'], prefill: ['accent', 'accent'], decode: ['accent-line', 'ramp-m'], reread: ['neg-cell', 'neg'] };
const inks = { tokenise: 'ink', prefill: 'on-accent', decode: 'ink', reread: 'ink' };

/**
 * Lanes of bars on one common axis. lanes: [{ name, value, bars: [{ kind, from, to, label }] }] in the axis' unit; end: of the axis; unit: its name →
 * { height, body }. Every bar is at least a pixel wide, so that what is short stays in sight.
 */
export function laneShapes({ lanes, end, unit, width, paint }) {
  const x = (at) => (Math.min(at, end) / end) * width;
  let body = '';
  let y = 0;
  const foot = lanes.length * (head + bar + 8);
  const { ticks } = ticksFor(end, width < 420 ? 4 : 6);
  for (const tick of ticks) body += `<path d="M${px(Math.min(width - 0.5, Math.max(0.5, x(tick))))} ${head - 4}V${foot}" stroke="${paint('rule')}"/>`;
  for (const lane of lanes) {
    const value = lane.value ?? '';
    const room = (width - labelWidth(value) * 13.5 - 16) / 13;
    body += textAt(0, y + 16, clipLabel(lane.name, room), { size: 13, fill: paint('ink') });
    body += textAt(width, y + 16, value, { size: 13, anchor: 'end', weight: 600, fill: paint('ink') });
    y += head;
    body += `<rect x="0" y="${px(y)}" width="${px(width)}" height="${bar}" rx="3" fill="${paint('sunken')}"/>`;
    lane.bars.forEach((one, i) => {
      const left = x(one.from);
      const wide = Math.max(1, x(one.to) - left - (lane.bars.length > 1 && x(one.to) - left > 3 ? 0.75 : 0));
      body += `<rect x="${px(Math.min(left, width - 1))}" y="${px(y)}" width="${px(wide)}" height="${bar}" data-kind="${one.kind}" fill="${paint(fills[one.kind][i % 2])}"/>`;
      if (!one.label || one.kind !== 'decode') return;
      const room = (wide - 6) / 12;
      if (room < 1 || labelWidth(one.label) > room) return;
      body += textAt(left + wide / 2, y + bar / 2 + 4.5, one.label, { size: 12, anchor: 'middle', fill: paint(i % 2 ? 'cell-ink-hi' : inks[one.kind]) });
    });
    y += bar + 8;
  }
  ticks.forEach((tick, i) => {
    const at = x(tick);
    const text = i === ticks.length - 1 ? `${formatNumber(tick)} ${unit}` : formatNumber(tick);
    const half = (labelWidth(text) * 11.5) / 2;
    body += `<path d="M${px(Math.min(width - 0.5, Math.max(0.5, at)))} ${px(y)}v4" stroke="${paint('rule-control')}"/>`;
    body += textAt(at, y + 17, text, { size: 11.5, anchor: at - half < 0 ? 'start' : at + half > width ? 'end' : 'middle', fill: paint('ink-3') });
  });
  return { height: y + 24, body };
}

/**
 * The cache as one square a token: `prompt` squares, `fresh` ones after it, and the room that is left, `capacity` in all → { height, body }.
 */
export function cacheShapes({ prompt, fresh, capacity, width, paint }) {
  let columns = Math.max(8, 2 ** Math.round(Math.log2(Math.sqrt(capacity * (width / 200)))));
  while (columns > 8 && width / columns < 9) columns /= 2;
  const rows = Math.ceil(capacity / columns);
  const pitch = Math.min(width / columns, 30);
  const side = pitch > 10 ? pitch - 2 : pitch - 1;
  const square = (i) => `M${px((i % columns) * pitch)} ${px(Math.floor(i / columns) * pitch)}h${px(side)}v${px(side)}h${px(-side)}z`;
  const path = (from, to, name, fill, line) => {
    let d = '';
    for (let i = from; i < to; i += 1) d += square(i);
    return d ? `<path data-cells="${name}" d="${d}" fill="${paint(fill)}"${line ? ` stroke="${paint(line)}" stroke-width="1"` : ''}/>` : '';
  };
  const body = path(0, prompt, 'prompt', 'accent') + path(prompt, prompt + fresh, 'fresh', 'accent-line', 'accent') + path(prompt + fresh, capacity, 'free', 'sunken', 'rule');
  return { height: rows * pitch, body };
}

/**
 * One of the widget's drawings with its sentences, as a standalone SVG string. draw({ width, paint }) → { height, body }; title, text: what was continued; lines: sentences
 * below; `pad` is left free around it.
 */
export function generationFigure({ title, text = '', draw, lines = [], note = '', theme = 'light', width = 720, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  let body = textAt(pad, pad + 14, title, { size: 15, weight: 600, fill: paint('ink') });
  let y = pad + 40;
  for (const line of text ? breakLines(text, inner, 14, labelWidth).slice(0, 4) : []) {
    body += textAt(pad, y, line, { size: 14, fill: paint('ink') });
    y += 22;
  }
  y += 2;
  const drawn = draw({ width: inner, paint });
  body += moved(pad, y - 10, drawn.body);
  y += drawn.height + 14;
  for (const whole of lines) {
    for (const line of breakLines(whole, inner, 13, labelWidth)) {
      body += textAt(pad, y, line, { size: 13, fill: paint('ink-2') });
      y += 20;
    }
  }
  if (note) {
    body += textAt(pad, y + 4, note, { fill: paint('ink-3') });
    y += 20;
  }
  return picture({ width, height: y + pad - 8, title, body, theme });
}
