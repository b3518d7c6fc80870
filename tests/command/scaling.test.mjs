// tools/scaling: a tiny family; killed at any moment it goes on to the same file; the file in the repository is what it says it is.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fitFamily, fullPlan, learningRate, nonEmbedding, remarksOn, runsOf, smokePlan } from '../../tools/scaling-plan.mjs';
import { glassbox, root, run } from './run.mjs';

const env = { GLASSBOX: process.env.GLASSBOX || glassbox };
const tool = join(root, 'tools/scaling');
const committed = join(root, 'web/site/scaling.json');
const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

let folder;
const path = (name) => join(folder, name);
const smoke = (work) => ['--smoke', '--work', path(work), '--out', path(`${work}.json`), '--threads', '1'];
/** What must be the same every time: all but how long it took. */
const numbers = async (work) => ({ ...(await readJson(path(`${work}.json`))), seconds: null });

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glassbox-scaling-'));
});
after(() => rm(folder, { recursive: true }));

/** Holds for every file that the tool writes. */
function checkFile(file) {
  const family = file.runs.filter(({ kind }) => kind === 'family');
  const data = file.runs.filter(({ kind }) => kind === 'data');
  const shapes = file.runs.filter(({ kind }) => kind === 'shape');
  assert.equal(family.length + data.length + shapes.length, file.runs.length);
  for (const one of shapes) assert.equal(one.unique_tokens, family[0].unique_tokens);
  for (const one of file.runs) {
    assert.equal(one.non_embedding, nonEmbedding(one.n_embd, one.n_layer));
    assert.equal(one.parameters, one.non_embedding + (file.tokenizer.vocab_size + file.recipe.row_tokens) * one.n_embd);
    assert.equal(one.n_head, Math.max(1, one.n_embd / file.recipe.head_width));
    assert.equal(one.tokens, file.tokens);
    assert.ok(Math.abs(one.epochs - one.tokens / one.unique_tokens) < 6e-4, `${one.name}: epochs`);
    assert.ok(Math.abs(one.held_out_loss_per_byte - (one.held_out_loss * file.held_out.tokens) / file.held_out.bytes) < 2e-5, `${one.name}: nats a byte`);
    assert.ok(one.held_out_loss > 0 && one.held_out_loss < Math.log(file.tokenizer.vocab_size), `${one.name}: better than chance`);
    assert.ok(one.standard_error > 0 && one.standard_error < one.held_out_loss / 10);
    assert.ok(one.curve.length >= 5 && one.curve.length <= 20);
    assert.deepEqual([...one.curve].sort((a, b) => a[0] - b[0]), one.curve);
    assert.equal(one.curve.at(-1)[0], one.tokens);
  }
  for (const [i, one] of family.entries()) {
    assert.equal(one.unique_tokens, family[0].unique_tokens);
    if (i > 0) assert.ok(one.non_embedding > family[i - 1].non_embedding && one.n_layer >= family[i - 1].n_layer);
  }
  for (const [i, one] of data.entries()) {
    const whole = family.find(({ non_embedding: n }) => n === one.non_embedding);
    assert.ok(one.unique_tokens < (data[i - 1] ?? whole).unique_tokens);
    assert.equal(one.learning_rate, whole.learning_rate);
  }
  assert.deepEqual(file.fits, fitFamily(file.runs));
  assert.deepEqual(file.remarks, remarksOn(file));
  return { family, data };
}

test('a tiny family: its file, and nothing left to do the second time', async () => {
  const first = await run(tool, smoke('whole'), { env });
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^\[1\/6\] 4x1 {2}step 1\/\d+ {2}loss [\d.]+ {2}held-out [\d.]+ {2}[\d,]+ tokens\/s, all done in \d+ (s|min)$/m);
  assert.match(first.out, /^non_embedding, with floor: loss = .* · N\^−\(.*\), R² \d/m);
  const { family, data } = checkFile(await readJson(path('whole.json')));
  assert.equal(family.length, 4);
  assert.equal(data.length, 1);

  const text = await readFile(path('whole.json'), 'utf8');
  const again = await run(tool, smoke('whole'), { env });
  assert.equal(again.code, 0, again.err);
  assert.doesNotMatch(again.out, /step/);
  assert.equal(await readFile(path('whole.json'), 'utf8'), text);
});

/** The steps that each training has saved. */
async function savedSteps(work) {
  const folders = await readdir(path(work)).catch(() => []);
  const steps = await Promise.all(folders.map((name) => readJson(join(path(work), name, 'training.json')).then((facts) => facts.steps, () => 0)));
  return steps;
}

/** Starts the tool, and sends it a signal when it has saved further steps of a training, but not all → what it said. */
async function endInTheMiddle(work, signal) {
  const total = (steps) => steps.reduce((sum, x) => sum + x, 0);
  const before = total(await savedSteps(work));
  const child = spawn(tool, smoke(work), { env: { ...process.env, ...env } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => (said.out += piece));
  child.stderr.on('data', (piece) => (said.err += piece));
  const ended = new Promise((done) => child.on('close', done));
  while (child.exitCode === null && !child.killed) {
    const saved = await savedSteps(work);
    if (total(saved) > before && saved.some((steps) => steps > 0 && steps < smokePlan.steps)) child.kill(signal);
    await new Promise((done) => setTimeout(done, 5));
  }
  said.code = await ended;
  return said;
}

test('ended in the middle of a training, it goes on to the same numbers', async () => {
  const asked = await endInTheMiddle('ended', 'SIGTERM');
  assert.equal(asked.code, 1);
  assert.match(asked.err, /^scaling: stopped; the same call goes on from here$/m);
  const outs = [];
  for (let i = 0; i < 3; i++) outs.push((await endInTheMiddle('ended', 'SIGKILL')).out);
  const last = await run(tool, smoke('ended'), { env });
  assert.equal(last.code, 0, last.err);
  assert.match([...outs, last.out].join(''), /goes on after step [1-9]/);
  assert.deepEqual(await numbers('ended'), await numbers('whole'));
});

test('the file in the repository is a family over two decades on the corpus and the tokenizer of the built-in model', async () => {
  const file = await readJson(committed);
  const { family, data } = checkFile(file);
  assert.equal(file.command, 'tools/scaling');
  assert.ok(family.length >= 6);
  assert.ok(family.at(-1).non_embedding >= 100 * family[0].non_embedding);
  assert.ok(data.length >= 3);
  const plan = runsOf(fullPlan);
  assert.deepEqual(file.runs.map(({ name }) => name), plan.map(({ name }) => name));
  for (const one of file.runs) assert.equal(one.learning_rate, learningRate(fullPlan.rate, one.n_embd));

  const model = join(root, 'web/models/builtin');
  const training = await readJson(join(model, 'training.json'));
  assert.equal(file.corpus.sha256, training.corpus.sha256);
  assert.equal(file.corpus.bytes, training.corpus.bytes);
  assert.ok((await readFile(join(model, 'README.md'), 'utf8')).includes(file.corpus.sha256));
  assert.equal(file.tokenizer.sha256, createHash('sha256').update(await readFile(join(model, 'vocab.json'))).digest('hex'));
  assert.equal(file.builtin.parameters, training.parameters);
  assert.ok(file.builtin.by_family.length > 10);
  // Weighted by their tokens, the families give the whole, but for where rows begin.
  const total = (name) => file.builtin.by_family.reduce((sum, of) => sum + of[name] * of.tokens, 0) / file.builtin.by_family.reduce((sum, of) => sum + of.tokens, 0);
  assert.ok(Math.abs(total('builtin') - file.builtin.loss) < 0.03);
  assert.ok(Math.abs(total('largest') - family.at(-1).held_out_loss) < 0.03);
  assert.doesNotMatch(JSON.stringify(file), /\/(home|root|tmp|work|Users)\b/);
});

test('--fit computes the same fits from the file alone', async () => {
  const text = await readFile(committed, 'utf8');
  const { fits, remarks, ...rest } = JSON.parse(text);
  assert.ok(remarks.length > 3);
  await writeFile(path('fit.json'), JSON.stringify({ ...rest, fits: {}, remarks: [] }));
  const { code, out, err } = await run(tool, ['--fit', '--out', path('fit.json')]);
  assert.equal(code, 0, err);
  assert.equal(await readFile(path('fit.json'), 'utf8'), text);
  assert.ok(out.includes(`R² ${fits.non_embedding.with_floor.r_squared.toFixed(4)}`));
});

test('a call that can\'t be is refused', async () => {
  for (const [words, message] of [[['--threads', '0'], /--threads: expected/], [['--smoke'], /name --out and --work/], [['--fast'], /fast/]]) {
    const { code, err } = await run(tool, words, { env });
    assert.equal(code, 2);
    assert.match(err, message);
  }
});
