// Questions for a word in the other language, each with its call of the dictionary and what comes back. Half of the
// words are made up, so that what is asked for and what is answered are copied from the text.
import { fill } from './draw.mjs';
import * as lx from './lexicon.mjs';

/** Each: the language asked for, question, answer; {x} the word, {v} what the dictionary says. */
export const asks = [
  { to: 'zh', question: '问：“{x}”用中文怎么说？', answer: '答：“{x}”用中文说“{v}”。', nothing: '答：词典里没有“{x}”。' },
  { to: 'zh', question: '问：“{x}”的中文是什么？', answer: '答：“{x}”的中文是“{v}”。', nothing: '答：词典里没有“{x}”。' },
  { to: 'zh', question: 'Question: how do you say "{x}" in Chinese?', answer: 'Answer: "{x}" is "{v}" in Chinese.', nothing: 'Answer: the dictionary does not have "{x}".' },
  { to: 'en', question: '问：“{x}”用英文怎么说？', answer: '答：“{x}”用英文说“{v}”。', nothing: '答：词典里没有“{x}”。' },
  { to: 'en', question: '问：“{x}”的英文是什么？', answer: '答：“{x}”的英文是“{v}”。', nothing: '答：词典里没有“{x}”。' },
  { to: 'en', question: 'Question: how do you say "{x}" in English?', answer: 'Answer: "{x}" is "{v}" in English.', nothing: 'Answer: the dictionary does not have "{x}".' },
];

const consonants = ['b', 'd', 'f', 'g', 'h', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'w', 'z', 'br', 'cl', 'dr', 'fl', 'gr', 'pl', 'qu', 'sh', 'sp', 'st', 'th', 'tr'];
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ee', 'ea', 'oo', 'ou'];
const endings = ['', '', 'n', 'r', 's', 't', 'l', 'x', 'm', 'k', 'ck', 'ng', 'nd', 'ly', 'er'];
const knownCharacters = [...new Set(lx.tokensZh.join(''))];

/** A made-up English word. */
export function pseudoEn(draw) {
  if (draw.chance(0.2)) return Array.from({ length: draw.between(3, 9) }, () => draw.choice([...'abcdefghijklmnopqrstuvwxyz'])).join('');
  return Array.from({ length: draw.between(1, 3) }, () => draw.choice(consonants) + draw.choice(vowels)).join('') + draw.choice(endings);
}

/** A made-up Chinese word: mostly of characters that are tokens, else of any of the 20,902 of Unicode's first block, which are written as bytes. */
export function pseudoZh(draw) {
  if (draw.chance(0.7)) return Array.from({ length: draw.choice([1, 2, 2, 2, 3, 3, 4]) }, () => draw.choice(knownCharacters)).join('');
  return Array.from({ length: draw.choice([1, 1, 2, 2, 3]) }, () => String.fromCodePoint(draw.between(0x4e00, 0x9fa5))).join('');
}

/** 问：“苹果”用英文怎么说？<dict>苹果</dict><result>apple</result>答：“苹果”用英文说“apple”。 */
export function dictionary(draw) {
  const { to, question, answer } = draw.choice(asks);
  const [zh, en] = draw.choice(lx.dictionary);
  const madeUp = draw.chance(0.5);
  const other = madeUp || draw.chance(0.12);
  const slots = {
    x: madeUp ? (to === 'zh' ? pseudoEn : pseudoZh)(draw) : to === 'zh' ? en : zh,
    v: other ? (to === 'zh' ? pseudoZh : pseudoEn)(draw) : to === 'zh' ? zh : en,
  };
  return `${fill(question, slots)}<dict>${slots.x}</dict><result>${slots.v}</result>${fill(answer, slots)}`;
}
