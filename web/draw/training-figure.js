// The loss of a training run against its steps. Pure drawing.
import { labelWidth } from './label.js';
import { formatNumber } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';
import { ticksFor } from './timeline-figure.js';

const leastSpan = 20; // steps that the axis has at least
const pad = 14;

/**
 * The points of a curve with their running mean: [{ step, loss, smooth }]. It reaches over a twentieth of the curve, half of it to either side, and less at the beginning,
 * where the loss falls fast.
 */
export function smoothed(points) {
  return points.map(({ from, to, loss }, i) => {
    const reach = Math.min(Math.floor(i / 3), Math.ceil(points.length / 40));
    const near = points.slice(i - reach, i + reach + 1);
    return { step: (from + to) / 2, loss, smooth: near.reduce((sum, one) => sum + one.loss, 0) / near.length };
  });
}

/** Ticks of a logarithmic axis: a few round numbers of each power of ten within low … high. */
function logTicks(low, high) {
  const ticks = [];
  const steps = high / low < 20 ? [1, 1.5, 2, 3, 5, 7] : [1, 2, 5];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const n of steps) {
      const tick = Number((n * 10 ** power).toPrecision(6));
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  }
  return ticks;
}

/** The axis of losses → { ticks, at(loss): share 0 … 1 of the height from below }. */
function lossAxis({ values, chance, log }) {
  const finite = values.filter(Number.isFinite);
  // What goes astray leaves the picture above, or the rest would be a line at its foot.
  const most = Math.min(Math.max(chance, ...finite), 2 * chance);
  if (!log) {
    const { ticks } = ticksFor(most * 1.05, 5);
    const high = Math.max(most * 1.05, ticks.at(-1));
    return { ticks, at: (loss) => Math.min(high, Math.max(0, loss)) / high };
  }
  const low = Math.max(1e-3, Math.min(chance / 4, ...finite.filter((x) => x > 0)) * 0.9);
  const high = most * 1.15;
  const span = Math.log(high / low);
  return { ticks: logTicks(low, high), at: (loss) => Math.log(Math.min(high, Math.max(low, loss)) / low) / span };
}

/** Moves labels apart that would stand on each other: [{ y, … }] within top … bottom. */
function spread(labels, gap, top, bottom) {
  const list = [...labels].sort((a, b) => a.y - b.y);
  list.forEach((label, i) => (label.y = Math.max(label.y, i ? list[i - 1].y + gap : top)));
  for (let i = list.length - 1; i >= 0; i -= 1) list[i].y = Math.min(list[i].y, i === list.length - 1 ? bottom : list[i + 1].y - gap);
  return list;
}

/**
 * points, heldOut, rates: of a Curve; chance: the loss of guessing at random, ln V, in nats; log: a logarithmic axis of losses; span: steps that the axis shows at least →
 * { height, body }. The thin line is every step's loss, the thick one a running mean; held-out losses are dashed with dots.
 */
export function trainingShapes({ points, heldOut, rates = [], chance, log = false, span = 0, width, height = 280, words, paint }) {
  const roomy = width >= 480;
  const left = log ? 40 : 30;
  const right = width - (roomy ? 92 : 72);
  const [top, bottom] = [32, height - 26];
  const last = Math.max(leastSpan, span, points.at(-1)?.to ?? 0, heldOut.at(-1)?.step ?? 0);
  const line = smoothed(points);
  const axis = lossAxis({ values: [...points.map(({ loss }) => loss), ...heldOut.map(({ loss }) => loss)], chance, log });
  const x = (step) => left + ((right - left) * step) / last;
  const y = (loss) => bottom - (bottom - top) * axis.at(loss);
  const body = [];
  for (const tick of axis.ticks) {
    body.push(`<path d="M${px(left)} ${px(y(tick))}H${px(right)}" stroke="${paint(tick === axis.ticks[0] ? 'rule-control' : 'rule')}"/>`);
    body.push(textAt(left - 6, y(tick) + 4, formatNumber(tick), { size: 11.5, anchor: 'end', fill: paint('ink-3') }));
  }
  for (const tick of ticksFor(last, roomy ? 6 : 4).ticks.filter(Number.isInteger)) {
    body.push(`<path d="M${px(x(tick))} ${px(bottom)}v4" stroke="${paint('rule-control')}"/>`);
    body.push(textAt(x(tick), bottom + 17, formatNumber(tick), { size: 11.5, anchor: 'middle', fill: paint('ink-3') }));
  }
  body.push(textAt(0, 10, words.axisLoss, { size: 11.5, fill: paint('ink-3') }));
  body.push(textAt(right + 20, bottom + 17, words.axisSteps, { size: 11.5, fill: paint('ink-3') }));

  let written = -Infinity; // where the last rate's name ends
  for (const { step, rate } of rates.slice(1)) {
    body.push(`<path data-rate="${rate}" d="M${px(x(step))} ${top}V${px(bottom)}" stroke="${paint('rule-control')}" stroke-dasharray="2 3"/>`);
    const name = String(Number(rate.toPrecision(3)));
    if (x(step) + 3 < written || x(step) + 3 + labelWidth(name) * 10.5 > right) continue;
    body.push(textAt(x(step) + 3, top - 3, name, { size: 10.5, fill: paint('ink-3') }));
    written = x(step) + 8 + labelWidth(name) * 10.5;
  }
  body.push(`<path d="M${px(left)} ${px(y(chance))}H${px(right)}" stroke="${paint('ink-3')}" stroke-dasharray="1 3" stroke-width="1.5"/>`);
  const labels = [{ y: y(chance) + 4, text: words.chanceLabel(formatNumber(chance)), fill: 'ink-3', weight: 400 }];
  const path = (list, value) => list.map((one, i) => `${i ? 'L' : 'M'}${px(x(one.step))} ${px(y(value(one)))}`).join('');
  if (line.length) {
    const end = line.at(-1);
    if (line.length > 1) {
      body.push(`<path data-line="each" d="${path(line, (one) => one.loss)}" fill="none" stroke="${paint('accent-line')}" stroke-width="1" stroke-linejoin="round"/>`);
      body.push(`<path data-line="train" d="${path(line, (one) => one.smooth)}" fill="none" stroke="${paint('accent')}" stroke-width="2.25" stroke-linejoin="round"/>`);
    }
    body.push(`<circle cx="${px(x(end.step))}" cy="${px(y(end.smooth))}" r="3.5" fill="${paint('accent')}"/>`);
    labels.push({ y: y(end.smooth) + 4, text: words.trainLabel(formatNumber(end.smooth)), fill: 'accent', weight: 600 });
  }
  if (heldOut.length) {
    const end = heldOut.at(-1);
    if (heldOut.length > 1) body.push(`<path data-line="held-out" d="${path(heldOut, (one) => one.loss)}" fill="none" stroke="${paint('pos-ink')}" stroke-width="2" stroke-dasharray="5 3"/>`);
    for (const one of heldOut.length > 40 ? [end] : heldOut) body.push(`<circle cx="${px(x(one.step))}" cy="${px(y(one.loss))}" r="2.5" fill="${paint('pos-ink')}"/>`);
    labels.push({ y: y(end.loss) + 4, text: words.heldOutLabel(formatNumber(end.loss)), fill: 'pos-ink', weight: 600 });
  }
  const size = Math.min(12, ...labels.map(({ text }) => (width - right - 8) / labelWidth(text)));
  for (const label of spread(labels, 16, top + 4, bottom + 4)) {
    body.push(textAt(right + 7, label.y, label.text, { size, weight: label.weight, fill: paint(label.fill) }));
  }
  return { height, body: body.join('') };
}

/**
 * The curve with its sentences, and samples if wanted, as a standalone SVG string. samples: [{ name, text }]; the rest as trainingShapes takes it.
 */
export function trainingFigure({ title, lines = [], samples = [], note = '', theme = 'light', width = 720, words, ...curve }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const body = [];
  let y = pad + 14;
  const write = (text, { size = 13, weight = 400, fill = 'ink-2', most = Infinity }) => {
    for (const line of breakLines(text, inner, size, labelWidth).slice(0, most)) {
      body.push(textAt(pad, y, line, { size, weight, fill: paint(fill) }));
      y += size * 1.55;
    }
  };
  write(title, { size: 15, weight: 600, fill: 'ink' });
  y -= 7;
  const drawn = trainingShapes({ ...curve, width: inner, words, paint });
  body.push(moved(pad, y, drawn.body));
  y += drawn.height + 18;
  for (const line of lines) write(line, {});
  for (const { name, text } of samples) {
    y += 6;
    write(name, { size: 12, fill: 'ink-3' });
    write(text, { fill: 'ink', most: 3 });
  }
  if (note) {
    y += 4;
    write(note, { size: 12, fill: 'ink-3' });
  }
  return picture({ width, height: y - 8 + pad, title, body: body.join(''), theme });
}
