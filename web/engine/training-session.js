// Training over one instance of the trainer's wasm module, the same in the worker and in Node.
import { EngineError, unwrap } from './error.js';
import { nextTurn } from './turn.js';

const encoder = new TextEncoder();
const slice = 40; // ms of work between two turns of the event loop
const measureEvery = 20; // steps from one held-out loss to the next
const mostPoints = 512; // of the curve that a checkpoint keeps

function readNumber(name, value) {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new EngineError('bad_argument', `${name}: expected a number from 0 up, got ${value}`);
  return value;
}

function readWhole(name, value, most = 0x7fffffff) {
  if (!Number.isSafeInteger(value) || value < 0 || value > most) throw new EngineError('bad_argument', `${name}: expected a whole number from 0 up, got ${value}`);
  return value;
}

function readText(text) {
  if (typeof text === 'string') return encoder.encode(text);
  if (text instanceof Uint8Array) return text;
  throw new EngineError('bad_argument', `text: expected a string or its UTF-8 bytes, got ${typeof text}`);
}

/** A text to be set apart, as bytes; empty without one. */
function readHeldOut(heldOut) {
  if (heldOut === undefined || heldOut === null) return new Uint8Array();
  if (typeof heldOut !== 'string') throw new EngineError('bad_argument', `heldOut: expected a string, got ${typeof heldOut}`);
  return encoder.encode(heldOut.replace(/\r\n?/g, '\n').trim());
}

/** Two texts with an empty line between. */
function joinDocuments(first, second) {
  const both = new Uint8Array(first.length + 2 + second.length).fill(10);
  both.set(first);
  both.set(second, first.length + 2);
  return both;
}

/** The course of a training for a checkpoint. When it grows too long every second point goes, and points come half as often from then on. */
class Curve {
  #points;
  #every;

  constructor({ points = [], every = 1 } = {}) {
    this.#points = points;
    this.#every = every;
  }

  /** A note of a checkpoint, which may hold anything. */
  static read(note) {
    try {
      const { points, every } = JSON.parse(note);
      const sound = ([step, tokens, loss, heldOut]) => [step, tokens, loss].every(Number.isFinite) && (heldOut === null || Number.isFinite(heldOut));
      if (Number.isSafeInteger(every) && every > 0 && points.length <= mostPoints && points.every(sound)) return new Curve({ points, every });
    } catch {
      // Told below, like a note of another kind.
    }
    throw new EngineError('bad_checkpoint', 'the curve is no list of points');
  }

  add({ step, tokens, loss, heldOut, diverged }) {
    if (diverged || !Number.isFinite(loss) || (step % this.#every !== 0 && heldOut === null)) return;
    this.#points.push([step, tokens, loss, Number.isFinite(heldOut) ? heldOut : null]);
    if (this.#points.length <= mostPoints) return;
    this.#every *= 2;
    // What was measured is worth more than one more batch's loss.
    let kept = this.#points.filter(([at, , , measured]) => at % this.#every === 0 || measured !== null);
    if (kept.length > mostPoints / 2) kept = this.#points.filter((_, i) => i % 2 === 0);
    this.#points = kept;
  }

  /** Forgets what came after a step. */
  cut(step) {
    this.#points = this.#points.filter(([at]) => at <= step);
  }

  note = () => JSON.stringify({ points: this.#points, every: this.#every });

  list = () => this.#points.map(([step, tokens, loss, heldOut]) => ({ step, tokens, loss, heldOut }));
}

/** Described at TrainerClient, whose calls these are. `report(reports)` hears of steps, `stopped({reason, code, message})` of the end of a run. */
export class TrainingSession {
  #module;
  #listener;
  #training = null;
  #curve = new Curve();
  #opening = false;
  #running = null; // the promise of the loop that runs
  #pausing = false;

  constructor(module, listener) {
    this.#module = module;
    this.#listener = listener;
  }

  #here() {
    if (!this.#training) throw new EngineError('no_training', 'no training was opened');
    return this.#training;
  }

  #idle(what) {
    if (this.#running || this.#opening) throw new EngineError('busy', `${what}: the trainer is at work; pause it before`);
  }

  async open({ text, heldOut, size, vocabSize, tokensPerStep, learningRate, seed }, onProgress) {
    const apart = readHeldOut(heldOut);
    const sizes = {
      layers: readWhole('layers', size?.layers),
      width: readWhole('width', size?.width),
      heads: readWhole('heads', size?.heads),
      context: readWhole('context', size?.context),
      vocabSize: readWhole('vocabSize', vocabSize),
      tokensPerStep: readWhole('tokensPerStep', tokensPerStep),
      learningRate: readNumber('learningRate', learningRate),
      seed: readWhole('seed', seed, Number.MAX_SAFE_INTEGER),
      heldOutBytes: apart.length,
    };
    const learned = readText(text);
    if (apart.length > 0 && new TextDecoder().decode(learned).trim() === '') throw new EngineError('empty_text', 'text: nothing but white space');
    const utf8 = apart.length > 0 ? joinDocuments(learned, apart) : learned;
    await this.#begin((training) => unwrap(training.begin(utf8, sizes)), onProgress, () => new Curve());
    return this.#described();
  }

  async restore(bytes, onProgress) {
    if (!(bytes instanceof Uint8Array)) throw new EngineError('bad_checkpoint', 'expected the bytes of a checkpoint');
    await this.#begin((training) => unwrap(training.beginSaved(bytes)), onProgress, (training) => Curve.read(training.note()));
    return this.#described();
  }

  /** Makes a training beside the one that is there, which goes only when the new one has come about. */
  async #begin(begin, onProgress, makeCurve) {
    this.#idle('open');
    this.#opening = true;
    const training = new this.#module.Training();
    try {
      begin(training);
      for (let phase = null; phase !== 'done'; ) {
        await nextTurn();
        const until = performance.now() + slice;
        const before = phase;
        let progress;
        do {
          progress = unwrap(training.advance());
          ({ phase } = progress);
        } while (phase === before && performance.now() < until); // each phase is told, however short
        onProgress?.(phase === 'done' ? { phase: 'weights', loaded: 1, total: 1 } : progress);
      }
      const curve = makeCurve(training);
      this.#training?.delete();
      this.#training = training;
      this.#curve = curve;
    } catch (error) {
      training.delete();
      throw error;
    } finally {
      this.#opening = false;
    }
  }

  #described() {
    const { diverged, rewindStep, ...info } = unwrap(this.#training.info());
    return { ...info, heldOut: unwrap(this.#training.heldOut()), curve: this.#curve.list() };
  }

  #step() {
    const begin = performance.now();
    const done = unwrap(this.#training.step());
    const ms = performance.now() - begin;
    const heldOut = !done.diverged && done.step % measureEvery === 0 ? unwrap(this.#training.heldOut()) : null;
    const report = { step: done.step, tokens: done.tokens, loss: done.loss, heldOut, gradientNorm: done.gradientNorm, learningRate: done.learningRate, ms, diverged: done.diverged };
    this.#curve.add(report);
    return report;
  }

  async run() {
    this.#here();
    if (this.#opening) this.#idle('run');
    if (this.#pausing) await this.#running;
    if (!this.#running) {
      this.#pausing = false;
      this.#running = this.#loop();
    }
    return true;
  }

  async #loop() {
    let end = { reason: 'paused' };
    await nextTurn();
    try {
      while (!this.#pausing && end.reason !== 'diverged') {
        const reports = [];
        const until = performance.now() + slice;
        try {
          do {
            reports.push(this.#step());
            if (reports.at(-1).diverged) end = { reason: 'diverged' };
          } while (end.reason !== 'diverged' && performance.now() < until);
        } finally {
          if (reports.length > 0) this.#listener.report(reports);
        }
        await nextTurn();
      }
    } catch (error) {
      end = { reason: 'error', code: error instanceof EngineError ? error.code : 'crashed', message: error.message };
    }
    this.#running = null;
    this.#listener.stopped(end);
  }

  async pause() {
    this.#here();
    this.#pausing = true;
    await this.#running;
    const { step, tokensSeen } = unwrap(this.#training.info());
    return { step, tokensSeen };
  }

  step() {
    this.#here();
    this.#idle('step');
    const report = this.#step();
    this.#listener.report([report]);
    return report;
  }

  setLearningRate(rate) {
    unwrap(this.#here().setLearningRate(readNumber('learningRate', rate)));
    return rate;
  }

  heldOut() {
    return unwrap(this.#here().heldOut());
  }

  settings() {
    return { ...unwrap(this.#here().info()), running: this.#running !== null, memoryBytes: this.#module.HEAPU8.length };
  }

  rewind() {
    const training = this.#here();
    this.#idle('rewind');
    unwrap(training.goBack());
    const { step, tokensSeen } = unwrap(training.info());
    this.#curve.cut(step);
    return { step, tokensSeen };
  }

  checkpoint() {
    return unwrap(this.#here().checkpoint(encoder.encode(this.#curve.note())));
  }

  model() {
    return unwrap(this.#here().model());
  }
}
