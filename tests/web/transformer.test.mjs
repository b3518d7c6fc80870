// glassbox-transformer: every number that it shows is the engine's, at every joint; bad input; phones and both languages.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { formatNumber } from '../../web/draw/number.js';
import { tokenLabels } from '../../web/draw/label.js';
import { strings } from '../../web/i18n/index.js';
import { countParameters, formatSizes, gpt2Sizes, parameterGroups, parseSize, parseSizes, sizesOf } from '../../web/parts/parameters.js';
import { activationOf, askPipeline, geluCurve, joints, layerJoints, momentsOf, neuronsAt, normAt, normInput, normNames, rowAt, streamAt } from '../../web/parts/pipeline.js';
import { mlpSentence, normSentence, still, streamSentence } from '../../web/parts/pipeline-sentences.js';
import { figureFor } from '../../web/site/figures.js';
import { assertShown, change, dist, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-transformer';
const kitten = '小猫没有跳上桌子，因为它太累了。太累的是';
const zh = strings('zh').transformer;
let node;
let config;

before(async () => {
  node = await openNodeEngine();
  ({ config } = await node.load('builtin'));
});

const ask = (text, layer = 0) => askPipeline(node, text, { config, layer });
const near = (a, b, by = 1e-5) => Math.abs(a - b) <= by * Math.max(1, Math.abs(b));

describe('the way through the model', () => {
  test('each joint follows from those before it', async () => {
    for (let layer = 0; layer < config.nLayer; layer++) {
      const { activations, tokens } = await ask(kitten, layer);
      for (let t = 0; t < tokens.length; t++) {
        const at = (name) => rowAt(activations[name], t);
        const of = (joint) => at(activationOf(joint, layer));
        const adds = (a, b, sum) => sum.every((x, i) => near(a[i] + b[i], x));
        assert.ok(adds(at('wte'), at('wpe'), at('h.0.resid_in')), 'embedding + position');
        assert.ok(adds(at(normInput('ln_1', layer, config.nLayer)), of('attn.out'), of('resid_mid')), 'add attention');
        assert.ok(adds(of('resid_mid'), of('mlp.out'), of('resid_out')), 'add the MLP');
        assert.ok(of('mlp.act').every((x, i) => near(geluCurve(of('mlp.pre')[i]), x)), 'points on the GELU curve');
      }
      assert.deepEqual(activations.logits.shape, [tokens.length, config.vocabSize]);
      assert.ok(joints.every((joint) => activations[activationOf(joint, layer)]));
    }
  });

  test('LayerNorm: mean 0 and spread 1 before gain and bias, and the engine’s numbers are a gain and a bias away', async () => {
    for (const norm of normNames) {
      const { activations, tokens } = await ask(kitten, 1);
      const views = tokens.map((_, position) => normAt(activations, { norm, layer: 1, layers: config.nLayer, epsilon: config.layerNormEpsilon, position }));
      for (const { even, before } of views) {
        assert.ok(Math.abs(even.mean) < 1e-9 && Math.abs(even.spread - 1) < 1e-3 && before.spread > 0);
      }
      // after = gain · even + bias with the same gain and bias for every token.
      for (const channel of [0, 5, config.nEmbd - 1]) {
        const points = views.map(({ even, after }) => [even.values[channel], after.values[channel]]).sort((a, b) => a[0] - b[0]);
        const [first, last] = [points[0], points.at(-1)];
        const gain = (last[1] - first[1]) / (last[0] - first[0]);
        for (const [x, y] of points) assert.ok(near(first[1] + gain * (x - first[0]), y, 1e-3), `${norm} ${channel}`);
      }
    }
  });

  test('the stream’s length, what is added, and the neurons', async () => {
    const { activations, tokens, guess } = await ask(kitten, 2);
    const stations = streamAt(activations, config.nLayer, tokens.length - 1);
    assert.equal(stations.length, 1 + 2 * config.nLayer);
    assert.deepEqual(stations.map(({ added }) => added === null), [true, ...Array(2 * config.nLayer).fill(false)]);
    const view = neuronsAt(activations, { layer: 2, position: tokens.length - 1, count: 5 });
    assert.ok(view.top.every(({ act }, i) => !i || act <= view.top[i - 1].act));
    assert.equal(view.top[0].act, Math.max(...view.act));
    assert.equal(view.top[0].along[tokens.length - 1], view.top[0].act);
    assert.equal(view.negative, view.pre.filter((x) => x < 0).length);
    assert.deepEqual(guess.map(({ p }) => p), (await node.next(kitten, { top: 5 })).candidates.map(({ p }) => p));
  });
});

describe('the counter', () => {
  test('GPT-2 from its configuration, exactly; all four sizes', () => {
    assert.deepEqual(gpt2Sizes.map((sizes) => countParameters(sizes).total), [124_439_808, 354_823_168, 774_030_080, 1_557_611_200]);
    const { rows, layer, total } = countParameters(gpt2Sizes[0]);
    assert.equal(layer, 7_087_872);
    assert.equal(rows.reduce((sum, { terms, times, count }) => {
      assert.equal(terms.reduce((all, factors) => all + factors.reduce((a, b) => a * b), 0) * times, count);
      return sum + count;
    }, 0), total);
    assert.ok(near(parameterGroups(countParameters(gpt2Sizes[0])).reduce((sum, { share }) => sum + share, 0), 1));
  });

  test('the built-in model: as many numbers as its file holds', async () => {
    const file = await readFile(join(dist, 'models/builtin/model.safetensors'));
    const header = JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE(0))).toString());
    const count = Object.entries(header).filter(([name]) => name !== '__metadata__' && !name.endsWith('.scale')).reduce((sum, [, { shape }]) => sum + shape.reduce((a, b) => a * b, 1), 0);
    assert.equal(countParameters(sizesOf(config)).total, count);
  });

  test('sizes as readers and attributes write them', () => {
    assert.equal(parseSize('５０，２５７', 'vocabulary'), 50257);
    for (const bad of ['', '0', '-1', '1.5', 'x', '99999999999']) assert.ok(Number.isNaN(parseSize(bad, 'layers')), bad);
    assert.deepEqual(parseSizes('12 768 50257 1024'), { layers: 12, width: 768, vocabulary: 50257, context: 1024, inner: 3072, tied: true });
    for (const bad of [null, '', '12', '12 768 50257', 'a b c d', '1 2 3 4 5']) assert.equal(parseSizes(bad), null, bad);
  });
});

test('first figures, in both themes, with real numbers and no style that a strict policy refuses', async () => {
  for (const attributes of [{}, { view: 'norm', norm: 'ln_f' }, { view: 'mlp', layer: '1', lang: 'en' }, { view: 'parameters' }, { view: 'parameters', sizes: 'model' }]) {
    const markup = await figureFor(tag, attributes, { ...bound(node), load: async () => ({ hash: 'cafe1234', config }) });
    assert.ok(markup.includes('<figure class="first"') && !/NaN|undefined|Infinity|\sstyle=|var\(/.test(markup), JSON.stringify(attributes));
    if (attributes.view === 'parameters' && !attributes.sizes) assert.ok(markup.includes('124,439,808'));
  }
  for (const [bad, message] of [[{ layer: '99' }, /layers 0 to/], [{ view: 'x' }, /view must be/], [{ view: 'parameters', sizes: '1' }, /sizes must be/], [{ position: '99' }, /14 tokens/]]) {
    await assert.rejects(figureFor(tag, bad, { ...bound(node), load: async () => ({ hash: 'cafe1234', config }) }), message);
  }
});

const bound = (engine) => ({ trace: (...x) => engine.trace(...x), next: (...x) => engine.next(...x) });

describe('in the page', () => {
  let browser;
  let site;
  let page;
  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);

  async function assertPipeline(widget, text, layer, position) {
    const { activations, tokens, bytes } = await ask(text, layer);
    const at = position ?? tokens.length - 1;
    const rows = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.tf-joint > button')].map((button) => [button.dataset.joint, button.querySelector('.tf-length').textContent, button.querySelectorAll('svg path').length]));
    assert.deepEqual(rows.map(([joint]) => joint), joints, 'every joint, in order');
    for (const [joint, length, paths] of rows) {
      assertShown(length, momentsOf(rowAt(activations[activationOf(joint, layer)], at)).length, joint);
      assert.ok(paths > 2, `${joint} is drawn`);
    }
    const stations = streamAt(activations, config.nLayer, at);
    assert.equal(await textIn(widget, '#says'), streamSentence(stations, tokenLabels(tokens, bytes)[at], zh));
    const folded = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.tf-open .tf-length')].map((one) => one.textContent));
    assert.equal(folded.length, config.nLayer - 1);
    Array.from({ length: config.nLayer }, (_, i) => i).filter((i) => i !== layer).forEach((i, k) => assertShown(folded[k], stations[2 + 2 * i].length, `layer ${i}`));
  }

  test('every joint with its numbers; layers open, words are chosen, tensors are looked into by mouse and keys', async () => {
    const widget = await putWidget(page, tag, { text: kitten });
    await assertPipeline(widget, kitten, 0);
    await change(page, widget, async () => (await inside(widget, '.tf-open[data-layer="2"]')).click());
    assert.equal(await attribute(widget, 'layer'), '2');
    await assertPipeline(widget, kitten, 2);
    await (await inside(widget, '#tokens button:nth-child(7)')).click();
    await settled(page, widget);
    await assertPipeline(widget, kitten, 2, 6);
    const { activations } = await ask(kitten, 2);
    for (const joint of ['wpe', 'mlp.act', 'logits']) {
      await (await inside(widget, `[data-joint="${joint}"]`)).click();
      await settled(page, widget);
      assert.equal(await attribute(widget, 'joint'), joint);
      await (await inside(widget, '#tensor .picture')).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      await settled(page, widget);
      const { data, shape } = activations[activationOf(joint, 2)];
      const said = await textIn(widget, '#number');
      // The first key press begins at the first cell or moves on from it.
      const { row, column } = /「没有」的第 (\d+) 个数/.exec(said) ? { row: 1, column: Number(/第 (\d+) 个数/.exec(said)[1]) } : {};
      assert.ok(said.includes(`：${formatNumber(data[row * shape[1] + column])}`), said);
    }
    await (await inside(widget, '[data-joint="logits"]')).click();
    await settled(page, widget);
    assert.equal(await attribute(widget, 'joint'), null);
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    await assertPipeline(widget, kitten, 0);
    page.expectNoFaults();
  });

  test('LayerNorm before and after, each of the three, for every word', async () => {
    const widget = await putWidget(page, tag, { text: kitten, view: 'norm', layer: '1' });
    const { activations, tokens } = await ask(kitten, 1);
    for (const [i, norm] of normNames.entries()) {
      await (await inside(widget, `[aria-labelledby="norm"] label:nth-child(${i + 1}) input`)).click();
      await settled(page, widget);
      const view = normAt(activations, { norm, layer: 1, layers: config.nLayer, epsilon: config.layerNormEpsilon, position: tokens.length - 1 });
      assert.equal(await textIn(widget, '#says'), normSentence(view, zh));
      const moments = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.tf-moments')].map((one) => one.textContent));
      ['before', 'even', 'after'].forEach((part, k) => assert.equal(moments[k], zh.moments(still(view[part].mean), formatNumber(view[part].spread))));
      const table = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('#every tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim())));
      assert.equal(table.length, tokens.length);
      table.forEach((row, t) => {
        const [was, now] = [momentsOf(rowAt(activations[normInput(norm, 1, config.nLayer)], t)), momentsOf(rowAt(activations[activationOf(norm, 1)], t))];
        [was.mean, was.spread, now.mean, now.spread].forEach((x, k) => assertShown(row[k], x, `${norm} ${t}`));
      });
    }
    page.expectNoFaults();
  });

  test('the GELU curve with every neuron, and the brightest of a word', async () => {
    const widget = await putWidget(page, tag, { text: kitten, view: 'mlp' });
    const { activations, tokens } = await ask(kitten, 0);
    const view = neuronsAt(activations, { layer: 0, position: tokens.length - 1 });
    const read = () => widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.tf-neurons button')].map((one) => [one.querySelector('span').textContent, one.querySelector('b').textContent, one.getAttribute('aria-pressed')]));
    const rows = await read();
    rows.forEach(([name, act], i) => {
      assert.equal(name, zh.neuron(view.top[i].neuron));
      assertShown(act, view.top[i].act, name);
    });
    assert.equal(await textIn(widget, '#says'), mlpSentence(view, { token: '的是', layer: 0 }, zh));
    await (await inside(widget, '.tf-neurons li:nth-child(3) button')).click();
    await settled(page, widget);
    assert.equal(await attribute(widget, 'neuron'), String(view.top[2].neuron));
    assert.ok((await textIn(widget, '#number')).includes(zh.neuron(view.top[2].neuron)));
    // A click on the curve takes the neuron that is nearest.
    await (await inside(widget, '#curve')).click();
    await settled(page, widget);
    const chosen = Number(await attribute(widget, 'neuron'));
    assert.ok((await textIn(widget, '#number')).includes(`进来 ${formatNumber(view.pre[chosen])}，出去 ${formatNumber(view.act[chosen])}`));
    page.expectNoFaults();
  });

  test('the counter: GPT-2’s 124,439,808, other sizes, the reader’s own, and nonsense', async () => {
    const widget = await putWidget(page, tag, { view: 'parameters' });
    assert.ok((await textIn(widget, '#total')).includes('124,439,808'));
    const total = () => textIn(widget, '#total b');
    for (const [i, sizes] of gpt2Sizes.entries()) {
      await (await inside(widget, `.tf-presets button:nth-child(${i + 1})`)).click();
      await settled(page, widget);
      assertShown(await total(), countParameters(sizes).total);
      assert.equal(await attribute(widget, 'sizes'), formatSizes(sizes));
    }
    await (await inside(widget, '.tf-presets button:last-child')).click();
    await settled(page, widget);
    assertShown(await total(), countParameters(sizesOf(config)).total);
    const type = async (id, text) => {
      await (await inside(widget, `#${id}`)).click({ clickCount: 3 });
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await settled(page, widget);
    };
    await widget.evaluate((element) => element.reset());
    await settled(page, widget);
    await type('width', '1536');
    assertShown(await total(), countParameters(parseSizes('12 1536 50257 1024')).total);
    await type('width', 'wide');
    assert.ok((await textIn(widget, '[role="alert"]')).includes('1 到'));
    assertShown(await total(), countParameters(parseSizes('12 1536 50257 1024')).total);
    const odd = await putWidget(page, tag, { view: 'parameters', sizes: 'none' });
    assert.ok((await textIn(odd, '.tf-bad')).length > 5);
    page.expectNoFaults();
  });

  test('odd texts and attributes', async () => {
    let widget = await putWidget(page, tag, { text: '' });
    assert.equal(await textIn(widget, '.empty'), zh.empty);
    for (const text of ['a', '😀👩‍👧', '<b>x</b>\u202e', '小猫没有跳上桌子。'.repeat(1112).slice(0, 10_000)]) {
      for (const view of ['pipeline', 'norm', 'mlp']) {
        widget = await putWidget(page, tag, { text, view, layer: '99', position: '-1', joint: view === 'pipeline' ? 'mlp.pre' : 'x', neuron: '99999' });
        assert.equal(await widget.evaluate((element) => element.timesFailed ?? 0), 0);
        assert.equal(await attribute(widget, 'layer'), String(config.nLayer - 1));
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), text.slice(0, 20));
      }
    }
    assert.ok((await textIn(widget, '.notes')).includes('最早的'));
    page.expectNoFaults();
  });

  test('what it exports holds the numbers in full', async () => {
    const { activations, tokens } = await ask(kitten, 0);
    const at = tokens.length - 1;
    for (const view of ['pipeline', 'norm', 'mlp', 'parameters']) {
      const widget = await putWidget(page, tag, { text: kitten, view });
      const { svg, table } = await widget.evaluate((element) => ({ svg: element.exports().svg('dark'), table: element.exports().table() }));
      assert.ok(svg.startsWith('<svg') && !/NaN|undefined|var\(/.test(svg), view);
      if (view === 'pipeline') assert.deepEqual(table.rows.filter(([name]) => name === 'h.0.resid_mid').map((row) => row[3]), [...rowAt(activations['h.0.resid_mid'], at)]);
      if (view === 'norm') assert.deepEqual(table.rows.filter(([step]) => step === table.rows.at(-1)[0]).map((row) => row[2]), [...rowAt(activations['h.0.ln_1'], at)]);
      if (view === 'mlp') assert.deepEqual(table.rows.map((row) => row[2]), [...rowAt(activations['h.0.mlp.act'], at)]);
      if (view === 'parameters') assert.equal(table.rows.at(-1).at(-1), 124_439_808);
    }
    page.expectNoFaults();
  });

  test('by finger on a narrow phone, in both languages and themes, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme, view] of [['zh', 'light', 'pipeline'], ['en', 'dark', 'norm'], ['zh', 'dark', 'mlp'], ['en', 'light', 'parameters']]) {
      const widget = await putWidget(phone, tag, { lang, theme, view });
      if (view === 'pipeline') {
        await (await inside(widget, '[data-joint="mlp.out"]')).tap();
        await settled(phone, widget);
        await (await inside(widget, '#tensor .picture')).tap();
        await settled(phone, widget);
        assert.ok((await textIn(widget, '#number b')).length > 5);
      }
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), view);
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), [], view);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});

test('the names of layers’ joints are the engine’s', async () => {
  const { activations } = await node.trace('a', { names: layerJoints.map((joint) => activationOf(joint, 0)) });
  assert.equal(Object.keys(activations).length, layerJoints.length);
});
