// glassbox-attention in a real browser: all heads, two texts, the next token, joined words, arcs, weight × value, many tokens.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { weightRgb } from '../../web/draw/color.js';
import { tokenLabels } from '../../web/draw/label.js';
import { mergeWeights, tokenUnits } from '../../web/draw/units.js';
import { strings } from '../../web/i18n/index.js';
import { compareRows, entropyOf, rowDifference } from '../../web/parts/rows.js';
import { headRow, largestAt } from '../../web/parts/measure.js';
import { assertGrid, assertShown, change, dist, emptyPage, findBarriers, inside, openBrowser, openNodeEngine, openPage, openSite, putWidget, readGrid, readNumber, settled, textIn, traceHead, until, usePage } from './browser.mjs';

const tag = 'glassbox-attention';
const zh = strings('zh');
const { pair } = zh.attention;

let browser;
let site;
let node;
let config;
let page;

before(async () => {
  [browser, site, node] = await Promise.all([openBrowser(), openSite(), openNodeEngine()]);
  ({ config } = await node.load('builtin'));
});
after(async () => {
  await browser?.close();
  await site?.close();
});

const pageFor = (options) =>
  usePage(() => openPage(browser, site, emptyPage, options), (opened) => (page = opened));

const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);
const updated = (widget) => widget.evaluate((element) => element.updateComplete);
const click = async (widget, selector) => {
  await (await inside(widget, selector)).click();
  await updated(widget);
};
const texts = (widget, selector) => widget.evaluate((element, wanted) => [...element.shadowRoot.querySelectorAll(wanted)].map((one) => one.textContent.replace(/\s+/g, ' ').trim()), selector);
const turn = (widget, name) => widget.evaluate((element, wanted) => [...element.shadowRoot.querySelectorAll('.switches label')].find((label) => label.textContent.trim() === wanted).querySelector('input').click(), name).then(() => updated(widget));

/** Weights of all layers by the engine in Node → { tokens, labels, layers: L × {shape, data} }. */
async function traceAll(text) {
  const names = Array.from({ length: config.nLayer }, (_, layer) => `h.${layer}.attn.weights`);
  const { tokens, bytes, activations } = await node.trace(text, { names });
  return { tokens, bytes, labels: tokenLabels(tokens, bytes), layers: names.map((name) => activations[name]) };
}

const everyHead = () => Array.from({ length: config.nLayer * config.nHead }, (_, i) => ({ layer: Math.floor(i / config.nHead), head: i % config.nHead }));
const rowOf = ({ layers }, { layer, head }, row) => headRow(layers[layer], head, row).subarray(0, row + 1);

describe('all heads', () => {
  pageFor();

  test('each has its picture in the colours of its weights, and what the last row looks at most', async () => {
    const traced = await traceAll(pair.text);
    const size = traced.tokens.length;
    const widget = await putWidget(page, tag, { text: pair.text });
    assert.deepEqual(await texts(widget, '.thumb .most'), everyHead().map((place) => traced.labels[largestAt(rowOf(traced, place, size - 1))]));
    await until(page, 'all are painted', (element) => [...element.shadowRoot.querySelectorAll('.thumb canvas')].every((canvas) => canvas.stamp), widget);
    const pictures = await widget.evaluate((element, n) => [...element.shadowRoot.querySelectorAll('.thumb canvas')].map((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const at = (i) => Math.floor(((i + 0.5) * canvas.width) / n);
      return Array.from({ length: n * n }, (_, i) => [...data.slice((at(Math.floor(i / n)) * canvas.width + at(i % n)) * 4).slice(0, 4)]);
    }), size);
    assert.equal(pictures.length, config.nLayer * config.nHead);
    everyHead().forEach((place, i) => {
      for (let row = 0; row < size; row++) {
        const weights = rowOf(traced, place, row);
        for (let column = 0; column < size; column++) {
          const color = pictures[i][row * size + column];
          if (column > row) assert.equal(color[3], 0);
          else weightRgb(weights[column], 'light').forEach((part, n) => assert.ok(Math.abs(part - color[n]) <= 4, `head ${i}, ${row},${column}`));
        }
      }
    });
    page.expectNoFaults();
  });

  test('a click and the arrow keys choose layer and head; the chosen row is told of', async () => {
    const traced = await traceAll(pair.text);
    const widget = await putWidget(page, tag, { text: pair.text, cell: '6,0' });
    assert.deepEqual(await texts(widget, '.thumb .most'), everyHead().map((place) => traced.labels[largestAt(rowOf(traced, place, 6))]));
    const chosen = () => widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.thumb')].findIndex((one) => one.getAttribute('aria-checked') === 'true'));
    await change(page, widget, async () => (await inside(widget, `.thumb[aria-label^="${zh.attention.thumb(2, 1, '', '', '').slice(0, 9)}"]`)).click());
    assert.deepEqual([await attribute(widget, 'layer'), await attribute(widget, 'head'), await chosen()], ['2', '1', 2 * config.nHead + 1]);
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('.thumb[tabindex="0"]').length), 1);
    await (await inside(widget, '.thumb[tabindex="0"]')).focus();
    await change(page, widget, () => page.keyboard.press('ArrowRight'));
    await change(page, widget, () => page.keyboard.press('ArrowUp'));
    assert.deepEqual([await attribute(widget, 'layer'), await attribute(widget, 'head')], ['1', '2']);
    await until(page, 'the focus goes along', (element) => element.shadowRoot.activeElement?.getAttribute('aria-checked') === 'true', widget);
    const { weights } = await traceHead(node, pair.text, 1, 2);
    assertGrid(await readGrid(widget), weights);
    page.expectNoFaults();
  });

  test('they can be put in order: by the chosen cell, by entropy, by what differs', async () => {
    const [a, b] = [await traceAll(pair.text), await traceAll(pair.textB)];
    const row = a.tokens.length - 1;
    const widget = await putWidget(page, tag, { text: pair.text, 'text-b': pair.textB, cell: `${row},0` });
    const by = {
      cell: (place) => -rowOf(a, place, row)[0],
      entropy: (place) => entropyOf(rowOf(a, place, row)),
      difference: (place) => -rowDifference(rowOf(a, place, row), rowOf(b, place, row)),
    };
    for (const [name, value] of Object.entries(by)) {
      await (await inside(widget, '.sort select')).select(name);
      await until(page, `sorted by ${name}`, (element, wanted) => element.getAttribute('sort') === wanted, widget, name);
      await updated(widget);
      const order = everyHead().sort((x, y) => value(x) - value(y) || x.layer - y.layer || x.head - y.head);
      assert.deepEqual(await texts(widget, '.thumb .most small'), order.map(({ layer, head }) => `${layer}.${head}`));
      const notes = await texts(widget, '.thumb .note');
      if (name === 'entropy') notes.forEach((note, i) => assertShown(note, value(order[i])));
    }
    await (await inside(widget, '.sort select')).select('place');
    await until(page, 'back in place', (element) => element.getAttribute('sort') === null, widget);
    const one = await putWidget(page, tag, { text: pair.text, sort: 'difference' });
    assert.deepEqual(await texts(one, '.sort option'), [zh.attention.sorts.place, zh.attention.sorts.entropy], 'one text, no cell: nothing to compare');
    page.expectNoFaults();
  });
});

describe('two texts', () => {
  pageFor();

  test('the pair shows both grids, says which rows are the same to the bit, and where they part', async () => {
    const widget = await putWidget(page, tag, { text: 'x', layer: '2' });
    const button = await widget.evaluateHandle((element, label) => [...element.shadowRoot.querySelectorAll('.prompts button')].find((one) => one.textContent === label), pair.label);
    await change(page, widget, () => button.click());
    assert.deepEqual([await attribute(widget, 'text'), await attribute(widget, 'text-b')], [pair.text, pair.textB]);
    const [a, b] = [await traceHead(node, pair.text, 2, 0), await traceHead(node, pair.textB, 2, 0)];
    assertGrid(await readGrid(widget, '#grid'), a.weights);
    assertGrid(await readGrid(widget, '#grid-b'), b.weights);
    const size = a.tokens.length;
    const rows = compareRows({ weights: a.weights, size }, { weights: b.weights, size });
    assert.deepEqual(await texts(widget, '.one:first-child .row-mark'), rows.map(({ same }) => (same ? '=' : '≠')));
    const it = a.tokens.indexOf('它');
    const odd = a.tokens.findIndex((token, i) => token !== b.tokens[i]);
    rows.forEach(({ same }, row) => row < odd && assert.ok(same, `row ${row} comes before the texts differ`));
    assert.ok(it < odd && rows[it].same && !rows[size - 1].same);
    await (await inside(widget, `#grid-b td[data-row="${it}"][data-column="0"]`)).click();
    await updated(widget);
    assert.equal(await textIn(widget, '.says .about'), zh.attention.rowSame('它'));
    assert.deepEqual([await attribute(widget, 'cell'), await attribute(widget, 'side')], [`${it},0`, 'b']);
    assert.ok((await textIn(widget, '#calc .where')).startsWith(zh.attention.secondText));
    await (await inside(widget, `#grid td[data-row="${size - 1}"][data-column="0"]`)).click();
    await updated(widget);
    assert.equal(await attribute(widget, 'side'), null);
    assert.ok((await textIn(widget, '.says .about')).includes(zh.attention.rowChanged(a.tokens[size - 1], '').slice(0, 8)));
    page.expectNoFaults();
  });

  test('one of the two can be shown alone, and a second text taken away', async () => {
    const widget = await putWidget(page, tag, { text: pair.text, 'text-b': pair.textB, layer: '2' });
    await turn(widget, zh.attention.showSecond);
    const { weights } = await traceHead(node, pair.textB, 2, 0);
    assert.equal(await readGrid(widget, '#grid'), null);
    assertGrid(await readGrid(widget, '#grid-b'), weights);
    assert.equal(await attribute(widget, 'show'), 'b');
    await turn(widget, zh.attention.showBoth);
    assert.ok(await readGrid(widget, '#grid'));
    await turn(widget, zh.attention.compare);
    await settled(page, widget);
    assert.equal(await attribute(widget, 'text-b'), null);
    assert.equal(await readGrid(widget, '#grid-b'), null);
    await change(page, widget, () => turn(widget, zh.attention.compare));
    assert.equal(await attribute(widget, 'text-b'), pair.textB, 'the other one of the pair');
    page.expectNoFaults();
  });

  test('texts of different lengths, an empty second one, the same one twice', async () => {
    const widget = await putWidget(page, tag, { text: 'Thank you very much', 'text-b': 'Thank you', cell: '3,1' });
    const [a, b] = [await traceHead(node, 'Thank you very much'), await traceHead(node, 'Thank you')];
    assertGrid(await readGrid(widget, '#grid'), a.weights);
    assertGrid(await readGrid(widget, '#grid-b'), b.weights);
    assert.deepEqual(await texts(widget, '.one:first-child .row-mark'), b.tokens.map(() => '='));
    await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text-b', 'Thank you very much')));
    assert.ok((await textIn(widget, '.says')).includes(zh.attention.sameRows('', true)));
    await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text-b', '')));
    assert.equal(await readGrid(widget, '#grid-b'), null);
    assertGrid(await readGrid(widget, '#grid'), a.weights);
    await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text', '')));
    assert.equal(await textIn(widget, '.fig-body'), zh.attention.empty);
    page.expectNoFaults();
  });

  test('copied attributes show the same view', async () => {
    const given = { text: pair.text, 'text-b': pair.textB, layer: '2', head: '1', cell: '13,3', side: 'b', view: 'arcs', sort: 'difference', merge: 'words' };
    const widget = await putWidget(page, tag, given);
    for (const [name, value] of Object.entries(given)) assert.equal(await attribute(widget, name), value, name);
    assert.ok((await textIn(widget, '#calc .where')).startsWith(zh.attention.secondText));
    page.expectNoFaults();
  });
});

describe('the next token', () => {
  pageFor();

  test('its candidates have their probability over the whole vocabulary, and a click appends one', async () => {
    const widget = await putWidget(page, tag, { text: 'Thank you very' });
    const { candidates } = await node.next('Thank you very', { top: 6 });
    const shown = await texts(widget, '.guess button');
    assert.equal(shown.length, 6);
    candidates.forEach(({ token, p }, i) => {
      assert.ok(shown[i].startsWith(tokenLabels([token])[0]), shown[i]);
      if (p > 0.001 && p < 0.999) assertShown(/([\d.]+)%$/.exec(shown[i])[1], p * 100);
    });
    assert.ok((await textIn(widget, '.guess .rest')).includes(zh.attention.rest(config.vocabSize - 6)));
    await change(page, widget, async () => (await inside(widget, '.guess button')).click());
    assert.equal(await attribute(widget, 'text'), `Thank you very${candidates[0].token}`);
    const { weights } = await traceHead(node, `Thank you very${candidates[0].token}`);
    assertGrid(await readGrid(widget), weights);
    page.expectNoFaults();
  });
});

describe('the calculation', () => {
  pageFor();

  test('the products by size: the same ones with another running sum and the same end', async () => {
    const widget = await putWidget(page, tag, { text: pair.text, cell: '8,2' });
    const read = () => widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('#calc details')][0].querySelectorAll('tbody tr').length && [...[...element.shadowRoot.querySelectorAll('#calc details')][0].querySelectorAll('tbody tr')].map((line) => [...line.children].map((cell) => cell.textContent.trim())));
    const inOrder = await read();
    await widget.evaluate((element) => element.shadowRoot.querySelectorAll('[name="term-order"]')[1].click());
    await updated(widget);
    const bySize = await read();
    assert.deepEqual(bySize.map(([index]) => Number(index)).sort((a, b) => a - b), inOrder.map(([index]) => Number(index)));
    let sum = 0;
    bySize.forEach(([index, , , product, running], i) => {
      assert.deepEqual(bySize[i].slice(0, 4), inOrder[Number(index) - 1].slice(0, 4));
      if (i) assert.ok(Math.abs(readNumber(product)) <= Math.abs(readNumber(bySize[i - 1][3])));
      sum += readNumber(product);
      assertShown(running, sum, 'running sum', 0.51);
    });
    assert.equal(bySize.at(-1)[4], inOrder.at(-1)[4]);
    page.expectNoFaults();
  });

  test('weight × value adds up to the engine\'s z in every layer', async () => {
    for (let layer = 0; layer < config.nLayer; layer += 1) {
      const [row, column, head] = [9, 4, layer % config.nHead];
      const widget = await putWidget(page, tag, { text: pair.text, cell: `${row},${column}`, layer: String(layer), head: String(head) });
      const { activations } = await node.trace(pair.text, { names: ['v', 'z', 'weights'].map((name) => `h.${layer}.attn.${name}`) });
      const of = (name, at) => headRow(activations[`h.${layer}.attn.${name}`], head, at);
      const lines = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.value-sum tbody tr')].map((line) => [...line.children].map((cell) => cell.textContent.trim())));
      assert.equal(lines.length, config.nEmbd / config.nHead);
      lines.forEach(([, share, rest, z], i) => {
        assertShown(z, of('z', row)[i], `z ${i}`);
        assertShown(share, of('weights', row)[column] * of('v', column)[i], `share ${i}`);
        assertShown(z, readNumber(share) + readNumber(rest), `sum ${i}`);
      });
      assert.equal((await texts(widget, '.strips .chosen')).length, 1);
    }
    page.expectNoFaults();
  });
});

describe('words and parts of characters', () => {
  pageFor();
  const odd = '我爱龘字😀和 sofas wonderfully';

  test('tokens are joined to characters and words, and rows still add up to 1', async () => {
    const { tokens, bytes, weights } = await traceHead(node, odd, 1, 0);
    const units = tokenUnits(bytes.map((one) => Array.from(one)));
    assert.ok(units.length < tokens.length && units.some(({ text }) => text === '龘') && units.some(({ text }) => text === '😀') && units.some(({ text }) => text === ' wonderfully'));
    const merged = mergeWeights(weights, tokens.length, units);
    for (let row = 0; row < units.length; row++) assert.ok(Math.abs(merged.subarray(row * units.length, (row + 1) * units.length).reduce((sum, w) => sum + w, 0) - 1) < 1e-5);
    const widget = await putWidget(page, tag, { text: odd, layer: '1' });
    await turn(widget, zh.attention.merge);
    assert.equal(await attribute(widget, 'merge'), 'words');
    const grid = await readGrid(widget);
    assert.deepEqual(grid.labels, units.map(({ text }) => tokenLabels([text])[0]));
    assertGrid(grid, merged);
    const [row, column] = [units.findIndex(({ text }) => text === '😀'), units.findIndex(({ text }) => text === '龘')];
    await (await inside(widget, `td[data-row="${row}"][data-column="${column}"]`)).click();
    await updated(widget);
    assert.equal((await attribute(widget, 'cell')).split(',')[0], String(units[row].end - 1), 'the last token of the row');
    assert.equal((await texts(widget, '.unit button')).length, units[column].end - units[column].start);
    await click(widget, '.unit button:first-of-type');
    assert.equal(await attribute(widget, 'cell'), `${units[row].end - 1},${units[column].start}`);
    page.expectNoFaults();
  });

  test('parts of a character are slices of it, never a replacement sign', async () => {
    const widget = await putWidget(page, tag, { text: odd, layer: '1' });
    const slices = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('#grid tbody .slice')].map((one) => [one.dataset.glyph, Number(one.style.getPropertyValue('--from')), Number(one.style.getPropertyValue('--to'))]));
    assert.deepEqual(slices.map(([glyph]) => glyph), ['龘', '龘', '😀', '😀', '😀', '😀']);
    for (const glyph of ['龘', '😀']) {
      const parts = slices.filter(([name]) => name === glyph);
      assert.equal(parts[0][1], 0);
      assert.equal(parts.at(-1)[2], 1);
      parts.slice(1).forEach(([, from], i) => assert.equal(from, parts[i][2], 'they join'));
    }
    assert.ok(!(await widget.evaluate((element) => element.shadowRoot.textContent)).includes('\ufffd'));
    page.expectNoFaults();
  });
});

describe('arcs', () => {
  pageFor();

  test('one row at a time; keys change the query, Enter opens the calculation', async () => {
    const { tokens, weights } = await traceHead(node, pair.text, 2, 0);
    const size = tokens.length;
    const widget = await putWidget(page, tag, { text: pair.text, layer: '2' });
    await turn(widget, zh.attention.asArcs);
    assert.equal(await attribute(widget, 'view'), 'arcs');
    assert.equal(await readGrid(widget), null);
    assert.deepEqual(await texts(widget, '.arcs .word'), tokens);
    const rowNow = (row) => Array.from(weights.slice(row * size, row * size + row + 1));
    const told = async (row) => {
      const values = await texts(widget, '.arcs svg text');
      const large = rowNow(row).filter((w) => w >= 0.05).sort((a, b) => a - b);
      assert.equal(values.length, large.length);
      values.forEach((value, i) => assertShown(value, large[i]));
      assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('.arcs path').length), rowNow(row).filter((w) => w > 0.0005).length);
    };
    await told(size - 1);
    await (await inside(widget, '.arcs [tabindex="0"]')).focus();
    await page.keyboard.press('ArrowLeft');
    await until(page, 'the word before asks', (element, wanted) => element.shadowRoot.activeElement?.dataset.word === wanted, widget, String(size - 2));
    await told(size - 2);
    await page.keyboard.press('Home');
    await until(page, 'the first word asks', (element) => element.shadowRoot.activeElement?.dataset.word === '0', widget);
    await told(0);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await until(page, 'the calculation', (element) => element.shadowRoot.querySelector('#calc'), widget);
    assert.equal(await attribute(widget, 'cell'), `${size - 1},${largestAt(rowNow(size - 1))}`);
    await page.keyboard.press('Escape');
    await until(page, 'it closes', (element) => !element.shadowRoot.querySelector('#calc'), widget);
    await (await inside(widget, '.arcs [data-word="1"]')).hover();
    await until(page, 'the value of the key', (element, what) => element.shadowRoot.querySelector('.peek .what')?.textContent === what, widget, zh.attention.looks(tokens[size - 1], tokens[1]));
    assertShown(await textIn(widget, '.peek .value'), rowNow(size - 1)[1]);
    page.expectNoFaults();
  });
});

describe('on a phone', () => {
  pageFor({ width: 320, height: 700, touch: true });

  test('nothing is wider than the screen, and no barriers are found', async () => {
    for (const given of [{ text: pair.text, layer: '2', cell: '13,0' }, { text: pair.text, 'text-b': pair.textB, layer: '2' }, { text: pair.text, 'text-b': pair.textB, view: 'arcs' }, { text: '我爱龘字😀和 sofas', merge: 'words', sort: 'entropy' }]) {
      const widget = await putWidget(page, tag, given);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, JSON.stringify(given));
      assert.deepEqual((await findBarriers(page)).filter((line) => line.includes(tag)), []);
      await widget.evaluate((element) => element.remove());
    }
    page.expectNoFaults();
  });

  test('a tap on a small picture chooses a head', async () => {
    const widget = await putWidget(page, tag, { text: pair.text });
    await change(page, widget, async () => (await widget.evaluateHandle((element) => element.shadowRoot.querySelectorAll('.thumb')[5])).asElement().tap());
    assert.deepEqual([await attribute(widget, 'layer'), await attribute(widget, 'head')], ['1', '1']);
    page.expectNoFaults();
  });
});

describe('a model with a context of 256', () => {
  /** A GPT-2 checkpoint with small pseudo-random weights. → bytes */
  function makeCheckpoint({ vocab, width, context, layers }) {
    const block = (l) => [
      [`h.${l}.ln_1.weight`, [width], 1], [`h.${l}.ln_1.bias`, [width], 0],
      [`h.${l}.attn.c_attn.weight`, [width, 3 * width]], [`h.${l}.attn.c_attn.bias`, [3 * width], 0],
      [`h.${l}.attn.c_proj.weight`, [width, width]], [`h.${l}.attn.c_proj.bias`, [width], 0],
      [`h.${l}.ln_2.weight`, [width], 1], [`h.${l}.ln_2.bias`, [width], 0],
      [`h.${l}.mlp.c_fc.weight`, [width, 4 * width]], [`h.${l}.mlp.c_fc.bias`, [4 * width], 0],
      [`h.${l}.mlp.c_proj.weight`, [4 * width, width]], [`h.${l}.mlp.c_proj.bias`, [width], 0],
    ];
    const tensors = [['wte.weight', [vocab, width]], ['wpe.weight', [context, width]], ...Array.from({ length: layers }, (_, l) => block(l)).flat(), ['ln_f.weight', [width], 1], ['ln_f.bias', [width], 0]];
    const header = {};
    let offset = 0;
    for (const [name, shape] of tensors) {
      const bytes = 4 * shape.reduce((a, b) => a * b);
      header[name] = { dtype: 'F32', shape, data_offsets: [offset, offset + bytes] };
      offset += bytes;
    }
    const data = new Float32Array(offset / 4);
    let state = 7;
    let at = 0;
    for (const [, shape, constant] of tensors) {
      for (let i = shape.reduce((a, b) => a * b); i > 0; i--) {
        state = (state * 48271) % 2147483647;
        data[at++] = constant ?? (state / 2147483647 - 0.5) * 0.4;
      }
    }
    const json = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(json.length));
    return Buffer.concat([length, json, Buffer.from(data.buffer)]);
  }

  /** Serves such a model under `name` while `act` runs on a page of its own. */
  async function withModel(name, { layers, heads, width }, act) {
    const folder = join(dist, 'models/builtin');
    const checkpoint = makeCheckpoint({ vocab: config.vocabSize, width, context: 256, layers });
    const sizes = { model_type: 'gpt2', activation_function: 'gelu_new', n_layer: layers, n_head: heads, n_embd: width, n_positions: 256, n_ctx: 256, vocab_size: config.vocabSize, layer_norm_epsilon: 1e-5 };
    const files = {
      'model.safetensors': checkpoint,
      'config.json': Buffer.from(JSON.stringify(sizes)),
      'vocab.json': await readFile(join(folder, 'vocab.json')),
      'merges.txt': await readFile(join(folder, 'merges.txt')),
    };
    const manifest = { files: Object.fromEntries(Object.entries(files).map(([file, body]) => [file, body.length])), hash: createHash('sha256').update(checkpoint).digest('hex').slice(0, 8) };
    for (const [file, body] of Object.entries(files)) site.overrides.set(`models/${name}/${file}`, { body });
    site.overrides.set(`models/${name}/manifest.json`, { type: 'application/json', body: JSON.stringify(manifest) });
    page = await openPage(browser, site, emptyPage);
    try {
      await act();
      page.expectNoFaults();
    } finally {
      for (const file of [...Object.keys(files), 'manifest.json']) site.overrides.delete(`models/${name}/${file}`);
      await page.dispose();
    }
  }

  test('256 tokens are drawn without an element a cell', () =>
    withModel('wide', { layers: 1, heads: 2, width: 32 }, async () => {
      const widget = await putWidget(page, tag, { model: 'wide', text: pair.text.repeat(30), cell: '255,100' });
      assert.equal(await widget.evaluate((element) => element.result?.size), 256, await textIn(widget, '.err'));
      assert.equal(await readGrid(widget), null);
      const elements = await widget.evaluate((element) => element.shadowRoot.querySelectorAll('*').length);
      assert.ok(elements < 3000, `${elements} elements`);
      const weight = await widget.evaluate((element) => element.result.grid[255 * 256 + 100]);
      assertShown(await textIn(widget, '#calc .big'), weight);
      const painted = await widget.evaluate((element) => {
        const canvas = element.shadowRoot.querySelector('.picture canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return [data[3], data[(canvas.width - 1) * 4 + 3], data[((canvas.height - 1) * canvas.width) * 4 + 3]];
      });
      assert.deepEqual(painted, [255, 0, 255], 'the first cell, the masked corner, the last row');
      await turn(widget, zh.attention.asArcs);
      assert.equal((await texts(widget, '.arcs .word')).length, 256);
    }));

  test('where all heads would be too many numbers, those of the shown layer are there', () =>
    withModel('deep', { layers: 12, heads: 12, width: 48 }, async () => {
      const widget = await putWidget(page, tag, { model: 'deep', text: pair.text.repeat(30), layer: '3', head: '7' });
      const shown = () => widget.evaluate((element) => ({ thumbs: element.shadowRoot.querySelectorAll('.thumb').length, title: element.shadowRoot.querySelector('#atlas-title').textContent, size: element.result.size, layer: element.result.layer }));
      assert.deepEqual(await shown(), { thumbs: 12, title: zh.attention.atlasOne(3, 12), size: 256, layer: 3 });
      await change(page, widget, () => widget.evaluate((element) => element.setAttribute('layer', '4')));
      assert.deepEqual(await shown(), { thumbs: 12, title: zh.attention.atlasOne(4, 12), size: 256, layer: 4 });
      await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text', 'Thank you')));
      assert.equal((await shown()).thumbs, 144);
    }));
});
