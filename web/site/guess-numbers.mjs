// Functions for expressions in prose about the guess of the next token, and what is drawn from it. See numbers.mjs.
import { ask, knockout } from './number-asks.mjs';
import { fail } from './number-values.mjs';

export const guessLibrary = {
  /** The candidates for the next token, the likeliest first: { token, p }; some heads left out if wanted. */
  next: [['text', 'out?'], async (engine, text, out = '') => (await ask.next(engine, text, knockout(out))).map(({ token, p }) => ({ token, p }))],
  /** The probability of one next token. */
  p: [['text', 'text', 'out?'], async (engine, text, token, out = '') =>
    ((await ask.next(engine, text, knockout(out))).find((candidate) => candidate.token === token) ?? fail(`"${token}" is no token of the model`)).p],
  /** How far the guess moves when heads are left out: the Kullback-Leibler divergence in nats. */
  kl: [['text', 'out'], async (engine, text, out) => {
    const without = new Map((await ask.next(engine, text, knockout(out))).map(({ id, p }) => [id, p]));
    return (await ask.next(engine, text, '')).reduce((sum, { id, p }) => sum + (p > 0 ? p * Math.log(p / without.get(id)) : 0), 0);
  }],
  /** tempered(text, token, T): the probability of a next token after the temperature, over the whole vocabulary. */
  tempered: [['text', 'text', 'number'], async (engine, text, token, temperature) =>
    ((await engine.sample(text, { temperature, top: 0x7fffffff })).candidates.find((candidate) => candidate.token === token) ?? fail(`"${token}" is no token of the model`)).tempered],
  /** tail(text, T, n): what all but the n likeliest have together after the temperature. */
  tail: [['text', 'number', 'count'], async (engine, text, temperature, n) =>
    (await engine.sample(text, { temperature, top: 0x7fffffff })).candidates.slice(n).reduce((total, candidate) => total + candidate.tempered, 0)],
  /** drawn(text, T, top-k, top-p, seed, step): one draw → { token, u, from, to, p, share, kept }. */
  drawn: [['text', 'number', 'count', 'number', 'count', 'count'], async (engine, text, temperature, topK, topP, seed, step) => {
    const { chosen, u, kept } = await engine.sample(text, { temperature, topK, topP, seed, step, top: 1 });
    return { token: chosen.token, u: u ?? 0, from: chosen.from, to: chosen.to, p: chosen.tempered, share: chosen.share, kept };
  }],
  /** written(text, count): what is written after a text when the likeliest is taken every time. written(text, count, T, seed): by the dice. */
  written: [['text', 'count', 'number?', 'count?'], async (engine, text, maxTokens, temperature = 0, seed = 0) => (await engine.generate(text, { maxTokens, temperature, seed })).text],
};
