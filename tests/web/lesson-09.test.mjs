// What lesson 9 has to teach and to show, held against the measured family and the built page. Its own expressions and checks are evaluated when it
// is rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bestSplit, kaplan, laws, lossOf, published } from '../../web/parts/scaling-laws.js';
import { fitSmallest, readRuns } from '../../web/parts/scaling-runs.js';
import { lossText } from '../../web/parts/scaling-words.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { ExpressionError, Numbers } from '../../web/site/numbers.mjs';
import { dist, inside, openBrowser, openNodeEngine, openPage, openSite, root, settled, textIn, until } from './browser.mjs';

const name = '09-scaling';
const runs = readRuns(JSON.parse(await readFile(join(root, 'web/site/scaling.json'), 'utf8')));
const { family } = runs;
const largest = family[family.length - 1];

let engine;
let lesson;
let prose;

before(async () => {
  engine = await openNodeEngine();
  const file = `web/lessons/zh/${name}.md`;
  lesson = await renderLesson(await readFile(join(root, file), 'utf8'), { file, figureFor: async () => '', engine });
  prose = lesson.html
    .replace(/<semantics>.*?<annotation[^>]*>(.*?)<\/annotation><\/semantics>/gs, ' $1 ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('\u00a0', ' ');
});

describe('every point that the lesson has to teach', () => {
  const facts = {
    'loss falls as a power law': /降得有规律.*幂律（power law）：.*每大十倍，它就乘上同一个小于 1 的数/s,
    'of parameters, data and compute': /模型有多少个参数.*读了多少个 token.*做多少次运算/s,
    'Hoffmann’s formula': String.raw`L(N, D) = 1.69 + \frac{406.4}{N^{0.34}} + \frac{410.7}{D^{0.28}}`,
    'Kaplan’s laws': /8\.8 \\times 10\^\{13\} \/ N\)\^\{0\.076\}.*5\.4 \\times 10\^\{13\} \/ D\)\^\{0\.095\}/s,
    'compute is 6ND, and why': /C \\approx 6 \\, N \\, D.*往前算要一次乘、一次加，是 2；往回算梯度，要做两遍这样的活，是 4/s,
    'which N is meant': /数的是哪个.*Kaplan 等不算词表和位置两张嵌入表，Hoffmann 等全都算/s,
    'the quoted constants’ own optimum': /= 322 亿， *D *= 2\.98 万亿。发表的 Chinchilla 却是 700 亿和 1\.4 万亿/,
    'the three methods of the paper': /许多条训练曲线叠在一起.*670 亿.*每一档画一个山谷.*630 亿.*拟合上面那条公式.*400 亿/s,
    'rounding and the new fit': /印出来的指数只有两位.*403 亿.*没有收敛到底.*722 亿和 1\.33 万亿/s,
    'the valley is flat': /谷底很平.*高不到 0\.5%/s,
    'the same text again helps less and less': /同一段再读一遍，算不算.*过拟合/s,
    'what is comparable of the reader’s model': /每个字节的损失.*能比的是：同一段文字.*不能比的是：两段不同的文字/s,
    'skills, jumps, data, price, inference, range': /会做什么.*忽然会了.*文字的好坏.*价钱.*用起来贵不贵.*能不能一直这样/s,
    'one command': /tools\/scaling/,
    'sources by name': /arXiv:2001\.08361.*arXiv:2203\.15556.*arXiv:2404\.10102/s,
    'what is left out': /这里省略了什么.*还没有说的/s,
  };
  for (const [what, wanted] of Object.entries(facts)) {
    test(what, () => assert.ok(typeof wanted === 'string' ? prose.includes(wanted) : wanted.test(prose), `${wanted}`));
  }

  test('the constants in its formulas are those that are computed with', () => {
    const { floor, a, alpha, b, beta } = laws.hoffmann;
    assert.ok(prose.includes(`${floor} + \\frac{${a}}{N^{${alpha}}} + \\frac{${b}}{D^{${beta}}}`));
    for (const { scale, power } of [kaplan.size, kaplan.data]) assert.ok(prose.includes(`(${scale / 1e13} \\times 10^{13} /`) && prose.includes(`^{${power}}`));
  });

  test('its numbers are those that were measured', () => {
    const early = fitSmallest(family, 4, { floor: true });
    assert.ok(prose.includes(`训练了 ${family.length} 个小模型`));
    assert.ok(prose.includes(`损失 ${lossText(family[0].loss)}`) && prose.includes(`也只到 ${lossText(largest.loss)}`));
    assert.ok(prose.includes(`它们的线说最大的会是 ${lossText(early.predict(largest.n))}，量到的是 ${lossText(largest.loss)}`));
    assert.ok(prose.includes(lossText(runs.data[runs.data.length - 1].loss)));
  });

  test('it opens with a question, ends with three checks, and shows its widget in four ways', () => {
    assert.ok(lesson.data.question.endsWith('？'));
    const shown = lesson.widgets.filter(({ tag }) => tag === 'glassbox-scaling').map(({ attributes }) => attributes.view);
    assert.deepEqual(shown, ['ours', 'law', 'split', 'data']);
    assert.equal(lesson.widgets.filter(({ tag }) => tag === 'glassbox-check').length, 3);
    assert.equal(lesson.widgets.length, 7);
    assert.doesNotMatch(prose, /[!！]/, 'no exclamation marks');
  });
});

describe('its expressions', () => {
  const shown = async (source) => (await new Numbers(engine).evaluate(source)).text;

  test('give what is computed and measured', async () => {
    const { n, d } = bestSplit('hoffmann', 5.76e23);
    assert.equal(await shown('lawSplit("hoffmann", 5.76 * 10 ^ 23).n / 10 ^ 8 | 3'), (n / 1e8).toFixed(3));
    assert.equal(await shown('lawSplit("hoffmann", 5.76 * 10 ^ 23).d / 10 ^ 12 | 3'), (d / 1e12).toFixed(3));
    assert.equal(await shown('lawLoss("besiroglu", 10 ^ 9, 10 ^ 10).loss | 6'), lossOf('besiroglu', 1e9, 1e10).toFixed(6));
    assert.equal(await shown('size(family())'), String(family.length));
    assert.equal(await shown('family()[0].n'), String(family[0].n));
    assert.equal(await shown('repeats()[1].loss | 5'), runs.data[1].loss.toFixed(5));
    assert.equal(await shown(`familyFit(${family.length}, false).alpha | 6`), fitSmallest(family, family.length, { floor: false }).alpha.toFixed(6));
    assert.equal(await shown('modelOf("GPT-3").n'), String(published[0].n));
  });

  test('refuse what they can’t do', async () => {
    for (const source of ['lawLoss("none", 1, 1).loss', 'lawLoss("hoffmann", 0, 1).loss', 'lawSplit("hoffmann", 0 - 1).n', 'modelOf("none").n', 'familyFit(2, false).a', 'kaplanLoss(0)']) await assert.rejects(shown(source), ExpressionError);
  });
});

describe('the page', () => {
  let browser;
  let site;
  before(async () => {
    [browser, site] = await Promise.all([openBrowser(), openSite()]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  test('is small', async () => {
    assert.ok((await stat(join(dist, `zh/${name}.html`))).size < 250_000);
  });

  test('without a script the figures stand there', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { script: false });
    const texts = await page.evaluate(() => [...document.querySelectorAll('glassbox-scaling')].map((widget) => [...widget.querySelectorAll('svg')].filter((svg) => svg.checkVisibility()).map((svg) => svg.textContent).join(' ')));
    assert.equal(texts.length, 4);
    assert.ok(texts[0].includes(lossText(largest.loss)));
    assert.ok(texts[1].includes('1.937') && texts[2].includes('322'));
    page.expectNoFaults();
    await page.dispose();
  });

  test('something to touch on a phone’s first screen; the reader’s kept model is one more point', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { width: 390, height: 844, touch: true });
    const [widget] = await page.$$('glassbox-scaling');
    await settled(page, widget);
    assert.ok((await (await inside(widget, '#fit')).evaluate((slider) => slider.getBoundingClientRect().bottom)) <= 844);
    assert.ok((await textIn(widget, '#no-reader')).includes('第 6 课'));
    await page.evaluate(async (n) => {
      const request = indexedDB.open('glassbox', 1);
      request.onupgradeneeded = () => ['summaries', 'files'].forEach((store) => request.result.createObjectStore(store));
      const database = await new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));
      const transaction = database.transaction('summaries', 'readwrite');
      const summary = (id, nonEmbedding, more) => ({ id, name: id, date: '2026-01-01T00:00:00Z', parameters: 2 * nonEmbedding, nonEmbedding, tokensSeen: 5e5, step: 500, heldOutLoss: 2, heldOutLossPerByte: 0.71, textLabel: 'x', ownText: false, ...more });
      transaction.objectStore('summaries').put(summary('mine', n), 'mine');
      transaction.objectStore('summaries').put(summary('huge', n * 1e6, { ownText: true }), 'huge');
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      database.close();
    }, family[2].n);
    await page.reload();
    const [again] = await page.$$('glassbox-scaling');
    await settled(page, again);
    await until(page, 'the models are read', (element) => element.shadowRoot.querySelector('#readers'), again);
    const text = await textIn(again, '#readers');
    assert.ok(text.includes('「mine」') && text.includes('0.710') && text.includes('「huge」') && text.includes('画不进这张图'));
    const drawn = () => again.evaluate(({ shadowRoot }) => shadowRoot.querySelector('#family').textContent);
    assert.ok((await drawn()).includes('nats / 字节') && (await drawn()).includes('你的'), 'per byte by itself');
    await (await inside(again, 'input[value="token"]')).evaluate((input) => input.click());
    await settled(page, again);
    assert.ok(!(await drawn()).includes('你的') && (await textIn(again, '#readers')).includes('不能放在一起比'));
    page.expectNoFaults();
    await page.dispose();
  });
});
