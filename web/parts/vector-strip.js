import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { painter, picture } from '../draw/svg.js';
import { foldOf, vectorShapes } from '../draw/vector-strip.js';

/**
 * A vector as a strip of cells that can be pointed at, touched and walked with the arrow keys.
 * id; values (C); limit: full colour at ±limit; width, rowHeight in px; index: the number in sight, or null; label: what the strip is; say(index) → the
 * number in words; fold: how many cells stand in one row, few enough to be touched if left out. choose(index): a number was pointed at.
 */
export function vectorStrip({ id, values, limit, width, rowHeight, index, label, say, choose, fold = foldOf(values.length, width) }) {
  const last = values.length - 1;
  const rows = Math.ceil(values.length / fold);
  const cell = width / fold;
  const shown = Math.min(index ?? 0, last);
  const drawn = vectorShapes({ values, columns: fold, width, rowHeight, limit, paint: painter(null) });
  const at = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const column = Math.min(fold - 1, Math.max(0, Math.floor((event.clientX - box.left) / cell)));
    const row = Math.min(rows - 1, Math.max(0, Math.floor((event.clientY - box.top) / rowHeight)));
    return Math.min(last, row * fold + column);
  };
  const point = (event) => {
    if (event.pointerType === 'mouse' || event.buttons) choose(at(event));
  };
  const keys = (event) => {
    const down = rows > 1 ? fold : 1;
    const next = { ArrowLeft: shown - 1, ArrowRight: shown + 1, ArrowUp: shown - down, ArrowDown: shown + down, Home: 0, End: last, PageUp: shown - 10, PageDown: shown + 10 }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(Math.min(last, Math.max(0, next)));
  };
  return html`<div
    class="strip"
    id=${id}
    role="slider"
    tabindex="0"
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax=${last}
    aria-valuenow=${shown}
    aria-valuetext=${say(shown)}
    .style="width:${width}px;height:${drawn.height}px"
    @pointermove=${point}
    @click=${(event) => choose(at(event))}
    @keydown=${keys}
    @focus=${() => index === null && choose(0)}
  >
    ${unsafeHTML(picture({ width, height: drawn.height, body: drawn.body, theme: null }))}
    ${index === null ? nothing : html`<i class="ring" .style="left:${(shown % fold) * cell}px;top:${Math.floor(shown / fold) * rowHeight}px;width:${cell}px;height:${rowHeight}px"></i>`}
  </div>`;
}
