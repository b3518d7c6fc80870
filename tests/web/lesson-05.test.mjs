// What lesson 5 says, held against the built-in model and the built page. The lesson's own expressions and checks are evaluated when it is
// rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { strings } from '../../web/i18n/index.js';
import { geluCurve } from '../../web/parts/pipeline.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { dist, openBrowser, openNodeEngine, openPage, openSite, root } from './browser.mjs';

const file = 'web/lessons/zh/05-transformer.md';
let engine;
let lesson; // of renderLesson
let prose; // its text without markup; formulas by their TeX

before(async () => {
  engine = await openNodeEngine();
  lesson = await renderLesson(await readFile(join(root, file), 'utf8'), { file, figureFor: async () => '', engine });
  prose = lesson.html
    .replace(/<semantics>.*?<annotation[^>]*>(.*?)<\/annotation><\/semantics>/gs, ' $1 ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
});

describe('every point that the lesson has to teach and to show', () => {
  const facts = {
    'embedding + position': /查两张表，词的向量和位置的向量相加/,
    'N × (LayerNorm → attention → add → LayerNorm → MLP → add)': /先做 LayerNorm，过注意力，加回来；再做 LayerNorm，过 MLP，加回来.*搭\s*N\s*遍/s,
    '→ LayerNorm → logits': /最后做一次 LayerNorm，和嵌入表的每一行做点积，得到每个下文的分数（logits）/,
    'the two lines of a layer': String.raw`x \leftarrow x + \operatorname{MLP}(\operatorname{LayerNorm}(x))`,
    'the residual stream': /残差流（residual stream）.*进门时这串数的长度是 [\d.]+，走完最后一层是 [\d.]+/s,
    'LayerNorm by hand: mean 3, spread 2': /平均是 3，减完是\s*\[−2, −2, 2, 2\].*等于 2。除完是\s*\[−1, −1, 1, 1\]/s,
    'what the MLP does': /每个词各做各的，谁也不看谁.*放大.*过一道弯.*缩回.*看见什么.*那就加上什么/s,
    'GELU': /3 变成 2\.996。负数压到零附近：−3 变成 −0\.004/,
    'why a bend': /没有弯，放大和缩回就是两次乘法/,
    'neurons with negative numbers, measured': /第 0 层的 \d+ 个神经元里，有 \d+ 个收到的是负数/,
    'the logit lens': /logit lens.*第一名是「.+」，只有.*每过一层，「小猫」的名次依次是 \d+、\d+、\d+、1。/s,
    'a candidate that once ranked high is kept': /只要在哪一层排进过前三，就一路跟着看/,
    'switches: head, attention, MLP, positions, mask, √D': /一个头，一整块注意力，一个 MLP，还有位置、遮挡和/,
    'the divergence': /KL 散度.*一样是 0，差得越多越大/s,
    'taken out of what it was trained for': /训练时每一处都在.*得从头训练一个没有它的模型/s,
    'where the parameters are: tables': '嵌入表 38,597,376，位置表 786,432',
    'where the parameters are: a layer': '注意力 2,362,368，MLP 4,722,432，两次 LayerNorm 3,072，合起来 7,087,872',
    'GPT-2’s 124,439,808 from its configuration': /12 层，宽 768，词表 50,257，位置 1,024.*一共 124,439,808 个/s,
    'what is left out': /(这里省略了什么.*){2}/s,
    'the command': 'glassbox lens "小猫没有跳上桌子，因为它太累了。太累的是" --top 1',
    sources: /Vaswani.*Radford.*He、Zhang.*Ba、Kiros.*Hendrycks.*Geva.*nostalgebraist.*Elhage/s,
  };
  for (const [name, fact] of Object.entries(facts)) {
    test(name, () => (fact instanceof RegExp ? assert.match(prose, fact) : assert.ok(prose.includes(fact), `"${fact}" is not told`)));
  }

  test('things to touch, in this order; a check opens the lesson and three close it', () => {
    const tags = lesson.widgets.map(({ tag, attributes }) => [tag.replace('glassbox-', ''), attributes?.view].filter(Boolean).join(' '));
    assert.deepEqual(tags, ['check', 'transformer', 'transformer norm', 'transformer mlp', 'lens', 'switches', 'transformer parameters', 'check', 'check', 'check']);
    assert.deepEqual(lesson.contents.map(({ id }) => id), ['pipeline', 'stream', 'norm', 'mlp', 'lens', 'switches', 'parameters', 'command', 'checks', 'sources']);
  });

  test('the sentences are those that the figures begin with', () => {
    for (const name of ['transformer', 'lens', 'switches']) assert.ok(prose.includes(strings('zh')[name].prompts[0].text), name);
  });
});

test('the curve of the prose is the engine’s', async () => {
  const { activations } = await engine.trace('Thank you very', { names: ['h.0.mlp.pre', 'h.0.mlp.act'] });
  const { data } = activations['h.0.mlp.act'];
  activations['h.0.mlp.pre'].data.forEach((x, i) => assert.ok(Math.abs(geluCurve(x) - data[i]) < 1e-5));
});

test('a number about the model is computed, never typed', () => {
  const allowed = [
    [/第 \d+ 课/, 'a lesson'],
    [/GPT-2/, 'a name'],
    [/2015|2019|2020|2021/, 'a year'],
    [/第 0 层/, 'a layer, to count from'],
    [/\[1, 1, 5, 5\]|平均是 0|起伏是 1|总是 1|差的 1|一样是 0/, 'the hand example and what LayerNorm makes'],
    [/：3 变成|：−3 变成/, 'what goes into GELU'],
  ];
  const open = lesson.numerals.filter(({ near, section }) => !['sources', 'checks', 'command'].includes(section) && !allowed.some(([pattern]) => pattern.test(near)));
  assert.deepEqual(open.map(({ near, line }) => `line ${line}: ${near}`), []);
});

test('each quoted number names its source, which the list of sources names too', () => {
  assert.deepEqual(lesson.quotes.map(({ text }) => text), ['12', '768', '3,072', '12', '768', '50,257', '1,024']);
  for (const { text, source } of lesson.quotes) assert.ok(source.includes('Radford'), text);
});

const command = join(root, 'build/native/glassbox');
test('the list in the lesson is what the command prints', { skip: !existsSync(command) && 'the native command is not built' }, async () => {
  const [shown] = /<pre><code>[^]*?<\/code><\/pre>/.exec(lesson.html);
  const lines = shown.replace(/<[^>]*>/g, '').split('\n');
  const { stdout } = await promisify(execFile)(command, ['lens', '小猫没有跳上桌子，因为它太累了。太累的是', '--top', '1']);
  const list = stdout.trimEnd().split('\n');
  assert.deepEqual(lines.slice(2, 2 + list.length), list);
});

test('the page stays light', async () => {
  const { size } = await stat(join(dist, 'zh/05-transformer.html'));
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
    const page = await openPage(browser, site, 'zh/05-transformer.html', { script: false });
    const seen = await page.evaluate(() => [...document.querySelectorAll('[data-widget]')].map((widget) => [...widget.querySelectorAll('figure svg')].filter((svg) => svg.checkVisibility()).map((svg) => svg.textContent.length)).filter((list) => list.length));
    assert.equal(seen.length, 6);
    for (const one of seen) assert.ok(one.length === 1 && one[0] > 60, JSON.stringify(seen));
    page.expectNoFaults();
    await page.dispose();
  });
});
