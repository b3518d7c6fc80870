import { formatCosine, strongColour } from './cosine.js';
import { clipLabel, labelWidth } from './label.js';
import { signedTableShapes } from './signed-map.js';
import { breakLines, moved, painter, picture, px, textAt } from './svg.js';
import { vectorShapes } from './vector-strip.js';

/** The name of a place where a vector is read. */
export const stageName = (key, words) => (typeof key === 'number' ? words.layer(key) : words.stage[key]);

/** Two vectors as strips, one above the other, in the same colours → { height, body }. */
export function twinShapes({ vectors, width, rowHeight, paint }) {
  const limit = strongColour(...vectors);
  const [first, second] = vectors.map((values) => vectorShapes({ values, width, rowHeight, limit, paint }));
  return { height: 2 * rowHeight + 2, body: first.body + moved(0, rowHeight + 2, second.body) };
}

/** What there is to see, in sentences made of the measured numbers. compared: of compareWord with stages. */
export function bankSentences({ sides, stages }, words) {
  const [a, b] = sides;
  const last = stages.at(-1);
  const list = [a.id === b.id ? words.sameToken(a.label) : words.otherToken(a.label, b.label)];
  if (a.id === b.id) list.push(a.position === b.position ? words.samePlace(a.position) : words.otherPlace(a.position, b.position, formatCosine(stages[1].cosine)));
  list.push(last.same ? words.endSame : words.end(formatCosine(last.cosine)));
  return list;
}

/** Short names of the members of two groups. */
export const memberNames = (members, names) => members.map(({ group, number }) => `${names[group]} ${number}`);

/** The sentence about one place of two groups. */
export function groupSentence({ key, same, raw, centred }, isCentred, words) {
  const stage = stageName(key, words);
  if (same && isCentred) return words.groupSame(stage);
  const { within, across } = isCentred ? centred : raw;
  return words.groupSays({ stage, within: formatCosine(within), across: formatCosine(across), centred: isCentred });
}

/**
 * One word in two sentences and in two groups of them, as a standalone SVG string. compared: of compareWord; groups: of compareGroups or null; stage: which place of
 * the groups; names: of both groups; isCentred; only: indices of the places to draw, all if left out; words: strings of `bank`.
 */
export function bankFigure({ compared, groups, names, stage, isCentred, word, only, words, note = '', theme = 'light', width = 720 }) {
  const paint = painter(theme);
  const pad = 16;
  const inner = width - 2 * pad;
  const wide = inner >= 560;
  const { sides, stages } = compared;
  let y = pad + 14;
  let body = textAt(pad, y, words.figure(clipLabel(word, 20)), { size: 15, weight: 600, fill: paint('ink') });
  const write = (text, fill = 'ink-2', size = 13) => {
    for (const line of breakLines(text, inner, size, labelWidth)) {
      y += 20;
      body += textAt(pad, y, line, { size, fill: paint(fill) });
    }
  };
  sides.forEach(({ text }, i) => write(`${words.texts[i]}：${text}`, 'ink'));
  y += 6;
  write(bankSentences(compared, words).join(''));
  y += 14;
  const name = wide ? 96 : 0;
  const strip = inner - name - (wide ? 150 : 0);
  for (const i of only ?? stages.keys()) {
    const { key, vectors, cosine, same } = stages[i];
    const drawn = twinShapes({ vectors, width: strip, rowHeight: 11, paint });
    const value = same ? `1（${words.same}）` : formatCosine(cosine);
    if (!wide) {
      body += textAt(pad, y + 12, stageName(key, words), { size: 13, fill: paint('ink') }) + textAt(width - pad, y + 12, value, { size: 13, anchor: 'end', weight: 600, fill: paint('ink') });
      y += 20;
    } else {
      body += textAt(pad, y + 16, stageName(key, words), { size: 13, fill: paint('ink') }) + textAt(width - pad, y + 16, value, { size: 13, anchor: 'end', weight: 600, fill: paint('ink') });
    }
    body += moved(pad + name, y, drawn.body);
    y += drawn.height + 12;
  }
  if (groups?.stages.length) {
    y += 8;
    write(words.groups, 'ink');
    write(groupSentence(groups.stages[stage], isCentred, words));
    y += 12;
    const chosen = groups.stages[stage];
    const { cosines } = isCentred ? chosen.centred : chosen.raw;
    const members = memberNames(groups.members, names);
    const table = signedTableShapes({ labels: members, data: cosines, width: Math.min(inner, 460), cut: groups.cut, paint });
    body += moved(pad, y, table.body);
    y += table.height + 4;
    groups.members.forEach(({ text }, i) => write(words.sentence(members[i], text), 'ink-2', 12));
  }
  if (note) {
    y += 22;
    body += textAt(pad, y, note, { fill: paint('ink-3') });
  }
  return picture({ width, height: y + pad, title: words.figure(clipLabel(word, 20)), body, theme });
}
