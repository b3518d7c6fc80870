import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { paintWeights } from '../draw/paint.js';
import { themeAt } from './theme-probe.js';

const causal = (row, column) => column > row;
const slice = 30; // ms of painting at a time, so that many large pictures don't hold up the page

/**
 * All heads of all layers as small pictures to choose from, as a Lit controller: one tab stop, arrows move and choose.
 * choose({ layer, head }).
 */
export class AtlasView {
  #host;
  #choose;
  #view = null;
  #timer = 0;
  #awaited = null; // the head that gets the focus once it is shown

  constructor(host, { choose }) {
    this.#host = host;
    this.#choose = choose;
    host.addController(this);
  }

  hostUpdated() {
    const view = this.#view;
    const root = view && this.#host.renderRoot.querySelector('.atlas');
    if (!root) return;
    const theme = themeAt(root.querySelector('.probe'));
    const scale = Math.min(2, globalThis.devicePixelRatio || 1);
    const canvases = root.querySelectorAll('canvas');
    const waiting = view.heads.flatMap(({ pictures }) => pictures).map(({ weights, size }, i) => {
      // Small texts get a few pixels a token, long ones about as many as the screen shows.
      const side = size < 72 ? size * Math.ceil(72 / size) : Math.round(72 * scale);
      return { canvas: canvases[i], weights, size, side, theme, masked: causal };
    });
    this.#paint(waiting.filter(({ canvas }) => canvas));
    if (this.#awaited?.layer === view.chosen.layer && this.#awaited.head === view.chosen.head) {
      this.#awaited = null;
      root.querySelector('[aria-checked="true"]')?.focus({ preventScroll: true });
    }
  }

  #paint(waiting) {
    clearTimeout(this.#timer);
    const start = performance.now();
    while (waiting.length && performance.now() - start < slice) {
      const { canvas, ...picture } = waiting.shift();
      paintWeights(canvas, picture);
    }
    if (waiting.length) this.#timer = setTimeout(() => this.#paint(waiting));
  }

  hostDisconnected() {
    clearTimeout(this.#timer);
    this.#view = null;
  }

  /**
   * heads: in the order shown, [{ layer, head, pictures: one or two { weights (size·size), size }, most (the token looked at most), note (a
   * number, or ''), label }];
   * columns: how many stand in a line; byPlace: lines are layers; chosen: { layer, head }; controls: what stands beside the title;
   * t: { title, hint, layer(n), head(n) }
   */
  render(view) {
    this.#view = view;
    const { heads, columns, byPlace, chosen, controls, t } = view;
    return html`<div class="atlas">
      <div class="atlas-head"><p class="subtitle" id="atlas-title">${t.title}</p>${controls}</div>
      <div class="atlas-scroll">
        <div class="thumbs ${byPlace ? 'by-place' : ''} ${heads[0].pictures.length > 1 ? 'two-texts' : ''}" role="radiogroup" aria-labelledby="atlas-title" .style="--columns:${columns}" @keydown=${this.#key}>
          ${guard([heads, chosen.layer, chosen.head, byPlace, columns, t], () => [
            byPlace ? html`<span class="corner" aria-hidden="true"></span>${Array.from({ length: columns }, (_, i) => html`<span class="axis" aria-hidden="true">${t.head(i)}</span>`)}` : nothing,
            heads.map((one, i) => {
              const on = one.layer === chosen.layer && one.head === chosen.head;
              return html`${byPlace && i % columns === 0 ? html`<span class="axis down" aria-hidden="true">${t.layer(one.layer)}</span>` : nothing}
                <button type="button" class="thumb ${on ? 'on' : ''}" role="radio" aria-checked=${on ? 'true' : 'false'} tabindex=${on ? '0' : '-1'} aria-label=${one.label} title=${one.label} @click=${() => this.#choose(one)}>
                  <span class="pictures">${one.pictures.map(() => html`<canvas aria-hidden="true"></canvas>`)}</span>
                  <span class="most">${byPlace ? nothing : html`<small>${one.layer}.${one.head}</small>`}${one.most}</span>${one.note ? html`<small class="note">${one.note}</small>` : nothing}
                </button>`;
            }),
          ])}
        </div>
      </div>
      <p class="hint">${t.hint}</p>
      <i class="probe" @transitionend=${() => this.#host.requestUpdate()}></i>
    </div>`;
  }

  #key = (event) => {
    const { heads, columns, chosen } = this.#view;
    const at = heads.findIndex(({ layer, head }) => layer === chosen.layer && head === chosen.head);
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -at, End: heads.length - 1 - at };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = heads[at + step];
    if (!next) return;
    this.#awaited = next;
    this.#choose(next);
  };
}
