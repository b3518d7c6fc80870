// glassbox quantize: the int8 file is about a quarter, and the model that it holds says nearly the same.
import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { glassbox, goldenData, json, root, run } from './run.mjs';

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glassbox-quantize-'));
});
after(() => rm(folder, { recursive: true }));

/** Quantizes a model's file into a folder with its config.json → the int8 file. */
async function quantize(name, source) {
  const target = join(folder, name);
  await mkdir(target);
  await copyFile(join(source, 'config.json'), join(target, 'config.json'));
  const file = join(target, 'model.safetensors');
  const { code, out, err } = await run(glassbox, ['quantize', join(source, 'model.safetensors'), file]);
  assert.deepEqual([code, err], [0, '']);
  const [before, now] = await Promise.all([join(source, 'model.safetensors'), file].map(async (path) => (await stat(path)).size));
  assert.equal(out, `${file}: ${now} bytes of ${before}\n`);
  assert.deepEqual((await readdir(target)).sort(), ['config.json', 'model.safetensors']);
  return file;
}

async function header(path) {
  const file = await readFile(path);
  return JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE(0))).toString());
}

/** Σ p log(p / q) in nats, of the next token after these ids. */
async function divergence(exact, int8, ids, vocabulary) {
  const [p, q] = await Promise.all([exact, int8].map(async (model) => {
    const { candidates } = await json('next', '--ids', ids, '--model', model, '--top', String(vocabulary));
    return new Map(candidates.map((candidate) => [candidate.id, candidate.p]));
  }));
  assert.equal(p.size, vocabulary);
  return [...p].reduce((sum, [id, x]) => sum + (x > 0 ? x * Math.log(x / q.get(id)) : 0), 0);
}

test('golden models: tied, untied with a prefix, F16', async () => {
  for (const [name, vocabulary] of [['gpt2_tied', 61], ['gpt2_untied', 53], ['gpt2_f16', 61]]) {
    const source = join(goldenData, name);
    const file = await quantize(name, source);
    const entries = await header(file);
    assert.equal(entries.__metadata__['glassbox.quant'], 'int8');
    assert.equal(entries['wte.weight'].dtype, 'I8');
    assert.deepEqual(entries['wte.weight.scale'].shape, [vocabulary]);
    assert.equal('lm_head.weight.scale' in entries, name === 'gpt2_untied');
    for (const ids of ['1', '5 4 3 2 1', '7 7 30 12 40 2']) {
      const kl = await divergence(join(source, 'model.safetensors'), file, ids, vocabulary);
      assert.ok(kl > 0 && kl < 5e-3, `${name}, ids ${ids}: KL ${kl}`);
    }
  }
});

test('the built-in model: a quarter of F32, and hardly another answer', async () => {
  const source = join(root, 'build/models/builtin');
  const file = await quantize('builtin', source);
  const entries = await header(join(source, 'model.safetensors'));
  const parameters = Object.entries(entries).reduce((sum, [name, { shape }]) => sum + (name === '__metadata__' || name.endsWith('.scale') ? 0 : shape.reduce((a, b) => a * b, 1)), 0);
  const { size } = await stat(file);
  assert.ok(size < 0.3 * 4 * parameters, `${size} bytes for ${parameters} parameters`);
  const vocabulary = entries['wte.weight'].shape[0];
  for (const ids of ['40 50 60', '300 301 302 303 304']) {
    const kl = await divergence(join(source, 'model.safetensors'), file, ids, vocabulary);
    assert.ok(kl < 0.01, `ids ${ids}: KL ${kl}`);
  }
});

test('without config.json any width will do, and metadata stay', async () => {
  const file = join(folder, 'bare.safetensors');
  const bare = join(folder, 'bare');
  await mkdir(bare);
  await copyFile(join(goldenData, 'gpt2_tied/model.safetensors'), join(bare, 'in.safetensors'));
  assert.equal((await run(glassbox, ['quantize', join(bare, 'in.safetensors'), file])).code, 0);
  assert.deepEqual((await header(file)).__metadata__, { ...(await header(join(bare, 'in.safetensors'))).__metadata__, 'glassbox.quant': 'int8' });
});

test('what can\'t be read or written is told in one line, and the old file stays', async () => {
  const broken = join(folder, 'broken.safetensors');
  await writeFile(broken, 'no checkpoint');
  const target = join(folder, 'kept.safetensors');
  await writeFile(target, 'old');
  for (const source of [broken, join(folder, 'none.safetensors'), folder]) {
    const { code, out, err } = await run(glassbox, ['quantize', source, target]);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^glassbox: [^\n]+\n$/);
  }
  assert.equal(await readFile(target, 'utf8'), 'old');
  const nowhere = await run(glassbox, ['quantize', join(goldenData, 'gpt2_tied/model.safetensors'), join(folder, 'no/such/folder.safetensors')]);
  assert.equal(nowhere.code, 1);
  assert.equal((await run(glassbox, ['quantize', broken])).code, 2);
  assert.equal((await run(glassbox, ['quantize', '--help'])).code, 0);
});
