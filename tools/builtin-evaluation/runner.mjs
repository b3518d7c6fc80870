// The built-in model in the engine that the page runs, with what the measurements ask of it.
import { basename, dirname } from 'node:path';
import { nodeEngine } from '../../web/engine/node.js';

export const mean = (values) => values.reduce((sum, value) => sum + Number(value), 0) / values.length;

/** Place of the largest number. */
export const largest = (numbers) => numbers.reduce((best, value, i) => (value > numbers[best] ? i : best), 0);

/** The cells of a tensor {shape, data} at the first indices, the rest of its dimensions whole. */
export function slice({ shape, data }, ...indices) {
  const size = shape.slice(indices.length).reduce((a, b) => a * b, 1);
  const at = indices.reduce((sum, index, d) => sum * shape[d] + index, 0);
  return data.subarray(at * size, (at + 1) * size);
}

/** Texts are read with their tags as special tokens; they are all our own. */
export class Runner {
  #engine;
  #model;

  constructor(engine, model, info) {
    this.#engine = engine;
    this.#model = model;
    this.info = info;
  }

  /** folder: of the model; engineDir: of the wasm engine. */
  static async open(folder, engineDir) {
    const engine = await nodeEngine({ engineDir, modelsDir: dirname(folder) });
    const model = basename(folder);
    return new Runner(engine, model, await engine.load(model));
  }

  get layers() {
    return this.info.config.nLayer;
  }

  get heads() {
    return this.info.config.nHead;
  }

  /** Ids of a text. */
  async ids(text) {
    return (await this.#engine.tokenize(text, { model: this.#model, special: true })).ids;
  }

  /** The first token's id of a text. */
  async first(text) {
    return (await this.ids(text))[0];
  }

  /** The text of a token. */
  async token(text, id) {
    const { candidates } = await this.#engine.next(text, { model: this.#model, top: this.info.config.vocabSize, special: true });
    return candidates.find((candidate) => candidate.id === id).token;
  }

  /** → {ids, tokens, activations}. */
  trace(text, names, knockout = '') {
    return this.#engine.trace(text, { model: this.#model, names, knockout, special: true });
  }

  /** Probabilities (V) of the next token. */
  async probabilities(text, knockout = '') {
    const { ids, activations } = await this.trace(text, ['logits'], knockout);
    const logits = slice(activations.logits, ids.length - 1);
    const top = logits.reduce((a, b) => Math.max(a, b));
    const exps = Float64Array.from(logits, (x) => Math.exp(x - top));
    const sum = exps.reduce((a, b) => a + b, 0);
    return exps.map((x) => x / sum);
  }

  /** The text that follows, the likeliest token each time unless a temperature is given, and whether it ended by itself. */
  async continued(text, maxTokens, { temperature = 0, seed = 0 } = {}) {
    const result = await this.#engine.generate(text, { model: this.#model, maxTokens, temperature, seed, special: true });
    return { text: result.text, ended: result.ids.length < maxTokens };
  }
}
