// Functions for expressions in prose about training. See numbers.mjs.
import { readFile } from 'node:fs/promises';
import { askModelLandscape, pointsLandscape, presetRates, usualPoints, walk } from '../parts/descent.js';
import { askLosses } from '../parts/loss.js';
import { bytesPerParameter, cards, cardsFor, schemes } from '../parts/train-memory.js';
import { remember } from './number-asks.mjs';
import { fail } from './number-values.mjs';

const record = new URL('../models/builtin/training.json', import.meta.url);
const points = pointsLandscape(usualPoints);

const landscapeOf = (engine, text, index) =>
  remember(engine, `weight ${index} ${text}`, async () => {
    const { config } = await engine.load('builtin');
    if (index >= config.nEmbd) fail(`the model has ${config.nEmbd} such weights`);
    const { few, landscape } = await askModelLandscape(engine, text, { config, index });
    return few ? fail(`"${text}" is one token`) : landscape;
  });

export const trainingLibrary = {
  /** ln(x): the natural logarithm. */
  ln: [['number'], (_, x) => (x > 0 ? Math.log(x) : fail(`${x} has no logarithm`))],
  /** downhill(w, rate, steps): the walk of glassbox-descent over its three points → a list of { w, loss, slope }, the start first. downhill(w, rate, steps, true): a point a step. */
  downhill: [['number', 'number', 'count', 'truth?'], (_, w, rate, steps, one = false) => walk(points, { w, rate, steps, batch: one ? 'one' : 'all' }).path.map(({ w: at, loss, slope }) => ({ w: at, loss, slope }))],
  /** valley(): where that landscape is lowest { w, loss, border: the learning rate from which on it diverges }; slopes(w): of each point by itself; rates(): learning rates that show something { tiny, good, zigzag, huge }. */
  valley: [[], () => ({ ...points.least, border: 2 / points.curvature })],
  slopes: [['number'], (_, w) => usualPoints.map((__, i) => points.slope(w, i))],
  rates: [[], () => presetRates(points)],
  /** losses(text): of every token but the first { token, p, loss }; its mean by meanLoss(text). */
  losses: [['text'], async (engine, text) => (await remember(engine, `losses ${text}`, () => askLosses(engine, text))).places.map(({ label, p, loss }) => ({ token: label.replaceAll('␣', ' '), p, loss }))],
  meanLoss: [['text'], async (engine, text) => (await remember(engine, `losses ${text}`, () => askLosses(engine, text))).mean ?? fail(`"${text}" is one token`)],
  /** weightNow(text, index): a gain of the last LayerNorm → { now, loss, slope, least: where the text's loss is lowest, lowest: that loss }; weightLoss(text, index, w): the loss with another value. */
  weightNow: [['text', 'count'], async (engine, text, index) => {
    const landscape = await landscapeOf(engine, text, index);
    return { now: landscape.now, loss: landscape.loss(landscape.now), slope: landscape.slope(landscape.now), least: landscape.least.w, lowest: landscape.least.loss };
  }],
  weightLoss: [['text', 'count', 'number'], async (engine, text, index, w) => (await landscapeOf(engine, text, index)).loss(w)],
  /** trained(): how the built-in model was trained { steps, tokens, batch: tokens a step, stages: how many, seconds, corpus: its tokens, first, last: losses by which its record begins and ends }. */
  trained: [[], async () => {
    const { steps, tokens, seconds, corpus, settings, losses } = JSON.parse(await readFile(record, 'utf8'));
    const of = ({ step, loss, held_out: heldOut }) => ({ step, loss, heldOut });
    return { steps, tokens, seconds, batch: settings.tokens_per_step, stages: settings.stages.length, corpus: corpus.tokens, first: of(losses[0]), last: of(losses.at(-1)) };
  }],
  /** trainBytes(scheme): bytes a parameter, "mixed" or "single"; cards(bytes, name): how many hold so many. */
  trainBytes: [['text'], (_, scheme) => (Object.hasOwn(schemes, scheme) ? bytesPerParameter(scheme) : fail(`there is no scheme ${scheme}`))],
  cardsFor: [['number', 'text'], (_, bytes, called) => cardsFor(bytes, cards.find(({ name }) => name === called) ?? fail(`there is no card ${called}`))],
};
