// glassbox-heads: what the heads of a layer do at one token, against the engine in Node.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { headsFigure, headsSentences } from '../../web/draw/heads-figure.js';
import { tokenLabels } from '../../web/draw/label.js';
import { strings } from '../../web/i18n/index.js';
import { askHeads, favourite, headsAt } from '../../web/parts/heads-at.js';
import { figureFor } from '../../web/site/figures.js';
import { assertShown, change, findBarriers, inside, openNodeEngine, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-heads';
const kitten = '小猫没有跳上桌子，因为它太累了。太累的是';
const zh = strings('zh').heads;
let node;

before(async () => {
  node = await openNodeEngine();
});

const viewOf = async (text, layer, at) => {
  const asked = await askHeads(node, text, { layer });
  const labels = tokenLabels(asked.tokens, asked.bytes);
  const position = at ?? labels.length - 1;
  return { ...asked, labels, position, view: headsAt({ ...asked, position }) };
};

test('rows add up to one, parts add up to the layer but for the bias, shares to the whole', async () => {
  const biases = [];
  for (const at of [0, 6, 13]) {
    const { view, parts } = await viewOf(kitten, 1, at);
    const [count, size, channels] = parts.shape;
    assert.equal(view.heads.length, count);
    for (const head of view.heads) {
      assert.equal(head.row.length, at + 1);
      assert.ok(Math.abs(head.row.reduce((a, b) => a + b) - 1) < 1e-5);
      assert.equal(head.weight, Math.max(...head.row));
    }
    assert.ok(Math.abs(view.heads.reduce((sum, head) => sum + head.share, 0) - 1) < 1e-9);
    assert.ok(view.sum <= view.norms + 1e-9, 'the triangle inequality');
    biases.push(Array.from(view.output, (x, c) => x - view.heads.reduce((sum, _, h) => sum + parts.data[(h * size + at) * channels + c], 0)));
  }
  for (const bias of biases) bias.forEach((x, c) => assert.ok(Math.abs(x - biases[0][c]) < 1e-4, 'what is left over is the same at every token'));
});

test('the head that most agree on', () => {
  assert.deepEqual(favourite([{ top: 3 }, { top: 0 }, { top: 3 }]), { position: 3, count: 2 });
  assert.deepEqual(favourite([{ top: 2 }, { top: 1 }]), { position: 1, count: 1 });
});

test('figures of one token, of parts of a character and of many tokens are whole', async () => {
  for (const text of ['Thank', 'a  b 龘', '<b>&"', kitten, '小猫没有跳上桌子。'.repeat(30)]) {
    const { view, labels, position } = await viewOf(text, 0);
    for (const language of ['zh', 'en']) {
      const words = strings(language).heads;
      const sentences = headsSentences({ view, labels, position, layer: 0, favourite: favourite(view.heads), words });
      for (const theme of ['light', 'dark']) {
        const svg = headsFigure({ view, labels, position, layer: 0, sentences, words, note: 'note', theme });
        assert.ok(svg.startsWith('<svg') && !/NaN|undefined|Infinity|var\(|<b>/.test(svg), text);
      }
    }
  }
  assert.ok((await figureFor(tag, { text: kitten, layer: '2' }, node)).includes('<figure class="first"'));
  await assert.rejects(figureFor(tag, { text: kitten, layer: '9' }, node), /layers 0 to 3/);
  await assert.rejects(figureFor(tag, { text: kitten, position: '14' }, node), /14 tokens/);
});

describe('in the page', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  async function assertShows(widget, text, layer, at) {
    const { view, labels } = await viewOf(text, layer, at);
    const rows = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.heads li:not(.axis)')].map((row) => ({ label: row.querySelector('.top bdi').textContent, weight: row.querySelector('.top b').textContent })));
    assert.deepEqual(rows.map((row) => row.label), view.heads.map((head) => labels[head.top]));
    rows.forEach((row, i) => assertShown(row.weight, view.heads[i].weight, `head ${i}`));
    const norms = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.norms .value')].map((value) => value.textContent.trim()));
    norms.forEach((text, i) => assertShown(text, view.heads[i]?.norm ?? view.sum, `length ${i}`));
    const said = await textIn(widget, '#looks');
    assert.equal(said, headsSentences({ view, labels, position: at, layer, favourite: favourite(view.heads), words: zh }).looks);
  }

  test('the last token first; a click and the arrow keys choose another; the layer steps', async () => {
    const widget = await putWidget(page, tag, { text: kitten, layer: '2' });
    await assertShows(widget, kitten, 2, 13);
    await (await inside(widget, '#tokens button:nth-child(7)')).click();
    await settled(page, widget);
    assert.equal(await widget.evaluate((element) => element.getAttribute('position')), '6');
    await assertShows(widget, kitten, 2, 6);
    await page.keyboard.press('ArrowRight');
    await settled(page, widget);
    await assertShows(widget, kitten, 2, 7);
    assert.equal(await widget.evaluate((element) => element.shadowRoot.activeElement.getAttribute('aria-checked')), 'true');
    await change(page, widget, async () => (await inside(widget, '.stepper button:last-child')).click());
    await assertShows(widget, kitten, 3, 7);
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    await assertShows(widget, kitten, 2, 13);
    page.expectNoFaults();
  });

  test('odd texts and attributes', async () => {
    let widget = await putWidget(page, tag, { text: '', layer: '0' });
    assert.ok((await textIn(widget, '.empty')).length > 5);
    for (const text of ['a', '😀👩‍👧', 'שלום עולם', '<script>alert(1)</script>', 'x'.repeat(10_000)]) {
      widget = await putWidget(page, tag, { text, layer: '999', position: '-1' });
      assert.equal(await widget.evaluate((element) => `${element.getAttribute('layer')} ${element.getAttribute('position')}`), '3 0');
      assert.ok((await textIn(widget, '.notes')).length > 5);
      assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('.heads li:not(.axis)').length), 4);
    }
    widget = await putWidget(page, tag, { text: kitten, layer: '1' });
    const exported = await widget.evaluate((element) => ({ table: element.exports().table(), svg: element.exports().svg('light') }));
    const { view } = await viewOf(kitten, 1);
    exported.table.rows.forEach((row, i) => {
      assert.equal(row.length, exported.table.header.length);
      assert.ok(Math.abs(row[2] - view.heads[i].weight) < 1e-7 && Math.abs(row[3] - view.heads[i].norm) < 1e-6);
    });
    assert.ok(!exported.svg.includes('var('));
    page.expectNoFaults();
  });

  test('two of them, one removed while it computes, 320 px, axe-core', async () => {
    await page.evaluate((name) => {
      const make = (layer) => Object.assign(document.createElement(name), { layer });
      const heading = Object.assign(document.createElement('h1'), { textContent: name });
      const gone = make('3');
      document.querySelector('main').replaceChildren(heading, make('0'), make('1'), gone);
      setTimeout(() => gone.remove(), 10);
    }, tag);
    await until(page, 'both are there', () => [...document.querySelectorAll('glassbox-heads')].every((element) => element.result));
    await page.setViewport({ width: 320, height: 700 });
    await until(page, 'no horizontal scroll', () => document.documentElement.scrollWidth <= 320);
    assert.deepEqual(await findBarriers(page), []);
    await page.setViewport({ width: 1280, height: 900 });
    page.expectNoFaults();
  });
});
