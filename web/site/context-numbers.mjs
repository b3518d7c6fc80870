// Functions for expressions in prose about the context window, its memory and its time. See numbers.mjs.
import { edges, measureContext, promptOf, prompts, tryValues } from '../parts/context.js';
import { kvBytes, kvModels } from '../parts/kv-models.js';
import { countedWork, evenLength } from '../parts/prefill-time.js';
import { ask, remember } from './number-asks.mjs';
import { fail } from './number-values.mjs';

export const contextLibrary = {
  /**
   * recall(fact, question, count): asked behind so many other sentences, as glassbox-context does it → { text, tokens, dropped, seen: "all", "some", "none" or
   * "nothing", written: the answer, token: the right answer's first, near: its probability asked at once, p: now, found }.
   */
  recall: [['text', 'text', 'count'], async (engine, fact, question, count) => {
    const known = promptOf(fact, question);
    const found = await remember(engine, `recall ${count} ${fact} ${question}`, () => measureContext(engine, { fact, question, count, value: known?.prompt.values[known.index] ?? null }));
    return { text: found.text, tokens: found.total, dropped: found.dropped, seen: found.seen, written: found.written, token: found.reference?.label ?? '', near: found.reference?.p ?? 0, p: found.p ?? 0, found: found.found };
  }],
  /** edges(fact, question): the most other sentences with which all of the fact is seen, and the fewest with which nothing is → { inside, outside }. */
  edges: [['text', 'text'], async (engine, fact, question) => {
    const { inside, outside } = await remember(engine, `edges ${fact} ${question}`, () => edges(engine, { fact, question }));
    return { inside: inside ?? fail('all of the fact is never seen'), outside: outside ?? fail('the fact is never pushed out') };
  }],
  /** recallAll(name, count): each value of one of the examples of glassbox-context told and asked for → a list of { value, written, right }. */
  recallAll: [['text', 'count'], async (engine, called, count) =>
    remember(engine, `recall all ${called} ${count}`, () => tryValues(engine, { prompt: prompts.find((prompt) => prompt.name === called) ?? fail(`there is no example ${called}`), count }))],
  /**
   * passes(text, count): what each pass of the model reads while it writes `count` tokens, the likeliest taken every time → { kind: prefill, decode or reread, tokens, multiplyAdds, weightBytes, cacheRead,
   * cacheBytes: after it }; passes(text, count, false): without the KV cache.
   */
  passes: [['text', 'count', 'truth?'], (engine, text, maxTokens, cache = true) =>
    remember(engine, `passes ${maxTokens} ${cache} ${text}`, async () => (await engine.generate(text, { maxTokens, cache })).steps.map(({ startMs, ms, ...counted }) => counted))],
  /** cacheBytes(): bytes of keys and values that the engine keeps of a token of the built-in model. */
  cacheBytes: [[], async (engine) => (await engine.load('builtin')).kvCacheBytesPerToken],
  /** kv(model, n, bits): bytes of the keys and values of n tokens in a public model of glassbox-kv-memory; kvModel(model): its sizes. */
  kv: [['text', 'count', 'count'], (_, called, n, bits) => kvBytes(kvModels.find((model) => model.name === called) ?? fail(`there is no model ${called}`), n, bits)],
  kvModel: [['text'], (_, called) => {
    const { layers, heads, kvHeads, headSize, context } = kvModels.find((model) => model.name === called) ?? fail(`there is no model ${called}`);
    return { layers, heads, kvHeads, headSize, context };
  }],
  /** work(n): multiply-adds of reading n tokens → { matrices: grow with n, attention: grow with n², head, total, even: the n at which both are equal }. */
  work: [['count'], async (engine, n) => {
    const config = await ask.config(engine);
    return { ...countedWork(config, n), even: evenLength(config) };
  }],
};
