#!/usr/bin/env node
// Writes src/unicode_tables.inc: the code points that GPT-2's splitting pattern calls letters (\p{L}), numbers
// (\p{N}) and white space (\s), as ranges, from the Unicode data of the Node that runs this. JavaScript's own \s
// is no help: it has U+FEFF and lacks U+0085. The property White_Space is what GPT-2's pattern means.
// Usage: node tools/unicode-tables.mjs

import { writeFileSync } from 'node:fs';

const lastCodePoint = 0x10ffff;
const isSurrogate = (codePoint) => codePoint >= 0xd800 && codePoint <= 0xdfff;

/** The code points that match `pattern` as [first, last] pairs, ascending. */
function rangesOf(pattern) {
  const ranges = [];
  for (let codePoint = 0; codePoint <= lastCodePoint; codePoint++) {
    if (isSurrogate(codePoint) || !pattern.test(String.fromCodePoint(codePoint))) continue;
    const open = ranges.at(-1);
    if (open && open[1] === codePoint - 1) open[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  return ranges;
}

/** A whole number in bytes of seven bits, the lowest first; all but the last have the eighth bit set. */
const bytesOf = (number) => (number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...bytesOf(number >> 7)]);

/** A C++ array, in lines of at most 110 columns: for each range how far it begins after the end of the one before, and how many follow its first. */
function arrayOf(name, ranges) {
  const bytes = ranges.flatMap(([first, last], i) => [...bytesOf(first - (ranges[i - 1]?.[1] ?? 0)), ...bytesOf(last - first)]);
  const lines = ['   '];
  for (const byte of bytes) {
    const item = ` ${byte},`;
    if (lines.at(-1).length + item.length > 110) lines.push('   ');
    lines[lines.length - 1] += item;
  }
  return `constexpr unsigned char ${name}[] = {\n${lines.join('\n')}\n};\n`;
}

const text = [
  `// Letters, numbers and white space of Unicode ${process.versions.unicode}. Made by tools/unicode-tables.mjs.\n`,
  arrayOf('letters', rangesOf(/^\p{L}$/u)),
  arrayOf('numbers', rangesOf(/^\p{N}$/u)),
  arrayOf('white_space', rangesOf(/^\p{White_Space}$/u)),
].join('\n');
writeFileSync(new URL('../src/unicode_tables.inc', import.meta.url), text);
