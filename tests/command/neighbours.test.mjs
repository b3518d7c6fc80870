// glassbox neighbours: the nearest rows of the embedding table, as text and as JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { glassbox, json, run } from './run.mjs';

test('each token of a text with its nearest, the nearest first; text and JSON tell the same', async () => {
  const { tokens } = await json('neighbours', '小猫桌子', '--count', '4');
  assert.deepEqual(tokens.map(({ token }) => token), ['小猫', '桌子']);
  for (const { id, neighbours } of tokens) {
    assert.equal(neighbours.length, 4);
    neighbours.forEach(({ cosine }, i) => assert.ok(cosine <= 1 && (i === 0 || cosine <= neighbours[i - 1].cosine)));
    assert.ok(neighbours.every((one) => one.id !== id));
  }
  const { code, out } = await run(glassbox, ['neighbours', '小猫', '--count', '2']);
  assert.equal(code, 0);
  const lines = out.trimEnd().split('\n');
  assert.equal(lines[0], `小猫  ${tokens[0].id}`);
  assert.deepEqual(lines.slice(1).map((line) => line.trim().split(/\s+/)[0]), tokens[0].neighbours.slice(0, 2).map(({ cosine }) => cosine.toFixed(3)));
});

test('a number instead of a text; what there is not is refused', async () => {
  const { tokens } = await json('neighbours', '--ids', '100', '--count', '1000000');
  const { ids } = await json('tokenize', '小猫');
  assert.equal(tokens[0].id, 100);
  assert.ok(tokens[0].neighbours.length > ids[0], 'the whole vocabulary when more are asked for');
  assert.equal((await run(glassbox, ['neighbours', '--ids', '9999999'])).code, 1);
  assert.equal((await run(glassbox, ['neighbours'])).code, 2);
  assert.equal((await run(glassbox, ['neighbours', '小猫', '--count', '0'])).code, 2);
});
