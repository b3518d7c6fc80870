import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { inkFlip } from '../draw/color.js';
import { cellAt, ticks } from '../draw/heatmap.js';
import { formatFixed } from '../draw/number.js';
import { paintWeights } from '../draw/paint.js';
import { themeAt } from './theme-probe.js';
import { tokenMark } from './token-mark.js';

const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const same = (a, b) => a?.row === b?.row && a?.column === b?.column;

/**
 * A square attention grid with its interactions, as a Lit controller: pointer, drag, keyboard (one tab stop, arrows move,
 * Enter selects, Escape closes). A table that screen readers can read; a canvas when `canvas` is set, for many tokens.
 *
 * select(cell, { open }): a cell was chosen; `open` is false while a finger still looks around.
 * close(): Escape.
 */
export class GridView {
  #host;
  #select;
  #close;
  #view = null;
  #drag = null;
  #focusPending = false;
  hover = null;
  active = null;

  constructor(host, { select, close }) {
    this.#host = host;
    this.#select = select;
    this.#close = close;
    host.addController(this);
  }

  hostDisconnected() {
    this.#drag = null;
    this.hover = null;
  }

  hostUpdated() {
    if (!this.#view) return;
    const root = this.#host.renderRoot.querySelector(`#${this.#view.id}`);
    if (!root) return;
    if (this.#view.canvas) this.#paint(root.querySelector('canvas'), root.querySelector('.probe'));
    if (this.#focusPending) {
      this.#focusPending = false;
      root.querySelector('[tabindex="0"]')?.focus({ preventScroll: false });
    }
  }

  /** Puts the focus on the cell that the keyboard is at, after the next update. */
  focus() {
    this.#focusPending = true;
    this.#host.requestUpdate();
  }

  /**
   * id; labels (n); weights (n·n, row-major); masked(row, column); geometry; selected: cell or null; canvas: boolean;
   * t: { label, corner, cell(cell, value), masked, help, role }
   * Beside a second grid also echo: the cell pointed at there; marks (n): for each row { sign, text, changed } or null; odd (n): whether
   * the label is another one there. parts (n): which part of a character a token is, as tokenParts gives it.
   */
  render(view) {
    this.#view = view;
    const { geometry, selected, canvas } = view;
    const last = geometry.size - 1;
    const at = this.active ?? selected ?? { row: last, column: 0 };
    this.active = { row: Math.min(at.row, last), column: Math.min(at.column, last) };
    const pointed = this.hover ?? view.echo;
    const lit = pointed ?? selected;
    const box = (row, column, rows, columns) =>
      `left:${geometry.left + column * geometry.cell}px;top:${geometry.top + row * geometry.cell}px;width:${columns * geometry.cell}px;height:${rows * geometry.cell}px`;
    return html`<div
      class="grid ${geometry.level ? 'is-level' : ''} ${geometry.cell >= 46 ? 'is-big' : ''} ${geometry.cell < 18 ? 'is-tiny' : ''}"
      id=${view.id}
      .style="--cell:${geometry.cell}px;--left:${geometry.left}px;--top:${geometry.top}px;width:${geometry.width}px"
      @pointerdown=${this.#down}
      @pointermove=${this.#movePointer}
      @pointerup=${this.#up}
      @pointercancel=${this.#leave}
      @pointerleave=${this.#leave}
      @click=${this.#click}
      @keydown=${this.#key}
      @focusin=${this.#focusIn}
      @focusout=${this.#focusOut}
    >
      ${canvas ? this.#renderCanvas(view, lit) : this.#renderTable(view, lit)}
      ${lit && lit.row <= last && lit.column <= last
        ? html`<i class="band" .style=${box(lit.row, 0, 1, geometry.size)}></i><i class="band" .style=${box(0, lit.column, geometry.size, 1)}></i>`
        : nothing}
      ${view.marks?.map((mark, row) =>
        mark ? html`<span class="row-mark ${mark.changed ? 'changed' : ''}" aria-hidden="true" .style="left:${geometry.width + 3}px;top:${geometry.top + row * geometry.cell}px;height:${geometry.cell}px">${mark.sign}</span>` : nothing,
      )}
      ${pointed && pointed.row <= last && pointed.column <= last ? html`<i class="mark hover" .style=${box(pointed.row, pointed.column, 1, 1)}></i>` : nothing}
      ${selected ? html`<i class="mark" .style=${box(selected.row, selected.column, 1, 1)}></i>` : nothing}
      <i class="probe" @transitionend=${() => this.#host.requestUpdate()}></i>
    </div>`;
  }

  #renderTable(view, lit) {
    const { labels, weights, masked, geometry, selected, t, parts, marks, odd } = view;
    const { decimals, size } = geometry;
    const name = (at, i) => `${at === i ? 'on' : ''} ${odd?.[i] ? 'odd' : ''} ${parts?.[i] ? 'part' : ''}`;
    const cell = (row, column) => {
      const tab = this.active.row === row && this.active.column === column ? '0' : '-1';
      const chosen = selected?.row === row && selected?.column === column ? 'true' : 'false';
      if (masked(row, column)) {
        return html`<td class="m" tabindex=${tab} aria-selected=${chosen} aria-label=${t.masked} data-row=${row} data-column=${column}>·</td>`;
      }
      const weight = weights[row * size + column];
      const text = formatFixed(weight, decimals || 3);
      const kind = Number(text) === 0 ? 'z' : weight >= inkFlip ? 'hi' : '';
      return html`<td class=${kind} .style="--w:${weight.toFixed(4)}" tabindex=${tab} aria-selected=${chosen} aria-label=${text} data-row=${row} data-column=${column}>${decimals ? text : nothing}</td>`;
    };
    return html`<table role="grid" aria-label=${t.label}>
      <thead>
        <tr>
          <th class="corner" scope="col"><span class="vh">${t.corner}</span></th>
          ${labels.map((label, i) => html`<th scope="col" class=${name(lit?.column, i)} title=${label}><span>${tokenMark(label, parts?.[i])}</span></th>`)}
        </tr>
      </thead>
      <tbody>
        ${labels.map(
          (label, row) => html`<tr>
            <th scope="row" class=${name(lit?.row, row)} title=${marks?.[row] ? `${label}: ${marks[row].text}` : label}><span>${tokenMark(label, parts?.[row])}</span></th>
            ${guard([weights, labels, decimals, this.active.row === row && this.active.column, selected?.row === row && selected.column, t.masked], () =>
              labels.map((_, column) => cell(row, column)),
            )}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #renderCanvas(view, lit) {
    const { geometry, t, labels, weights, masked } = view;
    const { size, cell } = geometry;
    const marks = ticks(size);
    const at = lit ?? this.active;
    const value = masked(at.row, at.column) ? t.masked : formatFixed(weights[at.row * size + at.column], 3);
    return html`<div .style="height:${geometry.height}px">
      <div
        class="picture"
        role="application"
        aria-roledescription=${t.role}
        aria-label=${`${t.label} ${t.help}`}
        tabindex="0"
        .style="left:${geometry.left}px;top:${geometry.top}px;width:${geometry.width - geometry.left}px;height:${geometry.height - geometry.top}px"
      >
        <canvas aria-hidden="true"></canvas>
      </div>
      ${marks.map(
        (i) => html`<span class="tick across" aria-hidden="true" .style="left:${geometry.left + (i + 0.5) * cell}px">${i}</span>
          <span class="tick down" aria-hidden="true" .style="top:${geometry.top + (i + 0.5) * cell}px;width:${geometry.left - 6}px">${i}</span>`,
      )}
      <span class="vh" role="status" aria-live="polite">${t.cell(at, value, labels)}</span>
    </div>`;
  }

  #paint(canvas, probe) {
    const { weights, masked, geometry } = this.#view;
    if (!canvas) return;
    const scale = Math.min(2, globalThis.devicePixelRatio || 1);
    paintWeights(canvas, { weights, masked, size: geometry.size, side: Math.round((geometry.width - geometry.left) * scale), theme: themeAt(probe) });
  }

  #cellOf(event) {
    const td = event.target.closest?.('td[data-row]');
    if (td && event.type !== 'pointermove') return { row: Number(td.dataset.row), column: Number(td.dataset.column) };
    const box = event.currentTarget.getBoundingClientRect();
    return cellAt(this.#view.geometry, event.clientX - box.left, event.clientY - box.top);
  }

  #point(cell) {
    if (same(cell, this.hover)) return;
    this.hover = cell;
    this.#host.requestUpdate();
  }

  #down = (event) => {
    this.#drag = null;
    if (event.pointerType !== 'mouse') {
      const cell = this.#cellOf(event);
      this.#drag = { start: cell, moved: false };
      this.#point(cell);
    }
  };

  #movePointer = (event) => {
    const cell = this.#cellOf(event);
    if (event.pointerType === 'mouse') {
      this.#point(cell);
      return;
    }
    if (!this.#drag || !cell) return;
    if (!same(cell, this.#drag.start) && !this.#drag.moved) {
      this.#drag.moved = true;
      event.currentTarget.setPointerCapture?.(event.pointerId);
    }
    this.#point(cell);
  };

  #up = (event) => {
    if (!this.#drag) return;
    if (this.#drag.moved && this.hover) {
      this.active = this.hover;
      this.#select(this.hover, { open: false });
    }
    if (event.pointerType !== 'mouse') this.#point(null);
  };

  #leave = () => {
    this.#point(null);
  };

  #click = (event) => {
    // The click that some browsers send at the end of a drag is no choice of its own.
    if (this.#drag?.moved) {
      this.#drag = null;
      return;
    }
    const cell = this.#cellOf(event);
    if (!cell) return;
    this.active = cell;
    this.#select(cell, { open: true });
  };

  #key = (event) => {
    if (event.key === 'Escape') {
      this.#close();
      return;
    }
    const inside = event.target.closest?.('td[data-row], .picture');
    if (!inside || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#select(this.active, { open: true, keyboard: true });
      return;
    }
    const last = this.#view.geometry.size - 1;
    let { row, column } = this.active;
    const move = moves[event.key];
    if (move) [row, column] = [row + move[0], column + move[1]];
    else if (event.key === 'Home') column = 0;
    else if (event.key === 'End') column = last;
    else if (event.key === 'PageUp') row -= 10;
    else if (event.key === 'PageDown') row += 10;
    else return;
    event.preventDefault();
    this.active = { row: Math.min(last, Math.max(0, row)), column: Math.min(last, Math.max(0, column)) };
    this.hover = this.active;
    this.focus();
  };

  #focusIn = (event) => {
    const td = event.target.closest?.('td[data-row]');
    if (td) {
      const cell = { row: Number(td.dataset.row), column: Number(td.dataset.column) };
      this.active = cell;
      if (td.matches(':focus-visible')) this.hover = cell;
    } else if (event.target.matches?.('.picture:focus-visible')) {
      this.hover = this.active;
    }
    this.#host.requestUpdate();
  };

  #focusOut = () => {
    this.#point(null);
  };
}
