// First figures of the widgets of the first lesson: what may come next, and the softmax by hand.
import { escapeXml } from '../draw/escape.js';
import { tokenLabel } from '../draw/label.js';
import { nextTokenFigure } from '../draw/next-token-figure.js';
import { formatNumber } from '../draw/number.js';
import { softmaxFigure } from '../draw/softmax-figure.js';
import { strings } from '../i18n/index.js';
import { formatEdge, formatPlace, linePieces, readSettings } from '../parts/next-token.js';
import { parseScore, readTemperature, shownSteps, splitNames, splitScores, usualScores } from '../parts/softmax.js';

// What a frame leaves free on a wide page and on a phone.
const widths = { wide: 974, narrow: 348 };

/** Makers by tag; `figure` frames a drawing. */
export const guessMakers = ({ figure }) => ({
  async 'glassbox-next-token'(attributes, engine) {
    const t = strings(attributes.lang);
    const words = t.next;
    const { text = words.prompts[0].text, model = 'builtin', dice, theme } = attributes;
    if (!text) throw new Error('attribute text is empty');
    const settings = readSettings({ ...attributes, topK: attributes['top-k'], topP: attributes['top-p'] });
    if (settings.bad.length) throw new Error(`not to be read: ${settings.bad.join(', ')}`);
    const { hash } = await engine.load(model);
    const { added, temperature, topK, topP, seed, step, show } = settings;
    const sample = await engine.sample(text, { model, added, temperature, topK, topP, seed, step, top: Math.max(show, 60) });
    const label = ({ token, bytes }) => (token === '<|endoftext|>' ? words.end : tokenLabel(token, bytes));
    const isTempered = dice !== 'off' && temperature !== 0 && temperature !== 1;
    const p = (one) => (isTempered ? one.tempered : one.p);
    const rows = sample.candidates.slice(0, show).map((one) => ({ label: label(one), p: p(one), cut: dice !== 'off' && temperature !== 0 && one.rank >= sample.kept, drawn: dice !== 'off' && one.rank === sample.chosen.rank }));
    const { chosen, u, kept, vocabulary } = sample;
    const place = u === null ? '' : formatPlace(u, chosen.from, chosen.to);
    const line = dice === 'off' || u === null
      ? null
      : {
          pieces: linePieces(sample.candidates, chosen, kept).map((piece) => ({ ...piece, label: piece.rest ? '' : label(piece) })),
          u,
          flag: `${place} → ${label(chosen)}`,
          restLabel: words.tail,
          sentence: words.fell({ u: place, from: formatEdge(chosen.from), to: formatEdge(chosen.to), label: label(chosen), seed, nth: step + 1, kept, all: kept === vocabulary }),
        };
    const drawn = {
      text: text + new TextDecoder().decode(Uint8Array.from(sample.added.bytes.flat())),
      rows,
      rest: { count: vocabulary - rows.length, p: Math.max(0, 1 - rows.reduce((sum, row) => sum + row.p, 0)) },
      dice: line,
      words,
      heading: words.heading(formatNumber(vocabulary), isTempered ? String(temperature) : null),
    };
    return figure({
      theme,
      draw: (one) => nextTokenFigure({ ...drawn, theme: one, width: widths.wide, pad: 1 }),
      drawNarrow: (one) => nextTokenFigure({ ...drawn, theme: one, width: widths.narrow, pad: 1 }),
      caption: `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code> · ${escapeXml(t.tokens(sample.tokens))}`,
    });
  },

  async 'glassbox-softmax'(attributes, engine) {
    const words = strings(attributes.lang).softmax;
    const parsed = (attributes.scores === undefined ? usualScores.map(String) : splitScores(attributes.scores)).map(parseScore);
    if (!parsed.length || parsed.some(({ fault }) => fault) || parsed.every(({ value }) => value === -Infinity)) throw new Error(`scores must be numbers separated by commas, not "${attributes.scores}"`);
    const scores = parsed.map(({ value }) => value);
    const temperature = readTemperature(attributes.temperature);
    const own = splitNames(attributes.labels ?? '');
    const shown = shownSteps(scores, await engine.softmax(scores, { temperature }));
    const names = scores.map((_, i) => own[i] || words.names[i]);
    return figure({
      theme: attributes.theme,
      draw: (theme) => softmaxFigure({ names, shown, temperature, words, theme, width: widths.wide, pad: 1 }),
      drawNarrow: (theme) => softmaxFigure({ names, shown, temperature, words, theme, width: widths.narrow, pad: 1 }),
      caption: escapeXml(words.source),
    });
  },
});
