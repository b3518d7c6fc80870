// First figures of glassbox-generate: what the engine counts in a run. Times are the reader's machine's to measure, so none stand here.
import { escapeXml } from '../draw/escape.js';
import { formatBytes } from '../draw/bytes.js';
import { grouped } from '../draw/large-number.js';
import { textEnd } from '../draw/next-token-figure.js';
import { formatNumber } from '../draw/number.js';
import { cacheShapes, generationFigure, laneShapes } from '../draw/timeline-figure.js';
import { strings } from '../i18n/index.js';
import { readRun, totalOf, views } from '../parts/generation.js';

// What a frame leaves free on a wide page and on a phone.
const widths = { wide: 974, narrow: 348 };

/** Steps as bars on the axis of what they count, one after the other. */
function barsOf(steps, unit) {
  let at = 0;
  return steps.map(({ kind, multiplyAdds }) => {
    const from = at;
    at += multiplyAdds / unit;
    return { kind, from, to: at };
  });
}

/** Makers by tag; `figure` frames a drawing. */
export const runMakers = ({ figure }) => ({
  async 'glassbox-generate'(attributes, engine) {
    const t = strings(attributes.lang);
    const words = t.generate;
    const { text = words.prompts[0].text, model = 'builtin', theme } = attributes;
    if (!text) throw new Error('attribute text is empty');
    const view = attributes.view ?? views[0];
    if (!views.includes(view)) throw new Error(`view must be one of ${views.join(', ')}, not "${view}"`);
    const { bad, ...settings } = readRun({ ...attributes, maxTokens: attributes['max-tokens'], topK: attributes['top-k'], topP: attributes['top-p'] });
    if (bad.length) throw new Error(`not to be read: ${bad.join(', ')}`);
    const { hash, config, kvCacheBytesPerToken: perToken } = await engine.load(model);
    const run = await engine.generate(text, { ...settings, model });
    const { steps } = run;
    const [size, unit] = attributes.lang?.startsWith('en') ? [1e6, 'million'] : [1e4, '万次'];
    const decodes = steps.slice(1);
    const count = (list) => `${formatNumber(Math.round(totalOf(list).multiplyAdds / size))} ${unit}`;
    const lanes = {
      line: () => {
        const bars = barsOf(steps, size);
        return [
          { name: words.countedLanes.prefill(steps[0].tokens), value: count(steps.slice(0, 1)), bars: bars.slice(0, 1) },
          { name: words.countedLanes.decode(decodes.length), value: count(decodes), bars: bars.slice(1) },
        ];
      },
      race: (off) => [[steps, 'on'], [off, 'off']].map(([list, side]) => ({ name: words.countedLanes[side], value: count(list), bars: barsOf(list, size) })),
    };
    const off = view === 'race' ? (await engine.generate(text, { ...settings, model, cache: false })).steps : [];
    let draw;
    let lines = [words.notMeasured, words.countedNote({ weights: formatBytes(steps.at(-1).weightBytes), perToken: formatBytes(perToken) })];
    if (view === 'cache') {
      const at = attributes.step === undefined ? steps.length - 1 : Math.min(steps.length, Math.max(1, Math.trunc(Number(attributes.step)) || 1)) - 1;
      const used = steps[at].cacheBytes / perToken;
      const fresh = Math.min(used, at);
      draw = (room) => cacheShapes({ prompt: used - fresh, fresh, capacity: config.nPositions, ...room });
      lines = [words.cacheNow({ used, bytes: formatBytes(used * perToken), capacity: grouped(config.nPositions), whole: formatBytes(config.nPositions * perToken) }), words.perToken({ layers: config.nLayer, width: config.nEmbd, bytes: grouped(perToken) })];
    } else {
      const listed = lanes[view === 'race' ? 'race' : 'line'](off);
      const end = Math.max(...listed.map(({ bars }) => bars.at(-1)?.to ?? 0));
      draw = (room) => laneShapes({ lanes: listed, end, unit, ...room });
    }
    const drawn = { title: view === 'cache' ? words.titles.cache : `${words.titles[view]} · ${words.counts}`, text: `${textEnd(text, 120)}${run.text}`.replace(/\s+/g, ' '), draw, lines };
    return figure({
      theme,
      draw: (one) => generationFigure({ ...drawn, theme: one, width: widths.wide, pad: 1 }),
      drawNarrow: (one) => generationFigure({ ...drawn, theme: one, width: widths.narrow, pad: 1 }),
      caption: `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code> · ${escapeXml(t.tokens(steps[0].tokens))}`,
    });
  },
});
