// Functions for expressions in prose about the model's parts: its sizes, what passes through it, and what it does without some. See numbers.mjs.
import { countParameters, gpt2Sizes, parameterGroups, sizesOf } from '../parts/parameters.js';
import { geluCurve, momentsOf, neuronsAt, rowAt } from '../parts/pipeline.js';
import { ask, knockout, placeAmong, remember } from './number-asks.mjs';
import { fail } from './number-values.mjs';

const lensOf = (engine, text) => remember(engine, `lens ${text}`, () => engine.logitLens(text, { top: 3 }));

export const transformerLibrary = {
  /** The model's sizes: { layers, heads, width, headSize, vocabulary, context }. */
  model: [[], async (engine) => {
    const { nLayer, nHead, nEmbd, vocabSize, nPositions } = await ask.config(engine);
    return { layers: nLayer, heads: nHead, width: nEmbd, headSize: nEmbd / nHead, vocabulary: vocabSize, context: nPositions };
  }],
  /** parameters("builtin" or "gpt2"): { total, layer: of one layer, tables, attention, mlp, norms: of all layers, parts: { wte, … } }. */
  parameters: [['text'], async (engine, which) => {
    const counted = countParameters(which === 'gpt2' ? gpt2Sizes[0] : sizesOf(await ask.config(engine)));
    const groups = Object.fromEntries(parameterGroups(counted).map(({ group, count }) => [group, count]));
    const parts = Object.fromEntries(counted.rows.map(({ part, each }) => [part.replace('.', '_'), each]));
    return { total: counted.total, layer: counted.layer, ...groups, parts };
  }],
  /** lens(text): the likeliest next token read off before the first layer and after each: { token, p }. */
  lens: [['text'], async (engine, text) => (await lensOf(engine, text)).layers.map(({ candidates: [{ token, p }] }) => ({ token, p }))],
  /** along(text, token): what one next token has there: { p, rank }, rank 1 for the likeliest. It must once be among the first three. */
  along: [['text', 'text'], async (engine, text, token) => {
    const found = (await lensOf(engine, text)).tracked.find((one) => one.token === token) ?? fail(`"${token}" is never among the first three`);
    return Array.from(found.p, (p, i) => ({ p, rank: found.rank[i] + 1 }));
  }],
  /** moments(text, name, place): { mean, spread, length } of an activation's vector at one token. */
  moments: [['text', 'text', 'place'], async (engine, text, activation, place) => {
    const { tokens, activations } = await remember(engine, `moments ${activation} ${text}`, () => engine.trace(text, { names: [activation] }));
    return momentsOf(rowAt(activations[activation], placeAmong(tokens, text, place)));
  }],
  /** neurons(text, layer): of the MLP at the last token: { all, negative, quiet, top: the number of the brightest }. */
  neurons: [['text', 'count'], async (engine, text, layer) => {
    const { tokens, activations } = await remember(engine, `neurons ${layer} ${text}`, () => engine.trace(text, { names: [`h.${layer}.mlp.pre`, `h.${layer}.mlp.act`] }));
    const { pre, negative, quiet, top } = neuronsAt(activations, { layer, position: tokens.length - 1, count: 1 });
    return { all: pre.length, negative, quiet, top: top[0].neuron };
  }],
  /** gelu(x), the tanh form. */
  gelu: [['number'], (_, x) => geluCurve(x)],
  /** switched(text, out): what switching parts off does: { kl, token, p: the likeliest then }. */
  switched: [['text', 'out'], async (engine, text, out) => {
    const { after: [{ token, p }], kl } = await remember(engine, `switched ${knockout(out)} ${text}`, () => engine.switchEffect(text, { knockout: knockout(out), top: 1 }));
    return { kl, token, p };
  }],
  /** everyLayer("h.#.attn"): such words for every layer. */
  everyLayer: [['text'], async (engine, words) => Array.from({ length: (await ask.config(engine)).nLayer }, (_, layer) => words.replaceAll('#', layer)).join(' ')],
  /** lastLayer("h.#.attn"): such a word for the last one. */
  lastLayer: [['text'], async (engine, words) => words.replaceAll('#', (await ask.config(engine)).nLayer - 1)],
};
