import { EngineError, unwrap } from './error.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const stepNumbers = 6; // of one merge, as the engine lists them

/** The merges of a text as the engine lists them → [{place, count, rank, pair: [left, right], id}]. */
function readSteps(numbers) {
  return Array.from({ length: numbers.length / stepNumbers }, (_, i) => {
    const [place, count, rank, left, right, id] = numbers.subarray(i * stepNumbers, (i + 1) * stepNumbers);
    return { place, count, rank, pair: [left, right], id };
  });
}

/**
 * Tokenizers without their models, each loaded when a call first names it, and kept.
 *
 * `open(name)` returns a promise of {vocab, merges, hash}: texts of GPT-2's two files; vocab is null where the ids follow from the merges. It
 * rejects with EngineError `no_file`.
 */
export class Tokenizers {
  #module;
  #open;
  #loading = new Map();

  constructor(module, open) {
    this.#module = module;
    this.#open = open;
  }

  #loaded(name) {
    if (!this.#loading.has(name)) {
      const loading = this.#load(name);
      this.#loading.set(name, loading);
      loading.catch(() => this.#loading.delete(name)); // it may be tried again
    }
    return this.#loading.get(name);
  }

  async #load(name) {
    const { vocab, merges, hash } = await this.#open(name);
    const tokenizer = new this.#module.Tokenizer();
    try {
      const size = unwrap(tokenizer.load(encoder.encode(vocab ?? ''), encoder.encode(merges)));
      return { tokenizer, size, hash, byteIds: Array.from(unwrap(tokenizer.byteTokens())) };
    } catch (error) {
      tokenizer.delete();
      throw error;
    }
  }

  /** Described at EngineClient's tokenize. */
  async tokenize(text, { tokenizer: name, steps = false, most = Infinity }) {
    if (typeof name !== 'string') throw new EngineError('bad_argument', `tokenizer: expected a name, got ${name}`);
    const { tokenizer, size, hash, byteIds } = await this.#loaded(name);
    const utf8 = encoder.encode(text);
    const { ids, lengths } = unwrap(tokenizer.encode(utf8));
    const bytes = [];
    for (let i = 0, from = 0; i < Math.min(ids.length, most); i += 1) {
      bytes.push(Array.from(utf8.subarray(from, from + lengths[i])));
      from += lengths[i];
    }
    const described = {
      ids: Array.from(ids.subarray(0, bytes.length)),
      tokens: bytes.map((piece) => decoder.decode(Uint8Array.from(piece))),
      bytes,
      count: ids.length,
      textBytes: utf8.length,
      size,
      hash,
    };
    return steps ? { ...described, byteIds, steps: readSteps(unwrap(tokenizer.steps(utf8))) } : described;
  }
}
