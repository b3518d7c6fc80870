// First figures of glassbox-scaling.
import { readFile } from 'node:fs/promises';
import { escapeXml } from '../draw/escape.js';
import { scalingFigure } from '../draw/scaling-figure.js';
import { languageOf, strings } from '../i18n/index.js';
import { fitSmallest, readRuns } from '../parts/scaling-runs.js';
import { readSettings } from '../parts/scaling-settings.js';
import { sentencesFor } from '../parts/scaling-words.js';

const widths = { wide: 974, narrow: 348 };

/** Our measured runs, as the project keeps them. */
export const measuredRuns = async () => readRuns(JSON.parse(await readFile(new URL('scaling.json', import.meta.url), 'utf8')));

/** Makers by tag; `figure` frames a drawing. */
export const scalingMakers = ({ figure }) => ({
  async 'glassbox-scaling'(attributes) {
    const language = languageOf(attributes.lang) ?? 'zh';
    const words = strings(language).scaling;
    const runs = await measuredRuns();
    const { changed, ...settings } = readSettings(attributes, runs);
    if (changed) throw new Error('view, law, n, d, c, fit, floor, per or run can’t be used');
    const count = settings.fit;
    const state = { ...settings, count, runs, fit: fitSmallest(runs.family, count, { floor: settings.floor === 'on' }) };
    const { view } = state;
    const says = sentencesFor(state, words, language);
    const draw = (width) => (theme) => scalingFigure({ state, says, words, caption: view === 'law' ? words.formulas[state.law] : '', language, theme, width, pad: 1 });
    const caption = view === 'law' || view === 'split' ? words.quotedFormula : `${words.oursSource} · ${words.command(runs.command)}`;
    return figure({ theme: attributes.theme, draw: draw(widths.wide), drawNarrow: draw(widths.narrow), caption: escapeXml(caption) });
  },
});
