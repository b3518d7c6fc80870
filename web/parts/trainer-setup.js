// What a training run is set up with: text, size, learning rate. Templates only; the widget holds the state.
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatBytes } from '../draw/bytes.js';
import { grouped } from '../draw/large-number.js';
import { trainingSizes } from '../engine/trainer-sizes.js';
import { stepper } from './stepper.js';
import { choice } from './switch.js';
import { textBox } from './text-box.js';
import { countOf, durationOf, rateText } from './trainer-numbers.js';
import { corpora, everies, mostSeed } from './training.js';

/** A field for the learning rate. `change(text)`; fault: a sentence about what was typed last, or null. */
export function rateField({ rate, fault, words, change, scale = null }) {
  return html`<div class="field rate-field">
    <label for="rate">${words.rate}</label>
    <div class="rate-row">
      ${scale ? html`<button class="btn" id="rate-half" type="button" aria-label=${words.halfName} @click=${() => scale(0.5)}>${words.half}</button>` : nothing}
      <input
        class="text"
        id="rate"
        type="text"
        inputmode="decimal"
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${fault ? 'true' : 'false'}
        aria-describedby=${fault ? 'rate-fault' : nothing}
        .value=${fault ? live(fault.typed) : live(rateText(rate))}
        @change=${(event) => change(event.target.value)}
      />
      ${scale ? html`<button class="btn" id="rate-double" type="button" aria-label=${words.doubleName} @click=${() => scale(2)}>${words.double}</button>` : nothing}
    </div>
  </div>`;
}

/** The sentence about a learning rate that was not taken. */
export const rateFault = (fault, words) => (fault ? html`<p class="entry-error" id="rate-fault" role="alert">${words.rateFaults[fault.fault]}</p>` : nothing);

function corpusField({ settings, words, act }) {
  return html`<div class="corpus-choice">
    ${choice({
      id: 'corpus',
      name: words.corpus,
      value: settings.corpus,
      options: corpora.map((value) => ({ value, name: words.corpora[value] })),
      change: act.corpus,
    })}
  </div>`;
}

function ownText({ file, text, heldOut, words, act }) {
  return html`
    ${file
      ? html`<p class="file-is" id="file-is"><span>${words.fileIs(file.name, formatBytes(file.bytes))}${file.encoding === 'gb18030' ? html` ${words.gb}` : nothing}</span><button class="btn quiet" id="forget-file" type="button" @click=${act.forgetFile}>${words.forgetFile}</button></p>`
      : textBox({ name: words.ownText, value: text ?? '', change: act.text })}
    ${heldOut === null || heldOut === undefined ? nothing : textBox({ id: 'held-out', name: words.heldOutText, value: heldOut, change: act.heldOut })}
    <div class="own-more">
      <label class="btn file-btn">${words.file}<input id="text-file" type="file" accept=".txt,.md,.csv,.json,text/*" @change=${act.file} /></label>
      ${file ? nothing : html`<span class="hint">${heldOut === null || heldOut === undefined ? words.ownHere : words.pair.ownHere}</span>`}
    </div>
  `;
}

function sizeChoice({ settings, estimates, speed, words, language, act }) {
  const names = Object.keys(trainingSizes);
  const listed = names.includes(settings.size.name) ? names : [...names, settings.size.name];
  return html`<div class="field sizes-field">
    <span class="label" id="size-label">${words.size}</span>
    <div class="size-cards" role="radiogroup" aria-labelledby="size-label">
      ${listed.map((name) => {
        const { parameters, multiplyAdds, size } = estimates[name];
        const on = name === settings.size.name;
        return html`<label class="size-card ${on ? 'on' : ''}">
          <input type="radio" name="size" value=${name} .checked=${live(on)} @change=${() => act.size(name)} />
          <b>${words.sizeNames[name] ?? words.ownSize}</b>
          <span class="size-params">${words.parameters(countOf(parameters, language))}</span>
          <span class="size-shape">${words.sizeIs(size)}</span>
          ${speed ? html`<span class="size-time">${words.estimate(grouped(settings.steps), durationOf((settings.steps * multiplyAdds) / speed, words))}</span>` : nothing}
        </label>`;
      })}
    </div>
    <p class="hint" id="estimate">${speed ? words.estimateHow : words.estimateNone}</p>
  </div>`;
}

function moreSettings({ settings, faults, open, words, t, act }) {
  return html`<details class="more-settings fold" ?open=${open} @toggle=${(event) => act.more(event.target.open)}>
    <summary id="more">${words.more}<span>${words.moreNow({ rate: rateText(settings.learningRate), steps: grouped(settings.steps), seed: settings.seed, every: grouped(settings.every) })}</span></summary>
    <div class="more-fields">
      ${rateField({ rate: settings.learningRate, fault: faults.rate, words, change: act.rate })}
      <div class="field">
        <label for="steps">${words.steps}</label>
        <input class="text" id="steps" type="text" inputmode="numeric" autocomplete="off" aria-invalid=${faults.steps ? 'true' : 'false'} .value=${live(faults.steps?.typed ?? String(settings.steps))} @change=${(event) => act.steps(event.target.value)} />
      </div>
      <div class="field">
        <label for="every">${words.every}</label>
        <select class="text" id="every" @change=${(event) => act.every(Number(event.target.value))}>
          ${[...new Set([...everies, settings.every])].sort((a, b) => a - b).map((n) => html`<option value=${n} ?selected=${n === settings.every}>${words.everyIs(n)}</option>`)}
        </select>
      </div>
      ${stepper({ id: 'seed', name: words.seed, value: settings.seed, max: mostSeed, t, change: act.seed })}
    </div>
    ${rateFault(faults.rate, words)}${faults.steps ? html`<p class="entry-error" role="alert">${faults.steps.says}</p>` : nothing}
  </details>`;
}

/**
 * Everything there is to choose before a run. view: { settings, file, text, heldOut, estimates: by size { parameters, multiplyAdds, size }, speed: multiply-adds a ms measured in this
 * page or null, faults: { rate, steps }, open, words, t, language }; act: what the reader does, by name.
 */
export function renderSetup(view, act) {
  const given = { ...view, act };
  return html`${corpusField(given)}${view.settings.corpus === 'own' ? ownText(given) : nothing}${sizeChoice(given)}${moreSettings(given)}`;
}
