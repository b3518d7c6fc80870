// First figures of the widgets about training: one weight downhill, the loss of a prediction, what training keeps.
import { descentFigure } from '../draw/descent-figure.js';
import { escapeXml } from '../draw/escape.js';
import { tokenLabels } from '../draw/label.js';
import { lossFigure, lossSentences } from '../draw/loss-figure.js';
import { trainMemoryFigure } from '../draw/train-memory-figure.js';
import { strings } from '../i18n/index.js';
import { askModelLandscape, pointsLandscape, presetRates, readDescent, walk } from '../parts/descent.js';
import { descentSentences } from '../parts/descent-words.js';
import { askLosses, placeIn } from '../parts/loss.js';
import { cards, readSettings } from '../parts/train-memory.js';
import { memoryRows, memorySentences } from '../parts/train-memory-words.js';

// What a frame leaves free on a wide page and on a phone.
const widths = { wide: 974, narrow: 348 };

/** Makers by tag; `figure` frames a drawing, `integer` reads a whole number. */
export const trainingMakers = ({ figure, integer }) => {
  const frame = (theme, draw, caption) => figure({ theme, draw: draw(widths.wide), drawNarrow: draw(widths.narrow), caption });
  const source = (t, model, hash, size) => `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code> · ${escapeXml(t.tokens(size))}`;

  return {
    async 'glassbox-descent'(attributes, engine) {
      const t = strings(attributes.lang);
      const words = t.descent;
      const { of = 'points', model = 'builtin', theme } = attributes;
      if (!['points', 'model'].includes(of)) throw new Error(`of must be points or model, not "${of}"`);
      const { bad, ...settings } = readDescent(attributes);
      if (bad.length) throw new Error(`not to be read: ${bad.join(', ')}`);
      if (of === 'points') {
        const landscape = pointsLandscape(settings.points);
        const walked = walk(landscape, { ...settings, w: settings.w ?? 0 });
        const sentences = descentSentences({ landscape, walked, ...settings, words });
        return frame(theme, (width) => (side) => descentFigure({ landscape, walked, sentences, title: words.titles.points, words, theme: side, width, pad: 1 }), escapeXml(words.byHand));
      }
      const text = attributes.text ?? words.texts[0].text;
      if (!text) throw new Error('attribute text is empty');
      const { hash, config } = await engine.load(model);
      const index = integer(attributes.index, 'index', 0);
      if (index >= config.nEmbd) throw new Error(`index ${index} is asked for, the model has ${config.nEmbd} such weights`);
      const asked = await askModelLandscape(engine, text, { model, config, index });
      if (asked.few) throw new Error('the text has only one token');
      const { landscape, tokens, bytes } = asked;
      const [from, to] = landscape.range;
      const rate = attributes.rate === undefined ? presetRates(landscape).good : settings.rate;
      const now = { ...settings, rate };
      const walked = walk(landscape, { ...now, w: settings.w ?? from + 0.1 * (to - from) });
      const labels = tokenLabels(tokens, bytes).slice(1);
      const losses = landscape.losses(walked.path.at(-1).w);
      const sentences = descentSentences({ landscape, walked, ...now, words });
      const title = `${words.titles.model}：${words.which(index)}`;
      return frame(theme, (width) => (side) => descentFigure({ landscape, walked, labels, losses, sentences, title, words, theme: side, width, pad: 1 }), source(t, model, hash, tokens.length));
    },

    async 'glassbox-loss'(attributes, engine) {
      const t = strings(attributes.lang);
      const words = t.loss;
      const { text = words.prompts[0].text, model = 'builtin', theme } = attributes;
      if (!text) throw new Error('attribute text is empty');
      if (attributes.answer) throw new Error('answer is for readers: a lesson shows what stands in the text');
      const { hash } = await engine.load(model);
      const read = await askLosses(engine, text, { model });
      if (read.few) throw new Error('the text has only one token');
      const own = read.places[placeIn(read.places, attributes.position)];
      const points = [...own.candidates.filter(({ id }) => id !== own.id).map((one) => ({ ...one, chosen: false })), { ...own, chosen: true }];
      const sentences = lossSentences({ read, one: own, before: read.labels[own.at - 1], words });
      return frame(theme, (width) => (side) => lossFigure({ read, points, sentences, words, theme: side, width, pad: 1 }), source(t, model, hash, read.tokens.length));
    },

    async 'glassbox-train-memory'(attributes) {
      const words = strings(attributes.lang).trainMemory;
      const { changed, parameters, scheme, card: called } = readSettings(attributes);
      if (changed) throw new Error('parameters, scheme or card can not be read');
      const card = cards.find(({ name }) => name === called);
      const drawn = memoryRows({ parameters, scheme, card, words });
      const sentences = memorySentences({ parameters, scheme, card, words });
      return frame(attributes.theme, (width) => (side) => trainMemoryFigure({ ...drawn, sentences, words, theme: side, width, pad: 1 }), escapeXml(`${words.source} · ${words.cards[card.source]}`));
    },
  };
};
