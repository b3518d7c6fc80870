import { figureId } from './attention-figure.js';
import { labelWidth } from './label.js';
import { grouped, inUnits } from './large-number.js';
import { formatNumber } from './number.js';
import { costOf } from '../parts/cost-of.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';

const smallestCell = 4; // px from which single cells are drawn

/** The squares of n and of `versus` tokens on one scale, sharing a corner: `side` px for the larger → { width, height, body, defs }. */
export function costShapes({ n, versus, side, words, paint, id }) {
  const most = Math.max(n, versus);
  const scale = side / most;
  const own = n * scale;
  const cells = scale >= smallestCell;
  const top = 22;
  let triangle = `M0 0V${px(own)}H${px(own)}z`;
  if (cells) {
    triangle = `M0 0`;
    for (let i = 0; i < n; i++) triangle += `H${px((i + 1) * scale)}V${px((i + 1) * scale)}`;
    triangle += 'H0z';
  }
  let lines = '';
  for (let i = 1; cells && i < n; i++) lines += `M${px(i * scale)} 0V${px(own)}M0 ${px(i * scale)}H${px(own)}`;
  const other = versus * scale;
  const label = (text, at, fill, weight) => textAt(at, 14, text, { size: 12, weight, fill: paint(fill), anchor: at > 0 ? 'end' : 'start' });
  const tiny = Math.min(own, other) < 16;
  const small = Math.min(own, other);
  const smallName = words.square(grouped(Math.min(n, versus)));
  const bigName = words.square(grouped(most));
  const smallFill = n < versus ? 'accent' : 'pos-ink';
  const body =
    (n === versus || tiny || small < labelWidth(smallName) * 12 + labelWidth(bigName) * 12 || small > side - labelWidth(bigName) * 12 - 14 ? '' : label(smallName, 0, smallFill, 600)) +
    label(bigName, side, n >= versus ? 'accent' : 'ink-2', n >= versus ? 600 : 400) +
    moved(
      0,
      top,
      `<rect width="${px(own)}" height="${px(own)}" fill="${paint('surface')}"/><rect width="${px(own)}" height="${px(own)}" fill="url(#hatch-${id})"/>` +
        `<path d="${triangle}" fill="${paint('surface')}"/><path d="${triangle}" fill="${paint('accent')}" opacity="${n === most ? 0.55 : 1}"/>` +
        (lines ? `<path d="${lines}" stroke="${paint('surface')}" stroke-width="${scale > 12 ? 1 : 0.5}" fill="none"/>` : '') +
        `<rect width="${px(own)}" height="${px(own)}" fill="none" stroke="${paint('accent')}" stroke-width="1.5"/>` +
        (n === versus
          ? ''
          : `<rect width="${px(other)}" height="${px(other)}" fill="${paint('pos')}" fill-opacity="${versus < n ? 1 : 0}" stroke="${paint('pos-ink')}" stroke-width="${versus < n && tiny ? 0.75 : 1.5}" ${versus > n ? 'stroke-dasharray="5 3"' : ''}/>`) +
        (n !== versus && (tiny || small < labelWidth(smallName) * 12 + 8)
          ? `<path d="M${px(small + 6)} ${px(small + 6)}l22 22M${px(small + 6)} ${px(small + 14)}v-8h8" stroke="${paint('ink')}" stroke-width="1.25" fill="none"/>` +
            `<rect x="${px(small + 30)}" y="${px(small + 20)}" width="${px(labelWidth(smallName) * 12.5 + 12)}" height="22" rx="3" fill="${paint('surface')}" stroke="${paint('rule-control')}"/>` +
            textAt(small + 36, small + 35, smallName, { size: 12, weight: 600, fill: paint(smallFill) })
          : ''),
    );
  const defs = `<pattern id="hatch-${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="${paint('mask-dot')}" stroke-width="0.7"/></pattern>`;
  return { width: side, height: side + top + 1, body, defs };
}

/** What there is to see, in sentences made of the computed numbers. words: strings of `cost`. */
export function costSentences(n, versus, words, language) {
  const written = (x) => {
    const unit = inUnits(x, language);
    return unit ? words.withUnit(grouped(x), unit.text, unit.exact) : grouped(x);
  };
  const { scores, used } = costOf(n);
  const lines = [words.scores(grouped(n), written(scores)), words.used(grouped(n), grouped(n + 1), written(used))];
  const [long, short] = n >= versus ? [n, versus] : [versus, n];
  if (n !== versus) lines.push(words.compare(grouped(long), grouped(short), formatNumber(long / short), formatNumber((long / short) ** 2)));
  return lines;
}

/** Both squares with the sentence beside them, or below where `width` px are too few, as a standalone SVG string. words: strings of `cost` in one language; sentences: what there is to see. */
export function costFigure({ n, versus, words, sentences, note = '', theme = 'light', width = 640 }) {
  const paint = painter(theme);
  const pad = 16;
  const side = 300;
  const drawn = costShapes({ n, versus, side, words, paint, id: figureId('cost', n, versus, theme) });
  let body = textAt(pad, pad + 14, words.titleAt(grouped(n)), { size: 15, weight: 600, fill: paint('ink') }) + moved(pad, pad + 30, drawn.body);
  const beside = width >= 2 * side;
  let y = beside ? pad + 66 : pad + 30 + drawn.height + 24;
  const left = beside ? pad + side + 28 : pad;
  for (const sentence of sentences) {
    for (const line of breakLines(sentence, width - left - pad, 13, labelWidth)) {
      body += textAt(left, y, line, { size: 13, fill: paint('ink') });
      y += 20;
    }
    y += 12;
  }
  y = beside ? Math.max(y, pad + 30 + drawn.height + 4) : y - 24;
  if (note) {
    y += 20;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.titleAt(grouped(n)), defs: drawn.defs, body, theme });
}
