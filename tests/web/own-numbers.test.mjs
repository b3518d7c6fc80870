// Every number that a reader sees is computed. Here our own sources are searched for what would break that: random numbers without a seed, fixed
// probabilities, recorded activations. It is a search for shapes, so it is tried on planted examples as well.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from './browser.mjs';

/** Files of numbers that the pages may have, with the reason. */
const dataFiles = {
  'web/models/builtin': 'the model, its tokenizer, its dictionary, its bigram counts and its card, as tools/train-builtin makes them',
  'web/package.json': 'packages',
  'web/package-lock.json': 'packages',
  'web/.npmrc': 'packages',
  'web/site/scaling.json': 'our own measured family of models, as tools/scaling makes it',
  'web/site/pictures': 'pictures of the pages in the README, as tools/pictures.mjs makes them',
};

/** Numbers that may stand in our sources, with the reason: [file, the found text, reason]. */
const allowed = [
  ['web/parts/softmax.js', '[0.6, 0.2, 0.7]', 'scores to begin with, from the named source of lesson 1; their softmax is computed'],
  ['web/widgets/attention-steps.js', '[0.8, 0.2, 0.3]', 'the score table of lesson 4, from its named source'],
  ['web/widgets/attention-steps.js', '[0.6, 0.2, 0.7]', 'the score table of lesson 4, from its named source'],
  ['web/widgets/attention-steps.js', '[0.3, 0.5, 0.4]', 'the score table of lesson 4, from its named source'],
  ['web/widgets/attention-steps.js', '[0.5, 0.5]', 'a value of the hand calculation of lesson 4'],
  ['web/draw/arcs.js', 'weight : 0.12', 'how faint an arc may be drawn'],
  ['web/draw/number.js', '99.9%', 'what stands for a probability that would read as certain'],
  ['web/draw/number.js', '0.1%', 'what stands for a probability that would read as impossible'],
  ['web/parts/guess.js', '99.9%', 'the same for the live widgets'],
  ['web/parts/guess.js', '0.1%', 'the same for the live widgets'],
  ['web/lessons/zh/01-next-word.md', '20%', 'says what a probability means'],
  ['web/lessons/zh/06-training.md', '100%', 'a certain answer, whose loss is 0'],
];

const number = String.raw`-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?f?`;
const lists = new RegExp(String.raw`[[{]\s*(${number}(?:\s*,\s*${number}){1,})\s*,?\s*[\]}]`, 'gi');
const named = new RegExp(String.raw`\b(?:p|prob\w*|chance|weights?|attention|logits?|loss|kl|cosine|similarity|activations?)['"]?\s*[:=]\s*(?:0?\.\d{2,}|\d+\.\d{3,})`, 'gi');
const blank = (text) => text.replace(/[^\n]/g, ' ');
const withoutComments = (source) => source.replace(/\/\*.*?\*\//gs, blank).replace(/(^|[^:'"`\\])\/\/[^\n]*/g, (all, before) => before + blank(all.slice(before.length)));

/** What a list of number literals looks like, or null: a scale for a slider rises, recorded numbers go up and down. */
function judgeList(text) {
  const values = text.split(',').map((one) => Number(one.trim().replace(/f$/i, '')));
  const fractions = values.filter((x) => !Number.isInteger(x));
  const sum = values.reduce((total, x) => total + x, 0);
  if (fractions.length > 1 && values.every((x) => x >= 0 && x <= 1) && Math.abs(sum - 1) < 0.015) return 'a fixed distribution';
  if (fractions.length > 2 && values.some((x, i) => i > 0 && x < values[i - 1])) return 'recorded numbers';
  return null;
}

/** → [{ what, text, line }] of one source file of code. */
export function searchCode(path, source) {
  const found = [];
  const code = withoutComments(source);
  const add = (what, text, index) => found.push({ what, text, line: code.slice(0, index).split('\n').length });
  for (const { 0: text, index } of code.matchAll(/\bMath\s*(?:\.\s*random|\[\s*['"]random)|\bgetRandomValues\b|\brandomUUID\b|\brandom_device\b|\bs?rand\s*\(\s*\)|\bdefault_random_engine\b/g)) add('chance without a seed', text, index);
  // Colours and curves of the design, and numbers that shape the training text, are no results.
  if (!/^(?:web\/styles|tools\/builtin-corpus)\//.test(path)) {
    for (const { 0: text, 1: inside, index } of code.matchAll(lists)) {
      const what = judgeList(inside);
      if (what) add(what, text.replace(/\s+/g, ' '), index);
    }
  }
  for (const { 0: text, index } of code.matchAll(/['"`][A-Za-z0-9+/]{400,}={0,2}['"`]/g)) add('recorded bytes', text.slice(0, 20), index);
  if (path.startsWith('web/')) {
    for (const { 0: text, index } of code.matchAll(named)) add('a fixed result', text, index);
    for (const { 0: text, index } of code.matchAll(/\d+\.\d+\s?%/g)) add('a fixed percentage', text, index);
  }
  return found;
}

/** The same for a lesson's prose: outside of expressions, formulas, code, quotations' sources and options of a check. */
export function searchProse(path, source) {
  const found = [];
  const end = source.indexOf('{#sources}');
  const prose = (end < 0 ? source : source.slice(0, end)).replace(/```.*?```|<!--.*?-->/gs, blank);
  let line = 1;
  for (const paragraph of prose.split(/(?<=\n)\n/)) {
    // A number that a check in the same paragraph holds can't drift.
    const plain = paragraph.replace(/\{\{.*?\}\}|\$\$.*?\$\$|\$[^$\n]*\$|`[^`\n]*`|="[^"]*"/gs, blank).replace(/^(?:- |> ).*$/gm, blank);
    if (!paragraph.includes('{{ check(')) {
      for (const { 0: text, index } of plain.matchAll(/\d+(?:\.\d+)?\s?%|(?<![\d.])0\.\d{3,}/g)) found.push({ what: 'a typed result', text, line: line + plain.slice(0, index).split('\n').length - 1 });
    }
    line += paragraph.split('\n').length;
  }
  return found;
}

async function listFiles(folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const inner = entries.filter(({ name }) => name !== 'node_modules').map((entry) => (entry.isDirectory() ? listFiles(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
  return (await Promise.all(inner)).flat();
}

test('our sources hold no chance, no fixed probabilities and no recorded activations', async () => {
  const faults = [];
  const used = new Set();
  let searched = 0;
  for (const path of (await Promise.all(['web', 'src', 'tools'].map(listFiles))).flat()) {
    if (path.startsWith('web/models/')) continue;
    const search = path.endsWith('.md') ? path.startsWith('web/lessons/') && searchProse : /\.(?:js|mjs|cpp|hpp)$/.test(path) && searchCode;
    if (!search) continue;
    searched += 1;
    for (const { what, text, line } of search(path, await readFile(join(root, path), 'utf8'))) {
      const known = allowed.find(([file, wanted]) => file === path && wanted === text);
      if (known) used.add(known);
      else faults.push(`${path}:${line}: ${what}: ${text}`);
    }
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(allowed.filter((entry) => !used.has(entry)), [], 'what is allowed still stands there');
  assert.ok(searched > 200, `${searched} files`);
});

test('web/ holds no data but what is named', async () => {
  const others = (await listFiles('web')).filter((path) => !/\.(?:js|mjs|md|css|svg)$/.test(path) && !Object.keys(dataFiles).some((name) => path === name || path.startsWith(`${name}/`)));
  assert.deepEqual(others, []);
});

describe('the search finds what it is for', () => {
  const cases = {
    'Math.random()': 'const x = Math.random();',
    'its name in brackets': "Math['random']()",
    'a seed from the machine': 'std::random_device seed;',
    'a row of weights': 'const row = [0.96, 0.04];',
    'a row that has lost its rest': 'const top = [0.42, 0.31, 0.12];',
    'an activation': 'const x = new Float32Array([0.12, -1.5, 0.33, 2.25]);',
    'the same in C++': 'constexpr float kRow[] = {0.12f, -1.5f, 0.33f};',
    'over several lines': 'const v = [\n  1.25,\n  0.5,\n  3.75,\n];',
    'a candidate with its probability': "{ token: '小猫', p: 0.987 }",
    'a percentage in a sentence': "says: '「much」 99.96%',",
    'bytes in a text': `const data = '${'QUJD'.repeat(120)}';`,
  };
  for (const [what, source] of Object.entries(cases)) test(what, () => assert.ok(searchCode('web/widgets/x.js', source).length > 0, source));

  test('and leaves alone what is none', () => {
    for (const source of ['const scale = [0, 0.25, 0.5, 0.75, 1];', 'const q = [[1, 0], [0, 1], [0.5, 0.5, 1, 2]];', '// 99.96%, Math.random()', 'const half = p >= 0.5;', "style: 'width: 100%'", 'f(0.3, 0.2, 0.1)']) {
      assert.deepEqual(searchCode('web/widgets/x.js', source), [], source);
    }
  });

  test('in prose: typed, but neither computed nor held by a check', () => {
    const at = (source) => searchProse('x.md', source).map(({ text, line }) => `${text} ${line}`);
    assert.deepEqual(at('一。\n\n概率是 98.3%，\n权重 0.412。'), ['98.3% 3', '0.412 4']);
    assert.deepEqual(at('概率是 {{ p(a, "b") | percent 1 }}，$0.412$，`0.412`。\n\n- 99%\n\n超过 90%。{{ check(x > 0.9) }}\n\n## 出处 {#sources}\n\n- 99%。'), []);
  });
});
