// The page's side of training: promises over a worker of its own for each training.
import * as Comlink from 'comlink';
import { borrowWorker } from './borrow.js';
import { engineRoot } from './client.js';
import { EngineError, unwrap } from './error.js';
import { defaultSize, estimate, trainingSizes } from './trainer-sizes.js';

export { defaultSize, estimate, trainingSizes };

/** One model being trained on a text. All calls reject with EngineError; see the codes at each. */
export class TrainerClient {
  static estimate = estimate;

  /** Hears of every step, in order, several at a time where they are short. See run(). */
  onReport = null;
  /** Hears of the end of each run: {reason: 'paused', 'diverged' or 'error', code, message}. */
  onStop = null;

  #root;
  #worker = null;
  #remote = null;
  #waiting = new Set();
  #running = false;

  /** root: the address of the folder that holds trainer/; where setEngineRoot said, unless given. No worker is started yet. */
  constructor({ root = engineRoot() } = {}) {
    this.#root = root;
  }

  /** Whether steps are being taken, as far as this side knows. */
  get running() {
    return this.#running;
  }

  /** Waits for one answer; rejects also when the worker ends first. */
  #wait(promise) {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      promise
        .then((result) => {
          if (!result.ok && result.code === 'crashed') this.#end('crashed', result.message);
          resolve(unwrap(result));
        })
        .catch(reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }

  /** Ends the worker, and with it the training. */
  #end(code, message) {
    const error = new EngineError(code, message);
    this.#worker?.terminate();
    this.#worker = this.#remote = null;
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
    if (!this.#running) return;
    this.#running = false;
    this.onStop?.(code === 'cancelled' ? { reason: 'paused' } : { reason: 'error', code, message });
  }

  async #start() {
    if (this.#remote) return;
    if (this.#root === null) throw new EngineError('no_file', 'setEngineRoot was not called');
    const script = new URL('trainer/worker.js', this.#root);
    const borrowed = script.origin !== globalThis.location.origin;
    let worker;
    try {
      worker = borrowed ? borrowWorker(script) : new Worker(script);
    } catch (error) {
      throw new EngineError('no_worker', error.message);
    }
    this.#worker = worker;
    this.#remote = Comlink.wrap(worker);
    const remote = this.#remote;
    let started = false;
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      if (worker !== this.#worker) return;
      // Before the script has run, a borrowed worker's error means that the page allows none.
      this.#end(started ? 'crashed' : borrowed ? 'no_worker' : 'no_file', event.message || 'the worker could not be loaded');
    });
    worker.addEventListener('message', ({ data }) => {
      if (data?.missing && worker === this.#worker) this.#end('no_file', data.missing);
    });
    // In a task of its own, so that what a listener throws is the page's, and not the worker's.
    const mine = (listener) => (given) => queueMicrotask(() => worker === this.#worker && listener(given));
    const report = mine((reports) => reports.forEach((one) => this.onReport?.(one)));
    const stopped = mine((end) => {
      this.#running = false;
      this.onStop?.(end);
    });
    try {
      await this.#wait(remote.start(String(this.#root), Comlink.proxy(report), Comlink.proxy(stopped)));
      started = true;
    } catch (error) {
      if (worker === this.#worker) this.#end(error.code, error.message); // it may be tried again
      throw error;
    }
  }

  async #begin(call, { signal, onProgress }) {
    if (signal?.aborted) throw new EngineError('cancelled', 'cancelled before it began');
    const cancel = () => this.#end('cancelled', 'cancelled');
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      await this.#start();
      return await this.#wait(call(this.#remote, onProgress && Comlink.proxy(onProgress)));
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async #ask(method, ...given) {
    if (!this.#remote) throw new EngineError('no_training', 'no training was opened');
    return this.#wait(this.#remote[method](...given));
  }

  /**
   * Learns a tokenizer from the text, sets a tenth of it apart and draws weights by chance. An empty line or `<|endoftext|>` in the text ends a document.
   * options {text: string or UTF-8 bytes, size: {layers, width, heads, context} or a name of trainingSizes, vocabSize: tokens at most, tokensPerStep, learningRate,
   * seed, heldOut: a text that is measured by and not learned, instead of the tenth}, all but the text with a default. onProgress hears {phase: 'tokenizer', 'tokens' or 'weights', loaded, total}; a signal that aborts ends the worker.
   * → {parameters, nonEmbedding, vocabSize: as learned, size, rowTokens: of a row of a batch, tokensPerStep: as it is, in whole rows, tokens, bytes and
   * documents (places where rows may begin): each {train, heldOut}, seed, step, tokensSeen, learningRate, heldOut: mean −log p (nats a token) on what is set apart,
   * or null when the text is too short for that, curve: [{step, tokens, loss, heldOut}], of at most 512 points}.
   * Rejects with `empty_text`, `not_text`, `text_too_long`, `bad_argument`, `busy` while it runs, `cancelled`, `no_memory`, and as the engine does.
   */
  open({ text, size = defaultSize, ...given }, { signal, onProgress } = {}) {
    const { vocabSize = trainingSizes[defaultSize].vocabSize, tokensPerStep, learningRate, ...named } = typeof size === 'string' ? trainingSizes[size] ?? {} : { ...trainingSizes[defaultSize], ...size };
    const options = { vocabSize, tokensPerStep, learningRate, seed: 1, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
    return this.#begin((remote, progress) => remote.open({ text, size: named, ...options }, progress), { signal, onProgress });
  }

  /** Goes on where checkpoint() was called → as open. Rejects with `bad_checkpoint`, `busy`, `cancelled`, `no_memory`, and as the engine does. */
  restore(bytes, { signal, onProgress } = {}) {
    return this.#begin((remote, progress) => remote.restore(bytes, progress), { signal, onProgress });
  }

  /**
   * Takes steps until pause(); resolves at once. onReport hears of each {step: from 1, tokens: learned from so far, loss: of its batch before the step, nats a token,
   * heldOut: every 20 steps, else null, gradientNorm: before clipping, learningRate: with warm-up, ms, diverged}. A step whose loss or gradient is no finite number
   * is not done: its report says `diverged`, and the run ends.
   */
  async run() {
    if (this.#running) return;
    this.#running = true;
    try {
      await this.#ask('run');
    } catch (error) {
      this.#running = false;
      throw error;
    }
  }

  /** Ends a run after the step that is being done → {step, tokensSeen}. */
  pause() {
    return this.#ask('pause');
  }

  /** One step → its report, of which onReport hears too. Rejects with `busy` while it runs. */
  step() {
    return this.#ask('step');
  }

  /** From the next step on; at 0 steps change nothing but the means of gradients. Rejects with `bad_argument`. */
  setLearningRate(rate) {
    return this.#ask('setLearningRate', rate);
  }

  /** The loss on what is set apart, now (nats a token), or null. */
  heldOut() {
    return this.#ask('heldOut');
  }

  /** What open() said, as it is now, without heldOut and curve, and {running, diverged, rewindStep: where rewind() leads, memoryBytes: what the worker's module holds}. */
  settings() {
    return this.#ask('settings');
  }

  /** Back to the last state whose loss was no worse than usual; the learning rate stays → {step, tokensSeen}. Rejects with `busy`. */
  rewind() {
    return this.#ask('rewind');
  }

  /** All that goes on from here to the bit, text and tokenizer with it, as one file (Uint8Array). Rejects with `diverged`. */
  checkpoint() {
    return this.#ask('checkpoint');
  }

  /** The model as a safetensors file (Uint8Array) that holds its config and its tokenizer. Rejects with `diverged`. */
  model() {
    return this.#ask('model');
  }

  /** Ends the worker; what waits rejects with `cancelled`. The next open() or restore() starts a new one. */
  async close() {
    this.#end('cancelled', 'the trainer was closed');
  }
}
