// Functions for expressions in prose about the heads of the model, and where they look. See numbers.mjs.
import { ask, headOf, knockout, placeAmong, remember } from './number-asks.mjs';
import { fail } from './number-values.mjs';

async function rowOf(engine, { layer, head }, text, from) {
  const { tokens, activations } = await ask.trace(engine, text);
  const weights = activations[`h.${layer}.attn.weights`];
  if (!weights || head >= weights.shape[0]) fail(`the model has no h.${layer}.${head}`);
  const at = placeAmong(tokens, text, from);
  const size = tokens.length;
  const start = (head * size + at) * size;
  return { tokens, row: Array.from(weights.data.slice(start, start + size)) };
}

/** What the engine measured of one head. */
const scoreOf = (scores, { layer, head }) =>
  scores.find((score) => score.layer === layer && score.head === head) ?? fail(`the model has no h.${layer}.${head}`);

export const headLibrary = {
  /** One head. */
  head: [['count', 'count'], (_, layer, head) => headOf(layer, head)],
  /** All heads, or those of one layer. */
  heads: [['count?'], async (engine, only) => {
    const { nLayer, nHead } = await ask.config(engine);
    const all = Array.from({ length: nLayer * nHead }, (_, i) => headOf(Math.floor(i / nHead), i % nHead));
    return only === undefined ? all : all.filter(({ layer }) => layer === only);
  }],
  /** Heads, as an attribute `knockout` takes them. */
  names: [['out'], (_, out) => knockout(out)],
  /** weight(head, text, from, to): how much `from`, the last such token or a position, looks at `to`, at all its places together. */
  weight: [['head', 'text', 'place', 'text'], async (engine, head, text, from, to) => {
    const { tokens, row } = await rowOf(engine, head, text, from);
    if (!tokens.includes(to)) fail(`"${to}" is no token of "${text}": ${tokens.join(' | ')}`);
    return row.reduce((sum, weight, i) => (tokens[i] === to ? sum + weight : sum), 0);
  }],
  /** row(head, text, from): all weights of one row. */
  row: [['head', 'text', 'place'], async (engine, head, text, from) => (await rowOf(engine, head, text, from)).row],
  /** looksAt(head, text, from): the token at the one place that `from` looks at most. */
  looksAt: [['head', 'text', 'place'], async (engine, head, text, from) => {
    const { tokens, row } = await rowOf(engine, head, text, from);
    return tokens[row.indexOf(Math.max(...row))];
  }],
  /** previous(head, text): how much each token looks at the one before it, on average. */
  previous: [['head', 'text'], async (engine, head, text) =>
    scoreOf(await remember(engine, `scores ${text}`, () => engine.headScores(text)), head).previous ?? fail('one token has none before it')],
  /** induction(head): how much each token of random lists said twice looks at what followed it the first time, on average. */
  induction: [['head'], async (engine, head) => scoreOf(await remember(engine, 'repeats', () => engine.repeatScores()), head).induction],
  /** Each head left out by itself, the one that moves the guess most first: { layer, head, name, kl, token, p, pFirst }. */
  sweep: [['text'], async (engine, text) =>
    (await remember(engine, `sweep ${text}`, () => engine.sweep(text))).map(({ layer, head, kl, token, p, pFirst }) => ({ ...headOf(layer, head), kl, token, p, pFirst }))],
};
