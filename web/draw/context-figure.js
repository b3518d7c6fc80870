// The window as a ruler with what stands in it, and the probability of the right answer against how much text there is.
import { figureId } from './attention-figure.js';
import { clipLabel, labelWidth } from './label.js';
import { formatFixed } from './number.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

const beyond = 16; // tokens of room behind the window, for an answer that no longer fits
const fills = { fact: 'accent', filler: 'rule-control', question: 'pos-ink' };

/** Texts are cut by tokens; a part's share of them, in order: [{ name, tokens }], the filler as one. */
export function budgetOf({ parts, context, total, answerTokens }) {
  const tokensOf = (name) => parts.filter((part) => part.name === name).reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    rows: [
      { name: 'fact', tokens: tokensOf('fact') },
      { name: 'filler', tokens: tokensOf('filler') },
      { name: 'question', tokens: tokensOf('question') },
      { name: 'answer', tokens: answerTokens },
    ],
    free: Math.max(0, context - total - answerTokens),
    over: Math.max(0, total + answerTokens - context),
  };
}

/** The ruler, `width` px wide: the window, the parts in it, and to its left what has been pushed out → { width, height, body, defs }. */
export function rulerShapes({ result, width, words, paint, id }) {
  const { parts, context, total, dropped, answerTokens } = result;
  const outside = Math.round(context * (width < 520 ? 0.3 : 0.4)); // tokens of room in front of the window
  const unit = width / (outside + context + beyond);
  const x0 = outside * unit;
  const high = 36;
  const top = 42;
  const at = (token) => x0 + (token - dropped) * unit;
  const body = [];
  const rect = (from, to, fill, more = '') => (to - from > 0 ? `<rect x="${px(from)}" y="${px(top)}" width="${px(Math.max(to - from, 0.75))}" height="${high}" fill="${fill}"${more}/>` : '');
  body.push(rect(x0, x0 + context * unit, paint('sunken')));
  const gap = unit > 1.6 ? 0.75 : 0.3;
  for (const { name, start, end } of parts) {
    const [from, middle, to] = [Math.max(0, at(start)), Math.min(Math.max(at(start), x0), at(end)), at(end)];
    if (to <= 0) continue;
    if (middle > from) body.push(rect(from, middle - (middle === to ? gap : 0), paint(fills[name]), ` opacity="${name === 'fact' ? 0.55 : 0.3}"`));
    if (to > middle) body.push(rect(middle, to - gap, paint(fills[name]), name === 'filler' ? ' opacity="0.55"' : ''));
  }
  if (dropped > 0) {
    const from = Math.max(0, at(0));
    body.push(rect(from, x0, `url(#gone-${id})`), `<path d="M${px(from)} ${px(top + high / 2)}H${px(x0)}" stroke="${paint('bad')}" stroke-width="2"/>`);
    if (at(0) < 0) body.push(`<path d="M9 ${px(top + high / 2 - 6)}L2 ${px(top + high / 2)}L9 ${px(top + high / 2 + 6)}" stroke="${paint('bad')}" stroke-width="2" fill="none"/>`);
  }
  if (answerTokens) body.push(rect(at(total), Math.min(width - 1, at(total + answerTokens)), paint('surface'), ` stroke="${paint('good')}" stroke-width="1.5" stroke-dasharray="3 2"`));
  body.push(`<rect x="${px(x0)}" y="${px(top - 4)}" width="${px(context * unit)}" height="${high + 8}" rx="4" fill="none" stroke="${paint('ink')}" stroke-width="2"/>`);
  body.push(textAt(x0 + context * unit, 14, words.window(formatFixed(context, 0)), { size: 13, weight: 600, fill: paint('ink'), anchor: 'end' }));
  const out = words.outside(formatFixed(dropped, 0));
  const crowded = dropped > 0 && labelWidth(out) * 12.5 > x0 - 16;
  if (dropped > 0) body.push(textAt(crowded ? 0 : x0 - 14, top + high + 24, out, { size: 12.5, weight: 600, fill: paint('bad'), anchor: crowded ? 'start' : 'end' }));
  // where the fact is
  const fact = parts.find(({ name }) => name === 'fact');
  if (fact) {
    const [from, to] = [Math.max(0, at(fact.start)), Math.max(4, at(fact.end))];
    const middle = (from + to) / 2;
    const room = labelWidth(words.factHere) * 12;
    const anchor = middle < room / 2 ? 'start' : 'middle';
    body.push(`<path d="M${px(middle - 5)} ${px(top - 15)}h10l-5 8z" fill="${paint('accent')}"/>`);
    body.push(textAt(anchor === 'start' ? Math.max(0, middle - 6) : middle, top - 18, words.factHere, { size: 12, weight: 600, fill: paint('accent'), anchor }));
  }
  for (let token = 0; token <= context; token += context / 4) {
    const x = x0 + token * unit;
    body.push(`<path d="M${px(x)} ${px(top + high + 4)}v6" stroke="${paint('ink-3')}"/>`);
    if (token > 0 || !crowded) body.push(textAt(x, top + high + 24, formatFixed(token, 0), { size: 12, fill: paint('ink-3'), anchor: 'middle' }));
  }
  const defs = `<pattern id="gone-${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="${paint('bad')}" stroke-width="0.8"/></pattern>`;
  return { width, height: top + high + 30, body: body.join(''), defs };
}

/** The probability of the right answer against the number of tokens; points: of measureCurve. now: { total, p }. */
export function curveShapes({ points, now, context, width, height = 190, words, paint }) {
  const [left, right, top, bottom] = [44, width - 14, 26, height - 34];
  const most = Math.max(context * 1.1, ...points.map(({ total }) => total), now.total);
  const x = (total) => left + ((right - left) * total) / most;
  const y = (p) => bottom - (bottom - top) * p;
  const body = [];
  const edge = x(context);
  body.push(`<rect x="${px(edge)}" y="${px(top)}" width="${px(right - edge)}" height="${px(bottom - top)}" fill="${paint('bad-soft')}"/>`);
  for (const p of [0, 0.5, 1]) {
    body.push(`<path d="M${px(left)} ${px(y(p))}H${px(right)}" stroke="${paint(p ? 'rule' : 'rule-control')}"/>`, textAt(left - 6, y(p) + 4, `${p * 100}%`, { fill: paint('ink-3'), anchor: 'end' }));
  }
  body.push(`<path d="M${px(edge)} ${px(top - 4)}V${px(bottom)}" stroke="${paint('ink')}" stroke-width="1.5" stroke-dasharray="5 3"/>`);
  const edgeName = words.full(formatFixed(context, 0));
  body.push(textAt(edge - 5, top - 10, edgeName, { size: 12, fill: paint('ink'), anchor: 'end' }));
  body.push(`<path d="${points.map(({ total, p }, i) => `${i ? 'L' : 'M'}${px(x(total))} ${px(y(p))}`).join('')}" fill="none" stroke="${paint('accent-line')}" stroke-width="2"/>`);
  for (const { total, p, seen } of points) {
    const here = `cx="${px(x(total))}" cy="${px(y(p))}" r="4"`;
    body.push(seen === 'all' ? `<circle ${here} fill="${paint('accent')}"/>` : `<circle ${here} fill="${paint('surface')}" stroke="${paint('bad')}" stroke-width="1.75"/>`);
  }
  if (now.p !== null) body.push(`<circle cx="${px(x(now.total))}" cy="${px(y(now.p))}" r="8" fill="none" stroke="${paint('ink')}" stroke-width="2"/>`);
  const quarter = Math.max(1, Math.round(context / 4));
  for (let value = 0; value <= most && value <= 2 * context; value += quarter) body.push(textAt(x(value), bottom + 16, formatFixed(value, 0), { fill: paint('ink-3'), anchor: 'middle' }));
  body.push(textAt(right, bottom + 31, words.axis, { fill: paint('ink-3'), anchor: 'end' }));
  return { width, height, body: body.join('') };
}

/** The text with its parts, what is gone struck out: pieces [{ name, text, gone }]. */
export function textPieces({ text, parts, gone }) {
  const pieces = [];
  for (const { name, from, to } of parts) {
    if (from < gone) pieces.push({ name, text: text.slice(from, Math.min(to, gone)), gone: true });
    if (to > gone) pieces.push({ name, text: text.slice(Math.max(from, gone), to), gone: false });
  }
  return pieces;
}

/** Ruler, answer and curve as a standalone SVG string; sentences: what there is to see. words: strings of `context`. */
export function contextFigure({ result, sentences, words, note = '', theme = 'light', width = 720, pad = 14 }) {
  const paint = painter(theme);
  const inner = width - 2 * pad;
  const id = figureId('context', result.text.slice(0, 80), result.count, theme, width);
  const ruler = rulerShapes({ result, width: inner, words, paint, id });
  let y = pad + 14;
  const body = [];
  for (const line of breakLines(words.title, inner, 15, labelWidth)) {
    body.push(textAt(pad, y, line, { size: 15, weight: 600, fill: paint('ink') }));
    y += 21;
  }
  y += 6;
  const told = result.parts.filter(({ name }) => name !== 'filler');
  for (const { name, from, to } of told) {
    body.push(textAt(pad, y, clipLabel(`${words.partNames[name]}　${result.text.slice(from, to).trim()}`, inner / 13.5), { size: 13, fill: paint(name === 'fact' ? 'accent' : 'pos-ink') }));
    y += 20;
  }
  body.push(moved(pad, y, ruler.body));
  y += ruler.height + 26;
  const numbers = [];
  for (const sentence of sentences) {
    for (const line of breakLines(sentence, inner, 14, labelWidth)) {
      numbers.push(textAt(pad, y, line, { size: 14, fill: paint('ink') }));
      y += 21;
    }
  }
  body.push(`<g data-numbers="${id}">${numbers.join('')}</g>`);
  if (result.curve) {
    y += 8;
    body.push(textAt(pad, y, clipLabel(words.curve(result.reference.label), inner / 12.5), { size: 12.5, weight: 600, fill: paint('ink-2') }));
    y += 8;
    const curve = curveShapes({ points: result.curve, now: result, context: result.context, width: inner, words, paint });
    body.push(moved(pad, y, curve.body));
    y += curve.height;
  }
  if (note) {
    y += 14;
    body.push(textAt(pad, y, note, { fill: paint('ink-3') }));
  }
  return picture({ width, height: y + pad, title: words.title, defs: ruler.defs, body: body.join(''), theme });
}
