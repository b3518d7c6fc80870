import { html } from 'lit';
import { arcsGeometry } from '../draw/arcs.js';
import { canvasGeometry, heatmapGeometry } from '../draw/heatmap.js';
import { formatWeight } from '../draw/number.js';
import { ArcsView } from './arcs.js';
import { masked } from './attention-shape.js';
import { GridView } from './grid.js';
import { largestAt } from './measure.js';
import { Memo } from './memo.js';
import { seenRow } from './rows.js';

/** Tokens up to which a grid is a table; beyond it is a canvas. */
export const mostCells = 40;

/** px beside a grid of two for the signs of its rows. */
export const markRoom = 20;

/**
 * One head of one text or two, each as a grid or as arcs, with what is pointed at in any of them.
 * choose(slot, cell, { open }): a cell of what is drawn was chosen. close(): Escape.
 */
export class AttentionViews {
  #host;
  #grids = {};
  #arcs = {};
  #shapes = {}; // what was drawn last, by text
  #pointed = null; // in arcs; the grids know by themselves
  #memo = new Memo();

  constructor(host, { choose, close }) {
    this.#host = host;
    for (const slot of ['a', 'b']) {
      this.#grids[slot] = new GridView(host, { select: (cell, how) => choose(slot, cell, how), close });
      this.#arcs[slot] = new ArcsView(host, {
        // A row is chosen at the key it looks at most.
        ask: (row, { open = false }) => {
          const { weights, size } = this.#shapes[slot];
          this.#point(null);
          choose(slot, { row, column: largestAt(seenRow(weights, size, row)) }, { open });
        },
        close,
        point: (cell) => this.#point(cell && { slot, cell }),
      });
    }
  }

  #point(pointed) {
    if (pointed === this.#pointed) return;
    this.#pointed = pointed;
    this.#host.requestUpdate();
  }

  /** What is pointed at in one of the views of these texts: { slot, cell } or null. */
  pointedIn(slots) {
    for (const slot of slots) if (this.#grids[slot].hover) return { slot, cell: this.#grids[slot].hover };
    return this.#pointed;
  }

  /** The arcs are no longer pointed at, as when the view changes. */
  leaveArcs() {
    this.#point(null);
  }

  leaveGrids() {
    for (const grid of Object.values(this.#grids)) grid.hover = null;
  }

  /** Puts the focus on the cell of a grid that the keyboard is at. */
  focus(slot) {
    this.#grids[slot].focus();
  }

  /**
   * One text's grid or arcs → { geometry, body }.
   * shape: as shapeOf gives it; selected: the chosen cell in it, or null; pointed: { slot, cell } or null; layer, head; room: px.
   * Beside a second text rows, as compareRows gives them, and other: its shape.
   */
  render({ slot, shape, selected, pointed, arcs, layer, head, room, rows, other }, t) {
    this.#shapes[slot] = shape;
    const { labels, size } = shape;
    const odd = rows && labels.map((label, i) => label !== other.labels[i]);
    const inside = pointed && pointed.cell.row < size && pointed.cell.column < size ? pointed.cell : null;
    const drawn = { slot, shape, selected, inside, odd, layer, head, room };
    return arcs ? this.#renderArcs(drawn, t) : this.#renderGrid({ ...drawn, rows, echo: pointed && pointed.slot !== slot ? inside : null }, t);
  }

  /** Labels for measuring: slices of a character stand before their bytes and want room of their own. */
  #wide({ labels, parts }) {
    return labels.map((label, i) => (parts[i] ? `字${label}` : label));
  }

  #renderArcs({ slot, shape, selected, inside, odd, layer, head, room }, t) {
    const { labels, parts, weights, size } = shape;
    const words = t.attention;
    const query = inside?.row ?? selected?.row ?? size - 1;
    const geometry = this.#memo.keep(`arcs ${slot}`, [labels, room], () => arcsGeometry({ labels: this.#wide(shape), width: room }));
    const drawn = this.#arcs[slot].render({
      id: `arcs-${slot}`,
      labels,
      parts,
      odd,
      row: seenRow(weights, size, query),
      query,
      at: inside?.column ?? null,
      geometry,
      t: { label: words.arcs(layer, head, labels[query]), word: (name, weight) => `${name}: ${formatWeight(weight)}`, unread: (name) => `${name}: ${words.masked}` },
    });
    return { geometry, body: html`<div class="scroll-y">${drawn}</div>` };
  }

  #renderGrid({ slot, shape, selected, odd, layer, head, room, rows, echo }, t) {
    const { labels, parts, weights, size } = shape;
    const words = t.attention;
    const label = words.grid(layer, head);
    const canvas = size > mostCells;
    const geometry = this.#memo.keep(`grid ${slot}`, [labels, room, canvas], () => (canvas ? canvasGeometry({ size, width: room }) : heatmapGeometry({ labels: this.#wide(shape), width: room })));
    const drawn = this.#grids[slot].render({
      id: slot === 'a' ? 'grid' : 'grid-b',
      labels,
      parts,
      weights,
      masked,
      geometry,
      selected,
      canvas,
      echo,
      odd,
      marks: rows && labels.map((_, i) => (rows[i] ? (rows[i].same ? { sign: '=', text: words.sameRow } : { sign: '≠', text: words.changedRow, changed: true }) : null)),
      t: {
        label: rows ? `${slot === 'a' ? words.firstText : words.secondText}: ${label}` : label,
        corner: words.corner,
        masked: words.masked,
        help: words.canvas,
        role: words.canvasRole,
        cell: (at, value, names) => words.cell(at.row, names[at.row], at.column, names[at.column], value),
      },
    });
    return { geometry, body: html`<div class="scroll-x ${geometry.scrolls ? 'scrolls' : ''}" .style="max-width:${rows ? `calc(100% + ${geometry.scrolls ? 0 : markRoom}px)` : '100%'}">${drawn}</div>` };
  }
}
