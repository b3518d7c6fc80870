// First figures: what stands inside a widget's tag before the engine is there, with scripts off, in a feed reader and in print.
// The numbers come from the same engine that the page runs, asked at build time.
import { arcsFigure } from '../draw/arcs.js';
import { attentionFigure, attentionPairFigure } from '../draw/attention-figure.js';
import { escapeXml } from '../draw/escape.js';
import { stepsFigure } from '../draw/steps-figure.js';
import { agentMakers } from './agent-figures.js';
import { answerMakers } from './answer-figures.js';
import { contextMakers } from './context-figures.js';
import { guessMakers } from './guess-figures.js';
import { runMakers } from './run-figures.js';
import { scalingMakers } from './scaling-figures.js';
import { tokenMakers } from './token-figures.js';
import { trainingMakers } from './training-figures.js';
import { trainerMakers } from './trainer-figures.js';
import { transformerMakers } from './transformer-figures.js';
import { vectorMakers } from './vector-figures.js';
import { workshopMakers } from './workshop-figures.js';

const words = {
  zh: {
    place: (layer, head) => `第 ${layer} 层第 ${head} 头`,
    title: (place) => `注意力的权重：${place}`,
    texts: ['第一句', '第二句'],
    model: '模型',
    tokens: (count) => `${count} 个 token`,
    byHand: '手算，没有模型',
    grids: ['互相都能看', '只能往回看'],
  },
  en: {
    place: (layer, head) => `layer ${layer}, head ${head}`,
    title: (place) => `Attention weights: ${place}`,
    texts: ['First text', 'Second text'],
    model: 'Model',
    tokens: (count) => `${count} token${count === 1 ? '' : 's'}`,
    byHand: 'By hand, no model',
    grids: ['Every word sees every word', 'Only backwards'],
  },
};
const wordsFor = ({ lang }) => (lang?.startsWith('en') ? words.en : words.zh);

const integer = (value, name, fallback) => {
  if (value === undefined) return fallback;
  if (!/^\d+$/.test(value)) throw new Error(`${name} must be a whole number from 0, not "${value}"`);
  return Number(value);
};

const matrix = (value, name) => {
  if (value === undefined) throw new Error(`attribute ${name} is missing`);
  const rows = JSON.parse(value);
  const whole = Array.isArray(rows) && rows.length > 0 && rows.every((row) => Array.isArray(row) && row.length === rows[0].length && row.every(Number.isFinite));
  if (!whole) throw new Error(`${name} must be a matrix such as [[1,0],[0,1]], not ${value}`);
  return rows;
};

/** Head `head` of an activation (H,T,S) as a matrix { shape: [T, S], data }. */
function pickHead({ shape: [heads, rows, columns], data }, head) {
  if (head >= heads) throw new Error(`head ${head} is asked for, the model has heads 0 to ${heads - 1}`);
  return { shape: [rows, columns], data: data.slice(head * rows * columns, (head + 1) * rows * columns) };
}

/** Room for a drawing on a phone, in px. */
const phoneWidth = 330;

let drawn = 0;

const textLine = '<text x="[^"]*" y="[^"]*"';
const textRest = '>(?:(?!</text>).)*</text>';
const textRun = new RegExp(`${textLine}((?: (?:font-size|text-anchor|font-weight|fill)="[^"]*")+)${textRest}(?:${textLine}\\1${textRest})+`, 'g');

/** Texts in one style that follow one another stand in a group that says the style once. */
const groupTexts = (svg) => svg.replace(textRun, (run, style) => `<g${style}>${run.replaceAll(new RegExp(`(${textLine})${style}>`, 'g'), '$1>')}</g>`);

/**
 * A standalone drawing fitted for a page that holds several: ids of its own, and no style attribute, which a strict
 * Content-Security-Policy refuses (the page's style sizes the drawing).
 */
function fit(svg) {
  drawn += 1;
  return groupTexts(svg)
    .replace(/^(<svg[^>]*?) style="[^"]*"/, '$1')
    .replace(/\bid="([^"]+)"/g, `id="f${drawn}-$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#f${drawn}-$1)`);
}

const leastShared = 80; // characters of shapes from which one copy and a reference are shorter than two copies

// What takes the room of a drawing: shapes in a group, and long paths. Their places may be shared; colours that are told outside of them differ.
const groupOfShapes = /<g([^>]*)>((?:<(?:path|rect|circle) [^>]*\/>)+)<\/g>/g;
const pathAlone = /<path (d="[^"]*")([^>]*)\/>/g;

let shared = 0;

/** The drawings with what `pattern` finds in several places written once, in the first of them; take(match) → { body, style }, name(id, body) → the body with an id. */
function shareBodies(drawings, pattern, take, name) {
  const counts = new Map();
  for (const drawing of drawings) {
    for (const found of drawing.matchAll(pattern)) counts.set(take(found).body, (counts.get(take(found).body) ?? 0) + 1);
  }
  const ids = new Map();
  return drawings.map((drawing) =>
    drawing.replace(pattern, (...found) => {
      const { body, style } = take(found);
      if (counts.get(body) < 2 || body.length < leastShared) return found[0];
      if (ids.has(body)) return `<use href="#${ids.get(body)}"${style}/>`;
      ids.set(body, `s${(shared += 1)}`);
      return `<g${style}>${name(ids.get(body), body)}</g>`;
    }),
  );
}

/**
 * The drawings of one figure, whose themes differ in colours and whose widths in places: shapes that several of them have stand in the first, and the
 * others refer to them. The first one is shown where no style applies, so it needs no other.
 */
function shareShapes(drawings) {
  const grouped = shareBodies(drawings, groupOfShapes, ([, style, body]) => ({ body, style }), (id, body) => `<g id="${id}">${body}</g>`);
  return shareBodies(grouped, pathAlone, ([, body, style]) => ({ body, style }), (id, body) => `<path id="${id}" ${body}/>`);
}

/**
 * The drawing in both themes, of which the page's style shows the one in force; only one where the tag asks for it.
 * Where no style applies, as in a feed reader, the dark one stays hidden. `drawNarrow`, if given, draws it for phones.
 */
function figure({ theme, draw, drawNarrow, caption }) {
  const fixed = theme === 'light' || theme === 'dark' ? theme : null;
  const themes = fixed ? [fixed] : ['light', 'dark'];
  const drawings = shareShapes([draw, drawNarrow].filter(Boolean).flatMap((drawOne) => themes.map((one) => fit(drawOne(one)))));
  const themed = ([light, dark]) => (fixed ? light : `<div class="only-light">${light}</div><div class="only-dark" hidden>${dark}</div>`);
  const [wide, narrow] = [drawings.slice(0, themes.length), drawings.slice(themes.length)].map((some) => some.length && themed(some));
  const drawing = narrow ? `<div class="only-wide">${wide}</div><div class="only-narrow" hidden>${narrow}</div>` : wide;
  return `<figure class="first"${fixed ? ` data-theme="${fixed}"` : ''}>${drawing}<figcaption>${caption}</figcaption></figure>`;
}

/**
 * What the drawing of one head needs: the attributes of glassbox-attention → {tokens, bytes, weights, title, note}.
 * Throws Error for a layer or head that the model does not have, EngineError when the engine refuses.
 */
export async function attentionOf(attributes, engine) {
  const { text, model = 'builtin' } = attributes;
  if (!text) throw new Error('attribute text is missing');
  const layer = integer(attributes.layer, 'layer', 0);
  const head = integer(attributes.head, 'head', 0);
  const { hash, config } = await engine.load(model);
  if (layer >= config.nLayer) throw new Error(`layer ${layer} is asked for, the model has layers 0 to ${config.nLayer - 1}`);
  const name = `h.${layer}.attn.weights`;
  const { tokens, bytes, activations } = await engine.trace(text, { model, names: [name] });
  const w = wordsFor(attributes);
  const place = w.place(layer, head);
  const note = { model: `${w.model} ${model}`, hash, rest: `${place} · ${w.tokens(tokens.length)}` };
  return { tokens, bytes, weights: pickHead(activations[name], head), title: w.title(place), note };
}

const makers = {
  async 'glassbox-attention'(attributes, engine) {
    const { note, ...drawn } = await attentionOf(attributes, engine);
    const caption = `${escapeXml(note.model)} <code>${escapeXml(note.hash)}</code> · ${note.rest}`;
    const { theme: fixed, 'text-b': textB, view } = attributes;
    if (textB && view !== 'arcs') {
      const { note: _, ...second } = await attentionOf({ ...attributes, text: textB }, engine);
      const { texts } = wordsFor(attributes);
      const sides = [drawn, second].map((side, i) => ({ ...side, title: `${texts[i]} · ${side.title}` }));
      return figure({
        theme: fixed,
        draw: (theme) => attentionPairFigure({ sides, theme }),
        drawNarrow: (theme) => attentionPairFigure({ sides, theme, width: phoneWidth }),
        caption,
      });
    }
    const drawing = view === 'arcs' ? arcsFigure : attentionFigure;
    return figure({
      theme: attributes.theme,
      draw: (theme) => drawing({ ...drawn, theme }),
      drawNarrow: (theme) => drawing({ ...drawn, theme, width: phoneWidth }),
      caption,
    });
  },

  async 'glassbox-attention-steps'(attributes, engine) {
    const q = matrix(attributes.q, 'q');
    const k = attributes.k === undefined ? q : matrix(attributes.k, 'k');
    const v = matrix(attributes.v, 'v');
    const w = wordsFor(attributes);
    const scale = attributes.scale !== 'off';
    const labels = attributes.labels?.split(' ') ?? q.map((_, i) => String.fromCharCode(65 + i));
    const full = await engine.attentionSteps({ q, k, v, causal: false, scale });
    const causal = await engine.attentionSteps({ q, k, v, causal: true, scale });
    return figure({
      theme: attributes.theme,
      draw: (theme) => stepsFigure({ labels, full: full.weights, causal: causal.weights, titles: w.grids, theme }),
      drawNarrow: (theme) => stepsFigure({ labels, full: full.weights, causal: causal.weights, titles: w.grids, theme, width: phoneWidth }),
      caption: `${w.byHand} · d = ${q[0].length}`,
    });
  },
};

Object.assign(makers, agentMakers({ figure }), workshopMakers({ figure, integer }), tokenMakers({ figure, integer }), answerMakers({ figure }), vectorMakers({ figure }), guessMakers({ figure }), contextMakers({ figure }), runMakers({ figure }), scalingMakers({ figure }), trainerMakers({ figure }), transformerMakers({ figure, integer }), trainingMakers({ figure, integer }));

/** Tags that have a first figure. */
export const figureTags = Object.keys(makers);

/**
 * Makes the first figure of a widget.
 * @param {string} tag the element's name
 * @param {Record<string, string>} attributes as written in the lesson
 * @param {object} engine with the methods of EngineClient
 * @returns {Promise<string>} markup to stand inside the tag
 * @throws {Error} when the tag or an attribute is unknown or the engine refuses
 */
export async function figureFor(tag, attributes, engine) {
  const make = makers[tag];
  if (!make) throw new Error(`no first figure for this tag; known are ${figureTags.join(', ')}`);
  return make(attributes, engine);
}
