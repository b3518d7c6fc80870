// First figures of the widgets that ask what the model answers: knock-outs, the kitten sentence, checks.
import { escapeXml } from '../draw/escape.js';
import { kittenFigure } from '../draw/kitten-figure.js';
import { knockoutFigure } from '../draw/knockout-figure.js';
import { strings } from '../i18n/index.js';
import { showValue } from '../parts/check.js';
import { measureKitten } from '../parts/kitten.js';
import { formatKnockout, measureSide, parseKnockout, sweepAll } from '../parts/knockout.js';
import { evaluateExpression, resolveKnockout } from '../parts/measure.js';

const widths = { wide: 740, narrow: 340 };
// What a frame leaves free on a wide page and on a phone, so that the live figure takes the same room.
const kittenWidths = { wide: 974, narrow: 348 };

/**
 * The makers of these tags, to stand among those of figures.js.
 * figure({ theme, draw(theme), drawNarrow(theme), caption }) → markup
 */
export const answerMakers = ({ figure }) => ({
  /** The computed answer of a check with `value`. */
  async 'glassbox-check'({ value, text, 'text-b': textB, model, knockout, unit, step }, engine) {
    if (!text) throw new Error('attribute text is missing');
    const computed = await evaluateExpression(engine, value, { model, text, textB, knockout });
    return escapeXml(typeof computed === 'number' ? showValue(computed, unit, Number(step) || undefined) : computed);
  },

  async 'glassbox-kitten'(attributes, engine) {
    const t = strings(attributes.lang);
    const { text, 'text-b': textB, word, model = 'builtin', theme, side } = attributes;
    const pair = text === undefined ? t.kitten.pair : [text, textB];
    if (pair.some((given) => !given)) throw new Error('text and text-b are needed');
    const measured = await measureKitten(engine, pair, { model, word });
    if (!measured) throw new Error('text and text-b are no pair that this figure can show');
    const draw = (width) => (drawnTheme) => kittenFigure({ ...measured, index: side === 'b' ? 1 : 0, words: t.kitten, theme: drawnTheme, width, pad: 1 });
    return figure({
      theme,
      draw: draw(kittenWidths.wide),
      drawNarrow: draw(kittenWidths.narrow),
      caption: `${escapeXml(t.model(model))} <code>${escapeXml(measured.hash)}</code> · ${escapeXml(t.kitten.where(measured.layer, measured.head))} · ${escapeXml(t.tokens(measured.sides[0].labels.length))}`,
    });
  },

  async 'glassbox-knockout'(attributes, engine) {
    const t = strings(attributes.lang);
    const [first] = t.knockout.prompts;
    const { text = first.text, model = 'builtin', knockout = '', theme } = attributes;
    const textB = attributes['text-b'] ?? (attributes.text === undefined ? first.textB : '');
    const texts = [text, textB].filter((given) => given !== '');
    if (!texts.length) throw new Error('attributes text and text-b are both empty');
    const { hash, config } = await engine.load(model);
    const named = await resolveKnockout(engine, knockout, { model, text: texts[0], textB: texts[1] ?? texts[0] });
    const out = parseKnockout(named, config);
    if (out.unknown.length) throw new Error(`knockout: the model has no ${out.unknown.join(' ')}`);
    const sides = [];
    for (const given of texts) sides.push(await measureSide(engine, given, { model, layers: config.nLayer, knockout: formatKnockout(out) ?? '' }));
    const ranking = attributes.sweep === 'on' ? { rows: await sweepAll(engine, texts, { model, base: '' }) } : null;
    const draw = (width) => (drawnTheme) => knockoutFigure({ config, sides, out, ranking, words: t.knockout, theme: drawnTheme, width });
    return figure({
      theme,
      draw: draw(widths.wide),
      drawNarrow: draw(widths.narrow),
      caption: `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code> · ${escapeXml(t.knockout.tokens(sides.map(({ labels }) => labels.length)))}`,
    });
  },
});
