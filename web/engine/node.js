// The engine in Node: the same wasm as in the page, for first figures made at build time, for commands and for tests.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EngineError } from './error.js';
import { EngineSession } from './session.js';
import { TrainingSession } from './training-session.js';

/** The module's script is made for workers, so it is shown the few globals that it looks for while it loads. */
async function createModule(engineDir, module) {
  const script = pathToFileURL(path.join(engineDir, `${module}.mjs`)).href;
  const wasmBinary = await readFile(path.join(engineDir, `${module}.wasm`));
  const pretended = { importScripts: () => {}, self: globalThis, location: { href: script } };
  const before = Object.keys(pretended).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, value] of Object.entries(pretended)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  try {
    const { default: create } = await import(script);
    return await create({ wasmBinary, locateFile: (file) => file });
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  }
}

async function readIfThere(file, encoding = 'utf8') {
  try {
    return await readFile(file, encoding);
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Opens a model for EngineSession: a folder in modelsDir by its name, or the path of a safetensors file. */
async function openLocalModel(modelsDir, name) {
  const file = name.endsWith('.safetensors') ? name : path.join(modelsDir, name, 'model.safetensors');
  const beside = (neighbour) => readIfThere(path.join(path.dirname(file), neighbour));
  const bigrams = () => readIfThere(path.join(path.dirname(file), 'bigrams.bin'), null);
  const dictionary = () => beside('dictionary.json');
  let size;
  try {
    size = (await stat(file)).size;
  } catch {
    throw new EngineError('no_file', `can't read ${file}`);
  }
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece);
  const [config, vocab, merges, tokenizer] = await Promise.all(
    ['config.json', 'vocab.json', 'merges.txt', 'tokenizer.json'].map(beside),
  );
  return { name, hash: hash.digest('hex').slice(0, 8), size, stream: createReadStream(file), config, vocab, merges, tokenizer, bigrams, dictionary };
}

/** Opens the tokenizer of a folder in modelsDir, without its model. */
async function openLocalTokenizer(modelsDir, name) {
  const [vocab, merges, manifest] = await Promise.all(['vocab.json', 'merges.txt', 'manifest.json'].map((file) => readIfThere(path.join(modelsDir, name, file))));
  if (merges === null) throw new EngineError('no_file', `can't read ${path.join(modelsDir, name, 'merges.txt')}`);
  return { vocab, merges, hash: manifest && JSON.parse(manifest).hash };
}

/**
 * An EngineSession in this process; its openTraining(listener) is nodeTraining in the same folder.
 * @param {object} folders engineDir holds glassbox.mjs and glassbox.wasm, modelsDir a folder for each model
 */
export async function nodeEngine({ engineDir, modelsDir }) {
  const session = new EngineSession(await createModule(engineDir, 'glassbox'), (name) => openLocalModel(modelsDir, name), (name) => openLocalTokenizer(modelsDir, name));
  return Object.assign(session, { openTraining: (listener) => nodeTraining({ engineDir }, listener) });
}

/**
 * A TrainingSession in this process.
 * @param {object} folders engineDir holds trainer.mjs and trainer.wasm
 * @param {{report: function, stopped: function}} listener hears of steps and of the ends of runs
 */
export async function nodeTraining({ engineDir }, { report = () => {}, stopped = () => {} } = {}) {
  return new TrainingSession(await createModule(engineDir, 'trainer'), { report, stopped });
}
