// glassbox-qkv: one token's vector by W_Q, W_K, W_V, against the engine in Node.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { qkvFigure } from '../../web/draw/qkv-figure.js';
import { signedPixels } from '../../web/draw/signed-pixels.js';
import { signedRgb } from '../../web/draw/svg.js';
import { strings } from '../../web/i18n/index.js';
import { askProjection, colourLimit, dotProduct, partNames, vectorsAt } from '../../web/parts/projection.js';
import { figureFor } from '../../web/site/figures.js';
import { assertShown, change, findBarriers, inside, openNodeEngine, putWidget, readNumber, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-qkv';
const kitten = '小猫没有跳上桌子，因为它太累了。太累的是';
let node;

before(async () => {
  node = await openNodeEngine();
});

test('every number of q, k and v comes out as the engine computed it, from the digits shown', async () => {
  for (const [layer, head, position] of [[0, 0, 0], [2, 1, 13], [3, 3, 6]]) {
    const asked = await askProjection(node, kitten, { layer, head });
    const vectors = vectorsAt(asked, position);
    for (const part of partNames) {
      const { weight, bias } = asked.matrices[part];
      assert.deepEqual(weight.shape, [128, 32]);
      for (let column = 0; column < weight.shape[1]; column++) {
        const exact = vectors[part][column];
        const made = dotProduct({ x: vectors.x, weight, bias, column, exact });
        const what = `layer ${layer}, head ${head}, ${part}[${column}]`;
        assert.equal(made.exact, true, what);
        assertShown(made.value.text, exact, what, 1);
        assert.ok(Math.abs(made.sum.value + made.bias.value - made.value.value) <= 0.5001 * 10 ** -(made.value.text.split('.')[1]?.length ?? 0), `${what}: the last line follows`);
        let sum = 0;
        for (const term of made.terms) {
          const step = 10 ** -(term.product.text.split('.')[1]?.length ?? 0);
          assert.ok(Math.abs(term.x.value * term.w.value - term.product.value) <= 0.5001 * step, `${what}: a product follows`);
          sum += term.product.value;
          assert.ok(Math.abs(sum - term.sum.value) < 1e-6, `${what}: the running sum follows`);
        }
      }
    }
  }
});

test('colours: paper for zero, full beyond the limit, one pixel a number', () => {
  for (const theme of ['light', 'dark']) {
    const pixels = signedPixels(Float32Array.from([0, 9, -9, 0.5]), 1, theme);
    assert.deepEqual([...pixels.slice(0, 3)], signedRgb(0, theme));
    assert.deepEqual([...pixels.slice(4, 7)], signedRgb(1, theme));
    assert.deepEqual([...pixels.slice(8, 11)], signedRgb(-1, theme));
    assert.equal(pixels.length, 16);
  }
  assert.ok(Math.abs(colourLimit([{ data: [1, -1] }, { data: [1] }]) - 3) < 1e-12);
  assert.equal(colourLimit([{ data: [0] }]), 1);
});

test('the figure is whole in both themes and languages, and stands as the first figure', async () => {
  const asked = await askProjection(node, '<b>&"', { layer: 0, head: 0 });
  const vectors = vectorsAt(asked, 0);
  const { weight, bias } = asked.matrices.v;
  const made = dotProduct({ x: vectors.x, weight, bias, column: 31, exact: vectors.v[31] });
  for (const language of ['zh', 'en']) {
    for (const theme of ['light', 'dark']) {
      const svg = qkvFigure({ vectors, matrices: asked.matrices, limit: 1, parts: partNames, part: 'v', index: 31, made, words: strings(language).qkv, title: '<b>', sentence: '1 & 2', note: 'note', theme, width: 960 });
      assert.ok(svg.startsWith('<svg') && !/NaN|undefined|Infinity|var\(|<b>/.test(svg));
    }
  }
  const markup = await figureFor(tag, { text: kitten, layer: '2', head: '0' }, node);
  assert.ok(markup.includes('<figure class="first"') && !/ style=/.test(markup) && markup.length < 200_000, String(markup.length));
  await assert.rejects(figureFor(tag, { text: kitten, part: 'z' }, node), /q, k or v/);
  await assert.rejects(figureFor(tag, { text: kitten, head: '4' }, node), /heads 0 to 3/);
  await assert.rejects(figureFor(tag, { text: kitten, index: '32' }, node), /32 numbers/);
});

describe('in the page', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);

  async function assertShows(widget, { text = kitten, layer, head, position, part, index }) {
    const prefix = `h.${layer}.attn.${part}`;
    const { activations } = await node.trace(text, { names: [prefix] });
    const { shape, data } = activations[prefix];
    const exact = data[(head * shape[1] + position) * shape[2] + index];
    assertShown(await textIn(widget, '#value'), exact, `${part}[${index}]`, 1);
    const [sum, bias, value] = await Promise.all(['#sum', '#bias', '#value'].map((id) => textIn(widget, id)));
    assert.ok(Math.abs(readNumber(sum) + readNumber(bias) - readNumber(value)) <= 0.51 * 10 ** -(value.split('.')[1]?.length ?? 0));
  }

  test('mouse, keyboard, steppers and tokens choose; the number agrees with the trace', async () => {
    const widget = await putWidget(page, tag, { text: kitten, layer: '2', head: '1' });
    await assertShows(widget, { layer: 2, head: 1, position: 13, part: 'q', index: 0 });
    const canvas = await inside(widget, 'canvas[data-part="k"]');
    const box = await canvas.boundingBox();
    await page.mouse.click(box.x + (box.width * 7.5) / 32, box.y + 20);
    await settled(page, widget);
    assert.equal(`${await attribute(widget, 'part')} ${await attribute(widget, 'index')}`, 'k 7');
    await assertShows(widget, { layer: 2, head: 1, position: 13, part: 'k', index: 7 });
    await (await inside(widget, '#result-v')).focus();
    await page.keyboard.press('End');
    await settled(page, widget);
    assert.equal(`${await attribute(widget, 'part')} ${await attribute(widget, 'index')}`, 'v 31');
    await page.keyboard.press('ArrowLeft');
    await settled(page, widget);
    await assertShows(widget, { layer: 2, head: 1, position: 13, part: 'v', index: 30 });
    await (await inside(widget, '#tokens button:first-child')).click();
    await settled(page, widget);
    await assertShows(widget, { layer: 2, head: 1, position: 0, part: 'v', index: 30 });
    await change(page, widget, async () => (await inside(widget, '[aria-labelledby="head-label"] button:last-child')).click());
    await assertShows(widget, { layer: 2, head: 2, position: 0, part: 'v', index: 30 });
    const painted = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('canvas')].map((one) => new Set(one.getContext('2d').getImageData(0, 0, one.width, one.height).data).size));
    assert.ok(painted.every((shades) => shades > 50), 'the matrices are painted');
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    await assertShows(widget, { layer: 2, head: 1, position: 13, part: 'q', index: 0 });
    page.expectNoFaults();
  });

  test('odd texts and attributes; what is exported', async () => {
    let widget = await putWidget(page, tag, { text: '' });
    assert.ok((await textIn(widget, '.empty')).length > 5);
    for (const text of ['a', '😀👩‍👧', 'שלום', '<script>alert(1)</script>', 'x'.repeat(10_000)]) {
      widget = await putWidget(page, tag, { text, layer: '999', head: '-1', position: 'x', part: 'w', index: '99' });
      assert.equal(`${await attribute(widget, 'layer')} ${await attribute(widget, 'head')} ${await attribute(widget, 'position')} ${await attribute(widget, 'part')} ${await attribute(widget, 'index')}`, '3 0 0 q 31');
    }
    widget = await putWidget(page, tag, { text: kitten, layer: '1', head: '0', part: 'k', index: '3' });
    const { table, svg } = await widget.evaluate((element) => ({ table: element.exports().table(), svg: element.exports().svg('dark') }));
    assert.equal(table.rows.length, 129);
    const vectors = vectorsAt(await askProjection(node, kitten, { layer: 1, head: 0 }), 13);
    assert.ok(Math.abs(table.rows[128][4] - vectors.k[3]) < 1e-4);
    assert.ok(svg.startsWith('<svg') && !svg.includes('var('));
    page.expectNoFaults();
  });

  test('two of them, one removed while it computes, 320 px by touch, axe-core', async () => {
    await page.evaluate((name) => {
      const make = (layer) => Object.assign(document.createElement(name), { layer });
      const heading = Object.assign(document.createElement('h1'), { textContent: name });
      const gone = make('3');
      document.querySelector('main').replaceChildren(heading, make('0'), make('1'), gone);
      setTimeout(() => gone.remove(), 10);
    }, tag);
    await until(page, 'both are there', () => [...document.querySelectorAll('glassbox-qkv')].every((element) => element.result));
    await page.setViewport({ width: 320, height: 700 });
    await until(page, 'no horizontal scroll, one matrix', () => document.documentElement.scrollWidth <= 320 && document.querySelector('glassbox-qkv').shadowRoot.querySelectorAll('canvas').length === 1);
    assert.deepEqual(await findBarriers(page), []);
    await page.setViewport({ width: 1280, height: 900 });
    page.expectNoFaults();
  });
});
