// First figures of the widgets that take attention apart.
import { scaleFigure } from '../draw/scale-figure.js';
import { escapeXml } from '../draw/escape.js';
import { strings } from '../i18n/index.js';
import { experiments, keys, rows } from '../parts/scale-experiment.js';

/** A power of two from 1 to 1024. */
function readWidth(value = '64') {
  const d = Number(value);
  if (!Number.isInteger(Math.log2(d)) || d < 1 || d > 1024) throw new Error(`d must be a power of two from 1 to 1024, not "${value}"`);
  return d;
}

/** Makers by tag; `figure` frames a drawing, `integer` reads a whole number. */
export const workshopMakers = ({ figure, integer }) => ({
  async 'glassbox-scale'(attributes, engine) {
    const d = readWidth(attributes.d);
    const seed = integer(attributes.seed, 'seed', 1);
    const words = strings(attributes.lang).scale;
    const runs = await experiments(engine, seed);
    return figure({
      theme: attributes.theme,
      draw: (theme) => scaleFigure({ runs, d, keys, words, theme, width: 720 }),
      caption: escapeXml(words.source(rows, keys, seed)),
    });
  },
});
