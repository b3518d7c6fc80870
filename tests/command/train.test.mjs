// `glassbox train`: from a corpus to a model that the other calls read; stopped or killed at any moment it goes on to the
// same bytes; bad input is refused and nothing saved is lost.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { glassbox, json, run } from './run.mjs';

const settings = {
  vocab_size: 400,
  special_tokens: ['<|endoftext|>', '<calc>', '</calc>'],
  n_positions: 32,
  n_embd: 32,
  n_head: 2,
  n_layer: 2,
  tokens_per_step: 256,
  learning_rate: 0.01,
  warm_up_steps: 5,
  held_out: 0.05,
  stages: [
    { steps: 40, row_tokens: 16, repeated_rows: 0.2, no_start: ['sums'] },
    { steps: 60, row_tokens: 32, two_key_rows: 0.1, starts: { sums: 0.3 } },
  ],
};

let folder;
let corpus;
let reference; // the bytes of a model trained without a stop

/** A few hundred short documents of two families, always the same. */
function documents() {
  const list = [];
  for (let i = 0; i < 400; ++i) {
    const [a, b] = [i % 10, (i * 7) % 10];
    list.push(i % 4 === 0
      ? { family: 'sums', text: `${a}加${b}等于多少？<calc>${a}+${b}</calc>` }
      : { family: 'thanks', text: ['Thank you very much.', '谢谢你的帮助。', 'Thank you, my friend.'][i % 3] });
  }
  return list;
}

const path = (name) => join(folder, name);
const put = async (name, content) => {
  await writeFile(path(name), typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return path(name);
};
/** The arguments of a training; more: further ones. */
const training = (out, more = [], from = { corpus, settings: path('settings.json') }) =>
  ['train', '--corpus', from.corpus, '--settings', from.settings, '--out', path(out), ...more];
const modelBytes = (out) => readFile(join(path(out), 'model.safetensors'));

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glassbox-train-'));
  corpus = await put('corpus.jsonl', documents().map((document) => JSON.stringify(document)).join('\n'));
  await put('settings.json', settings);
  const { code, out, err } = await run(glassbox, training('reference', ['--threads', '1']));
  assert.equal(code, 0, err);
  assert.match(out, /^step 100\/100 {2}loss \d\.\d{4} {2}held-out \d\.\d{4} {2}[\d,]+ tokens\/s {2}ETA 0 s$/m);
  reference = await modelBytes('reference');
});
after(() => rm(folder, { recursive: true }));

test('the folder holds a model that the other calls read, and what it was made of', async () => {
  assert.deepEqual((await readdir(path('reference'))).sort(), [
    'checkpoint.safetensors', 'config.json', 'merges.txt', 'model.safetensors', 'training.json', 'vocab.json']);
  const model = join(path('reference'), 'model.safetensors');
  const { candidates } = await json('next', 'Thank you very', '--model', model, '--top', '1');
  assert.equal(candidates[0].token, ' much');
  const { text } = await json('generate', 'Thank you, my', '--model', model, '--max-tokens', '1');
  assert.equal(text, ' friend');

  const facts = JSON.parse(await readFile(join(path('reference'), 'training.json'), 'utf8'));
  assert.deepEqual(facts.settings, settings);
  assert.equal(facts.corpus.documents, 400);
  assert.match(facts.corpus.sha256, /^[0-9a-f]{64}$/);
  assert.equal(facts.steps, 100);
  assert.equal(facts.finished, true);
  assert.equal(facts.tokens, 100 * 256);
  assert.ok(facts.seconds > 0);
  assert.equal(facts.losses.at(-1).step, 100);
  assert.ok(facts.losses.at(-1).held_out < facts.losses[0].held_out / 2);
});

test('a finished training has nothing left to do', async () => {
  const { code, out } = await run(glassbox, training('reference'));
  assert.equal(code, 0);
  assert.match(out, /done: 100 of 100 steps/);
  assert.deepEqual(await modelBytes('reference'), reference);
});

test('two threads give the same bytes as one', async () => {
  assert.equal((await run(glassbox, training('threads', ['--threads', '2']))).code, 0);
  assert.deepEqual(await modelBytes('threads'), reference);
});

test('stopped in every way, it goes on to the same bytes', async () => {
  const first = await run(glassbox, training('stopped', ['--stop-after', '33']));
  assert.equal(first.code, 0);
  assert.match(first.out, /stopped after 33 of 100 steps/);
  const half = await json('next', 'Thank you', '--model', join(path('stopped'), 'model.safetensors'));
  assert.equal(half.candidates.length, 10);

  // SIGTERM and SIGINT: saved and ended without an error. It may have finished before.
  for (const signal of ['SIGTERM', 'SIGINT']) {
    const child = spawn(glassbox, training('stopped', ['--checkpoint-every', '1000']));
    let out = '';
    let asked = false; // once: who asks again while it ends means it
    child.stdout.on('data', (piece) => {
      out += piece;
      if (asked || !/^step /m.test(out)) return;
      asked = true;
      child.kill(signal);
    });
    const code = await new Promise((done) => child.on('close', done));
    assert.equal(code, 0);
    assert.match(out, /(stopped after \d+|done: 100) of 100 steps/);
  }
  assert.equal((await run(glassbox, training('stopped'))).code, 0);
  assert.deepEqual(await modelBytes('stopped'), reference);
});

test('killed at random moments, while saving too, it goes on to the same bytes', async () => {
  let kills = 0;
  for (let running = true; running;) {
    const child = spawn(glassbox, training('killed', ['--checkpoint-every', '2']), { stdio: 'ignore' });
    // Later and later, so that even a slow machine comes through.
    const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * (100 + 20 * kills));
    const signal = await new Promise((done) => child.on('close', (code, name) => done(name)));
    clearTimeout(timer);
    if (signal === 'SIGKILL') kills += 1;
    else running = false;
    assert.ok(kills < 200);
  }
  assert.ok(kills > 0);
  assert.deepEqual(await modelBytes('killed'), reference);
});

test('a full disk ends it with an error; the last checkpoint stays whole', async () => {
  assert.equal((await run(glassbox, training('full', ['--stop-after', '10']))).code, 0);
  // A limit on the size of files stands for a disk without room: 1 KB blocks.
  const limited = await run('bash', ['-c', 'trap "" XFSZ; ulimit -f 100; exec "$@"', 'bash', glassbox, ...training('full')]);
  assert.equal(limited.code, 1);
  assert.match(limited.err, /^glassbox: can't write [^\n]*checkpoint\.safetensors: File too large; the last checkpoint is whole[^\n]*\n$/);
  assert.ok(!(await readdir(path('full'))).some((name) => name.endsWith('.new')));
  assert.equal((await run(glassbox, training('full'))).code, 0);
  assert.deepEqual(await modelBytes('full'), reference);

  const fresh = await run('bash', ['-c', 'trap "" XFSZ; ulimit -f 100; exec "$@"', 'bash', glassbox, ...training('never')]);
  assert.equal(fresh.code, 1);
  assert.match(fresh.err, /can't write [^\n]*: File too large\n$/);
});

test('a plain text and a lexicon', async () => {
  const text = await put('corpus.txt', documents().map((document) => document.text).join('<|endoftext|>\n'));
  const words = await put('words.txt', '帮助\r\n friend\n');
  const plain = await put('plain.json', { ...settings, stages: [{ steps: 5, row_tokens: 32 }] });
  const { code, err } = await run(glassbox, training('plain', ['--lexicon', words], { corpus: text, settings: plain }));
  assert.equal(code, 0, err);
  const vocabulary = JSON.parse(await readFile(join(path('plain'), 'vocab.json'), 'utf8'));
  assert.ok('Ġfriend' in vocabulary);
  assert.equal(vocabulary['</calc>'], Object.keys(vocabulary).length - 1);
});

test('bad input is refused by name, and what was saved stays', async () => {
  const other = (change) => ({ ...settings, ...change });
  const broken = Buffer.concat([Buffer.from('{"family":"a","text":"'), Buffer.from([0xe4, 0xbd]), Buffer.from('"}\n')]);
  const cases = [
    [/can't read [^\n]*nowhere\.jsonl/, { corpus: path('nowhere.jsonl') }],
    [/can't read/, { corpus: folder }],
    [/no document with a text/, { corpus: await put('empty.jsonl', '') }],
    [/no document with a text/, { corpus: await put('empty.txt', '\n') }],
    [/shorter than one row: expected at least 17 tokens/, { corpus: await put('short.txt', 'Hello.'), settings: await put('one.json', other({ held_out: 0, stages: [{ steps: 1, row_tokens: 16 }] })) }],
    [/UTF-8, but byte 22 is not/, { corpus: await put('broken.jsonl', broken) }],
    [/corpus, line 2/, { corpus: await put('line.jsonl', '{"family":"a","text":"x"}\n{"family":"a"}\n') }],
    [/can't read [^\n]*nowhere\.json/, { settings: path('nowhere.json') }],
    [/no JSON/, { settings: await put('text.json', 'learning_rate = 1') }],
    [/learning_rate: expected a positive number, got 0/, { settings: await put('zero.json', other({ learning_rate: 0 })) }],
    [/learning_rate: expected a positive number, got -/, { settings: await put('minus.json', other({ learning_rate: -0.1 })) }],
    [/learning_rate: expected a number/, { settings: await put('nan.json', other({ learning_rate: NaN })) }],
    [/learning_rte: unknown; known are/, { settings: await put('unknown.json', other({ learning_rte: 1 })) }],
    [/n_head/, { settings: await put('heads.json', other({ n_head: 3 })) }],
    [/vocab/, { settings: await put('vocabulary.json', other({ vocab_size: 200 })) }],
    [/no family "poems", only sums, thanks/, { settings: await put('family.json', other({ stages: [{ steps: 1, row_tokens: 8, starts: { poems: 0.5 } }] })) }],
  ];
  for (const [message, change] of cases) {
    const { code, err } = await run(glassbox, training('refused', [], { corpus, settings: path('settings.json'), ...change }));
    assert.equal(code, 1, err);
    assert.match(err, /^glassbox: [^\n]+\n$/);
    assert.match(err, message);
  }

  // In a folder with a training, the same, and other inputs too.
  const more = await put('more.jsonl', `${await readFile(corpus)}\n{"family":"sums","text":"x"}`);
  for (const [message, change] of [
    [/of another corpus: expected [0-9a-f]{64}, got [0-9a-f]{64}/, { corpus: more }],
    [/n_embd 64[^\n]*n_embd 32/, { settings: await put('wider.json', other({ n_embd: 64 })) }],
    [/another vocab_size: expected 350, got 400/, { settings: await put('fewer.json', other({ vocab_size: 350 })) }],
    [/learning_rate 0\.02[^\n]*learning_rate 0\.01/, { settings: await put('faster.json', other({ learning_rate: 0.02 })) }],
  ]) {
    const { code, err } = await run(glassbox, training('reference', [], { corpus, settings: path('settings.json'), ...change }));
    assert.equal(code, 1);
    assert.match(err, message);
    assert.deepEqual(await modelBytes('reference'), reference);
  }

  // A folder with a model that no training made is left alone, and so is a damaged checkpoint.
  await mkdir(path('foreign'));
  await copyFile(join(path('reference'), 'vocab.json'), join(path('foreign'), 'vocab.json'));
  assert.match((await run(glassbox, training('foreign'))).err, /vocab\.json was not made by a training that can go on/);
  await mkdir(path('damaged'));
  const checkpoint = await readFile(join(path('reference'), 'checkpoint.safetensors'));
  await put('damaged/checkpoint.safetensors', checkpoint.subarray(0, checkpoint.length - 5));
  const damaged = await run(glassbox, training('damaged'));
  assert.equal(damaged.code, 1);
  assert.match(damaged.err, /damaged\/checkpoint\.safetensors: /);
  assert.equal((await readFile(join(path('damaged'), 'checkpoint.safetensors'))).length, checkpoint.length - 5);

  for (const args of [['train'], ['train', '--corpus', corpus], training('x', ['--threads', '0']), training('x', ['--checkpoint-every', '0'])]) {
    assert.equal((await run(glassbox, args)).code, 2);
  }
});

test('a loss that is no number ends it and keeps the last good checkpoint', async () => {
  const wild = await put('wild.json', { ...settings, learning_rate: 1e30, warm_up_steps: 0 });
  const { code, err } = await run(glassbox, training('wild', ['--checkpoint-every', '1'], { corpus, settings: wild }));
  assert.equal(code, 1);
  assert.match(err, /diverged|not finite/);
  assert.match(err, /lower learning_rate/);
  const { candidates } = await json('next', 'Thank', '--model', join(path('wild'), 'model.safetensors'));
  assert.ok(candidates.every(({ p }) => Number.isFinite(p)));
});

test('one training at a time in a folder', async () => {
  const child = spawn(glassbox, training('busy', ['--checkpoint-every', '1']));
  await new Promise((done) => child.stdout.once('data', done));
  const { code, err } = await run(glassbox, training('busy'));
  child.kill('SIGKILL');
  await new Promise((done) => child.on('close', done));
  assert.equal(code, 1);
  assert.match(err, /another training is at work/);
});
