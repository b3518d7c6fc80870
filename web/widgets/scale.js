import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { axisLimit, curveShapes, histogramShapes, measures, mostGradient, scaleFigure, scaleSentence } from '../draw/scale-figure.js';
import { formatNumber } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { GlassboxElement } from '../parts/element.js';
import { withMath } from '../parts/inline-math.js';
import { experiments, keys, mostPower, nearestWidth, readSeed, rows } from '../parts/scale-experiment.js';
import { slider } from '../parts/slider.js';
import { chartStyle } from '../styles/chart.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const examples = [4, 64, 1024];

/**
 * Why scores are divided by √d: random queries and keys of d numbers, their scores as they are and divided.
 *
 * Attributes: `d` (a power of two from 1 to 1024), `seed` (whole number from 0), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxScale extends GlassboxElement {
  static properties = {
    d: { reflect: true },
    seed: { reflect: true },
    changed: { state: true },
  };

  static styles = [widgetStyle, chartStyle];
  static inputs = ['seed'];

  constructor() {
    super();
    this.changed = false;
  }

  willUpdate(properties) {
    if (!properties.has('d') || this.d === null || this.d === undefined) return;
    const { value, changed } = nearestWidth(this.d);
    if (String(value) !== String(this.d)) {
      this.changed = changed;
      this.d = String(value);
    }
  }

  get #width() {
    return nearestWidth(this.d).value;
  }

  async compute() {
    const seed = readSeed(this.seed);
    const runs = await experiments(sharedEngine(), seed);
    return { seed, runs, limit: axisLimit(runs) };
  }

  accept({ seed }) {
    if (this.seed !== null && this.seed !== undefined) this.seed = String(seed);
  }

  #choose(d) {
    this.changed = false;
    this.d = String(d);
  }

  reset() {
    this.changed = false;
    super.reset();
  }

  exports() {
    if (!this.result) return null;
    const { runs, seed } = this.result;
    const d = this.#width;
    const words = this.t.scale;
    const numbers = (side) => [side.deviation, side.entropy, side.largestWeight, side.gradient];
    return {
      name: `scale-d${d}-seed${seed}`,
      svg: (theme) => scaleFigure({ runs, d, keys, words, note: words.source(rows, keys, seed), theme }),
      table: () => ({ header: words.header, rows: runs.map((run) => [run.d, ...numbers(run.raw), ...numbers(run.scaled)]) }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.scale;
    const d = this.#width;
    const seed = readSeed(this.seed);
    return html`
      <div class="fig-head">
        <p class="title" id="title">${withMath(words.title)}</p>
        <p class="lead">${words.lead(rows, keys)}</p>
      </div>
      <div class="fig-ctl">
        ${slider({
          id: 'd',
          name: words.d,
          value: Math.log2(d),
          max: mostPower,
          text: `d = ${formatNumber(d)}`,
          stops: ['1', formatNumber(2 ** mostPower)],
          change: (power) => this.#choose(2 ** power),
        })}
        <div class="field">
          <span class="label" aria-live="polite">${words.seed(seed)}</span>
          <button class="btn" id="again" type="button" @click=${() => {
            this.seed = String(seed >= Number.MAX_SAFE_INTEGER ? 0 : seed + 1);
          }}>${words.again}</button>
        </div>
        <div class="prompts">
          <span class="label" id="try">${t.try}</span>
          <div role="group" aria-labelledby="try">
            ${examples.map(
              (example) => html`<button class="btn quiet" type="button" aria-pressed=${example === d ? 'true' : 'false'} @click=${() => this.#choose(example)}>${words.example(formatNumber(example), example === 64)}</button>`,
            )}
          </div>
        </div>
      </div>
      ${this.changed ? html`<div class="notes" role="status"><p>${words.nearest(formatNumber(2 ** mostPower), formatNumber(d))}</p></div>` : nothing}
      <div class="fig-body">${this.renderError()}${result ? this.#renderBody(result, d, words) : this.error ? nothing : html`<div class="empty wait"></div>`}</div>
      ${this.renderFoot({ facts: [words.source(rows, keys, seed)] })}
    `;
  }

  #renderBody(result, d, words) {
    const run = result.runs.find((one) => one.d === d);
    const inner = Math.max(240, (this.width || 640) - (this.width < 600 ? 24 : 48) - 2);
    const half = this.width < 602 ? inner : (inner - 32) / 2;
    const paint = painter(null);
    const drawing = (height, body) => unsafeHTML(picture({ width: half, height, body, theme: null }));
    const side = (name) => html`<div role="group" aria-labelledby=${`${name}-title`} id=${name}>
      <p class="subtitle ${name === 'scaled' ? 'accented' : ''}" id=${`${name}-title`}>${withMath(words[name])}</p>
      <p class="caption">${words.deviationIs(formatNumber(run[name].deviation))}</p>
      <div role="img" aria-label=${words.histogram(words[name], formatNumber(run[name].deviation))}>
        ${drawing(150, histogramShapes({ side: run[name], limit: result.limit, width: half, height: 150, fill: name === 'raw' ? 'ink-3' : 'accent', paint }))}
      </div>
      <div class="measures">
        ${measures(run[name], keys, words).map(
          (one) => html`<div>
            <p class="top"><span>${one.name}</span><span class="of">${one.of}</span><span class="value">${one.text}</span></p>
            <div class="bar"><i class=${name === 'raw' ? 'gray' : ''} .style="--p:${(one.value / one.most).toFixed(4)}"></i></div>
          </div>`,
        )}
      </div>
    </div>`;
    const names = { raw: words.raw, scaled: words.scaledShort };
    const curve = (title, options) => html`<div>
      <p class="caption">${title}</p>
      <div class="curves" @click=${(event) => this.#pick(event)}>${drawing(170, curveShapes({ runs: result.runs, d, width: half, height: 170, names, paint, ...options }))}</div>
    </div>`;
    return html`<p class="says" id="says" role="status">${withMath(scaleSentence(run, keys, words))}</p>
      <div class="pair spaced">${side('raw')}${side('scaled')}</div>
      <p class="hint">${words.histogramNote}</p>
      <div class="pair spaced" role="img" aria-label=${words.curvesLabel(formatNumber(result.runs[0].raw.deviation), formatNumber(result.runs[mostPower].raw.deviation))}>
        ${curve(words.deviationOver, { value: (one) => one.deviation, log: true })}
        ${curve(words.gradientOver, { value: (one) => one.gradient, most: mostGradient(keys) })}
      </div>`;
  }

  /** A click on a curve takes the width it is nearest to: the labels of the axis are as far apart as the widths. */
  #pick(event) {
    const dots = [...event.currentTarget.querySelectorAll('circle')].slice(0, mostPower + 1);
    const distance = (dot) => {
      const { left, right } = dot.getBoundingClientRect();
      return Math.abs((left + right) / 2 - event.clientX);
    };
    const nearest = dots.reduce((best, dot, i) => (distance(dot) < distance(dots[best]) ? i : best), 0);
    this.#choose(2 ** nearest);
  }
}
