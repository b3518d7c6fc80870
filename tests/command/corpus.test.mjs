// The corpus: same seed, same bytes; what is held out is not in it; what is committed is what the program makes.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { areHeldOutOperands, isHeldOutFact, isHeldOutPair } from '../../tools/builtin-corpus/held-out.mjs';
import * as lx from '../../tools/builtin-corpus/lexicon.mjs';
import { familyTable } from '../../tools/builtin-corpus/readme.mjs';
import { goldenData, root, run } from './run.mjs';

const program = join(root, 'tools/corpus');
const bytes = 3000000;
const first = { seed: 20, sha256: '5429af6dd713995adab31dcaab925611f19799f0294cfa18974258e1904e9f45' };
let folder;
let printed;
let documents;

async function make(name, seed) {
  const { code, out, err } = await run(program, ['--out', join(folder, name), '--seed', String(seed), '--bytes', String(bytes)]);
  assert.equal(code, 0, err);
  return out;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glassbox-corpus-'));
  printed = await make('one', first.seed);
  documents = (await readFile(join(folder, 'one/corpus.jsonl'), 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line));
});

after(() => rm(folder, { recursive: true, force: true }));

const of = (...names) => documents.filter(({ family }) => names.includes(family)).map(({ text }) => text);

test('the same seed gives the same bytes, on every machine', async () => {
  assert.match(printed, new RegExp(`sha256 of corpus.jsonl ${first.sha256}`));
  assert.equal(await make('two', first.seed), printed);
  assert.notEqual(await make('three', first.seed + 1), printed);
});

test('shares of the families are near what is asked for', () => {
  const shares = [...printed.matchAll(/^(.+?) +\d+ +\d+ +[\d.]+% +([\d.]+)%$/gm)].map(([, name, share]) => [name, Number(share)]);
  assert.equal(shares.length, 14);
  for (const [name, share] of [['recall', 23], ['recall-short', 10], ['stories', 14], ['calculator', 11], ['pronouns', 11], ['tool failure', 0.6]]) {
    const found = shares.find(([other]) => other === name)[1];
    assert.ok(Math.abs(found - share) < Math.max(0.3, share / 10), `${name}: ${found} instead of ${share}`);
  }
});

test('held-out pairs of nouns never stand in a pronoun text', () => {
  const nouns = [[lx.animalsZh, [...lx.objectsZh, ...lx.crossingsZh]], [lx.animalsEn, [...lx.objectsEn, ...lx.crossingsEn]], [lx.itemsZh, lx.containersZh], [lx.itemsEn, lx.containersEn]];
  let seen = 0;
  for (const text of of('pronouns')) {
    const words = new Set(text.match(/[a-z]+/g));
    const has = (word) => (/[a-z]/.test(word) ? words.has(word) : text.includes(word));
    for (const [firsts, seconds] of nouns) {
      for (const a of firsts.filter(has)) {
        for (const b of seconds.filter(has)) {
          seen += 1;
          assert.ok(!isHeldOutPair(a, b), text);
        }
      }
    }
  }
  assert.ok(seen > 3000);
  assert.ok(isHeldOutPair('小猫', '桌子') && isHeldOutPair('cat', 'table'));
});

test('held-out operands never stand in a call', () => {
  const calls = of('calculator', 'tool failure', 'clock', 'dictionary').flatMap((text) => [...text.matchAll(/<calc>(\d+)[-+×÷](\d+)<\/calc>/g)]);
  assert.ok(calls.length > 2000);
  for (const [call, a, b] of calls) assert.ok(!areHeldOutOperands(Number(a), Number(b)), call);
});

test('held-out colours of things never stand in a recall text', () => {
  let seen = 0;
  for (const text of of('recall', 'recall-short')) {
    for (const [, n, o, v] of [...text.matchAll(/(小.)的([^。，的是]{2})是(..)的/g), ...text.matchAll(/([A-Z]\w+)'s (\w+) is (\w+)\./g)]) {
      seen += 1;
      assert.ok(!isHeldOutFact(n, o, v), text);
    }
  }
  assert.ok(seen > 2000);
});

test('every result has its call, and every call its result', () => {
  const shape = /^(?:[^<]|<calc>[^<]+<\/calc><result>[^<]+<\/result>|<clock><\/clock><result>[^<]+<\/result>|<dict>[^<]+<\/dict><result>[^<]+<\/result>)+$/;
  for (const { text } of documents) assert.match(text, shape);
  for (const { text } of documents) assert.doesNotMatch(text, /undefined|[{}]|NaN/);
});

test('the lexicon is small enough for the vocabulary', async () => {
  const words = (await readFile(join(folder, 'one/lexicon.txt'), 'utf8')).trimEnd().split('\n');
  assert.ok(words.length <= 900);
  assert.equal(new Set(words).size, words.length);
  for (const word of ['小猫', '桌子', '累', ' much', ' Tom', 'Tom', 'The']) assert.ok(words.includes(word), word);
});

test('behaviours.json is what the program makes', async () => {
  const { out } = await run(program, ['--behaviours']);
  assert.equal(await readFile(join(goldenData, 'behaviours.json'), 'utf8'), out);
  assert.ok(out.length < 400000);
});

test('the README states what the program does', async () => {
  const readme = await readFile(join(root, 'tools/builtin-corpus/README.md'), 'utf8');
  assert.ok(readme.includes(familyTable()), 'run tools/corpus --readme');
});

test('bad usage is named', async () => {
  for (const args of [[], ['--out', folder, '--bytes', 'many'], ['--behaviours', '--readme']]) {
    const { code, err } = await run(program, args);
    assert.equal(code, 2);
    assert.match(err, /usage/);
  }
});
