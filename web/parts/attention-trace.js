import { tokenLabels } from '../draw/label.js';
import { tokenParts } from '../draw/units.js';
import { sharedEngine } from '../engine/client.js';

const mostWeights = 8_000_000; // numbers up to which the weights of all layers are asked for; beyond, only the shown layer's

/** Head `head` of weights (H,T,T) → T·T numbers. */
export const headOf = ({ shape: [, rows, columns], data }, head) => data.subarray(head * rows * columns, (head + 1) * rows * columns);

/** The layers whose weights are asked for: all, or only the shown one where all would be too many numbers. */
async function layersFor(text, { model, config, layer }) {
  const all = Array.from({ length: config.nLayer }, (_, l) => l);
  const fit = (tokens) => Math.min(tokens, config.nPositions) ** 2 * config.nHead * config.nLayer <= mostWeights;
  // No text has more tokens than bytes; only where that is too many are they counted.
  if (fit(3 * text.length) || fit((await sharedEngine().tokenize(text, { model })).ids.length)) return all;
  return [layer];
}

/** What attention does in texts, read by the engine; of each text's name (`slot`) the last reading is kept, so that another layer asks only for what is new. */
export class AttentionTrace {
  #guesses;
  #kept = {};

  /** guesses: how many of the likeliest next tokens are asked for. */
  constructor({ guesses }) {
    this.#guesses = guesses;
  }

  /**
   * The weights of the layers and the next token once a text; of the shown layer also what its calculations need.
   * → { text, model, size, tokens, bytes, labels, pieces, dropped, candidates, all: L × weights (H,T,T) or null, layer, ms, and of that layer q, k, v, z (H,T,D), scaled (H,T,T) }
   */
  async read(slot, text, { model, config, layer }) {
    const kept = this.#kept[slot];
    const same = kept?.text === text && kept.model === model && kept.all[layer] ? kept : null;
    if (same?.layer === layer) return same;
    const engine = sharedEngine();
    const layers = same ? [] : (await layersFor(text, { model, config, layer })).map((l) => `h.${l}.attn.weights`);
    const parts = ['q', 'k', 'v', 'scaled', 'z'].map((name) => `h.${layer}.attn.${name}`);
    const start = performance.now();
    const [{ tokens, bytes, dropped, activations, ms }, { candidates }] = await Promise.all([
      engine.trace(text, { model, names: [...layers, ...parts] }).then((traced) => ({ ...traced, ms: performance.now() - start })),
      same ?? engine.next(text, { model, top: this.#guesses }),
    ]);
    const [q, k, v, scaled, z] = parts.map((name) => activations[name]);
    const read = same
      ? { ...same }
      : { text, model, size: tokens.length, tokens, bytes, labels: tokenLabels(tokens, bytes), pieces: tokenParts(bytes), dropped, candidates, all: Array.from({ length: config.nLayer }, (_, l) => activations[`h.${l}.attn.weights`] ?? null) };
    this.#kept[slot] = { ...read, layer, ms, q, k, v, scaled, z };
    return this.#kept[slot];
  }
}
