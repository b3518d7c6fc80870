// glassbox-train-memory: sixteen bytes a parameter, whatever way the number is written.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decimalBytes, trainMemoryFigure } from '../../web/draw/train-memory-figure.js';
import { strings } from '../../web/i18n/index.js';
import { bytesPerParameter, cards, cardsFor, memoryParts, mostParameters, parseParameters, readSettings, stopNear, stops, usual } from '../../web/parts/train-memory.js';
import { memoryRows, memorySentences } from '../../web/parts/train-memory-words.js';
import { emptyPage, findBarriers, inside, openPage, putWidget, textIn, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-train-memory';

describe('without a browser', () => {
  test('2 + 2 + 4 + 8 = 16 bytes, and 112 GB for seven billion', () => {
    assert.deepEqual(memoryParts(1, 'mixed').map(({ part, bytes }) => [part, bytes]), [['weights', 2], ['gradients', 2], ['master', 4], ['moments', 8]]);
    assert.equal(bytesPerParameter('mixed'), 16);
    assert.equal(bytesPerParameter('single'), 16);
    assert.equal(decimalBytes(7e9 * 16), '112\u00a0GB');
    const card = cards.find(({ name }) => name === 'A100 80GB');
    assert.equal(cardsFor(7e9 * 16, card), 2);
    assert.equal(cardsFor(80e9, card), 1);
    assert.equal(cardsFor(80e9 + 16, card), 2);
  });

  test('numbers as readers write them', () => {
    for (const [typed, n] of [['7B', 7e9], ['70亿', 7e9], ['70 亿', 7e9], ['7,000,000,000', 7e9], ['７Ｂ', 7e9], ['1.3b', 1.3e9], ['124M', 124e6], ['7e9', 7e9], ['1万亿', 1e12], ['1', 1], ['500万', 5e6], ['7 billion', 7e9], ['7_000_000', 7e6]]) assert.equal(parseParameters(typed), n, typed);
    for (const typed of ['', '0', '-1', 'abc', '7X', 'NaN', '1e99', '1e14', '0.2', '∞', '<b>', 'constructor']) assert.ok(Number.isNaN(parseParameters(typed)), typed);
    assert.deepEqual(readSettings({}), { ...usual, changed: false });
    assert.ok(readSettings({ parameters: 'x' }).changed && readSettings({ scheme: 'toString' }).changed && readSettings({ card: 'none' }).changed);
    assert.equal(stops.at(-1), mostParameters);
    stops.forEach((stop, i) => assert.equal(stopNear(stop), i));
  });

  test('the drawing stands alone', () => {
    for (const lang of ['zh', 'en']) {
      const words = strings(lang).trainMemory;
      for (const parameters of [1, 7e9, mostParameters]) {
        for (const scheme of ['mixed', 'single']) {
          const given = { parameters, scheme, card: cards[0], words };
          const svg = trainMemoryFigure({ ...memoryRows(given), sentences: memorySentences(given), words, width: 340 });
          assert.match(svg, /^<svg [^]*<\/svg>$/);
          assert.doesNotMatch(svg, /NaN|undefined/);
        }
      }
    }
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;
  useEmptyPage((opened) => ({ browser, site, page } = opened));

  test('the reader’s own number, cards and ways to keep it', async () => {
    const widget = await putWidget(page, tag);
    const words = strings('zh').trainMemory;
    assert.equal(await textIn(widget, '#all'), '112\u00a0GB');
    assert.ok((await textIn(widget, '#says')).includes('70 亿 × 16 字节 = 112\u00a0GB'));
    assert.ok((await textIn(widget, '#says')).includes(words.without), 'what is not counted is said');
    const type = async (typed) => {
      await (await inside(widget, '#n')).evaluate((field, value) => {
        field.value = value;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }, typed);
      await widget.evaluate((element) => element.updateComplete);
    };
    await type('130亿');
    assert.equal(await textIn(widget, '#all'), '208\u00a0GB');
    assert.equal(await widget.evaluate((element) => element.getAttribute('parameters')), '13000000000');
    for (const bad of ['很多', '', '-7', '1e99']) {
      await type(bad);
      assert.equal(await textIn(widget, '#fault'), words.wrong);
      assert.equal(await textIn(widget, '#all'), '208\u00a0GB', 'the last good number stays');
    }
    await (await inside(widget, '.prompts button')).click();
    assert.match(await textIn(widget, '#all'), /^18\.\d\sMB$/);
    assert.ok((await textIn(widget, '#says')).includes('放得下'));
    await (await inside(widget, '#reset')).click();
    assert.equal(await textIn(widget, '#all'), '112\u00a0GB');
    const table = await widget.evaluate((element) => element.exports().table());
    assert.deepEqual(table.rows.at(-1).slice(1), [16, 112e9]);
    const odd = await putWidget(page, tag, { parameters: 'x', scheme: 'y', card: 'z' });
    assert.equal(await textIn(odd, '.notes'), words.changed);
    assert.equal(await textIn(odd, '#all'), '112\u00a0GB');
    page.expectNoFaults();
  });

  test('on a phone by touch, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      const widget = await putWidget(phone, tag, { lang, theme });
      await (await inside(widget, '[name="card"]')).tap();
      assert.equal(await widget.evaluate((element) => element.getAttribute('card')), cards[0].name);
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
      const small = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('button, input:not([type=radio])')].filter((item) => item.getBoundingClientRect().height < 44).map((item) => item.id || item.className));
      assert.deepEqual(small, []);
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
