// The loss of predictions: −log p of the right token. Pure but for askLosses; `engine` is an EngineClient or an EngineSession.
import { tokenLabel } from '../draw/label.js';

export const candidatesShown = 4;

/** −log p in nats of each index, and the likeliest of all, from a row of logits. → { loss(i), p(i), rank(i), top(n) } */
export function readRow(row) {
  let top = -Infinity;
  for (const x of row) top = Math.max(top, x);
  let sum = 0;
  for (const x of row) sum += Math.exp(x - top);
  const whole = Math.log(sum) + top;
  const loss = (i) => whole - row[i];
  return {
    loss,
    p: (i) => Math.exp(-loss(i)),
    rank: (i) => row.reduce((before, x, other) => before + (x > row[i] || (x === row[i] && other < i) ? 1 : 0), 1),
    top: (n) => Array.from(row.keys()).sort((a, b) => row[b] - row[a] || a - b).slice(0, n),
  };
}

/**
 * What a model lost on each token of a text but the first, which nothing was read before.
 * → { tokens, bytes, labels, dropped, vocabulary, random: ln V, the loss of a guess at random, places: [{ at: index of the right token, id, label, p, loss, rank,
 *   candidates: [{ id, label, p, loss }] the likeliest, row: of readRow }], mean } – or with few: true for a text of one token.
 */
export async function askLosses(engine, text, { model = 'builtin', shown = candidatesShown } = {}) {
  const { ids, tokens, bytes, dropped, activations } = await engine.trace(text, { model, names: ['logits'] });
  const { shape: [, vocabulary], data } = activations.logits;
  const rows = ids.slice(0, -1).map((_, t) => readRow(data.subarray(t * vocabulary, (t + 1) * vocabulary)));
  const tops = rows.map((row) => row.top(shown));
  const wanted = [...new Set(tops.flat())];
  const named = new Map();
  if (wanted.length) {
    const table = await engine.embedding({ model, ids: wanted });
    wanted.forEach((id, i) => named.set(id, tokenLabel(table.tokens[i], table.bytes[i])));
  }
  const places = rows.map((row, t) => {
    const id = ids[t + 1];
    const one = (which) => ({ id: which, label: which === id ? tokenLabel(tokens[t + 1], bytes[t + 1]) : named.get(which), p: row.p(which), loss: row.loss(which) });
    return { at: t + 1, ...one(id), rank: row.rank(id), row, candidates: tops[t].map(one) };
  });
  const labels = tokens.map((token, i) => tokenLabel(token, bytes[i]));
  return { ids, tokens, bytes, labels, dropped, vocabulary, random: Math.log(vocabulary), places, mean: meanLoss(places), few: places.length === 0 };
}

/** The mean loss of places, nats a token. */
export const meanLoss = (places) => (places.length ? places.reduce((sum, { loss }) => sum + loss, 0) / places.length : null);

/** Which of the places a position names, the token's index as text; the last one for what is none. */
export function placeIn(places, position) {
  const last = places.length - 1;
  if (position === null || position === undefined || String(position).trim() === '') return last;
  const at = Math.trunc(Number(position));
  return Number.isNaN(at) ? last : Math.min(last, Math.max(0, at - 1));
}
