// glassbox-scale: the experiment on dividing by √d, against the engine in Node.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { axisLimit, countBins, measures, mostGradient, scaleFigure, scaleSentence } from '../../web/draw/scale-figure.js';
import { strings } from '../../web/i18n/index.js';
import { experiments, keys, mostPower, nearestWidth, readSeed, rows } from '../../web/parts/scale-experiment.js';
import { figureFor } from '../../web/site/figures.js';
import { assertShown, change, findBarriers, inside, openNodeEngine, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-scale';
const zh = strings('zh').scale;
let node;
let runs;

before(async () => {
  node = await openNodeEngine();
  runs = await experiments(node, 1);
});

test('attributes: powers of two near what is asked for, whole seeds', () => {
  for (const [raw, value, changed] of [[null, 64, false], ['64', 64, false], ['1', 1, false], ['100', 128, true], ['999999', 1024, true], ['-3', 1, true], ['0', 1, true], ['x', 64, true], ['', 64, true], ['Infinity', 1024, true]]) {
    assert.deepEqual(nearestWidth(raw), { value, changed }, `d="${raw}"`);
  }
  for (const [raw, seed] of [['7', 7], ['0', 0], ['-1', 1], ['1.5', 1], ['x', 1], ['', 1], [null, 1], ['1e300', 1]]) assert.equal(readSeed(raw), seed, `seed="${raw}"`);
});

test('undivided, the spread grows as √d and the gradient vanishes; divided, both stay', () => {
  for (const { d, raw, scaled } of runs) {
    assert.ok(Math.abs(raw.deviation / Math.sqrt(d) - scaled.deviation) < 1e-3 * scaled.deviation, `d = ${d}`);
    assert.ok(scaled.deviation > 0.75 && scaled.deviation < 1.15, `d = ${d}: ${scaled.deviation}`);
    assert.ok(raw.entropy <= Math.log(keys) && raw.gradient <= mostGradient(keys) && scaled.gradient <= mostGradient(keys));
  }
  const at = (d) => runs.find((run) => run.d === d);
  assert.ok(at(1024).raw.gradient < 0.1 && at(1024).scaled.gradient > 1.6);
  assert.deepEqual(at(1).raw, at(1).scaled);
});

test('every score is in the histogram, and the axis holds the largest', () => {
  const limit = axisLimit(runs);
  for (const { raw, scaled } of runs) {
    for (const side of [raw, scaled]) {
      assert.equal(countBins(side.scores, limit).reduce((a, b) => a + b), rows * keys);
      assert.ok(side.scores.every((score) => Math.abs(score) <= limit));
    }
  }
});

test('the bar of an equal softmax is full', () => {
  const even = { entropy: Math.log(keys), largestWeight: 1 / keys, gradient: 2 * keys * (1 / keys) * (1 - 1 / keys) };
  const [entropy, largest, gradient] = measures(even, keys, zh);
  assert.ok(Math.abs(entropy.value / entropy.most - 1) < 1e-12 && Math.abs(gradient.value / gradient.most - 1) < 1e-12);
  assert.equal(largest.text, '6.3%');
});

test('the figure is whole in both themes and languages, and stands as the first figure', async () => {
  for (const language of ['zh', 'en']) {
    for (const theme of ['light', 'dark']) {
      for (const d of [1, 64, 1024]) {
        const svg = scaleFigure({ runs, d, keys, words: strings(language).scale, note: 'seed', theme });
        assert.ok(svg.startsWith('<svg') && !/NaN|undefined|Infinity|var\(/.test(svg), `${language} ${theme} ${d}`);
      }
    }
  }
  const markup = await figureFor(tag, { d: '64', seed: '1' }, node);
  assert.ok(markup.includes('<figure class="first"') && !/ style=/.test(markup));
  await assert.rejects(figureFor(tag, { d: '100' }, node), /power of two/);
  await assert.rejects(figureFor(tag, { seed: '-1' }, node), /seed/);
});

describe('in the page', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  async function assertShows(widget, d, seed) {
    const run = await node.scaleExperiment({ d, rows, keys, seed });
    for (const side of ['raw', 'scaled']) {
      const shown = await widget.evaluate((element, id) => [...element.shadowRoot.querySelectorAll(`#${id} .value`)].map((value) => value.textContent.trim()), side);
      assertShown(shown[0], run[side].entropy, `${side} entropy`);
      assertShown(shown[1].replace('%', ''), 100 * run[side].largestWeight, `${side} largest weight`);
      assertShown(shown[2], run[side].gradient, `${side} gradient`);
    }
    const said = (await textIn(widget, '#says')).replace(/\s/g, '');
    assert.equal(said, scaleSentence({ d, ...run }, keys, zh).replaceAll('√', '').replace(/\s/g, ''));
  }

  test('slider, keyboard, examples and a new draw show what the engine says', async () => {
    const widget = await putWidget(page, tag, { d: '16', seed: '5' });
    await assertShows(widget, 16, 5);
    const range = await inside(widget, 'input[type="range"]');
    await range.focus();
    await page.keyboard.press('ArrowRight');
    await settled(page, widget);
    assert.equal(await widget.evaluate((element) => element.getAttribute('d')), '32');
    await assertShows(widget, 32, 5);
    await change(page, widget, async () => (await inside(widget, '#again')).click());
    assert.equal(await widget.evaluate((element) => element.getAttribute('seed')), '6');
    await assertShows(widget, 32, 6);
    await (await inside(widget, '.prompts button:last-child')).click();
    await settled(page, widget);
    await assertShows(widget, 1024, 6);
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    await assertShows(widget, 16, 5);
    page.expectNoFaults();
  });

  test('odd attributes are told; the table holds every width at full precision', async () => {
    const widget = await putWidget(page, tag, { d: '999', seed: '-4' });
    assert.equal(await widget.evaluate((element) => element.getAttribute('d')), '1024');
    assert.ok((await textIn(widget, '.notes')).includes('1,024'));
    const table = await widget.evaluate((element) => element.exports().table());
    assert.equal(table.rows.length, mostPower + 1);
    assert.equal(table.header.length, table.rows[0].length);
    table.rows.forEach((row, i) => assert.deepEqual(row.slice(0, 3), [runs[i].d, runs[i].raw.deviation, runs[i].raw.entropy]));
    const svg = await widget.evaluate((element) => element.exports().svg('dark'));
    assert.ok(svg.startsWith('<svg') && !svg.includes('var('));
    page.expectNoFaults();
  });

  test('two of them, removal while computing, a screen of 320 px, and axe-core', async () => {
    await page.evaluate((name) => {
      const [one, two, three] = [1, 2, 3].map((seed) => Object.assign(document.createElement(name), { seed: String(seed) }));
      const heading = Object.assign(document.createElement('h1'), { textContent: name });
      document.querySelector('main').replaceChildren(heading, one, two, three);
      setTimeout(() => three.remove(), 20);
    }, tag);
    await until(page, 'both are there', () => [...document.querySelectorAll('glassbox-scale')].every((element) => element.result));
    await page.setViewport({ width: 320, height: 700 });
    await until(page, 'no horizontal scroll', () => document.documentElement.scrollWidth <= 320);
    assert.deepEqual(await findBarriers(page), []);
    await page.setViewport({ width: 1280, height: 900 });
    page.expectNoFaults();
  });
});
