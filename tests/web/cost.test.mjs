// glassbox-cost: n tokens, n² scores.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { costFigure, costSentences, costShapes } from '../../web/draw/cost-figure.js';
import { axisNumbers, grouped, inUnits } from '../../web/draw/large-number.js';
import { strings } from '../../web/i18n/index.js';
import { costOf, mostTokens, parseTokens, readTokens, stopNear, stops } from '../../web/parts/cost-of.js';
import { figureFor } from '../../web/site/figures.js';
import { findBarriers, inside, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-cost';

test('n tokens make n² scores, half of them and the diagonal used', () => {
  for (const [n, scores, chinese, english] of [
    [100, '10,000', '1 万', null],
    [1000, '1,000,000', '100 万', '1 million'],
    [10_000, '100,000,000', '1 亿', '100 million'],
    [100_000, '10,000,000,000', '100 亿', '10 billion'],
  ]) {
    const cost = costOf(n);
    assert.equal(grouped(cost.scores), scores);
    assert.equal(inUnits(cost.scores, 'zh').text.replace('\u00a0', ' '), chinese);
    assert.equal(inUnits(cost.scores, 'en')?.text.replace('\u00a0', ' ') ?? null, english);
    let used = 0;
    for (let row = 1; row <= n; row++) used += row;
    assert.equal(cost.used, used);
  }
  assert.equal(costOf(100_000).scores / costOf(1000).scores, 10_000);
});

test('units say when digits are left out', () => {
  assert.deepEqual(inUnits(12_345, 'zh'), { text: '1.23\u00a0万', exact: false });
  assert.deepEqual(inUnits(15_000, 'zh'), { text: '1.5\u00a0万', exact: true });
  assert.deepEqual(inUnits(5_000_050_000, 'zh'), { text: '50.0\u00a0亿', exact: false });
  assert.equal(inUnits(9999, 'zh'), null);
  assert.equal(inUnits(999_999, 'en'), null);
});

test('the ticks of an axis share one unit of the reader’s language', () => {
  const ticks = (step, count, language) => Array.from({ length: count }, (_, i) => axisNumbers(step * (count - 1), language)(i * step).replace('\u00a0', ' '));
  assert.deepEqual(ticks(5e7, 4, 'zh'), ['0', '0.5 亿', '1 亿', '1.5 亿']);
  assert.deepEqual(ticks(2.5e7, 4, 'zh'), ['0', '2,500 万', '5,000 万', '7,500 万']);
  assert.deepEqual(ticks(5e7, 4, 'en'), ['0', '50 M', '100 M', '150 M']);
  assert.deepEqual(ticks(2000, 3, 'zh'), ['0', '2,000', '4,000']);
});

test('the slider stops at rising whole numbers, decades evenly apart; numbers are read as people write them', () => {
  assert.equal(stops[0], 1);
  assert.equal(stops[stops.length - 1], mostTokens);
  stops.forEach((stop, i) => assert.ok(Number.isInteger(stop) && (i === 0 || stop > stops[i - 1])));
  assert.deepEqual([10, 100, 1000, 10_000].map((n) => stops.indexOf(n)).map((at, i, all) => (i ? at - all[i - 1] : 10)), [10, 10, 10, 10]);
  stops.forEach((stop, i) => assert.equal(stopNear(stop), i));
  for (const [text, n] of [['1000', 1000], ['１００', 100], ['10,000', 10_000], [' 7 ', 7]]) assert.equal(parseTokens(text), n);
  for (const text of ['', '0', '-1', '1.5', 'abc', '100001', '1e3', '99999999999']) assert.ok(Number.isNaN(parseTokens(text)), text);
  for (const [raw, value, changed] of [[null, 5, false], ['8', 8, false], ['0', 1, true], ['1e9', mostTokens, true], ['x', 5, true], ['', 5, true], ['2.5', 2, true], ['1,000', 1000, false]]) {
    assert.deepEqual(readTokens(raw, 5), { value, changed }, String(raw));
  }
});

test('areas in the picture are as the scores; small squares are drawn cell by cell', () => {
  const shapes = costShapes({ n: 1000, versus: 100, side: 400, words: strings('en').cost, paint: (name) => name, id: 'x' });
  const sides = [...shapes.body.matchAll(/<rect width="([\d.]+)" height="\1"/g)].map((found) => Number(found[1]));
  assert.ok(sides.includes(400) && sides.includes(40));
  const cells = costShapes({ n: 10, versus: 10, side: 400, words: strings('en').cost, paint: (name) => name, id: 'x' });
  assert.ok(cells.body.includes('M0 0H40V40H80V80'));
});

test('the figure is whole for every pair, in both themes and languages', async () => {
  for (const n of [1, 2, 14, 100, 1000, 99_999, mostTokens]) {
    for (const versus of [1, 100, mostTokens]) {
      for (const language of ['zh', 'en']) {
        const words = strings(language).cost;
        const svg = costFigure({ n, versus, words, sentences: costSentences(n, versus, words, language), note: 'note', theme: n % 2 ? 'light' : 'dark' });
        assert.ok(svg.startsWith('<svg') && !/NaN|undefined|Infinity|var\(|null/.test(svg), `${n} ${versus}`);
      }
    }
  }
  assert.ok((await figureFor(tag, { n: '1000' }, null)).includes('1,000,000'));
  await assert.rejects(figureFor(tag, { n: '0' }, null), /whole number/);
});

describe('in the page', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);
  const says = (n, versus) => costSentences(n, versus, strings('zh').cost, 'zh').join('\n');
  const said = async (widget) => (await textIn(widget, '#says')).replace(/\n+/g, '\n');

  test('slider, field, list and comparison', async () => {
    const widget = await putWidget(page, tag, { n: '1000', versus: '100' });
    assert.equal(await said(widget), says(1000, 100));
    await (await inside(widget, '#tokens')).focus();
    await page.keyboard.press('ArrowRight');
    await settled(page, widget);
    assert.equal(await said(widget), says(1200, 100));
    await (await inside(widget, '#pin')).click();
    await settled(page, widget);
    assert.equal(await attribute(widget, 'versus'), '1200');
    const field = await inside(widget, '#n');
    await field.click({ count: 3 });
    await field.type('100000');
    await settled(page, widget);
    assert.equal(await said(widget), says(100_000, 1200));
    await field.type('0');
    assert.ok((await textIn(widget, '#fault')).length > 5);
    assert.equal(await said(widget), says(100_000, 1200), 'the last good number stays');
    await (await inside(widget, '.costs li:first-child button')).click();
    await settled(page, widget);
    assert.equal(`${await attribute(widget, 'n')} ${await textIn(widget, '#fault')}`, '100 null');
    await widget.evaluate((element) => element.reset());
    await settled(page, widget);
    assert.equal(await said(widget), says(1000, 100));
    page.expectNoFaults();
  });

  test('odd attributes are told; what is exported', async () => {
    const widget = await putWidget(page, tag, { n: '-5', versus: 'many' });
    assert.equal(`${await attribute(widget, 'n')} ${await attribute(widget, 'versus')}`, '1 100');
    assert.ok((await textIn(widget, '.notes')).length > 5);
    const { table, svg } = await widget.evaluate((element) => ({ table: element.exports().table(), svg: element.exports().svg('light') }));
    assert.deepEqual(table.rows.map((row) => row.slice(0, 3)), [1, 100, 1000, 10_000, 100_000].map((n) => [n, n * n, (n * (n + 1)) / 2]));
    assert.ok(svg.startsWith('<svg') && !svg.includes('var('));
    page.expectNoFaults();
  });

  test('two of them, 320 px, axe-core', async () => {
    await page.evaluate((name) => {
      const make = (n) => Object.assign(document.createElement(name), { n });
      const heading = Object.assign(document.createElement('h1'), { textContent: name });
      document.querySelector('main').replaceChildren(heading, make('10'), make('100000'));
    }, tag);
    await until(page, 'both are there', () => [...document.querySelectorAll('glassbox-cost')].every((element) => element.result));
    await page.setViewport({ width: 320, height: 700 });
    await until(page, 'no horizontal scroll', () => document.documentElement.scrollWidth <= 320);
    assert.deepEqual(await findBarriers(page), []);
    await page.setViewport({ width: 1280, height: 900 });
    page.expectNoFaults();
  });
});
