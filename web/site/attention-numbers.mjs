// Functions for expressions in prose about attention by hand, on matrices of their own. See numbers.mjs.
import { keys, rows, usual } from '../parts/scale-experiment.js';
import { remember } from './number-asks.mjs';
import { rowsOf } from './number-values.mjs';

export const attentionLibrary = {
  /** steps(q, k, v, causal): attention by hand → matrices scores, scaled, exp, weights, output, and the list sums. */
  steps: [['matrix', 'matrix', 'matrix', 'truth?'], async (engine, q, k, v, causal = false) => {
    const steps = await engine.attentionSteps({ q, k, v, causal, scale: true });
    const exp = rowsOf(steps.masked).map((row) => row.map(Math.exp));
    const [scores, scaled, weights, output] = [steps.scores, steps.scaled, steps.weights, steps.output].map(rowsOf);
    return { scores, scaled, exp, sums: exp.map((row) => row.reduce((sum, value) => sum + value)), weights, output };
  }],
  /** softmax(scores): the weights of each row of ready scores. */
  softmax: [['matrix'], async (engine, scores) => {
    const unit = scores[0].map((_, i) => scores[0].map((__, j) => Number(i === j)));
    return rowsOf((await engine.attentionSteps({ q: scores, k: unit, v: unit, causal: false, scale: false })).weights);
  }],
  /** scale(d): the experiment of glassbox-scale with random vectors of d numbers → { raw, scaled }, each { deviation, entropy, largestWeight, gradient }. */
  scale: [['count'], async (engine, d) => {
    const pick = ({ deviation, entropy, largestWeight, gradient }) => ({ deviation, entropy, largestWeight, gradient });
    const { raw, scaled } = await remember(engine, `scale ${d}`, () => engine.scaleExperiment({ d, rows, keys, seed: usual.seed }));
    return { raw: pick(raw), scaled: pick(scaled) };
  }],
};
