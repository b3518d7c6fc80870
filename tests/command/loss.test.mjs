// `glassbox loss`: the sum of what `glassbox next` says of every token, by whole documents in rows.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { glassbox as built, root, run } from './run.mjs';

const glassbox = process.env.GLASSBOX || built;
const model = join(root, 'web/models/builtin');
const documents = ['Thank you very much.', '小猫没有跳上桌子。', '问：12加35等于多少？<calc>12+35</calc>'];
const endOfText = '<|endoftext|>';

let folder;
let corpus;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glassbox-loss-'));
  corpus = join(folder, 'corpus.txt');
  await writeFile(corpus, documents.join(endOfText));
});
after(() => rm(folder, { recursive: true }));

async function json(...words) {
  const { code, out, err } = await run(glassbox, [...words, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}
const loss = (...more) => json('loss', '--corpus', corpus, '--model', model, ...more);

let special; // ids of the special tokens, by text
/** Ids of a document and of the token that closes it. */
async function encode(text) {
  special ??= new Map((await json('next', 'a', '--model', join(model, 'model.safetensors'), '--top', '2560')).candidates.map(({ id, token }) => [token, id]));
  const pieces = text.split(/(<\/?calc>)/).filter((piece) => piece !== '');
  const ids = [];
  for (const piece of [...pieces, endOfText]) ids.push(...(/^<.+>$/.test(piece) ? [special.get(piece)] : (await json('tokenize', piece)).ids));
  return ids;
}

/** −log p of every token of a row but the first. */
async function nats(row) {
  let sum = 0;
  for (let i = 1; i < row.length; i++) {
    const { candidates } = await json('next', '--ids', row.slice(0, i).join(' '), '--model', join(model, 'model.safetensors'), '--top', '2560');
    sum -= Math.log(candidates.find(({ id }) => id === row[i]).p);
  }
  return sum;
}

test('all documents in one row: the mean of −log p of every token but the first', async () => {
  const row = (await Promise.all(documents.map(encode))).flat();
  const measured = await loss();
  assert.equal(measured.documents, 3);
  assert.equal(measured.rows, 1);
  assert.equal(measured.tokens, row.length - 1);
  const first = (await json('tokenize', documents[0])).bytes[0].length;
  assert.equal(measured.bytes, Buffer.byteLength(documents.join('')) - first);
  const sum = await nats(row);
  assert.ok(Math.abs(measured.loss - sum / measured.tokens) < 1e-4, `${measured.loss} is not ${sum / measured.tokens}`);
  assert.ok(Math.abs(measured.loss_per_byte - sum / measured.bytes) < 1e-4);
  assert.equal(measured.standard_error, null); // of one row there is none
});

test('short rows: whole documents as long as they fit, a longer one cut', async () => {
  const longest = 13; // a row of 12 tokens to guess has 13
  const rows = [[]];
  for (const ids of await Promise.all(documents.map(encode))) {
    if (rows.at(-1).length + ids.length > longest) rows.push([]);
    for (const id of ids) {
      if (rows.at(-1).length === longest) rows.push([]);
      rows.at(-1).push(id);
    }
  }
  assert.ok(rows.length >= 3);
  const sums = await Promise.all(rows.map(nats));
  const measured = await loss('--row-tokens', String(longest - 1));
  assert.equal(measured.rows, rows.length);
  assert.equal(measured.tokens, rows.reduce((sum, row) => sum + row.length - 1, 0));
  const mean = sums.reduce((sum, x) => sum + x, 0) / measured.tokens;
  assert.ok(Math.abs(measured.loss - mean) < 1e-4, `${measured.loss} is not ${mean}`);
  const squares = sums.reduce((sum, x, i) => sum + (x - mean * (rows[i].length - 1)) ** 2, 0);
  assert.ok(Math.abs(measured.standard_error - Math.sqrt((squares * rows.length) / (rows.length - 1)) / measured.tokens) < 1e-4);
});

test('as text, and from .jsonl', async () => {
  const file = join(folder, 'corpus.jsonl');
  await writeFile(file, documents.map((text) => JSON.stringify({ family: 'any', text })).join('\n'));
  const { code, out } = await run(glassbox, ['loss', '--corpus', file, '--model', model]);
  assert.equal(code, 0);
  const { loss: value, loss_per_byte: perByte, tokens } = await loss();
  assert.equal(out, `${value.toFixed(4)} nats a token, ${perByte.toFixed(4)} nats a byte; ${tokens} tokens of 3 documents\n`);
});

test('bad input is refused in one line', async () => {
  const refused = async (words, code, message) => {
    const result = await run(glassbox, ['loss', ...words]);
    assert.equal(result.code, code);
    assert.match(result.err, message);
    assert.equal(result.err.trim().split('\n').length, 1);
  };
  const none = join(folder, 'none.txt');
  await refused(['--corpus', none, '--model', model], 1, /can't read .*none\.txt/);
  await refused(['--corpus', corpus, '--model', folder], 1, /can't read .*config\.json/);
  await refused(['--corpus', corpus, '--model', model, '--row-tokens', '257'], 1, /--row-tokens: expected at most n_positions 256, got 257/);
  await refused(['--corpus', corpus, '--model', model, '--row-tokens', '0'], 2, /--row-tokens/);
  await refused(['--model', model], 2, /--corpus is required/);
  await writeFile(none, '');
  await refused(['--corpus', none, '--model', model], 1, /no document with a text/);
});
