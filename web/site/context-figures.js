// First figures of the widgets of the lesson on the context window.
import { contextFigure } from '../draw/context-figure.js';
import { escapeXml } from '../draw/escape.js';
import { kvFigure } from '../draw/kv-figure.js';
import { prefillFigure } from '../draw/prefill-figure.js';
import { languageOf, strings } from '../i18n/index.js';
import { languageFor, measureContext, measureCurve, promptOf, prompts, readFiller } from '../parts/context.js';
import { contextSentences } from '../parts/context-words.js';
import { builtinRow, kvModels, readSettings } from '../parts/kv-models.js';
import { kvSentences } from '../parts/kv-words.js';
import { countedWork, readMost } from '../parts/prefill-time.js';
import { workSentence } from '../parts/prefill-words.js';

// What a frame leaves free on a wide page and on a phone.
const widths = { wide: 974, narrow: 348 };

/** Makers by tag; `figure` frames a drawing. */
export const contextMakers = ({ figure }) => ({
  async 'glassbox-context'(attributes, engine) {
    const t = strings(attributes.lang);
    const words = t.context;
    const first = prompts.find(({ language }) => language === (attributes.lang?.startsWith('en') ? 'en' : 'zh'));
    const { model = 'builtin', theme } = attributes;
    const fact = attributes.fact ?? first.fact(first.values[0]);
    const question = attributes.question ?? (attributes.fact === undefined ? first.question : '');
    if (!fact.trim() && !question.trim()) throw new Error('attributes fact and question are both empty');
    const { value: count, changed } = readFiller(attributes.filler, languageFor(fact, question));
    if (changed) throw new Error(`filler must be a number of sentences that there are, not "${attributes.filler}"`);
    const known = promptOf(fact, question);
    const measured = await measureContext(engine, { fact, question, count, model, value: known?.prompt.values[known.index] ?? null });
    const result = { ...measured, curve: measured.reference ? await measureCurve(engine, { fact, question, model, reference: measured.reference }) : null };
    const draw = (width) => (one) => contextFigure({ result, sentences: contextSentences(result, words), words, theme: one, width, pad: 1 });
    return figure({
      theme,
      draw: draw(widths.wide),
      drawNarrow: draw(widths.narrow),
      caption: `${escapeXml(t.model(model))} <code>${escapeXml(measured.hash)}</code> · ${escapeXml(t.tokens(measured.total))}`,
    });
  },

  async 'glassbox-context-cost'({ most, model = 'builtin', lang, theme }, engine) {
    const t = strings(lang);
    const words = t.prefill;
    const { config, hash } = await engine.load(model);
    const { value: longest, changed } = readMost(most, config.nPositions);
    if (changed) throw new Error(`most must be a whole number up to ${config.nPositions}, not "${most}"`);
    const sentences = { work: [workSentence(config, longest, words)], time: [] };
    const draw = (width) => (one) => prefillFigure({ work: (n) => countedWork(config, n), longest, sentences, words, language: languageOf(lang) ?? 'zh', theme: one, width, pad: 1 });
    return figure({ theme, draw: draw(widths.wide), drawNarrow: draw(widths.narrow), caption: `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code>` });
  },

  async 'glassbox-kv-memory'(attributes, engine) {
    const words = strings(attributes.lang).kv;
    const settings = readSettings(attributes);
    if (settings.changed) throw new Error('n, bits or model can’t be used');
    const { config } = await engine.load('builtin');
    const models = [{ ...builtinRow(config), id: 'builtin', title: words.builtin }, ...kvModels.map((model) => ({ ...model, id: model.name, title: model.name }))];
    const chosen = models.find(({ id }) => id === settings.model);
    const { n, bits } = settings;
    const draw = (width) => (one) => kvFigure({ models, n, bits, chosen, sentences: kvSentences(chosen, n, bits, words), words, theme: one, width, pad: 1 });
    return figure({ theme: attributes.theme, draw: draw(widths.wide), drawNarrow: draw(widths.narrow), caption: escapeXml(words.source) });
  },
});
