// What a text passes through in a model, joint by joint. `engine` is an EngineClient or an EngineSession.
import { wholeVocabulary } from './measure.js';

/** The joints of one layer in their order, as the engine names them behind `h.LAYER.`. */
export const layerJoints = ['ln_1', 'attn.out', 'resid_mid', 'ln_2', 'mlp.pre', 'mlp.act', 'mlp.out', 'resid_out'];

/** The joints before the first layer and after the last one. */
export const firstJoints = ['wte', 'wpe', 'resid_in'];
export const lastJoints = ['ln_f', 'logits'];
export const joints = [...firstJoints, ...layerJoints, ...lastJoints];

/** What glassbox-transformer can show, and the norms that it can show before and after. */
export const pipelineViews = ['pipeline', 'norm', 'mlp', 'parameters'];
export const normNames = ['ln_1', 'ln_2', 'ln_f'];

const streamJoints = ['attn.out', 'resid_mid', 'mlp.out', 'resid_out'];
const mostNumbers = 2e7; // that are asked for at a time
const mostLogits = 4e6;

/** The engine's name of a joint in a layer. */
export const activationOf = (joint, layer) => (joint === 'resid_in' ? 'h.0.resid_in' : layerJoints.includes(joint) ? `h.${layer}.${joint}` : joint);

/** The activation that a norm reads. */
export function normInput(norm, layer, layers) {
  if (norm === 'ln_2') return `h.${layer}.resid_mid`;
  const before = norm === 'ln_f' ? layers : layer;
  return before === 0 ? 'h.0.resid_in' : `h.${before - 1}.resid_out`;
}

/** Row `position` of an activation (T, n). */
export function rowAt({ shape: [, columns], data }, position) {
  return data.subarray(position * columns, (position + 1) * columns);
}

/** Mean, spread (standard deviation) and length of a vector, summed in double. */
export function momentsOf(vector) {
  const n = vector.length;
  let sum = 0;
  let squares = 0;
  for (const x of vector) {
    sum += x;
    squares += x * x;
  }
  const mean = sum / n;
  let apart = 0;
  for (const x of vector) apart += (x - mean) ** 2;
  return { mean, spread: Math.sqrt(apart / n), length: Math.sqrt(squares) };
}

/** A vector with its mean taken away and divided by its spread, as LayerNorm does before gain and bias. */
export function standardised(vector, epsilon) {
  const { mean, spread } = momentsOf(vector);
  const divisor = Math.sqrt(spread ** 2 + epsilon);
  return Float64Array.from(vector, (x) => (x - mean) / divisor);
}

/** GPT-2's GELU, the tanh form (Hendrycks & Gimpel 2016): the curve that a drawing follows; the points on it are the engine's. */
export const geluCurve = (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

/**
 * A text through the model: the joints of one layer, the residual stream of all layers, and the logits.
 * → { tokens, bytes, dropped, activations: { NAME: { shape, data } }, guess: the last token's candidates }. `logits` holds all rows, or only the last token's (1, V) where
 * all would be too many.
 */
export async function askPipeline(engine, text, { model = 'builtin', config, layer }) {
  const { nLayer, nEmbd, vocabSize, nPositions } = config;
  const most = Math.min(nPositions, new TextEncoder().encode(text).length);
  const groups = [['wte', 'wpe', 'h.0.resid_in', 'ln_f', ...layerJoints.map((joint) => activationOf(joint, layer))]];
  const allLogits = most * vocabSize <= mostLogits;
  if (allLogits) groups[0].push('logits');
  const together = Math.max(1, Math.floor(mostNumbers / (most * nEmbd * streamJoints.length)));
  for (let from = 0; from < nLayer; from += together) {
    const layers = Array.from({ length: Math.min(together, nLayer - from) }, (_, i) => from + i);
    groups.push(layers.flatMap((one) => streamJoints.map((joint) => activationOf(joint, one))));
  }
  const activations = {};
  let traced;
  for (const names of groups) {
    traced = await engine.trace(text, { model, names });
    Object.assign(activations, traced.activations);
  }
  const { candidates } = await engine.next(text, { model, top: wholeVocabulary });
  if (!allLogits) {
    const data = new Float32Array(vocabSize);
    for (const { id, logit } of candidates) data[id] = logit;
    activations.logits = { shape: [1, vocabSize], data };
  }
  const { tokens, bytes, dropped } = traced;
  return { tokens, bytes, dropped, activations, guess: candidates.slice(0, 5) };
}

/** The length of the residual stream along the way, and of what is added to it → [{ joint, layer, length, added }], first of all the embedding. */
export function streamAt(activations, layers, position) {
  const length = (name) => momentsOf(rowAt(activations[name], position)).length;
  const stations = [{ joint: 'resid_in', layer: null, length: length('h.0.resid_in'), added: null }];
  for (let layer = 0; layer < layers; layer++) {
    stations.push({ joint: 'resid_mid', layer, length: length(`h.${layer}.resid_mid`), added: length(`h.${layer}.attn.out`) });
    stations.push({ joint: 'resid_out', layer, length: length(`h.${layer}.resid_out`), added: length(`h.${layer}.mlp.out`) });
  }
  return stations;
}

/** A norm at one token → { before, even: standardised, after }, each { values, mean, spread, length }. */
export function normAt(activations, { norm, layer, layers, epsilon, position }) {
  const before = rowAt(activations[normInput(norm, layer, layers)], position);
  const after = rowAt(activations[activationOf(norm, layer)], position);
  const of = (values) => ({ values, ...momentsOf(values) });
  return { before: of(before), even: of(standardised(before, epsilon)), after: of(after) };
}

/**
 * The neurons of an MLP at one token → { pre, act: vectors (F), negative: how many pre-activations are below 0, quiet: how many activations lie within ±0.1, top:
 * the `count` largest activations [{ neuron, pre, act, along: its activation at every token }] }.
 */
export function neuronsAt(activations, { layer, position, count = 6 }) {
  const all = activations[`h.${layer}.mlp.act`];
  const pre = rowAt(activations[`h.${layer}.mlp.pre`], position);
  const act = rowAt(all, position);
  const [size, width] = all.shape;
  const order = Array.from(act, (_, neuron) => neuron).sort((a, b) => act[b] - act[a] || a - b);
  return {
    pre,
    act,
    negative: pre.reduce((sum, x) => sum + (x < 0 ? 1 : 0), 0),
    quiet: act.reduce((sum, x) => sum + (Math.abs(x) <= 0.1 ? 1 : 0), 0),
    top: order.slice(0, count).map((neuron) => ({ neuron, pre: pre[neuron], act: act[neuron], along: Float32Array.from({ length: size }, (_, t) => all.data[t * width + neuron]) })),
  };
}
