// What the model in training looks at: the attention grid of a little of its text.
import { html } from 'lit';
import { heatmapGeometry } from '../draw/heatmap.js';
import { grouped } from '../draw/large-number.js';
import { formatWeight } from '../draw/number.js';
import { clampIndex } from './attributes.js';
import { GridView } from './grid.js';
import { stepper } from './stepper.js';

const masked = (row, column) => column > row;

/** A Lit controller for a widget with `layer` and `head`; the cell that is looked at is its own. */
export class TrainingGrid {
  #host;
  #cell = null;
  #grid;

  constructor(host) {
    this.#host = host;
    this.#grid = new GridView(host, { select: (cell) => this.#look(cell), close: () => this.#look(null) });
  }

  #look(cell) {
    this.#cell = cell;
    this.#host.requestUpdate();
  }

  /** look: of a TrainingRun; room: px. */
  render(look, room) {
    const host = this.#host;
    const { t } = host;
    const words = t.trainer;
    const { attention } = t;
    const layer = clampIndex(host.layer ?? 0, look.layers.length - 1).value;
    const { shape, data } = look.layers[layer];
    const [heads, size] = shape;
    const head = clampIndex(host.head ?? 0, heads - 1).value;
    const weights = data.subarray(head * size * size, (head + 1) * size * size);
    const selected = this.#cell && this.#cell.row < size && this.#cell.column < size ? this.#cell : null;
    const lit = this.#grid.hover ?? selected;
    const value = lit && (masked(lit.row, lit.column) ? attention.masked : formatWeight(weights[lit.row * size + lit.column]));
    return html`<div class="look" role="group" aria-labelledby="look-title">
      <p class="subtitle" id="look-title">${words.look}</p>
      <p class="hint">${words.lookHow(grouped(look.step))}</p>
      <div class="knobs">
        ${stepper({ id: 'layer', name: t.layer, value: layer, max: look.layers.length - 1, t, change: (n) => (host.layer = String(n)) })}
        ${stepper({ id: 'head', name: t.head, value: head, max: heads - 1, t, change: (n) => (host.head = String(n)) })}
      </div>
      <div class="scroll-x">${this.#grid.render({
        id: 'grid',
        labels: look.labels,
        weights,
        masked,
        geometry: heatmapGeometry({ labels: look.labels, width: room, maxCell: 34 }),
        selected,
        canvas: false,
        t: { label: words.gridName(layer, head, look.step), corner: attention.corner, masked: attention.masked },
      })}</div>
      <p class="hint peek-line" id="peek">${lit ? `${attention.looks(look.labels[lit.row], look.labels[lit.column])} ${value}` : words.pointGrid}</p>
    </div>`;
  }
}
