import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { bankFigure, bankSentences, groupSentence, memberNames, stageName, twinShapes } from '../draw/bank-figure.js';
import { formatCosine } from '../draw/cosine.js';
import { clipLabel } from '../draw/label.js';
import { signedGeometry } from '../draw/signed-map.js';
import { painter, picture } from '../draw/svg.js';
import { sharedEngine } from '../engine/client.js';
import { clampIndex } from '../parts/attributes.js';
import { ModelElement } from '../parts/model-element.js';
import { SignedGrid } from '../parts/signed-grid.js';
import { choice, toggle } from '../parts/switch.js';
import { fitTextBox, textBox } from '../parts/text-box.js';
import { compareGroups, compareWord, groupsFor, mostSentences, sentencesOf } from '../parts/word-in-text.js';
import { bankStyle } from '../styles/bank.css.js';
import { chartStyle } from '../styles/chart.css.js';
import { vectorsStyle } from '../styles/vectors.css.js';
import { widgetStyle } from '../styles/widget.css.js';

const longest = 20; // em of a word in a sentence about it

/**
 * One word in two sentences: its vector is the same when it is looked up and differs after the layers; then in two groups of sentences, with the mean
 * taken away.
 *
 * Attributes: `word`, `text` and `text-b` (the sentences), `at` and `at-b` (which token is meant where a sentence has the word more than once; the last if left
 * out), `group-a` and `group-b` (sentences parted by | or line breaks), `stage` (where the groups are measured: 0 looked up, 1 with the position, 2 after the
 * first layer …; the last if left out), `centre` (`off` keeps the mean), `model`, `lang`, `theme`; all mirror the state.
 */
export default class GlassboxBank extends ModelElement {
  static properties = {
    word: { reflect: true },
    textB: { attribute: 'text-b', reflect: true },
    at: { reflect: true },
    atB: { attribute: 'at-b', reflect: true },
    groupA: { attribute: 'group-a', reflect: true },
    groupB: { attribute: 'group-b', reflect: true },
    stage: { reflect: true },
    centre: { reflect: true },
  };

  static styles = [widgetStyle, chartStyle, vectorsStyle, bankStyle];
  static inputs = ['word', 'text', 'textB', 'at', 'atB', 'groupA', 'groupB', 'model'];

  #grid = new SignedGrid(this);

  get #prompts() {
    return this.t.bank.prompts;
  }

  get #word() {
    return this.word ?? this.#prompts[0].word;
  }

  get #texts() {
    return [this.text ?? this.#prompts[0].text, this.textB ?? this.#prompts[0].textB];
  }

  get #set() {
    return groupsFor(this.#word.trim(), this.t.bank);
  }

  get #groups() {
    const { texts } = this.#set;
    return [this.groupA ?? texts[0], this.groupB ?? texts[1]];
  }

  get #isCentred() {
    return this.centre !== 'off';
  }

  get #stage() {
    const last = (this.result?.config?.nLayer ?? 0) + 1;
    return this.stage === null || this.stage === undefined || this.stage === '' ? last : clampIndex(this.stage, last).value;
  }

  async compute({ signal }) {
    const loaded = await this.loadModel(signal);
    if (!loaded) return null;
    const word = this.#word.trim();
    const texts = this.#texts;
    const start = performance.now();
    const wanted = (raw) => (raw === null || raw === undefined || raw === '' ? null : Number(raw));
    const { model } = loaded;
    const engine = sharedEngine();
    const compared = word && texts.every((text) => text !== '') ? await compareWord(engine, { word, texts, at: [wanted(this.at), wanted(this.atB)], model }) : null;
    const lists = this.#groups.map(sentencesOf);
    const groups = word ? await compareGroups(engine, { word, groups: lists, model }) : null;
    return { ...loaded, word, compared, groups, left: lists.reduce((sum, list) => sum + Math.max(0, list.length - mostSentences), 0), ms: performance.now() - start };
  }

  accept(result) {
    if (!result) return;
    if (this.stage !== null && this.stage !== undefined) this.stage = String(this.#stage);
    const sides = result.compared?.sides;
    ['at', 'atB'].forEach((name, i) => {
      if (this[name] !== null && this[name] !== undefined && sides?.[i].place) this[name] = String(sides[i].position);
    });
  }

  updated(changed) {
    super.updated(changed);
    for (const field of this.renderRoot.querySelectorAll('textarea')) fitTextBox(field);
  }

  exports() {
    const { result, t } = this;
    if (!result?.compared?.stages.length) return null;
    const words = t.bank;
    const { compared, groups, word } = result;
    const { names } = this.#set;
    const members = groups ? memberNames(groups.members, names) : [];
    return {
      name: 'word-in-two-sentences',
      svg: (theme) => bankFigure({ compared, groups, names, stage: this.#stage, isCentred: this.#isCentred, word, words, note: this.sourceLine, theme, width: 960 }),
      table: () => ({
        header: [...words.header, ...compared.stages[0].vectors.flatMap((vector, side) => Array.from(vector, (_, i) => `${words.texts[side]} ${i}`)), ...(groups?.stages.length ? members.flatMap((a, i) => members.slice(0, i).map((b) => `${b}, ${a}`)) : [])],
        rows: compared.stages.map(({ key, cosine, vectors }, i) => {
          const cosines = groups?.stages[i]?.[this.#isCentred ? 'centred' : 'raw'].cosines;
          return [stageName(key, words), cosine, ...vectors[0], ...vectors[1], ...(cosines ? members.flatMap((_, a) => members.slice(0, a).map((__, b) => cosines[a * members.length + b])) : [])];
        }),
      }),
    };
  }

  renderFigure() {
    const { t, result } = this;
    const words = t.bank;
    const [text, textB] = this.#texts;
    let body = this.error ? nothing : html`<div class="empty wait"></div>`;
    if (result) body = this.#renderPair();
    return html`
      <div class="fig-head">
        <p class="title" id="title">${words.title}</p>
        <p class="lead">${words.lead}</p>
      </div>
      <div class="fig-ctl">
        <div class="field f-word">
          <label for="word">${words.word}</label>
          <input id="word" class="text" autocomplete="off" autocapitalize="off" spellcheck="false" .value=${live(this.#word)} @input=${(event) => event.isComposing || this.#setWord(event.target.value)} @compositionend=${(event) => this.#setWord(event.target.value)} />
        </div>
        ${textBox({ id: 'text', name: words.texts[0], value: text, change: (value) => this.#setText('text', 'at', value) })}
        ${textBox({ id: 'text-b', name: words.texts[1], value: textB, change: (value) => this.#setText('textB', 'atB', value) })}
        ${this.#renderPrompts()}
      </div>
      <div class="fig-body">${this.renderError()}${body}</div>
      ${result ? this.#renderGroups() : nothing}
      ${this.renderFoot({ facts: this.sourceFacts(result ? { model: result.model, hash: result.hash, ms: result.ms } : {}) })}
    `;
  }

  #setWord(word) {
    this.word = word;
    this.at = null;
    this.atB = null;
  }

  #setText(property, place, value) {
    this[property] = value;
    this[place] = null;
  }

  #renderPrompts() {
    const [text, textB] = this.#texts;
    return html`<div class="prompts">
      <span class="label" id="try">${this.t.try}</span>
      <div role="group" aria-labelledby="try">
        ${this.#prompts.map(
          (prompt) => html`<button
            class="btn quiet"
            type="button"
            aria-pressed=${prompt.word === this.#word && prompt.text === text && prompt.textB === textB ? 'true' : 'false'}
            @click=${() => {
              Object.assign(this, { word: prompt.word, text: prompt.text, textB: prompt.textB, at: null, atB: null, groupA: null, groupB: null });
            }}
          >${prompt.label}</button>`,
        )}
      </div>
    </div>`;
  }

  #renderPair() {
    const { t, result, inner } = this;
    const words = t.bank;
    const { compared, word } = result;
    if (!compared) return html`<div class="empty"><p>${words.empty}</p></div>`;
    const { sides, stages } = compared;
    const missing = sides.flatMap(({ place }, i) => (place ? [] : [words.missing(clipLabel(word, longest), words.texts[i])]));
    const wide = inner >= 560;
    const width = wide ? inner - 110 - 190 : inner;
    const paint = painter(null);
    return html`
      ${sides.map((side, i) => this.#renderSentence(side, i))}
      ${missing.length ? html`<div class="empty missing"><div>${missing.map((line) => html`<p>${line}</p>`)}</div></div>` : nothing}
      ${stages.length
        ? html`<p class="subtitle spaced" id="stages">${words.stages}</p>
            <div class="says" id="says" role="status">${bankSentences(compared, words).map((sentence) => html`<p>${sentence}</p>`)}</div>
            <ol class="twins ${wide ? 'wide' : ''}" aria-labelledby="stages">
              ${stages.map(({ key, vectors, cosine, same }) => {
                const drawn = twinShapes({ vectors, width, rowHeight: 13, paint });
                const name = stageName(key, words);
                return html`<li>
                  <span class="name">${name}</span>
                  <span class="pair-strip" role="img" aria-label=${words.stripLabel(name, formatCosine(cosine))}>${unsafeHTML(picture({ width, height: drawn.height, body: drawn.body, theme: null }))}</span>
                  <span class="bar"><i class=${cosine < 0 ? 'minus' : ''} .style="--p:${Math.min(1, Math.abs(cosine)).toFixed(4)}"></i></span>
                  <span class="value">${formatCosine(cosine)}</span><small>${same ? words.same : ''}</small>
                </li>`;
              })}
            </ol>
            <p class="hint">${words.stageHint}</p>`
        : nothing}
    `;
  }

  /** A sentence as its tokens, those of the word marked; a choice where it stands more than once. */
  #renderSentence({ labels, places, place, position, dropped }, i) {
    const words = this.t.bank;
    const which = words.texts[i];
    const from = Math.max(0, (place?.start ?? 0) - 40);
    const to = Math.min(labels.length, Math.max(from + 60, (place?.end ?? 0) + 20));
    const shown = labels.slice(from, to);
    const pieces = place ? labels.slice(place.start, place.end) : [];
    const isIn = (n) => place && n >= place.start && n < place.end;
    const several = places.length > 1;
    const choose = (end) => {
      this[i ? 'atB' : 'at'] = String(end - 1);
    };
    return html`<div class="sentence">
      <span class="label">${which}${place ? html` · ${words.place(position)}` : nothing}</span>
      <p class="line">${from > 0 ? '… ' : nothing}${shown.map((label, n) => html`<bdi class="tok ${isIn(from + n) ? 'on' : ''}">${label}</bdi>`)}${to < labels.length ? ' …' : nothing}</p>
      ${several
        ? html`<div class="places" role="group" aria-label=${words.choose(which)}>
            <span class="label">${words.several(which, places.length)}</span>
            ${places.slice(0, 24).map(({ start, end }) => html`<button class="btn" type="button" aria-pressed=${start === place.start ? 'true' : 'false'} @click=${() => choose(end)}>${words.place(end - 1)}</button>`)}
          </div>`
        : nothing}
      ${pieces.length > 1 ? html`<p class="hint">${words.pieces(clipLabel(this.result.word, longest), pieces)}</p>` : nothing}
      ${dropped ? html`<p class="hint">${words.cut(which, dropped)}</p>` : nothing}
    </div>`;
  }

  #renderGroups() {
    const { t, result, inner } = this;
    const words = t.bank;
    const { groups, left, word, config } = result;
    const { names } = this.#set;
    // Lines stay as they are typed; sentences of a tag, parted by |, get a line each.
    const texts = this.#groups.map((text) => (text.includes('\n') || !text.includes('|') ? text : sentencesOf(text).join('\n')));
    const set = (name) => (value) => {
      this[name] = value;
    };
    const stage = groups?.stages[this.#stage];
    const skipped = groups?.skipped ?? [];
    return html`<section class="calc" role="group" aria-labelledby="groups">
      <p class="subtitle" id="groups">${words.groups}</p>
      <p class="hint">${words.groupsHint}</p>
      <div class="two spaced lists">
        ${textBox({ id: 'group-a', name: words.group(0, names[0]), value: texts[0], change: set('groupA') })}
        ${textBox({ id: 'group-b', name: words.group(1, names[1]), value: texts[1], change: set('groupB') })}
      </div>
      <div class="fig-ctl bare">
        <div class="many">${choice({
          id: 'stage',
          name: words.at,
          value: this.#stage,
          options: Array.from({ length: config.nLayer + 2 }, (_, i) => ({ value: i, name: i < 2 ? words.shortStage[['token', 'sum'][i]] : words.short(i - 2) })),
          change: (i) => {
            this.stage = String(i);
          },
        })}</div>
        ${toggle({
          name: words.centre,
          on: this.#isCentred,
          change: (on) => {
            this.centre = on ? null : 'off';
          },
        })}
      </div>
      ${skipped.length ? html`<p class="hint" id="skipped">${words.skipped(memberNames(skipped, names), clipLabel(word, longest))}</p>` : nothing}
      ${left ? html`<p class="hint">${words.tooMany(left)}</p>` : nothing}
      ${stage ? this.#renderMatrix(stage) : html`<div class="empty missing"><p>${words.few}</p></div>`}
    </section>`;
  }

  #renderMatrix(stage) {
    const { t, result, inner } = this;
    const words = t.bank;
    const { groups } = result;
    const isCentred = this.#isCentred;
    const { cosines } = isCentred ? stage.centred : stage.raw;
    const names = memberNames(groups.members, this.#set.names);
    const wide = inner >= 620;
    const geometry = signedGeometry({ labels: names, width: wide ? Math.min(440, inner * 0.5) : inner });
    const { size, cell, left, top, decimals, level } = geometry;
    const say = ({ row, column }) => words.pair(names[row], names[column], formatCosine(cosines[row * size + column]));
    const at = this.#grid.cell;
    return html`<div class="group-view spaced ${wide ? 'beside' : ''}">
      <div>
        ${this.#grid.render({
          id: 'matrix',
          rows: size,
          columns: size,
          data: cosines,
          limit: 1,
          left,
          top,
          cellWidth: cell,
          cellHeight: cell,
          decimals,
          level,
          cut: groups.cut,
          rowLabels: names,
          columnLabels: names,
          label: words.tableLabel(size, stageName(stage.key, words)),
          role: words.role,
          help: words.help,
          say,
        })}
        <div class="readout" id="pair" role="status">
          ${at ? html`<p><b>${say(at)}</b></p>${[...new Set([at.row, at.column])].map((i) => html`<p>${words.sentence(names[i], groups.members[i].text)}</p>`)}` : words.point}
        </div>
      </div>
      <div>
        <p class="says" id="group-says" role="status">${groupSentence(stage, isCentred, words)}</p>
        <table class="means spaced">
          <caption class="caption">${words.stagesOf(isCentred)}</caption>
          <thead><tr><td></td><th scope="col">${words.within}</th><th scope="col">${words.across}</th></tr></thead>
          <tbody>
            ${groups.stages.map((one) => {
              const side = isCentred ? one.centred : one.raw;
              const empty = one.same && isCentred;
              return html`<tr class=${one === stage ? 'on' : ''}><th scope="row">${stageName(one.key, words)}</th>${[side.within, side.across].map((x) => html`<td class=${empty ? '' : x < 0 ? 'neg' : 'pos'}>${empty ? '—' : formatCosine(x)}</td>`)}</tr>`;
            })}
          </tbody>
        </table>
      </div>
    </div>`;
  }
}
