// What a training run shows: its numbers, its curve, what it writes and looks at, what can be taken along. Templates only.
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { grouped } from '../draw/large-number.js';
import { bytesLabel } from '../draw/label.js';
import { smoothed, trainingFigure, trainingShapes } from '../draw/training-figure.js';
import { formatNumber, formatPercent } from '../draw/number.js';
import { painter, picture } from '../draw/svg.js';
import { durationOf, rateText } from './trainer-numbers.js';
import { sampling } from './training.js';

const longSpan = 2000; // steps up to which the axis reaches to the end from the beginning
const overfits = 0.3; // nats between held-out and training loss from which it is said

/** The numbers of a run, as a list of descriptions. */
export function renderStats(run, words) {
  const nat = (x) => (Number.isFinite(x) ? html`${formatNumber(x)}<small> ${words.nats}</small>` : '–');
  const { stats } = words;
  const left = Number.isFinite(run.target) && run.stepMs ? (run.target - run.step) * run.stepMs : 0;
  const list = [
    ['step', grouped(run.step), Number.isFinite(run.target) ? words.ofSteps(grouped(run.target)) : ''],
    ['train', nat(run.loss), ''],
    ['heldOut', run.heldOut === null ? '–' : nat(run.heldOut), run.heldOut === null ? words.noHeldOut : ''],
    ['speed', run.speed ? grouped(Math.round(run.speed)) : '–', words.measuredHere],
    ['gradient', Number.isFinite(run.gradientNorm) ? formatNumber(run.gradientNorm) : '–', words.clipped],
    ['elapsed', durationOf(run.ms, words), left > 0 ? words.leftIs(durationOf(left, words)) : words.workedFor],
  ];
  return html`<dl class="run-stats">
    ${list.map(([id, value, more]) => html`<div><dt>${stats[id]}</dt><dd><span class="big" id=${`stat-${id}`}>${value}</span><span class="spread">${more}</span></dd></div>`)}
  </dl>`;
}

/** The sentence under the curve. */
export function sayLoss(run, words) {
  if (!Number.isFinite(run.loss)) return null;
  const says = [words.nowSays({ loss: formatNumber(run.loss), p: formatPercent(Math.exp(-run.loss)), chance: formatPercent(1 / run.info.vocabSize) })];
  // Both at one step: the training loss goes on falling until the next measurement.
  const measured = run.curve.heldOut.at(-1);
  const then = measured && smoothed(run.curve.points).filter(({ step }) => step <= measured.step).at(-1);
  if (then && measured.loss - then.smooth > overfits) says.push(words.overfit(formatNumber(measured.loss - then.smooth)));
  return says;
}

/** What draws the curve of a run. */
export const curveOf = (run, log) => ({ points: run.curve.points, heldOut: run.curve.heldOut, rates: run.curve.rates, chance: run.chance, span: Number.isFinite(run.target) ? Math.min(run.target, Math.max(longSpan, 2 * run.step)) : 0, log });

/** The live curve with its switch and sentence. */
export function renderCurve({ run, log, width, words, controls, zh }) {
  const drawn = trainingShapes({ ...curveOf(run, log), width, height: width < 480 ? 250 : 300, words, paint: painter(null) });
  const says = sayLoss(run, words);
  const label = words.curveSays({ step: grouped(run.step), train: Number.isFinite(run.loss) ? formatNumber(run.loss) : '–', heldOut: run.heldOut === null ? null : formatNumber(run.heldOut), chance: formatNumber(run.chance) });
  return html`<div class="curve-box" role="group" aria-labelledby="curve-title">
    <div class="curve-head"><p class="subtitle" id="curve-title">${words.curve}</p>${controls}</div>
    <div id="curve" class="drawn" role="img" aria-label=${label}>${unsafeHTML(picture({ width, height: drawn.height, body: drawn.body, theme: null }))}</div>
    <p class="hint">${words.legend}</p>
    ${says ? html`<p class="says" id="says">${says.join(zh ? '' : ' ')}</p>` : nothing}
  </div>`;
}

/** What it wrote at each sample, the newest first. */
export function renderSamples({ run, words }) {
  const how = words.samplesHow({ every: grouped(run.settings.every), temperature: sampling.temperature, seed: sampling.seed, beginning: run.taken.beginning });
  const loose = run.samples.some(({ pieces }) => pieces.some(Array.isArray));
  return html`<div class="samples" role="group" aria-labelledby="samples-title">
    <p class="subtitle" id="samples-title">${words.samples}</p>
    <p class="hint">${how}</p>
    ${run.samples.length
      ? html`<ol class="sample-list" id="samples" tabindex="0" aria-labelledby="samples-title">
          ${repeat(
            [...run.samples].reverse(),
            ({ step }) => step,
            ({ step, loss, pieces }) => html`<li data-step=${step}>
              <span class="sample-at">${words.sampleAt(step)}${loss === null ? nothing : html`<small>${words.sampleLoss(formatNumber(loss))}</small>`}</span>
              <p class="sample-text"><span class="sample-start">${run.taken.beginning}</span>${pieces.map((piece) => (typeof piece === 'string' ? html`<bdi>${piece}</bdi>` : html`<code class="loose">${bytesLabel(piece).slice(1, -1)}</code><wbr />`))}</p>
            </li>`,
          )}
        </ol>`
      : html`<p class="none">${words.noSamples}</p>`}
    ${loose ? html`<p class="hint">${words.bytesNote}</p>` : nothing}
  </div>`;
}

/** That it has gone astray, why, and the one way back. */
export function renderAstray({ run, words, back }) {
  const { step, broken, rate, next } = run.astray;
  return html`<div class="astray" id="astray" role="alert">
    <p class="subtitle">${broken ? words.astray.broken(grouped(step)) : words.astray.title(grouped(step))}</p>
    <p>${words.astray.why(rateText(rate))}</p>
    <button class="btn main" id="go-back" type="button" @click=${back}>${words.astray.back(grouped(run.goodStep), rateText(next))}</button>
  </div>`;
}

/** What can be taken along. link: whether lesson 4 sees what is stored here. */
export function renderTake({ run, words, link, busy, act }) {
  const off = run.state === 'astray' || run.state === 'failed' || busy;
  const button = (id, name, call) => html`<button class="btn" id=${id} type="button" aria-disabled=${off ? 'true' : 'false'} @click=${() => off || call()}>${name}</button>`;
  return html`<div class="take" role="group" aria-labelledby="take-title">
    <p class="subtitle" id="take-title">${words.take}</p>
    <div class="run-acts">${button('download', words.download, act.download)}${link ? button('open-there', busy ? words.opening4 : words.openThere, act.openThere) : nothing}</div>
    <p class="hint">${link ? words.takeNote : words.noOpenThere}</p>
  </div>`;
}

/** The runs that this browser keeps. asked: the id that is asked about. */
export function renderSaved({ saves, asked, words, when, goOn, ask, remove }) {
  if (!saves.length) return nothing;
  return html`<div class="saved-runs" role="group" aria-labelledby="saved-title">
    <p class="subtitle" id="saved-title">${words.savedList}</p>
    <ul id="saved">
      ${saves.map((one) => {
        const sure = asked === one.id;
        return html`<li data-id=${one.id}>
          <span>${words.savedItem({ step: grouped(one.step), date: when(one.date), label: one.textLabel, loss: one.heldOutLoss === null ? null : formatNumber(one.heldOutLoss) })}</span>
          <span class="acts-two">
            <button class="btn go-on" type="button" @click=${() => goOn(one.id)}>${words.goOn}</button>
            <button class="btn quiet remove" type="button" @click=${() => (sure ? remove(one.id) : ask(one.id))}>${sure ? words.removeSure : words.remove}</button>
            ${sure ? html`<button class="btn quiet" type="button" @click=${() => ask(null)}>${words.keep}</button>` : nothing}
          </span>
        </li>`;
      })}
    </ul>
  </div>`;
}

/** The curve and its numbers to take along; facts: what the run is. */
export function exportsOf({ run, log, facts, words }) {
  const heldOut = [...run.curve.heldOut];
  const start = heldOut[0]?.step === 0 ? [[0, 0, '', '', 0, 0, heldOut.shift().loss]] : [];
  const within = (from, to) => heldOut.filter(({ step }) => step >= from && step <= to).at(-1)?.loss ?? '';
  const readable = (pieces) => pieces.filter((piece) => typeof piece === 'string').join('').replace(/\s+/g, ' ');
  return {
    name: `training-${run.step}`,
    svg: (theme) =>
      trainingFigure({
        ...curveOf(run, log),
        span: 0,
        title: words.figure,
        lines: [facts, ...(sayLoss(run, words) ?? [])],
        samples: run.samples.slice(-1).map(({ step, pieces }) => ({ name: words.sampleAt(step), text: run.taken.beginning + readable(pieces) })),
        words,
        theme,
      }),
    table: () => ({ header: words.header, rows: [...start, ...run.curve.points.map(({ from, to, loss, gradientNorm, tokens, ms }) => [from, to, loss, gradientNorm, tokens, ms, within(from, to)])] }),
  };
}
