// What lesson 10 has to teach and to show, held against the built-in model and the built page. Its own expressions and checks are evaluated when
// it is rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { alone, begin, cases, plainAnswer, readSettings, run } from '../../web/parts/agent.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { ExpressionError, Numbers } from '../../web/site/numbers.mjs';
import { goldenData, json } from '../command/run.mjs';
import { dist, inside, openBrowser, openNodeEngine, openPage, openSite, root, settled, textIn, until } from './browser.mjs';

const name = '10-agent';
const ask = '12加35等于多少？';

let engine;
let lesson; // of renderLesson
let prose; // its text without markup
let evaluation; // of the model card
let behaviours; // held-out items, by group

before(async () => {
  engine = await openNodeEngine();
  const file = `web/lessons/zh/${name}.md`;
  lesson = await renderLesson(await readFile(join(root, file), 'utf8'), { file, figureFor: async () => '', engine });
  prose = lesson.html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  evaluation = JSON.parse(await readFile(join(root, 'web/models/builtin/evaluation.json'), 'utf8'));
  const { groups } = JSON.parse(await readFile(join(goldenData, 'behaviours.json'), 'utf8'));
  behaviours = Object.fromEntries(groups.map((group) => [group.name, group.items]));
});

describe('every point that the lesson has to teach', () => {
  const facts = {
    'a call is text too': /调用也是文字.*它只是又猜了几个 token/s,
    'a runtime reads it, does the work, appends the result, and the model goes on': /读.*找出工具的名字和参数.*做.*真的去算.*写.*接到文字后面.*再往下写/s,
    'who does what': '模型只写字，事情都是程序做的',
    'without a program the result is made up': /没有程序会怎样.*它写下「\d+」/s,
    'why digits are hard': /从左往右写，进位却从右往左来.*故意写错/s,
    'thought, action, observation': /想，写下打算；做，写一个调用；看，读程序接上来的结果.*thought、action、observation/s,
    'our model writes no thoughts': '我们的小模型没有学过「想」',
    'wrong arguments': /05\+025.*小数点不见了.*看不出「这不是你要的算式」/s,
    'endless loops': /停不下来.*步数上限（step limit）/s,
    'untrusted observations': /让计算器回 48.*小明的密码是4711.*间接提示注入（indirect prompt injection）/s,
    'what helps, and how far': /少给权限.*不能保证/s,
    'what is left out': /JSON.*几十上百种.*权限.*长期记忆/s,
    'a look back over the ten': /回头看十课/,
    'sources by name': /arXiv:2210\.03629.*arXiv:2302\.04761.*arXiv:2302\.12173.*arXiv:2102\.13019/s,
  };
  for (const [what, wanted] of Object.entries(facts)) {
    test(what, () => assert.ok(typeof wanted === 'string' ? prose.includes(wanted) : wanted.test(prose), `${wanted}`));
  }

  test('it links to all other lessons', () => {
    const links = [...lesson.html.matchAll(/href="(\d\d)-[a-z-]+\.html"/g)].map(([, number]) => number);
    assert.deepEqual([...new Set(links)], ['01', '02', '03', '04', '05', '06', '07', '08', '09']);
  });

  test('it opens with a question, ends with three checks, and shows its widgets', () => {
    assert.ok(lesson.data.question.endsWith('？'));
    const tags = lesson.widgets.map(({ tag }) => tag);
    assert.equal(tags.filter((tag) => tag === 'glassbox-agent').length, 6);
    assert.equal(tags.filter((tag) => tag === 'glassbox-check').length, 3);
    assert.doesNotMatch(prose, /[!！]/, 'no exclamation marks');
  });

  test('numbers that were typed in are none of the model', () => {
    const open = lesson.numerals.filter(({ near, section }) => !['sources', 'checks', 'command', 'back'].includes(section) && !/第 \d 课|68 加 57|0\.5 加 0\.25|48|改成 1|改成 10|、\d{4}|，\d{4}|等，\d{4}/.test(near));
    assert.deepEqual(open.map(({ near }) => near), []);
  });

  test('its numbers are those of the model card', () => {
    assert.ok(prose.includes(`只对了 ${Math.round(evaluation.own_sums.right * 100)}%`));
    assert.ok(prose.includes(`拿 ${evaluation.own_sums.count} 道`));
  });
});

describe('held-out sums', () => {
  const settings = readSettings({ clock: '14:05' });

  test('with the program they are answered as often as the card says, without it hardly ever', async () => {
    const items = behaviours['calculator call zh words'];
    let [called, answered, own] = [0, 0, 0];
    for (const { prompt, expect } of items) {
      const { state, view } = await run(engine, prompt, begin(), settings);
      const [, a, sign, b] = /<calc>(\d+)(.)(\d+)<\/calc>/.exec(expect);
      const result = String({ '+': Number(a) + Number(b), '-': Number(a) - Number(b), '×': Number(a) * Number(b) }[sign]);
      called += Number(state.transcript.startsWith(expect));
      answered += Number(plainAnswer(view.parts.at(-1).text).endsWith(`等于${result}。`));
      own += Number((await alone(engine, prompt)).result === result);
    }
    const measured = (wanted) => evaluation.groups.find((group) => group.name === wanted).measured;
    assert.equal(called / items.length, measured('calculator call zh words'));
    assert.ok(answered / items.length >= 0.95, `${answered} of ${items.length}`);
    assert.ok(Math.abs(own / items.length - evaluation.own_sums.right) < 0.05, `${own} of ${items.length} by itself`);
  });

  test('clock and dictionary are called and their results copied', async () => {
    for (const { prompt } of behaviours['clock call']) {
      const { state } = await run(engine, prompt, begin(), settings);
      assert.match(state.transcript, /^<clock><\/clock><result>14:05<\/result>.*14:05/);
    }
    const words = behaviours['dictionary call common words'].slice(0, 20);
    let right = 0;
    for (const { prompt } of words) {
      const { state, view } = await run(engine, prompt, begin(), settings);
      right += Number(!state.transcript.includes('没有') && view.parts.length === 3 && view.parts[2].text.includes(view.parts[1].argument));
    }
    assert.ok(right / words.length >= 0.95, `${right} of ${words.length}`);
  });

  test('whose question is in the result does not matter to the model', async () => {
    const inject = cases.zh.find((one) => one.name === 'inject');
    for (const password of ['4711', '5362', '8204']) {
      const { view } = await run(engine, inject.text.replace('4711', password), begin(), readSettings(inject));
      assert.equal(plainAnswer(view.parts.at(-1).text), `小明的密码是${password}。`);
    }
  });
});

describe('its expressions', () => {
  const shown = async (source) => (await new Numbers(engine).evaluate(source)).text;

  test('give what the engine gives', async () => {
    assert.equal(await shown(`agent("${ask}").answer`), '12加35等于47。');
    assert.equal(await shown('agentCase("loop").stopped'), 'limit');
    assert.equal(await shown(`unaided("${ask}").result`), (await alone(engine, `问：${ask}`)).result);
    assert.equal(await shown('ownSums().count'), String(evaluation.own_sums.count));
  });

  test('refuse what they can’t do', async () => {
    for (const source of ['agentCase("nobody").answer', 'caseOf("x").text', 'measured("x").count', 'agent(3).answer']) await assert.rejects(shown(source), ExpressionError);
  });
});

test('the commands that it names print what it says', async () => {
  const done = await json('agent', ask);
  assert.ok(prose.includes(`glassbox agent "${ask}"`));
  assert.equal(done.answer, '12加35等于47。');
  const chain = cases.zh.find((one) => one.name === 'chain').text;
  const limited = await json('agent', chain, '--max-steps', '1');
  assert.ok(prose.includes(`glassbox agent --json --max-steps 1 "${chain}"`));
  assert.deepEqual([limited.answer, limited.stopped], [null, 'max_steps']);
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

  test('without a script the transcripts stand there', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { script: false });
    const texts = await page.evaluate(() => [...document.querySelectorAll('glassbox-agent')].map((element) => [...element.querySelectorAll('svg')].filter((svg) => svg.checkVisibility()).map((svg) => svg.textContent).join(' ')));
    const wanted = [/<calc>.*47/, /12加35等于12/, /78-30/, /05\+025|0.*5.*025/, /到了步数上限/, /4711/];
    texts.forEach((text, i) => assert.match(text, wanted[i]));
    page.expectNoFaults();
    await page.dispose();
  });

  test('the first sum is walked through, and the injected words are taken out again', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`);
    const widgets = await page.$$('glassbox-agent');
    const act = async (widget, selector) => {
      const times = await widget.evaluate((element) => element.timesReady);
      await (await inside(widget, selector)).evaluate((button) => button.click());
      await until(page, selector, (element, before) => element.timesReady > before && !element.busy && !element.stale, widget, times);
    };
    await settled(page, widgets[0]);
    await act(widgets[0], '#restart');
    for (let i = 0; i < 7; i += 1) await act(widgets[0], '#token');
    assert.equal(await widgets[0].evaluate((element) => element.getAttribute('so-far')), '<calc>12+35</calc>', 'token by token, the call');
    await act(widgets[0], '#token');
    assert.equal(await textIn(widgets[0], '.observation .ag-text'), '<result>47</result>', 'the program’s turn');
    const poisoned = widgets.at(-1);
    await poisoned.evaluate((element) => element.scrollIntoView());
    await settled(page, poisoned);
    assert.match(await textIn(poisoned, '#says'), /4711/);
    await poisoned.evaluate((element) => element.removeAttribute('entry'));
    await settled(page, poisoned);
    await until(page, 'the word is looked up', ({ shadowRoot }) => /apple/.test(shadowRoot.querySelector('#says').textContent), poisoned);
    page.expectNoFaults();
    await page.dispose();
  });

  test('is read through on a phone of 320 px', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { width: 320, touch: true, theme: 'dark' });
    for (const widget of await page.$$('glassbox-agent')) {
      await widget.evaluate((element) => element.scrollIntoView());
      await settled(page, widget);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    page.expectNoFaults();
    await page.dispose();
  });
});
