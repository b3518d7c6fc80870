import { LitElement, html, nothing } from 'lit';
import { errorSentence, languageOf, strings } from '../i18n/index.js';
import { widgetStyle } from '../styles/widget.css.js';

const phoneQuery = '(max-width: 600px)';

/**
 * What all widgets share: a start when the element comes near the screen, one computation at a time of which only the
 * newest counts, attributes that mirror the state, and the events `glassbox-ready` (after each computed state) and
 * `glassbox-error` (`detail.code`).
 *
 * A subclass gives `static inputs` (the properties that need a new computation), `compute({ signal })` → a result, and
 * `renderFigure()`. `accept(result)` may adjust properties to what was computed.
 */
export class GlassboxElement extends LitElement {
  static properties = {
    lang: { reflect: true },
    theme: { reflect: true },
    result: { state: true },
    error: { state: true },
    stale: { state: true },
    progress: { state: true },
    width: { state: true },
    phone: { state: true },
  };

  static styles = widgetStyle;
  static inputs = [];

  #initial = null;
  #near = null;
  #sizes = null;
  #media = null;
  #abort = null;
  #timer = 0;
  #started = false;
  #running = false;
  #again = false;
  #life = 0;
  #key = null;

  constructor() {
    super();
    this.result = null;
    this.error = null;
    this.stale = false;
    this.progress = null;
    this.width = 0;
    this.phone = false;
  }

  get language() {
    let node = this;
    while (node) {
      const found = languageOf(node.getAttribute?.('lang'));
      if (found) return found;
      node = node.parentNode ?? node.host;
    }
    return 'zh';
  }

  /** Strings of this widget's language. */
  get t() {
    return strings(this.language);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#initial ??= new Map(this.constructor.observedAttributes.map((name) => [name, this.getAttribute(name)]));
    const life = ++this.#life;
    if (globalThis.ResizeObserver) {
      this.#sizes = new ResizeObserver(([entry]) => {
        this.width = Math.floor(entry.contentRect.width);
      });
      this.#sizes.observe(this);
    }
    this.#media = matchMedia(phoneQuery);
    this.#media.addEventListener('change', this.#onMedia);
    this.#onMedia();
    if (!globalThis.IntersectionObserver) {
      this.#start(life);
      return;
    }
    this.#near = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#start(life);
      },
      { rootMargin: '600px' },
    );
    this.#near.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#life++;
    this.#near?.disconnect();
    this.#sizes?.disconnect();
    this.#media?.removeEventListener('change', this.#onMedia);
    this.#abort?.abort();
    clearTimeout(this.#timer);
    this.#started = false;
    this.#running = false;
    this.#again = false;
    this.stale = false;
    this.progress = null;
    // A removed element that comes back computes what it had not finished.
    if (!this.result || this.error) this.#key = null;
  }

  #onMedia = () => {
    this.phone = this.#media.matches;
  };

  #start(life) {
    if (life !== this.#life || this.#started) return;
    this.#near?.disconnect();
    this.#started = true;
    this.#schedule(0);
  }

  #inputsKey() {
    return JSON.stringify(this.constructor.inputs.map((name) => this[name] ?? null));
  }

  updated(changed) {
    if (this.#started && this.constructor.inputs.some((name) => changed.has(name))) {
      this.#schedule(changed.has('text') ? 60 : 0);
    }
  }

  #schedule(delay) {
    clearTimeout(this.#timer);
    if (this.#inputsKey() === this.#key) {
      this.stale = this.#running;
      return;
    }
    this.stale = true;
    this.#timer = setTimeout(() => this.#run(), delay);
  }

  async #run() {
    if (this.#running) {
      // One computation at a time keeps the worker's queue short; what comes meanwhile is done next.
      this.#again = true;
      return;
    }
    const life = this.#life;
    const key = this.#inputsKey();
    this.#running = true;
    this.#again = false;
    this.#key = key;
    this.#abort = new AbortController();
    let result = null;
    let failure = null;
    try {
      result = await this.compute({ signal: this.#abort.signal });
    } catch (thrown) {
      failure = thrown ?? new Error('unknown');
    }
    if (life !== this.#life) return;
    this.#running = false;
    this.progress = null;
    if (this.#again || this.#inputsKey() !== key) {
      this.#run();
      return;
    }
    this.stale = false;
    if (failure) {
      this.error = { code: failure.code ?? 'unknown', message: failure.message ?? '' };
      await this.updateComplete;
      this.dispatchEvent(new CustomEvent('glassbox-error', { bubbles: true, composed: true, detail: { code: this.error.code, message: this.error.message } }));
      return;
    }
    this.error = null;
    this.result = result;
    this.accept(result);
    this.#key = this.#inputsKey();
    await this.updateComplete;
    if (life === this.#life) this.dispatchEvent(new CustomEvent('glassbox-ready', { bubbles: true, composed: true }));
  }

  accept() {}

  retry = () => {
    this.#key = null;
    this.error = null;
    this.#schedule(0);
  };

  /** Puts every attribute back to what it was when the element was first connected. */
  reset() {
    for (const [name, value] of this.#initial) {
      if (name === 'lang' || name === 'theme') continue;
      if (value === null) this.removeAttribute(name);
      else this.setAttribute(name, value);
    }
    if (this.error) this.retry();
  }

  render() {
    const waiting = !this.result;
    // The figure made at build time has a frame of its own and stays until there is something better.
    if (waiting && this.#hasFirstPaint()) {
      return html`<div class="first ${this.stale || this.progress ? 'is-busy' : ''}" aria-busy=${this.stale ? 'true' : 'false'}>
        ${this.renderLine()}<slot></slot>${this.error ? html`<div class="first-error">${this.renderError()}</div>` : nothing}
      </div>`;
    }
    return html`<figure class="fig ${this.stale && this.result ? 'is-stale' : ''}" lang=${this.language === 'zh' ? 'zh-Hans' : 'en'} aria-labelledby="title" aria-busy=${this.stale ? 'true' : 'false'}>
      ${this.renderLine()}${this.renderFigure()}
    </figure>`;
  }

  #hasFirstPaint() {
    return Array.from(this.childNodes).some((node) => node.nodeType === 1 || (node.nodeType === 3 && node.data.trim()));
  }

  /** The rim of the figure, which is the loading line too. */
  renderLine() {
    const share = this.progress?.total ? Math.min(1, this.progress.loaded / this.progress.total) : 0;
    return html`<div class="rim ${this.stale && !this.result ? 'is-loading' : ''}" .style="--share:${share}"></div>`;
  }

  renderError() {
    if (!this.error) return nothing;
    return html`<div class="err" role="alert">
      <span>${errorSentence(this.error.code, this.language)}</span>
      <button class="btn" type="button" @click=${this.retry}>${this.t.retry}</button>
    </div>`;
  }
}
