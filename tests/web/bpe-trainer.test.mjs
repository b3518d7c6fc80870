// glassbox-bpe-trainer: the merges that arrive are those that the engine in Node learns, and the text is redrawn in their pieces.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { learnFigure, ratesOf } from '../../web/draw/learn-figure.js';
import { formatNumber } from '../../web/draw/number.js';
import { bytesName } from '../../web/draw/token-tree.js';
import { strings } from '../../web/i18n/index.js';
import { learnedPieces } from '../../web/parts/merges.js';
import { mostMerges } from '../../web/parts/learning.js';
import { countCharacters } from '../../web/parts/tokens-of.js';
import { change, findBarriers, inside, openNodeEngine, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-bpe-trainer';
const words = strings('zh').learner;
const chinese = words.examples.find(({ label }) => label.includes('小猫')).text;
const english = words.examples.find(({ label }) => label === 'the cat').text;

let node;

before(async () => {
  node = await openNodeEngine();
});

const learn = (text) => node.learnBpe(text, { most: mostMerges });

describe('without a browser', () => {
  test('the known-good texts have something to teach, and grow shorter with every merge', async () => {
    for (const lang of ['zh', 'en']) {
      for (const { text } of strings(lang).learner.examples) {
        const learned = await learn(text);
        assert.ok(learned.merges.length >= 10, text);
        const rates = ratesOf(learned, countCharacters(text));
        rates.slice(1).forEach((rate, i) => assert.ok(rate < rates[i]));
      }
    }
  });

  test('the drawing stands alone, wide and narrow, in both themes, at any step', async () => {
    const learned = await learn(chinese);
    for (const step of [0, 7, learned.merges.length]) {
      for (const width of [340, 740]) {
        for (const theme of ['light', 'dark']) {
          const svg = learnFigure({ learned, characters: countCharacters(chinese), step, words, theme, width });
          assert.match(svg, /^<svg [^]*<\/svg>$/);
          assert.doesNotMatch(svg, /NaN|undefined|var\(|\ufffd/);
        }
      }
    }
  });
});

describe('in a browser', () => {
  let page;

  useEmptyPage((opened) => ({ page } = opened));

  const shown = (widget) =>
    widget.evaluate((element) => {
      const { shadowRoot } = element;
      return {
        step: element.getAttribute('step'),
        tokens: shadowRoot.querySelector('#tokens')?.textContent,
        now: shadowRoot.querySelector('#now')?.textContent.trim(),
        rows: [...shadowRoot.querySelectorAll('.learned-list tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
        pieces: shadowRoot.querySelectorAll('.run-piece, .run-part').length,
        fresh: shadowRoot.querySelectorAll('.running .fresh').length,
        curve: shadowRoot.querySelector('#curve')?.getAttribute('aria-label'),
        size: shadowRoot.querySelector('output')?.textContent,
      };
    });
  const press = async (widget, id) => {
    await (await inside(widget, `#${id}`)).click();
    await settled(page, widget);
  };

  async function assertShows(widget, text, step) {
    const learned = await learn(text);
    const name = (id) => bytesName(id < 256 ? [learned.bytes[id]] : learned.merges[id - 256].bytes);
    const view = await shown(widget);
    const tokens = step ? learned.merges[step - 1].tokens : learned.tokens;
    assert.equal(view.step, step ? String(step) : null);
    assert.equal(view.tokens, formatNumber(tokens));
    assert.equal(view.pieces, tokens, 'the whole text is drawn in its pieces');
    assert.equal(view.size, words.sizeIs(formatNumber(256 + step), formatNumber(step)));
    assert.equal(view.curve, words.after(formatNumber(step), formatNumber(tokens), formatNumber(tokens / countCharacters(text))));
    assert.deepEqual(view.rows, learned.merges.slice(0, step).reverse().slice(0, 60).map(({ rank, pair, count, id }) => [formatNumber(rank), name(pair[0]), name(pair[1]), formatNumber(count), name(id)]));
    const fresh = learnedPieces({ ...learned, utf8: new TextEncoder().encode(text) }, step).filter((piece) => piece.fresh).length;
    assert.equal(view.fresh, fresh);
    assert.equal(fresh > 0, step > 0);
  }

  for (const [name, text] of [['English', english], ['Chinese', chinese]]) {
    test(`merges arrive one by one, and go back: ${name}`, async () => {
      const widget = await putWidget(page, tag, { text });
      const { merges } = await learn(text);
      await assertShows(widget, text, 0);
      for (const step of [1, 2, 3]) {
        await press(widget, 'learn');
        await assertShows(widget, text, step);
      }
      await press(widget, 'back');
      await assertShows(widget, text, 2);
      await press(widget, 'end');
      await assertShows(widget, text, merges.length);
      await press(widget, 'learn');
      await assertShows(widget, text, merges.length);
      await press(widget, 'start');
      await assertShows(widget, text, 0);
      await (await inside(widget, '#size')).focus();
      await page.keyboard.press('ArrowRight');
      await settled(page, widget);
      await assertShows(widget, text, 1);
      page.expectNoFaults();
    });
  }

  test('it goes on by itself when asked to, and stops when asked to, at the end and when the text changes', async () => {
    const widget = await putWidget(page, tag, { text: english });
    await press(widget, 'play');
    await until(page, 'some merges', (element) => Number(element.getAttribute('step')) >= 3, widget);
    await press(widget, 'play');
    const { step } = await shown(widget);
    await new Promise((done) => setTimeout(done, 1200));
    assert.equal((await shown(widget)).step, step, 'it stands still');
    const { merges } = await learn(english);
    await widget.evaluate((element, at) => element.setAttribute('step', at), String(merges.length - 1));
    await press(widget, 'play');
    await until(page, 'the end', (element, last) => element.getAttribute('step') === last && !element.playing, widget, String(merges.length));
    await press(widget, 'start');
    await press(widget, 'play');
    await change(page, widget, () => widget.evaluate((element, text) => {
      const field = element.shadowRoot.querySelector('textarea');
      field.value = text;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, chinese));
    await new Promise((done) => setTimeout(done, 700));
    await assertShows(widget, chinese, 0);
    page.expectNoFaults();
  });

  test('a text without anything to learn says so: empty, one character, no repeats', async () => {
    const widget = await putWidget(page, tag, { text: '' });
    assert.equal(await textIn(widget, '.empty'), words.empty);
    for (const text of ['a', '好', 'abcdefg', 'x\ud800']) {
      await change(page, widget, () => widget.evaluate((element, given) => (element.text = given), text));
      assert.equal(await textIn(widget, '.empty'), words.nothing, text);
    }
    await change(page, widget, () => widget.evaluate((element) => (element.text = '😀🎉😺')));
    assert.ok((await shown(widget)).pieces > 0, 'emoji share bytes');
    page.expectNoFaults();
  });

  test('a megabyte of text is learned from while the page goes on answering', async () => {
    const widget = await putWidget(page, tag, { text: 'a' });
    const text = Array.from({ length: 40_000 }, (_, i) => `${chinese.slice(i % 20, (i % 20) + 7)} cat${i % 977} `).join('').slice(0, 600_000);
    assert.ok(new TextEncoder().encode(text).length > 1e6);
    await change(page, widget, () => widget.evaluate((element, given) => {
      globalThis.longest = 0;
      globalThis.last = performance.now();
      globalThis.beat = setInterval(() => {
        globalThis.longest = Math.max(globalThis.longest, performance.now() - globalThis.last);
        globalThis.last = performance.now();
      }, 20);
      // The layout of so long a text in a text box is the browser's own.
      element.shadowRoot.querySelector('textarea').style.display = 'none';
      element.text = given;
    }, text));
    const { longest, merges } = await widget.evaluate((element) => {
      clearInterval(globalThis.beat);
      return { longest: globalThis.longest, merges: element.result.merges.length };
    });
    assert.equal(merges, mostMerges);
    assert.ok(longest < 4000, `the page stood still for ${longest} ms`);
    assert.ok((await textIn(widget, '.fig-body')).includes(words.limit(formatNumber(mostMerges))));
    assert.ok((await textIn(widget, '.fig-body')).includes('只画开头'));
    page.expectNoFaults();
  });

  test('attributes out of range, reset, table and picture', async () => {
    const { merges } = await learn(english);
    const widget = await putWidget(page, tag, { text: english, step: '9999' });
    await assertShows(widget, english, merges.length);
    const { table, svg } = await widget.evaluate((element) => ({ table: element.exports().table(), svg: element.exports().svg('light') }));
    assert.deepEqual(table.rows.map(([rank, , , count]) => [rank, count]), merges.map(({ rank, count }) => [rank, count]));
    assert.ok(svg.startsWith('<svg'));
    await change(page, widget, () => widget.evaluate((element) => (element.text = 'aaaa')));
    await change(page, widget, () => inside(widget, '#reset').then((button) => button.click()));
    await assertShows(widget, english, merges.length);
    page.expectNoFaults();
  });

  test('no barriers, room for fingers, on wide screens and on phones, light and dark', async () => {
    const widget = await putWidget(page, tag, { text: chinese, step: '9' });
    for (const [width, theme] of [[1280, 'light'], [390, 'dark'], [320, 'light']]) {
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
      await settled(page, widget);
      assert.deepEqual((await findBarriers(page)).filter((barrier) => !barrier.startsWith('page-has-heading-one')), [], `${width} ${theme}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${width}: no sideways scrolling`);
      const small = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('button, input[type=range]')].filter((item) => item.getBoundingClientRect().height < 43.5).map((item) => item.outerHTML.slice(0, 80)));
      assert.deepEqual(small, [], `${width}: 44 px high`);
    }
    await page.setViewport({ width: 1280, height: 900 });
    page.expectNoFaults();
  });
});
