import { html } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { concatShapes, headsFigure, headsSentences, stripLabels, weightStrip } from '../draw/heads-figure.js';
import { tokenLabels } from '../draw/label.js';
import { formatFixed, formatNumber, formatWeight } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex } from '../parts/attributes.js';
import { askHeads, favourite, headsAt } from '../parts/heads-at.js';
import { withMath } from '../parts/inline-math.js';
import { ModelElement } from '../parts/model-element.js';
import { shown } from '../parts/shown.js';
import { tokenRow } from '../parts/token-row.js';
import { chartStyle } from '../styles/chart.css.js';
import { headsStyle } from '../styles/heads.css.js';
import { widgetStyle } from '../styles/widget.css.js';

/**
 * All heads of one layer at one token: what each looks at most, their vectors side by side times W_O, and how much each adds.
 *
 * Attributes: `text`, `model`, `layer` (from 0), `position` (a token, from 0; the last by default), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxHeads extends ModelElement {
  static properties = { layer: { reflect: true } };
  static styles = [widgetStyle, chartStyle, headsStyle];
  static inputs = ['text', 'model', 'layer'];

  async compute({ signal }) {
    const text = this.shownText;
    if (text === '') return { empty: true, config: this.result?.config ?? null };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const { model, config } = loaded;
    const layer = clampIndex(this.layer ?? 0, config.nLayer - 1);
    const start = performance.now();
    const asked = await askHeads(sharedEngine(), text, { model, layer: layer.value });
    const notes = [];
    if (layer.clamped) notes.push({ kind: 'clampedLayer', values: [config.nLayer - 1], property: 'layer' });
    if (asked.dropped) notes.push({ kind: 'dropped', values: [asked.dropped, asked.tokens.length] });
    return { ...loaded, ...asked, ms: performance.now() - start, layer: layer.value, labels: tokenLabels(asked.tokens, asked.bytes), size: asked.tokens.length, notes };
  }

  /** Everything that is drawn and exported of the chosen position. */
  #view() {
    const { result } = this;
    const { labels, layer } = result;
    const position = this.at;
    const view = headsAt({ ...result, position });
    const words = this.t.heads;
    return { view, labels, layer, position, words, sentences: headsSentences({ view, labels, position, layer, favourite: favourite(view.heads), words }) };
  }

  exports() {
    if (!this.result || this.result.empty) return null;
    const made = this.#view();
    const { view, labels, layer, position, words } = made;
    return {
      name: `heads-l${layer}-t${position}`,
      svg: (theme) => headsFigure({ ...made, note: this.sourceLine, theme }),
      table: () => ({
        header: [...words.header, ...labels.slice(0, position + 1)],
        rows: view.heads.map((head, i) => [i, labels[head.top], head.weight, head.norm, head.share, ...head.row]),
      }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${t.heads.title}</p>
        <p class="lead">${t.heads.lead}</p>
      </div>
      <div class="fig-ctl">${this.renderText()}${this.renderStepper('layer', t.layer, (result?.config?.nLayer ?? 1) - 1)}${this.renderPrompts()}</div>
      ${this.renderNotes()}${this.renderBody(() => this.#renderHeads())}${this.renderModelFoot()}
    `;
  }

  #renderHeads() {
    const { view, labels, position, words, sentences } = this.#view();
    const { inner } = this;
    const wide = inner >= 560;
    const paint = painter(null);
    const strip = wide ? inner - 64 - 152 : inner;
    const size = labels.length;
    const most = Math.max(view.sum, ...view.heads.map((head) => head.norm)) || 1;
    const strips = concatShapes({ view, width: inner, words, paint });
    const named = (i) => html`<bdi>${labels[i]}</bdi><small>${i}</small>`;
    return html`
      ${tokenRow({
        id: 'tokens',
        name: words.from,
        labels,
        chosen: position,
        unread: (i) => i > position,
        choose: (i) => {
          this.position = String(i);
        },
      })}
      <p class="says spaced" id="looks" role="status">${sentences.looks}</p>
      <p class="subtitle spaced" id="looking">${words.looking}</p>
      <ol class="heads ${wide ? 'wide' : ''}" aria-labelledby="looking">
        ${view.heads.map(
          (head, i) => html`<li>
            <span class="name">${words.head(i)}</span>
            <span class="row-strip" role="img" aria-label=${words.strip(i, labels[position], labels[head.top], formatWeight(head.weight))}>
              ${unsafeHTML(picture({ width: strip, height: 36, body: weightStrip({ row: head.row, size, top: head.top, width: strip, height: 36, paint }), theme: null }))}
            </span>
            <span class="top">${named(head.top)} <b class="accented">${shown(formatWeight(head.weight))}</b></span>
          </li>`,
        )}
        <li class="axis" aria-hidden="true"><span class="name"></span><span class="row-strip">${unsafeHTML(picture({ width: strip, height: 16, body: stripLabels({ labels, width: strip, y: 12, chosen: position, paint }), theme: null }))}</span></li>
      </ol>
      <p class="hint">${words.roles}</p>
      <p class="subtitle spaced">${withMath(words.joined)}</p>
      <div role="img" aria-label=${words.joinedLabel(view.heads.length, view.concat.length, view.output.length)}>${unsafeHTML(picture({ width: inner, height: strips.height, body: strips.body, theme: null }))}</div>
      <p class="subtitle spaced" id="adding">${words.adding}</p>
      <ol class="norms" aria-labelledby="adding">
        ${view.heads.map(
          (head, i) => html`<li><span class="name">${words.head(i)}</span><span class="bar"><i .style="--p:${(head.norm / most).toFixed(4)}"></i></span><span class="value">${shown(formatNumber(head.norm))}</span><span class="share">${formatFixed(100 * head.share, 1)}%</span></li>`,
        )}
        <li class="sum"><span class="name">${words.sum}</span><span class="bar"><i class="gray" .style="--p:${(view.sum / most).toFixed(4)}"></i></span><span class="value">${shown(formatNumber(view.sum))}</span><span class="share"></span></li>
      </ol>
      <p class="hint" id="adds">${withMath(sentences.adds)}</p>
    `;
  }
}
