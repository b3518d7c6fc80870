// What is told of the built-in model: measured on the shipped file, within the bounds, and the card says the same.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { modelCard } from '../../tools/builtin-evaluation/card.mjs';
import { isFaultless } from '../../tools/builtin-evaluation/stories.mjs';
import { goldenData, root } from './run.mjs';

const folder = join(root, 'web/models/builtin');
const read = (name) => readFile(join(folder, name), 'utf8');
const evaluation = JSON.parse(await read('evaluation.json'));

test('evaluation.json is of the shipped model, and what is shipped takes at most 3 MB', async () => {
  const model = await readFile(join(folder, 'model.safetensors'));
  assert.equal(evaluation.model, createHash('sha256').update(model).digest('hex').slice(0, 8), 'run node tools/evaluate-builtin.mjs');
  const sizes = await Promise.all(['model.safetensors', 'bigrams.bin', 'vocab.json', 'merges.txt', 'config.json'].map(async (name) => (await stat(join(folder, name))).size));
  assert.ok(sizes.reduce((a, b) => a + b, 0) <= 3e6);
});

test('the model learned the corpus that the card tells of', async () => {
  assert.equal(JSON.parse(await read('training.json')).corpus.sha256, evaluation.corpus.sha256);
});

test('every behaviour keeps within its bound', async () => {
  const { groups } = JSON.parse(await readFile(join(goldenData, 'behaviours.json'), 'utf8'));
  assert.deepEqual(evaluation.groups.map(({ name, count }) => [name, count]), groups.map(({ name, items }) => [name, items.length]));
  assert.deepEqual(evaluation.groups.filter(({ kept }) => !kept).map(({ name }) => name), []);
});

test('the prompts that the card offers work, and no story has a broken character', () => {
  for (const { prompt, right } of evaluation.prompts) assert.ok(right, prompt);
  for (const { broken } of Object.values(evaluation.stories)) assert.equal(broken, 0);
});

test('the card is what the measurements say', async () => {
  const [config, training] = [JSON.parse(await read('config.json')), JSON.parse(await read('training.json'))];
  assert.equal(await read('README.md'), modelCard({ evaluation, config, training }), 'run node tools/evaluate-builtin.mjs --card');
});

test('a story is judged by its forms and its facts', () => {
  const good = '从前，有一只可爱的小猫，名叫咪咪。咪咪很想学画画。有一天，咪咪在公园捡到了一本旧书。小猫非常高兴。咪咪把旧书带回家。';
  assert.ok(isFaultless(good, 'zh'));
  assert.ok(!isFaultless(good.replace('咪咪把', '旺旺把'), 'zh'));
  assert.ok(!isFaultless(good.replace('小猫非常', '小狗非常'), 'zh'));
  assert.ok(isFaultless('One day, a cat named Tom went to the park. Tom loved singing in the park. One day, Tom found an old book in the lake.', 'en'));
  assert.ok(!isFaultless('One day, a cat named Tom went to the park. Tom loved singing in the moon.', 'en'));
});
