import { html, nothing } from 'lit';
import { formatNumber, formatWeight } from '../draw/number.js';
import { sortTerms } from './calculation.js';
import { shown } from './shown.js';
import { choice } from './switch.js';

/** √ of a number or a name, with its bar. */
export const root = (inside, name = inside) => html`<span class="root" role="img" aria-label=${`√${name}`}><svg viewBox="0 0 9 18" preserveAspectRatio="none" aria-hidden="true"><path d="M.5 10.8l2-1 2.6 7L8.7.6" /></svg><span aria-hidden="true">${inside}</span></span>`;

export const italic = (name, sub) => html`<i>${name}${sub === undefined ? nothing : html`<sub>${sub}</sub>`}</i>`;

/** The dot of a dot product; Chinese fonts draw it a whole character wide. */
export const dot = html`<span class="dot">·</span>`;

/** Brackets around a negative number that follows an operator. */
export const guardSign = (text) => (text.startsWith('−') ? `(${text})` : text);

// A finger that lifts leaves what it pointed at in sight.
const leaving = (point) => (event) => event.pointerType === 'mouse' && point(null);

/** Two buttons that take the whole calculation of the cell along: markdown() and latex() → texts; copy(text, what). */
export const copyCalculation = ({ markdown, latex, copy }, t) => html`<div class="takes">
  <button class="btn quiet" type="button" data-take="markdown" @click=${() => copy(markdown(), t.calc.takenMarkdown)}>${t.calc.takeMarkdown}</button>
  <button class="btn quiet" type="button" data-take="latex" @click=${() => copy(latex(), t.calc.takenLatex)}>${t.calc.takeLatex}</button>
</div>`;

/**
 * The D products of one cell as signed bars, and below them their running sum. term: the place of the bar pointed at, or null; point(place);
 * sorted: the largest in size first, as sort(sorted) asks for.
 */
export function termBars(calculation, t, { term, point, sorted = false, sort }) {
  const terms = sorted ? sortTerms(calculation.terms) : calculation.terms.map((entry, index) => ({ ...entry, index }));
  const values = terms.map((entry) => entry.product.value);
  const sums = terms.map((entry) => entry.sum.value);
  const high = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  const span = high - low || 1;
  const sumHigh = Math.max(0, ...sums);
  const sumLow = Math.min(0, ...sums);
  const sumSpan = sumHigh - sumLow || 1;
  const y = (sum) => ((sumHigh - sum) / sumSpan) * 100;
  const count = terms.length;
  let path = `M0 ${y(0)}`;
  sums.forEach((sum, i) => {
    path += `V${y(sum)}H${((i + 1) / count) * 100}`;
  });
  const signed = (x) => (x > 0 ? '+' : '') + formatNumber(x, 2);
  const chosen = term === null ? null : terms[term];
  const move = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const i = Math.floor(((event.clientX - box.left) / box.width) * count);
    point(i >= 0 && i < count ? i : null);
  };
  const leave = leaving(point);
  const up = values.filter((x) => x > 0).length;
  const down = values.filter((x) => x < 0).length;
  return html`<div class="sub"><strong>${t.calc.terms(count)} ${italic('q', 'i')} × ${italic('k', 'i')}</strong><span>${t.calc.signs}</span></div>
    ${choice({
      id: 'term-order',
      name: t.calc.order,
      value: sorted,
      options: [
        { value: false, name: t.calc.inOrder },
        { value: true, name: t.calc.bySize },
      ],
      change: sort,
    })}
    <div class="terms" role="img" aria-label=${t.calc.barsLabel(count, up, down, calculation.score.text)}>
      <div class="ylab" .style="--zero:${(high / span) * 100}%">
        ${high > 0 ? html`<span class="at-top">${signed(high)}</span>` : nothing}<span class="at-zero">0</span>${low < 0 ? html`<span class="at-end">${signed(low)}</span>` : nothing}
      </div>
      <div class="plot" .style="--zero:${(high / span) * 100}%" @pointermove=${move} @pointerdown=${move} @pointerleave=${leave}>
        ${values.map(
          (value, i) => html`<b class="${value < 0 ? 'neg' : 'pos'} ${term === i ? 'on' : ''}"><i .style="top:${((high - Math.max(value, 0)) / span) * 100}%;height:${(Math.abs(value) / span) * 100}%"></i></b>`,
        )}
      </div>
      <div class="ylab run-lab" .style="--zero:${y(0)}%">
        <span .style="top:${y(sums[count - 1])}%"><b>${calculation.score.text}</b></span>${Math.abs(y(0) - y(sums[count - 1])) > 22 ? html`<span class="at-zero">0</span>` : nothing}
      </div>
      <div class="run">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path class="area" d=${`${path}V${y(0)}z`} /><path class="zero" d=${`M0 ${y(0)}H100`} /><path class="line" d=${path} />
        </svg>
      </div>
      <div class="cap">
        ${chosen
          ? html`<span class="one">${chosen.index + 1}: ${chosen.q.text} × ${guardSign(chosen.k.text)} = <b class=${chosen.product.value < 0 ? 'neg' : 'pos'}>${chosen.product.text}</b></span><span>Σ ${chosen.sum.text}</span>`
          : sorted
            ? html`<span>${t.calc.largest(terms[0].index + 1)}</span><span>${t.calc.runningSorted}</span><span>${t.calc.smallest(terms[count - 1].index + 1)}</span>`
            : html`<span>${t.calc.first}</span><span>${t.calc.running}</span><span>${t.calc.last(count)}</span>`}
      </div>
    </div>`;
}

/** The calculation of one cell, one step a line, in the order of the formula. */
export function stepLines(calculation, t) {
  const { chosen, score, total, size, scale, subtract, maximum, visible } = calculation;
  const lines = [
    [t.calc.dot, html`${italic('q')}${dot}${italic('k')}<span class="words">${t.calc.dotHow(size)}</span>`, score.text],
    scale ? [t.calc.scale, html`${score.text} ÷ ${root(size)}`, chosen.scaled.text] : [t.calc.noScale, nothing, chosen.scaled.text],
  ];
  if (chosen.masked) {
    lines.push([t.calc.mask, html`<span class="words">${t.calc.maskHow}</span>`, '−∞'], [t.calc.exp, html`e<sup>−∞</sup>`, '0']);
  } else {
    if (subtract) lines.push([t.calc.max, html`${chosen.scaled.text} − ${guardSign(maximum.text)}`, chosen.shifted.text]);
    lines.push([t.calc.exp, html`e<sup>${chosen.shifted.text}</sup>`, chosen.exp.text]);
  }
  lines.push(
    [t.calc.sum, html`<span class="words">${t.calc.sumHow(visible)}</span>`, total.text],
    [t.calc.weight, html`${chosen.masked ? '0' : shown(chosen.exp.text)} ÷ ${shown(total.text)}`, chosen.masked ? '0' : chosen.weight.text],
  );
  return html`<ol class="steps">
      ${lines.map(
        ([what, how, value], i) => html`<li class=${i === lines.length - 1 ? 'last' : ''}>
          <span class="n" aria-hidden="true">${i + 1}</span><span class="what">${what}</span><span class="how">${how}</span><span class="value">${shown(value)}</span>
        </li>`,
      )}
    </ol>
    ${subtract && !chosen.masked ? html`<p class="hint">${t.calc.maxNote}</p>` : nothing}
    ${calculation.exact ? nothing : html`<p class="hint">${t.calc.inexact}</p>`}`;
}

/** All products of the cell as a table, folded. */
export function termTable(calculation, t, { sorted = false } = {}) {
  const terms = sorted ? sortTerms(calculation.terms) : calculation.terms.map((entry, index) => ({ ...entry, index }));
  return html`<details class="more">
    <summary>${t.calc.allTerms(calculation.size)}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label=${t.calc.allTerms(calculation.size)}>
      <table class="list">
        <thead>
          <tr><th scope="col">${t.calc.index}</th><th scope="col">${italic('q')}</th><th scope="col">${italic('k')}</th><th scope="col">${t.calc.product}</th><th scope="col">${t.calc.cumulative}</th></tr>
        </thead>
        <tbody>
          ${terms.map(
            (entry) => html`<tr>
              <th scope="row">${entry.index + 1}</th><td>${entry.q.text}</td><td>${entry.k.text}</td><td class=${entry.product.value < 0 ? 'neg' : 'pos'}>${entry.product.text}</td><td>${entry.sum.text}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

const mostRows = 64;

/** The exponentials that make the row's sum, folded; of a very long row the largest, and the sum of the others. */
export function rowTable(calculation, labels, t) {
  const { row, visible, subtract, total, column } = calculation;
  let listed = row.slice(0, visible).map((cell, i) => ({ cell, i }));
  let rest = 0;
  if (listed.length > mostRows) {
    listed.sort((a, b) => b.cell.exp.value - a.cell.exp.value);
    rest = listed.slice(mostRows).reduce((sum, { cell }) => sum + cell.exp.value, 0);
    listed = listed.slice(0, mostRows).sort((a, b) => a.i - b.i);
  }
  return html`<details class="more">
    <summary>${t.calc.allRow(visible)}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label=${t.calc.allRow(visible)}>
      <table class="list">
        <thead>
          <tr><th scope="col">${t.calc.token}</th><th scope="col">${t.calc.scaled}</th>${subtract ? html`<th scope="col">${t.calc.shifted}</th>` : nothing}<th scope="col">${t.calc.exp}</th></tr>
        </thead>
        <tbody>
          ${listed.map(
            ({ cell, i }) => html`<tr class=${i === column ? 'on' : ''}>
              <th scope="row">${labels[i]}</th><td>${cell.scaled.text}</td>${subtract ? html`<td>${cell.shifted.text}</td>` : nothing}<td>${shown(cell.exp.text)}</td>
            </tr>`,
          )}
          ${visible > mostRows ? html`<tr><th scope="row">${t.calc.rest(visible - mostRows)}</th><td></td>${subtract ? html`<td></td>` : nothing}<td>${shown(formatNumber(rest, 6))}</td></tr>` : nothing}
        </tbody>
        <tfoot>
          <tr><th scope="row">${t.calc.sum}</th><td></td>${subtract ? html`<td></td>` : nothing}<td>${shown(total.text)}</td></tr>
        </tfoot>
      </table>
    </div>
  </details>`;
}

/** D numbers as a strip of cells from blue over paper to orange; `largest` is the full colour. */
const strip = (numbers, largest, at) => html`<span class="strip" aria-hidden="true">
  ${Array.from(numbers, (x, i) => html`<i class="${x < 0 ? 'neg' : 'pos'} ${at === i ? 'on' : ''}" .style="--s:${largest > 0 ? Math.min(1, Math.abs(x) / largest).toFixed(3) : 0}"></i>`)}
</span>`;

/**
 * weight × value of one row, summed to z: a line for each key with its weight and its share of the D numbers, and the sum below.
 * made: from weightedValues; labels: names of all keys; column: the chosen key; entry: which of the D numbers is pointed at, or null.
 */
export function valueSum(made, { labels, query, column, entry, point }, t) {
  const { lines, rest, entries } = made;
  const largest = Math.max(made.largest, ...lines.flatMap((line) => line.parts.map(Math.abs)));
  const z = entries.map(({ z: whole }) => whole.value);
  const move = (event) => {
    const box = event.currentTarget.querySelector('.strip').getBoundingClientRect();
    const i = Math.floor(((event.clientX - box.left) / box.width) * z.length);
    point(i >= 0 && i < z.length ? i : null);
  };
  const leave = leaving(point);
  const key = labels[column];
  const chosen = lines.find((line) => line.key === column);
  return html`<section class="value-sum">
    <div class="sub"><strong>${t.calc.weighted(query)}</strong><span>${t.calc.weightedNote(z.length)}</span></div>
    <div class="strips" role="img" aria-label=${t.calc.stripsLabel(lines.length + (rest ? 1 : 0), z.length, query)} @pointermove=${move} @pointerdown=${move} @pointerleave=${leave}>
      ${lines.map(
        (line) => html`<div class=${line.key === column ? 'line chosen' : 'line'}>
          <span class="w">${shown(formatWeight(line.weight))} × ${italic('v')}</span><span class="tk">${labels[line.key]}</span>${strip(line.parts, largest, entry)}
        </div>`,
      )}
      ${rest ? html`<div class="line rest"><span class="w">${shown(formatWeight(rest.weight))}</span><span class="tk">${t.attention.rest(rest.keys)}</span>${strip(rest.parts, largest, entry)}</div>` : nothing}
      <div class="line total"><span class="w">${italic('z')}</span><span class="tk">${query}</span>${strip(z, largest, entry)}</div>
    </div>
    <p class="entry" aria-live="off">
      ${entry === null
        ? t.calc.pointStrip
        : html`<span>${t.calc.nth(entry + 1)}</span> <span class="nb">${chosen ? t.calc.adds(key) : nothing} ${entries[entry].share.text}</span> <span class="nb">+ ${t.calc.others} ${guardSign(entries[entry].rest.text)}</span> <span class="nb">= <b>${entries[entry].z.text}</b></span>`}
    </p>
    ${made.exact ? nothing : html`<p class="hint">${t.calc.inexact}</p>`}
    <details class="more">
      <summary>${t.calc.allEntries(z.length)}</summary>
      <div class="scroll" tabindex="0" role="group" aria-label=${t.calc.allEntries(z.length)}>
        <table class="list">
          <thead>
            <tr><th scope="col">${t.calc.index}</th><th scope="col">${t.calc.adds(key)}</th><th scope="col">${t.calc.others}</th><th scope="col">${italic('z')}</th></tr>
          </thead>
          <tbody>
            ${entries.map((one, i) => html`<tr><th scope="row">${i + 1}</th><td>${one.share.text}</td><td>${one.rest.text}</td><td>${one.z.text}</td></tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </section>`;
}
