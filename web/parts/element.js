import { LitElement, html, nothing } from 'lit';
import { formatFixed } from '../draw/number.js';
import { engineRoot, sharedEngine } from '../engine/client.js';
import { errorSentence, languageOf, strings } from '../i18n/index.js';
import { widgetStyle } from '../styles/widget.css.js';
import { ExportMenu } from './export-menu.js';
import { embedCode, readLink, writeLink } from './permalink.js';
import { copyText } from './save.js';

const phoneQuery = '(max-width: 600px)';
const longLink = 2000; // characters that every browser, server and chat takes
const notState = ['lang', 'theme'];

let textSize = null; // undefined where the page's root has the reader's own text size, else a style sheet with it

/**
 * Sizes in a widget are multiples of the reader's text size. On our pages that is the root's; other pages make anything of their root's, so
 * there the browser's "medium" is measured, once.
 */
function fitTextSize(shadow) {
  if (textSize === null) {
    const probe = document.createElement('span');
    probe.className = 'medium';
    shadow.append(probe);
    const medium = getComputedStyle(probe).fontSize;
    probe.remove();
    textSize = undefined;
    if (medium && medium !== getComputedStyle(document.documentElement).fontSize) {
      textSize = new CSSStyleSheet();
      textSize.replaceSync(`:host { --rem: max(16px, ${medium}); }`);
    }
  }
  if (textSize) shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, textSize];
}

let scrolled = false; // whether a link has brought this page to its widget

/**
 * What all widgets share: a start when the element comes near the screen, one computation at a time of which only the
 * newest counts, attributes that mirror the state, and the events `glassbox-ready` (after each computed state) and
 * `glassbox-error` (`detail.code`).
 *
 * A subclass gives `static inputs` (the properties that need a new computation), `compute({ signal })` → a result, and
 * `renderFigure()`, which ends with `renderFoot({ facts })`. `accept(result)` may adjust properties to what was computed; a result that
 * came from a model has its `hash`. `exports()` → null while there is nothing to take along, else { name, svg(theme) → a standalone picture,
 * table() → { header, rows }, latex?() }, numbers at full precision.
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
    said: { state: true },
    toCopy: { state: true },
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
  #box = null;
  #link = null; // what the page's address says about this widget
  #linkKey = null;
  #hush = 0;
  #menu = new ExportMenu(this, {
    exports: () => this.exports(),
    theme: () => this.shownTheme,
    copy: (text, what) => this.#copy(text, what),
    say: (text) => this.#say(text),
  });

  constructor() {
    super();
    this.result = null;
    this.error = null;
    this.stale = false;
    this.progress = null;
    this.width = 0;
    this.phone = false;
    this.said = '';
    this.toCopy = null;
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
    if (!this.#initial) {
      this.#initial = new Map(this.constructor.observedAttributes.map((name) => [name, this.getAttribute(name)]));
      this.#takeLink();
      fitTextSize(this.renderRoot);
    }
    const life = ++this.#life;
    if (globalThis.ResizeObserver) {
      this.#sizes = new ResizeObserver(() => {
        if (this.#box) this.width = Math.floor(this.#box.getBoundingClientRect().width);
      });
      this.#watchBox();
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
    this.#box = null;
    clearTimeout(this.#hush);
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
    this.#schedule();
  }

  #inputsKey() {
    return JSON.stringify(this.constructor.inputs.map((name) => this[name] ?? null));
  }

  /** What is measured is our own frame: the style of a page may make anything of the element around it. */
  #watchBox() {
    const box = this.renderRoot?.querySelector('.fig, .first, .ask') ?? null;
    if (box === this.#box) return;
    if (this.#box) this.#sizes?.unobserve(this.#box);
    this.#box = box;
    if (box) this.#sizes?.observe(box);
  }

  updated(changed) {
    this.#watchBox();
    if (this.#started && this.constructor.inputs.some((name) => changed.has(name))) {
      this.#schedule();
    }
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (this.#inputsKey() === this.#key) {
      this.stale = this.#running;
      return;
    }
    this.stale = true;
    this.#timer = setTimeout(() => this.#run());
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
    if (this.#link) this.#linkKey ??= this.#key;
    await this.updateComplete;
    if (life === this.#life) this.dispatchEvent(new CustomEvent('glassbox-ready', { bubbles: true, composed: true }));
  }

  /** Loads what `model` names, the built-in model without a name, with its progress → { model, hash, config }, or null when cancelled. */
  async loadModel(signal) {
    const model = this.model || 'builtin';
    const { hash, config } = await sharedEngine().load(model, {
      signal,
      onProgress: (progress) => {
        if (!signal.aborted) this.progress = progress;
      },
    });
    if (signal.aborted) return null;
    this.progress = null;
    return { model, hash, config };
  }

  accept() {}

  retry = () => {
    this.#key = null;
    this.error = null;
    this.#schedule();
  };

  /** Puts every attribute back to what it was when the element was first connected. */
  reset() {
    for (const [name, value] of this.#initial) {
      if (name === 'lang' || name === 'theme') continue;
      if (value === null) this.removeAttribute(name);
      else this.setAttribute(name, value);
    }
    this.#link = null;
    this.said = '';
    this.toCopy = null;
    if (this.error) this.retry();
  }

  /** The name of this widget in links: its id, else its kind and place on the page. */
  get #linkId() {
    if (this.id) return this.id;
    const kind = this.localName.replace(/^glassbox-/, '');
    const place = [...document.querySelectorAll(this.localName)].filter((element) => !element.id).indexOf(this);
    return place > 0 ? `${kind}-${place + 1}` : kind;
  }

  #takeLink() {
    this.#link = readLink(location.search, this.#linkId, this.constructor.observedAttributes);
    if (!this.#link) return;
    for (const [name, text] of this.#link.attributes) {
      if (text === null) this.removeAttribute(name);
      else this.setAttribute(name, text);
    }
    // A widget without an id can't be a link's fragment. A reader who comes back finds the page where it was.
    if (scrolled || location.hash || performance.getEntriesByType('navigation')[0]?.type !== 'navigate') return;
    scrolled = true;
    requestAnimationFrame(() => this.scrollIntoView({ block: 'start' }));
  }

  get #attributesNow() {
    return this.constructor.observedAttributes.map((name) => [name, this.getAttribute(name)]);
  }

  /** "light" or "dark": the theme that the figure is shown in. */
  get shownTheme() {
    const frame = this.renderRoot.querySelector('.fig');
    const parts = /(\d+)[ ,]+(\d+)[ ,]+(\d+)/.exec(frame ? getComputedStyle(frame).backgroundColor : '');
    return parts && Number(parts[1]) + Number(parts[2]) + Number(parts[3]) < 384 ? 'dark' : 'light';
  }

  exports() {
    return null;
  }

  /** Tells the reader what has come of an action, for a while. */
  #say(text) {
    clearTimeout(this.#hush);
    this.toCopy = null;
    this.said = text;
    this.#hush = setTimeout(() => (this.said = ''), 8000);
  }

  /** Puts a text on the clipboard and says so in the foot; where the browser forbids it, the text is shown to be copied by hand. */
  copy(text, what) {
    return this.#copy(text, what);
  }

  async #copy(text, what, more = '') {
    if (await copyText(text)) {
      this.#say(this.t.copied(what) + more);
      return;
    }
    this.#say('');
    this.toCopy = { text, what };
    await this.updateComplete;
    this.renderRoot.querySelector('#to-copy')?.select();
  }

  #share = async () => {
    await this.updateComplete;
    const link = writeLink(location.href, {
      id: this.#linkId,
      attributes: this.#attributesNow.filter(([name]) => !notState.includes(name)),
      initial: this.#initial,
      hash: this.result?.hash,
      anchor: Boolean(this.id),
    });
    await this.#copy(link, this.t.share.is, link.length > longLink ? this.t.share.long : '');
  };

  #embed = async () => {
    await this.updateComplete;
    const attributes = this.#attributesNow.map(([name, text]) => [name, name === 'lang' ? this.language : text]);
    await this.#copy(embedCode({ script: new URL('embed.js', engineRoot()), tag: this.localName, attributes }), this.t.embed.is);
  };

  /** What a figure from a model says of itself, for renderFoot. hash may be null; without `model` it says how far the loading is. */
  sourceFacts({ model, hash, tokens, ms }) {
    const { t, progress } = this;
    if (model) {
      return [
        html`${t.model(model)}${hash ? html` <code>${hash.slice(0, 8)}</code>` : nothing}`,
        typeof tokens === 'number' ? t.tokens(tokens) : tokens,
        ms === undefined ? null : t.measured(formatFixed(ms, ms < 100 ? 1 : 0)),
      ];
    }
    const mega = (bytes) => formatFixed(bytes / 1e6, 2);
    if (progress?.total) return [t.loading(mega(progress.loaded), mega(progress.total))];
    return this.stale ? [t.preparing] : [];
  }

  /** The end of every figure: where its numbers come from, and what can be done with it. facts: texts or templates; null ones are left out. */
  renderFoot({ facts = [] } = {}) {
    const { t, toCopy } = this;
    return html`<div class="fig-foot">
      ${facts.filter(Boolean).map((fact) => html`<span>${fact}</span>`)}
      <span class="acts">
        <button class="btn quiet" id="share" type="button" @click=${this.#share}>${t.share.name}</button>${this.#menu.render()}<button class="btn quiet" id="embed" type="button" @click=${this.#embed}>${t.embed.name}</button
        ><button class="btn quiet" id="reset" type="button" @click=${() => this.reset()}>${t.reset}</button>
      </span>
      <p class="said" role="status">${this.said}</p>
      ${toCopy
        ? html`<div class="to-copy">
            <label for="to-copy">${t.copyYourself(toCopy.what)}</label>
            <textarea class="text" id="to-copy" readonly rows="3" spellcheck="false" .value=${toCopy.text}></textarea>
            <button class="btn" type="button" @click=${() => (this.toCopy = null)}>${t.close}</button>
          </div>`
        : nothing}
    </div>`;
  }

  #renderLinkNote() {
    const model = this.#link?.model;
    const hash = this.result?.hash?.slice(0, 8);
    if (!model || !hash || model === hash || this.#inputsKey() !== this.#linkKey) return nothing;
    return html`<div class="notes" id="other-model" role="status"><p>${this.t.share.otherModel(model, hash)}</p></div>`;
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
      ${this.renderLine()}${this.#renderLinkNote()}${this.renderFigure()}
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
