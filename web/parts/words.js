// The reader's own words and the tokens that stand for them.

/** So many words are looked up at most. */
export const mostWords = 100;

const parting = /[\s,，、;；]+/u;
const spaced = /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}]/u; // scripts whose words stand between blanks
const number = /^#(\d{1,9})$/;

/** Whether a word names a token by its number. */
export const isNumber = (word) => number.test(word);

/** Words parted by blanks, commas or ideographic commas, each once, at most `mostWords` → { words, left: how many more there were }. */
export function parseWords(text) {
  const all = [...new Set(text.split(parting).filter(Boolean))];
  return { words: all.slice(0, mostWords), left: Math.max(0, all.length - mostWords) };
}

/**
 * The tokens that stand for one word. In running text English words carry the blank before them, so this is how they are looked up; `#12` is
 * the token with that number. → ids, or null for a number that the vocabulary lacks.
 */
export async function idsOf(engine, word, { model = 'builtin', vocabSize }) {
  const given = number.exec(word);
  if (given) return Number(given[1]) < vocabSize ? [Number(given[1])] : null;
  const ask = async (text) => Array.from((await engine.tokenize(text, { model })).ids);
  if (!spaced.test(word)) return ask(word);
  const after = await ask(` ${word}`);
  if (after.length === 1) return after;
  const alone = await ask(word);
  return alone.length === 1 ? alone : after;
}
