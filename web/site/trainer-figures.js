// First figures of glassbox-trainer: a short training run, really done while the site is built.
import { countOf, rateText } from '../parts/trainer-numbers.js';
import { Curve } from '../parts/curve.js';
import { lookInside } from '../parts/training-look.js';
import { readTraining, takeFromText } from '../parts/training.js';
import { trainingFigure } from '../draw/training-figure.js';
import { escapeXml } from '../draw/escape.js';
import { grouped } from '../draw/large-number.js';
import { languageOf, strings } from '../i18n/index.js';

const mostSteps = 100; // enough to see the loss fall; the reader's browser does the rest
const widths = { wide: 974, narrow: 348 };
const runs = new Map();

/** engine as lookInside asks it: an EngineSession, which takes models with their names. */
const asClient = (engine) => ({
  addModel: async (file) => {
    engine.addModel('memory:first', 'first', file);
    return { name: 'memory:first' };
  },
  removeModel: (name) => engine.removeModel(name),
  load: (name) => engine.load(name),
  generate: (text, options) => engine.generate(text, options),
  embedding: (options) => engine.embedding(options),
  trace: (text, options) => engine.trace(text, options),
});

async function textOf(settings, text) {
  if (settings.corpus === 'own') return text ?? '';
  const { trainingTexts } = await import('../../tools/builtin-corpus/training-texts.mjs');
  return trainingTexts().find(({ lang }) => lang === settings.corpus).text;
}

/** → { info, curve: a Curve, taken, samples: [{ step, pieces }] } of the first steps of a run. */
async function train(engine, settings, text, heldOut) {
  const { vocabSize, tokensPerStep, layers, width, heads, context } = settings.size;
  const session = await engine.openTraining();
  const info = await session.open({ text, heldOut, size: { layers, width, heads, context }, vocabSize, tokensPerStep, learningRate: settings.learningRate, seed: settings.seed });
  const curve = new Curve();
  if (info.heldOut !== null) curve.addHeldOut(0, info.heldOut);
  const taken = takeFromText(text);
  const client = asClient(engine);
  const samples = [{ step: 0, ...(await lookInside(client, session.model(), taken)) }];
  const steps = Math.min(mostSteps, settings.steps);
  for (let step = 0; step < steps; step += 1) {
    const { learningRate: _, ...report } = session.step();
    curve.add(report);
  }
  samples.push({ step: steps, ...(await lookInside(client, session.model(), taken)) });
  return { info, curve, taken, samples };
}

/** Makers by tag; `figure` frames a drawing. */
export const trainerMakers = ({ figure }) => ({
  async 'glassbox-trainer'(attributes, engine) {
    // The smallest size unless one is asked for: a build is not to wait for it.
    const language = languageOf(attributes.lang) ?? 'zh';
    const asked = { ...attributes, language, size: attributes.size ?? 'tiny', learningRate: attributes['learning-rate'], sampleEvery: attributes['sample-every'] };
    const { bad, ...settings } = readTraining(asked);
    if (bad.length) throw new Error(`not to be read: ${bad.join(', ')}`);
    const words = strings(language).trainer;
    const key = JSON.stringify([settings, attributes.text ?? null, attributes['held-out'] ?? null]);
    if (!runs.has(key)) runs.set(key, textOf(settings, attributes.text).then((text) => train(engine, settings, text, attributes['held-out'])));
    const { info, curve, taken, samples } = await runs.get(key);
    const steps = curve.last;
    const readable = (pieces) => pieces.filter((piece) => typeof piece === 'string').join('').replace(/\s+/g, ' ');
    const drawn = {
      ...curve.toJSON(),
      chance: Math.log(info.vocabSize),
      log: attributes.axis === 'log',
      title: words.firstTitle({ steps: grouped(steps), layers: info.size.layers, width: info.size.width }),
      samples: samples.map(({ step, pieces }) => ({ name: words.sampleAt(step), text: taken.beginning + readable(pieces) })),
      words,
    };
    const caption = [words.corpora[settings.corpus], words.parameters(countOf(info.parameters, language)), `${words.rate} ${rateText(settings.learningRate)}`, words.firstNote(settings.seed)];
    return figure({
      theme: attributes.theme,
      draw: (theme) => trainingFigure({ ...drawn, theme, width: widths.wide }),
      drawNarrow: (theme) => trainingFigure({ ...drawn, theme, width: widths.narrow }),
      caption: caption.map(escapeXml).join(' · '),
    });
  },
});
