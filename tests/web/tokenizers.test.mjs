// Tokenizers without their models, and the learning of merges, as the page asks for them; here over the same wasm in Node.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { learnedPieces, mergeTree, piecesAfter } from '../../web/parts/merges.js';
import { openNodeEngine, root } from './browser.mjs';

const encoder = new TextEncoder();
const goldens = JSON.parse(await readFile(join(root, 'tests/golden/data/gpt2_bpe_goldens.json'), 'utf8'));

let node;

before(async () => {
  node = await openNodeEngine();
});

const gpt2 = (text, options) => node.tokenize(text, { tokenizer: 'gpt2', ...options });

/** A GPT-2 of one layer and one head with weights of zero, in one safetensors file without metadata. */
function bareModel(vocabulary) {
  const [width, context] = [64, 4];
  const block = (name) => `h.0.${name}`;
  const shapes = Object.entries({
    'wte.weight': [vocabulary, width], 'wpe.weight': [context, width], 'ln_f.weight': [width], 'ln_f.bias': [width],
    [block('ln_1.weight')]: [width], [block('ln_1.bias')]: [width], [block('ln_2.weight')]: [width], [block('ln_2.bias')]: [width],
    [block('attn.c_attn.weight')]: [width, 3 * width], [block('attn.c_attn.bias')]: [3 * width], [block('attn.c_proj.weight')]: [width, width], [block('attn.c_proj.bias')]: [width],
    [block('mlp.c_fc.weight')]: [width, 4 * width], [block('mlp.c_fc.bias')]: [4 * width], [block('mlp.c_proj.weight')]: [4 * width, width], [block('mlp.c_proj.bias')]: [width],
  });
  let end = 0;
  const header = {};
  for (const [name, shape] of shapes) {
    const from = end;
    end += 4 * shape.reduce((product, n) => product * n);
    header[name] = { dtype: 'F32', shape, data_offsets: [from, end] };
  }
  const text = encoder.encode(JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  return file;
}

test('a file of GPT-2’s weights without a vocabulary has GPT-2’s; one of another size has none', async () => {
  node.addModel('memory:gpt2', 'gpt2', bareModel(50257));
  assert.equal((await node.load('memory:gpt2')).hasTokenizer, true);
  assert.deepEqual((await node.tokenize('Thank you very', { model: 'memory:gpt2' })).ids, [10449, 345, 845]);
  node.addModel('memory:other', 'other', bareModel(50256));
  assert.equal((await node.load('memory:other')).hasTokenizer, false);
  for (const name of ['memory:gpt2', 'memory:other']) await node.removeModel(name);
});

describe('a tokenizer without its model', () => {
  test('GPT-2’s: the golden ids, tokens whose bytes are the text, and merges that lead to them', async () => {
    assert.equal(goldens.length, 100);
    for (const { text, ids } of goldens) {
      const asked = await gpt2(text, { steps: true });
      assert.deepEqual(asked.ids, ids, text);
      assert.equal(asked.count, ids.length);
      assert.equal(asked.size, 50257);
      assert.deepEqual(asked.bytes.flat(), [...encoder.encode(text)]);
      assert.equal(asked.textBytes, encoder.encode(text).length);
      const start = piecesAfter(asked, 0);
      assert.deepEqual(start.map(({ bytes }) => bytes.length).filter((n) => n !== 1), []);
      const end = piecesAfter(asked, asked.steps.length);
      assert.deepEqual(end.map(({ id }) => id), ids, `${text}: the merges lead to the tokens`);
      assert.deepEqual(end.map(({ bytes }) => bytes), asked.bytes);
    }
  });

  test('"Thank you very" and " much" in GPT-2’s vocabulary', async () => {
    assert.deepEqual((await gpt2('Thank you very')).ids, [10449, 345, 845]);
    assert.deepEqual((await gpt2(' much')).ids, [881]);
  });

  test('the built-in one is the one of the built-in model', async () => {
    for (const text of ['Thank you very', '小猫没有跳上桌子，因为它太累了。', '龘 😀\n\t x', '']) {
      const own = await node.tokenize(text, { tokenizer: 'builtin', steps: true });
      const model = await node.tokenize(text, { steps: true });
      assert.deepEqual(own.ids, model.ids);
      assert.deepEqual(own.bytes, model.bytes);
      assert.deepEqual(own.tokens, model.tokens);
      assert.equal(own.steps.length, model.steps.length);
      model.steps.forEach(({ rank, pieceIds }, i) => {
        assert.equal(own.steps[i].rank, rank);
        assert.deepEqual(piecesAfter(own, i + 1).map(({ id }) => id), pieceIds);
      });
    }
  });

  test('of a long text only the first tokens are described, and its merges are refused', async () => {
    const text = '小猫没有 jump '.repeat(60_000);
    const asked = await gpt2(text, { most: 100 });
    assert.equal(asked.ids.length, 100);
    assert.equal(asked.bytes.length, 100);
    assert.equal(asked.textBytes, encoder.encode(text).length);
    assert.deepEqual(asked.ids, (await gpt2(text.slice(0, 400))).ids.slice(0, 100));
    await assert.rejects(gpt2(text, { steps: true }), { code: 'bad_argument' });
    await assert.rejects(node.tokenize('a', { tokenizer: 'nothing' }), { code: 'no_file' });
    await assert.rejects(node.tokenize('a', { tokenizer: 7 }), { code: 'bad_argument' });
  });

  test('the merges inside of a token are a tree over its bytes', async () => {
    const asked = await gpt2('Thank 猫', { steps: true });
    const roots = mergeTree(asked);
    assert.deepEqual(roots.map(({ id }) => id), asked.ids);
    const [thank] = roots;
    assert.deepEqual([thank.from, thank.to], [0, 5]);
    const leaves = (node) => (node.parts ? node.parts.flatMap(leaves) : [node]);
    assert.deepEqual(leaves(thank).map(({ from }) => from), [0, 1, 2, 3, 4]);
    assert.equal(thank.rank, Math.max(...[thank, ...thank.parts].map(({ rank }) => rank ?? -1)), 'the last merge of this word is the highest');
  });
});

describe('merges learned from a text', () => {
  const text = 'low low low lower lowest 小猫和小狗和小猫';

  test('each is the pair that stands there most often, and the text shortens by it', async () => {
    const learned = await node.learnBpe(text, { most: 12 });
    assert.equal(learned.tokens, encoder.encode(text).length);
    assert.equal(learned.words.reduce((sum, n) => sum + n), learned.textBytes);
    const utf8 = [...encoder.encode(text)];
    learned.merges.forEach((merge, i) => {
      const before = learnedPieces({ ...learned, utf8 }, i);
      const after = learnedPieces({ ...learned, utf8 }, i + 1);
      assert.equal(merge.rank, i);
      assert.equal(merge.id, 256 + i);
      assert.equal(after.length, merge.tokens, `merge ${i}: as many pieces as the engine counts`);
      assert.ok(after.length < before.length);
      // The count by the definition, over the pieces of each word.
      const counts = new Map();
      let at = 0;
      for (const length of learned.words) {
        let word = [];
        for (let bytes = 0; bytes < length; at += 1) {
          word.push(before[at].bytes.join());
          bytes += before[at].bytes.length;
        }
        for (let k = 0; k + 1 < word.length; k += 1) counts.set(`${word[k]}|${word[k + 1]}`, (counts.get(`${word[k]}|${word[k + 1]}`) ?? 0) + 1);
      }
      assert.equal(merge.count, Math.max(...counts.values()));
      assert.deepEqual(after.flatMap(({ bytes }) => bytes), utf8);
    });
  });

  test('nothing repeats: nothing is learned', async () => {
    for (const odd of ['', 'a', 'abc', '好']) assert.deepEqual((await node.learnBpe(odd)).merges, []);
    assert.ok((await node.learnBpe('😀🎉😺')).merges.length > 0, 'emoji share their first bytes');
  });

  test('a megabyte is learned from, can be cancelled, and tells how far it is', async () => {
    const long = `${text} ${'The cat sat on the mat. '.repeat(10)}\n`.repeat(4000);
    const heard = [];
    const { merges, textBytes } = await node.learnBpe(long, { most: 100 }, { onProgress: (progress) => heard.push(progress) });
    assert.ok(textBytes > 1e6 && merges.length > 30);
    assert.deepEqual(heard.at(-1), { loaded: merges.length, total: 100 });
    await assert.rejects(node.learnBpe(long, {}, { isCancelled: () => true }), { code: 'cancelled' });
    await assert.rejects(node.learnBpe('a', { most: -1 }), { code: 'bad_argument' });
  });
});
