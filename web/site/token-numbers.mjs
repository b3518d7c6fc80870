// Functions for expressions in prose about tokens and vocabularies. See numbers.mjs.
import { characters } from '../draw/label.js';
import { bytesName } from '../draw/token-tree.js';
import { mostMerges } from '../parts/learning.js';
import { piecesAfter } from '../parts/merges.js';
import { ask, remember } from './number-asks.mjs';

const cutUp = (engine, text, tokenizer) => remember(engine, `tokens ${tokenizer} ${text}`, () => engine.tokenize(text, { tokenizer, steps: true }));

export const tokenLibrary = {
  /** The tokens of a text. */
  tokens: [['text'], async (engine, text) => (await ask.trace(engine, text)).tokens],
  /** A text in a vocabulary, "gpt2" or "builtin", without its model: its tokens { id, token, bytes: how many }; parts of a character as ‹E7 8C›. */
  cut: [['text', 'text'], async (engine, text, tokenizer) => {
    const { ids, bytes } = await cutUp(engine, text, tokenizer);
    return ids.map((id, i) => ({ id, token: bytesName(bytes[i]), bytes: bytes[i].length }));
  }],
  /** The merges on the way from the bytes of a text to its tokens: { rank, left, right, made }. */
  merges: [['text', 'text'], async (engine, text, tokenizer) => {
    const asked = await cutUp(engine, text, tokenizer);
    return asked.steps.map(({ rank }, i) => {
      const made = piecesAfter(asked, i + 1).find(({ fresh }) => fresh);
      const left = piecesAfter(asked, i).find(({ from }) => from === made.from);
      return { rank, left: bytesName(left.bytes), right: bytesName(made.bytes.slice(left.bytes.length)), made: bytesName(made.bytes) };
    });
  }],
  /** How many tokens a vocabulary has. */
  vocabulary: [['text'], async (engine, tokenizer) => (await cutUp(engine, '', tokenizer)).size],
  /** The UTF-8 bytes of a text, and how many characters a reader counts. */
  bytes: [['text'], (_, text) => new TextEncoder().encode(text).length],
  characters: [['text'], (_, text) => characters(text).length],
  /** What glassbox-bpe-trainer learns from a text: { before: tokens without a merge, merges: [{ count, left, right, made, after: tokens after it }] }. */
  learn: [['text'], async (engine, text) => {
    const { tokens, merges, bytes } = await remember(engine, `learn ${text}`, () => engine.learnBpe(text, { most: mostMerges }));
    const named = (id) => bytesName(id < bytes.length ? [bytes[id]] : merges[id - bytes.length].bytes);
    return { before: tokens, merges: merges.map(({ pair, id, count, tokens: after }) => ({ count, left: named(pair[0]), right: named(pair[1]), made: named(id), after })) };
  }],
};
