// First figures of the widgets that take attention apart.
import { costFigure, costSentences } from '../draw/cost-figure.js';
import { headsFigure, headsSentences } from '../draw/heads-figure.js';
import { tokenLabels } from '../draw/label.js';
import { qkvFigure } from '../draw/qkv-figure.js';
import { scaleFigure } from '../draw/scale-figure.js';
import { escapeXml } from '../draw/escape.js';
import { languageOf, strings } from '../i18n/index.js';
import { parseTokens, usual as usualCost } from '../parts/cost-of.js';
import { askHeads, favourite, headsAt } from '../parts/heads-at.js';
import { askProjection, colourLimit, dotProduct, partNames, vectorsAt } from '../parts/projection.js';
import { experiments, keys, rows } from '../parts/scale-experiment.js';

/** A power of two from 1 to 1024. */
function readWidth(value = '64') {
  const d = Number(value);
  if (!Number.isInteger(Math.log2(d)) || d < 1 || d > 1024) throw new Error(`d must be a power of two from 1 to 1024, not "${value}"`);
  return d;
}

/** The text of a tag, tokens' place in it and the model's facts; throws Error for what the model does not have. */
async function openText(attributes, engine, integer) {
  const { text, model = 'builtin' } = attributes;
  if (!text) throw new Error('attribute text is missing');
  const { hash, config } = await engine.load(model);
  const layer = integer(attributes.layer, 'layer', 0);
  if (layer >= config.nLayer) throw new Error(`layer ${layer} is asked for, the model has layers 0 to ${config.nLayer - 1}`);
  const choose = (size) => {
    const position = integer(attributes.position, 'position', size - 1);
    if (position >= size) throw new Error(`position ${position} is asked for, the text has ${size} tokens`);
    return position;
  };
  const t = strings(attributes.lang);
  const caption = (size) => `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code> · ${escapeXml(t.tokens(size))}`;
  return { text, model, config, layer, choose, t, caption };
}

/** Makers by tag; `figure` frames a drawing, `integer` reads a whole number. */
export const workshopMakers = ({ figure, integer }) => ({
  async 'glassbox-cost'(attributes) {
    const [n, versus] = ['n', 'versus'].map((name) => {
      const count = parseTokens(attributes[name] ?? usualCost[name]);
      if (Number.isNaN(count)) throw new Error(`${name} must be a whole number from 1 to 100000, not "${attributes[name]}"`);
      return count;
    });
    const words = strings(attributes.lang).cost;
    const sentences = costSentences(n, versus, words, languageOf(attributes.lang) ?? 'zh');
    return figure({ theme: attributes.theme, draw: (theme) => costFigure({ n, versus, words, sentences, theme }), drawNarrow: (theme) => costFigure({ n, versus, words, sentences, theme, width: 340 }), caption: escapeXml(words.source) });
  },

  async 'glassbox-heads'(attributes, engine) {
    const { text, model, layer, choose, t, caption } = await openText(attributes, engine, integer);
    const asked = await askHeads(engine, text, { model, layer });
    const labels = tokenLabels(asked.tokens, asked.bytes);
    const position = choose(labels.length);
    const view = headsAt({ ...asked, position });
    const words = t.heads;
    const sentences = headsSentences({ view, labels, position, layer, favourite: favourite(view.heads), words });
    return figure({ theme: attributes.theme, draw: (theme) => headsFigure({ view, labels, position, layer, sentences, words, theme }), drawNarrow: (theme) => headsFigure({ view, labels, position, layer, sentences, words, theme, width: 340 }), caption: caption(labels.length) });
  },

  async 'glassbox-qkv'(attributes, engine) {
    const { text, model, config, layer, choose, t, caption } = await openText(attributes, engine, integer);
    const head = integer(attributes.head, 'head', 0);
    if (head >= config.nHead) throw new Error(`head ${head} is asked for, the model has heads 0 to ${config.nHead - 1}`);
    const { part = 'q' } = attributes;
    if (!partNames.includes(part)) throw new Error(`part must be q, k or v, not "${part}"`);
    const asked = await askProjection(engine, text, { model, layer, head });
    const labels = tokenLabels(asked.tokens, asked.bytes);
    const position = choose(labels.length);
    const vectors = vectorsAt(asked, position);
    const { weight, bias } = asked.matrices[part];
    const [channels, depth] = weight.shape;
    const index = integer(attributes.index, 'index', 0);
    if (index >= depth) throw new Error(`index ${index} is asked for, ${part} has ${depth} numbers`);
    const words = t.qkv;
    const drawn = {
      vectors,
      matrices: asked.matrices,
      limit: colourLimit(partNames.map((name) => asked.matrices[name].weight)),
      // One matrix keeps the page small; the other two come with the live figure.
      parts: [part],
      part,
      index,
      made: dotProduct({ x: vectors.x, weight, bias, column: index, exact: vectors[part][index] }),
      words,
      title: words.titleAt(labels[position], layer, head),
      sentence: words.sentence({ token: labels[position], layer, head, channels, depth }),
    };
    return figure({ theme: attributes.theme, draw: (theme) => qkvFigure({ ...drawn, theme }), drawNarrow: (theme) => qkvFigure({ ...drawn, theme, width: 340 }), caption: caption(labels.length) });
  },

  async 'glassbox-scale'(attributes, engine) {
    const d = readWidth(attributes.d);
    const seed = integer(attributes.seed, 'seed', 1);
    const words = strings(attributes.lang).scale;
    const runs = await experiments(engine, seed);
    return figure({
      theme: attributes.theme,
      draw: (theme) => scaleFigure({ runs, d, keys, words, theme, width: 720 }),
      drawNarrow: (theme) => scaleFigure({ runs, d, keys, words, theme, width: 340 }),
      caption: escapeXml(words.source(rows, keys, seed)),
    });
  },
});
