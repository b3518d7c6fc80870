// The trainer's script, the only one that holds its wasm module. It answers as api.js does.
import * as Comlink from 'comlink';
import createModule from 'glassbox-trainer-wasm';
import { EngineError } from './error.js';
import { TrainingSession } from './training-session.js';
import { startModule } from './wasm.js';

let session = null;

async function answer(call) {
  try {
    return { ok: true, value: await call(await session) };
  } catch (error) {
    if (error instanceof EngineError) return { ok: false, code: error.code, message: error.message };
    return { ok: false, code: 'crashed', message: String(error?.message ?? error) };
  }
}

/** Bytes move to the page without another copy. */
async function answerBytes(call) {
  const result = await answer(call);
  return result.ok ? Comlink.transfer(result, [result.value.buffer]) : result;
}

const methods = ['run', 'pause', 'step', 'setLearningRate', 'heldOut', 'settings', 'rewind'];

Comlink.expose({
  /** root: the address of the folder that holds trainer/. report and stopped are told what TrainingSession tells. */
  start(root, report, stopped) {
    const listener = { report: (reports) => void report(reports), stopped: (end) => void stopped(end) };
    session = startModule(createModule, new URL('trainer/trainer.wasm', root)).then((module) => new TrainingSession(module, listener));
    return answer(() => true);
  },
  open: (options, onProgress) => answer((trainer) => trainer.open(options, onProgress)),
  restore: (bytes, onProgress) => answer((trainer) => trainer.restore(bytes, onProgress)),
  checkpoint: () => answerBytes((trainer) => trainer.checkpoint()),
  model: () => answerBytes((trainer) => trainer.model()),
  ...Object.fromEntries(methods.map((name) => [name, (...given) => answer((trainer) => trainer[name](...given))])),
});
