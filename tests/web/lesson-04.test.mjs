// What lesson 4 says, held against the built-in model and the built page, so that prose and model can't drift apart. The lesson's own
// expressions and checks are evaluated when it is rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nodeEngine } from '../../web/engine/node.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { openBrowser, openPage, openSite, settled } from './browser.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const tired = '小猫没有跳上桌子，因为它太累了。太累的是';
const high = '小猫没有跳上桌子，因为它太高了。太高的是';

let lesson; // of renderLesson
let prose; // its text without markup; formulas by their TeX
let heads = {}; // text → one entry a head of the model: { tokens, row(i) → T weights }

before(async () => {
  const engine = await nodeEngine({ engineDir: process.env.GLASSBOX_WASM || join(root, 'build/wasm'), modelsDir: join(root, 'web/models') });
  const source = await readFile(join(root, 'web/lessons/zh/04-attention.md'), 'utf8');
  lesson = await renderLesson(source, { file: 'web/lessons/zh/04-attention.md', figureFor: async () => '', engine });
  prose = lesson.html
    .replace(/<semantics>.*?<annotation[^>]*>(.*?)<\/annotation><\/semantics>/gs, ' $1 ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
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

describe('the model is as the lesson tells', () => {
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

  test('before 的是 no head finds the right noun in both sentences, at 的是 one does', () => {
    const { tokens } = heads[tired][0];
    const found = (at) => Math.max(...heads[tired].map(({ row }, i) => Math.min(row(at)[tokens.indexOf('小猫')], heads[high][i].row(at)[tokens.indexOf('桌子')])));
    assert.ok(found(tokens.indexOf('累')) < 0.4);
    assert.ok(found(tokens.indexOf('的是')) > 0.9);
  });
});

describe('every fact that the lesson has to tell', () => {
  const facts = {
    'the puzzle': '小猫没有跳上桌子，因为它太高了。',
    'the black box between embedding and prediction': '两头之间是一只黑盒',
    'every word decides where to look': '让每个词都去看看别的词，自己决定看谁、看多少',
    'library scores': /95 分.*40 分.*0 分/s,
    'three faces': '提问的时候用一副，被别人找的时候用一副，交出内容的时候再用一副',
    'learned and different matrices': '三张各不相同',
    'GPT-2 takes 768 numbers to 64': /GPT-2 的词向量有 768 个数，每张表把它变成 64 个/,
    'the formula': String.raw`\operatorname{softmax}\left(\frac{Q K^{\top}}{\sqrt{d}}\right) V`,
    'row A, scores': '点积是 1、0、1',
    'row A, scaled': '得 0.707、0、0.707',
    'row A, exponentials and sum': '得 2.03、1、2.03，加起来是 5.06',
    'row A, weights': '权重就是 0.40、0.20、0.40',
    'row A, new vector': String.raw`= [0.60,\ 0.40]`,
    'rows B and C': /B 的权重是 0.20、0.40、0.40，C 的是 0.25、0.25、0.50/,
    'Q = K only to make it easy': '为了好算，这里让',
    'a score read three ways': /相似.*份额.*贡献/s,
    'row very': '权重是 0.36、0.24、0.40',
    'the new vector of very': String.raw`0.36\,V(\text{Thank}) + 0.24\,V(\text{you}) + 0.40\,V(\text{very})`,
    'the wrong rows': '0.46、0.24、0.30 和 0.27、0.33、0.40',
    'the right rows': '0.464、0.255、0.281 和 0.301、0.367、0.332',
    'why mask': '抄下来就行，什么也学不到',
    'row B with the mask': String.raw`0,\ 0.707,\ -\infty\,`,
    'row B with the mask, weights': '权重是 0.33、0.67、0',
    'the rows of GPT-2': /1\.000 和 0\.960、0\.040.*0\.670、0\.180、0\.149/s,
    'what GPT-2 says after Thank you very': '99.2%',
    'where it is settled': '在非说出名字不可的地方',
    'heads of GPT-2 and of others': /GPT-2 每层有 12 个头，每个头 64 个数。有的模型一层有 32 个头/,
    'no one assigns roles': '没有人分派',
    'some heads resist explanation': '谁也说不清在做什么',
    'concat and W_O': String.raw`768 \times 768`,
    'looking and deciding are two things': '注意力告诉你模型看了哪里，关掉才知道什么要紧',
    'half of a layer': '注意力是一层的前一半',
    'the price': /10,000\s*1,000\s*1,000,000\s*10,000\s*100,000,000\s*100,000\s*10,000,000,000/,
    '100,000 against 1,000': '10,000 倍',
    'engineering answers': /FlashAttention（Dao 等，2022）.*稀疏注意力.*KV 缓存/s,
    'parallel rows': /一次矩阵乘法.*循环神经网络/s,
    'the command': 'glassbox attention "Thank you very" --layer 0 --head 0',
    sources: /Vaswani.*Bahdanau.*Alammar.*Dao/s,
  };
  for (const [name, fact] of Object.entries(facts)) {
    test(name, () => (fact instanceof RegExp ? assert.match(prose, fact) : assert.ok(prose.includes(fact), `"${fact}" is not told`)));
  }

  test('the parts stand in the order in which they are to be taught', () => {
    const order = ['black-box', 'library', 'three-vectors', 'by-hand', 'scale', 'mask', 'real', 'settled', 'heads', 'knockout', 'pipeline', 'cost', 'command', 'checks', 'sources'];
    assert.deepEqual(lesson.contents.map(({ id }) => id), order);
  });

  test('a check opens the lesson and three close it', () => {
    const at = lesson.widgets.map(({ tag }) => tag);
    assert.equal(at[0], 'glassbox-check');
    assert.deepEqual(at.slice(-3), Array(3).fill('glassbox-check'));
    assert.equal(at.filter((tag) => tag === 'glassbox-check').length, 4);
  });
});

test('a number about the model is computed, never typed', () => {
  // What may stand as digits in the prose: names of lessons and years, exact results of the method, and bounds that a check beside them holds.
  const allowed = [
    [/第 \d+ 课/, 'a lesson'],
    [/（Dao 等，2022）/, 'a year'],
    [/GPT-2/, 'a name'],
    [/它第 0 层第 0 头的三行/, 'where the quoted rows are from'],
    [/是这样。它第 0 层第 0 头/, 'the same place'],
    [/加起来(?:正好)?(?:还)?是 1/, 'what softmax gives'],
    [/权重就成了 0/, 'what the mask gives'],
    [/回到 1 上下/, 'held by the checks on scale()'],
    [/都超过 90%/, 'held by a check'],
    [/还不到 1%/, 'held by a check'],
    [/KL 散度来量：0 是没有变化|：0 是没有变化/, 'what a divergence means'],
    [/0\.40、0\.20、0\.40|1、0、0|0\.33、0\.33、0\.33/, 'options of a check, one of them held by a check'],
    [/三个数加起来是 1/, 'what softmax gives'],
  ];
  const open = lesson.numerals.filter(({ near, section }) => section !== 'sources' && !allowed.some(([pattern]) => pattern.test(near)));
  assert.deepEqual(open.map(({ near, line }) => `line ${line}: ${near}`), []);
});

test('each quoted number names its source, which the list of sources names too', () => {
  const sources = lesson.html.slice(lesson.html.indexOf('id="sources"'));
  assert.ok(lesson.quotes.length >= 10);
  for (const { text, source, line } of lesson.quotes) {
    const known = ['「从零开始理解大模型」第四篇', 'Radford', 'Touvron'].find((name) => source.includes(name));
    assert.ok(known && sources.includes(known), `line ${line}: ${text} is from ${source}`);
  }
});

test('no head and no layer of the model is written by hand', async () => {
  const source = await readFile(join(root, 'web/lessons/zh/04-attention.md'), 'utf8');
  const text = source.replace(/\{\{.*?\}\}/g, '').replaceAll('它第 0 层第 0 头', '');
  assert.doesNotMatch(text, /第 \d+ 层|第 \d+ 头|\bh\.\d\.\d/);
});

const command = join(root, 'build/native/glassbox');
test('the table in the lesson is what the command prints', { skip: !existsSync(command) && 'the native command is not built' }, async () => {
  const [shown] = /<pre><code>[^]*?<\/code><\/pre>/.exec(lesson.html);
  const table = shown.replace(/<[^>]*>/g, '').split('\n').slice(2).join('\n').trimEnd();
  const { stdout } = await promisify(execFile)(command, ['attention', 'Thank you very', '--layer', '0', '--head', '0']);
  assert.equal(table, stdout.trimEnd());
});

describe('the page in a browser', () => {
  const path = 'zh/04-attention.html';
  let browser;
  let site;
  before(async () => {
    [browser, site] = await Promise.all([openBrowser(), openSite()]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  test('contents stand at the side where there is room, folded in one line where there is not', async () => {
    const page = await openPage(browser, site, path, { width: 390 });
    const seen = () => page.evaluate(() => ['.toc nav', '.fold', '.fold nav a'].map((name) => document.querySelector(name).checkVisibility()));
    assert.deepEqual(await seen(), [false, true, false]);
    await page.click('.fold summary');
    assert.deepEqual(await seen(), [false, true, true]);
    await page.click('.fold a[href="#cost"]');
    assert.deepEqual(await seen(), [false, true, false], 'a chosen line folds them');
    assert.equal(await page.evaluate(() => location.hash), '#cost');
    await page.setViewport({ width: 1280, height: 800 });
    assert.deepEqual(await seen(), [true, false, false]);
    page.expectNoFaults();
    await page.dispose();
  });

  test('on paper each widget is its first figure, in light colours; afterwards all is as before', async () => {
    const page = await openPage(browser, site, path);
    const widget = await page.$('glassbox-attention');
    await widget.evaluate((element) => element.scrollIntoView());
    await settled(page, widget);
    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'dark';
      dispatchEvent(new Event('beforeprint'));
    });
    await page.emulateMediaType('print');
    const { widgets, figures, shown, theme } = await page.evaluate(() => ({
      widgets: [...document.querySelectorAll('[data-widget]')].filter((element) => element.checkVisibility()).length,
      figures: [...document.querySelectorAll('.print-figure')].filter((figure) => [...figure.querySelectorAll('svg')].filter((svg) => svg.checkVisibility()).length === 1).length,
      shown: document.querySelectorAll('[data-widget]').length,
      theme: document.documentElement.dataset.theme,
    }));
    assert.deepEqual([widgets, figures, theme], [0, shown, 'light']);
    await page.emulateMediaType('screen');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.theme, document.querySelectorAll('.print-figure').length]), ['dark', 0]);
    page.expectNoFaults();
    await page.dispose();
  });
});
