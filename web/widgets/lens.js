import { html, nothing } from 'lit';
import { inkFlip } from '../draw/color.js';
import { tokenLabels } from '../draw/label.js';
import { lensFigure } from '../draw/lens-figure.js';
import { formatFixed, formatPercent } from '../draw/number.js';
import { sharedEngine } from '../engine/client.js';
import { askLens, lensKept, lensSentence } from '../parts/lens.js';
import { ModelElement } from '../parts/model-element.js';
import { tokenRow } from '../parts/token-row.js';
import { headsStyle } from '../styles/heads.css.js';
import { lensStyle } from '../styles/lens.css.js';
import { widgetStyle } from '../styles/widget.css.js';

/**
 * The guess of the next token read off after every layer (logit lens), with every candidate that was once among the first.
 *
 * Attributes: `text`, `model`, `position` (after which token it guesses, from 0; the last by default), `lang`, `theme`; all mirror the state.
 */
export default class GlassboxLens extends ModelElement {
  static properties = { all: { state: true } };
  static styles = [widgetStyle, headsStyle, lensStyle];
  static inputs = ['text', 'model', 'position'];

  constructor() {
    super();
    this.all = false; // every followed candidate is in sight
  }

  get prompts() {
    return this.t.lens.prompts;
  }

  async compute({ signal }) {
    const text = this.shownText;
    if (text === '') return { empty: true };
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const start = performance.now();
    const engine = sharedEngine();
    const { model } = loaded;
    const given = this.position;
    const isGiven = given !== null && given !== undefined && given !== '';
    let read;
    if (isGiven) {
      // How many tokens are read is known only when they are; a position beyond is the last.
      const { ids } = await engine.tokenize(text, { model });
      const size = Math.min(ids.length, loaded.config.nPositions);
      const wanted = Math.trunc(Number(given));
      read = await askLens(engine, text, { model, position: Math.min(size - 1, Math.max(0, Number.isFinite(wanted) ? wanted : 0)) });
    } else read = await askLens(engine, text, { model });
    const notes = read.dropped ? [{ kind: 'dropped', values: [read.dropped, read.tokens.length] }] : [];
    return { ...loaded, ...read, ms: performance.now() - start, labels: tokenLabels(read.tokens, read.bytes), size: read.tokens.length, notes };
  }

  renderNotes() {
    if (!this.notes.length) return nothing;
    return html`<div class="notes" role="status">${this.notes.map(({ values }) => html`<p>${this.t.switches.droppedOld(values[0])}</p>`)}</div>`;
  }

  exports() {
    const { result, t } = this;
    if (!result || result.empty) return null;
    const words = t.lens;
    return {
      name: `lens-t${result.position}`,
      svg: (theme) => lensFigure({ read: result, kept: this.all ? result.tracked.length : lensKept, text: result.labels.slice(0, result.position + 1).slice(-40).join('').replaceAll('␣', ' '), sentence: lensSentence(result, words), words, note: this.sourceLine, theme }),
      table: () => ({ header: words.exportHeader, rows: result.tracked.flatMap((one) => one.p.map((p, i) => [one.label, words.stage(result.stages[i].layer), p, one.rank[i] + 1])) }),
    };
  }

  renderFigure() {
    const { t } = this;
    return html`
      <div class="fig-head">
        <p class="title" id="title">${t.lens.title}</p>
        <p class="lead">${t.lens.lead}</p>
      </div>
      <div class="fig-ctl">${this.renderText()}${this.renderPrompts()}</div>
      ${this.renderNotes()}
      <div class="fig-body">${this.renderError()}${this.#renderBody()}</div>
      ${this.renderModelFoot()}
    `;
  }

  #renderBody() {
    const { result, t } = this;
    if (this.shownText === '') return html`<div class="empty"><p>${t.lens.empty}</p></div>`;
    if (!result || result.empty) return this.error ? nothing : html`<div class="empty wait"></div>`;
    const words = t.lens;
    const { stages, tracked, labels, position } = result;
    const kept = this.all ? tracked : tracked.slice(0, lensKept);
    const next = labels[position + 1];
    const cell = (p) => `lens-cell ${p >= inkFlip ? 'hi' : ''}`;
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
      <p class="lens-says" id="says" role="status">${lensSentence(result, words)} ${next === undefined ? nothing : words.was(next)}</p>
      <ol class="lens-stages" id="stages">
        ${stages.map(
          ({ layer, candidates }, i) => html`<li class=${i === stages.length - 1 ? 'last' : ''} aria-label=${words.guessesAt(layer)}>
            <span class="lens-stage">${words.stage(layer)}</span>
            ${candidates.map(({ label, p }) => html`<span class=${cell(p)} .style="--w:${p.toFixed(4)}"><bdi>${label}</bdi><small>${formatPercent(p)}</small></span>`)}
          </li>`,
        )}
      </ol>
      <p class="subtitle lens-gap" id="followed">${words.followed}</p>
      <p class="lens-help">${words.followedHelp}</p>
      <div class="lens-scroll" tabindex="0" role="group" aria-labelledby="followed">
        <table class="lens-table">
          <thead><tr><td></td>${stages.map(({ layer }) => html`<th scope="col">${words.stageShort(layer)}</th>`)}</tr></thead>
          <tbody>
            ${kept.map(
              (one) => html`<tr><th scope="row"><bdi>${one.label}</bdi></th>${one.p.map((p, i) => html`<td class=${cell(p)} .style="--w:${p.toFixed(4)}">${formatPercent(p)}<small>${words.rank(formatFixed(one.rank[i] + 1, 0))}</small></td>`)}</tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${tracked.length > lensKept
        ? html`<button class="btn quiet" id="more" type="button" @click=${() => (this.all = !this.all)}>${this.all ? words.fewer : words.more(tracked.length - lensKept)}</button>`
        : nothing}
    `;
  }
}
