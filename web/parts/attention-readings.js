// What glassbox-attention says beside its grids: what is pointed at, what differs between two texts, and where a row looks most.
import { html, nothing } from 'lit';
import { formatWeight } from '../draw/number.js';
import { masked } from './attention-shape.js';
import { largestAt } from './measure.js';
import { seenRow } from './rows.js';
import { shown } from './shown.js';
import { tokenMark } from './token-mark.js';

/**
 * The line under the grid that says a cell in words and digits, or how to point at one.
 * lit: the cell or null; other: the second text's shape, where both are drawn; reveal(): opens the cell's calculation.
 */
export function peekLine({ shape, lit, other, arcs, reveal }, t) {
  if (!lit || lit.row >= shape.size || lit.column >= shape.size) return html`<p class="peek quiet">${arcs ? t.attention.pointArcs : t.attention.point}</p>`;
  const { labels, weights, size } = shape;
  const value = masked(lit.row, lit.column) ? t.attention.masked : formatWeight(weights[lit.row * size + lit.column]);
  const second = other && lit.row < other.size && lit.column <= lit.row ? formatWeight(other.weights[lit.row * other.size + lit.column]) : null;
  return html`<button class="peek" type="button" @click=${reveal}>
    <span class="what">${t.attention.looks(labels[lit.row], labels[lit.column])}</span><b class="value">${shown(value)}</b>${second === null ? nothing : html`<span class="go">${t.attention.other} ${shown(second)}</span>`}<span class="go">${t.attention.open}</span>
  </button>`;
}

/** What the colours and signs of a grid mean; left: px before it. */
export const gridLegend = ({ left, marks = false }, t) => html`<div class="legend" .style="padding-left:${left}px">
  <span class="ramp"><span>0</span><i></i><span>1</span></span>
  <span class="key-m"><i class="m">·</i>${t.attention.maskedKey}</span>
  ${marks ? html`<span class="key-m"><span class="row-sign">=</span>${t.attention.sameRow}</span><span class="key-m"><span class="row-sign changed">≠</span>${t.attention.changedRow}</span>` : nothing}
</div>`;

/**
 * What differs between two texts in one head.
 * rows: as compareRows gives them; a, b: the shapes; chosen: the row of the chosen cell in the first text, or undefined.
 */
export function differenceSays({ rows, a, b, chosen }, t) {
  const words = t.attention;
  const same = rows.map((row, i) => (row.same ? i : -1)).filter((i) => i >= 0);
  const changed = rows.map((row, i) => (row.same ? -1 : i)).filter((i) => i >= 0);
  const name = (i) => (a.labels[i] === b.labels[i] ? a.labels[i] : `${a.labels[i]} / ${b.labels[i]}`);
  const about = (i) => (rows[i].same ? words.rowSame(name(i)) : words.rowChanged(name(i), formatWeight(rows[i].difference)));
  const most = changed.length ? changed.reduce((best, i) => (rows[i].difference > rows[best].difference ? i : best)) : null;
  const looked = (shape, i) => shape.labels[largestAt(seenRow(shape.weights, shape.size, i))];
  const list = (some) => (some.length > 6 ? words.someRows(some.slice(0, 5).map(name), some.length) : words.rowNames(some.map(name)));
  return html`<div class="says" role="status">
    ${chosen !== undefined && rows[chosen] ? html`<p class="about">${about(chosen)}</p>` : nothing}
    ${same.length ? html`<p>${words.sameRows(list(same), changed.length === 0)}</p>` : nothing}
    ${most === null ? nothing : html`<p>${words.changedRows(list(changed), name(most), looked(a, most), looked(b, most))}</p>`}
  </div>`;
}

/** The keys that one row looks at most, each to be chosen. lit: the cell pointed at or chosen, or null; listed: how many; choose(cell). */
export function rowRanking({ shape, lit, listed, choose }, t) {
  const { labels, parts, size } = shape;
  const at = Math.min(lit?.row ?? size - 1, size - 1);
  const weights = seenRow(shape.weights, size, at);
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a] || a - b);
  const top = order.slice(0, listed);
  const rest = order.slice(listed);
  const restSum = rest.reduce((sum, i) => sum + weights[i], 0);
  return html`<div class="ranking">
    <p class="subtitle">${t.attention.row(labels[at])}</p>
    <ol .style="--lines:${Math.min(listed, size) + (size > listed ? 1 : 0)}">
      ${top.map(
        (i) => html`<li class=${lit?.column === i ? 'on' : ''}>
          <button type="button" @click=${() => choose({ row: at, column: i })}>
            <span class="tk">${tokenMark(labels[i], parts[i])}<small>${i}</small></span><span class="bar"><i .style="--p:${weights[i].toFixed(4)}"></i></span><span class="value">${shown(formatWeight(weights[i]))}</span>
          </button>
        </li>`,
      )}
      ${rest.length ? html`<li class="rest"><span class="tk">${t.attention.rest(rest.length)}</span><span class="bar"><i .style="--p:${restSum.toFixed(4)}"></i></span><span class="value">${shown(formatWeight(restSum))}</span></li>` : nothing}
    </ol>
  </div>`;
}
