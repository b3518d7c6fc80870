// Functions for expressions in prose about the vectors of words. See numbers.mjs.
import { askPositions } from '../parts/positions.js';
import { compareGroups, compareWord } from '../parts/word-in-text.js';
import { fail, matrixOf, rowsOf } from './number-values.mjs';

async function idOf(engine, text) {
  const { ids, tokens } = await engine.tokenize(text);
  return ids.length === 1 ? ids[0] : fail(`"${text}" is not one token: ${tokens.join(' | ')}`);
}

async function embeddingOf(engine, words) {
  const ids = [];
  for (const word of words) ids.push(await idOf(engine, word));
  return engine.embedding({ ids });
}

const cosinesOf = async (engine, words) => rowsOf(await engine.cosines({ vectors: await embeddingOf(engine, words) }));

export const embeddingLibrary = {
  /** The number of a text that is one token. */
  id: [['text'], async (engine, text) => idOf(engine, text)],
  /** The row of the embedding table of a text that is one token. */
  embedding: [['text'], async (engine, text) => rowsOf(await engine.embedding({ ids: [await idOf(engine, text)] }))[0]],
  /** The cosine of two such rows. */
  cosine: [['text', 'text'], async (engine, a, b) => (await cosinesOf(engine, [a, b]))[0][1]],
  /** Cosines of a matrix's rows, each with each. */
  cosines: [['matrix'], async (engine, matrix) => rowsOf(await engine.cosines({ vectors: matrixOf(matrix) }))],
  /** dot(a, b): the dot product of two lists of numbers. */
  dot: [['numbers', 'numbers'], async (engine, a, b) => rowsOf((await engine.attentionSteps({ q: [a], k: [b], v: [b], causal: false, scale: false })).scores)[0][0]],
  /** nearest(text, n): the tokens whose rows point most nearly as that of `text`: { token, cosine }. */
  nearest: [['text', 'count'], async (engine, text, count) => (await engine.neighbours({ id: await idOf(engine, text), count })).map(({ token, cosine }) => ({ token, cosine }))],
  /** spread(words): how much of the differences of these tokens' rows the first two principal directions hold: a list of shares. */
  spread: [['list'], async (engine, words) => Array.from((await engine.pca({ vectors: await embeddingOf(engine, words), components: 2 })).explained)],
  /** byDistance(): the mean cosine of positions 0, 1, 2 … apart. */
  byDistance: [[], async (engine) => Array.from((await askPositions(engine)).byDistance)],
  /** oneWord(word, text, text): its vector in two texts, from the table up: { cosines, same: truths, positions }. */
  oneWord: [['text', 'text', 'text'], async (engine, word, first, second) => {
    const { sides, stages } = await compareWord(engine, { word, texts: [first, second] });
    if (!stages.length) fail(`"${word}" does not stand in both texts`);
    return { cosines: stages.map(({ cosine }) => cosine), same: stages.map(({ same }) => same), positions: sides.map(({ position }) => position) };
  }],
  /** twoGroups(word, texts, texts): after the last layer, mean cosines { within, across } and, without the mean, { centredWithin, centredAcross }. */
  twoGroups: [['text', 'list', 'list'], async (engine, word, first, second) => {
    const { stages } = await compareGroups(engine, { word, groups: [first, second] });
    if (!stages.length) fail(`"${word}" does not stand in two texts of each group`);
    const { raw, centred } = stages.at(-1);
    return { within: raw.within, across: raw.across, centredWithin: centred.within, centredAcross: centred.across };
  }],
};
