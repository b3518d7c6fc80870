import { html } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { arcsDrawing } from '../draw/arcs.js';
import { tokenMark } from './token-mark.js';

/**
 * One row of a grid as arcs over the words, as a Lit controller: the pointer shows the value of a key, a click or the arrow keys make a word the
 * query, Enter opens its calculation.
 *
 * ask(row, { open }): a query was chosen. point(cell or null): a key was pointed at. close(): Escape.
 */
export class ArcsView {
  #host;
  #ask;
  #close;
  #point;
  #view = null;
  #focusPending = false;

  constructor(host, { ask, point, close }) {
    this.#host = host;
    this.#ask = ask;
    this.#point = point;
    this.#close = close;
    host.addController(this);
  }

  hostUpdated() {
    if (!this.#focusPending || !this.#view) return;
    this.#focusPending = false;
    this.#host.renderRoot.querySelector(`#${this.#view.id} [tabindex="0"]`)?.focus({ preventScroll: false });
  }

  /** id; labels, parts, odd: as for the grid; row: weights up to and with the query; query: its row; at: the key pointed at, or null; geometry; t: { label, word(query, key, value), unread } */
  render(view) {
    this.#view = view;
    const { id, labels, parts, odd, row, query, at, geometry, t } = view;
    const box = (i) => {
      const { at: middle, size } = geometry.places[i];
      return geometry.down
        ? `top:${middle - size / 2}px;left:0;width:${geometry.base}px;height:${size}px`
        : `left:${middle - size / 2}px;top:${geometry.base}px;width:${size}px;height:24px`;
    };
    return html`<div class="arcs ${geometry.down ? 'is-down' : ''}" id=${id} role="listbox" aria-label=${t.label} .style="width:${geometry.width}px;height:${geometry.height}px" @keydown=${this.#key} @pointerleave=${() => this.#point(null)} @focusout=${this.#out}>
      ${unsafeHTML(arcsDrawing({ row, query, at, geometry }))}
      ${labels.map(
        (label, i) => html`<span
          class="word ${i === query ? 'query' : ''} ${i > query ? 'unread' : ''} ${at === i ? 'on' : ''} ${odd?.[i] ? 'odd' : ''} ${parts?.[i] ? 'part' : ''}"
          role="option"
          tabindex=${i === query ? '0' : '-1'}
          aria-selected=${i === query ? 'true' : 'false'}
          aria-label=${i > query ? t.unread(label) : t.word(label, row[i])}
          data-word=${i}
          title=${label}
          .style=${box(i)}
          @pointerenter=${() => this.#point(i <= query ? { row: query, column: i } : null)}
          @click=${() => this.#ask(i, {})}
          >${tokenMark(label, parts?.[i])}</span
        >`,
      )}
    </div>`;
  }

  #out = (event) => {
    if (!event.currentTarget.contains(event.relatedTarget)) this.#point(null);
  };

  #key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { query, labels } = this.#view;
    const last = labels.length - 1;
    const next = { ArrowLeft: query - 1, ArrowUp: query - 1, ArrowRight: query + 1, ArrowDown: query + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') this.#close();
    else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#ask(query, { open: true });
    } else if (next !== undefined) {
      event.preventDefault();
      if (next < 0 || next > last) return;
      this.#focusPending = true;
      this.#ask(next, {});
    }
  };
}
