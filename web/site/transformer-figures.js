// First figures of the widgets about the whole model.
import { escapeXml } from '../draw/escape.js';
import { tokenLabel, tokenLabels } from '../draw/label.js';
import { lensFigure } from '../draw/lens-figure.js';
import { parametersFigure } from '../draw/parameters-figure.js';
import { mlpFigure, normFigure, pipelineFigure } from '../draw/pipeline-figure.js';
import { switchesFigure } from '../draw/switches-figure.js';
import { strings } from '../i18n/index.js';
import { askLens, lensSentence } from '../parts/lens.js';
import { countParameters, formatSizes, gpt2Sizes, parameterGroups, parseSizes, sizesOf } from '../parts/parameters.js';
import { askPipeline, neuronsAt, normAt, normNames, pipelineViews, streamAt } from '../parts/pipeline.js';
import { mlpSentence, normSentence, streamSentence } from '../parts/pipeline-sentences.js';
import { measureSwitches, parseSwitches, strangeness, switchSays } from '../parts/switches.js';

const wide = 940;
const narrow = 340;

/** Makers by tag; `figure` frames a drawing, `integer` reads a whole number. */
export const transformerMakers = ({ figure, integer }) => {
  const frame = (theme, draw, caption) => figure({ theme, draw: draw(wide), drawNarrow: draw(narrow), caption });
  const source = (t, model, hash, size) => `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code>${size ? ` · ${escapeXml(t.tokens(size))}` : ''}`;

  return {
    async 'glassbox-transformer'(attributes, engine) {
      const { model = 'builtin', lang, theme, view = 'pipeline', norm = 'ln_1', sizes: wanted } = attributes;
      if (!pipelineViews.includes(view)) throw new Error(`view must be one of ${pipelineViews.join(', ')}, not "${view}"`);
      if (!normNames.includes(norm)) throw new Error(`norm must be one of ${normNames.join(', ')}, not "${norm}"`);
      const t = strings(lang);
      const words = t.transformer;
      const { hash, config } = await engine.load(model);
      if (view === 'parameters') {
        const sizes = wanted === 'model' ? sizesOf(config) : wanted ? parseSizes(wanted) : gpt2Sizes[0];
        if (!sizes) throw new Error(`sizes must be "model" or "layers width vocabulary context", not "${wanted}"`);
        const known = gpt2Sizes.find((one) => formatSizes(one) === formatSizes(sizes));
        const name = wanted === 'model' ? t.model(model) : known?.name ?? words.own;
        const counted = countParameters(sizes);
        const draw = (width) => (side) => parametersFigure({ counted, groups: parameterGroups(counted), name, words, theme: side, width });
        return frame(theme, draw, escapeXml(words.sizeNote));
      }
      const text = attributes.text ?? words.prompts[0].text;
      if (!text) throw new Error('attribute text is empty');
      const layer = integer(attributes.layer, 'layer', 0);
      if (layer >= config.nLayer) throw new Error(`layer ${layer} is asked for, the model has layers 0 to ${config.nLayer - 1}`);
      const asked = await askPipeline(engine, text, { model, config, layer });
      const labels = tokenLabels(asked.tokens, asked.bytes);
      const position = integer(attributes.position, 'position', labels.length - 1);
      if (position >= labels.length) throw new Error(`position ${position} is asked for, the text has ${labels.length} tokens`);
      const { activations } = asked;
      const token = labels[position];
      const caption = source(t, model, hash, labels.length);
      if (view === 'norm') {
        const made = normAt(activations, { norm, layer, layers: config.nLayer, epsilon: config.layerNormEpsilon, position });
        return frame(theme, (width) => (side) => normFigure({ view: made, sentence: normSentence(made, words), name: words.normName(norm, layer, token), words, theme: side, width }), caption);
      }
      if (view === 'mlp') {
        const made = neuronsAt(activations, { layer, position, count: 6 });
        const neuron = integer(attributes.neuron, 'neuron', made.top[0].neuron);
        if (neuron >= made.pre.length) throw new Error(`neuron ${neuron} is asked for, the MLP has ${made.pre.length}`);
        return frame(theme, (width) => (side) => mlpFigure({ view: made, position, neuron, sentence: mlpSentence(made, { token, layer }, words), words, theme: side, width }), caption);
      }
      const guess = asked.guess.map(({ token: next, bytes, p }) => ({ label: tokenLabel(next, bytes), p }));
      const stations = streamAt(activations, config.nLayer, position);
      const sentence = streamSentence(stations, token, words);
      const draw = (width) => (side) => pipelineFigure({ asked: { activations, guess }, config, layer, position, label: labels.at(-1), stations, sentence, words, brief: true, theme: side, width });
      return frame(theme, draw, caption);
    },

    async 'glassbox-lens'({ text, model = 'builtin', position, lang, theme }, engine) {
      const t = strings(lang);
      const words = t.lens;
      const { hash } = await engine.load(model);
      const read = await askLens(engine, text ?? words.prompts[0].text, { model, position: integer(position, 'position', undefined) });
      const labels = tokenLabels(read.tokens, read.bytes);
      const shown = labels.slice(0, read.position + 1).slice(-40).join('').replaceAll('␣', ' ');
      const draw = (width) => (side) => lensFigure({ read, kept: 5, text: shown, sentence: lensSentence(read, words), words, theme: side, width });
      return frame(theme, draw, source(t, model, hash, labels.length));
    },

    async 'glassbox-switches'({ text, model = 'builtin', knockout, lang, theme }, engine) {
      const t = strings(lang);
      const words = t.switches;
      const { hash, config } = await engine.load(model);
      const { off, unknown } = parseSwitches(knockout, config);
      if (unknown.length) throw new Error(`the model has no ${unknown.join(' ')}`);
      const shown = text ?? words.prompts[0].text;
      const effect = await measureSwitches(engine, shown, { model, off });
      const strange = strangeness(off, config);
      const sentences = [switchSays(effect, off.size, words), ...(strange ? [words.strange[strange]] : [])];
      const draw = (width) => (side) => switchesFigure({ config, off, effect, text: shown, sentences, words, theme: side, width });
      return frame(theme, draw, source(t, model, hash));
    },
  };
};
