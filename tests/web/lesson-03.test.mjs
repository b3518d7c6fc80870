// What lesson 3 says, held against the built-in model and the built page. The lesson's own expressions and checks are evaluated when it is
// rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { nodeEngine } from '../../web/engine/node.js';
import { strings } from '../../web/i18n/index.js';
import { groupsFor, sentencesOf } from '../../web/parts/word-in-text.js';
import { parseWords } from '../../web/parts/words.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { dist, openBrowser, openPage, openSite, root } from './browser.mjs';

const file = 'web/lessons/zh/03-embeddings.md';
let engine;
let lesson; // of renderLesson
let prose; // its text without markup; formulas by their TeX
let source;

before(async () => {
  engine = await nodeEngine({ engineDir: resolve(process.env.GLASSBOX_WASM || join(root, 'build/wasm')), modelsDir: join(root, 'web/models') });
  source = await readFile(join(root, file), 'utf8');
  lesson = await renderLesson(source, { file, figureFor: async () => '', engine });
  prose = lesson.html
    .replace(/<semantics>.*?<annotation[^>]*>(.*?)<\/annotation><\/semantics>/gs, ' $1 ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
});

describe('every point that the lesson has to teach and to show', () => {
  const facts = {
    'a number is looked up as a row of a table': /拿到编号，就去取那一行.*向量.*嵌入表.*嵌入/s,
    'GPT-2: so many rows of 768 numbers': /GPT-2 的表有 50,257 行，每行 768 个数/,
    'the numbers are learned': /没有人填过.*猜错一次就把它们挪动一点点/s,
    'similar use, similar vectors': /用法像，数就像.*往同一个方向推/s,
    'the cosine by hand: dot product': /3 \\times 4 \+ 4 \\times 3 = 24/,
    'the cosine by hand: lengths': /\\sqrt\{3 \\times 3 \+ 4 \\times 4\} = 5/,
    'the cosine by hand: the cosine': /24 \\div \(5 \\times 5\) = 0\.96/,
    'the formula': String.raw`\cos(a, b) = \frac{a \cdot b}{\sqrt{a \cdot a}\,\sqrt{b \cdot b}}`,
    'same direction, right angle, opposite': /完全一样，只是长一倍\s*1\s.*偏开一点\s*0\.96\s.*互相垂直\s*0\s.*正好相反\s*−1\s/s,
    'the map and what it loses': /主成分分析（principal component analysis，PCA）.*留住了.*剩下的看不见了/s,
    'positions are vectors too': /模型另有一张位置表.*两行加起来/s,
    'both sentences': /I deposited money at the bank\s*The river bank/,
    'one initial vector': /余弦恰好是 1。/,
    'the position is added': /加上的数不同，余弦变成/,
    'its two vectors differ after the layers': /过完 \d+ 层，余弦是 0\.\d+/,
    'the mean removed': /先减去六个向量的平均/,
    'the limit that leads to lesson 4': /查表只能给每个词一个起点，意思要靠上下文补上.*下一课的注意力/s,
    'what is left out': /这里省略了什么.*这里省略了什么/s,
    'the command': 'glassbox neighbours "小猫" --count 3',
    sources: /Firth.*Bengio.*Mikolov.*Pearson.*Vaswani.*Radford.*Su 等/s,
  };
  for (const [name, fact] of Object.entries(facts)) {
    test(name, () => (fact instanceof RegExp ? assert.match(prose, fact) : assert.ok(prose.includes(fact), `"${fact}" is not told`)));
  }

  test('three things to touch, in this order; a check opens the lesson and three close it', () => {
    const tags = lesson.widgets.map(({ tag }) => tag.replace('glassbox-', ''));
    assert.deepEqual(tags, ['check', 'embedding', 'positions', 'bank', 'check', 'check', 'check']);
    assert.deepEqual(lesson.contents.map(({ id }) => id), ['lookup', 'cosine', 'similar', 'map', 'positions', 'limit', 'command', 'checks', 'sources']);
  });

  test('the words and sentences that the prose counts are those that the figures show', async () => {
    const listed = (name) => JSON.parse(new RegExp(`let ${name} = (\\[[^\\]]*\\])`).exec(source)[1]);
    const words = listed('map').map((word) => word.trim());
    assert.deepEqual(words, parseWords(strings('zh').embedding.sets[0].text).words);
    assert.deepEqual([listed('money'), listed('water')], groupsFor('bank', strings('zh').bank).texts.map(sentencesOf));
    for (const word of [...listed('animals'), ...listed('things')]) assert.ok(words.includes(word), word);
  });
});

test('the hand example is what the engine computes', async () => {
  const { data } = await engine.cosines({ vectors: [[3, 4], [4, 3], [6, 8], [-4, 3], [-3, -4]] });
  [1, 0.96, 1, 0, -1].forEach((x, i) => assert.ok(Math.abs(data[i] - x) < 1e-6, `${i}: ${data[i]}`));
});

test('a number about the model is computed, never typed', () => {
  const allowed = [
    [/第 \d+ 课/, 'a lesson'],
    [/GPT-2/, 'a name'],
    [/1957|（Mikolov 等，2013）|（Su 等，2021）/, 'a year'],
    [/第 0 个位置一行|第 1 个位置一行/, 'a position, to count from'],
    [/‹E5›/, 'how a byte is written'],
  ];
  const open = lesson.numerals.filter(({ near, section }) => !['sources', 'checks'].includes(section) && !allowed.some(([pattern]) => pattern.test(near)));
  assert.deepEqual(open.map(({ near, line }) => `line ${line}: ${near}`), []);
});

test('each quoted number names its source, which the list of sources names too', () => {
  const sources = lesson.html.slice(lesson.html.indexOf('id="sources"'));
  assert.deepEqual(lesson.quotes.map(({ text }) => text), ['50,257', '768', '1,024']);
  for (const { text, source: from } of lesson.quotes) assert.ok(from.includes('Radford') && sources.includes('Radford'), text);
});

const command = join(root, 'build/native/glassbox');
test('the list in the lesson is what the command prints', { skip: !existsSync(command) && 'the native command is not built' }, async () => {
  const [shown] = /<pre><code>[^]*?<\/code><\/pre>/.exec(lesson.html);
  const list = shown.replace(/<[^>]*>/g, '').split('\n').slice(2, 6).join('\n');
  const { stdout } = await promisify(execFile)(command, ['neighbours', '小猫', '--count', '3']);
  assert.equal(list, stdout.trimEnd());
});

test('the page stays light', async () => {
  const { size } = await stat(join(dist, 'zh/03-embeddings.html'));
  assert.ok(size < 250_000, `${size} bytes`);
});

describe('the page in a browser', () => {
  let browser;
  let site;
  before(async () => {
    [browser, site] = await Promise.all([openBrowser(), openSite()]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  test('without a script the figures stand with real numbers', async () => {
    const page = await openPage(browser, site, 'zh/03-embeddings.html', { script: false });
    const seen = await page.evaluate(() => ['embedding', 'positions', 'bank'].map((name) => [...document.querySelectorAll(`glassbox-${name} svg`)].filter((svg) => svg.checkVisibility()).map((svg) => svg.textContent.length)));
    for (const one of seen) assert.ok(one.length === 1 && one[0] > 60, JSON.stringify(seen));
    page.expectNoFaults();
    await page.dispose();
  });
});
