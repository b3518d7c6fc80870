import { strongColour } from './cosine.js';
import { clipLabel, labelWidth } from './label.js';
import { formatFixed, formatNumber, formatPercent } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';
import { foldOf, vectorShapes } from './vector-strip.js';
import { activationOf, firstJoints, geluCurve, layerJoints, rowAt } from '../parts/pipeline.js';
import { still } from '../parts/pipeline-sentences.js';

/** A vector of any length as a strip, folded where cells would be too small. → { height, body } */
export function jointStrip({ values, width, paint, shades }) {
  const columns = foldOf(values.length, width, 2.2);
  const rows = Math.ceil(values.length / columns);
  return vectorShapes({ values, columns, width, rowHeight: rows === 1 ? 18 : rows < 6 ? 9 : 4, limit: strongColour(values), paint, shades });
}

/**
 * The length of the residual stream along the way as a line, and of what attention and MLP add as bars. stations: of `streamAt`; layer: the one marked; words: strings of
 * `transformer`. → body
 */
export function streamShapes({ stations, layer, width, height, words, paint }) {
  const [left, right, top, base] = [40, width - 6, 20, height - 22];
  const most = Math.max(...stations.map(({ length, added }) => Math.max(length, added ?? 0))) || 1;
  const step = (right - left) / stations.length;
  const x = (i) => left + (i + 0.5) * step;
  const y = (v) => base - (v / most) * (base - top);
  const layers = (stations.length - 1) / 2;
  const marks = [0, most / 2, most];
  const line = stations.map(({ length }, i) => `${i ? 'L' : 'M'}${px(x(i))} ${px(y(length))}`).join('');
  const bar = (joint) =>
    stations.map((one, i) => (one.joint === joint && one.added !== null ? `M${px(x(i) - step * 0.3)} ${px(base)}V${px(y(one.added))}h${px(step * 0.6)}V${px(base)}z` : '')).join('');
  const every = Math.ceil(layers / Math.max(1, Math.floor((right - left) / 44)));
  return (
    `<rect x="${px(left + (1 + 2 * layer) * step)}" y="${top - 8}" width="${px(2 * step)}" height="${px(base - top + 8)}" fill="${paint('accent-soft')}"/>` +
    marks.map((v) => `<path d="M${left} ${px(y(v))}H${px(right)}" stroke="${paint(v ? 'rule' : 'rule-control')}"/>` + textAt(left - 6, y(v) + 4, v ? formatNumber(v, 2) : '0', { size: 11, anchor: 'end', fill: paint('ink-3') })).join('') +
    `<path d="${bar('resid_mid')}" fill="${paint('accent-line')}"/><path d="${bar('resid_out')}" fill="${paint('pos-cell')}"/>` +
    `<path d="${line}" fill="none" stroke="${paint('ink')}" stroke-width="1.75"/>` +
    (layers <= 24 ? stations.map(({ length }, i) => `<circle cx="${px(x(i))}" cy="${px(y(length))}" r="2.6" fill="${paint('ink')}"/>`).join('') : '') +
    textAt(x(0), height - 6, words.station, { size: 11, anchor: 'middle', fill: paint('ink-3') }) +
    Array.from({ length: layers }, (_, i) => (i % every ? '' : textAt(left + (2 + 2 * i) * step, height - 6, words.layerShort(i), { size: 11, anchor: 'middle', weight: i === layer ? 600 : 400, fill: paint(i === layer ? 'ink' : 'ink-3') }))).join('')
  );
}

/**
 * The way of one token through the model as a standalone SVG string: each joint's numbers at that token as a strip, with their length. asked: of `askPipeline`; stations: of `streamAt`; rows: names of
 * the joints to draw in the chosen layer; `brief` leaves out what a page has no room for.
 */
export function pipelineFigure({ asked, config, layer, position, label, stations, sentence, words, brief = false, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const { activations } = asked;
  let y = pad + 14;
  let body = textAt(pad, y, words.titles.pipeline, { size: 15, weight: 600, fill: paint('ink') });
  const write = (text, fill = 'ink-2') => {
    for (const line of breakLines(text, inner, 13, labelWidth)) {
      y += 20;
      body += textAt(pad, y, line, { size: 13, fill: paint(fill) });
    }
  };
  write(sentence);
  y += 8;
  body += moved(pad, y, streamShapes({ stations, layer, width: inner, height: 130, words, paint }));
  y += 136;
  write(words.streamKey, 'ink-3');
  y += 16;
  const wide = inner > 500;
  const left = wide ? 210 : 0;
  const values = wide ? 62 : 0;
  const numbers = [];
  const row = (name, vector, strong) => {
    const drawn = jointStrip({ values: vector, width: inner - left - values, paint, shades: brief ? 4 : undefined });
    const length = formatNumber(Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)));
    const at = wide ? y + drawn.height / 2 + 4 : y + 11;
    body += textAt(pad, at, clipLabel(name, (wide ? left - 8 : inner - 70) / 12.5), { weight: strong ? 600 : 400, fill: paint(strong ? 'ink' : 'ink-2') });
    numbers.push(textAt(width - pad, at, length, { anchor: 'end', fill: paint('ink') }));
    body += moved(pad + left, wide ? y : y + 16, drawn.body);
    y += drawn.height + (wide ? 7 : 25);
  };
  const at = (joint, one = layer) => rowAt(activations[activationOf(joint, one)], position);
  const shown = brief ? ['ln_1', 'attn.out', 'ln_2', 'mlp.out'] : layerJoints.slice(0, -1);
  for (const joint of brief ? ['resid_in'] : firstJoints) row(words.joints[joint], at(joint), joint === 'resid_in');
  for (let one = 0; one < config.nLayer; one++) {
    if (one === layer) for (const joint of shown) row(`　${words.joints[joint]}`, at(joint), joint === 'resid_mid');
    if (!brief || one === layer || one === config.nLayer - 1) row(words.afterLayer(one), at('resid_out', one), true);
  }
  row(words.joints.ln_f, at('ln_f'));
  body += `<g data-numbers="lengths">${numbers.join('')}</g>`;
  y += 4;
  write(words.guesses(label, asked.guess.slice(0, 3).map(({ label: token, p }) => [token, formatPercent(p)])), 'ink');
  if (note) {
    y += 22;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.titles.pipeline, body, theme });
}

const bins = 41;

/** How the numbers of a vector lie, on an axis ±limit: bars, the mean as a line, one spread to each side as a bracket. */
export function spreadShapes({ values, mean, spread, limit, width, height, fill, paint }) {
  const counts = new Array(bins).fill(0);
  for (const v of values) counts[Math.min(bins - 1, Math.max(0, Math.floor(((v + limit) / (2 * limit)) * bins)))] += 1;
  const [top, base] = [16, height - 18];
  const x = (v) => ((v + limit) / (2 * limit)) * width;
  const step = width / bins;
  const most = Math.max(...counts);
  const bars = counts.map((count, i) => (count ? `M${px(i * step + 0.5)} ${px(base)}v${px((-count / most) * (base - top))}h${px(step - 1)}V${px(base)}z` : '')).join('');
  const [from, to] = [Math.max(0, x(mean - spread)), Math.min(width, x(mean + spread))];
  return (
    `<path d="M${px(x(0))} ${top - 4}V${px(base + 4)}" stroke="${paint('rule')}"/><path d="${bars}" fill="${paint(fill)}"/><path d="M0 ${px(base)}H${px(width)}" stroke="${paint('rule-control')}"/>` +
    `<path d="M${px(from)} 4V12M${px(from)} 8H${px(to)}M${px(to)} 4V12" stroke="${paint('ink')}" stroke-width="1.5" fill="none"/><circle cx="${px(x(mean))}" cy="8" r="3.2" fill="${paint('ink')}"/>` +
    [-limit, 0, limit].map((v, i) => textAt(x(v), height - 3, v === 0 ? '0' : formatNumber(v, 2), { size: 11, anchor: ['start', 'middle', 'end'][i], fill: paint('ink-3') })).join('')
  );
}

/** The end of the axis that the three of a norm share. */
export const spreadLimit = ({ before, even, after }) => Math.max(...[before, even, after].map(({ values }) => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0))) || 1;

export const normParts = ['before', 'even', 'after'];

/** A norm before and after, as a standalone SVG string. view: of `normAt`. */
export function normFigure({ view, sentence, name, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const limit = spreadLimit(view);
  let y = pad + 14;
  let body = textAt(pad, y, words.titles.norm, { size: 15, weight: 600, fill: paint('ink') });
  for (const line of breakLines(sentence, inner, 13, labelWidth)) {
    y += 20;
    body += textAt(pad, y, line, { size: 13, fill: paint('ink-2') });
  }
  y += 20;
  body += textAt(pad, y + 4, name, { fill: paint('ink-3') });
  const wide = inner > 560;
  const gap = 24;
  const each = wide ? (inner - 2 * gap) / 3 : inner;
  const start = y + 26;
  normParts.forEach((part, i) => {
    const x = pad + (wide ? i * (each + gap) : 0);
    const at = start + (wide ? 0 : i * 156);
    const { values, mean, spread } = view[part];
    body += textAt(x, at, words.normParts[part], { weight: 600, fill: paint('ink') });
    body += textAt(x, at + 18, words.moments(still(mean), formatNumber(spread)), { fill: paint('ink-2') });
    body += moved(x, at + 28, spreadShapes({ values, mean, spread, limit, width: each, height: 104, fill: part === 'before' ? 'accent-line' : 'accent', paint }));
  });
  y = start + (wide ? 132 : 444);
  if (note) {
    y += 22;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.titles.norm, body, theme });
}

/** Measures of the GELU curve's frame for these pre-activations. */
export function geluFrame(pre, width, height) {
  const reach = Math.max(3, ...Array.from(pre, Math.abs));
  const limit = Math.ceil(reach);
  const [left, right, top, base] = [34, width - 8, 10, height - 24];
  return { limit, left, right, top, base, x: (v) => left + ((v + limit) / (2 * limit)) * (right - left), y: (v) => base - ((v + 0.5) / (limit + 0.5)) * (base - top) };
}

/** The GELU curve with the real pre-activations of one token on it; `marked` neurons larger. → body */
export function geluShapes({ pre, act, marked = [], width, height, words, paint }) {
  const { limit, left, right, top, base, x, y } = geluFrame(pre, width, height);
  const samples = 80;
  const curve = Array.from({ length: samples + 1 }, (_, i) => -limit + (2 * limit * i) / samples)
    .map((v, i) => `${i ? 'L' : 'M'}${px(x(v))} ${px(y(geluCurve(v)))}`)
    .join('');
  // On a curve one dot for each px across is all that can be told apart.
  const dots = [...new Map(Array.from(pre, (v, i) => [Math.round(x(v)), `M${Math.round(x(v))} ${Math.round(y(act[i]) * 2) / 2}h0`])).values()].join('');
  const every = limit > 8 ? 4 : limit > 4 ? 2 : 1;
  const marks = [];
  for (let v = -Math.floor(limit / every) * every; v <= limit; v += every) marks.push(v);
  return (
    marks.map((v) => `<path d="M${px(x(v))} ${top}V${px(base)}" stroke="${paint(v ? 'rule' : 'rule-control')}"/>` + textAt(x(v), height - 8, formatFixed(v, 0), { size: 11, anchor: 'middle', fill: paint('ink-3') })).join('') +
    marks.filter((v) => v >= 0).map((v) => `<path d="M${left} ${px(y(v))}H${px(right)}" stroke="${paint(v ? 'rule' : 'rule-control')}"/>` + textAt(left - 6, y(v) + 4, formatFixed(v, 0), { size: 11, anchor: 'end', fill: paint('ink-3') })).join('') +
    `<path d="${curve}" fill="none" stroke="${paint('accent-line')}" stroke-width="2.5"/>` +
    `<path d="${dots}" stroke="${paint('accent')}" stroke-width="5" stroke-linecap="round" stroke-opacity="0.55" fill="none"/>` +
    marked.map((i) => `<circle cx="${px(x(pre[i]))}" cy="${px(y(act[i]))}" r="5.5" fill="${paint('pos')}" stroke="${paint('surface')}" stroke-width="1.5"/>`).join('') +
    textAt(left + 4, top + 10, words.geluVertical, { size: 11, fill: paint('ink-3') }) +
    textAt(right, base - 5, words.geluAxis, { size: 11, anchor: 'end', fill: paint('ink-3') })
  );
}

/** How strongly one neuron fires along the text: a bar for each token, the chosen one in the accent. */
export function alongShapes({ values, position, most, width, height, paint }) {
  const step = width / values.length;
  const zero = height - 3;
  const bar = (v, i) => `M${px(i * step)} ${px(zero)}v${px((-Math.max(0, v) / (most || 1)) * (zero - 2))}h${px(Math.max(step - (step > 4 ? 1 : 0), 0.5))}V${px(zero)}z`;
  return (
    `<rect width="${px(width)}" height="${px(height)}" fill="${paint('sunken')}" rx="2"/>` +
    `<path d="${Array.from(values, (v, i) => (i === position || v <= 0.01 ? '' : bar(v, i))).join('')}" fill="${paint('accent-line')}"/><path d="${bar(values[position], position)}" fill="${paint('pos')}"/>` +
    `<path d="M0 ${zero}H${px(width)}" stroke="${paint('rule-control')}"/>`
  );
}

/** The MLP of one layer at one token, as a standalone SVG string. view: of `neuronsAt`. */
export function mlpFigure({ view, position, neuron, sentence, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  let y = pad + 14;
  let body = textAt(pad, y, words.titles.mlp, { size: 15, weight: 600, fill: paint('ink') });
  for (const line of breakLines(sentence, inner, 13, labelWidth)) {
    y += 20;
    body += textAt(pad, y, line, { size: 13, fill: paint('ink-2') });
  }
  y += 12;
  const wide = inner > 560;
  const curve = wide ? inner * 0.52 : inner;
  const height = 230;
  body += moved(pad, y, geluShapes({ pre: view.pre, act: view.act, marked: [neuron], width: curve, height, words, paint }));
  const left = wide ? pad + curve + 28 : pad;
  const room = width - pad - left;
  let at = wide ? y + 8 : y + height + 20;
  const numbers = [];
  body += textAt(left, at, words.topNeurons, { weight: 600, fill: paint('ink') });
  const most = Math.max(...view.top.map(({ along }) => along.reduce((high, v) => Math.max(high, v), 0)));
  for (const one of view.top) {
    at += 34;
    body += textAt(left, at, words.neuron(one.neuron), { weight: one.neuron === neuron ? 600 : 400, fill: paint('ink') });
    body += moved(left + 72, at - 17, alongShapes({ values: one.along, position, most, width: room - 72 - 52, height: 24, paint }));
    numbers.push(textAt(width - pad, at, formatNumber(one.act), { anchor: 'end', fill: paint('ink') }));
  }
  body += `<g data-numbers="act">${numbers.join('')}</g>`;
  y = Math.max(y + height, at) + 8;
  if (note) {
    y += 20;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.titles.mlp, body, theme });
}
