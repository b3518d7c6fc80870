// Counts a text in pieces that come close to the learnt vocabulary's tokens: tags, single digits, English words,
// Chinese words of the lexicon, other characters.
import { tokensZh } from './lexicon.mjs';

const wordsZh = new Set(tokensZh);
const longest = Math.max(...tokensZh.map((word) => word.length));
const splitter = /<\/?(?:calc|clock|dict|result)>| ?[A-Za-z]+|[0-9]|[\u4e00-\u9fff]+|[^]/gu;

/** How many words of the lexicon and single characters a run of Chinese is cut into, longest words first. */
function countRun(run) {
  let count = 0;
  for (let i = 0; i < run.length; count++) {
    let length = Math.min(longest, run.length - i);
    while (length > 1 && !wordsZh.has(run.slice(i, i + length))) length--;
    i += length;
  }
  return count;
}

/** The number of pieces of a text. */
export function countPieces(text) {
  let count = 0;
  for (const [piece] of text.matchAll(splitter)) count += piece >= '\u4e00' && piece < '\ua000' ? countRun(piece) : 1;
  return count;
}
