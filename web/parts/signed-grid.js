import { html, nothing } from 'lit';
import { ticks } from '../draw/heatmap.js';
import { signedPixels } from '../draw/signed-pixels.js';
import { namedCell, signedText } from '../draw/signed-map.js';
import { themeAt } from './theme-probe.js';

const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0] };

/**
 * A matrix of signed numbers to look into, as a Lit controller: pointer, touch, keyboard (one tab stop, arrows move). A table with its numbers
 * where they fit, else a canvas. `cell` is the { row, column } in sight, or null.
 */
export class SignedGrid {
  #host;
  #changed;
  #view = null;
  #focus = false;
  cell = null;

  /** changed(cell), if given, hears which cell is in sight. */
  constructor(host, changed = () => {}) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  hostUpdated() {
    const root = this.#view && this.#host.renderRoot.querySelector(`#${this.#view.id}`);
    if (!root) return;
    this.#paint(root);
    if (!this.#focus) return;
    this.#focus = false;
    root.querySelector('[tabindex="0"]')?.focus({ preventScroll: false });
  }

  #paint(root) {
    const canvas = root.querySelector('canvas');
    if (!canvas) return;
    const { data, rows, columns, limit } = this.#view;
    const theme = themeAt(root.querySelector('.probe'));
    const stamp = `${theme} ${rows} ${columns} ${limit}`;
    if (canvas.shownData === data && canvas.stamp === stamp) return;
    canvas.shownData = data;
    canvas.stamp = stamp;
    canvas.width = columns;
    canvas.height = rows;
    canvas.getContext('2d').putImageData(new ImageData(signedPixels(data, limit, theme), columns, rows), 0, 0);
  }

  #look(cell) {
    if (cell?.row === this.cell?.row && cell?.column === this.cell?.column) return;
    this.cell = cell;
    this.#changed(cell);
    this.#host.requestUpdate();
  }

  #under(event) {
    const { rows, columns, cellWidth, cellHeight, left, top } = this.#view;
    const box = event.currentTarget.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top - top) / cellHeight);
    const column = Math.floor((event.clientX - box.left - left) / cellWidth);
    return row >= 0 && column >= 0 && row < rows && column < columns ? { row, column } : null;
  }

  #move = (event) => {
    if (event.pointerType !== 'mouse' && !event.buttons) return;
    const cell = this.#under(event);
    if (cell) this.#look(cell);
  };

  #click = (event) => {
    const cell = this.#under(event);
    if (cell) this.#look(cell);
  };

  #key = (event) => {
    if (!event.target.closest?.('td, .picture') || event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, columns } = this.#view;
    const at = this.cell ?? { row: 0, column: 0 };
    const step = moves[event.key];
    if (event.key === 'Escape') {
      this.#look(null);
      return;
    }
    if (!step && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    const column = event.key === 'Home' ? 0 : event.key === 'End' ? columns - 1 : at.column + step[1];
    const row = at.row + (step?.[0] ?? 0);
    this.#look({ row: Math.min(rows - 1, Math.max(0, row)), column: Math.min(columns - 1, Math.max(0, column)) });
    this.#focus = true;
    this.#host.requestUpdate();
  };

  #focusIn = (event) => {
    if (!event.target.matches?.(':focus-visible')) return;
    const td = event.target.closest('td');
    this.#look(td ? { row: Number(td.dataset.row), column: Number(td.dataset.column) } : this.cell ?? { row: 0, column: 0 });
  };

  /**
   * id; rows, columns, data (row-major); limit: full colour at ±limit; left, top, cellWidth, cellHeight in px; decimals: 0 for a canvas without numbers;
   * rowLabels, columnLabels: names, or null for counted ticks; level: column names lie; cut: after how many rows and columns a line parts two groups;
   * label: what it is; role, help: for the canvas; say(cell) → the number in words.
   */
  render(view) {
    this.#view = view;
    const { id, rows, columns, left, top, cellWidth, cellHeight, decimals, cut = 0 } = view;
    if (this.cell && (this.cell.row >= rows || this.cell.column >= columns)) this.cell = null;
    const lit = this.cell;
    const box = (row, column, down, across) => `left:${left + column * cellWidth}px;top:${top + row * cellHeight}px;width:${across * cellWidth}px;height:${down * cellHeight}px`;
    return html`<div
      class="grid signed ${view.level ? 'is-level' : ''}"
      id=${id}
      .style="--cell:${cellWidth}px;--left:${left}px;--top:${top}px;width:${left + columns * cellWidth}px;height:${top + rows * cellHeight}px"
      @pointermove=${this.#move}
      @click=${this.#click}
      @keydown=${this.#key}
      @focusin=${this.#focusIn}
    >
      ${decimals ? this.#renderTable(view, lit) : this.#renderCanvas(view, lit)}
      ${cut > 0 && cut < rows
        ? html`<i class="cut" .style="left:${left - 4}px;width:${columns * cellWidth + 4}px;top:${top + cut * cellHeight - 1}px;height:2px"></i><i class="cut" .style="top:${top - 4}px;height:${rows * cellHeight + 4}px;left:${left + cut * cellWidth - 1}px;width:2px"></i>`
        : nothing}
      ${lit ? html`<i class="mark" .style=${box(lit.row, lit.column, 1, 1)}></i>` : nothing}
      <i class="probe" @transitionend=${() => this.#host.requestUpdate()}></i>
    </div>`;
  }

  #renderTable({ rowLabels, columnLabels, data, columns, decimals, label }, lit) {
    const at = lit ?? { row: 0, column: 0 };
    return html`<table role="grid" aria-label=${label}>
      <thead>
        <tr>
          <td class="corner"></td>
          ${columnLabels.map((name, i) => html`<th scope="col" class=${lit?.column === i ? 'on' : ''} title=${name}><span>${name}</span></th>`)}
        </tr>
      </thead>
      <tbody>
        ${rowLabels.map(
          (name, row) => html`<tr>
            <th scope="row" class=${lit?.row === row ? 'on' : ''} title=${name}><span>${name}</span></th>
            ${columnLabels.map((_, column) => {
              const x = data[row * columns + column];
              const tab = at.row === row && at.column === column ? '0' : '-1';
              return html`<td class=${x < 0 ? 'neg' : 'pos'} tabindex=${tab} data-row=${row} data-column=${column} .style="--s:${Math.min(1, Math.abs(x)).toFixed(3)}">${signedText(x, decimals)}</td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #renderCanvas({ rows, columns, left, top, cellWidth, cellHeight, rowLabels, columnLabels, label, role, help, say }, lit) {
    const names = (list, count, size) => (list && size >= namedCell ? list.map((name, i) => [i, name]) : ticks(count, Math.min(8, (count * size) / 40)).map((i) => [i, String(i)]));
    return html`<div
        class="picture"
        role="application"
        aria-roledescription=${role}
        aria-label=${`${label} ${help}`}
        tabindex="0"
        .style="left:${left}px;top:${top}px;width:${columns * cellWidth}px;height:${rows * cellHeight}px"
      >
        <canvas aria-hidden="true"></canvas>
      </div>
      ${names(columnLabels, columns, cellWidth).map(([i, name]) => html`<span class="tick across ${columnLabels && cellWidth >= namedCell ? 'upright' : ''}" aria-hidden="true" .style="left:${left + (i + 0.5) * cellWidth}px;height:${top - 4}px">${name}</span>`)}
      ${names(rowLabels, rows, cellHeight).map(([i, name]) => html`<span class="tick down" aria-hidden="true" .style="top:${top + (i + 0.5) * cellHeight}px;width:${left - 6}px">${name}</span>`)}
      <span class="vh" role="status">${lit ? say(lit) : ''}</span>`;
  }
}
