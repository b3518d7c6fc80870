// What a model in training writes and looks at, asked of the ordinary engine.
import { bytesLabel, tokenLabel } from '../draw/label.js';
import { mergeWeights, tokenUnits } from '../draw/units.js';
import { sampling } from './training.js';

const mostShown = 14; // characters and words of the grid
const control = /(?![\n\t])\p{Cc}/u; // single bytes that are characters, but none to be seen

/** Tokens' bytes as pieces: texts, and bytes that are no character to be read → [text or list of bytes]. */
export function piecesOf(bytes) {
  const pieces = [];
  for (const { start, end, text } of tokenUnits(bytes)) {
    const last = pieces.length - 1;
    if (text === null || control.test(text)) {
      const loose = bytes.slice(start, end).flatMap((one) => Array.from(one));
      if (Array.isArray(pieces[last])) pieces[last].push(...loose);
      else pieces.push(loose);
    } else if (typeof pieces[last] === 'string') pieces[last] += text;
    else pieces.push(text);
  }
  return pieces;
}

/**
 * Weights (H,T,T) of the first `most` units that tokens make, characters and words, as mergeWeights joins them → {shape: [H, n, n], data}. A token sees none that follow,
 * so nothing is lost.
 */
export function firstUnits({ shape: [heads, size], data }, units) {
  const n = units.length;
  const tokens = units.at(-1).end;
  const joined = new Float32Array(heads * n * n);
  for (let head = 0; head < heads; head += 1) {
    const cut = new Float32Array(tokens * tokens);
    for (let row = 0; row < tokens; row += 1) cut.set(data.subarray((head * size + row) * size, (head * size + row) * size + tokens), row * tokens);
    joined.set(mergeWeights(cut, tokens, units), head * n * n);
  }
  return { shape: [heads, n, n], data: joined };
}

// One after the other: two runs may have the same model, and one of them would take it out while the other looks.
let turn = Promise.resolve();

/**
 * Takes a model's file into the engine, lets it write on from `beginning` and read `short`, and takes it out again. engine: an EngineClient →
 * { pieces: what it wrote, labels: of the characters and words of `short`, layers: for each the weights between them {shape: [H, n, n], data} }. Rejects with EngineError.
 */
export function lookInside(engine, file, asked) {
  const mine = turn.then(() => look(engine, file, asked));
  turn = mine.catch(() => {});
  return mine;
}

async function look(engine, file, { beginning, short }) {
  const { name: model } = await engine.addModel(file);
  try {
    const { config } = await engine.load(model);
    const names = Array.from({ length: config.nLayer }, (_, layer) => `h.${layer}.attn.weights`);
    const { ids } = await engine.generate(beginning, { model, ...sampling });
    const { bytes } = ids.length ? await engine.embedding({ model, ids: Array.from(ids) }) : { bytes: [] };
    const traced = await engine.trace(short, { model, names });
    const read = traced.bytes.map((one) => Array.from(one));
    const units = tokenUnits(read).slice(0, mostShown);
    return {
      pieces: piecesOf(bytes.map((one) => Array.from(one))),
      labels: units.map(({ start, end, text }) => (text === null ? bytesLabel(read.slice(start, end).flat()) : tokenLabel(text))),
      layers: names.map((one) => firstUnits(traced.activations[one], units)),
    };
  } finally {
    await engine.removeModel(model);
  }
}
