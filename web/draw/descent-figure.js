// One weight on its way downhill: the curve of the loss with the ball, its tangent and its next step; and what the weight does to the data.
import { clipLabel, labelWidth } from './label.js';
import { formatFixed, formatNumber } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

/** Round numbers within from … to, about `parts` steps apart. */
export function ticks(from, to, parts) {
  const raw = (to - from) / parts;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((x) => x * power >= raw * 0.999) * power;
  const list = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i += 1) list.push(Number((i * step).toPrecision(12)));
  return list;
}

/** A round number of an axis, without zeros that say nothing. */
export const tickText = (tick) => (Math.abs(tick) < 1e7 && (tick === 0 || Math.abs(tick) >= 1e-4) ? formatFixed(tick, (String(tick).split('.')[1] ?? '').length) : formatNumber(tick));

const arrowHead = (x, y, sign, fill) => `<path d="M${px(x)} ${px(y)}l${px(-9 * sign)} -4.5v9z" fill="${fill}"/>`;

/**
 * The curve with the walk on it. walked: of `walk`; words: strings of `descent`; paint: a painter.
 * → { width, height, body, toW(px): the weight at a place across, ball: { x, y } }
 */
export function curveShapes({ landscape, walked, width, height = 280, words, paint }) {
  const [left, right, top, bottom] = [46, width - 14, 14, height - 36];
  const [from, to] = landscape.range;
  const samples = Array.from({ length: 81 }, (_, i) => from + ((to - from) * i) / 80).map((w) => [w, landscape.loss(w)]);
  const losses = samples.map(([, loss]) => loss);
  const [least, largest] = [Math.min(...losses), Math.max(...losses)];
  // The loss starts at zero; where the whole curve lies far above, the axis does not, and its numbers say so. A curve that is all but flat still looks flat.
  const base = least > 0.6 * largest ? Math.max(0, least - Math.max(0.15 * (largest - least), landscape.kind === 'model' ? 0.5 : 0)) : 0;
  const most = Math.max(base + 1e-9, largest + 0.05 * (largest - base)) || 1;
  const x = (w) => left + ((right - left) * (w - from)) / (to - from);
  const y = (loss) => bottom - ((bottom - top) * (loss - base)) / (most - base);
  const within = (value, low, high) => Math.min(high, Math.max(low, value));
  const clampX = (w) => within(x(w), left, right);
  const clampY = (loss) => (Number.isFinite(loss) ? within(y(loss), top, bottom) : top);
  const body = [];
  for (const tick of ticks(base, most, 4)) {
    body.push(`<path d="M${left} ${px(y(tick))}H${px(right)}" stroke="${paint('rule')}"/>`);
    body.push(textAt(left - 6, y(tick) + 4, tickText(tick), { anchor: 'end', fill: paint('ink-3') }));
  }
  for (const tick of ticks(from, to, width < 420 ? 4 : 6)) body.push(textAt(x(tick), bottom + 16, tickText(tick), { anchor: 'middle', fill: paint('ink-3') }));
  body.push(`<path d="M${left} ${px(bottom)}H${px(right)}" stroke="${paint('rule-control')}"/>`);
  body.push(textAt(right, bottom + 31, words.weightAxis, { anchor: 'end', fill: paint('ink-3') }));
  body.push(textAt(left + 6, top + 3, words.lossAxis, { fill: paint('ink-3') }));
  body.push(`<path d="${samples.map(([w, loss], i) => `${i ? 'L' : 'M'}${px(x(w))} ${px(y(loss))}`).join('')}" fill="none" stroke="${paint('ink-3')}" stroke-width="2"/>`);
  if (landscape.now !== undefined && x(landscape.now) >= left && x(landscape.now) <= right) {
    body.push(`<path d="M${px(x(landscape.now))} ${px(top + 12)}V${px(bottom)}" stroke="${paint('good')}" stroke-width="1.25" stroke-dasharray="3 4"/>`);
    body.push(textAt(x(landscape.now), top + 8, words.trained, { anchor: 'middle', fill: paint('good') }));
  }
  const { path, next } = walked;
  const last = path.at(-1);
  const places = path.map(({ w, loss }) => [clampX(w), clampY(loss)]);
  if (places.length > 1) {
    body.push(`<path d="${places.map(([a, b], i) => `${i ? 'L' : 'M'}${px(a)} ${px(b)}`).join('')}" fill="none" stroke="${paint('accent-line')}" stroke-width="1.5"/>`);
    for (const [a, b] of places.slice(0, -1)) body.push(`<circle cx="${px(a)}" cy="${px(b)}" r="3.5" fill="${paint('surface')}" stroke="${paint('accent')}" stroke-width="1.5"/>`);
  }
  const [bx, by] = places.at(-1);
  const inside = x(last.w) >= left && x(last.w) <= right && Number.isFinite(last.loss);
  if (inside) {
    // The tangent: as long as fits, at the slope that is on the screen.
    const rise = (last.slope * (right - left === 0 ? 0 : (to - from) / (right - left)) * (bottom - top)) / (most - base);
    const reach = 74 / Math.hypot(1, rise);
    const [x1, x2] = [Math.max(left, bx - reach), Math.min(right, bx + reach)];
    body.push(`<path d="M${px(x1)} ${px(by + (bx - x1) * rise)}L${px(x2)} ${px(by - (x2 - bx) * rise)}" stroke="${paint('pos')}" stroke-width="2" stroke-linecap="round"/>`);
    const sign = Math.sign(next - last.w);
    const end = within(x(next), left, right);
    if (sign && Math.abs(end - bx) > 1) {
      const long = Math.abs(end - bx) > 12;
      body.push(`<path d="M${px(bx)} ${px(by)}H${px(long ? end - 7 * sign : end)}" stroke="${paint('accent')}" stroke-width="2.5"/>`);
      if (long) body.push(arrowHead(end, by, sign, paint('accent')));
      if (x(next) >= left && x(next) <= right) body.push(`<path d="M${px(end)} ${px(by)}V${px(clampY(landscape.loss(next)))}" stroke="${paint('accent')}" stroke-width="1.25" stroke-dasharray="2 3"/>`);
    }
    body.push(`<circle cx="${px(bx)}" cy="${px(by)}" r="8.5" fill="${paint('accent')}" stroke="${paint('surface')}" stroke-width="2"/>`);
  } else {
    const sign = last.w < from ? -1 : 1;
    const edge = sign < 0 ? left : right;
    body.push(arrowHead(edge, top + 22, sign, paint('bad')));
    body.push(textAt(edge - 12 * sign, top + 26, words.outside(formatNumber(last.w)), { size: 12.5, weight: 600, anchor: sign < 0 ? 'start' : 'end', fill: paint('bad') }));
  }
  return { width, height, body: body.join(''), toW: (at) => from + ((to - from) * (within(at, left, right) - left)) / (right - left), ball: inside ? { x: bx, y: by } : null, left, right };
}

/**
 * Points, the line y = w·x and how far it misses each.
 * → { width, height, body, at: [{ x, y }] of the points, toPoint(x, y): data under a place }
 */
export function fitShapes({ points, w, width, height = 280, words, paint }) {
  const [left, right, top, bottom] = [40, width - 14, 14, height - 36];
  const lowX = Math.min(0, ...points.map(([x]) => x * 1.2));
  const lowY = Math.min(0, ...points.map(([, y]) => y * 1.3));
  const highX = Math.max(lowX === 0 ? 1 : 0, ...points.map(([x]) => x * 1.2));
  const highY = Math.max(lowY === 0 ? 1 : 0, ...points.map(([, y]) => y * 1.3));
  const x = (value) => left + ((right - left) * (value - lowX)) / (highX - lowX);
  const y = (value) => bottom - ((bottom - top) * (value - lowY)) / (highY - lowY);
  const body = [];
  for (const tick of ticks(lowY, highY, 4)) {
    body.push(`<path d="M${left} ${px(y(tick))}H${px(right)}" stroke="${paint(tick === 0 ? 'rule-control' : 'rule')}"/>`);
    body.push(textAt(left - 6, y(tick) + 4, tickText(tick), { anchor: 'end', fill: paint('ink-3') }));
  }
  for (const tick of ticks(lowX, highX, 4)) body.push(textAt(x(tick), bottom + 16, tickText(tick), { anchor: 'middle', fill: paint('ink-3') }));
  body.push(textAt(right, bottom + 31, words.xAxis, { anchor: 'end', fill: paint('ink-3') }));
  body.push(textAt(left + 6, top + 3, words.yAxis, { fill: paint('ink-3') }));
  // The line, cut where it leaves the picture.
  const cut = (value) => {
    if (w === 0) return value;
    const [a, b] = [lowY / w, highY / w];
    return Math.min(Math.max(a, b), Math.max(Math.min(a, b), value));
  };
  if (Number.isFinite(w)) {
    const [a, b] = [cut(lowX), cut(highX)];
    body.push(`<path d="M${px(x(a))} ${px(y(w * a))}L${px(x(b))} ${px(y(w * b))}" stroke="${paint('accent')}" stroke-width="2.5" stroke-linecap="round"/>`);
  }
  const at = points.map(([px0, py0]) => ({ x: x(px0), y: y(py0) }));
  points.forEach(([a, b], i) => {
    const guess = Math.min(highY, Math.max(lowY, Number.isFinite(w) ? w * a : highY));
    body.push(`<path d="M${px(at[i].x)} ${px(at[i].y)}V${px(y(guess))}" stroke="${paint('bad')}" stroke-width="1.75" stroke-dasharray="4 3"/>`);
    const miss = w * a - b;
    const label = Math.abs(miss) < 1e-9 ? '0' : formatNumber(miss);
    if (labelWidth(label) * 12 < right - at[i].x - 8) body.push(textAt(at[i].x + 8, (at[i].y + y(guess)) / 2 + 4, label, { fill: paint('bad') }));
    else body.push(textAt(at[i].x - 8, (at[i].y + y(guess)) / 2 + 4, label, { anchor: 'end', fill: paint('bad') }));
  });
  at.forEach((place, i) => body.push(`<circle class="handle" data-point="${i}" cx="${px(place.x)}" cy="${px(place.y)}" r="6.5" fill="${paint('ink')}" stroke="${paint('surface')}" stroke-width="2"/>`));
  const toPoint = (a, b) => [lowX + ((highX - lowX) * (Math.min(right, Math.max(left, a)) - left)) / (right - left), lowY + ((highY - lowY) * (bottom - Math.min(bottom, Math.max(top, b)))) / (bottom - top)];
  return { width, height, body: body.join(''), at, toPoint };
}

/** The loss of each token of a text as bars. labels: of the tokens but the first; losses: as many. */
export function tokenLossShapes({ labels, losses, width, words, paint, most = 12, line = 23 }) {
  const shown = labels.slice(-most);
  const values = losses.slice(-most);
  const named = Math.min(120, width * 0.34);
  const largest = Math.max(1, ...values);
  const bar = width - named - 76;
  const body = [textAt(0, 17, words.perToken, { fill: paint('ink-3') })];
  let y = 30;
  shown.forEach((label, i) => {
    body.push(textAt(0, y + 13, clipLabel(label, named / 13), { size: 13, fill: paint('ink') }));
    body.push(`<rect x="${px(named)}" y="${px(y + 3)}" width="${px(bar)}" height="12" rx="2" fill="${paint('sunken')}"/>`);
    body.push(`<rect x="${px(named)}" y="${px(y + 3)}" width="${px(Math.max(0.75, (bar * values[i]) / largest))}" height="12" rx="2" fill="${paint('accent')}"/>`);
    body.push(textAt(width, y + 13, formatNumber(values[i]), { size: 12.5, anchor: 'end', fill: paint('ink') }));
    y += line;
  });
  return { width, height: y + 6, body: body.join('') };
}

/** Both drawings and what there is to say, as a standalone SVG string. labels, losses: of a text, else the points are drawn. */
export function descentFigure({ landscape, walked, labels = null, losses = null, sentences, title, words, note = '', theme = 'light', width = 720, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const beside = inner >= 560;
  const half = beside ? (inner - 24) / 2 : inner;
  const body = [];
  let y = pad + 14;
  for (const line of breakLines(title, inner, 15, labelWidth)) {
    body.push(textAt(pad, y, line, { size: 15, weight: 600, fill: paint('ink') }));
    y += 21;
  }
  const { w } = walked.path.at(-1);
  const height = beside ? 270 : 230;
  const left = losses ? tokenLossShapes({ labels, losses, width: half, words, paint, most: beside ? 10 : 8 }) : fitShapes({ points: landscape.points, w, width: half, height: beside ? height : 190, words, paint });
  const right = curveShapes({ landscape, walked, width: half, height, words, paint });
  if (beside) body.push(moved(pad, y, left.body), moved(pad + half + 24, y, right.body));
  else body.push(moved(pad, y, right.body), moved(pad, y + right.height + 6, left.body));
  y += (beside ? Math.max(left.height, right.height) : left.height + right.height + 6) + 16;
  for (const sentence of sentences) {
    for (const line of breakLines(sentence, inner, 13, labelWidth)) {
      body.push(textAt(pad, y, line, { size: 13, fill: paint('ink') }));
      y += 20;
    }
  }
  if (note) {
    body.push(textAt(pad, y + 4, note, { fill: paint('ink-3') }));
    y += 16;
  }
  return picture({ width, height: y - 8 + pad, title, body: body.join(''), theme });
}
