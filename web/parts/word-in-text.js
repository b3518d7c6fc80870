import { sameNumbers } from './rows.js';
import { tokenLabels } from '../draw/label.js';

const encoder = new TextEncoder();
const mostPieces = 64; // tokens that one word may be made of

/** So many sentences a group are read at most. */
export const mostSentences = 12;

/**
 * Where a word stands among tokens: runs of whole tokens whose bytes are the word's, a blank before it aside. bytes: of each token →
 * [{ start, end }], tokens start … end−1.
 */
export function findWord(bytes, word) {
  const wanted = encoder.encode(word.trim());
  if (!wanted.length) return [];
  const found = [];
  for (let start = 0; start < bytes.length; start++) {
    let at = 0;
    let fits = true;
    for (let end = start; end < bytes.length && end - start < mostPieces && fits && at < wanted.length; end++) {
      const piece = Array.from(bytes[end]);
      if (end === start && piece[0] === 32) piece.shift();
      if (!piece.length && end > start) break;
      fits = piece.every((byte, i) => wanted[at + i] === byte);
      at += piece.length;
      if (fits && at === wanted.length) found.push({ start, end: end + 1 });
    }
  }
  // A blank of its own before the word belongs to no run.
  return found.filter(({ start, end }) => end - start === 1 || !(bytes[start].length === 1 && bytes[start][0] === 32));
}

/** What is read of each text: the token's own row, the row with the position added, and the vector after each layer. */
const stageNames = (layers) => ['wte', 'h.0.resid_in', ...Array.from({ length: layers }, (_, layer) => `h.${layer}.resid_out`)];

/** Cosines of all pairs of vectors, their mean taken away if asked → (n, n) row-major. */
async function cosinesOf(engine, list, centred = false) {
  const data = new Float32Array(list.length * list[0].length);
  list.forEach((vector, i) => data.set(vector, i * vector.length));
  return (await engine.cosines({ vectors: { shape: [list.length, list[0].length], data }, centred })).data;
}

/**
 * One text at one word. at: the wanted place (a token), the last one if null →
 * { text, labels, dropped, places: [{ start, end }], place: { start, end } or null, position, id, label, vectors: one a stage }
 */
async function readAt(engine, text, { word, at = null, model, layers }) {
  const names = stageNames(layers);
  const { ids, tokens, bytes, dropped, activations } = await engine.trace(text, { model, names });
  const labels = tokenLabels(tokens, bytes);
  const places = findWord(bytes, word);
  const place = places.find(({ start, end }) => at !== null && at >= start && at < end) ?? places.at(-1) ?? null;
  const position = place ? place.end - 1 : -1;
  const vectors = place ? names.map((name) => activations[name].data.slice(position * activations[name].shape[1], (position + 1) * activations[name].shape[1])) : [];
  return { text, labels, dropped, places, place, position, id: place ? ids[position] : null, label: labels[position] ?? null, vectors };
}

/**
 * One word in two texts. texts: two; at: two wanted places (tokens) or null → { config, hash, sides: two of readAt, stages: [{ key: 'token', 'sum' or the layer,
 * vectors: two, cosine, same: to the bit }] }, stages empty where a text lacks the word.
 */
export async function compareWord(engine, { word, texts, at = [null, null], model = 'builtin' }) {
  const { config, hash } = await engine.load(model);
  const sides = [];
  for (const [i, text] of texts.entries()) sides.push(await readAt(engine, text, { word, at: at[i], model, layers: config.nLayer }));
  const stages = [];
  if (sides.every(({ place }) => place)) {
    for (let i = 0; i < config.nLayer + 2; i++) {
      const vectors = sides.map((side) => side.vectors[i]);
      const same = sameNumbers(...vectors);
      stages.push({ key: ['token', 'sum'][i] ?? i - 2, vectors, cosine: same ? 1 : (await cosinesOf(engine, vectors))[1], same });
    }
  }
  return { config, hash, sides, stages };
}

const meanOf = (list) => list.reduce((sum, x) => sum + x, 0) / (list.length || 1);

/** Means over the pairs of (n, n) cosines within a group and across two, the first group having `cut` members. */
export function withinAndAcross(cosines, size, cut) {
  const within = [];
  const across = [];
  for (let row = 0; row < size; row++) for (let column = 0; column < row; column++) (row < cut === column < cut ? within : across).push(cosines[row * size + column]);
  return { within: meanOf(within), across: meanOf(across) };
}

/**
 * One word in two groups of sentences. groups: two lists → { members: [{ group, number, text }], skipped: likewise, those without the word, cut: how many members are of
 * the first group, stages: [{ key, same: whether all vectors are one, raw: { cosines, within, across }, centred: likewise, with the mean of all members taken away }] }; stages
 * empty unless each group has two members.
 */
export async function compareGroups(engine, { word, groups, model = 'builtin' }) {
  const { config } = await engine.load(model);
  const members = [];
  const skipped = [];
  for (const [group, texts] of groups.entries()) {
    for (const [i, text] of texts.slice(0, mostSentences).entries()) {
      const read = await readAt(engine, text, { word, model, layers: config.nLayer });
      (read.place ? members : skipped).push({ group, number: i + 1, text, vectors: read.vectors });
    }
  }
  const cut = members.filter(({ group }) => group === 0).length;
  const stages = [];
  if (cut >= 2 && members.length - cut >= 2) {
    for (let i = 0; i < config.nLayer + 2; i++) {
      const vectors = members.map((member) => member.vectors[i]);
      const same = vectors.every((vector) => sameNumbers(vector, vectors[0]));
      const measured = async (isCentred) => {
        const cosines = await cosinesOf(engine, vectors, isCentred);
        return { cosines, ...withinAndAcross(cosines, vectors.length, cut) };
      };
      stages.push({ key: ['token', 'sum'][i] ?? i - 2, same, raw: await measured(false), centred: await measured(true) });
    }
  }
  return { members, skipped, cut, stages };
}

/** The groups of sentences for a word, and what they are called: those of `words` (strings of `bank`), empty ones for other words → { names: two, texts: two }. */
export const groupsFor = (word, words) => words.sets.find((set) => set.word === word) ?? { names: words.groupNames, texts: ['', ''] };

/** Sentences of an attribute: one a line, or parted by | when it is a single line. */
export const sentencesOf = (text) => text.split(text.includes('\n') ? '\n' : '|').map((line) => line.trim()).filter(Boolean);
