// One training run and what surrounds it: samples, saving, what went astray. No drawing.
import { smoothed } from '../draw/training-figure.js';
import { Curve, Watch } from './curve.js';
import { lookInside } from './training-look.js';
import { takeFromText } from './training.js';

const saveAfter = 10_000; // ms between two savings while it runs
const recent = 40; // steps that the speed is measured over
const mostSamples = 40;
const mostWaiting = 4; // samples

/**
 * A run from its text to its trained model. It asks the trainer for one step at a time, so that samples, saving and the end fall on exact steps, and the reader is obeyed
 * between two.
 *
 * trainer: a TrainerClient; engine: an EngineClient; store: { saveTraining(id, …) } or null where nothing is to be saved; changed(now): something is
 * to be shown, at once or with the next drawing. Errors of the trainer end in `failure`, those of saving in `storageFault`; neither is thrown.
 */
export class TrainingRun {
  #trainer;
  #engine;
  #store;
  #changed;
  #watch = new Watch();
  #wanted = false;
  #loop = null;
  #queue = []; // samples to be looked at: { step, loss, file }
  #good = null; // { bytes, step, rate } of a state worth going back to
  #savedAt = 0;
  #speeds = [];

  state = 'opening'; // opening, paused, running, astray, failed, closed
  info = null;
  step = 0;
  tokens = 0;
  ms = 0;
  rate = NaN;
  gradientNorm = NaN;
  heldOut = null;
  curve = new Curve();
  samples = [];
  look = null;
  astray = null;
  failure = null;
  saved = null;
  storageFault = null;
  target = Infinity;
  done = false;
  pausing = false;
  progress = null;

  constructor({ id, settings, trainer, engine, store, changed }) {
    Object.assign(this, { id, settings });
    this.#trainer = trainer;
    this.#engine = engine;
    this.#store = store;
    this.#changed = changed;
  }

  /** nats: the mean of the last steps, NaN before the first. */
  get loss() {
    return smoothed(this.curve.points).at(-1)?.smooth ?? NaN;
  }

  /** Tokens a second over the last steps, 0 before the first. */
  get speed() {
    const ms = this.#speeds.reduce((sum, one) => sum + one.ms, 0);
    return ms > 0 ? (1000 * this.#speeds.reduce((sum, one) => sum + one.tokens, 0)) / ms : 0;
  }

  /** ms of a step, NaN before the first. */
  get stepMs() {
    return this.#speeds.reduce((sum, one) => sum + one.ms, 0) / this.#speeds.length;
  }

  get chance() {
    return Math.log(this.info.vocabSize);
  }

  /** The step that goBack goes back to. */
  get goodStep() {
    return this.#good.step;
  }

  get running() {
    return this.state === 'running';
  }

  /** Whether a model of it exists that could be lost. */
  get started() {
    return this.step > 0;
  }

  /** Begins with random weights. text, heldOut: what is learned, and a text of its own to measure by, or null. */
  async open({ text, heldOut = null }) {
    const { size, seed, learningRate } = this.settings;
    const { vocabSize, tokensPerStep, layers, width, heads, context } = size;
    this.taken = takeFromText(text);
    await this.#try(async () => {
      this.info = await this.#trainer.open(
        { text, ...(heldOut === null ? {} : { heldOut }), size: { layers, width, heads, context }, vocabSize, tokensPerStep, learningRate, seed },
        {
          onProgress: (progress) => {
            this.progress = progress;
            this.#changed(false);
          },
        },
      );
      this.rate = learningRate;
      this.curve = new Curve();
      this.curve.addRate(0, learningRate);
      if (this.info.heldOut !== null) this.curve.addHeldOut(0, this.info.heldOut);
      this.heldOut = this.info.heldOut;
      await this.#opened();
      await this.#sample();
    });
  }

  /** Goes on where a saved run was left: what the store's loadTraining gives. */
  async restore({ checkpoint, summary }) {
    await this.#try(async () => {
      this.info = await this.#trainer.restore(checkpoint);
      const { view } = summary;
      this.taken = view.taken;
      this.step = this.info.step;
      this.tokens = this.info.tokensSeen;
      this.rate = this.info.learningRate;
      this.ms = view.ms;
      this.curve = Curve.from(view.curve);
      this.heldOut = this.curve.heldOut.at(-1)?.loss ?? this.info.heldOut ?? null;
      this.samples = view.samples;
      this.saved = { step: this.step, date: summary.date };
      for (const { loss } of this.curve.points.slice(-3)) this.#watch.add(loss);
      await this.#opened();
      await this.#sample();
    });
  }

  async #opened() {
    this.progress = null;
    this.#good = { bytes: await this.#trainer.checkpoint(), step: this.step, rate: this.rate };
    this.state = 'paused';
    this.#changed(true);
  }

  /** What fails ends the run, and is told in `failure`. */
  async #try(act) {
    try {
      await act();
    } catch (error) {
      if (this.state === 'closed') return;
      this.state = 'failed';
      this.failure = { code: error?.code ?? 'unknown', message: String(error?.message ?? error) };
      this.#wanted = false;
      this.#changed(true);
    }
  }

  /** Trains until pause, the target, or until it goes astray. */
  run() {
    if (this.state !== 'paused') return;
    if (this.step >= this.target) this.target = Infinity;
    this.done = false;
    this.#wanted = true;
    this.state = 'running';
    this.#savedAt = performance.now();
    this.#changed(true);
    this.#loop = this.#work();
  }

  async #work(once = false) {
    await this.#try(async () => {
      if (once) await this.#advance();
      while (this.#wanted) await this.#advance();
      if (this.state === 'running') this.state = 'paused';
      this.#changed(true);
      if (this.state === 'paused') await this.#save();
    });
  }

  /** One step, and what is due after it. */
  async #advance() {
    const before = this.tokens;
    const report = await this.#trainer.step();
    if (this.state === 'closed') return;
    const strays = report.diverged || this.#watch.add(report.loss);
    if (!report.diverged) {
      const { step, tokens, heldOut, gradientNorm, ms } = report;
      this.step = step;
      this.tokens = tokens;
      this.ms += ms;
      this.gradientNorm = gradientNorm;
      if (heldOut !== null) this.heldOut = heldOut;
      this.#speeds.push({ tokens: tokens - before, ms });
      if (this.#speeds.length > recent) this.#speeds.shift();
      const { learningRate: _, ...point } = report;
      this.curve.add({ ...point, ms: this.ms });
    }
    if (strays) {
      this.#wanted = false;
      this.state = 'astray';
      this.astray = { step: report.step, broken: Boolean(report.diverged), rate: this.rate, next: this.#calmerRate };
      this.#changed(true);
      return;
    }
    if (this.step % this.settings.every === 0) await this.#sample();
    if (this.step >= this.target) {
      this.#wanted = false;
      this.done = true;
    }
    if (this.#wanted && performance.now() - this.#savedAt > saveAfter) await this.#save();
    this.#changed(false);
  }

  /** A rate at which it may go well: that of the good state where it was clearly smaller, else a quarter. */
  get #calmerRate() {
    return this.#good.rate <= this.rate / 2 ? this.#good.rate : Number((this.rate / 4).toPrecision(3));
  }

  /** Resolves when the step that runs is done and all is saved. */
  async pause() {
    this.#wanted = false;
    this.pausing = this.running;
    if (this.pausing) this.#changed(true);
    await this.#loop;
    this.pausing = false;
  }

  /** One step by itself. */
  async stepOnce() {
    if (this.state !== 'paused') return;
    this.done = false;
    this.state = 'running';
    this.#changed(true);
    this.#loop = this.#work(true);
    await this.#loop;
  }

  /** From the next step on; what was good until now is kept to go back to. */
  async setRate(rate) {
    const { rate: before } = this;
    // At once, since the next press of a button counts from here.
    this.rate = rate;
    this.curve.addRate(this.step, rate);
    this.#changed(true);
    await this.#try(async () => {
      if (this.#watch.healthy && this.state !== 'astray') {
        const bytes = await this.#trainer.checkpoint();
        this.#good = { bytes, step: this.step, rate: before };
      }
      await this.#trainer.setLearningRate(rate);
    });
  }

  /** Back to the last good state, with a smaller learning rate. */
  async goBack() {
    const { next } = this.astray;
    await this.#try(async () => {
      await this.#return();
      await this.#trainer.setLearningRate(next);
      this.rate = next;
      this.curve.addRate(this.step, next);
      this.#changed(true);
    });
  }

  /** Back to the last good state after a failure. */
  async recover() {
    this.failure = null;
    await this.#try(() => this.#return());
  }

  async #return() {
    const info = await this.#trainer.restore(this.#good.bytes);
    this.step = info.step;
    this.tokens = info.tokensSeen;
    this.rate = info.learningRate;
    this.curve.cutAfter(info.step);
    this.heldOut = this.curve.heldOut.at(-1)?.loss ?? null;
    this.samples = this.samples.filter(({ step }) => step <= info.step);
    this.ms = this.curve.points.at(-1)?.ms ?? 0;
    this.#watch.calm();
    this.astray = null;
    this.state = 'paused';
    this.#changed(true);
  }

  /** Takes the model as it is. What it writes is asked while training goes on; where that is slow, samples are left out. */
  async #sample() {
    if (this.#queue.length >= mostWaiting) return;
    const { step, loss } = this;
    const file = await this.#trainer.model();
    this.#queue.push({ step, loss: Number.isFinite(loss) ? loss : (this.info.heldOut ?? null), file });
    if (this.#queue.length === 1) this.#lookAll();
  }

  async #lookAll() {
    while (this.#queue.length && this.state !== 'closed') {
      const [{ step, loss, file }] = this.#queue;
      try {
        const { pieces, ...look } = await lookInside(this.#engine, file, this.taken);
        // Meanwhile it may have gone back to before this step.
        if (step <= this.step) {
          this.look = { step, ...look };
          this.samples = [...this.samples.filter((one) => one.step !== step), { step, loss, pieces }].sort((a, b) => a.step - b.step);
          // The first and the last few say most.
          if (this.samples.length > mostSamples) this.samples = this.samples.filter((_, i, { length }) => i === 0 || i > length - 6 || i % 2 === 0);
          this.#changed(true);
        }
      } catch {
        // A sample that did not come is no reason to stop; the next one may.
      }
      this.#queue.shift();
    }
  }

  get summary() {
    const { info, settings, taken, curve, samples, ms, step, tokens, heldOut } = this;
    const perByte = heldOut === null || !info.bytes.heldOut ? null : (heldOut * info.tokens.heldOut) / info.bytes.heldOut;
    return {
      id: this.id,
      name: settings.label,
      date: new Date().toISOString(),
      parameters: info.parameters,
      nonEmbedding: info.nonEmbedding,
      tokensSeen: tokens,
      step,
      heldOutLoss: heldOut,
      heldOutLossPerByte: perByte,
      textLabel: settings.label,
      ownText: settings.corpus === 'own',
      view: { settings, taken, curve: curve.toJSON(), samples, ms },
    };
  }

  /** Saves the run as it stands → whether it is kept now. */
  async save() {
    await this.pause();
    if (this.state !== 'paused') return false;
    await this.#try(() => this.#save(true));
    return this.saved?.step === this.step && this.storageFault === null;
  }

  async #save(again = false) {
    this.#savedAt = performance.now();
    if (this.step === 0 && !again) return;
    const checkpoint = await this.#trainer.checkpoint();
    if (this.#watch.healthy) this.#good = { bytes: checkpoint, step: this.step, rate: this.rate };
    if (!this.#store || (this.storageFault === 'storage_denied' && !again)) return;
    const model = await this.#trainer.model();
    const { summary } = this;
    try {
      await this.#store.saveTraining(this.id, { checkpoint, model, summary });
      this.saved = { step: summary.step, date: summary.date };
      this.storageFault = null;
    } catch (error) {
      this.storageFault = error?.code ?? 'unknown';
    }
    this.#changed(true);
  }

  /** The trained model as a file. Rejects with EngineError. */
  model() {
    return this.#trainer.model();
  }

  /** Bytes of memory that the trainer's module holds. */
  async memoryBytes() {
    return (await this.#trainer.settings()).memoryBytes;
  }

  /** All that is needed to go on with it: what restore takes. */
  async keep() {
    await this.pause();
    return { checkpoint: await this.#trainer.checkpoint(), summary: this.summary };
  }

  /** Ends the worker. What was not saved is gone. */
  async close() {
    this.state = 'closed';
    this.#wanted = false;
    await this.#trainer.close().catch(() => {});
  }
}
