// The guess read off the residual stream after every layer. `engine` is an EngineClient or an EngineSession.
import { tokenLabel } from '../draw/label.js';
import { formatPercent } from '../draw/number.js';

export const lensTop = 3; // guesses in sight at each stage
export const lensKept = 8; // candidates followed through the stages until more are asked for

/**
 * → { tokens, bytes, dropped, position, stages: [{ layer: null before the first, candidates: [{ id, label, p }] }], tracked: [{ id, label, p, rank: per stage, best: its best rank, last }],
 *   decided: the first stage from which on the final answer stays first }.
 * Every candidate that is among the first `top` at any stage is kept: those of the last stage first, then by the best rank that they had.
 */
export async function askLens(engine, text, { model = 'builtin', position, top = lensTop } = {}) {
  const read = await engine.logitLens(text, { model, position, top });
  const stages = read.layers.map(({ candidates }, i) => ({
    layer: i === 0 ? null : i - 1,
    candidates: candidates.map(({ id, token, bytes, p }) => ({ id, label: tokenLabel(token, bytes), p })),
  }));
  const last = stages.length - 1;
  const highest = ({ p }) => p.reduce((most, x) => Math.max(most, x), 0);
  const tracked = read.tracked
    .map(({ id, token, bytes, p, rank }) => ({ id, label: tokenLabel(token, bytes), p: [...p], rank: [...rank], best: Math.min(...rank), last: rank[last] }))
    .sort((a, b) => (a.last < top || b.last < top ? a.last - b.last : highest(b) - highest(a) || a.id - b.id));
  const answer = stages[last].candidates[0].id;
  let decided = last;
  while (decided > 0 && stages[decided - 1].candidates[0].id === answer) decided -= 1;
  const { tokens, bytes, dropped } = read;
  return { tokens, bytes, dropped, position: read.position, stages, tracked, decided };
}

/** What there is to see, in a sentence made of what was read. words: strings of `lens`. */
export function lensSentence({ stages, decided }, words) {
  const first = stages[0].candidates[0];
  const last = stages.length - 1;
  const answer = stages[last].candidates[0];
  return words.says({
    answer: answer.label,
    p: formatPercent(answer.p),
    first: first.label,
    firstP: formatPercent(first.p),
    decided: decided === last ? null : decided === 0 ? 'start' : stages[decided].layer,
    layers: last,
  });
}
