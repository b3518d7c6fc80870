// glassbox-loss: what it shows is −log of the engine's probabilities.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatChance, formatLoss, lossFigure, lossSentences } from '../../web/draw/loss-figure.js';
import { strings } from '../../web/i18n/index.js';
import { askLosses, placeIn, readRow } from '../../web/parts/loss.js';
import { change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-loss';
const text = '从前，有一只小猫';

let node;
let read;
before(async () => {
  node = await openNodeEngine();
  read = await askLosses(node, text);
});

describe('without a browser', () => {
  test('the loss of each token is −log of the probability that the engine gives it after the ones before', async () => {
    const { config } = await node.load('builtin');
    assert.equal(read.random, Math.log(config.vocabSize));
    assert.equal(read.places.length, read.ids.length - 1);
    let sum = 0;
    for (const { at, id, p, loss, rank } of read.places) {
      const { candidates } = await node.next(read.tokens.slice(0, at).join(''), { top: 0x7fffffff });
      const same = candidates.find((one) => one.id === id);
      assert.ok(Math.abs(same.p - p) < 1e-5 * Math.max(same.p, 1e-3), `${id}: ${same.p} ${p}`);
      assert.equal(candidates.indexOf(same) + 1, rank);
      assert.ok(Math.abs(loss + Math.log(p)) < 1e-9);
      sum += loss;
    }
    assert.ok(Math.abs(read.mean - sum / read.places.length) < 1e-12);
  });

  test('a guess at random costs ln V', () => {
    const row = readRow(new Float32Array(2560));
    assert.ok(Math.abs(row.loss(7) - Math.log(2560)) < 1e-9);
    const far = readRow(Float32Array.of(0, -500));
    assert.equal(far.loss(1), 500);
    assert.deepEqual([far.rank(0), far.rank(1), far.top(2)], [1, 2, [0, 1]]);
  });

  test('places and numbers', () => {
    assert.deepEqual([null, '', 'x', '0', '-5', '1', '2', '99'].map((position) => placeIn(read.places, position)), [3, 3, 3, 0, 0, 0, 1, 3]);
    assert.deepEqual([0.00079, 0.5, 0.999558, 1].map(formatChance), ['0.0790%', '50.0%', '99.956%', '100%']);
    assert.equal(formatLoss(-0), '0');
  });

  test('the drawing stands alone', () => {
    const place = read.places.at(-1);
    for (const lang of ['zh', 'en']) {
      const words = strings(lang).loss;
      for (const loss of [0, 7, 200]) {
        const one = { ...place, loss, p: Math.exp(-loss), label: '<b>', chosen: true };
        const svg = lossFigure({ read, points: [one], sentences: lossSentences({ read, one, before: 'x', words }), words, theme: 'dark', width: 340 });
        assert.match(svg, /^<svg [^]*<\/svg>$/);
        assert.doesNotMatch(svg, /NaN|undefined|<b>/);
      }
    }
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;
  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const words = strings('zh').loss;
  const says = (widget) => textIn(widget, '#says');
  const set = (widget, name, value) => change(page, widget, () => widget.evaluate((element, key, given) => element.setAttribute(key, given), name, value));

  test('another token, another answer, and back', async () => {
    const widget = await putWidget(page, tag, { text });
    const last = read.places.at(-1);
    assert.ok((await says(widget)).includes(`${formatChance(last.p)}，所以损失是 −log p = ${formatLoss(last.loss)}`), await says(widget));
    assert.ok((await says(widget)).includes(`平均 ${formatLoss(read.mean)}`));
    await change(page, widget, async () => (await inside(widget, '#tokens button:nth-child(3)')).click());
    assert.equal(await widget.evaluate((element) => element.getAttribute('position')), '2');
    assert.ok((await says(widget)).includes(formatLoss(read.places[1].loss)));
    await change(page, widget, async () => (await inside(widget, '#tokens button:nth-child(5)')).click());
    const [likeliest] = last.candidates;
    await change(page, widget, async () => (await inside(widget, '.answer[aria-pressed="false"]')).click());
    assert.equal(await widget.evaluate((element) => element.getAttribute('answer')), likeliest.label);
    assert.ok((await says(widget)).includes(`「${likeliest.label}」${formatChance(likeliest.p)}`));
    await (await inside(widget, '#answer')).click({ count: 3 });
    await page.keyboard.type('桌子');
    await change(page, widget, () => page.keyboard.press('Enter'));
    const { candidates } = await node.next(read.tokens.slice(0, -1).join(''), { top: 0x7fffffff });
    assert.ok((await says(widget)).includes(`「桌子」${formatChance(last.row.p(candidates.find(({ token }) => token === '桌子').id))}`));
    await set(widget, 'answer', '不是一个token');
    assert.equal(await textIn(widget, '#fault'), words.noAnswer('不是一个token'));
    assert.ok((await says(widget)).includes(`「${last.label}」`), 'the text’s own answer is shown then');
    await change(page, widget, async () => (await inside(widget, '#reset')).click());
    assert.equal(await widget.evaluate((element) => element.getAttribute('answer')), null);
    page.expectNoFaults();
  });

  test('texts of every kind', async () => {
    const widget = await putWidget(page, tag);
    for (const [odd, said] of [['', words.empty], ['a', words.few]]) {
      await set(widget, 'text', odd);
      assert.equal(await textIn(widget, '.empty'), said);
      assert.equal(await widget.evaluate((element) => element.exports()), null);
    }
    await set(widget, 'text', '🦊\ud800<b>\u200b好');
    assert.doesNotMatch(await says(widget), /NaN|undefined/);
    const { config } = await node.load('builtin');
    await set(widget, 'text', 'Thank you very much. '.repeat(config.nPositions / 4));
    assert.match(await textIn(widget, '.notes'), /文字太长/);
    await set(widget, 'position', '1e9');
    assert.equal(await widget.evaluate((element) => element.getAttribute('position')), String(config.nPositions - 1));
    page.expectNoFaults();
  });

  test('on a phone by touch, both languages, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      const widget = await putWidget(phone, tag, { lang, theme });
      const count = await widget.evaluate(({ shadowRoot }) => shadowRoot.querySelectorAll('.prompts button').length);
      for (let i = count; i >= 1; i -= 1) {
        await (await inside(widget, `.prompts button:nth-of-type(${i})`)).tap();
        await settled(phone, widget);
        assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lang} ${i}`);
      }
      const small = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('button, input, summary')].filter((item) => item.checkVisibility() && item.getBoundingClientRect().height < 44).map((item) => item.id || item.className));
      assert.deepEqual(small, [], 'large enough for a finger');
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
