// The native build and the wasm build give the same bits: activations, probabilities, and text drawn from a seed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { nodeEngine } from '../../web/engine/node.js';
import { json, root } from './run.mjs';

const texts = ['Thank you very', '小猫没有跳上桌子，因为它太累了。太累的是', 'The cat could not jump onto the table. 😀\n'];
let engine;
before(async () => {
  engine = await nodeEngine({ engineDir: join(root, 'build/wasm'), modelsDir: join(root, 'web/models') });
});

test('every activation and logit of the built-in model', async () => {
  for (const text of texts) {
    const native = await json('trace', text);
    const { activations } = await engine.trace(text, { names: Object.keys(native) });
    for (const [name, { shape, data }] of Object.entries(native)) {
      assert.deepEqual(activations[name].shape, shape);
      const differing = data.findIndex((x, i) => !Object.is(Math.fround(x), activations[name].data[i]));
      assert.equal(differing, -1, `${name}[${differing}]: ${data[differing]} and ${activations[name].data[differing]}`);
    }
  }
});

test('tokens, candidates and generated text', async () => {
  for (const text of texts) {
    const tokens = await json('tokenize', text, '--steps');
    const ours = await engine.tokenize(text, { steps: true });
    assert.deepEqual(ours.ids, tokens.ids);
    assert.deepEqual(ours.bytes, tokens.bytes);
    assert.deepEqual(ours.steps.map((step) => step.pieces), tokens.steps.map((step) => step.pieces));
    const { candidates } = await engine.next(text, { top: 50 });
    const native = await json('next', text, '--top', '50');
    assert.deepEqual(candidates, native.candidates.map((c) => ({ ...c, p: Math.fround(c.p), logit: Math.fround(c.logit) })));
    for (const seed of [0, 1, 2]) {
      const options = ['--temperature', '1.1', '--top-p', '0.98', '--seed', String(seed), '--max-tokens', '150'];
      const drawn = await engine.generate(text, { temperature: 1.1, topP: 0.98, seed, maxTokens: 150 });
      const { text: expected, ids, dropped } = await json('generate', text, ...options);
      assert.deepEqual([drawn.text, drawn.ids, drawn.dropped], [expected, ids, dropped]);
    }
  }
});

test('the hand calculation', async () => {
  const m = [[1, 0], [0, 1], [1, 1]];
  const v = [[1, 0], [0, 1], [0.5, 0.5]];
  const native = await json('attention', '--q', JSON.stringify(m), '--k', JSON.stringify(m), '--v', JSON.stringify(v));
  const steps = await engine.attentionSteps({ q: m, k: m, v, causal: false, scale: true });
  for (const [name, { data }] of Object.entries(steps)) assert.deepEqual([...data], native[name].flat().map(Math.fround));
});
