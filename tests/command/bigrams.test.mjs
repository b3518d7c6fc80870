// glassbox bigrams: the counts are a naive counter's, and bad input is told.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { glassbox, json, root, run } from './run.mjs';

const model = join(root, 'build/models/builtin');
const texts = ['小猫没有跳上桌子，因为它太累了。', '小猫没有跳上屋顶，因为它太高了。', 'Thank you very much. Thank you very much.', '小猫'];

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glassbox-bigrams-'));
});
after(() => rm(folder, { recursive: true }));

/** The rows of a file: {total, followers: [[id, count]]} for each token. */
async function readBigrams(path) {
  const file = await readFile(path);
  assert.equal(file.subarray(0, 8).toString(), 'bigrams1');
  let at = 8;
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = file[at++];
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  const rows = Array.from({ length: number() }, () => {
    const total = number();
    let count = total;
    const followers = Array.from({ length: number() }, () => [number(), (count -= number())]);
    return { total, followers };
  });
  assert.equal(at, file.length);
  return rows;
}

test('counts what a naive counter counts, in both kinds of corpus', async () => {
  const { '<|endoftext|>': end } = JSON.parse(await readFile(join(model, 'vocab.json'), 'utf8'));
  const ids = [];
  for (const text of texts) ids.push(...(await json('tokenize', text, '--tokenizer', 'builtin')).ids, end);
  const counts = new Map();
  for (let i = 1; i < ids.length; i += 1) {
    const row = counts.get(ids[i - 1]) ?? counts.set(ids[i - 1], new Map()).get(ids[i - 1]);
    row.set(ids[i], (row.get(ids[i]) ?? 0) + 1);
  }
  for (const [name, corpus] of [['corpus.jsonl', texts.map((text) => `${JSON.stringify({ family: 'a', text })}\n`).join('')], ['corpus.txt', texts.join('\n<|endoftext|>\n')]]) {
    await writeFile(join(folder, name), corpus);
    const file = join(folder, `${name}.bin`);
    const { code, out, err } = await run(glassbox, ['bigrams', '--corpus', join(folder, name), '--model', model, '--out', file]);
    assert.deepEqual([code, err], [0, '']);
    const pairs = [...counts.values()].reduce((sum, row) => sum + row.size, 0);
    assert.equal(out, `${file}: ${(await stat(file)).size} bytes, ${pairs} of ${pairs} different pairs, ${ids.length - 1} of ${ids.length - 1} in all\n`);
    const rows = await readBigrams(file);
    assert.equal(rows.length, Object.keys(JSON.parse(await readFile(join(model, 'vocab.json'), 'utf8'))).length);
    rows.forEach(({ total, followers }, id) => {
      const expected = [...(counts.get(id) ?? [])].sort(([a, m], [b, n]) => n - m || a - b);
      assert.deepEqual(followers, expected);
      assert.equal(total, expected.reduce((sum, [, count]) => sum + count, 0));
    });
  }
});

test('leaves out rare followers until the file fits, and keeps the totals', async () => {
  const [corpus, whole, small] = ['corpus.jsonl', 'whole.bin', 'small.bin'].map((name) => join(folder, name));
  await writeFile(corpus, texts.map((text) => `${JSON.stringify({ family: 'a', text })}\n`).join(''));
  await run(glassbox, ['bigrams', '--corpus', corpus, '--model', model, '--out', whole]);
  const most = (await stat(whole)).size - 1;
  await run(glassbox, ['bigrams', '--corpus', corpus, '--model', model, '--out', small, '--most-bytes', String(most)]);
  assert.ok((await stat(small)).size <= most);
  const [all, kept] = await Promise.all([whole, small].map(readBigrams));
  const longest = Math.max(...kept.map(({ followers }) => followers.length));
  assert.ok(longest >= 1);
  kept.forEach(({ total, followers }, id) => {
    assert.equal(total, all[id].total);
    assert.deepEqual(followers, all[id].followers.slice(0, longest));
  });
  const { code, err } = await run(glassbox, ['bigrams', '--corpus', corpus, '--model', model, '--out', small, '--most-bytes', '100']);
  assert.equal(code, 1);
  assert.match(err, /^glassbox: bigrams: the totals alone are \d+ bytes, more than 100\n$/);
});

test('tells what is wrong in one line', async () => {
  await writeFile(join(folder, 'corpus.txt'), texts[0]);
  const good = { '--corpus': join(folder, 'corpus.txt'), '--model': model, '--out': join(folder, 'out.bin') };
  const attempt = (change) => run(glassbox, ['bigrams', ...Object.entries({ ...good, ...change }).flat()]);
  for (const [change, message] of [
    [{ '--corpus': join(folder, 'nope.txt') }, /can't read/],
    [{ '--model': folder }, /no tokenizer/],
    [{ '--out': join(folder, 'nope', 'out.bin') }, /out\.bin/],
  ]) {
    const { code, out, err } = await attempt(change);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, message);
    assert.equal(err.trim().split('\n').length, 1);
  }
  assert.equal((await run(glassbox, ['bigrams'])).code, 2);
});
