// First figures of the widget of the lesson on agents.
import { agentFigure } from '../draw/agent-figure.js';
import { escapeXml } from '../draw/escape.js';
import { strings } from '../i18n/index.js';
import { askedText, begin, cases, readSettings, replay, look, run } from '../parts/agent.js';
import { agentView } from '../parts/agent-view.js';

// What a frame leaves free on a wide page and on a phone.
const widths = { wide: 974, narrow: 348 };

/** Makers by tag; `figure` frames a drawing. */
export const agentMakers = ({ figure }) => ({
  async 'glassbox-agent'({ 'so-far': soFar, 'max-steps': maxSteps, added, ...attributes }, engine) {
    const language = attributes.lang?.startsWith('en') ? 'en' : 'zh';
    const { model = 'builtin', theme, text: question = cases[language][0].text } = attributes;
    const t = strings(language);
    const words = t.agent;
    if (!question.trim()) throw new Error('attribute text is empty');
    // A time that a reader sees must not be that of the build.
    const settings = readSettings({ clock: '14:05', ...attributes, maxSteps });
    if (settings.bad.length) throw new Error(`${settings.bad.join(', ')} can’t be used`);
    const { hash } = await engine.load(model);
    const asked = await askedText(engine, question);
    let state = soFar === undefined ? begin() : await replay(engine, asked, { transcript: soFar, added }, settings, { model });
    let view;
    let stopped = null;
    if (soFar === undefined) ({ state, view, stopped } = await run(engine, asked, state, settings, { model }));
    else view = await look(engine, asked, state, settings, model);
    const shown = agentView({ question, asked, state, view, stopped, settings: { ...settings, clock: attributes.clock ?? null }, words });
    const draw = (width) => (one) => agentFigure({ ...shown, words, theme: one, width, pad: 1 });
    return figure({ theme, draw: draw(widths.wide), drawNarrow: draw(widths.narrow), caption: `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code>` });
  },
});
