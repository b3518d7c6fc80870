// What lesson 1 has to teach and to show, held against the built-in model and the built page. Its own expressions and checks are evaluated when
// it is rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { formatPercent } from '../../web/draw/number.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { ExpressionError, Numbers } from '../../web/site/numbers.mjs';
import { json, run, glassbox } from '../command/run.mjs';
import { dist, inside, openBrowser, openNodeEngine, openPage, openSite, root, settled, until } from './browser.mjs';

const name = '01-next-word';
const thank = 'Thank you very';
const story = '从前，有一只';
const tired = '小猫没有跳上桌子，因为它太累了。太累的是';

let engine;
let lesson; // of renderLesson
let prose; // its text without markup; formulas by their TeX

before(async () => {
  engine = await openNodeEngine();
  const file = `web/lessons/zh/${name}.md`;
  lesson = await renderLesson(await readFile(join(root, file), 'utf8'), { file, figureFor: async () => '', engine });
  prose = lesson.html
    .replace(/<semantics>.*?<annotation[^>]*>(.*?)<\/annotation><\/semantics>/gs, ' $1 ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
});

describe('every point that the lesson has to teach', () => {
  const facts = {
    'a text to a probability for every possible next token': '给它一段文字，它给出下一个 token 的概率，每一个 token 都有',
    'over the whole vocabulary': /词表里有 [\d,]+ 个 token.*它们每一个都分到了一点.*所有的概率加起来，正好是 1/s,
    'guess, append, guess again': '猜一个，接在后面，把加长了的文字整个再看一遍，再猜下一个',
    'GPT-2 says 99.2 %, with its source': /GPT-2 给的是 99\.2%（引自「从零开始理解大模型」第四篇）/,
    'scores to probabilities': '每个分数取指数，再除以指数的总和',
    'the formula': String.raw`\frac{e^{s_i}}{e^{s_1} + e^{s_2} + \dots + e^{s_n}}`,
    'softmax by hand': '0.6、0.2、0.7。取指数，得 1.82、1.22、2.01。加起来是 5.06。各自除以这个和，就是 0.36、0.24、0.40',
    'counting': '计数只看得见最后一个 token',
    'the cumulative bar': '一段一段接成一条从 0 到 1 的线',
    'a seed reproduces': '种子相同，数就相同，写出来的文字也一个字不差',
    'temperature, top-k, top-p': /温度.*分数先除以.*top-k.*只留前.*top-p.*凑够/s,
    'what is left out': /这里省略了什么.*还没有说的/s,
  };
  for (const [what, wanted] of Object.entries(facts)) {
    test(what, () => assert.ok(typeof wanted === 'string' ? prose.includes(wanted) : wanted.test(prose), `${wanted}`));
  }

  test('the built-in model continues “Thank you very” by “ much” with more than 90 %, and the lesson says how much', async () => {
    const [first] = (await engine.next(thank, { top: 1 })).candidates;
    assert.equal(first.token, ' much');
    assert.ok(first.p > 0.9);
    assert.ok(prose.includes(`下一个是「much」的概率有 ${(100 * first.p).toFixed(2)}%`));
  });

  test('the numbers of the draw are those of the seed', async () => {
    const { chosen, u } = await engine.sample(story, { temperature: 1, seed: 1 });
    assert.ok(prose.includes(`第一个数是 ${u.toFixed(3)}，落在「${chosen.token}」那一段`));
  });

  test('it opens with a question, ends with three checks, and shows its widgets', () => {
    assert.ok(lesson.data.question.endsWith('？'));
    const tags = lesson.widgets.map(({ tag }) => tag);
    assert.deepEqual(tags.filter((tag) => tag !== 'glassbox-check'), ['glassbox-next-token', 'glassbox-softmax', 'glassbox-next-token', 'glassbox-next-token']);
    assert.ok(tags.filter((tag) => tag === 'glassbox-check').length >= 3);
    assert.doesNotMatch(prose, /[!！]/, 'no exclamation marks');
  });
});

describe('its expressions', () => {
  const shown = async (source) => (await new Numbers(engine).evaluate(source)).text;

  test('give what the engine gives', async () => {
    const all = { temperature: 2, topP: 0.9, seed: 3, step: 4, top: 1_000_000 };
    const { candidates, chosen, u, kept } = await engine.sample(story, all);
    assert.equal(await shown(`drawn("${story}", 2, 0, 0.9, 3, 4).token`), chosen.token);
    assert.equal(await shown(`drawn("${story}", 2, 0, 0.9, 3, 4).u | 6`), u.toFixed(6));
    assert.equal(await shown(`drawn("${story}", 2, 0, 0.9, 3, 4).kept`), String(kept));
    assert.equal(await shown(`tempered("${story}", "${candidates[1].token}", 2) | 4`), candidates[1].tempered.toFixed(4));
    assert.equal(await shown(`tail("${story}", 2, 5) | 3`), candidates.slice(5).reduce((sum, { tempered }) => sum + tempered, 0).toFixed(3));
    assert.equal(await shown(`written("${story}", 9)`), (await engine.generate(story, { maxTokens: 9 })).text);
    assert.equal(await shown(`written("${story}", 9, 1, 2)`), (await engine.generate(story, { maxTokens: 9, temperature: 1, seed: 2 })).text);
    assert.equal(await shown('sum([1, 2, 3], x => x * 2)'), '12');
    assert.equal(await shown('exp(1) | 3'), '2.718');
    for (const [p, text] of [['0.99999', '> 99.9%'], ['1', '100.0%'], ['0.00001', '< 0.1%'], ['0.25', '25.0%']]) assert.equal(await shown(`${p} | chance`), text);
  });

  test('refuse what they can’t do', async () => {
    for (const source of ['2 | chance', `tempered("${story}", "no such token", 1)`, `drawn("${story}", -1, 0, 1, 1, 0).u`, 'sum(["a"], x => x)']) await assert.rejects(shown(source), ExpressionError);
  });
});

describe('the commands that it names', () => {
  test('print what it says', async () => {
    const { candidates } = await json('next', thank, '--top', '3');
    assert.deepEqual(candidates.map(({ id }) => id), (await engine.next(thank, { top: 3 })).candidates.map(({ id }) => id));
    const written = await run(glassbox, ['generate', story, '--temperature', '1', '--seed', '1', '--max-tokens', '20']);
    assert.ok(prose.includes(written.out.trim()));
    const { weights } = await json('attention', '--q', '[[0.6,0.2,0.7]]', '--k', '[[1,0,0],[0,1,0],[0,0,1]]', '--v', '[[1,0,0],[0,1,0],[0,0,1]]', '--no-scale');
    assert.deepEqual(weights[0].map((weight) => weight.toFixed(2)), ['0.36', '0.24', '0.40']);
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

  test('without a script the numbers stand there, and the ways to the other lessons', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { script: false });
    const [first] = (await engine.next(thank, { top: 1 })).candidates;
    const numbers = await page.evaluate(() => [...document.querySelectorAll('glassbox-next-token svg')].filter((svg) => svg.checkVisibility()).map((svg) => svg.querySelector('[data-numbers] text').textContent));
    assert.equal(numbers.length, 3);
    assert.equal(numbers[0], formatPercent(first.p));
    const sums = await page.evaluate(() => [...document.querySelectorAll('glassbox-softmax svg')].filter((svg) => svg.checkVisibility()).map((svg) => svg.textContent));
    assert.equal(sums.length, 1);
    assert.match(sums[0], /5\.06/);
    page.expectNoFaults();
    await page.dispose();
  });

  test('the first thing to touch is on the first screen, a click goes on, and a link restores text and draw', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`);
    const [first] = await page.$$('glassbox-next-token');
    await settled(page, first);
    const box = await (await inside(first, '.next-bars button')).boundingBox();
    assert.ok(box.y + box.height < 900, 'a bar is in sight');
    await (await inside(first, '.next-bars button')).click();
    await until(page, 'the token is appended', (element) => !element.stale && element.hasAttribute('added'), first);
    const dice = (await page.$$('glassbox-next-token'))[2];
    await dice.evaluate((element) => element.scrollIntoView());
    await settled(page, dice);
    for (const button of ['#append', '#again']) {
      await (await inside(dice, button)).evaluate((element) => element.click());
      await until(page, 'the next draw', (element, wanted) => !element.stale && element.getAttribute('step') === wanted, dice, button === '#append' ? '1' : '2');
    }
    await settled(page, dice);
    const says = await dice.evaluate(({ shadowRoot }) => shadowRoot.querySelector('.dice-says').textContent);
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => { globalThis.copied = text; return Promise.resolve(); } }, configurable: true });
    });
    await (await inside(dice, '#share')).evaluate((element) => element.click());
    await until(page, 'the link', () => globalThis.copied);
    const link = await page.evaluate(() => globalThis.copied);
    page.expectNoFaults();
    await page.dispose();
    const again = await openPage(browser, site, link.slice(site.url.length));
    const restored = (await again.$$('glassbox-next-token'))[2];
    await restored.evaluate((element) => element.scrollIntoView());
    await settled(again, restored);
    assert.equal(await restored.evaluate(({ shadowRoot }) => shadowRoot.querySelector('.dice-says').textContent), says);
    again.expectNoFaults();
    await again.dispose();
  });

  test('a phone of 320 px shows the counter beside the model', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { width: 320, touch: true, theme: 'dark' });
    const counter = (await page.$$('glassbox-next-token'))[1];
    await counter.evaluate((element) => element.scrollIntoView());
    await settled(page, counter);
    const { model, counted } = await counter.evaluate(({ shadowRoot }) => ({ model: shadowRoot.querySelector('.next-model .tk').textContent, counted: shadowRoot.querySelector('.next-counter').textContent }));
    assert.equal(model, (await engine.next(tired, { top: 1 })).candidates[0].token);
    assert.ok(counted.trim().length > 0);
    page.expectNoFaults();
    await page.dispose();
  });
});
