// First figures of the widgets about tokens.
import { tokensFigure } from '../draw/chips.js';
import { escapeXml } from '../draw/escape.js';
import { learnFigure } from '../draw/learn-figure.js';
import { formatNumber } from '../draw/number.js';
import { strings } from '../i18n/index.js';
import { mostMerges } from '../parts/learning.js';
import { chosenTokenizers, countCharacters, tokensOf } from '../parts/tokens-of.js';

const widths = { wide: 740, narrow: 340 };
const mostLines = 4; // of chips in one vocabulary: a first figure stays small

/** Makers by tag; `figure` frames a drawing, `integer` reads a whole number. */
export const tokenMakers = ({ figure, integer }) => ({
  async 'glassbox-tokens'(attributes, engine) {
    const words = strings(attributes.lang).pieces;
    const text = attributes.text ?? words.examples[0].text;
    if (!text) throw new Error('attribute text is empty');
    const { characters, textBytes, sides } = await tokensOf(engine, text, chosenTokenizers(attributes.tokenizer));
    const names = sides.map(({ name, size }) => words.vocabularyOf(name, formatNumber(size)));
    const drawn = sides.map((side, i) => ({
      ...side,
      title: `${names[i]} · ${words.count(formatNumber(side.count))}`,
      stats: words.rate(formatNumber(characters), formatNumber(textBytes), side.rate.toFixed(2)),
    }));
    const draw = (width) => (theme) => tokensFigure({ sides: drawn, title: words.figure(text.slice(0, 60)), words, theme, width, most: mostLines });
    return figure({ theme: attributes.theme, draw: draw(widths.wide), drawNarrow: draw(widths.narrow), caption: escapeXml(words.source(names)) });
  },

  async 'glassbox-bpe-trainer'(attributes, engine) {
    const words = strings(attributes.lang).learner;
    const text = attributes.text ?? words.examples[0].text;
    const learned = await engine.learnBpe(text, { most: mostMerges });
    const step = integer(attributes.step, 'step', 0);
    if (step > learned.merges.length) throw new Error(`step ${step} is asked for, the text gives ${learned.merges.length} merges`);
    const draw = (width) => (theme) => learnFigure({ learned, characters: countCharacters(text), step, words, theme, width });
    return figure({ theme: attributes.theme, draw: draw(widths.wide), drawNarrow: draw(widths.narrow), caption: escapeXml(words.source(formatNumber(learned.textBytes))) });
  },
});
