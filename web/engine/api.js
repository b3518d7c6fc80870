// What the page asks of the engine, the same in a worker and on the page's own thread. Answers {ok, value | code, message}, since
// an error's code would not survive the way from a worker to the page.
import createModule from 'glassbox-wasm';
import { EngineError } from './error.js';
import { openRemoteModel, openRemoteTokenizer } from './remote-model.js';
import { EngineSession } from './session.js';
import { startModule } from './wasm.js';

async function start(root) {
  const module = await startModule(createModule, new URL('engine/glassbox.wasm', root));
  return new EngineSession(module, (name) => openRemoteModel(root, name), (name) => openRemoteTokenizer(root, name));
}

/** A new engine with nothing loaded; `start` comes before all other calls. */
export function createApi() {
  const cancelled = new Set();
  let session = null;

  async function answer(call) {
    try {
      return { ok: true, value: await call(await session) };
    } catch (error) {
      if (error instanceof EngineError) return { ok: false, code: error.code, message: error.message };
      // Anything else means that the module's memory can't be trusted any more.
      return { ok: false, code: 'crashed', message: String(error?.message ?? error) };
    }
  }

  return {
    /** root: the address of the folder that holds engine/ and models/. */
    start(root) {
      session = start(root);
      return answer(() => true);
    },
    load: (id, name, onProgress) => answer((engine) => engine.load(name, { onProgress, isCancelled: () => cancelled.has(id) })),
    addModel: (...model) => answer((engine) => engine.addModel(...model)),
    removeModel: (name) => answer((engine) => engine.removeModel(name)),
    tokenize: (text, options) => answer((engine) => engine.tokenize(text, options)),
    learnBpe: (id, text, options, onProgress) =>
      answer((engine) => engine.learnBpe(text, options, { onProgress, isCancelled: () => cancelled.has(id) })),
    attentionSteps: (options) => answer((engine) => engine.attentionSteps(options)),
    trace: (text, options) => answer((engine) => engine.trace(text, options)),
    next: (text, options) => answer((engine) => engine.next(text, options)),
    sample: (text, options) => answer((engine) => engine.sample(text, options)),
    softmax: (scores, options) => answer((engine) => engine.softmax(scores, options)),
    logitLens: (text, options) => answer((engine) => engine.logitLens(text, options)),
    switchEffect: (text, options) => answer((engine) => engine.switchEffect(text, options)),
    timePrefill: (id, lengths, options, onProgress) =>
      answer((engine) => engine.timePrefill(lengths, options, { onProgress, isCancelled: () => cancelled.has(id) })),
    agentQuestion: (text) => answer((engine) => engine.agentQuestion(text)),
    agentStep: (options) => answer((engine) => engine.agentStep(options)),
    agentParse: (transcript) => answer((engine) => engine.agentParse(transcript)),
    agentCall: (call, options) => answer((engine) => engine.agentCall(call, options)),
    agentDictionary: (options) => answer((engine) => engine.agentDictionary(options)),
    sweep: (text, options) => answer((engine) => engine.sweep(text, options)),
    headOutputs: (text, options) => answer((engine) => engine.headOutputs(text, options)),
    headProjections: (options) => answer((engine) => engine.headProjections(options)),
    bigrams: (text, options) => answer((engine) => engine.bigrams(text, options)),
    headScores: (text, options) => answer((engine) => engine.headScores(text, options)),
    repeatScores: (options) => answer((engine) => engine.repeatScores(options)),
    embedding: (options) => answer((engine) => engine.embedding(options)),
    neighbours: (options) => answer((engine) => engine.neighbours(options)),
    cosines: (options) => answer((engine) => engine.cosines(options)),
    pca: (options) => answer((engine) => engine.pca(options)),
    positions: (options) => answer((engine) => engine.positions(options)),
    contextual: (places, options) => answer((engine) => engine.contextual(places, options)),
    scaleExperiment: (options) => answer((engine) => engine.scaleExperiment(options)),
    generate: (id, text, options, onToken) =>
      answer((engine) => engine.generate(text, options, { onToken, isCancelled: () => cancelled.has(id) })),
    cancel: (id) => void cancelled.add(id),
    forget: (id) => void cancelled.delete(id),
  };
}
