// What the functions of several topics ask of a model, for expressions in prose. See numbers.mjs.
import { fail, name } from './number-values.mjs';

const memories = new WeakMap();

/** What `make` gives, made once for each engine and key: a run of the model costs. */
export function remember(engine, key, make) {
  if (!memories.has(engine)) memories.set(engine, new Map());
  const memory = memories.get(engine);
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key);
}

/** Of the built-in model: its sizes; all candidates for the next token, with parts left out; a text's tokens and the weights of all heads. */
export const ask = {
  config: (engine) => remember(engine, 'config', async () => (await engine.load('builtin')).config),
  next: (engine, text, out) => remember(engine, `next ${out} ${text}`, async () => (await engine.next(text, { top: 0x7fffffff, knockout: out })).candidates),
  trace: (engine, text) =>
    remember(engine, `trace ${text}`, async () => {
      const { nLayer } = await ask.config(engine);
      return engine.trace(text, { names: Array.from({ length: nLayer }, (_, layer) => `h.${layer}.attn.weights`) });
    }),
};

/** Parts left out, as the engine reads them: of a text, a head or a list of both. */
export const knockout = (out) => (typeof out === 'string' ? out : Array.isArray(out) ? out.map(knockout).join(' ') : `h.${out.layer}.${out.head}`);

/** One head as a value. */
export const headOf = (layer, head) => ({ layer, head, name: `h.${layer}.${head}` });

/** The place of a token, its number or the last such token. */
export function placeAmong(tokens, text, place) {
  const at = typeof place === 'number' ? place : tokens.lastIndexOf(place);
  return at >= 0 && at < tokens.length ? at : fail(`${name(place)} is no token of "${text}": ${tokens.join(' | ')}`);
}
