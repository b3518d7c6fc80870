// Writes the training corpus of the built-in model, the held-out test items, or the table of its README.
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { behaviours } from './behaviours.mjs';
import { documents, families } from './corpus.mjs';
import { singleTokens } from './lexicon.mjs';
import { countPieces } from './pieces.mjs';
import { withTable } from './readme.mjs';

const usage = `usage: tools/corpus --out DIR [--seed 20] [--bytes 30000000]
         writes DIR/corpus.jsonl and DIR/lexicon.txt and prints a table of the families
       tools/corpus --behaviours
         prints the held-out test items as JSON (tests/golden/data/behaviours.json)
       tools/corpus --readme
         writes the table of tools/builtin-corpus/README.md anew`;

function parse(words) {
  const { values } = parseArgs({
    args: words,
    options: {
      out: { type: 'string' }, seed: { type: 'string', default: '20' }, bytes: { type: 'string', default: '30000000' },
      behaviours: { type: 'boolean' }, readme: { type: 'boolean' }, help: { type: 'boolean' },
    },
  });
  const count = (name, limit) => {
    const n = Number(values[name]);
    if (!Number.isInteger(n) || n < 0 || n > limit) throw new Error(`--${name}: expected a whole number up to ${limit}, got ${values[name]}`);
    return n;
  };
  if (!values.help && [values.out, values.behaviours, values.readme].filter((value) => value !== undefined).length !== 1) {
    throw new Error('expected one of --out DIR, --behaviours, --readme');
  }
  return { ...values, seed: count('seed', 2 ** 32 - 2), bytes: count('bytes', 2 ** 31) };
}

/** Writes the two files and prints how much there is of each family. */
function writeCorpus({ out, seed, bytes }) {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'lexicon.txt'), singleTokens.map((word) => `${word}\n`).join(''));
  const file = openSync(join(out, 'corpus.jsonl'), 'w');
  const hash = createHash('sha256');
  const count = new Map(families.map(({ name }) => [name, { documents: 0, bytes: 0, pieces: 0 }]));
  let lines = [];
  const flush = () => {
    const piece = lines.join('');
    hash.update(piece);
    writeSync(file, piece);
    lines = [];
  };
  for (const { family, text } of documents(seed, bytes)) {
    lines.push(`${JSON.stringify({ family, text })}\n`);
    if (lines.length === 10000) flush();
    const of = count.get(family);
    of.documents += 1;
    of.bytes += Buffer.byteLength(text);
    of.pieces += countPieces(text);
  }
  flush();
  closeSync(file);
  const total = (key) => [...count.values()].reduce((sum, of) => sum + of[key], 0);
  const row = (name, of) => `${name.padEnd(14)}${String(of.documents).padStart(10)}${String(of.bytes).padStart(12)}`
    + `${((100 * of.bytes) / total('bytes')).toFixed(1).padStart(9)}%${((100 * of.pieces) / total('pieces')).toFixed(1).padStart(9)}%`;
  console.log(`${'family'.padEnd(14)}${'documents'.padStart(10)}${'bytes'.padStart(12)}${'of bytes'.padStart(10)}${'of pieces'.padStart(10)}`);
  for (const [name, of] of count) console.log(row(name, of));
  console.log(row('all', { documents: total('documents'), bytes: total('bytes'), pieces: total('pieces') }));
  console.log(`about ${total('pieces')} tokens, ${singleTokens.length} words in the lexicon, sha256 of corpus.jsonl ${hash.digest('hex')}`);
}

let options;
try {
  options = parse(process.argv.slice(2));
} catch (error) {
  console.error(`corpus: ${error.message}\n${usage}`);
  process.exit(2);
}
if (options.help) console.log(usage);
else if (options.behaviours) process.stdout.write(behaviours());
else if (options.readme) {
  const readme = join(dirname(fileURLToPath(import.meta.url)), 'README.md');
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8')));
} else writeCorpus(options);
