// glassbox-kitten: one word is switched, and the rows and the guess are what the engine in Node computes.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { kittenFigure } from '../../web/draw/kitten-figure.js';
import { formatPercent } from '../../web/draw/number.js';
import { textLines } from '../../web/draw/text-lines.js';
import { labelWidth } from '../../web/draw/label.js';
import { strings } from '../../web/i18n/index.js';
import { differences, measureKitten } from '../../web/parts/kitten.js';
import { assertShown, change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, traceHead, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-kitten';
const { pair: zh } = strings('zh').kitten;
const { pair: en } = strings('en').kitten;
const given = ([text, textB]) => ({ text, 'text-b': textB });

let node;

before(async () => {
  node = await openNodeEngine();
  await node.load('builtin');
});

describe('without a browser', () => {
  test('the places that differ', () => {
    assert.deepEqual(differences(['a', 'b', 'c'], ['a', 'x', 'c']), [1]);
    assert.equal(differences(['a'], ['a']), null);
    assert.equal(differences(['a'], ['a', 'b']), null);
  });

  for (const [name, pair, words] of [['Chinese', zh, ['小猫', '桌子', '它']], ['English', en, ['cat', 'table', 'it']]]) {
    test(`the last row turns from one noun to the other, the pronoun's row does not move: ${name}`, async () => {
      const measured = await measureKitten(node, pair);
      const { layer, head, pronoun, asked, sides } = measured;
      assert.deepEqual(measured.answers.map((label) => label.replace('␣', '')), words.slice(0, 2));
      assert.equal(sides[0].labels[pronoun].replace('␣', ''), words[2]);
      assert.equal(measured.steady, true);
      for (const [i, text] of pair.entries()) {
        const { tokens, weights } = await traceHead(node, text, layer, head);
        const size = tokens.length;
        assert.equal(asked, size - 1);
        assert.deepEqual([...sides[i].asks], [...weights.slice((size - 1) * size)]);
        assert.deepEqual([...sides[i].pronounRow], [...weights.slice(pronoun * size, pronoun * size + pronoun + 1)]);
        assert.ok(sides[i].asks[sides[i].place] > 0.5 && sides[i].asks[sides[1 - i].place] < 0.5, 'it looks at the noun that is meant');
        const { candidates } = await node.next(text, { top: 5000 });
        assert.equal(sides[i].shares[i], candidates[0].p);
        assert.ok(Math.abs(sides[i].shares.reduce((sum, p) => sum + p) - 1) < 1e-6);
      }
    });
  }

  test('what is no pair is none', async () => {
    for (const pair of [[zh[0], zh[0]], [zh[0], `${zh[1]}。`], ['a', 'b'], [zh[0], en[0]], ['<script>', '</script>']]) {
      assert.equal(await measureKitten(node, pair), null, pair.join(' / '));
    }
  });

  test('the drawing stands alone, wide and narrow, in both themes', async () => {
    for (const [lang, pair] of [['zh', zh], ['en', en]]) {
      const measured = await measureKitten(node, pair);
      for (const width of [340, 940]) {
        for (const theme of ['light', 'dark']) {
          const svg = kittenFigure({ ...measured, index: 1, words: strings(lang).kitten, theme, width });
          assert.match(svg, /^<svg [^]*<\/svg>$/);
          assert.doesNotMatch(svg, /NaN|undefined|var\(|light-dark/);
          assert.ok(svg.includes(`>${formatPercent(measured.sides[1].shares[1])}<`));
        }
      }
    }
  });

  test('lines break between words and between Chinese characters, never before closing marks', () => {
    const sentence = '上排：从「的是」看回去。选「累」，它给「小猫」0.99；选「高」，it gives “table” 0.99。';
    for (const em of [6, 10, 20, 100]) {
      const lines = textLines(sentence, em);
      assert.equal(lines.join('').replaceAll(' ', ''), sentence.replaceAll(' ', ''));
      for (const line of lines) {
        assert.doesNotMatch(line, /^[，。；：」]/);
        assert.ok(labelWidth(line) <= em + 3, line);
      }
    }
    assert.deepEqual(textLines('', 10), ['']);
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const shown = (widget) =>
    widget.evaluate((element) => {
      const seen = (item) => {
        const copy = item.cloneNode(true);
        copy.querySelectorAll('.vh').forEach((part) => part.remove());
        return copy.textContent.trim();
      };
      const { shadowRoot } = element;
      return {
        side: element.getAttribute('side'),
        words: [...shadowRoot.querySelectorAll('.tile')].map((tile) => (tile.querySelector('.word') ?? tile.querySelector('label.on')).textContent.trim()),
        row: [...shadowRoot.querySelectorAll('.cell')].map(seen),
        thin: [...shadowRoot.querySelectorAll('.thin:not(.m)')].map((item) => item.style.getPropertyValue('--w')),
        says: [...shadowRoot.querySelectorAll('.says li')].map((item) => [item.querySelector('.tk').textContent, item.querySelector('.value').textContent]),
        status: shadowRoot.querySelector('[role="status"]')?.textContent,
      };
    });

  async function assertShows(widget, pair, index) {
    const measured = await measureKitten(node, pair);
    const side = measured.sides[index];
    const view = await shown(widget);
    assert.equal(view.side, index ? 'b' : null);
    assert.deepEqual(view.words, side.labels.map((label) => label.replace(/^␣(?=.)/, '')));
    view.row.forEach((text, i) => assertShown(text, side.asks[i], `weight ${i}`));
    assert.deepEqual(view.thin, [...side.pronounRow].map((weight) => weight.toFixed(4)));
    assert.deepEqual(view.says.map(([, p]) => p), side.shares.map(formatPercent));
    assert.ok(view.status.includes(view.says[index][0]));
    return view;
  }

  const choose = async (widget, index) => {
    await (await inside(widget, `.seg label:nth-of-type(${index + 1}) input`)).click();
    await widget.evaluate((element) => element.updateComplete);
  };

  test('the word is switched by mouse: the upper row moves, the lower one does not', async () => {
    const widget = await putWidget(page, tag, given(zh));
    const first = await assertShows(widget, zh, 0);
    await choose(widget, 1);
    const second = await assertShows(widget, zh, 1);
    assert.notDeepEqual(second.row, first.row);
    assert.deepEqual(second.thin, first.thin);
    await choose(widget, 0);
    await assertShows(widget, zh, 0);
    page.expectNoFaults();
  });

  test('and by keys, which need no computation', async () => {
    const widget = await putWidget(page, tag, given(zh));
    const ready = await widget.evaluate((element) => element.timesReady);
    await (await inside(widget, '.seg input')).focus();
    await page.keyboard.press('ArrowRight');
    await until(page, 'the second word', (element) => element.getAttribute('side') === 'b', widget);
    await assertShows(widget, zh, 1);
    await page.keyboard.press('ArrowLeft');
    await until(page, 'the first word', (element) => !element.hasAttribute('side'), widget);
    assert.equal(await widget.evaluate((element) => element.timesReady), ready);
  });

  test('in English, with the second word from the tag; reset gives it back', async () => {
    const widget = await putWidget(page, tag, { ...given(en), side: 'b', lang: 'en' });
    await assertShows(widget, en, 1);
    await choose(widget, 0);
    await assertShows(widget, en, 0);
    await widget.evaluate((element) => element.reset());
    await settled(page, widget);
    await assertShows(widget, en, 1);
  });

  test('without texts it shows the sentence of its language', async () => {
    await assertShows(await putWidget(page, tag), zh, 0);
    await assertShows(await putWidget(page, tag, { lang: 'en' }), en, 0);
  });

  test('what is no pair is told; odd texts are only text', async () => {
    const widget = await putWidget(page, tag, given(zh));
    const words = strings('zh').kitten;
    for (const [text, textB, said] of [
      [zh[0], zh[0], words.noPair],
      ['', zh[1], words.empty],
      [zh[0], '', words.empty],
      ['<img src=x onerror=alert(1)>', '<b>', words.noPair],
      ['😀', '👩‍👩‍👧‍👦', words.noPair],
      ['שלום', 'עולם', words.noPair],
      [zh[0].repeat(600).slice(0, 10_000), zh[1].repeat(600).slice(0, 10_000), words.noPair],
    ]) {
      await change(page, widget, () =>
        widget.evaluate((element, a, b) => {
          element.setAttribute('text', a);
          element.setAttribute('text-b', b);
        }, text, textB),
      );
      const view = await textIn(widget, '.empty');
      if (view !== null) assert.equal(view, said);
      else assert.ok(text.length > 1000, 'a long text may happen to be a pair');
    }
    page.expectNoFaults();
  });

  test('a finger taps and swipes; no screen is too narrow; no barriers in both themes and languages', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme, pair] of [['zh', 'light', zh], ['en', 'dark', en]]) {
      const widget = await putWidget(phone, tag, { ...given(pair), lang, theme });
      await (await inside(widget, '.seg label:nth-of-type(2)')).tap();
      await until(phone, 'the second word by a tap', (element) => element.getAttribute('side') === 'b', widget);
      const box = await (await inside(widget, '.seg')).boundingBox();
      const y = box.y + box.height / 2;
      await phone.touchscreen.touchStart(box.x + box.width - 8, y);
      for (let step = 1; step <= 6; step++) await phone.touchscreen.touchMove(box.x + box.width - 8 - step * 10, y);
      await phone.touchscreen.touchEnd();
      await until(phone, 'the first word by a swipe', (element) => !element.hasAttribute('side'), widget);
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lang}: no wider than the screen`);
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });

  test('stands on the home page, as a figure without a script, with a way to lesson 4', async () => {
    const bare = await openPage(browser, site, 'index.html', { script: false });
    const measured = await measureKitten(node, zh);
    const numbers = await bare.evaluate(() => [...document.querySelectorAll('glassbox-kitten svg')].filter((svg) => svg.checkVisibility()).map((svg) => [...svg.querySelectorAll('[data-numbers] text')].map((text) => text.textContent)));
    assert.equal(numbers.length, 1, 'one drawing is seen');
    assert.deepEqual(numbers[0].slice(-3), measured.sides[0].shares.map(formatPercent));
    measured.sides[0].asks.forEach((weight, i) => assertShown(numbers[0][i], weight));
    assert.ok(await bare.$('main a[href="zh/04-attention.html"]'));
    bare.expectNoFaults();
    await bare.dispose();
  });

  test('what it exports holds the numbers in full', async () => {
    const widget = await putWidget(page, tag, given(zh));
    const table = await widget.evaluate((element) => element.exports().table());
    const { sides, asked, pronoun } = await measureKitten(node, zh);
    assert.deepEqual(table.header.slice(1), [sides[0].labels[asked], sides[0].labels[pronoun]]);
    assert.deepEqual(table.rows.map((row) => row[1]), [...sides[0].asks]);
    assert.match(await widget.evaluate((element) => element.exports().svg('light')), /^<svg /);
  });
});
