// A plot whose both axes are logarithmic, where a power law is a straight line.
import { formatNumber } from './number.js';
import { px, textAt } from './svg.js';

const raised = (n) => String(n).replace(/[-0-9]/g, (c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[c]));

/** A power of ten as a tick names it: 1, 10, 100, then 10³ and so on. */
export const powerName = (exponent) => (exponent >= 0 && exponent < 3 ? formatNumber(10 ** exponent) : `10${raised(exponent)}`);

const series = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 4, 6, 8], [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9]];

/** Round numbers from `least` to `most` for ticks: at most `count`, as many as one of some series of mantissas gives. */
export function roundTicks(least, most, count = 6) {
  const decades = [];
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; power += 1) decades.push(power);
  const inside = (list) => decades.flatMap((power) => list.map((x) => Number((x * 10 ** power).toPrecision(6)))).filter((x) => x >= least * 0.9999 && x <= most * 1.0001);
  const found = series.map(inside).filter((ticks) => ticks.length <= count);
  if (!found.length) {
    const step = Math.ceil(decades.length / count);
    return decades.filter((power) => power % step === 0).map((power) => 10 ** power).filter((x) => x >= least * 0.9999 && x <= most * 1.0001);
  }
  const ticks = found[found.length - 1];
  if (ticks.length >= 3) return ticks;
  // Less than a doubling: even steps are as good as straight ones on such a short piece.
  const raw = (most - least) / (count - 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((x) => x * power >= raw) * power;
  const even = [];
  for (let i = Math.ceil(least / step - 1e-9); i * step <= most * 1.000001; i += 1) even.push(Number((i * step).toPrecision(6)));
  return even;
}

/**
 * The frame of a plot: `x`, `y` are [least, most]; `names` { x, y } stand at the ends of the axes; `shade` [least, most] of x is drawn behind.
 * → { x(v), y(v): px of a value, inside(v): whether y shows it, body, line(points): a path through [x, y] pairs, inner: { left, right, top, bottom } }
 */
export function logPlot({ width, height, x: [leastX, mostX], y: [leastY, mostY], names, shade = null, paint }) {
  const inner = { left: 42, right: width - 10, top: 26, bottom: height - 40 };
  const span = (v, least, most) => Math.log(v / least) / Math.log(most / least);
  const x = (v) => inner.left + (inner.right - inner.left) * span(v, leastX, mostX);
  const y = (v) => inner.bottom - (inner.bottom - inner.top) * Math.min(1, Math.max(0, span(v, leastY, mostY)));
  const wide = mostY / leastY > 1e4; // then powers of ten are named as such
  const body = [];
  if (shade) {
    const [from, to] = shade.map((v) => x(Math.min(mostX, Math.max(leastX, v))));
    if (to > from) body.push(`<rect x="${px(from)}" y="${px(inner.top)}" width="${px(to - from)}" height="${px(inner.bottom - inner.top)}" fill="${paint('sunken')}"/>`);
  }
  for (const tick of roundTicks(leastY, mostY)) {
    body.push(`<path d="M${px(inner.left)} ${px(y(tick))}H${px(inner.right)}" stroke="${paint('rule')}"/>`);
    body.push(textAt(inner.left - 6, y(tick) + 4, wide ? powerName(Math.round(Math.log10(tick))) : formatNumber(tick, Math.max(1, String(tick).replace(/^0\.0*|\./g, '').length)), { fill: paint('ink-3'), anchor: 'end' }));
  }
  const decades = Math.log10(mostX / leastX);
  const every = [1, 2, 3, 4, 5].find((step) => ((inner.right - inner.left) / decades) * step >= 38) ?? 6;
  for (let power = Math.ceil(Math.log10(leastX) - 1e-9); power <= Math.log10(mostX) + 1e-9; power += 1) {
    const at = x(10 ** power);
    body.push(`<path d="M${px(at)} ${px(inner.bottom)}v${power % every ? 3 : 5}" stroke="${paint('rule-control')}"/>`);
    if (power % every === 0) body.push(textAt(at, inner.bottom + 18, powerName(power), { fill: paint('ink-3'), anchor: 'middle' }));
  }
  if (decades < 1.6) {
    for (const tick of roundTicks(leastX, mostX, 5)) {
      if (Number.isInteger(Math.log10(tick))) continue;
      body.push(`<path d="M${px(x(tick))} ${px(inner.bottom)}v5" stroke="${paint('rule-control')}"/>`, textAt(x(tick), inner.bottom + 18, formatNumber(tick), { fill: paint('ink-3'), anchor: 'middle' }));
    }
  }
  body.push(`<path d="M${px(inner.left)} ${px(inner.top)}V${px(inner.bottom)}H${px(inner.right)}" fill="none" stroke="${paint('rule-control')}"/>`);
  body.push(textAt(2, 12, names.y, { fill: paint('ink-3') }), textAt(inner.right, inner.bottom + 35, names.x, { fill: paint('ink-3'), anchor: 'end' }));
  const line = (points) => {
    let path = '';
    let pen = false;
    for (const [a, b] of points) {
      const shown = Number.isFinite(b) && b <= mostY * 1.0001 && b >= leastY * 0.9999;
      if (shown) path += `${pen ? 'L' : 'M'}${x(a).toFixed(1)} ${y(b).toFixed(1)}`;
      pen = shown;
    }
    return path;
  };
  return { x, y, line, inner, body: body.join(''), inside: (v) => v >= leastY && v <= mostY, valueAt: (at) => leastX * (mostX / leastX) ** ((at - inner.left) / (inner.right - inner.left)) };
}

/** `count` + 1 values from `least` to `most`, evenly on the logarithmic scale. */
export const logSpace = (least, most, count) => Array.from({ length: count + 1 }, (_, i) => least * (most / least) ** (i / count));
