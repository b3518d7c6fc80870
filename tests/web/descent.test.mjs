// glassbox-descent: its walk is the arithmetic that it names, the curve of the model's weight is what the engine computes when the file holds that weight.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { descentFigure, ticks, tickText } from '../../web/draw/descent-figure.js';
import { strings } from '../../web/i18n/index.js';
import { askModelLandscape, parseDecimal, parsePoints, pointsLandscape, presetRates, rateStop, rateStops, readDescent, usualPoints, walk } from '../../web/parts/descent.js';
import { descentSentences, stepSum } from '../../web/parts/descent-words.js';
import { askLosses } from '../../web/parts/loss.js';
import { change, dist, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, readNumber, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-descent';
const text = '小猫没有跳上桌子，因为它太累了。太累的是小猫';
const index = 126;

let node;
before(async () => {
  node = await openNodeEngine();
});

describe('over points', () => {
  const landscape = pointsLandscape(usualPoints);
  const from = (w, rate, steps, batch = 'all') => walk(landscape, { w, rate, steps, batch });

  test('by hand: 0, 11, −14, 0.7', () => {
    const { path, next } = from(0, 0.05, 1);
    assert.deepEqual([path[0].w, path[0].loss, path[0].slope], [0, 11, -14]);
    assert.ok(Math.abs(path[1].w - 0.7) < 1e-12);
    assert.ok(Math.abs(next - (path[1].w - 0.05 * path[1].slope)) < 1e-12);
    assert.deepEqual(landscape.least, { w: 1.5, loss: 0.5 });
  });

  test('the slope is the slope of the loss', () => {
    for (const w of [-3, 0, 1.5, 2.2]) {
      const h = 1e-5;
      assert.ok(Math.abs((landscape.loss(w + h) - landscape.loss(w - h)) / (2 * h) - landscape.slope(w)) < 1e-6);
      assert.ok(Math.abs([0, 1, 2].reduce((sum, i) => sum + landscape.slope(w, i), 0) / 3 - landscape.slope(w)) < 1e-9);
    }
  });

  test('too small crawls, right gets there, large goes to and fro, too large diverges', () => {
    const rates = presetRates(landscape);
    assert.deepEqual([from(0, rates.tiny, 3).state, from(0, rates.good, 8).state, from(0, rates.zigzag, 5).state, from(0, rates.huge, 8).state], ['moving', 'there', 'zigzag', 'away']);
    assert.equal(from(0, 0.0005, 8).state, 'slow');
    // The border is 2 ÷ curvature.
    const border = 2 / landscape.curvature;
    assert.notEqual(from(0, border * 0.99, 60).state, 'away');
    assert.equal(from(0, border * 1.01, 60).state, 'away');
  });

  test('learning rates that make no sense are told apart', () => {
    assert.equal(from(0, 0, 5).state, 'still');
    assert.equal(from(0, 0, 5).path.at(-1).w, 0);
    assert.equal(from(0, -0.05, 5).state, 'uphill');
    const { state, path } = from(0, 1e6, 60);
    assert.equal(state, 'lost');
    assert.ok(path.every(({ w, loss }) => Number.isFinite(w) && Number.isFinite(loss)));
  });

  test('one point at a time goes the ways of the points', () => {
    const { path } = from(0, 0.05, 3, 'one');
    let w = 0;
    for (const [i, { w: at }] of path.entries()) {
      assert.ok(Math.abs(at - w) < 1e-12);
      const [x, y] = usualPoints[i % 3];
      w -= 0.05 * 2 * x * (w * x - y);
    }
  });

  test('odd points do no harm', () => {
    for (const points of [[[0, 1]], [[0, 0], [0, 5]], [[1, 0]], [[-2, 3]], [[100, -100]], [[0.001, 100]], [[3, 1], [3, 1]]]) {
      const odd = pointsLandscape(points);
      const walked = walk(odd, { w: 0, rate: 0.05, steps: 10, batch: 'all' });
      const words = strings('zh').descent;
      const sentences = descentSentences({ landscape: odd, walked, rate: 0.05, batch: 'all', words });
      const svg = descentFigure({ landscape: odd, walked, sentences, title: 'x', words });
      assert.doesNotMatch(svg + sentences.join(), /NaN|undefined/, JSON.stringify(points));
    }
    assert.equal(walk(pointsLandscape([[0, 1]]), { w: 0, rate: 1, steps: 2, batch: 'all' }).state, 'flat');
  });
});

describe('what is typed', () => {
  test('numbers as readers write them', () => {
    for (const [typed, value] of [['0.05', 0.05], ['０．０５', 0.05], ['0,05', 0.05], ['−1', -1], ['1e-3', 0.001], [' 2 ', 2], ['-0', 0]]) assert.deepEqual(parseDecimal(typed, 1e6), { value }, typed);
    for (const [typed, fault] of [['', 'missing'], ['abc', 'text'], ['0x1', 'text'], ['NaN', 'text'], ['1e9', 'large'], ['∞', 'large'], ['1e999', 'large'], ['\ud800', 'text']]) assert.deepEqual(parseDecimal(typed, 1e6), { fault }, typed);
    assert.deepEqual(parsePoints('1,2 2,2 3,5'), usualPoints);
    for (const bad of ['', 'x', '1', '1,2,3', '1,2 x,3', '1,1e9', '1,2 '.repeat(7)]) assert.equal(parsePoints(bad), null, bad);
    assert.deepEqual(readDescent({ points: 'x', w: '1e99', rate: 'fast', steps: '-1', batch: 'two' }).bad, ['points', 'w', 'rate', 'steps', 'batch']);
    assert.deepEqual(readDescent({}).bad, []);
    assert.equal(rateStops.points[rateStop(rateStops.points, 0.049)], 0.05);
  });

  test('the shown sum gives the shown result', () => {
    for (const [w, rate, slope] of [[0, 0.05, -14], [1 / 3, 0.07, 2 / 7], [21.47738, 0.25, 186.45555], [-0.00012, 0.001, 1e-5]]) {
      const sum = stepSum({ w, rate, slope });
      const number = (shown) => readNumber(shown.replace(/[()]/g, ''));
      const next = number(sum.next);
      const size = 10 ** ((sum.next.split('.')[1] ?? '').length * -1);
      assert.ok(sum.next.includes('×') || Math.abs(number(sum.w) - rate * number(sum.slope) - next) <= size * 0.5001 + 1e-9, JSON.stringify(sum));
    }
    assert.deepEqual(ticks(0, 46, 4), [0, 20, 40]);
    assert.deepEqual([0, 0.5, -2.5, 12345].map(tickText), ['0', '0.5', '−2.5', '12,345']);
  });
});

describe('one weight of the model', () => {
  let landscape;
  let folder;
  before(async () => {
    const { config } = await node.load('builtin');
    ({ landscape } = await askModelLandscape(node, text, { config, index }));
    folder = await mkdtemp(join(tmpdir(), 'glassbox-descent-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** A copy of the model's file with another value at one place of ln_f.weight; null leaves it → { path, before: what stood there }. */
  async function moved(value) {
    const copy = join(folder, `w${value}`);
    await cp(join(dist, 'models/builtin'), copy, { recursive: true });
    const path = join(copy, 'model.safetensors');
    const bytes = await readFile(path);
    const head = Number(bytes.readBigUInt64LE(0));
    const header = JSON.parse(bytes.subarray(8, 8 + head).toString('utf8'));
    const [, entry] = Object.entries(header).find(([name]) => name.endsWith('ln_f.weight'));
    assert.equal(entry.dtype, 'F32');
    const at = 8 + head + entry.data_offsets[0] + 4 * index;
    const before = bytes.readFloatLE(at);
    bytes.writeFloatLE(value ?? before, at);
    await writeFile(path, bytes);
    return { path, before };
  }

  test('its value is the one in the file, and the curve is what the engine gets with another one in the file', async () => {
    for (const value of [null, -12, 0, 20]) {
      const { path, before: stored } = await moved(value);
      assert.ok(Math.abs(stored - landscape.now) < 2e-5, `${stored} ${landscape.now}`);
      const { places, mean } = await askLosses(node, text, { model: path });
      const w = value ?? stored;
      assert.ok(Math.abs(mean - landscape.loss(w)) < 2e-5, `w = ${w}: ${mean} ${landscape.loss(w)}`);
      landscape.losses(w).forEach((loss, i) => assert.ok(Math.abs(loss - places[i].loss) < 2e-4, `token ${i}`));
    }
  });

  test('the slope is the slope of the loss, and the bottom is the bottom', () => {
    for (const w of [-10, landscape.now, 8]) {
      const h = 1e-3;
      assert.ok(Math.abs((landscape.loss(w + h) - landscape.loss(w - h)) / (2 * h) - landscape.slope(w)) < 1e-6);
    }
    const { w, loss } = landscape.least;
    assert.ok(landscape.loss(w - 0.5) > loss && landscape.loss(w + 0.5) > loss);
    for (const at of [landscape.now, w]) assert.ok(landscape.range[0] < at && at < landscape.range[1]);
  });

  test('where it hardly matters, that is said, and its trained value is in sight', async () => {
    const { config } = await node.load('builtin');
    const { landscape: flat } = await askModelLandscape(node, 'Thank you very much', { config, index });
    assert.ok(flat.range[0] < flat.now && flat.now < flat.range[1]);
    const words = strings('en').descent;
    const most = Math.max(...flat.range.map(flat.loss)) - flat.least.loss;
    const walked = walk(flat, { w: flat.now, rate: 1, steps: 0, batch: 'all' });
    const said = descentSentences({ landscape: flat, walked, rate: 1, batch: 'all', words }).join(' ');
    assert.equal(/hardly matters/.test(said), most < 0.15);
    assert.doesNotMatch(said, /NaN|undefined/);
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;
  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const words = strings('zh').descent;
  const attributes = (widget) => widget.evaluate((element) => Object.fromEntries(['w', 'rate', 'steps', 'batch', 'points'].map((name) => [name, element.getAttribute(name)])));
  const says = (widget) => textIn(widget, '#says');
  const press = async (widget, selector) => (await inside(widget, selector)).click();
  const type = async (widget, selector, typed) => {
    await (await inside(widget, selector)).evaluate((field, value) => {
      field.value = value;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, typed);
    await widget.evaluate((element) => element.updateComplete);
  };

  test('steps, runs, goes back, and mirrors it all', async () => {
    const widget = await putWidget(page, tag);
    assert.ok((await says(widget)).includes('w = 0，损失 11，坡度 −14'));
    assert.ok((await says(widget)).includes('0 − 0.05 × (−14) = 0.700'));
    await press(widget, '#step');
    assert.equal((await attributes(widget)).steps, '1');
    assert.ok((await says(widget)).includes('走了 1 步，w = 0.700'));
    await press(widget, '#run');
    assert.ok((await says(widget)).includes(words.states.there));
    await press(widget, '#back');
    assert.equal((await attributes(widget)).steps, null);
    await press(widget, '#rate-huge');
    assert.ok((await says(widget)).includes(words.states.away));
    assert.ok((await textIn(widget, '#curve')).includes('在图外') || (await widget.evaluate(({ shadowRoot }) => shadowRoot.querySelector('#curve').textContent.includes('在图外'))));
    await press(widget, '#reset');
    assert.deepEqual(await attributes(widget), { w: null, rate: null, steps: null, batch: null, points: null });
    page.expectNoFaults();
  });

  test('the ball is dragged, and moved by keys', async () => {
    const widget = await putWidget(page, tag, { steps: '3' });
    const box = await (await inside(widget, '#curve svg')).boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 60, { steps: 4 });
    await page.mouse.up();
    const { w, steps } = await attributes(widget);
    assert.equal(steps, null);
    assert.ok(Number(w) > 1.5);
    await (await inside(widget, '#weight')).focus();
    await page.keyboard.press('ArrowLeft');
    assert.ok(Number((await attributes(widget)).w) < Number(w));
    page.expectNoFaults();
  });

  test('points are dragged and typed', async () => {
    const widget = await putWidget(page, tag);
    const dot = await (await inside(widget, '[data-point="2"]')).boundingBox();
    await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
    await page.mouse.down();
    await page.mouse.move(dot.x + dot.width / 2, dot.y + 90, { steps: 3 });
    await page.mouse.up();
    const { points } = await attributes(widget);
    const [, , [x, y]] = parsePoints(points);
    assert.ok(x === 3 && y < 5, points);
    await press(widget, '.point-fold summary');
    await type(widget, '.point-pair input', 'x');
    assert.equal(await textIn(widget, '.point-fold .entry-error'), words.pointFault(100));
    await type(widget, '.point-pair input', '0');
    assert.equal((await attributes(widget)).points.split(' ')[0], '0,2');
    page.expectNoFaults();
  });

  test('learning rates of every kind', async () => {
    const widget = await putWidget(page, tag);
    for (const [typed, fault] of [['abc', words.faults.text], ['', words.faults.missing], ['1e9', words.faults.large('1,000,000')]]) {
      await type(widget, '#exact-rate', typed);
      assert.equal(await textIn(widget, '#fault'), fault);
      assert.ok((await says(widget)).includes('0 − 0.05'), 'the last good one holds');
    }
    for (const [typed, state] of [['0', 'still'], ['-0.05', 'uphill'], ['1000', 'away'], ['1000000', 'away']]) {
      await type(widget, '#exact-rate', typed);
      await press(widget, '#back');
      await press(widget, '#run');
      assert.ok((await says(widget)).includes(words.states[state]) || (state === 'away' && (await says(widget)).includes(words.states.lost)), `${typed}: ${await says(widget)}`);
      assert.doesNotMatch(await says(widget), /NaN|undefined|Infinity/);
    }
    const odd = await putWidget(page, tag, { w: 'x', rate: 'fast', steps: '1.5', batch: 'z', points: '1' });
    assert.match(await textIn(odd, '.notes'), /points.*w.*rate.*steps.*batch/s);
    assert.ok((await says(odd)).includes('损失 11'));
    page.expectNoFaults();
  });

  test('a weight of the model, as computed in Node; texts without a prediction', async () => {
    const widget = await putWidget(page, tag, { of: 'model', text, index: String(index), w: '-13', rate: '50', steps: '1' });
    const { config } = await node.load('builtin');
    const { landscape } = await askModelLandscape(node, text, { config, index });
    const { path } = walk(landscape, { w: -13, rate: 50, steps: 1, batch: 'all' });
    const table = await widget.evaluate((element) => element.exports().table());
    table.rows.forEach(([, w, loss, slope], i) => {
      assert.ok(Math.abs(w - path[i].w) < 1e-4 && Math.abs(loss - path[i].loss) < 1e-6 && Math.abs(slope - path[i].slope) < 1e-6);
    });
    assert.match(await widget.evaluate((element) => element.exports().svg('dark')), /^<svg /);
    await change(page, widget, () => widget.evaluate((element) => element.setAttribute('index', '9999')));
    assert.equal(await widget.evaluate((element) => element.getAttribute('index')), String(config.nEmbd - 1));
    for (const [odd, said] of [['', words.empty], ['a', words.few]]) {
      await change(page, widget, () => widget.evaluate((element, value) => element.setAttribute('text', value), odd));
      assert.equal(await textIn(widget, '.empty'), said);
      assert.equal(await widget.evaluate((element) => element.exports()), null);
    }
    await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text', '🦊<b>\ud800 好'.repeat(120))));
    assert.ok((await textIn(widget, '.notes')).length > 5);
    page.expectNoFaults();
  });

  test('on a phone by touch, both languages and themes, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme, of] of [['zh', 'light', 'points'], ['en', 'dark', 'model']]) {
      const widget = await putWidget(phone, tag, { lang, theme, of });
      await (await inside(widget, '#step')).tap();
      await until(phone, 'a step', (element) => element.getAttribute('steps') === '1', widget);
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lang}: no wider than the screen`);
      const small = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('button, input:not([type=radio]), summary')].filter((item) => item.checkVisibility() && item.getBoundingClientRect().height < 44).map((item) => item.id || item.className));
      assert.deepEqual(small, [], 'large enough for a finger');
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
      await settled(phone, widget);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
