// The loss of a training run, kept short however long it runs, and the watch over it. Pure: numbers in, numbers out.

const windowSteps = 8; // steps whose mean is watched
const above = 1; // nats over the lowest mean that count as gone astray
const farAbove = 4; // nats over it that count at once
const near = 0.4; // nats over it within which a state is worth going back to

/**
 * The curve of a run. Up to `most` steps are kept one by one; beyond, neighbours are joined to their mean, so that memory and drawing stay the same.
 * points: [{ from, to: steps, loss (nats, the mean), gradientNorm, tokens: learned from so far, ms: worked so far }]; heldOut: [{ step, loss }]; rates: [{ step, rate }],
 * each from that step on.
 */
export class Curve {
  #most;

  constructor({ most = 400, points = [], heldOut = [], rates = [], stride = 1 } = {}) {
    this.#most = most;
    this.points = points;
    this.heldOut = heldOut;
    this.rates = rates;
    this.stride = stride;
  }

  /** The step of the last point, 0 without any. */
  get last() {
    return this.points.at(-1)?.to ?? 0;
  }

  /** report: { step, loss, heldOut: nats or null, gradientNorm, learningRate, tokens, ms }. */
  add({ step, loss, heldOut = null, gradientNorm, learningRate, tokens, ms }) {
    const last = this.points.at(-1);
    if (last && last.to - last.from + 1 < this.stride) {
      const count = last.to - last.from + 1;
      last.loss += (loss - last.loss) / (count + 1);
      last.gradientNorm += (gradientNorm - last.gradientNorm) / (count + 1);
      Object.assign(last, { to: step, tokens, ms });
    } else this.points.push({ from: step, to: step, loss, gradientNorm, tokens, ms });
    if (this.points.length > this.#most) this.#join();
    if (heldOut !== null) this.addHeldOut(step, heldOut);
    if (learningRate !== undefined && this.rates.at(-1)?.rate !== learningRate) this.addRate(step, learningRate);
  }

  addHeldOut(step, loss) {
    if (this.heldOut.at(-1)?.step === step) return;
    this.heldOut.push({ step, loss });
    // The first and the last say most; of those between, every second goes.
    if (this.heldOut.length > this.#most / 2) this.heldOut = this.heldOut.filter((_, i, { length }) => i === 0 || i === length - 1 || i % 2 === 0);
  }

  addRate(step, rate) {
    this.rates.push({ step, rate });
    if (this.rates.length > 60) this.rates.splice(1, 1);
  }

  #join() {
    const joined = [];
    for (let i = 0; i < this.points.length; i += 2) {
      const [a, b] = [this.points[i], this.points[i + 1]];
      if (!b) {
        joined.push(a);
        continue;
      }
      const [na, nb] = [a, b].map(({ from, to }) => to - from + 1);
      const mean = (name) => (a[name] * na + b[name] * nb) / (na + nb);
      joined.push({ ...b, from: a.from, loss: mean('loss'), gradientNorm: mean('gradientNorm') });
    }
    this.points = joined;
    this.stride *= 2;
  }

  /** Takes away what came after `step`. */
  cutAfter(step) {
    this.points = this.points.filter(({ to }) => to <= step);
    this.heldOut = this.heldOut.filter((point) => point.step <= step);
    this.rates = this.rates.filter((point) => point.step <= step);
  }

  toJSON() {
    const { points, heldOut, rates, stride } = this;
    return { points: points.map((point) => ({ ...point })), heldOut: [...heldOut], rates: [...rates], stride };
  }

  /** A curve as toJSON gave it; an empty one for anything else. */
  static from(kept) {
    const lists = ['points', 'heldOut', 'rates'];
    const sound = kept && lists.every((name) => Array.isArray(kept[name])) && kept.points.every(({ from, to, loss }) => [from, to, loss].every(Number.isFinite));
    return sound ? new Curve({ ...kept, stride: Number.isSafeInteger(kept.stride) && kept.stride > 0 ? kept.stride : 1 }) : new Curve();
  }
}

/** Watches over the losses of a run as they come: is it still learning, or has it gone astray? */
export class Watch {
  #recent = [];
  #lowest = Infinity;

  /** The mean of the last steps, NaN before the first. */
  get mean() {
    return this.#recent.reduce((sum, loss) => sum + loss, 0) / this.#recent.length;
  }

  /** Whether the last steps are about as good as any were. */
  get healthy() {
    return this.#recent.length === 0 || this.mean <= this.#lowest + near;
  }

  /** Takes a step's loss in nats → whether the run has gone astray. */
  add(loss) {
    if (!Number.isFinite(loss)) return true;
    if (loss > this.#lowest + farAbove) return true;
    this.#recent.push(loss);
    if (this.#recent.length > windowSteps) this.#recent.shift();
    const { mean } = this;
    if (this.#recent.length === windowSteps && mean > this.#lowest + above) return true;
    // A few steps are enough to know where it began; a single one may be lucky.
    if (this.#recent.length >= 3) this.#lowest = Math.min(this.#lowest, mean);
    return false;
  }

  /** Forgets the last steps, not how low the loss has been. */
  calm() {
    this.#recent = [];
  }
}
