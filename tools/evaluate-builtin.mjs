// Measures the built-in model, in the engine that the page runs, and writes evaluation.json and the model card beside it.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { corpusBytes, corpusSeed } from './builtin-corpus/corpus.mjs';
import { familyExamples } from './builtin-corpus/readme.mjs';
import { countCorpus } from './builtin-corpus/statistics.mjs';
import { measureBankVectors } from './builtin-evaluation/bank.mjs';
import { modelCard } from './builtin-evaluation/card.mjs';
import { measureGroups } from './builtin-evaluation/groups.mjs';
import { measureHeads } from './builtin-evaluation/heads.mjs';
import { measureOwnSums, measurePrompts } from './builtin-evaluation/prompts.mjs';
import { Runner } from './builtin-evaluation/runner.mjs';
import { measureStories } from './builtin-evaluation/stories.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const usage = `usage: node tools/evaluate-builtin.mjs [--model web/models/builtin] [--engine build/wasm] [--groups] [--card]
  Writes evaluation.json and README.md into the model's folder. Run tools/build first.
  --groups  only measures the groups of tests/golden/data/behaviours.json, and prints them
  --card    only writes README.md anew, from evaluation.json`;

/** Rounds every number in a value to 5 places. */
function rounded(value) {
  if (Array.isArray(value)) return value.map(rounded);
  if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rounded(each)]));
  return typeof value === 'number' ? Number(value.toFixed(5)) : value;
}

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

/** What the shipped model learned, counted, with an example of each family. */
function describeCorpus() {
  const { families, ...all } = countCorpus(corpusSeed, corpusBytes);
  const examples = familyExamples();
  return { ...all, families: families.map((family) => ({ ...family, example: examples.get(family.name) })) };
}

/** Everything that is measured. */
async function evaluate(runner, groups) {
  const itemsOf = (name) => groups.find((group) => group.name === name).items;
  return rounded({
    model: runner.info.hash,
    corpus: describeCorpus(),
    groups: await measureGroups(runner, groups),
    prompts: await measurePrompts(runner),
    own_sums: await measureOwnSums(runner, itemsOf('calculator call zh words')),
    bank: await measureBankVectors(runner, itemsOf('bank held-out pairings')),
    stories: await measureStories(runner),
    heads: await measureHeads(runner, itemsOf('pronoun zh which')),
  });
}

function print(groups) {
  for (const { name, measured, count, kept, bound, at_most: atMost, p } of groups) {
    const limit = bound !== undefined ? `bound ${bound}` : atMost !== undefined ? `at most ${atMost}` : 'measured';
    console.log(`${kept ? '  ' : '✗ '}${name.padEnd(44)} ${measured.toFixed(4)}  of ${String(count).padStart(3)}  ${limit}${p === undefined ? '' : `  p ${p.toFixed(3)}`}`);
  }
}

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(root, 'web/models/builtin') }, engine: { type: 'string', default: join(root, 'build/wasm') },
    groups: { type: 'boolean' }, card: { type: 'boolean' }, help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const folder = resolve(values.model);
const { groups } = await readJson(join(root, 'tests/golden/data/behaviours.json'));
if (values.groups) print(await measureGroups(await Runner.open(folder, resolve(values.engine)), groups));
else {
  const file = join(folder, 'evaluation.json');
  if (!values.card) {
    const evaluation = await evaluate(await Runner.open(folder, resolve(values.engine)), groups);
    await writeFile(file, `${JSON.stringify(evaluation, null, 1)}\n`);
    print(evaluation.groups);
  }
  await writeFile(join(folder, 'README.md'), modelCard({
    evaluation: await readJson(file), config: await readJson(join(folder, 'config.json')), training: await readJson(join(folder, 'training.json')),
  }));
}
