// The reader's own trainings, kept in this browser (IndexedDB). Every failure is an EngineError.
import { EngineError } from './error.js';

const listeners = new Set();

/** What went wrong with the storage, as a code. */
function storageError(error) {
  const full = error?.name === 'QuotaExceededError';
  return new EngineError(full ? 'storage_full' : 'storage_denied', `${error?.name ?? 'storage'}: ${error?.message ?? error}`);
}

/** The answer of one request of IndexedDB. */
const answerOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function openDatabase() {
  // Some browsers throw where storage is not allowed, some have no IndexedDB at all.
  const request = globalThis.indexedDB.open('glassbox', 1);
  request.onupgradeneeded = () => {
    // Summaries by themselves, so that a list reads no model.
    for (const store of ['summaries', 'files']) request.result.createObjectStore(store);
  };
  return answerOf(request);
}

/** Runs `use` in one transaction over both stores, and waits until it is done. */
async function transact(mode, use) {
  let database = null;
  try {
    database = await openDatabase();
    const transaction = database.transaction(['summaries', 'files'], mode);
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    done.catch(() => {}); // told below, unless `use` fails before
    const result = await use(transaction.objectStore('summaries'), transaction.objectStore('files'));
    await done;
    return result;
  } catch (error) {
    throw error instanceof EngineError ? error : storageError(error);
  } finally {
    database?.close();
  }
}

const changed = () => listeners.forEach((listener) => listener());

/** Calls `listener` after each change that this page makes. */
export const watchTrainings = (listener) => void listeners.add(listener);

/**
 * Keeps a training under an id; one that is there is replaced. checkpoint and model: the bytes that TrainerClient gives; summary: {id, name, date: in ISO 8601,
 * parameters, nonEmbedding, tokensSeen, step, heldOutLoss: nats a token, heldOutLossPerByte, textLabel, ownText}. Rejects with `storage_denied`, `storage_full`.
 */
export async function saveTraining(id, { checkpoint, model, summary }) {
  await transact('readwrite', async (summaries, files) => {
    await Promise.all([answerOf(summaries.put({ ...summary, id }, id)), answerOf(files.put({ checkpoint, model }, id))]);
  });
  changed();
}

/** → {checkpoint, model, summary}. Rejects with `no_saved_model`, `storage_denied`. */
export async function loadTraining(id) {
  const [summary, saved] = await transact('readonly', (summaries, files) => Promise.all([answerOf(summaries.get(id)), answerOf(files.get(id))]));
  if (!summary || !saved) throw new EngineError('no_saved_model', `no training ${id} is kept in this browser`);
  return { ...saved, summary };
}

/** → the summaries, the newest first. Rejects with `storage_denied`. */
export async function listTrainings() {
  const summaries = await transact('readonly', (store) => answerOf(store.getAll()));
  return summaries.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}

/** Forgets a training; one that is not there is no failure. Rejects with `storage_denied`. */
export async function deleteTraining(id) {
  await transact('readwrite', (summaries, files) => Promise.all([answerOf(summaries.delete(id)), answerOf(files.delete(id))]));
  changed();
}

/** The bytes of the model of a training, of the newest without an id. Rejects with `no_saved_model`, `storage_denied`. */
export async function openSavedModel(id) {
  const chosen = id ?? (await listTrainings())[0]?.id;
  if (chosen === undefined) throw new EngineError('no_saved_model', 'no training is kept in this browser');
  return (await loadTraining(chosen)).model;
}
