import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { largest, signedStrip } from '../draw/heads-figure.js';
import { tokenLabels } from '../draw/label.js';
import { formatNumber } from '../draw/number.js';
import { qkvFigure, uprightStrip } from '../draw/qkv-figure.js';
import { signedPixels } from '../draw/signed-pixels.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex } from '../parts/attributes.js';
import { dot, guardSign, italic } from '../parts/calc-panel.js';
import { withMath } from '../parts/inline-math.js';
import { ModelElement } from '../parts/model-element.js';
import { askProjection, colourLimit, dotProduct, partNames, shownEntry, vectorsAt } from '../parts/projection.js';
import { stepper } from '../parts/stepper.js';
import { choice } from '../parts/switch.js';
import { themeAt } from '../parts/theme-probe.js';
import { tokenRow } from '../parts/token-row.js';
import { chartStyle } from '../styles/chart.css.js';
import { headsStyle } from '../styles/heads.css.js';
import { qkvStyle } from '../styles/qkv.css.js';
import { widgetStyle } from '../styles/widget.css.js';

/**
 * From one token's vector by W_Q, W_K and W_V to one head's query, key and value, with the model's own matrices, and the dot product behind
 * each number.
 *
 * Attributes: `text`, `model`, `layer`, `head`, `position` (a token, from 0; the last by default), `part` ("q", "k" or "v"), `index` (which
 * number of it, from 0), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxQkv extends ModelElement {
  static properties = {
    layer: { reflect: true },
    head: { reflect: true },
    part: { reflect: true },
    index: { reflect: true },
    term: { state: true },
  };

  static styles = [widgetStyle, chartStyle, headsStyle, qkvStyle];
  static inputs = ['text', 'model', 'layer', 'head'];

  #made = null;
  #pressedAt = 0;

  constructor() {
    super();
    this.term = null;
  }

  get #part() {
    return partNames.includes(this.part) ? this.part : 'q';
  }

  get #index() {
    return clampIndex(this.index ?? 0, (this.result?.depth ?? 1) - 1).value;
  }

  async compute({ signal }) {
    const text = this.shownText;
    if (text === '') return { empty: true, config: this.result?.config ?? null };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model, config } = loaded;
    const layer = clampIndex(this.layer ?? 0, config.nLayer - 1);
    const head = clampIndex(this.head ?? 0, config.nHead - 1);
    const start = performance.now();
    const asked = await askProjection(sharedEngine(), text, { model, layer: layer.value, head: head.value });
    const notes = [];
    if (layer.clamped) notes.push({ kind: 'clampedLayer', values: [config.nLayer - 1], property: 'layer' });
    if (head.clamped) notes.push({ kind: 'clampedHead', values: [config.nHead - 1], property: 'head' });
    if (asked.dropped) notes.push({ kind: 'dropped', values: [asked.dropped, asked.tokens.length] });
    const [channels, depth] = asked.matrices.q.weight.shape;
    return {
      ...loaded,
      ...asked,
      ms: performance.now() - start,
      layer: layer.value,
      labels: tokenLabels(asked.tokens, asked.bytes),
      size: asked.tokens.length,
      limit: colourLimit(partNames.map((part) => asked.matrices[part].weight)),
      channels,
      depth,
      notes,
    };
  }

  accept(result) {
    super.accept(result);
    this.term = null;
    if (!result || result.empty) return;
    if (this.index !== null && this.index !== undefined) this.index = String(this.#index);
    if (this.part !== null && this.part !== undefined) this.part = this.#part;
  }

  /** The dot product of the chosen number, made once. */
  #calculation() {
    const { result } = this;
    const key = [this.at, this.#part, this.#index].join(' ');
    if (this.#made?.result !== result || this.#made.key !== key) {
      const vectors = vectorsAt(result, this.at);
      const part = this.#part;
      const { weight, bias } = result.matrices[part];
      const sum = dotProduct({ x: vectors.x, weight, bias, column: this.#index, exact: vectors[part][this.#index] });
      this.#made = { result, key, vectors, sum };
    }
    return this.#made;
  }

  exports() {
    const { result, t } = this;
    if (!result || result.empty) return null;
    const { vectors, sum } = this.#calculation();
    const part = this.#part;
    const index = this.#index;
    const { weight, bias } = result.matrices[part];
    const words = t.qkv;
    return {
      name: `qkv-l${result.layer}h${result.head}-t${this.at}-${part}${index}`,
      svg: (theme) =>
        qkvFigure({ vectors, matrices: result.matrices, limit: result.limit, parts: partNames, part, index, made: sum, words, title: this.#title(), sentence: this.#sentence(), note: this.sourceLine, theme, width: 960 }),
      table: () => {
        let total = 0;
        const rows = Array.from(vectors.x, (x, i) => {
          const w = weight.data[i * result.depth + index];
          total += x * w;
          return [i, x, w, x * w, total];
        });
        return { header: words.header, rows: [...rows, [words.bias, '', bias.data[index], bias.data[index], total + bias.data[index]]] };
      },
    };
  }

  #title() {
    const { result, t } = this;
    return t.qkv.titleAt(result.labels[this.at], result.layer, result.head);
  }

  #sentence() {
    const { result, t } = this;
    return t.qkv.sentence({ token: result.labels[this.at], layer: result.layer, head: result.head, channels: result.channels, depth: result.depth });
  }

  #choose(part, index) {
    this.part = part;
    this.index = String(Math.min(this.result.depth - 1, Math.max(0, index)));
    this.term = null;
  }

  updated(changed) {
    super.updated(changed);
    const probe = this.renderRoot.querySelector('.probe');
    if (!probe) return;
    const theme = themeAt(probe);
    for (const canvas of this.renderRoot.querySelectorAll('canvas')) this.#paint(canvas, theme);
  }

  #paint(canvas, theme) {
    const { matrices, limit } = this.result;
    const { shape: [rows, columns], data } = matrices[canvas.dataset.part].weight;
    if (canvas.shownData === data && canvas.shownTheme === theme) return;
    canvas.shownData = data;
    canvas.shownTheme = theme;
    canvas.width = columns;
    canvas.height = rows;
    canvas.getContext('2d').putImageData(new ImageData(signedPixels(data, limit, theme), columns, rows), 0, 0);
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.qkv;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${withMath(words.lead)}</p>
      </div>
      <div class="fig-ctl">
        ${this.renderText()}${this.renderStepper('layer', t.layer, (result?.config?.nLayer ?? 1) - 1)}${this.renderStepper('head', t.head, (result?.config?.nHead ?? 1) - 1)}${this.renderPrompts()}
      </div>
      ${this.renderNotes()}${this.renderBody(() => this.#renderProjection())}${result && !result.empty && this.shownText !== '' ? this.#renderPanel() : nothing}${this.renderModelFoot()}
    `;
  }

  #renderProjection() {
    const { result, t, inner } = this;
    const words = t.qkv;
    const { vectors } = this.#calculation();
    const { labels, channels, depth, limit } = result;
    const parts = inner >= 560 ? partNames : [this.#part];
    const left = 58;
    const gap = 28;
    const room = (inner - left - gap * (parts.length - 1)) / parts.length;
    const cell = Math.max(2, Math.min(11, Math.floor(room / depth)));
    const width = Math.min(room, cell * depth);
    const height = Math.min(320, channels * 2);
    const paint = painter(null);
    return html`
      ${tokenRow({
        id: 'tokens',
        name: words.token,
        labels,
        chosen: this.at,
        choose: (i) => {
          this.position = String(i);
        },
      })}
      <p class="says spaced" id="says" role="status">${withMath(this.#sentence())}</p>
      ${parts.length === 1
        ? html`<div class="spaced">${choice({
            id: 'part',
            name: words.which,
            value: this.#part,
            options: partNames.map((part) => ({ value: part, name: html`<i>${part}</i>` })),
            change: (part) => this.#choose(part, this.#index),
          })}</div>`
        : nothing}
      <div class="projection spaced" .style="column-gap:${gap}px">
        <div class="in" .style="width:${left - gap}px">
          <p class="over">${italic('x')}</p>
          <div role="img" aria-label=${words.inputLabel(labels[this.at], channels)}>${unsafeHTML(picture({ width: 22, height, body: uprightStrip({ values: vectors.x, width: 22, height, paint }), theme: null }))}</div>
          <p class="under">${channels}</p>
        </div>
        ${parts.map((part) => this.#renderMatrix(part, vectors[part], { width, height, paint }))}
      </div>
      <p class="hint">${words.colours(formatNumber(limit))} ${words.choose}</p>
      <i class="probe" @transitionend=${() => this.requestUpdate()}></i>
    `;
  }

  #renderMatrix(part, values, { width, height, paint }) {
    const { result, t } = this;
    const words = t.qkv;
    const { channels, depth } = result;
    const chosen = part === this.#part;
    const index = this.#index;
    const at = (event) => Math.floor(((event.clientX - event.currentTarget.getBoundingClientRect().left) / width) * depth);
    // A finger that only scrolls past chooses nothing: a tap does, and a move to the side.
    const press = (event) => {
      this.#pressedAt = event.clientX;
    };
    const drag = (event) => {
      if (event.buttons && Math.abs(event.clientX - this.#pressedAt) > 6) this.#choose(part, at(event));
    };
    const keys = (event) => {
      const next = { ArrowLeft: index - 1, ArrowDown: index - 1, ArrowRight: index + 1, ArrowUp: index + 1, Home: 0, End: depth - 1, PageDown: index - 8, PageUp: index + 8 }[event.key];
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#choose(part, next);
    };
    return html`<div class="matrix ${chosen ? 'on' : ''}" .style="width:${width}px">
      <p class="over">${withMath(words.matrix(part, channels, depth))}</p>
      <div class="area" @pointerdown=${press} @pointermove=${drag} @click=${(event) => this.#choose(part, at(event))}>
        <canvas data-part=${part} role="img" aria-label=${words.matrixLabel(part, channels, depth)} .style="width:${width}px;height:${height}px"></canvas>
        <div
          class="result"
          id=${`result-${part}`}
          role="slider"
          tabindex="0"
          aria-label=${words.output(part, depth)}
          aria-valuemin="0"
          aria-valuemax=${depth - 1}
          aria-valuenow=${index}
          aria-valuetext=${words.entry(part, index, shownEntry(values[index]))}
          @keydown=${keys}
        >${unsafeHTML(picture({ width, height: 28, body: signedStrip({ values, width, height: 28, limit: largest(values), paint }), theme: null }))}</div>
        ${chosen ? html`<i class="column" .style="left:${(index * width) / depth}px;width:${width / depth}px"></i>` : nothing}
      </div>
      <p class="under">${italic(part)}${words.count(depth)}</p>
    </div>`;
  }

  #renderPanel() {
    const { result, t } = this;
    const words = t.qkv;
    const { sum } = this.#calculation();
    const part = this.#part;
    const index = this.#index;
    const name = italic(part, index);
    const matrix = `W_${part.toUpperCase()}`;
    return html`<section class="calc" id="calc" role="group" aria-labelledby="calc-title">
      <div class="calc-head">
        <p class="calc-title" id="calc-title">${withMath(words.products(part, index, result.channels))}</p>
        <span class="big">${sum.value.text}</span>
      </div>
      <div class="calc-cols">
        <div>${this.#renderBars(sum)}</div>
        <div>
          ${stepper({ id: 'index', name: words.number(part), value: index, max: result.depth - 1, t, change: (next) => this.#choose(part, next) })}
          <ol class="steps spaced">
            <li><span class="n" aria-hidden="true">1</span><span class="what">${words.multiply}</span><span class="how">${italic('x', 'i')} × ${withMath(matrix)}<span class="words">${words.inColumn(index, result.channels)}</span></span><span class="value"></span></li>
            <li><span class="n" aria-hidden="true">2</span><span class="what">${words.sum}</span><span class="how">${italic('x')}${dot}${withMath(matrix)}<span class="words">${words.ofTerms(result.channels)}</span></span><span class="value" id="sum">${sum.sum.text}</span></li>
            <li><span class="n" aria-hidden="true">3</span><span class="what">${words.bias}</span><span class="how">${sum.sum.text} + ${guardSign(sum.bias.text)}</span><span class="value" id="bias">${sum.bias.text}</span></li>
            <li class="last"><span class="n" aria-hidden="true">4</span><span class="what">${name}</span><span class="how"><span class="words">${words.same}</span></span><span class="value" id="value">${sum.value.text}</span></li>
          </ol>
          ${sum.exact ? nothing : html`<p class="hint">${t.calc.inexact}</p>`}
        </div>
      </div>
      ${this.#renderTable(sum, part, index)}
    </section>`;
  }

  #renderBars(sum) {
    const { t } = this;
    const { terms } = sum;
    const values = terms.map((term) => term.product.value);
    const sums = terms.map((term) => term.sum.value);
    const range = (list) => [Math.max(0, ...list), Math.min(0, ...list)];
    const [high, low] = range(values);
    const [sumHigh, sumLow] = range(sums);
    const span = high - low || 1;
    const y = (value) => ((sumHigh - value) / (sumHigh - sumLow || 1)) * 100;
    const count = terms.length;
    const path = sums.reduce((line, value, i) => `${line}V${y(value).toFixed(2)}H${(((i + 1) / count) * 100).toFixed(2)}`, `M0 ${y(0).toFixed(2)}`);
    const move = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const i = Math.floor(((event.clientX - box.left) / box.width) * count);
      this.term = i >= 0 && i < count ? i : null;
    };
    const term = this.term === null ? null : terms[this.term];
    const signed = (x) => (x > 0 ? '+' : '') + formatNumber(x, 2);
    return html`<div class="sub"><strong>${t.calc.terms(count)} ${italic('x', 'i')} × ${italic('w', 'i')}</strong><span>${t.calc.signs}</span></div>
      <div class="terms" role="img" aria-label=${t.calc.barsLabel(count, values.filter((x) => x > 0).length, values.filter((x) => x < 0).length, sum.sum.text)}>
        <div class="ylab" .style="--zero:${(high / span) * 100}%">
          ${high > 0 ? html`<span class="at-top">${signed(high)}</span>` : nothing}<span class="at-zero">0</span>${low < 0 ? html`<span class="at-end">${signed(low)}</span>` : nothing}
        </div>
        <div
          class="plot ${count > 64 ? 'dense' : ''}"
          .style="--zero:${(high / span) * 100}%"
          @pointermove=${move}
          @pointerdown=${move}
          @pointerleave=${() => {
            this.term = null;
          }}
        >
          ${values.map((value, i) => html`<b class="${value < 0 ? 'neg' : 'pos'} ${this.term === i ? 'on' : ''}"><i .style="top:${((high - Math.max(value, 0)) / span) * 100}%;height:${(Math.abs(value) / span) * 100}%"></i></b>`)}
        </div>
        <div class="ylab run-lab" .style="--zero:${y(0)}%">
          <span .style="top:${y(sums[count - 1])}%"><b>${formatNumber(sums[count - 1])}</b></span>${Math.abs(y(0) - y(sums[count - 1])) > 22 ? html`<span class="at-zero">0</span>` : nothing}
        </div>
        <div class="run">
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><path class="area" d=${`${path}V${y(0)}z`} /><path class="zero" d=${`M0 ${y(0)}H100`} /><path class="line" d=${path} /></svg>
        </div>
        <div class="cap">
          ${term
            ? html`<span class="one">${this.term}: ${term.x.text} × ${guardSign(term.w.text)} = <b class=${term.product.value < 0 ? 'neg' : 'pos'}>${term.product.text}</b></span><span>Σ ${term.sum.text}</span>`
            : html`<span>${t.qkv.first}</span><span>${t.calc.running}</span><span>${t.qkv.last(count - 1)}</span>`}
        </div>
      </div>`;
  }

  #renderTable(sum, part, index) {
    const { t } = this;
    const { terms } = sum;
    return html`<details class="more">
      <summary>${t.calc.allTerms(terms.length)}</summary>
      <div class="scroll" tabindex="0" role="group" aria-label=${t.calc.allTerms(terms.length)}>
        <table class="list">
          <thead>
            <tr><th scope="col">${italic('i')}</th><th scope="col">${italic('x', 'i')}</th><th scope="col">${italic('w', 'i')}</th><th scope="col">${t.calc.product}</th><th scope="col">${t.calc.cumulative}</th></tr>
          </thead>
          <tbody>
            ${terms.map((term, i) => html`<tr><th scope="row">${i}</th><td>${term.x.text}</td><td>${term.w.text}</td><td class=${term.product.value < 0 ? 'neg' : 'pos'}>${term.product.text}</td><td>${term.sum.text}</td></tr>`)}
          </tbody>
          <tfoot>
            <tr><th scope="row">${t.qkv.bias}</th><td></td><td></td><td>${sum.bias.text}</td><td></td></tr>
            <tr><th scope="row">${italic(part, index)}</th><td></td><td></td><td></td><td>${sum.value.text}</td></tr>
          </tfoot>
        </table>
      </div>
    </details>`;
  }
}
