import { figureId, svgFrame } from './attention-figure.js';
import { color, weightColor, weightInk } from './color.js';
import { escapeXml } from './escape.js';
import { labelWidth } from './label.js';
import { formatFixed, formatPercent } from './number.js';
import { textLines } from './text-lines.js';

const n = (x) => String(Math.round(x * 100) / 100);
const bare = (label) => label.replace(/^␣(?=.)/, '');

/**
 * A sentence with the word that makes the difference, the row of the last place and the thin row of the pronoun under it, and the guess, as a standalone
 * SVG string. Takes what measureKitten gives, `index` of the side to draw, words (strings of the language), `note` below, `width` in px: the guess
 * stands at the right from 700 on; `pad` is left free around it.
 */
export function kittenFigure({ sides, answers, changed, asked, pronoun, steady, index = 0, words, note = '', theme = 'light', width = 940, pad = 12 }) {
  const side = sides[index];
  const inner = width - 2 * pad;
  const beside = width >= 700;
  const big = beside ? 24 : 20;
  const room = beside ? inner - 230 : inner;
  const id = figureId('kitten', side.text, index, theme, width);
  const c = (name) => color(name, theme);
  const text = (x, y, content, { size = 13, fill = c('ink'), anchor = 'start', weight = 400, family = '' } = {}) =>
    `<text x="${n(x)}" y="${n(y)}" font-size="${size}" fill="${fill}" text-anchor="${anchor}"${weight === 400 ? '' : ` font-weight="${weight}"`}${family}>${escapeXml(content)}</text>`;
  const names = sides.map(({ labels }) => bare(labels[changed[0]]));
  const serif = ` font-family="'Songti SC', 'Noto Serif CJK SC', 'Source Han Serif SC', Georgia, serif"`;

  const heading = textLines(words.title, inner / 15.5);
  const lead = textLines(words.lead, inner / 13.5);
  const body = [
    ...heading.map((line, i) => text(pad, pad + 13 + i * 20, line, { size: 15, weight: 600 })),
    ...lead.map((line, i) => text(pad, pad + 16 + heading.length * 20 + i * 20, line, { fill: c('ink-2') })),
  ];
  const top = pad + 34 + heading.length * 20 + lead.length * 20;

  // the sentence, in lines
  const numbers = [];
  const widthOf = (i) => Math.max(34, i === changed[0] ? names.reduce((sum, name) => sum + labelWidth(name) * big + 22, 4) : labelWidth(bare(side.labels[i])) * big + (beside ? 8 : 4));
  let x = pad;
  let y = top;
  const lineHeight = 106;
  side.labels.forEach((label, i) => {
    const w = widthOf(i);
    if (x > pad && x + w > pad + room) {
      x = pad;
      y += lineHeight;
    }
    const middle = x + w / 2;
    if (i === changed[0]) {
      const half = (w - 4) / 2;
      body.push(
        `<rect x="${n(x)}" y="${n(y - 4)}" width="${n(w)}" height="44" rx="6" fill="${c('sunken')}" stroke="${c('rule-control')}"/>`,
        `<rect x="${n(x + 2 + index * half)}" y="${n(y - 2)}" width="${n(half)}" height="40" rx="4" fill="${c('accent')}"/>`,
        ...names.map((name, k) => text(x + 2 + (k + 0.5) * half, y + 26, name, { size: big, anchor: 'middle', fill: c(k === index ? 'on-accent' : 'ink-2'), weight: k === index ? 700 : 400, family: serif })),
      );
    } else {
      const marked = i === asked || changed.includes(i);
      body.push(text(middle, y + 26, bare(label), { size: big, anchor: 'middle', fill: c(marked ? 'accent' : 'ink'), weight: i === asked ? 700 : 400, family: serif }));
      if (i === asked || i === pronoun) body.push(`<rect x="${n(x + 1)}" y="${n(y + 38)}" width="${n(w - 2)}" height="2" fill="${c(i === asked ? 'accent' : 'accent-line')}"/>`);
    }
    const weight = side.asks[i];
    const shown = formatFixed(weight, 2);
    body.push(`<rect x="${n(x)}" y="${n(y + 46)}" width="${n(w)}" height="28" rx="2" fill="${weightColor(weight, theme)}" stroke="${c('rule')}" stroke-width="0.7"/>`);
    numbers.push(text(middle, y + 64, shown, { size: 12, anchor: 'middle', fill: Number(shown) === 0 ? c('cell-zero') : weightInk(weight, theme) }));
    body.push(
      i <= pronoun
        ? `<rect x="${n(x)}" y="${n(y + 77)}" width="${n(w)}" height="11" rx="2" fill="${weightColor(side.pronounRow[i], theme)}" stroke="${c('rule')}" stroke-width="0.7"/>`
        : `<rect x="${n(x)}" y="${n(y + 77)}" width="${n(w)}" height="11" fill="url(#hatch-${id})"/>`,
    );
    x += w + 3;
  });
  let bottom = y + 92;

  // what comes next
  const left = beside ? pad + inner - 200 : pad;
  const wide = beside ? 200 : inner;
  let row = beside ? Math.max(top + 4, bottom - 92) : bottom + 26;
  body.push(text(left, row, words.next, { size: 12, fill: c('ink-3') }));
  side.shares.forEach((p, i) => {
    row += 26;
    const fill = c(i === index ? 'ink' : i === 2 ? 'ink-3' : 'ink-2');
    const weight = i === index ? 600 : 400;
    const bar = wide - 52 - 58;
    body.push(
      text(left, row, i < 2 ? bare(answers[i]) : words.others, { fill, weight, size: 14 }),
      `<rect x="${n(left + 52)}" y="${n(row - 12)}" width="${n(bar)}" height="14" rx="2" fill="${c('sunken')}"/>`,
      `<rect x="${n(left + 52)}" y="${n(row - 12)}" width="${n(Math.max(1, bar * p))}" height="14" rx="2" fill="${c(i === 2 ? 'accent-line' : 'accent')}"/>`,
    );
    numbers.push(text(left + wide, row, formatPercent(p), { fill, weight, anchor: 'end', size: 14 }));
  });
  bottom = Math.max(bottom, row + 6);

  // the key
  const keys = [
    [10, words.upper(bare(side.labels[asked]), names, answers.map(bare), sides.map(({ weight }) => formatFixed(weight, 2)))],
    [5, words.lower(bare(side.labels[pronoun]), names, steady)],
  ];
  bottom += 26;
  for (const [height, sentence] of keys) {
    body.push(`<rect x="${pad}" y="${n(bottom - 5 - height / 2)}" width="26" height="${height}" rx="2" fill="${c('accent')}"/>`);
    for (const line of textLines(sentence, (inner - 36) / 13.3)) {
      body.push(text(pad + 36, bottom, line, { fill: c('ink-2') }));
      bottom += 20;
    }
  }
  if (note) {
    body.push(text(pad, bottom + 8, note, { size: 12, fill: c('ink-3') }));
    bottom += 18;
  }
  body.push(`<g data-numbers="${id}">${numbers.join('')}</g>`);
  const defs = `<pattern id="hatch-${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="${c('hatch')}" stroke-width="1"/></pattern>`;
  return svgFrame({ width, height: bottom, title: words.title, defs, body: body.join(''), theme });
}
