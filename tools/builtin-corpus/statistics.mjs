// How much of each family a corpus holds, and its hash.
import { createHash } from 'node:crypto';
import { documents, families } from './corpus.mjs';
import { countPieces } from './pieces.mjs';

const linesAtOnce = 10000;

/**
 * Draws a corpus and counts it; `write` is given the text of corpus.jsonl piece by piece.
 * → {families: [{name, documents, bytes, pieces}], documents, different, bytes, pieces, sha256}.
 */
export function countCorpus(seed, bytes, write = () => {}) {
  const count = new Map(families.map(({ name }) => [name, { name, documents: 0, bytes: 0, pieces: 0 }]));
  const different = new Set();
  const hash = createHash('sha256');
  let lines = [];
  const flush = () => {
    const piece = lines.join('');
    hash.update(piece);
    write(piece);
    lines = [];
  };
  for (const { family, text } of documents(seed, bytes)) {
    if (lines.push(`${JSON.stringify({ family, text })}\n`) === linesAtOnce) flush();
    different.add(text);
    const of = count.get(family);
    of.documents += 1;
    of.bytes += Buffer.byteLength(text);
    of.pieces += countPieces(text);
  }
  flush();
  const all = [...count.values()];
  const total = (key) => all.reduce((sum, of) => sum + of[key], 0);
  return { families: all, documents: total('documents'), different: different.size, bytes: total('bytes'), pieces: total('pieces'), sha256: hash.digest('hex') };
}
