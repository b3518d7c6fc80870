// Writes the training corpus of the built-in model, the held-out test items, its dictionary, or the table of its README.
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { behaviours } from './behaviours.mjs';
import { corpusBytes, corpusSeed } from './corpus.mjs';
import { dictionary, singleTokens } from './lexicon.mjs';
import { withTable } from './readme.mjs';
import { countCorpus } from './statistics.mjs';

const usage = `usage: tools/corpus --out DIR [--seed ${corpusSeed}] [--bytes ${corpusBytes}]
         writes DIR/corpus.jsonl and DIR/lexicon.txt and prints a table of the families
       tools/corpus --behaviours
         prints the held-out test items as JSON (tests/golden/data/behaviours.json)
       tools/corpus --dictionary
         prints the words that the model's dictionary knows as JSON (web/models/builtin/dictionary.json)
       tools/corpus --readme
         writes the table of tools/builtin-corpus/README.md anew`;

function parse(words) {
  const { values } = parseArgs({
    args: words,
    options: {
      out: { type: 'string' }, seed: { type: 'string', default: String(corpusSeed) }, bytes: { type: 'string', default: String(corpusBytes) },
      behaviours: { type: 'boolean' }, dictionary: { type: 'boolean' }, readme: { type: 'boolean' }, help: { type: 'boolean' },
    },
  });
  const count = (name, limit) => {
    const n = Number(values[name]);
    if (!Number.isInteger(n) || n < 0 || n > limit) throw new Error(`--${name}: expected a whole number up to ${limit}, got ${values[name]}`);
    return n;
  };
  if (!values.help && [values.out, values.behaviours, values.dictionary, values.readme].filter((value) => value !== undefined).length !== 1) {
    throw new Error('expected one of --out DIR, --behaviours, --dictionary, --readme');
  }
  return { ...values, seed: count('seed', 2 ** 32 - 2), bytes: count('bytes', 2 ** 31) };
}

/** Writes the two files and prints how much there is of each family. */
function writeCorpus({ out, seed, bytes }) {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'lexicon.txt'), singleTokens.map((word) => `${word}\n`).join(''));
  const file = openSync(join(out, 'corpus.jsonl'), 'w');
  const all = countCorpus(seed, bytes, (piece) => writeSync(file, piece));
  closeSync(file);
  const share = (part, whole) => `${((100 * part) / whole).toFixed(1)}%`;
  const row = (...cells) => console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(14) : String(cell).padStart(11))).join('').trimEnd());
  row('family', 'documents', 'bytes', 'of bytes', 'of pieces');
  for (const of of all.families) row(of.name, of.documents, of.bytes, share(of.bytes, all.bytes), share(of.pieces, all.pieces));
  row('all', all.documents, all.bytes, '', '');
  console.log(`${all.different} different documents, about ${all.pieces} tokens, ${singleTokens.length} words in the lexicon, sha256 of corpus.jsonl ${all.sha256}`);
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
else if (options.dictionary) {
  process.stdout.write(`[\n${dictionary.map((pair) => JSON.stringify(pair)).join(',\n')}\n]\n`);
} else if (options.readme) {
  const readme = join(dirname(fileURLToPath(import.meta.url)), 'README.md');
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8')));
} else writeCorpus(options);
