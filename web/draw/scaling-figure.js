// Scaling laws drawn: published formulas, splits of a compute, and our own measured models.
import { bestSplit, computeOf, floorOf, kaplanSplit, lossOf, lossParts, lossRange, published, ranges, trained } from '../parts/scaling-laws.js';
import { lossIn } from '../parts/scaling-runs.js';
import { amountText, lossText, timesText } from '../parts/scaling-words.js';
import { labelWidth } from './label.js';
import { logPlot, logSpace } from './log-plot.js';
import { placeLabels } from './scatter.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

const dot = (x, y, { r = 5, fill, stroke, width = 1.5, paint }) => `<circle cx="${px(x)}" cy="${px(y)}" r="${r}" fill="${paint(fill)}"${stroke ? ` stroke="${paint(stroke)}" stroke-width="${width}"` : ''}/>`;
const stroke = (path, color, { paint, width = 1.5, dash = '' }) => (path ? `<path d="${path}" fill="none" stroke="${paint(color)}" stroke-width="${width}"${dash ? ` stroke-dasharray="${dash}"` : ''}/>` : '');

/** A text with a rim of paper, to be read on lines. */
const onPaper = (text, paint) => `<g stroke="${paint('surface')}" stroke-width="3" stroke-linejoin="round" paint-order="stroke">${text}</g>`;

/** The loss against one of N and D, the other held: axis `n` or `d`. → { width, height, body, valueAt(px) } */
export function lawShapes({ axis, law, n, d, width, height = 230, words, paint }) {
  const range = ranges[axis];
  const held = axis === 'n' ? d : n;
  const at = (x, other) => (axis === 'n' ? lossOf(law, x, other) : lossOf(law, other, x));
  const plot = logPlot({ width, height, x: range, y: lossRange(law), names: { x: axis === 'n' ? words.axisN : words.axisD, y: words.loss }, shade: trained[law][axis], paint });
  const body = [plot.body];
  const xs = logSpace(...range, 54);
  const floor = floorOf(law);
  if (floor) {
    body.push(stroke(`M${px(plot.inner.left)} ${px(plot.y(floor))}H${px(plot.inner.right)}`, 'ink-3', { paint, width: 1, dash: '2 3' }));
    body.push(textAt(plot.inner.left + 5, plot.y(floor) - 5, words.floor(floor), { fill: paint('ink-3') }));
  }
  body.push(stroke(plot.line(xs.map((x) => [x, at(x, Infinity)])), 'ink-3', { paint, dash: '5 3' }));
  body.push(stroke(plot.line(xs.map((x) => [x, at(x, held)])), 'accent', { paint, width: 2.5 }));
  const tag = [axis === 'n' ? words.endlessD : words.endlessN, range[0] * (range[1] / range[0]) ** 0.35];
  const low = at(tag[1], Infinity);
  if (low < lossRange(law)[1] * 0.95) body.push(textAt(plot.x(tag[1]) - 8, plot.y(low) + 12, tag[0], { fill: paint('ink-3'), anchor: 'end' }));
  const value = axis === 'n' ? n : d;
  const loss = lossOf(law, n, d);
  const [x, y] = [plot.x(value), plot.y(loss)];
  body.push(stroke(`M${px(x)} ${px(plot.inner.bottom)}V${px(y)}`, 'select', { paint, width: 1 }), dot(x, y, { r: 6, fill: 'accent', stroke: 'surface', width: 2, paint }));
  const right = x > plot.inner.right - 60;
  body.push(textAt(x + (right ? 4 : 10), Math.max(plot.inner.top + 12, y - 9), `${plot.inside(loss) ? '' : '↑ '}${lossText(loss)}`, { size: 13, weight: 600, anchor: right ? 'end' : 'start', fill: paint('accent') }));
  return { width, height, body: body.join(''), valueAt: plot.valueAt };
}

/** What the loss is made of, as one bar. */
export function partsShapes({ law, n, d, width, words, paint }) {
  const { floor, size, data } = lossParts(law, n, d);
  const loss = floor + size + data;
  const scale = width / Math.max(3.5, loss);
  const parts = [
    ['floor', floor, 'rule-control'],
    ['size', size, 'accent'],
    ['data', data, 'pos'],
  ];
  const body = [`<rect y="4" width="${px(width)}" height="18" rx="3" fill="${paint('sunken')}"/>`];
  let x = 0;
  for (const [, value, color] of parts) {
    body.push(`<rect x="${px(x)}" y="4" width="${px(Math.max(1, value * scale - 1))}" height="18" fill="${paint(color)}"/>`);
    x += value * scale;
  }
  const square = (color) => (left, middle) => `<rect x="${px(left + 12)}" y="${px(middle - 5)}" width="10" height="10" rx="2" fill="${paint(color)}"/>`;
  const names = legend(parts.map(([name, value, color]) => ({ text: `${words.parts[name]} ${lossText(value)}`, mark: square(color) })), { x: -12, y: 40, width: width + 12, paint });
  body.push(names.body);
  return { width, height: names.bottom + 6, body: body.join('') };
}

const lines = [
  { law: 'hoffmann', color: 'accent', dash: '', width: 2.5 },
  { law: 'besiroglu', color: 'pos-ink', dash: '7 3', width: 2 },
];

/** A compute split in every way: the loss against N at D = C/(6·N). */
export function splitShapes({ c, n, width, height = 260, words, paint }) {
  const bests = lines.map(({ law }) => bestSplit(law, c));
  const middle = Math.sqrt(bests[0].n * bests[1].n);
  const range = [Math.min(middle / 300, n / 1.5), Math.max(middle * 300, n * 1.5)];
  const least = Math.min(...bests.map(({ loss }) => loss));
  const top = Math.max(least * 1.45, lossOf('hoffmann', n, c / 6 / n) * 1.04);
  const plot = logPlot({ width, height, x: range, y: [least * 0.97, Math.min(top, least * 6)], names: { x: words.axisN, y: words.loss }, paint });
  const body = [plot.body];
  const xs = logSpace(...range, 60);
  lines.forEach(({ law, color, dash, width: thick }, i) => {
    body.push(stroke(plot.line(xs.map((x) => [x, lossOf(law, x, c / 6 / x)])), color, { paint, width: thick, dash }));
    const best = bests[i];
    body.push(dot(plot.x(best.n), plot.y(best.loss), { fill: 'surface', stroke: color, width: 2, paint }));
  });
  const loss = lossOf('hoffmann', n, c / 6 / n);
  const [x, y] = [plot.x(n), plot.y(loss)];
  body.push(stroke(`M${px(x)} ${px(plot.inner.bottom)}V${px(plot.inner.top)}`, 'select', { paint, width: 1 }), dot(x, y, { r: 6, fill: 'accent', stroke: 'surface', width: 2, paint }));
  const left = x > (plot.inner.left + plot.inner.right) / 2;
  body.push(textAt(x + (left ? -7 : 7), plot.inner.top + 12, `${plot.inside(loss) ? '' : '↑ '}${lossText(loss)}`, { size: 13, weight: 600, anchor: left ? 'end' : 'start', fill: paint('accent') }));
  return { width, height, body: body.join(''), valueAt: plot.valueAt };
}

/** The names of the lines, as a row. */
function legend(items, { x, y, width, paint }) {
  let [at, down] = [x, y];
  const body = [];
  for (const { text, mark } of items) {
    const long = labelWidth(text) * 12 + 46;
    if (at > x && at + long - 12 > x + width) [at, down] = [x, down + 18];
    body.push(mark(at, down - 4), textAt(at + 27, down, text, { fill: paint('ink-2') }));
    at += long;
  }
  return { body: body.join(''), bottom: down };
}

const lineMark = (color, paint, style) => (x, y) => stroke(`M${px(x)} ${px(y)}h21`, color, { paint, ...style });

export const splitLegend = ({ width, words, paint, kaplan = true }) =>
  legend(
    [
      ...lines.map(({ law, color, dash, width: thick }) => ({ text: words.laws[law], mark: lineMark(color, paint, { width: thick, dash }) })),
      ...(kaplan ? [{ text: words.laws.kaplan, mark: lineMark('ink-3', paint, { dash: '2 3' }) }] : []),
    ],
    { x: 0, y: 12, width, paint },
  );

/** The best N against C, by each paper, with the published models. */
export function optimumShapes({ c, width, height = 260, words, paint }) {
  const range = [1e16, 1e28];
  const plot = logPlot({ width, height, x: range, y: [1e6, 1e13], names: { x: words.axisC, y: words.axisN }, paint });
  const body = [plot.body];
  const xs = logSpace(...range, 12);
  body.push(stroke(plot.line(logSpace(...range, 60).map((x) => [x, kaplanSplit(x).n])), 'ink-3', { paint, dash: '2 3' }));
  for (const { law, color, dash, width: thick } of lines) body.push(stroke(plot.line(xs.map((x) => [x, bestSplit(law, x).n])), color, { paint, width: thick, dash }));
  const best = bestSplit('hoffmann', c).n;
  body.push(stroke(`M${px(plot.x(c))} ${px(plot.inner.bottom)}V${px(plot.inner.top)}`, 'select', { paint, width: 1 }), dot(plot.x(c), plot.y(best), { fill: 'surface', stroke: 'accent', width: 2, paint }));
  const points = published.map((model) => ({ x: plot.x(computeOf(model.n, model.d)) - plot.inner.left, y: plot.y(model.n) - plot.inner.top, label: model.name }));
  const placed = placeLabels(points, { width: plot.inner.right - plot.inner.left, height: plot.inner.bottom - plot.inner.top, size: 12, radius: 4 });
  points.forEach((point, i) => {
    body.push(dot(point.x + plot.inner.left, point.y + plot.inner.top, { r: 4, fill: 'ink', stroke: 'surface', paint }));
    if (placed[i]) body.push(onPaper(textAt(placed[i].x + plot.inner.left, placed[i].y + plot.inner.top, point.label, { size: 12, anchor: placed[i].anchor, fill: paint('ink') }), paint));
  });
  return { width, height, body: body.join(''), valueAt: plot.valueAt };
}

/** What of the readers' models fits beside the family: not further off than ten times in size. */
export function shownReaders(runs, readers, per) {
  if (per !== 'byte') return [];
  const sizes = runs.family.map(({ n }) => n);
  return readers.filter(({ n, perByte }) => n >= Math.min(...sizes) / 30 && n <= Math.max(...sizes) * 30 && perByte > 0 && perByte < 12);
}

/** The measured family with its fitted line and the error of that, and the reader's own models. */
export function oursShapes({ runs, fit, per, readers = [], width, height = 320, words, paint }) {
  const { family, bytesPerToken } = runs;
  const shown = (loss) => lossIn(loss, per, bytesPerToken);
  const own = shownReaders(runs, readers, per);
  const sizes = [...family.map(({ n }) => n), ...own.map(({ n }) => n)];
  const range = [Math.min(...sizes) / 1.7, Math.max(...sizes) * 1.7];
  const xs = logSpace(...range, 40);
  const losses = [...family.map(({ loss }) => shown(loss)), ...own.map(({ perByte }) => perByte)];
  const guesses = fit ? family.map(({ n }) => shown(fit.predict(n))) : [];
  const [low, high] = [Math.min(...losses, ...guesses.filter((x) => x > 0.5 * Math.min(...losses))), Math.max(...losses)];
  const room = (high / low) ** 0.12;
  const plot = logPlot({ width, height, x: range, y: [low / room, high * room], names: { x: words.axisOurs, y: per === 'byte' ? words.lossByte : words.loss }, paint });
  const body = [plot.body];
  if (fit) {
    if (fit.deviation) {
      const [bottom, top] = [low / room, high * room];
      const clip = (x) => Math.min(top, Math.max(bottom, Number.isFinite(x) ? x : top));
      const edge = (sign) => xs.map((n) => `${plot.x(n).toFixed(1)} ${plot.y(clip(shown(fit.predict(n) + sign * 2 * fit.deviation(n)))).toFixed(1)}`);
      body.push(`<path d="M${edge(1).join('L')}L${edge(-1).reverse().join('L')}z" fill="${paint('accent')}" fill-opacity="0.16"/>`);
    }
    body.push(stroke(plot.line(xs.map((n) => [n, shown(fit.predict(n))])), 'accent', { paint, width: 2 }));
    if (fit.floor > 0 && plot.inside(shown(fit.floor))) {
      body.push(stroke(`M${px(plot.inner.left)} ${px(plot.y(shown(fit.floor)))}H${px(plot.inner.right)}`, 'ink-3', { paint, width: 1, dash: '2 3' }));
      body.push(textAt(plot.inner.left + 5, plot.y(shown(fit.floor)) - 5, words.floor(lossText(shown(fit.floor))), { fill: paint('ink-3') }));
    }
  }
  const used = new Set(fit?.used ?? []);
  for (const run of family) {
    body.push(dot(plot.x(run.n), plot.y(shown(run.loss)), { r: 5.5, fill: used.has(run) ? 'accent' : 'surface', stroke: used.has(run) ? 'surface' : 'pos-ink', width: used.has(run) ? 1.5 : 2.5, paint }));
  }
  for (const { n, perByte } of own) {
    const [x, y] = [plot.x(n), plot.y(perByte)];
    body.push(`<path d="M${px(x)} ${px(y - 8)}l8 8l-8 8l-8 -8z" fill="${paint('neg')}" stroke="${paint('surface')}" stroke-width="1.5"/>`);
    const right = x > plot.inner.right - 60;
    body.push(textAt(x + (right ? -12 : 12), y + 4, words.key.reader, { size: 12, weight: 600, anchor: right ? 'end' : 'start', fill: paint('neg-ink') }));
  }
  return { width, height, body: body.join('') };
}

export const oursLegend = ({ width, words, paint, readers = false }) =>
  legend(
    [
      { text: words.key.used, mark: (x, y) => dot(x + 10, y, { r: 5.5, fill: 'accent', paint }) },
      { text: words.key.guessed, mark: (x, y) => dot(x + 10, y, { r: 5, fill: 'surface', stroke: 'pos-ink', width: 2.5, paint }) },
      ...(readers ? [{ text: words.key.reader, mark: (x, y) => `<path d="M${px(x + 10)} ${px(y - 7)}l7 7l-7 7l-7 -7z" fill="${paint('neg')}"/>` }] : []),
    ],
    { x: 0, y: 14, width, paint },
  );

const padded = (values, share) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(1.01, (high / low) ** share);
  return [low / room, high * room];
};

/** The loss after training against the amount of different text. */
export function dataShapes({ runs, run, width, height = 250, words, paint }) {
  const { data } = runs;
  const uniques = data.map(({ unique }) => unique);
  const range = [Math.min(...uniques) / 1.6, Math.max(...uniques) * 1.6];
  const plot = logPlot({ width, height, x: range, y: padded(data.map(({ loss }) => loss), 0.15), names: { x: words.axisUnique, y: words.loss }, paint });
  const body = [plot.body, stroke(plot.line(data.map(({ unique, loss }) => [unique, loss])), 'accent-line', { paint, width: 2 })];
  data.forEach(({ unique, loss, times }, i) => {
    const [x, y] = [plot.x(unique), plot.y(loss)];
    body.push(dot(x, y, { r: i === run ? 7 : 5, fill: i === run ? 'accent' : 'surface', stroke: i === run ? 'surface' : 'accent', width: 2, paint }));
    body.push(textAt(x + 8, y - 9, `×${timesText(times)}`, { weight: i === run ? 600 : 400, fill: paint(i === run ? 'accent' : 'ink-3') }));
  });
  return { width, height, body: body.join('') };
}

/** The held-out loss on the way, of every run; the chosen one stands out. */
export function curveShapes({ runs, run, width, height = 250, words, paint }) {
  const { data } = runs;
  const all = data.flatMap(({ curve }) => curve);
  const seen = all.map(([tokens]) => tokens);
  const plot = logPlot({ width, height, x: [Math.min(...seen), Math.max(...seen) * 1.05], y: padded(all.map(([, loss]) => loss), 0.06), names: { x: words.axisSeen, y: words.loss }, paint });
  const order = data.map((_, i) => i).sort((a, b) => (a === run) - (b === run));
  return { width, height, body: plot.body + order.map((i) => stroke(plot.line(data[i].curve), i === run ? 'accent' : 'accent-line', { paint, width: i === run ? 2.5 : 1.5 })).join('') };
}

/**
 * One view with its sentences as a standalone SVG string. state: of readSettings, with `runs`, `fit`, `readers` for the measured views;
 * says: { main, lines }; caption: what stands under the title.
 */
export function scalingFigure({ state, says, words, caption = '', note = '', language, theme = 'light', width = 720, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const beside = inner >= 620;
  const half = beside ? Math.floor((inner - 28) / 2) : inner;
  const amount = (x) => amountText(x, language);
  const body = [];
  let y = pad + 14;
  const write = (text, style) => {
    for (const line of breakLines(text, style.width ?? inner, style.size, labelWidth)) {
      body.push(textAt(style.x ?? pad, y, line, style));
      y += style.size * 1.5;
    }
  };
  const put = (drawn, x = pad) => {
    body.push(moved(x, y - 8, drawn.body));
    return drawn.height;
  };
  const pair = (panels) => {
    if (!beside) {
      for (const [name, drawn] of panels) {
        write(name, { size: 13, weight: 600, fill: paint('ink-2') });
        y += put(drawn) + 14;
      }
      return;
    }
    const top = y;
    let bottom = y;
    panels.forEach(([name, drawn], i) => {
      y = top;
      const x = pad + i * (half + 28);
      write(name, { size: 13, weight: 600, fill: paint('ink-2'), x, width: half });
      bottom = Math.max(bottom, y + put(drawn, x) + 14);
    });
    y = bottom;
  };
  const common = { words, paint, width: half };
  const { view, law, n, d, c, run, per, runs, fit, readers = [] } = state;
  write(words.titles[view], { size: 15, weight: 600, fill: paint('ink') });
  if (caption) write(caption, { size: 13, fill: paint('ink-2') });
  y += 8;
  if (view === 'law') {
    pair([
      [words.panelN(amount(d)), lawShapes({ axis: 'n', law, n, d, ...common })],
      [words.panelD(amount(n)), lawShapes({ axis: 'd', law, n, d, ...common })],
    ]);
    if (law !== 'kaplan') y += put(partsShapes({ law, n, d, ...common, width: Math.min(inner, 560) })) + 10;
  } else if (view === 'split') {
    const names = splitLegend({ ...common, width: inner });
    body.push(moved(pad, y - 8, names.body));
    y += names.bottom + 14;
    pair([
      [words.splitPanel(amount(c)), splitShapes({ c, n, ...common })],
      [words.optimumPanel, optimumShapes({ c, ...common })],
    ]);
  } else if (view === 'ours') {
    const names = oursLegend({ ...common, width: inner, readers: shownReaders(runs, readers, per).length > 0 });
    body.push(moved(pad, y - 8, names.body));
    y += names.bottom + 10;
    y += put(oursShapes({ runs, fit, per, readers, ...common, width: inner })) + 14;
  } else {
    pair([
      [words.dataPanel, dataShapes({ runs, run, ...common })],
      [words.curvePanel, curveShapes({ runs, run, ...common })],
    ]);
  }
  write(says.main, { size: 14, weight: 600, fill: paint('ink') });
  for (const line of says.lines) write(line, { size: 13, fill: paint('ink') });
  if (note) {
    y += 2;
    write(note, { size: 12, fill: paint('ink-3') });
  }
  return picture({ width, height: y - 8 + pad, title: words.titles[view], body: body.join(''), theme });
}
