// Work and time of reading a prompt against its length.
import { labelWidth } from './label.js';
import { axisNumbers } from './large-number.js';
import { formatNumber } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

const niceStep = (most, parts) => {
  const raw = most / parts;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 2.5, 5, 10].find((x) => x * power >= raw) * power;
};

function frame({ width, height, most, mostX, words, paint, ticksX, format }) {
  const step = niceStep(most, 4);
  const ticksY = Array.from({ length: Math.floor((most * 1.0001) / step) + 1 }, (_, i) => ({ value: i * step, name: format(i * step) }));
  const [left, right, top, bottom] = [Math.max(52, Math.ceil(Math.max(...ticksY.map(({ name }) => labelWidth(name))) * 12) + 8), width - 12, 12, height - 34];
  const x = (n) => left + ((right - left) * n) / mostX;
  const y = (value) => bottom - ((bottom - top) * value) / most;
  const body = [];
  for (const { value, name } of ticksY) {
    body.push(`<path d="M${px(left)} ${px(y(value))}H${px(right)}" stroke="${paint(value ? 'rule' : 'rule-control')}"/>`);
    body.push(textAt(left - 6, y(value) + 4, name, { fill: paint('ink-3'), anchor: 'end' }));
  }
  for (const tick of ticksX) body.push(textAt(x(tick), bottom + 16, formatNumber(tick), { fill: paint('ink-3'), anchor: 'middle' }));
  body.push(textAt(right, bottom + 31, words.axis, { fill: paint('ink-3'), anchor: 'end' }));
  return { x, y, body };
}

const ticksFor = (longest) => [0, 1, 2, 3, 4].map((part) => Math.round((longest * part) / 4));

/** The counted work of 1 … longest tokens, the part that grows with n and on it that with n²; work(n) as countedWork gives it. */
export function workShapes({ work, longest, width, height = 210, words, language = 'zh', paint }) {
  const at = Array.from({ length: 33 }, (_, i) => (longest * i) / 32).map((n) => ({ n, ...work(n) }));
  const most = at.at(-1).total * 1.05;
  const { x, y, body } = frame({ width, height, most, mostX: longest, words, paint, ticksX: ticksFor(longest), format: axisNumbers(most, language) });
  const line = (f) => at.map((one, i) => `${i ? 'L' : 'M'}${px(x(one.n))} ${px(y(f(one)))}`).join('');
  const linear = (one) => one.matrices + one.head;
  body.push(`<path d="${line(linear)}L${px(x(longest))} ${px(y(0))}L${px(x(0))} ${px(y(0))}z" fill="${paint('accent-line')}" opacity="0.6"/>`);
  const back = [...at].reverse().map((one) => `L${px(x(one.n))} ${px(y(linear(one)))}`).join('');
  body.push(`<path d="${line((one) => one.total)}${back}z" fill="${paint('pos')}"/>`);
  body.push(`<path d="${line((one) => one.total)}" fill="none" stroke="${paint('ink')}" stroke-width="1.5"/>`);
  return { width, height, body: body.join('') };
}

/** Measured times with their spread, and the fitted curve; measured: of summarise. */
export function timeShapes({ measured, width, height = 240, words, paint }) {
  const { points, a, b, c } = measured;
  const longest = points.at(-1).tokens;
  const most = Math.max(...points.map((point) => point.most)) * 1.06;
  const { x, y, body } = frame({ width, height, most, mostX: longest, words, paint, ticksX: ticksFor(longest), format: (value) => formatNumber(value) });
  const clip = (value) => Math.min(most, Math.max(0, value));
  body.push(`<path d="${Array.from({ length: 49 }, (_, i) => (longest * i) / 48).map((n, i) => `${i ? 'L' : 'M'}${px(x(n))} ${px(y(clip(a + b * n + c * n * n)))}`).join('')}" fill="none" stroke="${paint('accent')}" stroke-width="2.25"/>`);
  for (const { tokens, least, most: slowest } of points) {
    body.push(`<path d="M${px(x(tokens))} ${px(y(least))}V${px(y(slowest))}M${px(x(tokens) - 4)} ${px(y(least))}h8M${px(x(tokens) - 4)} ${px(y(slowest))}h8" stroke="${paint('ink-3')}" stroke-width="1.5" fill="none"/>`);
    body.push(`<circle cx="${px(x(tokens))}" cy="${px(y(least))}" r="4.5" fill="${paint('surface')}" stroke="${paint('accent')}" stroke-width="2"/>`);
  }
  return { width, height, body: body.join('') };
}

/** The work, and the times if there are any, as a standalone SVG string; sentences: { work: [], time: [] }. */
export function prefillFigure({ work, longest, measured = null, sentences, words, language = 'zh', note = '', theme = 'light', width = 720, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const body = [];
  let y = pad + 14;
  const write = (text, style) => {
    for (const line of breakLines(text, inner, style.size, labelWidth)) {
      body.push(textAt(pad, y, line, style));
      y += style.size * 1.5;
    }
  };
  write(words.title, { size: 15, weight: 600, fill: paint('ink') });
  const part = (name, drawn, lines) => {
    y += 8;
    write(name, { size: 13, weight: 600, fill: paint('ink-2') });
    body.push(moved(pad, y - 8, drawn.body));
    y += drawn.height + 8;
    for (const line of lines) write(line, { size: 13, fill: paint('ink') });
  };
  if (measured) part(words.time, timeShapes({ measured, width: inner, words, paint }), sentences.time);
  part(words.work, workShapes({ work, longest, width: inner, words, language, paint }), sentences.work);
  if (note) write(note, { size: 12, fill: paint('ink-3') });
  return picture({ width, height: y - 10 + pad, title: words.title, body: body.join(''), theme });
}
