// The native command: every call's JSON to the letter, its text, its errors and exit codes.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { glassbox, goldenData, json, readSafetensors, run } from './run.mjs';

const hand = ['--q', '[[1,0],[0,1],[1,1]]', '--k', '[[1,0],[0,1],[1,1]]', '--v', '[[1,0],[0,1],[0.5,0.5]]'];
const tied = join(goldenData, 'gpt2_tied/model.safetensors');
const { vocab_size: vocabulary, n_positions: context } = JSON.parse(await readFile(new URL('../../web/models/builtin/config.json', import.meta.url), 'utf8'));

function close(actual, expected, margin) {
  assert.equal(actual.length, expected.length);
  actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= margin, `${actual} is not ${expected}`));
}

test('attention of given matrices: the hand calculation of lesson 4', async () => {
  const { scores, scaled, masked, weights, output, ...rest } = await json('attention', ...hand);
  assert.deepEqual(rest, {});
  assert.deepEqual(scores, [[1, 0, 1], [0, 1, 1], [1, 1, 2]]);
  close(scaled[0], [Math.SQRT1_2, 0, Math.SQRT1_2], 1e-7);
  assert.deepEqual(masked, scaled);
  close(weights[0], [0.4011, 0.1978, 0.4011], 5e-5);
  close(output[0], [0.6017, 0.3983], 5e-5);
});

test('attention of given matrices: mask and scaling', async () => {
  const causal = await json('attention', ...hand, '--causal');
  close(causal.weights[1], [0.3302, 0.6698, 0], 5e-5);
  assert.equal(causal.weights[1][2], 0);
  assert.deepEqual(causal.masked[0].slice(1), [null, null]);
  const unscaled = await json('attention', ...hand, '--no-scale');
  assert.deepEqual(unscaled.scaled, unscaled.scores);
});

test('tokenize in GPT-2\'s vocabulary', async () => {
  assert.deepEqual(await json('tokenize', 'Thank you very', '--tokenizer', 'gpt2'), {
    ids: [10449, 345, 845],
    tokens: ['Thank', ' you', ' very'],
    bytes: ['Thank', ' you', ' very'].map((token) => [...Buffer.from(token)]),
  });
  assert.deepEqual((await json('tokenize', ' much', '--tokenizer', 'gpt2')).ids, [881]);
  assert.deepEqual(await json('tokenize', ''), { ids: [], tokens: [], bytes: [] });
});

test('tokenize shows parts of characters as U+FFFD and their bytes exactly', async () => {
  const { tokens, bytes } = await json('tokenize', '龘', '--tokenizer', 'gpt2');
  assert.ok(tokens.some((token) => token.includes('\ufffd')));
  assert.deepEqual(bytes.flat(), [...Buffer.from('龘')]);
});

test('tokenize --steps leads from bytes to the tokens', async () => {
  const { ids, tokens, steps } = await json('tokenize', 'Thank you', '--tokenizer', 'gpt2', '--steps');
  assert.deepEqual(steps.at(-1).pieces, tokens);
  assert.deepEqual(steps.at(-1).piece_ids, ids);
  for (const { rank, pair, pieces } of steps) {
    assert.ok(Number.isInteger(rank));
    assert.ok(pieces.includes(pair.join('')));
  }
});

test('next: " much" after "Thank you very", probabilities over the whole vocabulary', async () => {
  const { candidates, ...rest } = await json('next', 'Thank you very');
  assert.deepEqual(rest, {});
  assert.equal(candidates.length, 10);
  assert.deepEqual(Object.keys(candidates[0]), ['id', 'token', 'bytes', 'p', 'logit']);
  assert.equal(candidates[0].token, ' much');
  assert.ok(candidates[0].p > 0.9);
  const all = (await json('next', 'Thank you very', '--top', '1000000')).candidates;
  assert.equal(all.length, vocabulary);
  const sum = all.reduce((total, { p }) => total + p, 0);
  assert.ok(Math.abs(sum - 1) < 1e-5);
});

test('next: the kitten sentences, a pair never trained on', async () => {
  for (const [adjective, noun] of [['累', '小猫'], ['高', '桌子']]) {
    const { candidates } = await json('next', `小猫没有跳上桌子，因为它太${adjective}了。太${adjective}的是`);
    assert.equal(candidates[0].token, noun);
    assert.ok(candidates[0].p > 0.9, `P(${noun}) = ${candidates[0].p}`);
  }
});

test('attention of a text: the JSON, the table, and the same model by its path', async () => {
  const grid = await json('attention', 'Thank you very', '--layer', '1', '--head', '2');
  assert.deepEqual(Object.keys(grid), ['tokens', 'layer', 'head', 'weights']);
  assert.deepEqual(grid.tokens, ['Thank', ' you', ' very']);
  assert.equal(grid.layer, 1);
  assert.equal(grid.head, 2);
  assert.deepEqual(grid.weights[0], [1, 0, 0]);
  for (const row of grid.weights) assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-6);

  const { out } = await run(glassbox, ['attention', 'Thank you very', '--layer', '1', '--head', '2']);
  const lines = out.trimEnd().split('\n');
  assert.equal(lines.length, 4);
  assert.deepEqual(lines[1].split(/\s+/), ['Thank', '1.000', '·', '·']);
  assert.equal(lines[2].split(/\s+/)[1], grid.weights[1][0].toFixed(3));
});

test('trace gives PyTorch\'s activations for checkpoints in Hugging Face\'s layout', async () => {
  // gpt2_untied has the prefix `transformer.` and mask buffers; the others none.
  for (const name of ['gpt2_tied', 'gpt2_untied', 'gpt2_f16', 'gpt2_bf16']) {
    const { metadata, tensors } = await readSafetensors(join(goldenData, `${name}.golden.safetensors`));
    const ours = await json('trace', '--model', join(goldenData, name, 'model.safetensors'), '--ids', metadata.ids);
    assert.deepEqual(Object.keys(ours).sort(), Object.keys(tensors).sort());
    for (const [key, { shape, data }] of Object.entries(tensors)) {
      assert.deepEqual(ours[key].shape, shape);
      const difference = Math.hypot(...data.map((x, i) => x - ours[key].data[i]));
      assert.ok(difference <= 1e-5 * Math.hypot(...data), `${name} ${key}: off by ${difference}`);
    }
  }
});

test('trace --names gives just those, in that order', async () => {
  const names = ['h.1.attn.weights', 'wte'];
  const trace = await json('trace', 'Thank you', '--names', names.join(','));
  assert.deepEqual(Object.keys(trace), names);
  assert.deepEqual(trace['h.1.attn.weights'].shape, [4, 2, 2]);
});

test('lens: the guess at every stage, the last one as next says; parts left out of both', async () => {
  for (const out of [[], ['--knockout', 'mlp.0 no-mask']]) {
    const { layers } = await json('lens', 'Thank you very', '--top', '2', ...out);
    assert.equal(layers[0].name, 'h.0.resid_in');
    assert.ok(layers.slice(1).every(({ name }, i) => name === `h.${i}.resid_out`));
    const { candidates } = await json('next', 'Thank you very', '--top', '2', ...out);
    assert.deepEqual(layers.at(-1).candidates, candidates.map(({ id, token, p }) => ({ id, token, p })));
  }
  const [all, without] = [await json('next', 'Thank you very'), await json('next', 'Thank you very', '--knockout', 'mlp.0')];
  assert.notEqual(all.candidates[0].p, without.candidates[0].p);
  const refused = await run(glassbox, ['next', 'a', '--knockout', 'x']);
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.ok(refused.err.includes('"x"'), refused.err);
});

test('a model without tokenizer reads ids and shows null for tokens', async () => {
  const { candidates } = await json('next', '--model', tied, '--ids', '1 2 3', '--top', '2');
  assert.equal(candidates[0].token, null);
  assert.equal(candidates[0].bytes, null);
  assert.deepEqual((await json('attention', '', '--model', tied, '--ids', '1 2')).tokens, [null, null]);
  const { text, ids } = await json('generate', '--model', tied, '--ids', '1 2 3', '--max-tokens', '4');
  assert.equal(text, null);
  assert.equal(ids.length, 4);
});

test('generate: new tokens only, reproducible by the seed, beyond a full context', async () => {
  const options = ['--temperature', '0.9', '--top-k', '40', '--top-p', '0.95', '--seed', '7', '--max-tokens', '200'];
  const a = await json('generate', 'Once upon a time', ...options);
  assert.deepEqual(Object.keys(a), ['text', 'ids', 'dropped', 'prefill_ms', 'decode_ms', 'steps']);
  assert.ok(a.ids.length > 0 && a.ids.length <= 200);
  assert.ok(a.prefill_ms > 0 && a.decode_ms > 0);
  const b = await json('generate', 'Once upon a time', ...options);
  assert.deepEqual(b.ids, a.ids);
  assert.equal((await run(glassbox, ['generate', 'Once upon a time', ...options])).out, `${a.text}\n`);

  const { ids, steps } = await json('generate', 'Once upon a time', ...options, '--no-cache');
  assert.deepEqual(ids, a.ids);
  assert.deepEqual(Object.keys(steps[0]), ['kind', 'tokens', 'start_ms', 'ms', 'multiply_adds', 'weight_bytes', 'cache_written', 'cache_read', 'cache_bytes']);
  assert.deepEqual([a.steps[0].kind, a.steps[1].kind, steps[0].kind, steps[1].kind], ['prefill', 'decode', 'prefill', 'reread']);
  assert.equal(steps[1].tokens, steps[0].tokens + 1);
  assert.deepEqual({ ...steps[0], start_ms: 0, ms: 0, cache_bytes: 0 }, { ...a.steps[0], start_ms: 0, ms: 0, cache_bytes: 0 });

  const long = await json('generate', '--model', tied, '--ids', '1 2 3', '--max-tokens', '60');
  assert.equal(long.ids.length, 60);
  assert.ok(long.dropped >= 36 - 12 && long.dropped % 12 === 0, `dropped ${long.dropped}`);
});

test('a text that is too long keeps its newest tokens and says so', async () => {
  const { code, out, err } = await run(glassbox, ['next', '谢谢你'.repeat(500), '--json']);
  assert.equal(code, 0);
  assert.match(err, new RegExp(`reads ${context} tokens; the oldest \\d+ were left out`));
  assert.equal(JSON.parse(out).candidates.length, 10);
  for (const call of ['attention', 'trace', 'generate']) {
    assert.match((await run(glassbox, [call, '谢谢你'.repeat(500)])).err, /the oldest \d+ were left out/, call);
  }
});

test('a text from standard input, after --, or that looks like a call', async () => {
  const piped = await run(glassbox, ['tokenize', '-', '--json'], { input: 'Thank you' });
  assert.deepEqual(JSON.parse(piped.out), await json('tokenize', 'Thank you'));
  const dashes = await run(glassbox, ['tokenize', '--json', '--', '--steps']);
  assert.equal(JSON.parse(dashes.out).tokens.join(''), '--steps');
  assert.equal((await json('tokenize', 'next')).tokens.join(''), 'next');
  assert.equal((await json('tokenize', 'a\nb\tc')).tokens.join(''), 'a\nb\tc');
  const broken = await run(glassbox, ['tokenize', '-', '--json'], { input: Buffer.from([0x61, 0xff, 0xfe]) });
  assert.deepEqual(JSON.parse(broken.out).bytes.flat(), [0x61, 0xff, 0xfe]);
});

test('bad input is exit 1 and bad usage exit 2, each with one line', async () => {
  const refused = [
    [1, ['next', ''], /empty/],
    [1, ['attention', 'x', '--layer', '9'], /--layer: expected 0 to 3, got 9/],
    [1, ['attention', 'x', '--head', '-1'], /--head: expected 0 to 3, got -1/],
    [1, ['attention', '--q', '[[1]', '--k', '[[1]]', '--v', '[[1]]'], /--q/],
    [1, ['attention', '--q', '[[1,2],[3]]', '--k', '[[1,2]]', '--v', '[[1]]'], /--q: expected a JSON matrix/],
    [1, ['attention', '--q', '[["a"]]', '--k', '[[1]]', '--v', '[[1]]'], /--q: expected a JSON matrix/],
    [1, ['attention', '--q', '[[1]]', '--k', '[[1,2]]', '--v', '[[1]]'], /k: expected/],
    [1, ['next', 'x', '--model', '/nowhere/model.safetensors'], /can't read/],
    [1, ['next', 'x', '--model', goldenData], /can't read/],
    [1, ['next', 'x', '--model', join(goldenData, 'gpt2_bpe_goldens.json')], /safetensors|header/],
    [1, ['next', 'x', '--model', tied], /no tokenizer/],
    [1, ['next', '--ids', '1 99999'], new RegExp(`expected 0 to ${vocabulary - 1}, got 99999`)],
    [1, ['next', '--ids', '1 x'], /--ids/],
    [1, ['next', '--ids', ''], /at least one/],
    [1, ['trace', 'x', '--names', 'h.9.ln_1'], /h\.9\.ln_1/],
    [1, ['generate', 'x', '--temperature', '-1'], /temperature/],
    [1, ['generate', 'x', '--temperature', '1', '--top-p', '0'], /top_p/],
    [2, [], /.+/],
    [2, ['frobnicate'], /.+/],
    [2, ['next'], /TEXT/],
    [2, ['tokenize'], /TEXT/],
    [2, ['next', 'x', '--frob'], /--frob/],
    [2, ['next', 'x', '--top', 'many'], /many|--top/],
    [2, ['attention', '--q', '[[1]]'], /--q|--k|--v/],
    [2, ['tokenize', 'x', '--tokenizer', 'llama'], /llama/],
  ];
  for (const [expected, args, message] of refused) {
    const { code, out, err } = await run(glassbox, args);
    assert.equal(code, expected, `${args.join(' ')}: ${err}`);
    assert.equal(out, '', args.join(' '));
    assert.match(err, /^[^\n]+\n$/, args.join(' '));
    assert.match(err, message, args.join(' '));
  }
});

test('--help explains each call and exits 0', async () => {
  for (const args of [[], ['tokenize'], ['attention'], ['next'], ['generate'], ['trace']]) {
    const { code, out } = await run(glassbox, [...args, '--help']);
    assert.equal(code, 0);
    assert.match(out, /Usage/);
  }
});

test('GLASSBOX_MODELS says where the models are', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'glassbox-'));
  try {
    const { code, err } = await run(glassbox, ['next', 'x'], { env: { GLASSBOX_MODELS: empty } });
    assert.equal(code, 1);
    assert.ok(err.includes(empty));
  } finally {
    await rm(empty, { recursive: true });
  }
});
