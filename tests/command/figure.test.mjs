// tools/figure draws the numbers that the command prints.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { json, root, run } from './run.mjs';

const figure = join(root, 'tools/figure');

test('a figure holds the weights of its layer and head', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-'));
  try {
    const file = join(folder, 'F.svg');
    const { code, err } = await run(figure, ['Thank you very', '--layer', '1', '--head', '2', '-o', file]);
    assert.equal(code, 0, err);
    const svg = await readFile(file, 'utf8');
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    const { weights } = await json('attention', 'Thank you very', '--layer', '1', '--head', '2');
    const shown = [...svg.matchAll(/>([01]\.\d+)</g)].map((match) => Number(match[1]));
    const expected = weights.flatMap((row, r) => row.slice(0, r + 1));
    assert.equal(shown.length, expected.length);
    shown.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= 0.005001, `${x} and ${expected[i]}`));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a figure escapes what the text holds', async () => {
  const { code, out } = await run(figure, ['<script>alert(1)</script>&"']);
  assert.equal(code, 0);
  assert.ok(!out.includes('<script'));
});

test('bad calls are told apart', async () => {
  assert.equal((await run(figure, [])).code, 2);
  assert.equal((await run(figure, ['a', 'b'])).code, 2);
  assert.equal((await run(figure, ['a', '--theme', 'pink'])).code, 2);
  assert.equal((await run(figure, ['a', '--layer', '77'])).code, 1);
  assert.equal((await run(figure, ['a', '--layer', 'x'])).code, 1);
  assert.equal((await run(figure, [''])).code, 1);
  assert.equal((await run(figure, ['--help'])).code, 0);
});
