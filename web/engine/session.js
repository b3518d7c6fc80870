import { EngineError, unwrap } from './error.js';
import { learnBpe } from './learner.js';
import { Tokenizers } from './tokenizers.js';
import { nextTurn } from './turn.js';

const encoder = new TextEncoder();

/** A seed as the whole number below 2^53 that the engine takes. */
function readSeed(seed) {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new EngineError('bad_argument', `seed: expected a whole number from 0 up, got ${seed}`);
  }
  return seed;
}

// What timings read when they are given no text, again and again.
const timedText = 'The old fisherman rowed out at dawn, and the gulls followed him. 小猫没有跳上桌子，因为它太累了。';

const gpt2Vocabulary = 50257;

const mostDraws = 1_000_000; // of one seed that are skipped at once

/** A turn of the event loop, so that a cancellation can arrive, or the end of the model. */
async function turnOf(engine, isCancelled) {
  await nextTurn();
  if (isCancelled?.() || engine.isDeleted()) throw new EngineError('cancelled', 'cancelled');
}

/** A count as the whole number that the engine takes. */
function readCount(name, value) {
  if (!Number.isSafeInteger(value) || value < 0 || value > 0x7fffffff) {
    throw new EngineError('bad_argument', `${name}: expected a whole number from 0 up, got ${value}`);
  }
  return value;
}

/** Rows of a matrix → {flat, rows, columns}; throws EngineError `bad_shape` unless all rows are of one length. */
function readRows(name, rows) {
  const columns = rows[0]?.length ?? 0;
  if (!rows.every((row) => row.length === columns)) {
    throw new EngineError('bad_shape', `${name}: expected rows of equal length, got ${rows.map((row) => row.length).join(', ')}`);
  }
  return { flat: Float32Array.from(rows.flat()), rows: rows.length, columns };
}

/** Token ids as the engine takes them; whether the model has them is for the engine to say. */
function readIds(ids) {
  if (!Array.isArray(ids) && !ArrayBuffer.isView(ids)) throw new EngineError('bad_argument', 'ids: expected a list of token ids');
  return Int32Array.from(ids, (id) => (Number.isSafeInteger(id) && Math.abs(id) <= 0x7fffffff ? id : readCount('id', id)));
}

/** A list of rows, or {shape: [rows, columns], data}, as {flat, rows, columns}. */
function readVectors(vectors) {
  if (Array.isArray(vectors)) return readRows('vectors', vectors.map((row) => Array.from(row)));
  if (vectors?.shape?.length !== 2) throw new EngineError('bad_shape', 'vectors: expected rows, or a tensor of two dimensions');
  return { flat: Float32Array.from(vectors.data), rows: vectors.shape[0], columns: vectors.shape[1] };
}

/**
 * The engine's calls over one instance of the wasm module, the same in the worker and in Node. Models are loaded when a call
 * first names them, and kept. With `special`, the text of a special token (`<calc>`) means that token; a text from outside must
 * never be read so.
 *
 * `openModel(name)` returns a promise of {name, hash, size, stream, config, vocab, merges, tokenizer, bigrams, dictionary?}: `stream` is an
 * async iterable of the checkpoint's bytes (Uint8Array), `size` their number; config to tokenizer are texts or null; bigrams() returns a
 * promise of the bytes of bigrams.bin or null, dictionary() of the text of dictionary.json or null. It rejects with EngineError `no_file`. `openTokenizer` is described at Tokenizers.
 */
export class EngineSession {
  #module;
  #openModel;
  #models = new Map();
  #added = new Map(); // as openModel gives them, of models that were brought and not loaded yet
  #openTokenizer;
  #tokenizers;

  constructor(module, openModel, openTokenizer) {
    this.#module = module;
    this.#openModel = openModel;
    this.#openTokenizer = openTokenizer;
    this.#tokenizers = new Tokenizers(module, openTokenizer);
  }

  /**
   * Loads a model unless it is there → {name, hash, bytes, hasTokenizer, config, kvCacheBytesPerToken}. All who ask while it loads share one
   * loading, which ends early only when all of them have cancelled. A failed load may be tried again.
   */
  async load(name, { onProgress, isCancelled } = {}) {
    return (await this.#loaded(name, { onProgress, isCancelled })).info;
  }

  #loaded(name, caller) {
    let model = this.#models.get(name);
    if (!model) {
      model = { callers: [] };
      this.#models.set(name, model);
      model.loading = this.#load(name, model.callers).then(
        (loaded) => {
          model.callers = null;
          return loaded;
        },
        (error) => {
          this.#models.delete(name);
          throw error;
        },
      );
    }
    model.callers?.push(caller);
    return model.loading;
  }

  /** Bytes of a checkpoint that is complete in itself, under a name that openModel rejects with `not_added`. */
  addModel(name, hash, bytes) {
    if (this.#models.has(name)) return;
    this.#added.set(name, { name, hash, size: bytes.length, stream: [bytes], config: null, vocab: null, merges: null, tokenizer: null, bigrams: async () => null });
  }

  /** Frees a model; what is being made with it ends with `cancelled`. */
  async removeModel(name) {
    const model = this.#models.get(name);
    this.#added.delete(name);
    this.#models.delete(name);
    const loaded = await model?.loading.catch(() => {});
    await nextTurn(); // all who waited for the loading have had it
    loaded?.engine.delete();
  }

  async #load(name, callers) {
    const files = this.#added.get(name) ?? (await this.#openModel(name));
    this.#added.delete(name);
    const engine = new this.#module.Engine();
    try {
      unwrap(engine.beginModel(files.size, encoder.encode(files.config ?? '')));
      let loaded = 0;
      for await (const piece of files.stream) {
        if (callers.every(({ isCancelled }) => isCancelled?.())) throw new EngineError('cancelled', `loading ${name} was cancelled`);
        unwrap(engine.feedModel(piece));
        loaded += piece.length;
        for (const { onProgress } of callers) onProgress?.({ loaded, total: files.size });
      }
      const { kvCacheBytesPerToken, hasTokenizer: ownTokenizer, ...config } = unwrap(engine.finishModel());
      const hasPair = files.vocab !== null && files.merges !== null;
      // GPT-2's own weights often come as one file; a model of just as many tokens has its vocabulary.
      const merges = !ownTokenizer && !hasPair && files.tokenizer === null && config.vocabSize === gpt2Vocabulary ? await this.#openTokenizer('gpt2').then((gpt2) => gpt2.merges, () => null) : null;
      const hasTokenizer = ownTokenizer || hasPair || files.tokenizer !== null || merges !== null;
      if (!ownTokenizer && hasPair) {
        unwrap(engine.loadTokenizer(encoder.encode(files.vocab), encoder.encode(files.merges)));
      } else if (merges !== null) {
        unwrap(engine.loadMerges(encoder.encode(merges)));
      } else if (!ownTokenizer && hasTokenizer) {
        unwrap(engine.loadTokenizerJson(encoder.encode(files.tokenizer)));
      }
      return { engine, openBigrams: files.bigrams, openDictionary: files.dictionary, info: { name: files.name, hash: files.hash, bytes: files.size, hasTokenizer, config, kvCacheBytesPerToken } };
    } catch (error) {
      engine.delete();
      throw error;
    }
  }

  async #engine(name) {
    return (await this.#loaded(name, {})).engine;
  }

  async tokenize(text, { model = 'builtin', tokenizer, steps = false, most, special = false } = {}) {
    if (tokenizer !== undefined) return this.#tokenizers.tokenize(text, { tokenizer, steps, most });
    return unwrap((await this.#engine(model)).tokenize(encoder.encode(text), steps, special));
  }

  /** Described at EngineClient. */
  async learnBpe(text, { most = 500, shown = Infinity } = {}, caller = {}) {
    return learnBpe(this.#module, text, { most: readCount('most', most), shown }, caller);
  }

  async attentionSteps({ q, k, v, causal, scale }) {
    const [queries, keys, values] = [readRows('q', q), readRows('k', k), readRows('v', v)];
    if (keys.columns !== queries.columns) {
      throw new EngineError('bad_shape', `k: expected ${queries.columns} columns, got ${keys.columns}`);
    }
    if (values.rows !== keys.rows) {
      throw new EngineError('bad_shape', `v: expected ${keys.rows} rows, got ${values.rows}`);
    }
    const shape = [queries.rows, keys.rows, queries.columns, values.columns];
    return unwrap(this.#module.attentionSteps(queries.flat, keys.flat, values.flat, shape, Boolean(causal), Boolean(scale)));
  }

  async trace(text, { model = 'builtin', names = [], knockout = '', special = false } = {}) {
    return unwrap((await this.#engine(model)).trace(encoder.encode(text), names, knockout, special));
  }

  async next(text, { model = 'builtin', top = 10, knockout = '', special = false } = {}) {
    return unwrap((await this.#engine(model)).next(encoder.encode(text), readCount('top', top), knockout, special));
  }

  async logitLens(text, { model = 'builtin', position, top = 5, knockout = '', special = false } = {}) {
    const at = position === undefined ? -1 : readCount('position', position);
    return unwrap((await this.#engine(model)).logitLens(encoder.encode(text), at, readCount('top', top), knockout, special));
  }

  async switchEffect(text, { model = 'builtin', knockout = '', top = 10, special = false } = {}) {
    return unwrap((await this.#engine(model)).switchEffect(encoder.encode(text), readCount('top', top), knockout, special));
  }

  async sweep(text, { model = 'builtin', knockout = '' } = {}) {
    return unwrap((await this.#engine(model)).sweep(encoder.encode(text), knockout));
  }

  async headOutputs(text, { model = 'builtin', layer = 0 } = {}) {
    return unwrap((await this.#engine(model)).headOutputs(encoder.encode(text), readCount('layer', layer)));
  }

  async headProjections({ model = 'builtin', layer = 0, head = 0 } = {}) {
    return unwrap((await this.#engine(model)).headProjections(readCount('layer', layer), readCount('head', head)));
  }

  async bigrams(text, { model = 'builtin', top = 10 } = {}) {
    const loaded = await this.#loaded(model, {});
    // Read once for all; a file that did not come may be tried again.
    loaded.bigrams ??= this.#loadBigrams(loaded).catch((error) => {
      loaded.bigrams = null;
      throw error;
    });
    await loaded.bigrams;
    const found = unwrap(loaded.engine.bigrams(encoder.encode(text), readCount('top', top)));
    const count = found.candidates.reduce((rest, candidate) => rest - candidate.count, found.total);
    return { ...found, rest: { count, p: found.total > 0 ? count / found.total : 0 } };
  }

  async #loadBigrams({ engine, openBigrams, info }) {
    const file = await openBigrams();
    if (file === null) throw new EngineError('no_bigrams', `${info.name} comes without bigrams.bin`);
    unwrap(engine.loadBigrams(file));
  }

  async headScores(text, { model = 'builtin', query, spans = {}, knockout = '', special = false } = {}) {
    const names = Object.keys(spans);
    const positions = names.map((name) => Float64Array.from(spans[name], (position) => readCount(`spans.${name}`, position)));
    const row = query === undefined ? -1 : readCount('query', query);
    const scores = unwrap((await this.#engine(model)).headScores(encoder.encode(text), row, positions, knockout, Boolean(special)));
    for (const { row } of scores) row.spans = Object.fromEntries(names.map((name, i) => [name, row.spans[i]]));
    return scores;
  }

  async repeatScores({ model = 'builtin', rounds = 8, length = 24, seed = 0 } = {}) {
    return unwrap((await this.#engine(model)).repeatScores(readCount('rounds', rounds), readCount('length', length), readSeed(seed)));
  }

  async embedding({ model = 'builtin', ids }) {
    return unwrap((await this.#engine(model)).embedding(readIds(ids)));
  }

  async neighbours({ model = 'builtin', id, count = 10 }) {
    const [own] = readIds([id]);
    return unwrap((await this.#engine(model)).neighbours(own, readCount('count', count)));
  }

  async #vectors({ model = 'builtin', ids, vectors }) {
    return readVectors(vectors ?? (await this.embedding({ model, ids })));
  }

  async cosines({ centred = false, ...options }) {
    const { flat, rows, columns } = await this.#vectors(options);
    return unwrap(this.#module.cosines(flat, rows, columns, Boolean(centred)));
  }

  async pca({ components = 2, ...options }) {
    const { flat, rows, columns } = await this.#vectors(options);
    return unwrap(this.#module.pca(flat, rows, columns, readCount('components', components)));
  }

  async positions({ model = 'builtin' } = {}) {
    return unwrap((await this.#engine(model)).positions());
  }

  async contextual(places, { model = 'builtin' } = {}) {
    const positions = places.map(({ position }) => readCount('position', position));
    return unwrap((await this.#engine(model)).contextual(places.map(({ text }) => encoder.encode(text)), positions));
  }

  async scaleExperiment({ d, rows = 64, keys = 16, seed = 0 }) {
    const counts = [readCount('d', d), readCount('rows', rows), readCount('keys', keys)];
    return unwrap(this.#module.scaleExperiment(...counts, readSeed(seed)));
  }

  /** The agent's calls are described at EngineClient. */
  async agentQuestion(text) {
    return unwrap(this.#module.agentQuestion(encoder.encode(text)));
  }

  async agentStep({ question = '', transcript = '', added = [], pick, model = 'builtin', top = 10 }) {
    const picked = pick === undefined ? -1 : readCount('pick', pick);
    const engine = await this.#engine(model);
    const step = unwrap(engine.agentStep(encoder.encode(question), encoder.encode(transcript), readIds(added), picked, readCount('top', top)));
    return { ...step, chosen: step.candidates.pop() };
  }

  async agentParse(transcript) {
    return unwrap(this.#module.agentParse(encoder.encode(transcript)));
  }

  async agentDictionary({ model = 'builtin' } = {}) {
    const { openDictionary } = await this.#loaded(model, {});
    return JSON.parse((await openDictionary?.()) ?? '[]');
  }

  async agentCall({ tool, argument = '', error }, { model, clock = new Date().toTimeString().slice(0, 5), dictionary } = {}) {
    const pairs = dictionary ?? (tool === 'dict' ? await this.agentDictionary({ model }) : []);
    const call = `<${tool}>${argument}${error === 'unfinished' ? '' : `</${tool}>`}`;
    return unwrap(this.#module.agentCall(encoder.encode(call), encoder.encode(clock), encoder.encode(pairs.map((pair) => `${pair.join('\t')}\n`).join(''))));
  }

  /** One draw with all its stages, after the tokens `added` and `step` draws of the seed. */
  async sample(text, { model = 'builtin', added = [], temperature = 0, topK = 0, topP = 1, seed = 0, step = 0, top = 10 } = {}) {
    if (!(readCount('step', step) <= mostDraws)) throw new EngineError('bad_argument', `step: expected at most ${mostDraws}, got ${step}`);
    const ids = Int32Array.from(added, (id) => readCount('added', id));
    const engine = await this.#engine(model);
    return unwrap(engine.sample(encoder.encode(text), ids, temperature, readCount('topK', topK), topP, readSeed(seed), step, readCount('top', top)));
  }

  /** Every step of a softmax over scores divided by the temperature → {divided, exp, sum, largest, shiftedExp, shiftedSum, shares}. */
  async softmax(scores, { temperature = 1 } = {}) {
    return unwrap(this.#module.softmax(Float32Array.from(scores), temperature));
  }

  /** Described at EngineClient. The lengths take turns, so that a busy moment of the machine does not fall on one of them alone. */
  async timePrefill(lengths, { model = 'builtin', runs = 5, leastMs = 20, text = timedText } = {}, { onProgress, isCancelled } = {}) {
    const counts = lengths.map((length) => readCount('length', length));
    if (counts.includes(0)) throw new EngineError('bad_argument', 'length: expected at least 1 token, got 0');
    const total = counts.length * (readCount('runs', runs) + 1);
    const engine = await this.#engine(model);
    const utf8 = encoder.encode(text);
    const found = counts.map((tokens) => ({ tokens, ms: [], repeats: [] }));
    let loaded = 0;
    for (let round = 0; round <= runs; round += 1) {
      for (const { tokens, ms, repeats } of found) {
        await turnOf(engine, isCancelled);
        const timed = unwrap(engine.time(utf8, tokens, round === 0 ? 0 : leastMs, false));
        // The first round warms up.
        if (round > 0) {
          ms.push(timed.ms);
          repeats.push(timed.runs);
        }
        onProgress?.({ loaded: (loaded += 1), total });
      }
    }
    return found;
  }

  /** Continues a text; `onToken` hears of each token, and `isCancelled` is asked between two and between the pieces of a long prompt. */
  async generate(text, options = {}, { onToken, isCancelled } = {}) {
    const { model = 'builtin', maxTokens = 40, temperature = 0, topK = 0, topP = 1, seed = 0, knockout = '', special = false, cache = true } = options;
    const engine = await this.#engine(model);
    const utf8 = encoder.encode(text);
    const { ms: tokeniseMs } = unwrap(engine.time(utf8, 0, 2, special));
    const generation = unwrap(
      engine.generate(utf8, readCount('maxTokens', maxTokens), temperature, readCount('topK', topK), topP, readSeed(seed), knockout, special, Boolean(cache)),
    );
    try {
      for (;;) {
        await turnOf(engine, isCancelled);
        const token = unwrap(generation.step());
        if (token === true) continue; // a piece was read, and there is more
        if (token === null) return { ...unwrap(generation.result()), tokeniseMs };
        onToken?.(token);
      }
    } finally {
      generation.delete();
    }
  }
}
