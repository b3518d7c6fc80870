import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { strongColour } from '../draw/cosine.js';
import { tokenLabel, tokenLabels } from '../draw/label.js';
import { formatFixed, formatNumber, formatPercent } from '../draw/number.js';
import { groupFills, parametersFigure, termsText } from '../draw/parameters-figure.js';
import { alongShapes, geluFrame, geluShapes, jointStrip, mlpFigure, normFigure, normParts, pipelineFigure, spreadLimit, spreadShapes, streamShapes } from '../draw/pipeline-figure.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex } from '../parts/attributes.js';
import { withMath } from '../parts/inline-math.js';
import { ModelElement } from '../parts/model-element.js';
import { countParameters, formatSizes, gpt2Sizes, mostSize, parameterGroups, parseSize, parseSizes, sizeNames, sizesOf } from '../parts/parameters.js';
import { activationOf, askPipeline, firstJoints, joints, lastJoints, layerJoints, momentsOf, neuronsAt, normAt, normInput, normNames, pipelineViews, rowAt, streamAt } from '../parts/pipeline.js';
import { mlpSentence, normSentence, still, streamSentence } from '../parts/pipeline-sentences.js';
import { shown } from '../parts/shown.js';
import { SignedGrid } from '../parts/signed-grid.js';
import { choice } from '../parts/switch.js';
import { tokenRow } from '../parts/token-row.js';
import { chartStyle } from '../styles/chart.css.js';
import { headsStyle } from '../styles/heads.css.js';
import { transformerStyle } from '../styles/transformer.css.js';
import { vectorsStyle } from '../styles/vectors.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const topNeurons = 6;
const strongest = ['resid_in', 'resid_mid', 'resid_out'];

/**
 * The whole model with the numbers of the reader's text at every joint; LayerNorm before and after; the MLP's neurons on the GELU curve; and a counter of parameters.
 *
 * Attributes: `view` ("pipeline", "norm", "mlp" or "parameters"), `text`, `model`, `position` (a token from 0, the last by default), `layer` (the one that is open, from 0), `joint` (the one whose tensor is
 * shown: a name of parts/pipeline.js), `norm` ("ln_1", "ln_2" or "ln_f"), `neuron`, `sizes` (of the counter: "layers width vocabulary context", or "model" for the model's own), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxTransformer extends ModelElement {
  static properties = {
    view: { reflect: true },
    layer: { reflect: true },
    joint: { reflect: true },
    norm: { reflect: true },
    neuron: { reflect: true },
    sizes: { reflect: true },
    badSize: { state: true },
  };

  static styles = [widgetStyle, chartStyle, headsStyle, vectorsStyle, transformerStyle];
  static inputs = ['text', 'model', 'layer'];

  #grid = new SignedGrid(this);

  constructor() {
    super();
    this.badSize = null;
  }

  get prompts() {
    return this.t.transformer.prompts;
  }

  get #view() {
    return pipelineViews.includes(this.view) ? this.view : pipelineViews[0];
  }

  get #norm() {
    return normNames.includes(this.norm) ? this.norm : normNames[0];
  }

  get #joint() {
    return joints.includes(this.joint) ? this.joint : null;
  }

  async compute({ signal }) {
    const text = this.shownText;
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    if (text === '') return { ...loaded, empty: true };
    const { model, config } = loaded;
    const layer = clampIndex(this.layer ?? 0, config.nLayer - 1);
    const start = performance.now();
    const asked = await askPipeline(sharedEngine(), text, { model, config, layer: layer.value });
    const notes = [];
    if (layer.clamped) notes.push({ kind: 'clampedLayer', values: [config.nLayer - 1], property: 'layer' });
    if (asked.dropped) notes.push({ kind: 'dropped', values: [asked.dropped, asked.tokens.length] });
    const guess = asked.guess.map(({ token, bytes, p }) => ({ label: tokenLabel(token, bytes), p }));
    return { ...loaded, ...asked, guess, layer: layer.value, ms: performance.now() - start, labels: tokenLabels(asked.tokens, asked.bytes), size: asked.tokens.length, notes };
  }

  accept(result) {
    super.accept(result);
    this.#grid.cell = null;
  }

  renderNotes() {
    if (!this.notes.length || this.#view === 'parameters') return nothing;
    const { t } = this;
    return html`<div class="notes" role="status">${this.notes.map(({ kind, values }) => html`<p>${kind === 'dropped' ? t.switches.droppedOld(values[0]) : t[kind](...values)}</p>`)}</div>`;
  }

  /** What the counter counts → { sizes, name, bad }. */
  get #counted() {
    const { t, result } = this;
    const words = t.transformer;
    if (this.sizes === 'model' && result?.config) return { sizes: sizesOf(result.config), name: t.model(result.model), bad: false };
    const given = this.sizes ? parseSizes(this.sizes) : null;
    const sizes = given ?? gpt2Sizes[0];
    const known = gpt2Sizes.find((one) => formatSizes(one) === formatSizes(sizes));
    return { sizes, name: known?.name ?? words.own, bad: Boolean(this.sizes) && this.sizes !== 'model' && !given };
  }

  #stations() {
    const { activations, config } = this.result;
    return streamAt(activations, config.nLayer, this.at);
  }

  #normView() {
    const { activations, config, layer } = this.result;
    return normAt(activations, { norm: this.#norm, layer, layers: config.nLayer, epsilon: config.layerNormEpsilon, position: this.at });
  }

  #mlpView() {
    const { activations, layer } = this.result;
    return neuronsAt(activations, { layer, position: this.at, count: topNeurons });
  }

  #neuronOf(view) {
    const given = this.neuron;
    if (given === null || given === undefined || given === '') return view.top[0].neuron;
    return clampIndex(given, view.pre.length - 1).value;
  }

  exports() {
    const { result, t } = this;
    const words = t.transformer;
    const view = this.#view;
    if (view === 'parameters') {
      if (!result) return null;
      const { sizes, name } = this.#counted;
      const counted = countParameters(sizes);
      return {
        name: 'parameters',
        svg: (theme) => parametersFigure({ counted, groups: parameterGroups(counted), name, words, note: words.sizeNote, theme }),
        table: () => ({ header: words.exportPart, rows: [...counted.rows.map(({ part, each, times, count }) => [words.parts[part], each, times, count]), [words.total, '', '', counted.total]] }),
      };
    }
    if (!result || result.empty) return null;
    const { labels, layer, config, activations } = result;
    const position = this.at;
    const token = labels[position];
    const note = this.sourceLine;
    if (view === 'norm') {
      const made = this.#normView();
      return {
        name: `layernorm-${this.#norm}-l${layer}-t${position}`,
        svg: (theme) => normFigure({ view: made, sentence: normSentence(made, words), name: words.normName(this.#norm, layer, token), words, note, theme, width: 940 }),
        table: () => ({ header: words.headers.norm, rows: normParts.flatMap((part) => Array.from(made[part].values, (x, i) => [words.normParts[part], i, x])) }),
      };
    }
    if (view === 'mlp') {
      const made = this.#mlpView();
      return {
        name: `mlp-l${layer}-t${position}`,
        svg: (theme) => mlpFigure({ view: made, position, neuron: this.#neuronOf(made), sentence: mlpSentence(made, { token, layer }, words), words, note, theme, width: 940 }),
        table: () => ({ header: words.headers.mlp, rows: Array.from(made.pre, (x, i) => [i, x, made.act[i]]) }),
      };
    }
    const stations = this.#stations();
    const names = [...firstJoints, ...layerJoints, 'ln_f'];
    return {
      name: `transformer-l${layer}-t${position}`,
      svg: (theme) => pipelineFigure({ asked: result, config, layer, position, label: token, stations, sentence: streamSentence(stations, token, words), words, note, theme, width: 940 }),
      table: () => ({
        header: words.headers.pipeline,
        rows: names.map((joint) => activationOf(joint, layer)).flatMap((name) => Array.from(rowAt(activations[name], position), (x, i) => [name, token, i, x])),
      }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.transformer;
    const view = this.#view;
    const counter = view === 'parameters';
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.titles[view]}</p>
        <p class="lead">${words.leads[view]}</p>
      </div>
      <div class="fig-ctl">
        <div class="many">${choice({
          id: 'view',
          name: words.view,
          value: view,
          options: pipelineViews.map((value) => ({ value, name: words.views[value] })),
          change: (value) => {
            this.view = value;
          },
        })}</div>
        ${counter ? nothing : html`${this.renderText()}${view === 'norm' && this.#norm === 'ln_f' ? nothing : this.renderStepper('layer', t.layer, (result?.config?.nLayer ?? 1) - 1)}${this.renderPrompts()}`}
      </div>
      ${this.renderNotes()}
      ${counter ? html`<div class="fig-body">${this.renderError()}${this.#renderCounter()}</div>` : html`<div class="fig-body">${this.renderError()}${this.#renderText()}</div>`}
      ${counter ? this.renderFoot({ facts: this.sizes === 'model' ? this.sourceFacts(result ? { model: result.model, hash: result.hash } : {}) : [] }) : this.renderModelFoot()}
    `;
  }

  #renderText() {
    const { result, t } = this;
    const words = t.transformer;
    if (this.shownText === '') return html`<div class="empty"><p>${words.empty}</p></div>`;
    if (!result || result.empty) return this.error ? nothing : html`<div class="empty wait"></div>`;
    const view = this.#view;
    return html`
      ${tokenRow({
        id: 'tokens',
        name: words.from,
        labels: result.labels,
        chosen: this.at,
        choose: (i) => {
          this.position = String(i);
        },
      })}
      ${view === 'norm' ? this.#renderNorm() : view === 'mlp' ? this.#renderMlp() : this.#renderPipeline()}
    `;
  }

  // ---- all of it ----

  #renderPipeline() {
    const { result, t, inner } = this;
    const words = t.transformer;
    const { config, layer, labels } = result;
    const stations = this.#stations();
    const token = labels[this.at];
    const height = inner < 500 ? 130 : 160;
    return html`
      <p class="says spaced" id="says" role="status">${streamSentence(stations, token, words)}</p>
      <div class="tf-stream" role="img" aria-label=${words.streamLabel(formatNumber(stations[0].length), formatNumber(stations.at(-1).length))}>
        ${unsafeHTML(picture({ width: inner, height, body: streamShapes({ stations, layer, width: inner, height, words, paint: painter(null) }), theme: null }))}
      </div>
      <p class="hint">${words.streamKey}</p>
      <div class="tf-list" id="joints">
        <p class="tf-stage">${words.start}</p>
        ${firstJoints.map((joint) => this.#renderJoint(joint))}
        ${Array.from({ length: config.nLayer }, (_, one) => {
          const open = one === layer;
          return html`<button class="tf-stage tf-open" type="button" data-layer=${one} aria-expanded=${open ? 'true' : 'false'} @click=${() => (this.layer = String(one))}>
              <span class="tf-name">${words.layerName(one)}</span>
              ${open ? nothing : html`<span class="tf-strip">${this.#strip(rowAt(result.activations[activationOf('resid_out', one)], this.at))}</span><span class="tf-length">${shown(formatNumber(stations[2 + 2 * one].length))}</span>`}
            </button>
            ${open ? layerJoints.map((joint) => this.#renderJoint(joint)) : nothing}`;
        })}
        <p class="tf-stage">${words.end}</p>
        ${lastJoints.map((joint) => this.#renderJoint(joint))}
      </div>
      <p class="tf-guess" id="guess">${words.guesses(
        labels.at(-1),
        result.guess.map(({ label, p }) => [label, formatPercent(p)]),
      )}</p>
    `;
  }

  #strip(values) {
    const { inner } = this;
    const width = inner >= 560 ? inner - 196 - 64 - 16 : inner - 16;
    const { height, body } = jointStrip({ values, width, paint: painter(null) });
    return unsafeHTML(picture({ width, height, body, theme: null }));
  }

  #renderJoint(joint) {
    const { result, t } = this;
    const words = t.transformer;
    const { activations, layer, size } = result;
    const tensor = activations[activationOf(joint, layer)];
    const isPart = tensor.shape[0] < size; // logits of the last token only
    const values = rowAt(tensor, isPart ? 0 : this.at);
    const length = formatNumber(momentsOf(values).length);
    const open = this.#joint === joint;
    return html`<div class="tf-joint ${strongest.includes(joint) ? 'stream' : ''}">
      <button
        type="button"
        data-joint=${joint}
        aria-expanded=${open ? 'true' : 'false'}
        @click=${() => {
          this.#grid.cell = null;
          this.joint = open ? null : joint;
        }}
      >
        <span class="tf-name">${words.joints[joint]}<span class="vh"> ${words.row(values.length)}</span></span>
        <span class="tf-strip">${this.#strip(values)}</span>
        <span class="tf-length">${shown(length)}</span>
      </button>
      ${open ? this.#renderTensor(joint, tensor, isPart) : nothing}
    </div>`;
  }

  #renderTensor(joint, tensor, isPart) {
    const { result, t, inner } = this;
    const words = t.transformer;
    const [rows, columns] = tensor.shape;
    const labels = isPart ? [result.labels.at(-1)] : result.labels;
    const left = Math.min(80, inner * 0.22);
    const cellHeight = Math.max(2, Math.min(20, 400 / rows));
    const limit = strongColour(tensor.data);
    const say = ({ row, column }) => words.number(labels[row], column, formatNumber(tensor.data[row * columns + column]));
    return html`<div class="tf-tensor">
      <p class="caption">${this.t.sentences([words.about[joint], words.shape(rows, columns), isPart && words.logitsLast])}</p>
      ${this.#grid.render({
        id: 'tensor',
        rows,
        columns,
        data: tensor.data,
        limit,
        left,
        top: 20,
        cellWidth: (inner - 16 - left) / columns,
        cellHeight,
        decimals: 0,
        rowLabels: labels,
        columnLabels: null,
        label: words.heat(words.joints[joint], rows, columns),
        role: words.role,
        help: words.help,
        say,
      })}
      <p class="readout" id="number">${this.#grid.cell ? html`<b>${say(this.#grid.cell)}</b>` : words.point} ${words.colours(formatNumber(limit))}</p>
    </div>`;
  }

  // ---- LayerNorm ----

  #renderNorm() {
    const { result, t, inner } = this;
    const words = t.transformer;
    const { layer, labels, activations, config } = result;
    const view = this.#normView();
    const wide = inner >= 640;
    const width = wide ? Math.floor((inner - 2 * 24) / 3) : inner;
    const limit = spreadLimit(view);
    const input = activations[normInput(this.#norm, layer, config.nLayer)];
    const output = activations[activationOf(this.#norm, layer)];
    return html`
      <div class="many spaced">${choice({
        id: 'norm',
        name: words.norm,
        value: this.#norm,
        options: normNames.map((value) => ({ value, name: words.norms[value] })),
        change: (value) => {
          this.norm = value;
        },
      })}</div>
      <p class="says spaced" id="says" role="status">${normSentence(view, words)}</p>
      <div class="tf-norms ${wide ? 'wide' : ''} spaced">
        ${normParts.map((part) => {
          const { values, mean, spread } = view[part];
          return html`<div data-part=${part}>
            <p class="subtitle">${words.normParts[part]}</p>
            <p class="caption tf-moments">${words.moments(still(mean), formatNumber(spread))}</p>
            ${unsafeHTML(picture({ width, height: 120, body: spreadShapes({ values, mean, spread, limit, width, height: 120, fill: part === 'before' ? 'accent-line' : 'accent', paint: painter(null) }), theme: null }))}
          </div>`;
        })}
      </div>
      <details class="more">
        <summary>${words.everyToken}</summary>
        <div class="scroll tf-scroll tf-tall" tabindex="0" role="group" aria-label=${words.everyToken}>
          <table class="list tf-table" id="every">
            <thead><tr>${words.normHeader.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
            <tbody>
              ${labels.map((label, i) => {
                const [before, after] = [momentsOf(rowAt(input, i)), momentsOf(rowAt(output, i))];
                return html`<tr><th scope="row"><bdi>${label}</bdi></th>${[before.mean, before.spread, after.mean, after.spread].map((x) => html`<td>${shown(formatNumber(x))}</td>`)}</tr>`;
              })}
            </tbody>
          </table>
        </div>
      </details>
    `;
  }

  // ---- MLP ----

  #renderMlp() {
    const { result, t, inner } = this;
    const words = t.transformer;
    const { layer, labels, activations } = result;
    const position = this.at;
    const view = this.#mlpView();
    const neuron = this.#neuronOf(view);
    const wide = inner >= 700;
    const width = wide ? Math.floor(inner * 0.52) : inner;
    const height = 260;
    const rest = (wide ? inner - width - 32 : inner) - 92 - 60 - 12;
    const most = Math.max(...view.top.map(({ along }) => along.reduce((high, x) => Math.max(high, x), 0)));
    const all = activations[`h.${layer}.mlp.act`];
    const [, columns] = all.shape;
    const brightest = labels.reduce((best, _, i) => (all.data[i * columns + neuron] > all.data[best * columns + neuron] ? i : best), 0);
    const choose = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const frame = geluFrame(view.pre, width, height);
      const [x, y] = [(event.clientX - box.left) * (width / box.width), (event.clientY - box.top) * (height / box.height)];
      const away = (i) => Math.hypot(frame.x(view.pre[i]) - x, frame.y(view.act[i]) - y);
      this.neuron = String(view.pre.reduce((best, _, i) => (away(i) < away(best) ? i : best), 0));
    };
    return html`
      <p class="says spaced" id="says" role="status">${mlpSentence(view, { token: labels[position], layer }, words)}</p>
      <div class="tf-mlp ${wide ? 'wide' : ''} spaced">
        <div class="curves" id="curve" role="img" aria-label=${words.geluLabel(view.pre.length, view.negative)} @click=${choose}>
          ${unsafeHTML(picture({ width, height, body: geluShapes({ pre: view.pre, act: view.act, marked: [neuron], width, height, words, paint: painter(null) }), theme: null }))}
        </div>
        <div>
          <p class="subtitle" id="top">${words.topNeurons}</p>
          <ol class="tf-neurons" aria-labelledby="top">
            ${view.top.map(
              (one) => html`<li>
                <button type="button" aria-pressed=${one.neuron === neuron ? 'true' : 'false'} @click=${() => (this.neuron = String(one.neuron))}>
                  <span>${words.neuron(one.neuron)}</span>
                  <span aria-hidden="true">${unsafeHTML(picture({ width: rest, height: 26, body: alongShapes({ values: one.along, position, most, width: rest, height: 26, paint: painter(null) }), theme: null }))}</span>
                  <b>${shown(formatNumber(one.act))}</b>
                </button>
              </li>`,
            )}
          </ol>
        </div>
      </div>
      <p class="readout" id="number" role="status"><b>${words.neuronSays(neuron, formatNumber(view.pre[neuron]), formatNumber(view.act[neuron]), labels[brightest])}</b></p>
    `;
  }

  // ---- the counter ----

  #renderCounter() {
    const { t, result } = this;
    const words = t.transformer;
    const { sizes, name, bad } = this.#counted;
    const counted = countParameters(sizes);
    const groups = parameterGroups(counted);
    const give = (which) => (event) => {
      const value = parseSize(event.target.value, which);
      this.badSize = Number.isNaN(value) ? which : null;
      if (!Number.isNaN(value)) this.sizes = formatSizes({ ...sizes, [which]: value });
    };
    const preset = (label, value, on) => html`<button
      class="btn quiet"
      type="button"
      aria-pressed=${on ? 'true' : 'false'}
      @click=${() => {
        this.badSize = null;
        this.sizes = value;
      }}
    >${label}</button>`;
    return html`
      <div class="prompts tf-presets">
        <span class="label" id="presets">${words.presets}</span>
        <div role="group" aria-labelledby="presets">
          ${gpt2Sizes.map((one) => preset(one.name, formatSizes(one), this.sizes !== 'model' && formatSizes(one) === formatSizes(sizes)))} ${result ? preset(words.ours, 'model', this.sizes === 'model') : nothing}
        </div>
      </div>
      ${bad ? html`<p class="tf-bad" role="status">${words.badSizes}</p>` : nothing}
      <div class="tf-sizes">
        ${sizeNames.map(
          (which) => html`<div class="field">
            <label for=${which}>${words.sizes[which]}</label>
            <input class="text" id=${which} inputmode="numeric" autocomplete="off" aria-invalid=${this.badSize === which ? 'true' : 'false'} .value=${String(sizes[which])} @change=${give(which)} />
          </div>`,
        )}
      </div>
      ${this.badSize ? html`<p class="tf-bad" role="alert">${words.badSize(formatFixed(mostSize[this.badSize], 0))}</p>` : nothing}
      <p class="tf-total" id="total" role="status"><span>${name}</span> <b>${formatFixed(counted.total, 0)}</b></p>
      <div class="tf-shares" aria-hidden="true">${groups.map(({ group, share }) => html`<i .style="flex-grow:${share};background:var(--${groupFills[group]})"></i>`)}</div>
      <ul class="tf-groups" id="groups">
        ${groups.map(({ group, share }) => html`<li><i aria-hidden="true" .style="background:var(--${groupFills[group]})"></i>${words.groups[group]} <b>${formatPercent(share)}</b></li>`)}
      </ul>
      <div class="tf-scroll" tabindex="0" role="group" aria-label=${words.titles.parameters}>
        <table class="list tf-table" id="parts">
          <thead><tr>${words.partHeader.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
          <tbody>
            ${counted.rows.map(
              ({ part, times, count, terms }) => html`<tr><th scope="row">${withMath(words.parts[part])}</th><td class="tf-formula">${times === 1 ? termsText(terms) : words.times(termsText(terms), times)}</td><td>${formatFixed(count, 0)}</td></tr>`,
            )}
          </tbody>
          <tfoot><tr><th scope="row">${words.total}</th><td class="tf-formula"></td><td><b>${formatFixed(counted.total, 0)}</b></td></tr></tfoot>
        </table>
      </div>
      <p class="hint">${words.perLayer(formatFixed(counted.layer, 0), formatFixed(sizes.layers, 0))} ${words.sizeNote}</p>
    `;
  }
}
