// The page's side of the engine: promises over one worker. Only this file talks to the worker.
import * as Comlink from 'comlink';
import { borrowWorker } from './borrow.js';
import { EngineError, unwrap } from './error.js';
import { shortHash } from './hash.js';
import { openInline } from './inline.js';

export { EngineError };

// Whether this page has refused a worker: to ask again would only fill its console.
let refused = false;

/** One worker, or the page's own thread where no worker is allowed, and the calls that wait for it. */
class Connection {
  #waiting = new Set();
  #ended = null; // the error it ended with
  #worker = null;
  #started = false;

  constructor(root) {
    this.ready = this.#open(root);
    this.ready.then(() => (this.#started = true), () => {});
  }

  async #open(root) {
    const script = new URL('engine/worker.js', root);
    const borrowed = script.origin !== globalThis.location.origin;
    if (!(borrowed && refused)) {
      if (await this.#openWorker(script, borrowed, root)) return;
      if (!refused) console.info('Glassbox: this page allows no blob: worker (Content-Security-Policy: worker-src), so the engine runs on the page’s own thread, in small steps.');
      refused = true;
    }
    this.remote = await openInline(root);
    await this.ask(() => this.remote.start(String(root)));
  }

  /** → whether the worker has started; false when the page allows none. Throws EngineError when it is allowed and fails. */
  async #openWorker(script, borrowed, root) {
    let worker;
    try {
      worker = borrowed ? borrowWorker(script) : new Worker(script);
    } catch (error) {
      if (borrowed) return false;
      throw new EngineError('no_worker', error.message);
    }
    this.#worker = worker;
    const turnedAway = new Promise((resolve) => {
      // Before the script has run, an error event means that it could not be loaded.
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        if (borrowed && !this.#started) resolve(false);
        else this.end(this.#started ? 'crashed' : 'no_file', event.message || 'the worker could not be loaded');
      });
    });
    worker.addEventListener('message', ({ data }) => {
      if (data?.missing) this.end('no_file', data.missing);
    });
    this.remote = Comlink.wrap(worker);
    const started = await Promise.race([this.ask(() => this.remote.start(String(root))), turnedAway]);
    if (!started) worker.terminate();
    return started;
  }

  get alive() {
    return this.#ended === null;
  }

  /** Waits for one call's answer; rejects with EngineError, also when the worker ends first or has ended. */
  ask(call) {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#ended);
        return;
      }
      this.#waiting.add(reject);
      Promise.resolve()
        .then(call)
        .then((result) => {
          if (!result.ok && result.code === 'crashed') this.end('crashed', result.message);
          resolve(unwrap(result));
        })
        .catch(reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }

  /** Ends the worker and rejects what waits for it. */
  end(code, message) {
    this.#ended = new EngineError(code, message);
    this.#worker?.terminate();
    for (const reject of this.#waiting) reject(this.#ended);
    this.#waiting.clear();
  }
}

/**
 * The engine as widgets use it. After a crash the next call starts a new worker; models are loaded anew when asked for. Besides what openRemoteModel
 * knows, a model's name may be `memory:…` (see addModel), `saved` (the newest training kept in this browser) or `saved:ID`. With options.special,
 * tokenize (without steps), trace, next and generate take the text of a special token, `<calc>`, for that token; a reader's own text must
 * never be read so.
 */
export class EngineClient {
  #root;
  #connection = null;
  #calls = 0;
  #added = new Map(); // {hash, bytes} of models by their names
  #saved = new Set(); // names of saved models that the worker may have

  /** root: the address (URL) of the folder that holds engine/ and models/. */
  constructor(root) {
    this.#root = root;
  }

  async #ask(call) {
    if (!this.#connection?.alive) this.#connection = new Connection(this.#root);
    const connection = this.#connection;
    try {
      await connection.ready;
    } catch (error) {
      if (connection.alive) connection.end(error.code, error.message);  // a start that failed may be tried again
      throw error;
    }
    try {
      return await connection.ask(() => call(connection.remote));
    } catch (error) {
      if (error.code !== 'not_added') throw error;
      await this.#bring(connection, error.message);
      return this.#ask(call);
    }
  }

  /** Gives the worker a model that it can't fetch; after a crash the next one asks again. */
  async #bring(connection, name) {
    const { hash, bytes } = this.#added.get(name) ?? (await this.#openSaved(name));
    await connection.ask(() => connection.remote.addModel(name, hash, bytes));
  }

  async #openSaved(name) {
    const [kind, id] = name.split(/:(.*)/s);
    if (kind !== 'saved') throw new EngineError('no_file', `this page holds no model ${name}`);
    const { openSavedModel, watchTrainings } = await import('./saved.js');
    if (this.#saved.size === 0) {
      watchTrainings(() => {
        for (const one of this.#saved) this.removeModel(one).catch(() => {});
        this.#saved.clear();
      });
    }
    this.#saved.add(name);
    const bytes = await openSavedModel(id);
    return { hash: await shortHash(bytes), bytes };
  }

  /**
   * A model from the bytes of a safetensors file, such as TrainerClient's model() → {name: `memory:HASH`, hash: the first 8 hexadecimal digits of its
   * SHA-256}. The name stands wherever a model is named, on this page. Files without a config or tokenizer in their metadata are taken as without
   * neighbours.
   */
  async addModel(bytes) {
    const hash = await shortHash(bytes);
    const name = `memory:${hash}`;
    this.#added.set(name, { hash, bytes });
    return { name, hash };
  }

  /** Forgets a model of addModel and frees it in the worker; what is being made with it rejects with `cancelled`. */
  async removeModel(name) {
    this.#added.delete(name);
    if (this.#connection?.alive) await this.#ask((remote) => remote.removeModel(name));
  }

  /** A call that can be cancelled: the worker is told, and the promise rejects at once with EngineError `cancelled`. */
  async #askCancellable(signal, call) {
    if (signal?.aborted) throw new EngineError('cancelled', 'cancelled before it began');
    const id = ++this.#calls;
    const asked = this.#ask((remote) => call(remote, id));
    if (!signal) return asked;
    let cancel;
    const cancelled = new Promise((_, reject) => {
      cancel = () => {
        this.#connection?.remote.cancel(id);
        reject(new EngineError('cancelled', 'cancelled'));
      };
      signal.addEventListener('abort', cancel, { once: true });
    });
    asked
      .catch(() => {})
      .finally(() => {
        signal.removeEventListener('abort', cancel);
        if (this.#connection?.alive) this.#connection.remote.forget(id);
      });
    return Promise.race([asked, cancelled]);
  }

  /** → {name, hash, bytes, hasTokenizer, config, kvCacheBytesPerToken}. onProgress hears {loaded, total} in bytes. */
  load(model = 'builtin', { onProgress, signal } = {}) {
    return this.#askCancellable(signal, (remote, id) => remote.load(id, model, onProgress && Comlink.proxy(onProgress)));
  }

  /**
   * By the tokenizer of options.model → {ids, tokens, bytes, steps?}.
   * By options.tokenizer, `gpt2` or `builtin`, without loading a model → {ids, tokens, bytes, count, textBytes, size of the vocabulary, hash}, of at
   * most options.most tokens of the `count`; with options.steps also byteIds, the tokens of the 256 bytes, and steps: [{place, count, rank,
   * pair: [left, right], id}], each merge on the way: from the piece at `place` on, the first `count` such pairs become the token `id`.
   */
  tokenize(text, options = {}) {
    return this.#ask((remote) => remote.tokenize(text, options));
  }

  /**
   * Learns the merges of a byte-level BPE from a text, at most `most` → {merges: [{rank, pair: [left, right], id, count, bytes, tokens: how many
   * the text has after it}], tokens: of the text before the first, textBytes, words: lengths in bytes of the text's words, of those that
   * lie in its first options.shown bytes, bytes: of the ids below 256}. onProgress hears {loaded, total} in merges.
   */
  learnBpe(text, { onProgress, signal, ...options } = {}) {
    return this.#askCancellable(signal, (remote, id) => remote.learnBpe(id, text, options, onProgress && Comlink.proxy(onProgress)));
  }

  /** q, k, v: arrays of rows → {scores, scaled, masked, weights, output}, each {shape, data}. */
  attentionSteps(options) {
    return this.#ask((remote) => remote.attentionSteps(options));
  }

  /** → {ids, tokens, bytes, dropped, activations: {NAME: {shape, data}}}. */
  trace(text, options = {}) {
    return this.#ask((remote) => remote.trace(text, options));
  }

  /** → {candidates: [{id, token, bytes, p, logit}], dropped}. */
  next(text, options = {}) {
    return this.#ask((remote) => remote.next(text, options));
  }

  /**
   * The next token by the dice, with all that leads to it: options { model, added: ids that follow the text, temperature, topK, topP, seed, step:
   * how many draws of that seed went before, top: how many candidates }. With the ids drawn so far in `added` and their number as `step` it
   * is what generate draws next.
   * → {tokens, dropped, added: {ids, tokens, bytes}, candidates: [{id, token, bytes, rank, logit, p, tempered, share, from, to}], vocabulary, afterTopK,
   * kept, total, u, largest, chosen: a candidate, ends}; u is null at temperature 0, when nothing is drawn.
   */
  sample(text, options = {}) {
    return this.#ask((remote) => remote.sample(text, options));
  }

  /** Every step of a softmax: options { temperature } → {divided, exp, sum, largest, shiftedExp, shiftedSum, shares}. */
  softmax(scores, options = {}) {
    return this.#ask((remote) => remote.softmax(scores, options));
  }

  /**
   * The guess of the next token read off the residual stream before the first layer and after each, by ln_f and the output head (logit lens):
   * options {model, position: the last token unless given, top, knockout, special} → {layers: [{name: of the activation that was read, candidates: [{id, token,
   * bytes, p, logit}]}], tracked: every token that is among the options.top (5) of any layer [{id, token, bytes, p: per layer, rank: per layer, from 0}], the
   * likeliest of the last layer first, position, ids, tokens, bytes, dropped}. The last layer at the last position is the model's own guess, to the bit.
   */
  logitLens(text, options = {}) {
    return this.#ask((remote) => remote.logitLens(text, options));
  }

  /**
   * What switching parts off does to the guess: options {model, knockout, top, special} → {before, after: candidates [{id, token, bytes, p, logit}], kl (nats, of
   * `after` from `before`), dropped}. Both lists hold the options.top (10) tokens of either, each in its own order.
   *
   * A knockout, here and in trace, next, sweep and generate, is words with spaces between: `h.2.1` a head, `h.2.attn` the attention of a layer, `mlp.3`, and for the
   * whole model `no-positions`, `no-mask` (not in generate), `no-scale`.
   */
  switchEffect(text, options = {}) {
    return this.#ask((remote) => remote.switchEffect(text, options));
  }

  /**
   * How long reading so many tokens at once takes, measured here and now: lengths, options {model, runs (5), text: whose tokens are read again and again,
   * leastMs (20): shorter readings are repeated until they fill it} → [{tokens, ms: the mean of one reading, for each run, repeats: readings in each run}]. The
   * lengths take turns. onProgress hears {loaded, total} in runs. Rejects with `bad_argument` for a length of 0 or beyond the context.
   */
  timePrefill(lengths, { onProgress, signal, ...options } = {}) {
    return this.#askCancellable(signal, (remote, id) => remote.timePrefill(id, lengths, options, onProgress && Comlink.proxy(onProgress)));
  }

  /** What leaving out each head does to the guess → [{layer, head, kl, id, token, bytes, p, pFirst}], the largest kl (nats) first. */
  sweep(text, options = {}) {
    return this.#ask((remote) => remote.sweep(text, options));
  }

  /** What each head of options.layer adds to the residual stream → {shape: [H, T, C], data, ids, tokens, bytes, dropped}. */
  headOutputs(text, options = {}) {
    return this.#ask((remote) => remote.headOutputs(text, options));
  }

  /** The matrices of one head → {q, k, v}, each {weight: {shape: [C, D], data}, bias: {shape: [D], data}}. */
  headProjections(options = {}) {
    return this.#ask((remote) => remote.headProjections(options));
  }

  /**
   * What followed the text's last token in the corpus that the model learned from → {last: {id, token, bytes}, total: how often anything did, kept: how many
   * followers are known, the most frequent, candidates: the options.top (10) first of them [{id, token, bytes, count, p}], rest: {count, p} of all others}.
   * Rejects with EngineError `no_bigrams` for a model without such counts.
   */
  bigrams(text, options = {}) {
    return this.#ask((remote) => remote.bigrams(text, options));
  }

  /**
   * What each head looks at in a text, as shares of attention: options {model, query: the row asked about, the last token unless given, spans: {NAME:
   * positions}, knockout, special} → [{layer, head, previous: the token before, first: the first token, rows 3 and on, induction: what followed where the row's token
   * stood before, entropy (nats), relativeEntropy: of the largest that there could be; row: {entropy, relativeEntropy, spans: {NAME: share}}}]. All but
   * `row` are means over rows; null where the text has none such. Positions count the tokens that are read.
   */
  headScores(text, options = {}) {
    return this.#ask((remote) => remote.headScores(text, options));
  }

  /** Each head over random lists of tokens said twice: options {model, rounds, length, seed} → [{layer, head, previous, induction}]. */
  repeatScores(options = {}) {
    return this.#ask((remote) => remote.repeatScores(options));
  }

  /** Rows of the embedding table, of options.ids → {shape: [n, C], data, ids, tokens, bytes}. */
  embedding(options) {
    return this.#ask((remote) => remote.embedding(options));
  }

  /**
   * The options.count tokens whose rows of the embedding table point most nearly as that of options.id, the nearest first →
   * [{id, token, bytes, cosine}]. All tokens count, single bytes and special ones too; the token itself is left out.
   */
  neighbours(options) {
    return this.#ask((remote) => remote.neighbours(options));
  }

  /**
   * The cosine of each two of the tokens options.ids, or of options.vectors: a list of rows or {shape: [n, C], data} → {shape: [n, n], data}. With
   * options.centred their mean is taken away first. A vector of zeros has cosine 0 with all.
   */
  cosines(options) {
    return this.#ask((remote) => remote.cosines(options));
  }

  /**
   * The principal axes of the tokens options.ids, or of options.vectors, options.components (2) of them → {coordinates: {shape: [n, k], data},
   * axes: {shape: [k, C], data}, mean (C), explained (k): shares of the variance}.
   */
  pca(options) {
    return this.#ask((remote) => remote.pca(options));
  }

  /** The position table → {vectors: {shape: [P, C], data}, cosines: {shape: [P, P], data}, byDistance (P): mean cosine so far apart}. */
  positions(options = {}) {
    return this.#ask((remote) => remote.positions(options));
  }

  /**
   * Tokens in their texts: places [{text, position}] → {tokens: [{id, token, bytes, dropped}], layers: [{vectors: {shape: [n, C], data}, cosines: {shape:
   * [n, n], data}, centred: {shape: [n, n], data}}]}: first token and position added up, then after each layer; `centred` are the
   * cosines with the mean of the places taken away. Positions count the tokens that are read: `dropped` older ones are not.
   */
  contextual(places, options = {}) {
    return this.#ask((remote) => remote.contextual(places, options));
  }

  /** Scores of random queries and keys → {raw, scaled}, each {scores, deviation, entropy, largestWeight, gradient}. */
  scaleExperiment(options) {
    return this.#ask((remote) => remote.scaleExperiment(options));
  }

  /**
   * → {text, ids, dropped, tokeniseMs, prefillMs, decodeMs, steps}; onToken hears each new token {id, token, bytes}. With options.cache false no keys and
   * values are kept: each step reads the whole context anew.
   * steps: what was read before each token, and before the end [{kind: prefill, decode or reread, tokens: how many were read, startMs: since the first began,
   * ms, multiplyAdds: of the matrix products, weightBytes: of the parameters read, each once a pass, cacheWritten, cacheRead: bytes of keys and values,
   * cacheBytes: what is kept after the step}]. A single step can be shorter than the clock's own steps: several are to be taken together.
   */
  generate(text, { onToken, signal, ...options } = {}) {
    return this.#askCancellable(signal, (remote, id) => remote.generate(id, text, options, onToken && Comlink.proxy(onToken)));
  }

  /** A reader's question as the built-in model knows questions: 「问：」 or "Question: " in front and a question mark at the end, unless they are there. */
  agentQuestion(text) {
    return this.#ask((remote) => remote.agentQuestion(text));
  }

  /**
   * One token of an agent that answers a question with tools: options {question: a reader's text, in which no tag is one; transcript: all that follows it so far,
   * whose tags are special tokens; added: ids that the model added since and that are not yet written into it, as a character may come in several; pick: the id of
   * the token to take instead of the likeliest; model, top (10)} → {tokens: how many were read, dropped, candidates: [{id, token, bytes, p, logit}], chosen: such an
   * entry, text: what `added` and it write into the transcript, stop}. stop is null: the model goes on; `call`: it has called a tool; `result`: it begins to make a
   * result up; `end`: it has ended.
   */
  agentStep(options) {
    return this.#ask((remote) => remote.agentStep(options));
  }

  /**
   * Takes a transcript apart → [{kind: thought (text with something after it), call, observation (a result) or answer (text with nothing after it), text, tool, argument,
   * error}]. The texts joined are the transcript. argument: what stands between the tags of a call or an observation, else null, as is tool. error is null or `unfinished`
   * (no closing tag), `nested` (a tag inside), `unknown_tool`, `empty_argument`, `extra_argument`.
   */
  agentParse(transcript) {
    return this.#ask((remote) => remote.agentParse(transcript));
  }

  /**
   * Does a call {tool, argument, error} of agentParse: options {clock: HH:MM, now unless given; dictionary: [[Chinese, English]], the model's own unless given; model}
   * → {result: 「没有」 for a word that is not there, 「错误」 for a call that fails; error: null, the call's own, `bad_sum`, `division_by_zero`, `too_long`, `not_found`;
   * append: `<result>…</result>`, what the transcript goes on with, where no tag in the result is one any more}.
   */
  agentCall(call, options = {}) {
    return this.#ask((remote) => remote.agentCall(call, options));
  }

  /** The pairs of words of a model's dictionary.json → [[Chinese, English]]; none where there is no such file. */
  agentDictionary(options = {}) {
    return this.#ask((remote) => remote.agentDictionary(options));
  }

  /** Ends the worker; the next call starts a new one. */
  restart() {
    if (this.#connection?.alive) this.#connection.end('cancelled', 'the engine was restarted');
  }
}

let root = null;
let shared = null;

/** Says where engine/, models/ and embed.js lie; the page's entry script calls it before any widget starts. */
export function setEngineRoot(url) {
  root = url;
}

/** The address (URL) that setEngineRoot was given, or null. */
export const engineRoot = () => root;

/** The one client of this page. */
export function sharedEngine() {
  if (root === null) throw new EngineError('no_file', 'setEngineRoot was not called');
  shared ??= new EngineClient(root);
  return shared;
}
