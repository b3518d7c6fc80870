import { labelWidth } from './label.js';
import { formatFixed, formatNumber } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

const bins = 128;
export const percent = (share) => `${formatFixed(100 * share, 1)}%`;

/** The end of the axis that all score histograms of one draw share: beyond the largest score, a multiple of ten. */
export const axisLimit = (runs) => Math.ceil(Math.max(1, ...runs.map(({ raw }) => raw.scores.reduce((most, x) => Math.max(most, Math.abs(x)), 0))) / 10) * 10;

/** How many scores fall into each of `bins` bins of equal width between −limit and limit. */
export function countBins(scores, limit) {
  const counts = new Array(bins).fill(0);
  for (const score of scores) counts[Math.min(bins - 1, Math.max(0, Math.floor(((score + limit) / (2 * limit)) * bins)))] += 1;
  return counts;
}

/** The largest value that `gradient` can take with so many keys: that of equal weights. */
export const mostGradient = (keys) => 2 * (1 - 1 / keys);

/**
 * Scores as a histogram, `width` × `height` px with its axis. side: { scores, deviation }; fill: the name of a colour.
 * The line above the bars reaches one standard deviation to each side.
 */
export function histogramShapes({ side, limit, width, height, fill, paint }) {
  const counts = countBins(side.scores, limit);
  const top = 20;
  const base = height - 20;
  const x = (score) => ((score + limit) / (2 * limit)) * width;
  const most = Math.max(...counts);
  const step = width / bins;
  const bars = counts
    .map((count, i) => (count ? `M${px(i * step)} ${px(base)}v${px((-count / most) * (base - top))}h${px(Math.max(step * 0.86, 1))}V${px(base)}z` : ''))
    .join('');
  const tick = limit > 75 ? 50 : limit > 30 ? 20 : limit > 15 ? 10 : 5;
  const marks = [];
  for (let at = -Math.floor(limit / tick) * tick; at <= limit; at += tick) marks.push(at);
  const from = x(-side.deviation);
  const to = x(side.deviation);
  const ends = to - from > 9 ? 4 : 3;
  return (
    `<path d="${marks.map((at) => `M${px(x(at))} ${px(top - 4)}V${px(base + 4)}`).join('')}" stroke="${paint('rule')}"/>` +
    `<path d="${bars}" fill="${paint(fill)}"/>` +
    `<path d="M0 ${px(base)}H${px(width)}" stroke="${paint('rule-control')}"/>` +
    `<path d="M${px(from)} ${10 - ends}V${10 + ends}M${px(from)} 10H${px(to)}M${px(to)} ${10 - ends}V${10 + ends}" stroke="${paint('ink')}" stroke-width="1.5" fill="none"/>` +
    textAt(to + 7 + labelWidth(`±${formatNumber(side.deviation)}`) * 11 > width ? from - 7 : to + 7, 14, `±${formatNumber(side.deviation)}`, {
      size: 11.5,
      anchor: to + 7 + labelWidth(`±${formatNumber(side.deviation)}`) * 11 > width ? 'end' : 'start',
      weight: 600,
      fill: paint('ink'),
    }) +
    marks
      .filter((at) => Math.abs(at) < limit * 0.97)
      .map((at) => textAt(x(at), height - 4, formatFixed(at, 0), { size: 11, anchor: 'middle', fill: paint('ink-3') }))
      .join('')
  );
}

/**
 * Two lines over the powers of two that `runs` [{ d, raw, scaled }] were made for. value(side) → what is drawn; log: doubling is one step
 * up; most: the end of the axis when not log; names: { raw, scaled } at the lines' ends; d: the marked one.
 */
export function curveShapes({ runs, value, d, width, height, log = false, most = 1, names, paint }) {
  const left = 34;
  const right = Math.ceil(Math.max(labelWidth(names.raw), labelWidth(names.scaled)) * 12) + 12;
  const top = 10;
  const base = height - 22;
  const last = Math.log2(runs[runs.length - 1].d) || 1;
  const x = (power) => left + (power / last) * (width - left - right);
  const values = runs.flatMap(({ raw, scaled }) => [value(raw), value(scaled)]);
  const low = log ? Math.floor(Math.log2(Math.min(...values))) : 0;
  const high = log ? Math.ceil(Math.log2(Math.max(...values))) : most;
  const y = (v) => base - (((log ? Math.log2(v) : v) - low) / (high - low || 1)) * (base - top);
  const marks = log ? Array.from({ length: high - low + 1 }, (_, i) => 2 ** (low + i)) : [0, most / 2, most];
  const show = (v) => (log ? formatFixed(v, v < 1 ? -Math.log2(v) : 0) : formatFixed(v, v === 0 ? 0 : 2));
  const point = (side) => runs.map((run) => [x(Math.log2(run.d)), y(value(run[side]))]);
  const line = (side) => `M${point(side).map((p) => p.map(px).join(' ')).join('L')}`;
  const dots = (side, fill, stroke) => `<g fill="${paint(fill)}" stroke="${paint(stroke)}" stroke-width="1.4">${point(side).map(([cx, cy]) => `<circle cx="${px(cx)}" cy="${px(cy)}" r="2.6"/>`).join('')}</g>`;
  const ends = { raw: y(value(runs[runs.length - 1].raw)), scaled: y(value(runs[runs.length - 1].scaled)) };
  if (Math.abs(ends.raw - ends.scaled) < 14) ends[ends.raw < ends.scaled ? 'raw' : 'scaled'] -= 14 - Math.abs(ends.raw - ends.scaled);
  const chosen = x(Math.log2(d));
  const every = width < 300 ? 2 : 1;
  return (
    `<path d="M${px(chosen)} ${top - 6}V${px(base)}" stroke="${paint('accent-line')}" stroke-width="9" opacity="0.35"/>` +
    [marks.slice(0, 1), marks.slice(1)].map((some, i) => `<path d="${some.map((v) => `M${left} ${px(y(v))}H${px(width - right)}`).join('')}" stroke="${paint(i ? 'rule' : 'rule-control')}"/>`).join('') +
    marks.map((v) => textAt(left - 7, y(v) + 4, show(v), { size: 11, anchor: 'end', fill: paint('ink-3') })).join('') +
    runs
      .filter((run) => run.d === d || (Math.log2(run.d) % (2 * every) === 0 && Math.abs(Math.log2(run.d / d)) >= 1.5))
      .map((run) => textAt(x(Math.log2(run.d)), height - 5, String(run.d), { size: 11, anchor: 'middle', weight: run.d === d ? 600 : 400, fill: paint(run.d === d ? 'ink' : 'ink-3') }))
      .join('') +
    `<path d="${line('raw')}" fill="none" stroke="${paint('ink-2')}" stroke-width="1.6" stroke-dasharray="5 3"/>${dots('raw', 'surface', 'ink-2')}` +
    `<path d="${line('scaled')}" fill="none" stroke="${paint('accent')}" stroke-width="2"/>${dots('scaled', 'accent', 'accent')}` +
    textAt(width - right + 9, ends.raw + 4, names.raw, { size: 12, fill: paint('ink-2') }) +
    textAt(width - right + 9, ends.scaled + 4, names.scaled, { size: 12, weight: 600, fill: paint('accent') })
  );
}

/** What stands below each histogram: [{ name, value, text, most, of }], `most` being the end of its bar and `of` the words for it. */
export function measures(side, keys, words) {
  const even = Math.log(keys);
  return [
    { name: words.entropy, value: side.entropy, text: formatNumber(side.entropy), most: even, of: words.entropyOf(keys, formatNumber(even)) },
    { name: words.largest, value: side.largestWeight, text: percent(side.largestWeight), most: 1, of: words.largestOf(percent(1 / keys)) },
    { name: words.gradient, value: side.gradient, text: formatNumber(side.gradient), most: mostGradient(keys), of: words.gradientOf(formatNumber(mostGradient(keys))) },
  ];
}

/** What there is to see at one d, in one or two sentences made of the measured numbers. */
export function scaleSentence({ d, raw, scaled }, keys, words) {
  const share = (side) => percent(side.gradient / mostGradient(keys));
  return words.sentence({
    d,
    root: formatNumber(Math.sqrt(d)),
    raw: { deviation: formatNumber(raw.deviation), largest: raw.largestWeight, largestText: percent(raw.largestWeight), gradient: share(raw) },
    scaled: { deviation: formatNumber(scaled.deviation), largestText: percent(scaled.largestWeight), gradient: share(scaled) },
  });
}

/**
 * The whole experiment as a standalone SVG string: both histograms, what they do to the softmax, and the lines over d.
 * runs: [{ d, raw, scaled }] with the engine's measures; d: the chosen one of them; words: strings of `scale` in one language.
 */
export function scaleFigure({ runs, d, keys, words, note = '', theme = 'light', width = 640 }) {
  const paint = painter(theme);
  const run = runs.find((one) => one.d === d);
  const limit = axisLimit(runs);
  const pad = 16;
  const gap = 28;
  const half = (width - 2 * pad - gap) / 2;
  const sentence = breakLines(scaleSentence(run, keys, words), width - 2 * pad, 13, labelWidth);
  let body = textAt(pad, pad + 14, words.titleAt(d), { size: 15, weight: 600, fill: paint('ink') });
  let y = pad + 28;
  const side = (name, x) => {
    let out = textAt(x, y + 13, words[name], { size: 13, weight: 600, fill: paint(name === 'raw' ? 'ink' : 'accent') });
    out += moved(x, y + 20, histogramShapes({ side: run[name], limit, width: half, height: 130, fill: name === 'raw' ? 'ink-3' : 'accent', paint }));
    measures(run[name], keys, words).forEach((one, i) => {
      const at = y + 172 + i * 34;
      out += textAt(x, at, one.name, { fill: paint('ink-2') }) + textAt(x + half, at, one.text, { anchor: 'end', weight: 600, fill: paint('ink') });
      out += `<rect x="${px(x)}" y="${px(at + 6)}" width="${px(half)}" height="9" rx="2" fill="${paint('sunken')}"/><rect x="${px(x)}" y="${px(at + 6)}" width="${px((one.value / one.most) * half)}" height="9" rx="2" fill="${paint(name === 'raw' ? 'ink-3' : 'accent')}"/>`;
    });
    return out;
  };
  body += side('raw', pad) + side('scaled', pad + half + gap);
  y += 172 + 3 * 34 + 8;
  const names = { raw: words.raw, scaled: words.scaledShort };
  // Where half the width is too little for a curve and its title, the two stand one below the other.
  const beside = half >= 220;
  const curve = (x, title, options) => textAt(x, y, title, { fill: paint('ink-2') }) + moved(x, y + 6, curveShapes({ runs, d, width: beside ? half : width - 2 * pad, height: 150, names, paint, ...options }));
  body += curve(pad, words.deviationOver, { value: (one) => one.deviation, log: true });
  if (!beside) y += 184;
  body += curve(beside ? pad + half + gap : pad, words.gradientOver, { value: (one) => one.gradient, most: mostGradient(keys) });
  y += 178;
  sentence.forEach((line, i) => {
    body += textAt(pad, y + i * 20, line, { size: 13, fill: paint('ink') });
  });
  y += (sentence.length - 1) * 20;
  if (note) {
    y += 24;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.titleAt(d), body, theme });
}
