import { html } from 'lit';
import { formatFixed, formatWeight } from '../draw/number.js';
import { AtlasView } from './atlas.js';
import { masked } from './attention-shape.js';
import { headOf } from './attention-trace.js';
import { headRow as rowOf, largestAt } from './measure.js';
import { Memo } from './memo.js';
import { entropyOf, rowDifference } from './rows.js';

const thumb = 82; // px of a head's small picture with its gap
const orders = ['place', 'cell', 'entropy', 'difference'];

/**
 * All heads whose weights are there, in an order → what AtlasView shows of them.
 * side, other: the text that the cell is in and the second one or null, as AttentionTrace reads them; first: whether `side` is the first text; row, column: of the cell, column null
 * where there is none; sort: one of `orders`.
 */
export function sortedHeads({ side, other, first, row, column, sort, config: { nLayer, nHead } }, words) {
  const list = [];
  for (let layer = 0; layer < nLayer; layer++) {
    if (!side.all[layer] || (other && !other.all[layer])) continue;
    for (let head = 0; head < nHead; head++) {
      const looks = rowOf(side.all[layer], head, row).subarray(0, row + 1);
      const most = largestAt(looks);
      const one = { layer, head, pictures: [{ size: side.size, weights: headOf(side.all[layer], head) }], most: side.labels[most], note: '', order: layer * nHead + head };
      one.label = words.thumb(layer, head, side.labels[row], one.most, formatWeight(looks[most]));
      const there = other && row < other.size ? rowOf(other.all[layer], head, row).subarray(0, row + 1) : [];
      if (other) {
        one.pictures.push({ size: other.size, weights: headOf(other.all[layer], head) });
        if (!first) one.pictures.reverse();
        if (there.length) {
          const second = largestAt(there);
          one.label += `; ${words.other} ${words.thumbOther(other.labels[second], formatWeight(there[second]))}`;
          if (other.labels[second] !== one.most) one.most = first ? `${one.most} → ${other.labels[second]}` : `${other.labels[second]} → ${one.most}`;
        }
      }
      if (sort === 'cell') [one.order, one.note] = [-looks[column], formatWeight(looks[column])];
      if (sort === 'entropy') [one.order, one.note] = [entropyOf(looks), formatFixed(entropyOf(looks), 2)];
      if (sort === 'difference') {
        const difference = rowDifference(looks, there);
        [one.order, one.note] = [-difference, formatWeight(difference)];
      }
      list.push(one);
    }
  }
  return list.sort((a, b) => a.order - b.order || a.layer - b.layer || a.head - b.head);
}

/** All heads as small pictures with their order to choose: choose({ layer, head }), sortBy(one of the orders, or null for that of their places). */
export class AttentionAtlas {
  #view;
  #sortBy;
  #memo = new Memo();

  constructor(host, { choose, sortBy }) {
    this.#view = new AtlasView(host, { choose });
    this.#sortBy = sortBy;
  }

  /** px that it takes beside a grid. */
  static width({ nHead }) {
    return Math.min(420, nHead * thumb + 40);
  }

  /** side, other, first: as for sortedHeads; cell: the chosen one or null; sort: the wished order, which may not be possible; chosen: { layer, head }. */
  render({ side, other, first, cell, sort: wished, chosen, config }, t) {
    const words = t.attention;
    const { nHead, nLayer } = config;
    const row = cell?.row ?? side.size - 1;
    const column = cell && !masked(cell.row, cell.column) ? cell.column : null;
    const possible = orders.filter((order) => (order === 'cell' ? column !== null : order === 'difference' ? other : true));
    const sort = possible.includes(wished) ? wished : 'place';
    const heads = this.#memo.keep('heads', [side.all, other?.all, row, column, sort, t], () => sortedHeads({ side, other, first, row, column, sort, config }, words));
    const names = this.#memo.keep('names', [words, sort, side.labels[row], heads.length, chosen.layer], () => ({
      title: heads.length === nLayer * nHead ? words.atlas(heads.length) : words.atlasOne(chosen.layer, heads.length),
      hint: words.atlasHint(side.labels[row], sort),
      layer: words.layerShort,
      head: words.headShort,
    }));
    return this.#view.render({
      heads,
      columns: nHead,
      byPlace: sort === 'place',
      chosen,
      t: names,
      controls: html`<label class="sort"><span class="label">${words.sort}</span>
        <select @change=${(event) => this.#sortBy(event.target.value === 'place' ? null : event.target.value)}>
          ${possible.map((order) => html`<option value=${order} ?selected=${order === sort}>${words.sorts[order]}</option>`)}
        </select></label>`,
    });
  }
}
