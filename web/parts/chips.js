import { html, nothing } from 'lit';
import { byteWidth, bytesShort, chipGroups, glyphFit } from '../draw/chips.js';

/**
 * Pieces of a text as a row of buttons, of which one may be chosen: one tab stop, arrow keys, Home and End move, Escape lets go.
 * pieces: [{bytes, id, tone: 0 … 5, fresh}]; isChosen(i), name(i): of a piece, the latter in words; `choose(i | null)`; words: { bytes(n) }.
 */
export function chips({ id, label, pieces, isChosen, name, choose, words }) {
  const buttons = (event) => [...event.currentTarget.querySelectorAll('button')];
  const keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      choose(null);
      return;
    }
    const list = buttons(event);
    const at = list.indexOf(event.target);
    const next = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: list.length - 1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    const to = Math.min(list.length - 1, Math.max(0, next));
    list[to].focus();
    choose(to);
  };
  const focusable = Math.max(0, pieces.findIndex((_, i) => isChosen(i)));
  const chip = (i, text, style) => {
    const piece = pieces[i];
    return html`<button
      type="button"
      class="chip tone-${piece.tone + 1} ${piece.fresh ? 'fresh' : ''}"
      aria-pressed=${isChosen(i) ? 'true' : 'false'}
      tabindex=${i === focusable ? '0' : '-1'}
      .style=${style}
      @click=${() => choose(isChosen(i) ? null : i)}
    ><span class="vh">${name(i)}</span><span class="chip-text" aria-hidden="true">${text}</span><small aria-hidden="true">${piece.id}</small><small class="hex" aria-hidden="true">${bytesShort(piece.bytes, words)}</small></button>`;
  };
  return html`<div class="chips" id=${id} role="group" aria-label=${label} @keydown=${keys}>
    ${chipGroups(pieces.map(({ bytes }) => bytes)).map(({ start, end, glyph, labels }) => {
      if (!glyph) return chip(start, html`<bdi>${labels[0]}</bdi>`, '');
      const total = pieces.slice(start, end).reduce((sum, { bytes }) => sum + bytes.length, 0);
      const { size, stretch } = glyphFit(glyph, total * byteWidth);
      let before = 0;
      const list = pieces.slice(start, end).map(({ bytes }, i) => {
        const style = `--bytes:${bytes.length};--before:${before};--total:${total};--glyph:${(size / byteWidth).toFixed(3)};--stretch:${stretch.toFixed(3)}`;
        before += bytes.length;
        return chip(start + i, html`<span class="glyph">${glyph}</span>`, style);
      });
      return html`<span class="joined">${list}</span>`;
    })}
  </div>`;
}

/**
 * Pieces as running text, without ids: the tints part them, and parts of a character are slices of it. pieces: [{bytes, tone, fresh}].
 */
export function runningPieces(pieces) {
  return chipGroups(pieces.map(({ bytes }) => bytes)).map(({ start, end, glyph, labels }) => {
    if (!glyph) return html`<span class="run-piece tone-${pieces[start].tone + 1} ${pieces[start].fresh ? 'fresh' : ''}"><bdi>${labels[0]}</bdi></span>${labels[0].endsWith('⏎') ? html`<br />` : nothing}`;
    const total = pieces.slice(start, end).reduce((sum, { bytes }) => sum + bytes.length, 0);
    let before = 0;
    return html`<span class="run-joined">${pieces.slice(start, end).map(({ bytes, tone, fresh }) => {
      const style = `--bytes:${bytes.length};--before:${before};--total:${total};--em:${Math.max(1, glyph.length === 1 ? 1 : [...glyph].length).toFixed(2)}`;
      before += bytes.length;
      return html`<span class="run-part tone-${tone + 1} ${fresh ? 'fresh' : ''}" .style=${style}><span class="glyph" aria-hidden="true">${glyph}</span></span>`;
    })}<span class="vh">${glyph}</span></span>`;
  });
}
