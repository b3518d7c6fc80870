// The runs of one widget: the one that is worked at, the one that was left for it, and those that the browser keeps. No drawing.
import { engineRoot, sharedEngine } from '../engine/client.js';
import { deleteTraining, listTrainings, loadTraining, saveTraining } from '../engine/saved.js';
import { TrainerClient } from '../engine/trainer-client.js';
import { Presence } from './presence.js';
import { TrainingRun } from './training-run.js';

const mostSaves = 6; // listed

const faultOf = (error) => ({ code: error?.code ?? 'unknown', message: String(error?.message ?? error) });

/**
 * place(): the name under which the widget's runs are kept; changed(now): something is to be shown, at once or with the next drawing; hidden(step), shown(step): training stopped
 * when the page went out of sight, and goes on.
 */
export class TrainingDesk {
  #place;
  #changed;
  #hiding = false; // stopped by going out of sight
  #presence;
  run = null;
  saves = [];
  left = null; // what was left for a new run: { kept, settings, id, unsaved }

  constructor({ place, changed, hidden, shown }) {
    this.#place = place;
    this.#changed = changed;
    this.#presence = new Presence({ hide: () => this.#hide(hidden), show: () => this.#show(shown) });
  }

  connect() {
    this.#presence.start();
  }

  /** gone(): whether the widget is still not on a page when the run has stopped. */
  async disconnect(gone) {
    this.#presence.stop();
    const { run } = this;
    await run?.pause();
    // An element that is only moved keeps its run.
    if (run && this.run === run && gone()) this.#drop();
  }

  async list() {
    try {
      const place = `${this.#place()}:`;
      this.saves = (await listTrainings()).filter(({ id }) => id.startsWith(place)).slice(0, mostSaves);
    } catch {
      // Without storage there is nothing to go on with; saving says why.
      this.saves = [];
    }
    this.#changed(true);
  }

  async remove(id) {
    await deleteTraining(id).catch(() => {});
    await this.list();
  }

  #make(settings, id) {
    const changed = (now) => {
      if (this.run?.running) this.#presence.hold();
      else this.#presence.release();
      this.#changed(now);
    };
    this.run = new TrainingRun({ id, settings, trainer: new TrainerClient({ root: engineRoot() }), engine: sharedEngine(), store: { saveTraining }, changed });
    this.run.target = settings.steps;
    return this.run;
  }

  #drop() {
    this.run?.close();
    this.run = null;
    this.#presence.release();
    this.#changed(true);
  }

  /** Opens a run; it throws what a run that could not begin failed with, and leaves none. */
  async #open(settings, id, begin) {
    const run = this.#make(settings, id);
    try {
      await begin(run);
    } catch (error) {
      run.failure = faultOf(error);
    }
    if (this.run !== run) return null;
    if (!run.failure) return run;
    const { failure } = run;
    this.#drop();
    throw failure;
  }

  /** Begins anew; `text()` gives a promise of what is learned. → the run. Throws { code, message }. */
  start(settings, text, heldOut) {
    return this.#open(settings, `${this.#place()}:${Date.now().toString(36)}`, async (run) => run.open({ text: await text(), heldOut }));
  }

  /** Goes on with a run that the browser keeps. Throws { code, message }. */
  async goOn(id) {
    let kept;
    try {
      kept = await loadTraining(id);
    } catch (error) {
      throw faultOf(error);
    }
    return this.#open(kept.summary.view.settings, id, (run) => run.restore(kept));
  }

  /**
   * Leaves the run, so that it can be come back to → whether it was left: not where nothing of it could be kept, unless `sure`.
   */
  async leave(sure) {
    const { run } = this;
    await run.pause();
    // Of runs that the browser does not keep only the last is at hand.
    if (this.left?.unsaved && !sure) return false;
    let kept = null;
    if (run.started && run.state === 'paused') {
      try {
        kept = await run.keep();
      } catch {
        if (run.saved === null && !sure) return false;
      }
    }
    this.left = kept && { kept, settings: run.settings, id: run.id, unsaved: run.saved?.step !== run.step };
    this.#drop();
    await this.list();
    return true;
  }

  /** Back to the run that was left. Throws { code, message }. */
  comeBack() {
    const { kept, settings, id } = this.left;
    this.left = null;
    return this.#open(settings, id, (run) => run.restore(kept));
  }

  #hide(hidden) {
    const { run } = this;
    if (!run?.running) return;
    this.#hiding = true;
    run.pause().then(() => {
      if (this.#hiding) hidden(run.step);
    });
  }

  async #show(shown) {
    const { run } = this;
    if (!this.#hiding || !run) return;
    this.#hiding = false;
    await run.pause();
    if (this.run !== run || run.state !== 'paused' || this.#presence.hidden) return;
    run.run();
    shown(run.step);
  }
}
