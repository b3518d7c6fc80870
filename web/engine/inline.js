// The engine on the page's own thread, for pages whose policy allows no worker of another host.
import { EngineError } from './error.js';
import { nextTurn } from './turn.js';

const atOnce = ['start', 'cancel', 'forget'];

/**
 * Makes an engine with the calls of api.js. Each waits for its turn, with room for the page's own events before it, so that many
 * widgets do not become one long task.
 * Rejects with EngineError `no_worker` when the engine's script may not be imported either.
 */
export async function openInline(root) {
  try {
    await import(new URL('engine/worker.js', root));
  } catch (error) {
    throw new EngineError('no_worker', error.message);
  }
  const api = globalThis[Symbol.for('glassbox.engine')]();
  let last = Promise.resolve();
  const queued = (call) => (...given) => {
    const turn = last.then(nextTurn).then(() => call(...given));
    last = turn;
    return turn;
  };
  return Object.fromEntries(Object.entries(api).map(([name, call]) => [name, atOnce.includes(name) ? call : queued(call)]));
}
