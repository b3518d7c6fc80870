// glassbox-check: the block in Markdown, the answer without a script, the guess, the score, and what is kept.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { strings } from '../../web/i18n/index.js';
import { judgeNumber, judgeOptions, keyOf, rightOption, showValue } from '../../web/parts/check.js';
import { evaluateExpression } from '../../web/parts/measure.js';
import { figureFor } from '../../web/site/figures.js';
import { LessonError, renderLesson } from '../../web/site/markdown.mjs';
import { emptyPage, findBarriers, openNodeEngine, openPage, until, useEmptyPage } from './browser.mjs';

const tired = '小猫没有跳上桌子，因为它太累了。太累的是';
const high = '小猫没有跳上桌子，因为它太高了。太高的是';
const zh = strings('zh').check;

let node;

before(async () => {
  node = await openNodeEngine();
  await node.load('builtin');
});

describe('without a browser', () => {
  const lesson = (body) => `---\ntitle: T\ndescription: D\n---\n${body}`;
  const render = (body) => renderLesson(lesson(body), { file: 'x.md', figureFor: (tag, attributes) => figureFor(tag, attributes, node) });
  const block = (attributes, inner) => `<glassbox-check ${attributes}>\n\n${inner}\n\n</glassbox-check>\n`;

  test('the block becomes question, options and a folded answer; formulas work in all of them', async () => {
    const { html, widgets } = await render(`Before.\n\n${block('answer="2"', 'What is $n^2$?\n\n- **one**\n- $9$\n\nSince $3^2$.\n\nTwo paragraphs.')}\nAfter.`);
    assert.deepEqual(widgets.map(({ tag, attributes, line }) => [tag, attributes, line]), [['glassbox-check', { answer: '2' }, 7]]);
    assert.match(html, /<p>Before\.<\/p>\n<glassbox-check answer="2">/);
    assert.match(html, /<div class="check-question" slot="question"><p>What is <math/);
    assert.match(html, /<span class="check-option" slot="option-1"><strong>one<\/strong><\/span>/);
    assert.match(html, /slot="option-2"><math[^]*?<\/math><\/span>/);
    assert.match(html, /<details class="check-answer"><summary>看答案<\/summary><p class="check-right">答案：<math/);
    assert.match(html, /<div class="check-why" slot="why"><p>Since <math[^]*<p>Two paragraphs\.<\/p>\n<\/div><\/details><\/glassbox-check>\n<p>After\.<\/p>/);
    assert.equal(html.match(/<math/g).length, 4);
  });

  test('a computed answer is filled in by the engine', async () => {
    const { html } = await render(block(`value="p(小猫)" text="${tired}" unit="%"`, 'How likely?\n\nVery.'));
    const p = await evaluateExpression(node, 'p(小猫)', { text: tired });
    assert.ok(html.includes(`答案：${showValue(p, '%')}</p>`));
    const { html: word } = await render(block(`value="next()" text="${high}" lang="en"`, 'Which?\n\n- 小猫\n- 桌子\n\nWhy.'));
    assert.match(word, /<summary>Show the answer<\/summary><p class="check-right">Answer: 桌子<\/p>/);
  });

  test('what is wrong with a block is told with file and line', async () => {
    const good = 'Q\n\n- a\n- b\n\nW';
    for (const [source, message] of [
      [block('answer="3"', good), /answer="3" is not the number of an option/],
      [block('answer="x"', good), /not the number/],
      [block('', good), /not a tag|either answer= or value=/],
      [block('answer="1" value="next()"', good), /either answer= or value=/],
      [block('answer="1"', 'Q\n\n- a\n\nW'), /2 to 4 options, found 1/],
      [block('answer="1"', 'Q\n\n- a\n- b\n- c\n- d\n- e\n\nW'), /2 to 4 options, found 5/],
      [block('answer="1"', 'Q\n\n- a\n- b'), /an explanation/],
      [block('answer="1"', '- a\n- b\n\nW'), /a question/],
      [block('answer="1"', ''), /a question/],
      ['<glassbox-check answer="1">\n\nQ\n\n- a\n- b\n\nW\n', /<\/glassbox-check> is missing/],
      [block(`value="nonsense" text="${tired}"`, 'Q\n\nW'), /answer of glassbox-check: nonsense/],
      [block('value="next()"', 'Q\n\nW'), /attribute text is missing/],
    ]) {
      await assert.rejects(render(source), (error) => error instanceof LessonError && message.test(error.message) && error.line >= 5, source);
    }
  });

  test('options and numbers are judged', () => {
    assert.equal(rightOption('2', 3), 2);
    assert.equal(rightOption('4', 3), null);
    assert.equal(rightOption('1.5', 3), null);
    assert.equal(judgeOptions(['小猫', ' 桌子 '], '桌子'), 2);
    assert.equal(judgeOptions(['小猫', '桌子'], '猴子'), null);
    assert.equal(judgeOptions(['0.1', '0.5', '0.9'], 0.95), 3);
    assert.equal(judgeOptions(['10 %', '50％', '90%'], 0.4), 2);
    assert.equal(judgeOptions(['很多', '1e999'], 0.4), null);
    assert.deepEqual([judgeNumber(0.5, 0.52, 1).grade, judgeNumber(0.5, 0.65, 1).grade, judgeNumber(0, 1, 1).grade], [0, 1, 2]);
    assert.notEqual(keyOf(['a', 'b']), keyOf(['ab']));
    assert.equal(showValue(0.9898, undefined, 0.01), '0.990');
    assert.equal(showValue(0.5, undefined, 0.01), '0.50');
    assert.equal(showValue(0.9898, '%'), '99.0%');
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const parts = { question: '看谁？', options: ['小猫', '桌子'], why: '因为它累。' };

  async function put(on, attributes, { question, options, why } = parts) {
    const handle = await on.evaluateHandle(
      (given, ask, list, because) => {
        const element = document.createElement('glassbox-check');
        for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
        const add = (parent, tag, slot, text) => Object.assign(parent.appendChild(document.createElement(tag)), { slot, textContent: text });
        add(element, 'div', 'question', ask);
        list.forEach((option, i) => add(element, 'span', `option-${i + 1}`, option));
        add(element.appendChild(document.createElement('details')), 'div', 'why', because);
        document.querySelector('main').replaceChildren(element);
        return element;
      },
      attributes,
      question,
      options,
      why,
    );
    await until(on, 'the check is ready', (element) => element.timesReady >= 1 || element.timesFailed >= 1, handle);
    return handle;
  }

  const view = (widget) =>
    widget.evaluate(async (element) => {
      await element.updateComplete;
      const { shadowRoot } = element;
      return {
        verdict: shadowRoot.querySelector('.verdict')?.textContent.trim() ?? null,
        why: element.querySelector('[slot="why"]').checkVisibility(),
        states: [...shadowRoot.querySelectorAll('.option')].map((item) => ['right', 'wrong'].find((name) => item.classList.contains(name)) ?? ''),
        pressed: [...shadowRoot.querySelectorAll('.option')].map((item) => item.getAttribute('aria-pressed')),
        slider: shadowRoot.querySelector('.slider')?.value ?? null,
      };
    });
  const press = async (widget, selector) => widget.evaluate((element, wanted) => element.shadowRoot.querySelector(wanted).click(), selector);

  test('the answer stays hidden until a guess, is told, kept over a reload of the page, and can be taken back', async () => {
    const widget = await put(page, { answer: '1' });
    assert.deepEqual(await view(widget), { verdict: null, why: false, states: ['', ''], pressed: ['false', 'false'], slider: null });
    await press(widget, '.option:nth-of-type(2)');
    const given = await view(widget);
    assert.deepEqual(given, { verdict: zh.wrong('小猫'), why: true, states: ['right', 'wrong'], pressed: ['false', 'true'], slider: null });
    // Another press changes nothing any more.
    await press(widget, '.option:nth-of-type(1)');
    assert.deepEqual(await view(widget), given);

    await page.reload();
    const again = await put(page, { answer: '1' });
    assert.deepEqual(await view(again), given);
    const other = await put(page, { answer: '1' }, { ...parts, question: '另一个问题？' });
    assert.equal((await view(other)).verdict, null, 'another question is not answered by it');

    const back = await put(page, { answer: '1' });
    await press(back, '.again');
    assert.equal((await view(back)).verdict, null);
    await press(back, '.option');
    assert.equal((await view(back)).verdict, zh.right);
    await back.evaluate((element) => element.reset());
    assert.equal((await view(back)).verdict, null);
    page.expectNoFaults();
  });

  test('by keys alone', async () => {
    const widget = await put(page, { answer: '2' });
    await widget.evaluate((element) => element.shadowRoot.querySelector('.option').focus());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal((await view(widget)).verdict, zh.right);
    assert.equal(await widget.evaluate((element) => element.shadowRoot.activeElement.classList.contains('again')), true);
    await page.keyboard.press('Space');
    assert.equal((await view(widget)).verdict, null);
    assert.equal(await widget.evaluate((element) => element.shadowRoot.activeElement.classList.contains('option')), true);
  });

  test('options judged by the model', async () => {
    const widget = await put(page, { value: 'next()', text: high });
    await press(widget, '.option:nth-of-type(1)');
    const { verdict, states } = await view(widget);
    assert.deepEqual(states, ['wrong', 'right']);
    assert.equal(verdict, zh.missed + zh.computedWord('桌子'));
    await press(widget, '.again');
  });

  test('a number on a slider, scored against the model', async () => {
    const value = await evaluateExpression(node, 'noun.weights[-1,0]', { text: tired, textB: high });
    const widget = await put(page, { value: 'noun.weights[-1,0]', text: tired, 'text-b': high }, { ...parts, options: [] });
    await widget.evaluate((element) => element.shadowRoot.querySelector('.slider').focus());
    await page.keyboard.press('End');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
    assert.equal((await view(widget)).slider, '0.97');
    await press(widget, '.give');
    const { verdict, why } = await view(widget);
    const { off, grade } = judgeNumber(0.97, value, 1);
    assert.equal(verdict, zh.distance(zh.grades[grade], showValue(0.97), showValue(value), showValue(off)));
    assert.equal(why, true);
    await press(widget, '.again');
    page.expectNoFaults();
  });

  test('a browser that keeps nothing loses only the memory', async () => {
    const denied = await openPage(browser, site, emptyPage);
    await denied.evaluateOnNewDocument(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await denied.reload();
    const widget = await put(denied, { answer: '1' });
    await press(widget, '.option');
    assert.equal((await view(widget)).verdict, zh.right);
    await press(widget, '.again');
    assert.equal((await view(widget)).verdict, null);
    denied.expectNoFaults();
    await denied.dispose();
  });

  test('odd tags and texts: nothing runs, and what cannot be scored says so', async () => {
    const wrong = await put(page, { answer: '9' });
    await press(wrong, '.option');
    assert.equal((await view(wrong)).verdict, zh.noneRight);
    await press(wrong, '.again');
    const html = await put(page, { answer: '1' }, { question: '<img src=x onerror=alert(1)>', options: ['<b>', '</button>'], why: '<script>alert(1)</script>' });
    await press(html, '.option:nth-of-type(2)');
    assert.equal((await view(html)).verdict, zh.wrong('<b>'));
    await press(html, '.again');
    const bad = await put(page, { value: 'alert(1)', text: tired });
    assert.equal(await bad.evaluate((element) => element.error?.code), 'bad_argument');
    const slider = await put(page, { value: 'next()', text: tired, min: 'x', max: '-1', step: '0' }, { ...parts, options: [] });
    await press(slider, '.give');
    assert.ok(await view(slider));
    await press(slider, '.again');
    page.expectNoFaults();
  });

  test('without a script the answer is folded, and opens', async () => {
    const bare = await openPage(browser, site, 'widgets.html', { script: false });
    const checks = await bare.evaluate(() =>
      [...document.querySelectorAll('glassbox-check')].map((element) => {
        const fold = element.querySelector('details');
        const closed = element.querySelector('[slot="why"]').checkVisibility();
        fold.open = true;
        return [element.querySelector('[slot="question"]').checkVisibility(), closed, element.querySelector('[slot="why"]').checkVisibility(), element.querySelector('.check-right').textContent.length > 3];
      }),
    );
    assert.ok(checks.length >= 4);
    checks.forEach((check) => assert.deepEqual(check, [true, false, true, true]));
    await bare.dispose();
  });

  test('no barriers before and after a guess, on a small phone, in both themes and languages', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      for (const [attributes, inner] of [[{ answer: '1' }, parts], [{ value: 'p(小猫)', text: tired, unit: '%' }, { ...parts, options: [] }]]) {
        await phone.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        const widget = await put(phone, { ...attributes, lang }, inner);
        const barriers = async () => (await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one'));
        assert.deepEqual(await barriers(), []);
        const target = await widget.evaluateHandle((element) => element.shadowRoot.querySelector('.option, .give'));
        await target.tap();
        assert.equal((await view(widget)).why, true);
        assert.deepEqual(await barriers(), []);
        assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
        await press(widget, '.again');
      }
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
