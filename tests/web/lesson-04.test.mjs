// What lesson 4 says about the built-in model, checked on the built-in model, so that prose and model can't drift apart.
import assert from 'node:assert/strict';
import { dirname, join, resolve } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeEngine } from '../../web/engine/node.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const tired = '小猫没有跳上桌子，因为它太累了。太累的是';
const high = '小猫没有跳上桌子，因为它太高了。太高的是';

let heads = {}; // text → one entry a head of the model: { tokens, row(i) → T weights }

before(async () => {
  const engine = await nodeEngine({ engineDir: process.env.GLASSBOX_WASM || join(root, 'build/wasm'), modelsDir: join(root, 'web/models') });
  const { config } = await engine.load('builtin');
  const names = Array.from({ length: config.nLayer }, (_, layer) => `h.${layer}.attn.weights`);
  for (const text of [tired, high, 'Thank you very']) {
    const { tokens, activations } = await engine.trace(text, { names });
    const size = tokens.length;
    heads[text] = names.flatMap((name) =>
      Array.from({ length: config.nHead }, (_, head) => ({
        tokens,
        row: (i) => activations[name].data.slice((head * size + i) * size, (head * size + i + 1) * size),
      })),
    );
  }
});

test('the first row is always 1 and the upper triangle exactly 0', () => {
  for (const text of Object.keys(heads)) {
    for (const { tokens, row } of heads[text]) {
      assert.equal(row(0)[0], 1);
      for (let i = 0; i < tokens.length; i += 1) {
        assert.ok(row(i).slice(i + 1).every((weight) => weight === 0));
        assert.ok(Math.abs(row(i).reduce((sum, weight) => sum + weight) - 1) < 1e-5);
      }
    }
  }
});

test('at 它 not a single bit differs between the two sentences', () => {
  const at = heads[tired][0].tokens.indexOf('它');
  assert.ok(at > 0);
  assert.equal(heads[high][0].tokens.indexOf('它'), at);
  heads[tired].forEach(({ row }, i) => assert.deepEqual(row(at), heads[high][i].row(at)));
});

test('at 的是 some heads look at the same word in both sentences, others at another one', () => {
  const last = heads[tired][0].tokens.length - 1;
  assert.equal(heads[tired][0].tokens[last], '的是');
  const most = ({ row }) => row(last).indexOf(Math.max(...row(last)));
  const same = heads[tired].filter((head, i) => most(head) === most(heads[high][i])).length;
  assert.ok(same >= 2 && same <= heads[tired].length - 2, `${same} of ${heads[tired].length} heads`);
});
