// glassbox-positions: the position table, its similarity and the curve against distance, against the engine in Node.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatCosine } from '../../web/draw/cosine.js';
import { positionsFigure, sampleMatrix } from '../../web/draw/distance-figure.js';
import { strings } from '../../web/i18n/index.js';
import { askPositions, positionsSentence } from '../../web/parts/positions.js';
import { figureFor } from '../../web/site/figures.js';
import { assertShown, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-positions';
let node;
let config;
let asked;

before(async () => {
  node = await openNodeEngine();
  ({ config } = await node.load('builtin'));
  asked = await askPositions(node);
});

const number = (text) => /[：:] ?(?:.*(?:余弦|cosine) )?([−\d.×⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/.exec(text)[1];

describe('without a browser', () => {
  test('the rows are those that the model adds to a text', async () => {
    const { activations } = await node.trace('小猫没有跳上桌子', { names: ['wpe', 'wte', 'h.0.resid_in'] });
    const [rows, columns] = activations.wpe.shape;
    assert.deepEqual([...asked.vectors.data.slice(0, rows * columns)], [...activations.wpe.data]);
    activations['h.0.resid_in'].data.forEach((x, i) => assert.ok(Math.abs(x - activations.wte.data[i] - activations.wpe.data[i]) < 1e-6));
  });

  test('as many as the model reads tokens; the curve is the mean of the cosines', () => {
    const P = config.nPositions;
    assert.deepEqual([asked.vectors.shape, asked.cosines.shape, asked.byDistance.length], [[P, config.nEmbd], [P, P], P]);
    for (const d of [0, 1, 5, P - 1]) {
      let sum = 0;
      for (let i = 0; i + d < P; i++) sum += asked.cosines.data[i * P + i + d];
      assert.ok(Math.abs(sum / (P - d) - asked.byDistance[d]) < 1e-5, `distance ${d}`);
    }
    assert.ok(asked.byDistance[1] > asked.byDistance[P / 2], 'near positions are more alike than far ones');
  });

  test('the drawing stands alone, wide and narrow, in both themes and languages', async () => {
    for (const lang of ['zh', 'en']) {
      const words = strings(lang).positions;
      for (const width of [340, 940]) {
        for (const theme of ['light', 'dark']) {
          const svg = positionsFigure({ ...asked, rows: 8, d: 2, says: positionsSentence(asked, words), words, theme, width });
          assert.match(svg, /^<svg [^]*<\/svg>$/);
          assert.doesNotMatch(svg, /NaN|undefined|var\(|light-dark/);
        }
      }
    }
    assert.deepEqual(Array.from(sampleMatrix({ shape: [4, 2], data: [1, 2, 3, 4, 5, 6, 7, 8] }, 2, false).data), [1, 2, 5, 6]);
    assert.deepEqual(Array.from(sampleMatrix({ shape: [3, 3], data: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 2, true).data), [1, 3, 7, 9]);
    assert.ok((await figureFor(tag, {}, node)).includes('<figure class="first"'));
    await assert.rejects(figureFor(tag, { distance: '100000' }, node), /whole number below/);
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  test('the heat map shows each number by pointer and by keys', async () => {
    const widget = await putWidget(page, tag);
    const { data, shape: [, columns] } = asked.vectors;
    const picture = await inside(widget, '#heat .picture');
    const box = await picture.boundingBox();
    await page.mouse.move(box.x + 1, box.y + 1);
    await until(page, 'the first number', (element) => element.shadowRoot.querySelector('#number b'), widget);
    assertShown(number(await textIn(widget, '#number b')), data[0]);
    await picture.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    assertShown(number(await textIn(widget, '#number b')), data[2 * columns + 1]);
    await page.keyboard.press('End');
    assertShown(number(await textIn(widget, '#number b')), data[3 * columns - 1]);
    await page.keyboard.press('Escape');
    assert.equal(await textIn(widget, '#number b'), null);
    page.expectNoFaults();
  });

  test('each with each, and the curve with its slider; both stand in the attributes', async () => {
    const widget = await putWidget(page, tag, { view: 'nonsense', distance: '-3' });
    assert.equal(await widget.evaluate((element) => `${element.getAttribute('view')} ${element.getAttribute('distance')}`), 'vectors 0');
    await (await inside(widget, '.seg label:nth-of-type(2) input')).click();
    await settled(page, widget);
    assert.equal(await widget.evaluate((element) => element.getAttribute('view')), 'cosines');
    await (await inside(widget, '#heat .picture')).focus();
    for (const key of ['PageDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    assert.ok((await textIn(widget, '#number b')).includes(formatCosine(asked.cosines.data[10 * config.nPositions + 2])));
    await (await inside(widget, '.seg label:nth-of-type(3) input')).click();
    await settled(page, widget);
    await (await inside(widget, '#distance')).focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
    assert.equal(await widget.evaluate((element) => element.getAttribute('distance')), '4');
    assert.ok((await textIn(widget, '#number')).includes(formatCosine(asked.byDistance[4])));
    const curve = await (await inside(widget, '#curve svg')).boundingBox();
    await page.mouse.click(curve.x + curve.width - 11, curve.y + 60);
    assert.equal(await widget.evaluate((element) => element.getAttribute('distance')), String(config.nPositions - 1));
    await widget.evaluate((element) => element.reset());
    await settled(page, widget);
    assert.equal(await widget.evaluate((element) => element.getAttribute('view')), 'vectors');
    page.expectNoFaults();
  });

  test('what there is to see is told', async () => {
    for (const lang of ['zh', 'en']) {
      const widget = await putWidget(page, tag, { lang });
      assert.equal(await textIn(widget, '#says'), positionsSentence(asked, strings(lang).positions));
    }
  });

  test('what it exports holds the numbers in full', async () => {
    for (const [view, rows] of [['vectors', config.nPositions * config.nEmbd], ['cosines', config.nPositions ** 2], ['distance', config.nPositions]]) {
      const widget = await putWidget(page, tag, { view });
      const { table, svg } = await widget.evaluate((element) => {
        const { rows: all, header } = element.exports().table();
        return { table: { header, count: all.length, last: all.at(-1) }, svg: element.exports().svg('light').slice(0, 5) };
      });
      assert.equal(svg, '<svg ');
      assert.equal(table.count, rows);
      assert.equal(table.last.at(-1), view === 'distance' ? asked.byDistance.at(-1) : asked[view].data.at(-1));
      assert.equal(table.header.length, table.last.length);
    }
  });

  test('by finger on a narrow phone, in both languages and themes, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      for (const view of ['vectors', 'cosines', 'distance']) {
        const widget = await putWidget(phone, tag, { lang, theme, view });
        await (await inside(widget, view === 'distance' ? '#curve' : '#heat .picture')).tap();
        await until(phone, 'a number by a tap', (element) => element.shadowRoot.querySelector('#number b'), widget);
        assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lang} ${view}: no wider than the screen`);
        assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
      }
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
