// The texts that a run learns from: the project's own, and the reader's files.
import { engineRoot, EngineError } from '../engine/client.js';
import { mostBytes, readTextFile } from './training.js';

const texts = { zh: 'texts/stories-zh.txt', en: 'texts/stories-en.txt' };
const fetched = new Map();

async function fetchText(path) {
  let response;
  try {
    response = await fetch(new URL(path, engineRoot()));
  } catch (error) {
    throw new EngineError('no_file', `${path}: ${error.message}`);
  }
  if (!response.ok) throw new EngineError('no_file', `${path}: ${response.status}`);
  return response.text();
}

/** One of the project's texts, fetched once a page. Rejects with EngineError `no_file`. */
export function projectText(corpus) {
  if (!fetched.has(corpus)) {
    const asked = fetchText(texts[corpus]);
    fetched.set(corpus, asked);
    asked.catch(() => fetched.delete(corpus));
  }
  return fetched.get(corpus);
}

/** A file of the reader's → { name, text, bytes: its size, encoding } or null for what is no text. Of a long one the beginning is read. */
export async function readOwnFile(file) {
  const bytes = new Uint8Array(await file.slice(0, 2 * mostBytes).arrayBuffer());
  // What was cut off may have been a part of a character; a line's end is none.
  const whole = bytes.length < file.size ? bytes.subarray(0, bytes.lastIndexOf(10) + 1 || bytes.length) : bytes;
  const read = readTextFile(whole);
  return read?.text.trim() ? { name: file.name, text: read.text, bytes: file.size, encoding: read.encoding } : null;
}
