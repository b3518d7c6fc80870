// Texts whose continuation stands in the text itself: lists said again, and who gave what to whom.
import * as lx from './lexicon.mjs';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const small = [...'abcdefghijklmnopqrstuvwxyz'];
const digits = [...'0123456789'];
const bags = [
  lx.namesEn, lx.namesEn, lx.namesEn, lx.namesZh, lx.petsZh, lx.animalsZh, lx.animalsEn, lx.objectsZh, lx.objectsEn, lx.foodsZh, lx.foodsEn, lx.actionsZh,
  lx.actionsEn, lx.itemsZh, lx.containersZh, lx.itemsEn, lx.containersEn, lx.coloursZh, lx.coloursEn, lx.feelingsZh, lx.feelingsEn, lx.placesZh, lx.placesEn,
  letters, digits,
];
const allWords = [...new Set(bags.flat())];
export const giftsEn = [
  'When {n} and {m} went to the {p}, {n} gave a {x} to {m}. {m} said thank you to {n}.',
  '{n} has a {x} and {m} has a {y}. Who has the {x}? {n}. Who has the {y}? {m}.',
  '{n} has a {x} and {m} has a {y}. Who has the {y}? {m}. Who has the {x}? {n}.',
];
export const giftsZh = [
  '{n}和{m}去{p}，{n}给了{m}一{u}{x}。{m}对{n}说：“谢谢。”', '{n}有一{u}{x}，{m}有一{w}{y}。谁有{x}？{n}。谁有{y}？{m}。', '{n}有一{u}{x}，{m}有一{w}{y}。谁有{y}？{m}。谁有{x}？{n}。',
];

/** A string of random letters, of digits, or of both. */
export function randomString(draw) {
  const alphabet = draw.weighted([[small, 6], [letters, 1], [digits, 1], [[...letters, ...small, ...digits], 2]]);
  return Array.from({ length: draw.between(2, 5) }, () => draw.choice(alphabet)).join('');
}

/** A list of words, or of random strings, two or three times over. */
export function repeatedList(draw) {
  const kind = draw.weighted([['one bag', 5], ['all words', 3], ['strings', 2]]);
  let words;
  if (kind === 'strings') words = Array.from({ length: draw.between(3, 8) }, () => randomString(draw));
  else {
    const source = kind === 'one bag' ? draw.choice(bags) : allWords;
    words = draw.sample(source, draw.between(3, Math.min(12, source.length)));
  }
  // A space before a Chinese word would make another token of it.
  const isChinese = words.some((word) => /[\u4e00-\u9fff]/u.test(word));
  const separator = draw.choice(isChinese ? ['、', '、', '，'] : [' ', ' ', ' ', ', ', '、']);
  const times = kind === 'strings' ? 2 : draw.choice([2, 2, 3]);
  const said = [...Array.from({ length: times }, () => words).flat(), ...words.slice(0, draw.between(0, words.length))];
  return draw.choice(['', '', '', '跟我念：', 'Repeat: ']) + said.join(separator) + draw.choice(['', '。', '.']);
}

/** Two people and their things: each name is to be copied from its place. */
export function gift(draw) {
  const chinese = draw.chance(0.5);
  const [n, m] = draw.sample(chinese ? lx.namesZh : lx.namesEn, 2);
  const [x, y] = draw.sample(chinese ? lx.itemsZh : lx.itemsEn.filter((word) => word !== 'umbrella'), 2);
  const p = draw.choice(chinese ? lx.placesZh : lx.placesEn);
  return draw.fill(chinese ? giftsZh : giftsEn, { n, m, x, y, p, u: lx.measureOf(x), w: lx.measureOf(y) });
}
