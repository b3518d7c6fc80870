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

// Calls that are given a number, by which they can be cancelled, before all else, and at the end what hears of their progress or tokens.
const cancellable = ['load', 'learnBpe', 'timePrefill', 'generate'];

/** A new engine with nothing loaded; `start` comes before all other calls, which are those of EngineSession. */
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

  const api = {
    /** root: the address of the folder that holds engine/ and models/. */
    start(root) {
      session = start(root);
      return answer(() => true);
    },
    cancel: (id) => void cancelled.add(id),
    forget: (id) => void cancelled.delete(id),
  };
  for (const name of Object.getOwnPropertyNames(EngineSession.prototype).filter((name) => name !== 'constructor')) {
    api[name] = cancellable.includes(name)
      ? (id, ...args) => {
          const listener = args.pop();
          const caller = { onProgress: listener, onToken: listener, isCancelled: () => cancelled.has(id) };
          return answer((engine) => engine[name](...args, caller));
        }
      : (...args) => answer((engine) => engine[name](...args));
  }
  return api;
}
