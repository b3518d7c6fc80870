// What lesson 8 has to teach and to show, held against the built-in model and the built page. Its own expressions and checks are evaluated when
// it is rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { formatPercent } from '../../web/draw/number.js';
import { composeText, edges, languageFor, measureContext, mostFiller, prompts, tryValues } from '../../web/parts/context.js';
import { kvBytes, kvModels } from '../../web/parts/kv-models.js';
import { countedWork } from '../../web/parts/prefill-time.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { ExpressionError, Numbers } from '../../web/site/numbers.mjs';
import { json } from '../command/run.mjs';
import { change, dist, inside, openBrowser, openNodeEngine, openPage, openSite, root, settled, textIn } from './browser.mjs';

const name = '08-context';
const [hat, , code] = prompts;
const fact = hat.fact(hat.values[0]);
const { question } = hat;

let engine;
let lesson; // of renderLesson
let prose; // its text without markup; formulas by their TeX
let edge; // of the hat

before(async () => {
  engine = await openNodeEngine();
  edge = await edges(engine, { fact, question });
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
    'a fixed number of tokens': /这个小模型一次最多看 \d+ 个 token。这叫上下文窗口/,
    'what falls out is gone': /最早的丢掉.*掉出去的，一点也不剩.*输入一样，算出来的就一样/s,
    'inside right, outside at chance': /在窗口里时，八次问对 8 次。挤出去以后，八次只问对 [01] 次.*八个颜色里瞎猜一个/s,
    'it does not know that it forgot': '它也不会说「我不记得了」',
    'prompt and history share the window': /系统提示.*历史.*问题.*回答.*四样东西共用一个窗口/s,
    'the answer takes room too': '连回答也要占地方',
    'attention costs n²': /跟着 n\^2 涨：每个 token 都要和前面的每一个打分|打分的活是 +n\^2/,
    'the cache takes n': /缓存的内存是 +n /,
    'a curve is fitted': String.raw`T(n) = a + b\,n + c\,n^2`,
    'grouped queries': '8 个查询头合用一份键和值',
    'sources by name': /arXiv:2307\.09288.*arXiv:2310\.06825.*arXiv:2407\.21783.*arXiv:2412\.15115/s,
    'what is left out': /这里省略了什么.*还没有说的/s,
  };
  for (const [what, wanted] of Object.entries(facts)) {
    test(what, () => assert.ok(typeof wanted === 'string' ? prose.includes(wanted) : wanted.test(prose.replaceAll('\u00a0', ' ')), `${wanted}`));
  }

  test('its numbers are those of the model', async () => {
    const { config, kvCacheBytesPerToken } = await engine.load('builtin');
    assert.ok(prose.includes(`一次最多看 ${config.nPositions} 个 token`));
    const last = await measureContext(engine, { fact, question, count: edge.inside, value: hat.values[0] });
    const gone = await measureContext(engine, { fact, question, count: edge.outside, value: hat.values[0] });
    assert.ok(prose.includes(`全文 ${last.total} 个 token，概率还有 ${formatPercent(last.p)}`));
    assert.ok(prose.includes(`全文 ${gone.total} 个 token，概率只剩 ${formatPercent(gone.p)}`));
    assert.ok(last.total <= config.nPositions && gone.total > config.nPositions && gone.total - last.total < 40, 'only one sentence apart');
    assert.ok(prose.includes(`= ${kvCacheBytesPerToken} 字节`) || prose.includes(`${kvCacheBytesPerToken}`));
  });

  test('it opens with a question, ends with three checks, and shows its widgets', () => {
    assert.ok(lesson.data.question.endsWith('？'));
    const tags = lesson.widgets.map(({ tag }) => tag);
    assert.deepEqual(tags.filter((tag) => tag !== 'glassbox-check'), ['glassbox-context', 'glassbox-context', 'glassbox-context-cost', 'glassbox-kv-memory']);
    assert.equal(tags.filter((tag) => tag === 'glassbox-check').length, 3);
    assert.doesNotMatch(prose, /[!！]/, 'no exclamation marks');
  });
});

describe('recall on the shipped model', () => {
  test('inside the window nearly everything is found, whatever stands in between; outside at chance', async () => {
    let [right, asked, luck, outside] = [0, 0, 0, 0];
    const { nPositions } = (await engine.load('builtin')).config;
    for (const prompt of prompts) {
      const { values, question: asking } = prompt;
      const found = await edges(engine, { fact: prompt.fact(values[0]), question: asking });
      // A code of four digits is written longer than the last place in the window holds.
      const last = prompt === code ? found.inside - 2 : found.inside;
      for (const count of [0, Math.floor(last / 2), last]) {
        const rows = await tryValues(engine, { prompt, count });
        right += rows.filter((row) => row.right).length;
        asked += rows.length;
      }
      for (const count of [found.outside, mostFiller(prompt.language)]) {
        const windows = new Set();
        for (const value of values) {
          const { ids } = await engine.tokenize(composeText({ fact: prompt.fact(value), question: asking, count }).text);
          windows.add(ids.slice(-nPositions).join());
        }
        assert.equal(windows.size, 1, `${prompt.name}: whatever was told, the model sees the same`);
        const [one, other] = await tryValues(engine, { prompt: { ...prompt, values: [values[0], values.at(-1)] }, count });
        assert.equal(one.written, other.written, `${prompt.name}: the windows are alike, so the answers are`);
        luck += values.filter((value) => one.written.includes(value)).length;
        outside += values.length;
      }
    }
    assert.ok(right / asked >= 0.95, `${right} of ${asked}`);
    assert.ok(luck / outside <= 1 / 8, `${luck} of ${outside}`);
  });

  test('an answer pushes out what it copies', async () => {
    const told = { fact: code.fact(code.values[0]), question: code.question };
    const { inside: count } = await edges(engine, told);
    const near = await measureContext(engine, { ...told, count: 0, value: code.values[0] });
    const full = await measureContext(engine, { ...told, count, value: code.values[0] });
    assert.ok(near.found && full.seen === 'all' && !full.found);
    assert.ok(full.total + full.answerTokens > full.context);
  });
});

describe('what is counted', () => {
  test('the work in the drawing is what the engine counts, and n² and n are its parts', async () => {
    const { config, kvCacheBytesPerToken } = await engine.load('builtin');
    for (const count of [0, 7, 15]) {
      const { steps } = await engine.generate(composeText({ fact, question, count }).text, { maxTokens: 1 });
      const [{ tokens, multiplyAdds, cacheBytes }] = steps;
      assert.equal(countedWork(config, tokens).total, multiplyAdds);
      assert.equal(cacheBytes, tokens * kvCacheBytesPerToken);
    }
    const [one, ten] = [1000, 10_000].map((n) => countedWork(config, n));
    assert.equal(ten.matrices / one.matrices, 10);
    assert.ok(Math.abs(ten.attention / one.attention - 100) < 0.2);
  });

  test('grouped queries make the larger model’s cache the smaller', () => {
    const bytes = (wanted) => kvBytes(kvModels.find((model) => model.name === wanted), 4096, 16);
    assert.equal(bytes('Llama 2 7B'), 2 * 2 ** 30);
    assert.equal(bytes('Llama 2 70B'), 1.25 * 2 ** 30);
  });
});

describe('its expressions', () => {
  const shown = async (source) => (await new Numbers(engine).evaluate(source)).text;

  test('give what the engine gives', async () => {
    const { config, kvCacheBytesPerToken } = await engine.load('builtin');
    const measured = await measureContext(engine, { fact, question, count: 5, value: hat.values[0] });
    assert.equal(await shown(`recall("${fact}", "${question}", 5).p | 6`), measured.p.toFixed(6));
    assert.equal(await shown(`recall("${fact}", "${question}", 5).tokens`), String(measured.total));
    assert.equal(await shown(`edges("${fact}", "${question}").outside`), String(edge.outside));
    assert.equal(await shown('kv("Llama 2 7B", 1, 16)'), String(2 * 32 * 32 * 128 * 2));
    assert.equal(await shown('cacheBytes()'), String(kvCacheBytesPerToken));
    assert.equal(await shown('work(64).total'), String(countedWork(config, 64).total));
    assert.equal(await shown('size(recallAll("hatZh", 0))'), '8');
  });

  test('refuse what they can’t do', async () => {
    for (const source of ['kv("no such model", 1, 16)', 'recallAll("none", 0)', 'kvModel("x").layers', 'recall("a", "b", -1).p']) await assert.rejects(shown(source), ExpressionError);
  });
});

test('the command that it names prints what it says', async () => {
  const { text } = composeText({ fact, question, count: 3 });
  assert.ok(prose.includes(`glassbox next "${text}" --top 1`));
  const { candidates: [first] } = await json('next', text, '--top', '1');
  const here = (await engine.next(text, { top: 1 })).candidates[0];
  assert.equal(first.id, here.id);
  assert.ok(prose.includes(`它会说「${here.token}」，概率 ${here.p.toFixed(4)}`));
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
    const texts = await page.evaluate(() => ['glassbox-context', 'glassbox-context-cost', 'glassbox-kv-memory'].map((tag) => [...document.querySelectorAll(`${tag} svg`)].filter((svg) => svg.checkVisibility()).map((svg) => svg.textContent).join(' ')));
    assert.match(texts[0], new RegExp(hat.values[0]));
    const { config } = await engine.load('builtin');
    assert.ok(texts[1].includes(countedWork(config, config.nPositions).total.toLocaleString('en')));
    assert.match(texts[2], /Llama 2 70B/);
    page.expectNoFaults();
    await page.dispose();
  });

  test('found inside, lost outside, through the page', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`);
    const [widget] = await page.$$('glassbox-context');
    await settled(page, widget);
    assert.ok((await textIn(widget, '#answer')).includes(hat.values[0]));
    const press = (selector) => change(page, widget, async () => (await inside(widget, selector)).evaluate((button) => button.click()));
    await press('#inside');
    assert.ok((await textIn(widget, '#answer')).includes(hat.values[0]));
    await press('#values');
    assert.match(await textIn(widget, '#tried'), /^8 次问对 8 次/);
    await press('#outside');
    assert.match(await textIn(widget, '#tried'), /^8 次问对 [01] 次/);
    const struck = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.ctx-text s')].map((piece) => piece.textContent).join(''));
    assert.ok(struck.startsWith(fact), 'the fact is struck out');
    page.expectNoFaults();
    await page.dispose();
  });
});

test('the language of other sentences follows the texts', () => {
  assert.equal(languageFor('小明', ''), 'zh');
  assert.equal(languageFor('Tom', 'x'), 'en');
  assert.equal(languageFor('', ' '), 'zh');
});
