import { EngineError, unwrap } from './error.js';
import { nextTurn } from './turn.js';

const encoder = new TextEncoder();
const slice = 10; // ms of learning between two turns of the event loop

/** The lengths of the first words, up to the one that reaches `shown` bytes. */
function wordsWithin(lengths, shown) {
  let bytes = 0;
  const end = lengths.findIndex((length) => (bytes += length) >= shown);
  return Array.from(end < 0 ? lengths : lengths.subarray(0, end + 1));
}

/** Described at EngineClient's learnBpe. In slices, so that a cancellation can arrive and a page's own thread stays free. */
export async function learnBpe(module, text, { most, shown }, { onProgress, isCancelled } = {}) {
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
    return { merges, tokens, textBytes: utf8.length, words: wordsWithin(unwrap(module.splitWords(utf8)), shown), bytes: Array.from(bytes) };
  } finally {
    learner.delete();
  }
}
