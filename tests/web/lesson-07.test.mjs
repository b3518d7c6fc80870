// What lesson 7 has to teach and to show, held against the built-in model and the built page. Its own expressions and checks are evaluated when
// it is rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { formatFixed, formatNumber } from '../../web/draw/number.js';
import { totalOf } from '../../web/parts/generation.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { ExpressionError, Numbers } from '../../web/site/numbers.mjs';
import { json } from '../command/run.mjs';
import { dist, inside, openBrowser, openNodeEngine, openPage, openSite, root, settled, textIn } from './browser.mjs';

const name = '07-inference';
const story = '从前，有一只';

let engine;
let lesson; // of renderLesson
let prose; // its text without markup; formulas by their TeX
let long; // the prompt that the lesson races with
let config;
let perToken;

before(async () => {
  engine = await openNodeEngine();
  const file = `web/lessons/zh/${name}.md`;
  lesson = await renderLesson(await readFile(join(root, file), 'utf8'), { file, figureFor: async () => '', engine });
  prose = lesson.html
    .replace(/<semantics>.*?<annotation[^>]*>(.*?)<\/annotation><\/semantics>/gs, ' $1 ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  long = lesson.widgets.find(({ attributes }) => attributes.view === 'race').attributes.text;
  ({ config, kvCacheBytesPerToken: perToken } = await engine.load('builtin'));
});

describe('every point that the lesson has to teach', () => {
  const facts = {
    'tokenise': /切成 token.*文字先变成编号/s,
    'prefill': /预填（prefill）.*可以一口气读完/s,
    'decode one at a time': /解码（decode）.*一步读一个，一步写一个/s,
    'why not faster': '得先知道这一个是什么',
    'the KV cache': /有因果遮挡，前面的词看不见后面.*K 和 V 一个数也不变.*KV 缓存（KV cache）/s,
    'sampling': /温度、top-k、top-p，再掷一次骰子/,
    'time to first token': '首个 token 的时间（time to first token）',
    'tokens a second': '生成速度（tokens per second）',
    'why decoding is bound by memory traffic': /每秒能算多少次，每秒能从内存搬多少字节.*算的部件闲着等数据/s,
    'the same for 7 billion, with sources': /67 亿个.*A100.*2,039 GB.*312 万亿次.*NVIDIA/s,
    'it says what is measured and what is a formula': '这是照公式算的上限，不是量出来的',
    'why several steps are timed together': '单独量不准，只好几步一起量',
    'what is left out': /这里省略了什么.*还没有说的/s,
  };
  for (const [what, wanted] of Object.entries(facts)) {
    test(what, () => assert.ok(typeof wanted === 'string' ? prose.includes(wanted) : wanted.test(prose), `${wanted}`));
  }

  test('the numbers of the cache are counted by the engine', async () => {
    const [on, off] = [await engine.generate(long, { maxTokens: 24 }), await engine.generate(long, { maxTokens: 24, cache: false })];
    assert.deepEqual(on.ids, off.ids);
    const [with_, without] = [on, off].map(({ steps }) => totalOf(steps));
    assert.ok(prose.includes(`前后一共读 ${with_.tokens} 个`));
    assert.ok(prose.includes(`一共读 ${formatFixed(without.tokens, 0)} 个`));
    assert.ok(prose.includes(`多到 ${(without.multiplyAdds / with_.multiplyAdds).toFixed(1)} 倍`));
    assert.ok(prose.includes(`权重有 ${(on.steps[1].weightBytes / 1e6).toFixed(2)} MB`));
    assert.ok(prose.includes(`${formatFixed(perToken, 0)}\\,\\text{字节}`) || prose.includes(`${formatFixed(perToken, 0).replace(',', '{,}')}\\,\\text{字节}`));
    const perByte = (steps) => totalOf(steps).multiplyAdds / (totalOf(steps).weightBytes + totalOf(steps).cacheRead);
    assert.ok(prose.includes(`做 ${formatNumber(perByte(on.steps.slice(0, 1)))} 次乘加；解码一步，${formatNumber(perByte(on.steps.slice(1)))} 次`));
    assert.ok(prose.includes(`装满是 ${((config.nPositions * perToken) / 1e6).toFixed(2)} MB`));
  });

  test('the sums for the large model follow from what is quoted', () => {
    const read = ((2 * 6.7e9) / 2.039e12) * 1000;
    const add = ((2 * 6.7e9) / 3.12e14) * 1000;
    assert.ok(prose.includes(`13.4 GB ÷ 2,039 GB/s = ${read.toFixed(2)} ms`));
    assert.ok(prose.includes(`算两次运算：${add.toFixed(3)} ms`));
    assert.ok(prose.includes(`搬的时间是算的 ${(read / add).toFixed(0)} 倍`));
    assert.ok(prose.includes(`每个 token ${formatFixed(2 * 32 * 4096 * 2, 0)} 字节`));
    assert.ok(lesson.quotes.length >= 7 && lesson.quotes.every(({ source }) => source.length > 5));
  });

  test('no time was typed in as if it were the reader’s', () => {
    const times = [...prose.matchAll(/[\d.]+ ms/g)].map(([found]) => found);
    assert.equal(times.length, 3, `the clock's step and the two of the formula: ${times}`);
    const open = lesson.numerals.filter(({ near, section }) => !['sources', 'checks', 'command'].includes(section) && !/第 \d 课|2,039 GB\/s|(?:每个|存成) 2 字节|1 个字节|4 个字节|一个数 4 字节|16 位|8 位、4 位|温度是 0|等，\d{4}|^A100|A100|LLaMA/.test(near));
    assert.deepEqual(open.map(({ near }) => near), []);
  });

  test('it opens with a question, ends with three checks, and shows its widgets', () => {
    assert.ok(lesson.data.question.endsWith('？'));
    const widgets = lesson.widgets.filter(({ tag }) => tag !== 'glassbox-check');
    assert.ok(widgets.every(({ tag }) => tag === 'glassbox-generate'));
    assert.deepEqual(widgets.map(({ attributes }) => attributes.view ?? 'line'), ['line', 'line', 'race', 'cache', 'work']);
    assert.ok(lesson.widgets.length - widgets.length >= 3);
    assert.doesNotMatch(prose, /[!！]/, 'no exclamation marks');
  });
});

describe('its expressions', () => {
  const shown = async (source) => (await new Numbers(engine).evaluate(source)).text;

  test('give what the engine counts', async () => {
    const { steps } = await engine.generate(story, { maxTokens: 5 });
    const off = await engine.generate(story, { maxTokens: 5, cache: false });
    assert.equal(await shown(`passes("${story}", 5)[1].multiplyAdds`), String(steps[1].multiplyAdds));
    assert.equal(await shown(`passes("${story}", 5)[0].kind`), 'prefill');
    assert.equal(await shown(`passes("${story}", 5, false)[1].tokens`), String(off.steps[1].tokens));
    assert.equal(await shown('cacheBytes()'), String(perToken));
    await assert.rejects(shown(`passes("${story}", 5)[1].ms | 3`), ExpressionError, 'a build machine’s time is nobody’s number');
  });
});

describe('the commands that it names', () => {
  test('count what it says', async () => {
    const on = await json('generate', story, '--max-tokens', '24');
    const off = await json('generate', story, '--max-tokens', '24', '--no-cache');
    assert.deepEqual(on.ids, off.ids);
    assert.equal(on.steps[0].multiply_adds, off.steps[0].multiply_adds);
    for (const value of [on.steps[0].multiply_adds, on.steps[1].multiply_adds, off.steps[1].multiply_adds]) assert.ok(prose.includes(`${formatFixed(value, 0)} 次`), String(value));
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

  test('without a script counted numbers stand there, no time, and the ways to the other lessons', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { script: false });
    const drawn = await page.evaluate(() => [...document.querySelectorAll('glassbox-generate svg')].filter((svg) => svg.checkVisibility()).map((svg) => svg.textContent));
    assert.equal(drawn.length, 5);
    assert.ok(drawn.every((text) => !/\d ms/.test(text)));
    assert.ok(drawn[0].includes('乘加次数') && drawn[0].includes('时间要在你的机器上量'));
    page.expectNoFaults();
    await page.dispose();
  });

  test('all of it runs: the first on the first screen, lanes, race, cache and bill, at 1280 and 390 px', async () => {
    for (const [width, theme] of [[1280, 'light'], [390, 'dark']]) {
      const page = await openPage(browser, site, `zh/${name}.html`, { width, theme, touch: width < 600 });
      const widgets = await page.$$('glassbox-generate');
      await settled(page, widgets[0]);
      const box = await (await inside(widgets[0], '#text')).boundingBox();
      assert.ok(box.y + box.height < 900, 'the first thing to touch is on the first screen');
      for (const widget of widgets) {
        await widget.evaluate((element) => element.scrollIntoView());
        await settled(page, widget);
        assert.equal(await widget.evaluate((element) => element.error), null);
      }
      assert.equal(await widgets[0].evaluate((element) => element.shadowRoot.querySelectorAll('.stats > div').length), 3);
      assert.match(await textIn(widgets[0], '.fig-body'), /本机量 \d+ 遍的中位数/);
      assert.match(await textIn(widgets[2], '#says'), /没有缓存，慢到 [\d.,]+ 倍/);
      assert.ok((await textIn(widgets[3], '#says')).includes(`${formatFixed(perToken, 0)} 字节`));
      assert.ok(await inside(widgets[4], '.bill'));
      // The prose and the figure below it tell the same counted numbers.
      const [perByte, later] = await widgets[4].evaluate((element) => [...element.shadowRoot.querySelectorAll('.bill .key td > span')].map((cell) => cell.textContent));
      assert.ok(prose.includes(`做 ${perByte} 次乘加；解码一步，${later} 次`));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      page.expectNoFaults();
      await page.dispose();
    }
  });
});
