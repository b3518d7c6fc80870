import { clipLabel, tokenLabel } from '../draw/label.js';
import { idsOf, isNumber, parseWords } from './words.js';

const longest = 14; // em of a word's name

/** The mean of rows `from` … `to`−1 of a matrix (n, C), summed in double. */
function meanRow({ shape: [, columns], data }, from, to) {
  const mean = new Float32Array(columns);
  for (let column = 0; column < columns; column++) {
    let sum = 0;
    for (let row = from; row < to; row++) sum += data[row * columns + column];
    mean[column] = sum / (to - from);
  }
  return mean;
}

/** Row `row` of a matrix (n, C). */
export const rowOf = ({ shape: [, columns], data }, row) => data.subarray(row * columns, (row + 1) * columns);

/**
 * The reader's words as rows of the embedding table. A word of several tokens gets the mean of their rows. text: the words; chosen: one of them or
 * another word, the first by default; neighbours: how many.
 *
 * → { words: [{ word, label, ids, pieces: labels of its tokens }], left: words beyond the most, unknown: numbers that the vocabulary lacks, vectors (n, C),
 * cosines (n, n), map: { coordinates (n, 2), explained } or null for fewer than three different words, chosen: { word, label, ids, pieces, vector, place: in words or −1 },
 * near: [{ id, label, cosine }] or null for a word of several tokens }; null without any word.
 */
export async function askWords(engine, text, { model = 'builtin', chosen = null, neighbours = 8 } = {}) {
  const { config } = await engine.load(model);
  const { words: names, left } = parseWords(text);
  const guest = parseWords(chosen ?? '').words[0];
  const all = guest === undefined || names.includes(guest) ? names : [...names, guest];
  const found = [];
  const unknown = [];
  for (const word of all) {
    const ids = await idsOf(engine, word, { model, vocabSize: config.vocabSize });
    if (ids === null) unknown.push(word);
    else if (ids.length) found.push({ word, ids });
  }
  if (!found.length) return unknown.length ? { words: [], left, unknown } : null;
  const rows = await engine.embedding({ model, ids: found.flatMap(({ ids }) => ids) });
  const columns = rows.shape[1];
  let at = 0;
  for (const one of found) {
    const end = at + one.ids.length;
    one.pieces = one.ids.map((_, i) => tokenLabel(rows.tokens[at + i], rows.bytes[at + i]));
    // The blank that belongs to an English token is told beside its number, and would only be in the way in tables.
    one.label = clipLabel(isNumber(one.word) ? one.pieces[0] : tokenLabel(one.word), longest);
    one.vector = one.ids.length === 1 ? rowOf(rows, at) : meanRow(rows, at, end);
    at = end;
  }
  const words = found.filter(({ word }) => names.includes(word));
  const place = Math.max(0, words.findIndex(({ word }) => word === guest));
  const isGuest = guest !== undefined && !names.includes(guest) && found.some(({ word }) => word === guest);
  const one = isGuest ? found.at(-1) : words[place];
  const vectors = { shape: [words.length, columns], data: new Float32Array(words.length * columns) };
  words.forEach(({ vector }, i) => vectors.data.set(vector, i * columns));
  const different = new Set(words.map(({ ids }) => ids.join())).size;
  return {
    words,
    left,
    unknown,
    vectors,
    cosines: words.length ? await engine.cosines({ vectors }) : null,
    map: different >= 3 ? await engine.pca({ vectors, components: 2 }) : null,
    chosen: { ...one, place: isGuest ? -1 : place },
    near: one.ids.length > 1 ? null : (await engine.neighbours({ model, id: one.ids[0], count: neighbours })).map(({ id, token, bytes, cosine }) => ({ id, label: tokenLabel(token, bytes), cosine })),
  };
}
