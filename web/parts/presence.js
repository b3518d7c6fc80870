// Whether the reader is there: pages out of sight should not work, and a screen should not go dark over work that is watched.

/**
 * Tells when the page goes out of sight and comes back, as a tab, by leaving it, or by the browser's cache of pages left. `hide()` and `show()` are called once for
 * each change.
 */
export class Presence {
  #hide;
  #show;
  #hidden = false;
  #lock = null;
  #held = false;

  constructor({ hide, show }) {
    this.#hide = hide;
    this.#show = show;
  }

  start() {
    this.#hidden = document.visibilityState === 'hidden';
    document.addEventListener('visibilitychange', this.#look);
    addEventListener('pagehide', this.#leave);
    addEventListener('pageshow', this.#look);
  }

  stop() {
    document.removeEventListener('visibilitychange', this.#look);
    removeEventListener('pagehide', this.#leave);
    removeEventListener('pageshow', this.#look);
    this.release();
  }

  get hidden() {
    return this.#hidden;
  }

  #change(hidden) {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    if (hidden) this.#hide();
    else {
      this.#show();
      // The browser takes the lock away from a page out of sight.
      if (this.#held) this.#ask();
    }
  }

  #look = () => this.#change(document.visibilityState === 'hidden');

  #leave = () => this.#change(true);

  /** Keeps the screen awake where the browser can; where it can't nothing is missing. */
  hold() {
    this.#held = true;
    this.#ask();
  }

  release() {
    this.#held = false;
    this.#lock?.release().catch(() => {});
    this.#lock = null;
  }

  async #ask() {
    if (!navigator.wakeLock || this.#lock?.released === false || this.#hidden) return;
    try {
      const lock = await navigator.wakeLock.request('screen');
      if (this.#held) this.#lock = lock;
      else lock.release().catch(() => {});
    } catch {
      // Refused, as with a low battery: training goes on all the same.
    }
  }
}
