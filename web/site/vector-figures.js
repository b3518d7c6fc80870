// First figures of the widgets about vectors: the embedding table, positions, one word in two sentences.
import { bankFigure } from '../draw/bank-figure.js';
import { positionsFigure } from '../draw/distance-figure.js';
import { embeddingFigure } from '../draw/embedding-figure.js';
import { escapeXml } from '../draw/escape.js';
import { strings } from '../i18n/index.js';
import { askPositions, positionsSentence, usualDistance } from '../parts/positions.js';
import { compareGroups, compareWord, groupsFor, sentencesOf } from '../parts/word-in-text.js';
import { askWords } from '../parts/word-vectors.js';

const wide = 940;
const narrow = 340;
const rowsDrawn = 8; // positions of the heat map and of the map of pairs: the whole tables would weigh more than the page
const neighbours = 8;

/** Makers by tag; `figure` frames a drawing. */
export const vectorMakers = ({ figure }) => ({
  async 'glassbox-embedding'({ text, token, model = 'builtin', lang, theme }, engine) {
    const t = strings(lang);
    const { hash, config } = await engine.load(model);
    const found = await askWords(engine, text ?? t.embedding.sets[0].text, { model, chosen: token ?? null, neighbours });
    if (!found?.chosen) throw new Error('attribute text holds no word');
    const draw = (width) => (side) => embeddingFigure({ found, rows: config.vocabSize, words: t.embedding, theme: side, width });
    const tokens = found.words.reduce((sum, { ids }) => sum + ids.length, 0);
    return figure({ theme, draw: draw(wide), drawNarrow: draw(narrow), caption: `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code> · ${escapeXml(t.tokens(tokens))}` });
  },

  async 'glassbox-positions'({ distance, model = 'builtin', lang, theme }, engine) {
    const t = strings(lang);
    const { hash } = await engine.load(model);
    const asked = await askPositions(engine, model);
    const rows = asked.byDistance.length;
    const d = Number(distance ?? usualDistance);
    if (!Number.isInteger(d) || d < 0 || d >= rows) throw new Error(`distance must be a whole number below ${rows}, not "${distance}"`);
    const draw = (width) => (side) => positionsFigure({ ...asked, rows: rowsDrawn, d, says: positionsSentence(asked, t.positions), words: t.positions, theme: side, width });
    return figure({ theme, draw: draw(wide), drawNarrow: draw(narrow), caption: `${escapeXml(t.model(model))} <code>${escapeXml(hash)}</code> · ${escapeXml(t.positions.places(rows))}` });
  },

  async 'glassbox-bank'({ word, text, 'text-b': textB, at, 'at-b': atB, 'group-a': groupA, 'group-b': groupB, stage, centre, model = 'builtin', lang, theme }, engine) {
    const t = strings(lang);
    const words = t.bank;
    const [usual] = words.prompts;
    const wanted = word ?? usual.word;
    const place = (raw) => (raw === undefined ? null : Number(raw));
    const compared = await compareWord(engine, { word: wanted, texts: [text ?? usual.text, textB ?? usual.textB], at: [place(at), place(atB)], model });
    if (!compared.stages.length) throw new Error(`a text does not hold "${wanted}" as whole tokens`);
    const { names, texts } = groupsFor(wanted, words);
    const groups = await compareGroups(engine, { word: wanted, groups: [groupA ?? texts[0], groupB ?? texts[1]].map(sentencesOf), model });
    const last = compared.stages.length - 1;
    const chosen = stage === undefined ? last : Number(stage);
    if (!(chosen >= 0 && chosen <= last)) throw new Error(`stage must be 0 to ${last}, not "${stage}"`);
    const draw = (width) => (side) => bankFigure({ compared, groups, names, stage: chosen, isCentred: centre !== 'off', word: wanted, only: [0, 1, last], words, theme: side, width });
    return figure({ theme, draw: draw(wide), drawNarrow: draw(narrow), caption: `${escapeXml(t.model(model))} <code>${escapeXml(compared.hash)}</code>` });
  },
});
