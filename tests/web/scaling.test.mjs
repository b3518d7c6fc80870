// glassbox-scaling: published formulas, splits of a compute, our measured family and the reader's models, on every view.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { logPlot, powerName, roundTicks } from '../../web/draw/log-plot.js';
import { scalingFigure } from '../../web/draw/scaling-figure.js';
import { strings } from '../../web/i18n/index.js';
import { bestSplit, computeOf, lossOf, published, ranges } from '../../web/parts/scaling-laws.js';
import { fitSmallest, lossIn, lowestOf, readRuns } from '../../web/parts/scaling-runs.js';
import { readSettings, views } from '../../web/parts/scaling-settings.js';
import { amountText, flatRange, lossText, offText, sentencesFor } from '../../web/parts/scaling-words.js';
import { figureFor } from '../../web/site/figures.js';
import { change, findBarriers, inside, putWidget, root, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-scaling';
const measured = JSON.parse(await readFile(join(root, 'web/site/scaling.json'), 'utf8'));
const runs = readRuns(measured);
const zh = strings('zh').scaling;

const stateOf = (attributes) => {
  const settings = readSettings(attributes, runs);
  return { ...settings, count: settings.fit, runs, fit: fitSmallest(runs.family, settings.fit, { floor: settings.floor === 'on' }) };
};

describe('our runs', () => {
  test('are a family over two decades on the same text, and one size on less and less of it', () => {
    const { family, data } = runs;
    assert.ok(family.length >= 6 && family[family.length - 1].n / family[0].n >= 100);
    assert.equal(new Set(family.map(({ d }) => d)).size, 1, 'the same tokens');
    family.forEach((run, i) => assert.ok(i === 0 || run.n > family[i - 1].n));
    for (const { n, layers, width, parameters } of family) {
      assert.equal(n, layers * (12 * width * width + 13 * width) + 2 * width, 'without embedding tables');
      assert.ok(parameters > n);
    }
    assert.ok(data.length >= 3 && new Set(data.map(({ n }) => n)).size === 1 && data[0].times === 1);
    data.forEach((run, i) => assert.ok(i === 0 || (run.unique < data[i - 1].unique && run.times > data[i - 1].times)));
  });

  test('losses are in nats; a byte’s are those of a token by the bytes of one', () => {
    for (const { held_out_loss: loss, held_out_loss_per_byte: perByte } of measured.runs) assert.ok(Math.abs(lossIn(loss, 'byte', runs.bytesPerToken) / perByte - 1) < 1e-3);
    assert.equal(lossIn(2, 'token', 3), 2);
  });

  test('the line is that of the fit over the smallest; with no point to spare it has no error', () => {
    const all = fitSmallest(runs.family, runs.family.length, { floor: true });
    assert.equal(all.used.length, runs.family.length);
    assert.ok(Math.abs(all.alpha / measured.fits.non_embedding.with_floor.alpha - 1) < 1e-3, 'the same as the command writes');
    assert.ok(all.deviation(runs.family[0].n) > 0);
    assert.equal(fitSmallest(runs.family, 3, { floor: true }).deviation, null);
    assert.ok(fitSmallest(runs.family, 3, { floor: false }).deviation(1e5) > 0);
    assert.equal(fitSmallest(runs.family, 2, { floor: false }), null);
  });

  test('where a run was lowest on the way', () => assert.deepEqual(lowestOf({ curve: [[1, 3], [2, 1], [3, 2]] }), { tokens: 2, loss: 1 }));
});

describe('words', () => {
  test('amounts in both languages', () => {
    for (const [x, chinese, english] of [[7e10, '700 亿', '70 billion'], [1.4e12, '1.4 万亿', '1.4 trillion'], [3.2189e10, '322 亿', '32.2 billion'], [1e15, '1,000 万亿', '1,000 trillion'], [5.76e23, '5.76×10²³', '5.76×10²³'], [1e28, '10²⁸', '10²⁸'], [9999, '1 万', '10,000'], [1234, '1,230', '1,230'], [999.9e9, '1 万亿', '1 trillion']]) {
      assert.equal(amountText(x, 'zh').replace('\u00a0', ' '), chinese);
      assert.equal(amountText(x, 'en').replace('\u00a0', ' '), english);
    }
    assert.equal(offText(1.1, 1), '+10.0%');
    assert.equal(offText(0.9, 1), '−10.0%');
    assert.equal(offText(1.0001, 1), '< 0.1%');
  });

  test('the flat range is where the loss is so little above the lowest', () => {
    for (const share of [0.001, 0.005, 0.05]) {
      const c = 1e22;
      const { low, high } = flatRange('hoffmann', c, share);
      const best = bestSplit('hoffmann', c);
      for (const n of [low, high]) assert.ok(Math.abs(lossOf('hoffmann', n, c / 6 / n) / best.loss - 1 - share) < 1e-6);
      assert.ok(low < best.n && best.n < high);
    }
  });

  test('both languages say the same things', () => {
    const keys = (object) => Object.entries(object).flatMap(([name, value]) => [`${name}:${typeof value}`, ...(value && typeof value === 'object' ? keys(value) : [])]);
    assert.deepEqual(keys(zh), keys(strings('en').scaling));
  });

  test('of a formula: its parts, its compute, the better split, what is extrapolated', () => {
    const { main, lines, better } = sentencesFor(stateOf({ view: 'law' }), zh, 'zh');
    assert.ok(main.includes(lossText(lossOf('hoffmann', 70e9, 1.4e12))));
    assert.ok(lines.some((line) => line.includes('5.88×10²³')) && lines.some((line) => line.includes('推算')));
    assert.ok(Math.abs(computeOf(better.n, better.d) / 5.88e23 - 1) < 1e-9);
    const best = bestSplit('hoffmann', 1e21);
    assert.ok(sentencesFor(stateOf({ view: 'law', n: String(best.n), d: String(best.d) }), zh, 'zh').lines.includes(zh.isBest));
    assert.ok(sentencesFor(stateOf({ view: 'law', n: '1e4', d: '1e5' }), zh, 'zh').lines.includes(zh.above));
    assert.ok(!sentencesFor(stateOf({ view: 'law', n: '1e9', d: '2e10' }), zh, 'zh').lines.some((line) => line.includes('推算')));
    assert.equal(sentencesFor(stateOf({ view: 'law', law: 'kaplan' }), zh, 'zh').better, null);
  });
});

describe('drawing', () => {
  test('ticks are few, rising and inside', () => {
    for (const [least, most] of [[1.5, 10], [1, 10], [1.2, 1.7], [1.92, 2.8], [1e6, 1e13], [0.4, 1.2], [3, 3.1], [1e-2, 1e3]]) {
      const ticks = roundTicks(least, most);
      assert.ok(ticks.length >= 2 && ticks.length <= 8, `${least} … ${most}: ${ticks}`);
      ticks.forEach((tick, i) => assert.ok(tick >= least * 0.999 && tick <= most * 1.001 && (i === 0 || tick > ticks[i - 1])));
    }
    assert.deepEqual([0, 2, 3, 12, -1].map(powerName), ['1', '100', '10³', '10¹²', '10⁻¹']);
  });

  test('a power law is straight; what a click means is what stands there', () => {
    const plot = logPlot({ width: 400, height: 200, x: [1, 1e6], y: [1, 1e3], names: { x: '', y: '' }, paint: (name) => name });
    const at = [1, 10, 1e3, 1e6].map((x) => [plot.x(x), plot.y(1e3 * x ** -0.5)]);
    const slopes = at.slice(1).map(([x, y], i) => (y - at[i][1]) / (x - at[i][0]));
    slopes.forEach((slope) => assert.ok(Math.abs(slope / slopes[0] - 1) < 1e-9));
    assert.ok(Math.abs(plot.valueAt(plot.x(1234)) / 1234 - 1) < 1e-9);
  });

  test('every view is whole at every end, in both themes and languages, wide and narrow', () => {
    const ends = [{ n: '1e4', d: '1e5', c: '1e16' }, { n: '1e13', d: '1e15', c: '1e28' }, { n: '1e4', d: '1e15', c: '1e28' }, { n: '1e13', c: '1e16' }, {}];
    for (const view of views) {
      for (const [i, end] of ends.entries()) {
        for (const law of ['hoffmann', 'besiroglu', 'kaplan']) {
          const language = i % 2 ? 'en' : 'zh';
          const words = strings(language).scaling;
          const state = stateOf({ view, law, ...end, fit: String(3 + i), floor: i % 2 ? 'off' : 'on', per: i % 3 ? 'byte' : 'token', run: String(i) });
          const svg = scalingFigure({ state: { ...state, readers: [{ n: 5e4, perByte: 0.9 }] }, says: sentencesFor(state, words, language), words, language, caption: 'c', note: 'n', theme: i % 2 ? 'dark' : 'light', width: i % 2 ? 348 : 974 });
          assert.ok(svg.startsWith('<svg') && !/NaN|undefined|Infinity|var\(|null|\[object/.test(svg), `${view} ${law} ${JSON.stringify(end)}`);
        }
      }
    }
  });

  test('the first figure shows the measured losses; what can’t be used is refused', async () => {
    const svg = await figureFor(tag, { view: 'data' }, null);
    assert.ok(svg.includes(lossText(runs.data[runs.data.length - 1].loss)));
    for (const attributes of [{ n: '0' }, { view: 'x' }, { fit: '2' }, { run: '-1' }, { law: 'x' }]) await assert.rejects(figureFor(tag, attributes, null), /can’t be used/);
  });
});

describe('in the page', () => {
  let page;
  useEmptyPage((opened) => ({ page } = opened));
  const attributes = (widget, ...names) => widget.evaluate((element, wanted) => wanted.map((name) => element.getAttribute(name)), names);
  const says = async (widget) => (await textIn(widget, '#says')).replace(/\n+/g, '\n').replaceAll('\u00a0', ' ');
  const press = async (widget, selector) => change(page, widget, async () => (await inside(widget, selector)).evaluate((element) => element.click()));

  test('law: sliders to both ends, keys, fields with bad input, examples, the better split', async () => {
    const widget = await putWidget(page, tag, {});
    assert.ok((await says(widget)).includes(lossText(lossOf('hoffmann', 70e9, 1.4e12))));
    for (const name of ['n', 'd']) {
      const slider = await inside(widget, `#slide-${name}`);
      await slider.focus();
      await page.keyboard.press('End');
      await settled(page, widget);
      assert.deepEqual((await attributes(widget, name)).map(Number), [ranges[name][1]]);
      await page.keyboard.press('Home');
      await settled(page, widget);
      assert.deepEqual((await attributes(widget, name)).map(Number), [ranges[name][0]]);
    }
    assert.ok((await says(widget)).includes(zh.above));
    const field = await inside(widget, '#exact-n');
    const type = async (text) => {
      await field.click({ count: 3 });
      await field.type(text);
    };
    await type('70B');
    await settled(page, widget);
    assert.deepEqual(await attributes(widget, 'n'), ['7e10']);
    for (const bad of ['0', '-1', '1e400', '很多']) {
      // All at once, since on the way to 1e400 there is 1e4.
      await field.evaluate((input, text) => {
        input.value = text;
        input.dispatchEvent(new Event('input'));
      }, bad);
      await settled(page, widget);
      assert.ok((await textIn(widget, '#fault-n')).includes('参数'), bad);
      assert.deepEqual(await attributes(widget, 'n'), ['7e10'], 'the last good number stays');
    }
    await (await inside(widget, '.sc-examples button')).click();
    await settled(page, widget);
    assert.deepEqual((await attributes(widget, 'n', 'd')).map(Number), [published[0].n, published[0].d]);
    assert.equal(await textIn(widget, '#fault-n'), null);
    await press(widget, '#best');
    assert.ok((await says(widget)).includes(zh.isBest));
    await press(widget, 'input[value="kaplan"]');
    assert.ok((await says(widget)).includes(zh.kaplanNote));
    await widget.evaluate((element) => element.reset());
    await settled(page, widget);
    assert.ok((await says(widget)).includes(lossText(lossOf('hoffmann', 70e9, 1.4e12))));
    page.expectNoFaults();
  });

  test('split: the lowest point moves with C; a click in the plot; export', async () => {
    const widget = await putWidget(page, tag, { view: 'split' });
    assert.ok((await says(widget)).includes('322 亿') && (await says(widget)).includes('2.98 万亿') && (await says(widget)).includes('722 亿'));
    const plot = await inside(widget, '.curves svg');
    await plot.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const { x, y, width } = await plot.boundingBox();
    await change(page, widget, () => page.mouse.click(x + width * 0.25, y + 100));
    assert.ok(Number((await attributes(widget, 'n'))[0]) < 1e10);
    await press(widget, '#best');
    assert.deepEqual(await attributes(widget, 'n'), [null]);
    const { table, svg } = await widget.evaluate((element) => ({ table: element.exports().table(), svg: element.exports().svg('dark') }));
    assert.ok(Math.abs(table.rows[0][1] / bestSplit('hoffmann', 5.76e23).n - 1) < 1e-12);
    assert.ok(svg.startsWith('<svg') && !svg.includes('var('));
    page.expectNoFaults();
  });

  test('ours: the line from fewer models, without a floor, per byte; a table of all; lesson 6 where there is no model yet', async () => {
    const widget = await putWidget(page, tag, { view: 'ours', fit: '4' });
    const rows = () => widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.sc-table tbody tr')].map((row) => ({ guess: row.classList.contains('guess'), cells: [...row.children].map((cell) => cell.innerText.trim()) })));
    const shown = await rows();
    assert.equal(shown.length, runs.family.length);
    assert.equal(shown.filter(({ guess }) => guess).length, runs.family.length - 4);
    const line = fitSmallest(runs.family, 4, { floor: true });
    shown.forEach(({ cells }, i) => assert.deepEqual(cells.slice(2, 4), [lossText(runs.family[i].loss), lossText(line.predict(runs.family[i].n))]));
    await (await inside(widget, '#fit')).focus();
    await page.keyboard.press('Home');
    await settled(page, widget);
    assert.deepEqual(await attributes(widget, 'fit'), ['3']);
    assert.ok((await widget.evaluate(({ shadowRoot }) => shadowRoot.textContent)).includes(zh.noBand));
    await press(widget, 'input[value="off"]');
    await press(widget, 'input[value="byte"]');
    const free = fitSmallest(runs.family, 3, { floor: false });
    assert.deepEqual((await rows())[0].cells.slice(2, 4), [lossText(runs.family[0].loss / runs.bytesPerToken), lossText(free.predict(runs.family[0].n) / runs.bytesPerToken)]);
    assert.match(await widget.evaluate(({ shadowRoot }) => shadowRoot.querySelector('#no-reader a').href), /\/zh\/06-training\.html$/);
    page.expectNoFaults();
  });

  test('data: every run in turn', async () => {
    const widget = await putWidget(page, tag, { view: 'data' });
    assert.ok((await says(widget)).includes(lossText(runs.data[runs.data.length - 1].loss)));
    await (await inside(widget, '#run')).focus();
    await page.keyboard.press('Home');
    await settled(page, widget);
    assert.ok((await says(widget)).includes(zh.dataMost));
    page.expectNoFaults();
  });

  test('odd attributes are told and mended', async () => {
    const widget = await putWidget(page, tag, { view: 'nothing', law: 'x', n: '-5', d: '1e400', fit: '99', run: 'x' });
    assert.deepEqual(await attributes(widget, 'view', 'law', 'n', 'd', 'fit', 'run'), ['law', 'hoffmann', '10000', '1e15', String(runs.family.length), String(runs.data.length - 1)]);
    assert.ok((await textIn(widget, '.notes')).length > 5);
    page.expectNoFaults();
  });

  test('320 px, English, dark, axe-core', async () => {
    await page.evaluate((name, wanted) => {
      const heading = Object.assign(document.createElement('h1'), { textContent: name });
      const make = (view) => Object.assign(document.createElement(name), { view, lang: 'en', theme: 'dark' });
      document.querySelector('main').replaceChildren(heading, ...wanted.map(make));
    }, tag, views);
    await page.setViewport({ width: 320, height: 6000 });
    await until(page, 'all are there', () => [...document.querySelectorAll('glassbox-scaling')].every((element) => element.result));
    await until(page, 'no horizontal scroll', () => document.documentElement.scrollWidth <= 320);
    assert.deepEqual(await findBarriers(page), []);
    await page.setViewport({ width: 1280, height: 900 });
    page.expectNoFaults();
  });
});
