import { EngineError, unwrap } from './error.js';
import { nextTurn } from './turn.js';

const encoder = new TextEncoder();
const slice = 10; // ms of learning between two turns of the event loop

/** Described at EngineClient's learnBpe. In slices, so that a cancellation can arrive and a page's own thread stays free. */
export async function learnBpe(module, text, most, { onProgress, isCancelled } = {}) {
  const utf8 = encoder.encode(text);
  const learner = new module.BpeLearner();
  try {
    const { tokens, bytes } = unwrap(learner.start(utf8, most));
    const merges = [];
    for (let ended = false; !ended; ) {
      await nextTurn();
      if (isCancelled?.()) throw new EngineError('cancelled', 'the learning was cancelled');
      const until = performance.now() + slice;
      while (!ended && performance.now() < until) {
        const learned = unwrap(learner.step(8));
        merges.push(...learned);
        ended = learned.length < 8;
      }
      onProgress?.({ loaded: merges.length, total: most });
    }
    return { merges, tokens, textBytes: utf8.length, words: Array.from(unwrap(module.splitWords(utf8))), bytes: Array.from(bytes) };
  } finally {
    learner.delete();
  }
}
