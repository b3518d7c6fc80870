// What the widget of tokens asks the engine, the same in the page and in Node at build time. `engine` is an EngineClient or an EngineSession.
import { characters } from '../draw/label.js';

/** Longest text, in UTF-8 bytes, whose merges are shown one by one; the engine refuses longer ones. */
export const longestWithSteps = 8192;

/** Most tokens that are described and drawn, of a text too long for its merges. */
export const mostTokens = 2000;

const longestCounted = 50_000; // UTF-16 units of which what a reader takes for one character is found

/** How many characters a reader counts; of a very long text how many code points. */
export function countCharacters(text) {
  if (text.length <= longestCounted) return characters(text).length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export const tokenizers = ['gpt2', 'builtin'];

/** The names of tokenizers that an attribute asks for: one, or both for anything else. */
export const chosenTokenizers = (attribute) => (tokenizers.includes(attribute) ? [attribute] : tokenizers);

/**
 * A text in some vocabularies → { characters, textBytes, sides: [{ name, ids, tokens, bytes, count, size, hash, rate: characters a token, steps?, byteIds? }] };
 * steps, unless the text is too long for them.
 */
export async function tokensOf(engine, text, names) {
  const count = countCharacters(text);
  const textBytes = new TextEncoder().encode(text).length;
  const steps = textBytes <= longestWithSteps;
  const sides = await Promise.all(
    names.map(async (name) => {
      const side = await engine.tokenize(text, { tokenizer: name, steps, ...(steps ? {} : { most: mostTokens }) });
      return { ...side, name, rate: side.count ? count / side.count : 0 };
    }),
  );
  return { characters: count, textBytes, sides };
}
