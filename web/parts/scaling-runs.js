// Our own measured runs (web/site/scaling.json), and the line through a family of models.
import { fitPowerLaw } from './power-law.js';

const toRun = (run) => ({
  name: run.name,
  layers: run.n_layer,
  width: run.n_embd,
  parameters: run.parameters,
  n: run.non_embedding,
  d: run.tokens,
  unique: Math.min(run.tokens, run.unique_tokens), // different tokens that it read
  times: Math.max(1, run.tokens / run.unique_tokens), // how often it read each
  loss: run.held_out_loss,
  error: run.standard_error ?? 0, // of the loss, from the differences between documents
  learned: run.training_loss, // on the text that it learned from, at the end
  curve: run.curve,
});

/**
 * measured: the content of scaling.json → { family: by rising size, data: one size, from most to least different text, the one of the family first,
 * shapes: other ways to grow than the family's, builtin: the built-in model on the same held-out text, with the largest of the family on each kind of it,
 * bytesPerToken: of that text, command, seconds, machine: in words }.
 */
export function readRuns(measured) {
  const of = (kind) => measured.runs.filter((run) => run.kind === kind).map(toRun);
  const family = of('family').sort((a, b) => a.n - b.n);
  const limited = of('data').sort((a, b) => b.unique - a.unique);
  const whole = family.filter(({ n }) => limited.some((run) => run.n === n));
  return {
    family,
    data: limited.length ? [...whole, ...limited] : [],
    shapes: of('shape'),
    builtin: { n: measured.builtin.non_embedding, d: measured.builtin.tokens, loss: measured.builtin.loss, kinds: measured.builtin.by_family },
    bytesPerToken: measured.held_out.bytes / measured.held_out.tokens,
    heldOut: { documents: measured.held_out.documents, known: measured.held_out.also_in_training }, // known: word for word in the training texts too
    command: measured.command,
    seconds: measured.seconds,
    machine: measured.machine.words,
  };
}

/**
 * The power law through the `count` smallest models. floor: whether the line has one; by: `n`, or `parameters`, all of them.
 * → { used: the models, a, alpha, floor, errors, predict(n), deviation: function of n, the standard error of the line there, or null with no point to
 * spare }; null with fewer than three models.
 */
export function fitSmallest(family, count, { floor = true, by = 'n' } = {}) {
  const used = family.slice(0, count);
  if (used.length < 3) return null;
  const fit = fitPowerLaw(used.map((run) => ({ x: run[by], y: run.loss })), { floor });
  return { used, ...fit, deviation: fit.degreesOfFreedom > 0 && fit.deviation(used[0][by]) !== null ? fit.deviation : null };
}

/** Where a run's held-out loss was least on the way → { tokens, loss }. */
export function lowestOf(run) {
  const [tokens, loss] = run.curve.reduce((best, point) => (point[1] < best[1] ? point : best));
  return { tokens, loss };
}

/** A loss in nats a token in the unit `per`: `token`, or `byte`, which divides by the bytes of a token. */
export const lossIn = (loss, per, bytesPerToken) => (per === 'byte' ? loss / bytesPerToken : loss);
