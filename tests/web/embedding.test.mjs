// glassbox-embedding: rows of the embedding table, their neighbours, the map and the table of cosines, against the engine in Node.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatCosine } from '../../web/draw/cosine.js';
import { embeddingFigure } from '../../web/draw/embedding-figure.js';
import { bytesLabel } from '../../web/draw/label.js';
import { formatPercent } from '../../web/draw/number.js';
import { fitPoints, placeLabels } from '../../web/draw/scatter.js';
import { strings } from '../../web/i18n/index.js';
import { idsOf, mostWords, parseWords } from '../../web/parts/words.js';
import { askWords, rowOf } from '../../web/parts/word-vectors.js';
import { figureFor } from '../../web/site/figures.js';
import { assertShown, change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, readGrid, readNumber, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-embedding';
const zh = strings('zh').embedding;
const words = '小猫 小狗 桌子 沙发 cat table';
let node;
let config;

before(async () => {
  node = await openNodeEngine();
  ({ config } = await node.load('builtin'));
});

const cosine = (a, b) => {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return dot / Math.sqrt(aa * bb);
};

describe('without a browser', () => {
  test('words are parted by blanks and commas of all kinds, each once, a hundred at most', () => {
    assert.deepEqual(parseWords(' a, b，c、d；e;f\n g\ta '), { words: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], left: 0 });
    assert.deepEqual(parseWords(' ,、\n'), { words: [], left: 0 });
    const { words: kept, left } = parseWords(Array.from({ length: mostWords + 7 }, (_, i) => `w${i}`).join(' '));
    assert.deepEqual([kept.length, left], [mostWords, 7]);
  });

  test('an English word is looked up with the blank before it, a number as the token itself', async () => {
    const ask = (word) => idsOf(node, word, { vocabSize: config.vocabSize });
    assert.deepEqual(await ask('cat'), Array.from((await node.tokenize(' cat')).ids));
    assert.deepEqual(await ask('小猫'), Array.from((await node.tokenize('小猫')).ids));
    assert.deepEqual(await ask('#7'), [7]);
    assert.equal(await ask(`#${config.vocabSize}`), null);
  });

  test('cosines, neighbours and the map are what the rows give', async () => {
    const found = await askWords(node, words, { neighbours: 5 });
    const n = found.words.length;
    const rows = found.words.map((_, i) => rowOf(found.vectors, i));
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) assert.ok(Math.abs(found.cosines.data[i * n + j] - cosine(rows[i], rows[j])) < 1e-5);
    const all = await node.embedding({ ids: Array.from({ length: config.vocabSize }, (_, i) => i) });
    const own = found.words[0].ids[0];
    const sorted = Array.from({ length: config.vocabSize }, (_, id) => ({ id, cosine: cosine(rows[0], rowOf(all, id)) }))
      .filter(({ id }) => id !== own)
      .sort((a, b) => b.cosine - a.cosine);
    found.near.forEach(({ cosine: x }, i) => assert.ok(Math.abs(x - sorted[i].cosine) < 1e-5, `neighbour ${i}`));
    assert.deepEqual(found.near.map(({ id }) => id), sorted.slice(0, 5).map(({ id }) => id));
    // What the map keeps is its share of the variance.
    const mean = rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / n);
    const whole = rows.reduce((sum, row) => sum + row.reduce((s, x, c) => s + (x - mean[c]) ** 2, 0), 0);
    for (const axis of [0, 1]) {
      const kept = rows.reduce((sum, _, i) => sum + found.map.coordinates.data[2 * i + axis] ** 2, 0);
      assert.ok(Math.abs(kept / whole - found.map.explained[axis]) < 1e-4, `axis ${axis}`);
    }
    assert.ok(found.map.explained[0] >= found.map.explained[1]);
  });

  test('a word of several tokens is their mean and has no neighbours; bytes have', async () => {
    const found = await askWords(node, '龘', {});
    assert.ok(found.chosen.ids.length > 1);
    assert.equal(found.near, null);
    const { data, shape } = await node.embedding({ ids: found.chosen.ids });
    const [n, columns] = shape;
    for (let c = 0; c < columns; c += 17) {
      const mean = Array.from({ length: n }, (_, i) => data[i * columns + c]).reduce((a, b) => a + b) / n;
      assert.ok(Math.abs(found.chosen.vector[c] - mean) < 1e-6);
    }
    const piece = await askWords(node, `#${found.chosen.ids[0]}`, {});
    const { bytes } = await node.embedding({ ids: [found.chosen.ids[0]] });
    assert.equal(piece.chosen.label, bytesLabel(bytes[0]));
    assert.equal(piece.near.length, 8);
  });

  test('nothing, and what the vocabulary lacks', async () => {
    assert.equal(await askWords(node, '  ', {}), null);
    assert.deepEqual((await askWords(node, '#99999999', {})).unknown, ['#99999999']);
  });

  test('labels of the map never cover one another, nor a point', () => {
    const points = Array.from({ length: 60 }, (_, i) => ({ x: 60 + 40 * Math.sin(i * 7.3) + i, y: 60 + 40 * Math.cos(i * 3.1), label: '小猫' }));
    const placed = placeLabels(points, { width: 200, height: 140 });
    const boxes = placed.filter(Boolean).map(({ x, y, anchor }) => {
      const left = anchor === 'start' ? x : anchor === 'end' ? x - 26 : x - 13;
      return [left, left + 26, y - 12, y + 3];
    });
    assert.ok(boxes.length > 3 && boxes.length < points.length);
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2])));
    const fitted = fitPoints([[0, 0], [2, 1], [1, 5]], { width: 100, height: 100 });
    for (const { x, y } of fitted) assert.ok(x >= 0 && x <= 100 && y >= 0 && y <= 100);
    assert.ok(fitPoints([[1, 1], [1, 1], [1, 1]], { width: 100, height: 100 }).every(({ x, y }) => x === 50 && y === 50));
  });

  test('the drawing stands alone, wide and narrow, in both themes and languages', async () => {
    for (const [lang, text] of [['zh', words], ['en', 'cat 龘 #100'], ['en', 'cat']]) {
      const found = await askWords(node, text, {});
      for (const width of [340, 940]) {
        for (const theme of ['light', 'dark']) {
          const svg = embeddingFigure({ found, rows: config.vocabSize, words: strings(lang).embedding, note: 'model', theme, width });
          assert.match(svg, /^<svg [^]*<\/svg>$/);
          assert.doesNotMatch(svg, /NaN|undefined|var\(|light-dark/);
        }
      }
    }
    assert.ok((await figureFor(tag, {}, node)).includes('<figure class="first"'));
    await assert.rejects(figureFor(tag, { text: ' ' }, node), /no word/);
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  async function assertShows(widget, text, chosen) {
    const found = await askWords(node, text, { chosen });
    const near = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.near li')].map((row) => [row.querySelector('bdi').textContent, row.querySelector('.value').textContent]));
    assert.deepEqual(near, (found.near ?? []).map(({ label, cosine: x }) => [label, formatCosine(x)]));
    const shares = await textIn(widget, '#shares');
    if (found.map) assert.ok(shares.includes(formatPercent(found.map.explained[0] + found.map.explained[1])), shares);
    return found;
  }

  const pressed = (widget) => widget.evaluate((element) => element.shadowRoot.querySelector('#tokens [aria-checked="true"] bdi').textContent);

  test('the row of a word, its neighbours, the map and the table; another word by mouse and keys', async () => {
    const widget = await putWidget(page, tag, { text: words });
    const found = await assertShows(widget, words, null);
    const grid = await readGrid(widget, '#cosines');
    assert.deepEqual(grid.labels, ['小猫', '小狗', '桌子', '沙发', 'cat', 'table']);
    grid.cells.forEach((row, r) => row.forEach((text, c) => assertShown(text, found.cosines.data[r * 6 + c], `cosine ${r},${c}`)));
    assert.ok((await textIn(widget, '#says')).includes(String(found.chosen.ids[0])));
    await change(page, widget, async () => (await inside(widget, '#tokens button:nth-child(3)')).click());
    assert.equal(await widget.evaluate((element) => element.getAttribute('token')), '桌子');
    await assertShows(widget, words, '桌子');
    await change(page, widget, () => page.keyboard.press('ArrowRight'));
    assert.equal(await pressed(widget), '沙发');
    await assertShows(widget, words, '沙发');
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    assert.equal(await pressed(widget), '小猫');
    page.expectNoFaults();
  });

  test('each number of the strip by pointer and by arrow keys', async () => {
    const widget = await putWidget(page, tag, { text: words });
    const { chosen } = await askWords(node, words, {});
    const strip = await inside(widget, '#strip');
    const { x, y, width } = await strip.boundingBox();
    await page.mouse.move(x + 2, y + 5);
    await until(page, 'the first number', (element) => element.shadowRoot.querySelector('#number b'), widget);
    const shown = async () => /：(\S+)/.exec(await textIn(widget, '#number b'))[1];
    assertShown(await shown(), chosen.vector[0]);
    await strip.focus();
    await page.keyboard.press('End');
    assertShown(await shown(), chosen.vector.at(-1));
    await page.keyboard.press('ArrowLeft');
    assertShown(await shown(), chosen.vector.at(-2));
    assert.equal(await strip.evaluate((element) => element.getAttribute('aria-valuenow')), String(chosen.vector.length - 2));
    assert.ok(width > 300);
  });

  test('a neighbour is looked at by a press, a byte piece too; it need not be among the words', async () => {
    const widget = await putWidget(page, tag, { text: '龘 小猫', token: '龘' });
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('.near').length), 0);
    assert.equal(await textIn(widget, '#few'), zh.mapFew);
    assert.ok((await textIn(widget, '.notes')).includes('龘'));
    const { ids } = await node.tokenize('龘');
    await change(page, widget, async () => (await inside(widget, '.pieces button')).click());
    assert.equal(await widget.evaluate((element) => element.getAttribute('token')), `#${ids[0]}`);
    await assertShows(widget, '龘 小猫', `#${ids[0]}`);
    assert.match(await pressed(widget), /^‹[0-9A-F ]+›$/);
    const { near } = await askWords(node, '龘 小猫', { chosen: `#${ids[0]}` });
    await change(page, widget, async () => (await inside(widget, '.near button')).click());
    await assertShows(widget, '龘 小猫', `#${near[0].id}`);
    page.expectNoFaults();
  });

  test('the map: a point is picked by a press, and its shares of the differences are told', async () => {
    const widget = await putWidget(page, tag, { text: words });
    const at = await widget.evaluate((element) => {
      const map = element.shadowRoot.querySelector('#map');
      map.scrollIntoView({ block: 'center' });
      const circles = [...map.querySelectorAll('circle:not([r="5"])')];
      const box = circles[0].getBoundingClientRect();
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    });
    await change(page, widget, () => page.mouse.click(at.x, at.y));
    const chosen = await widget.evaluate((element) => element.getAttribute('token'));
    assert.ok(words.split(' ').includes(chosen) && chosen !== '小猫', chosen);
    const { map } = await askWords(node, words, {});
    const drawn = await widget.evaluate((element) => element.shadowRoot.querySelector('#map svg').textContent);
    for (const share of map.explained) assert.ok(drawn.includes(formatPercent(share)));
  });

  test('known-good sets, of animals, things, colours and names, hold only words of one token', async () => {
    for (const lang of ['zh', 'en']) {
      const { sets } = strings(lang).embedding;
      assert.ok(sets.length >= 4);
      const found = await askWords(node, sets[0].text, {});
      assert.deepEqual(found.words.filter(({ ids }) => ids.length > 1).map(({ word }) => word), []);
    }
    const widget = await putWidget(page, tag);
    const buttons = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.prompts button')].map((button) => button.textContent));
    assert.deepEqual(buttons, zh.sets.map(({ label }) => label));
    await change(page, widget, async () => (await inside(widget, '.prompts button:nth-child(3)')).click());
    assert.equal(await widget.evaluate((element) => element.getAttribute('text')), zh.sets[2].text);
    await assertShows(widget, zh.sets[2].text, null);
  });

  test('odd texts are only words', async () => {
    let widget = await putWidget(page, tag, { text: '' });
    assert.equal(await textIn(widget, '.empty'), zh.empty);
    const hundred = Array.from({ length: 120 }, (_, i) => `小猫${i}`).join(' ');
    for (const text of ['小猫', '😀 👩‍👩‍👧‍👦 שלום', '<script>alert(1)</script> <b>', 'x'.repeat(10_000), '\ud800 a \udc00', '#0 #1 #999999', hundred, '小猫 小猫 小猫']) {
      widget = await putWidget(page, tag, { text, token: '\udfff' });
      assert.ok(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('.near, .pieces').length === 1), text.slice(0, 20));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }
    widget = await putWidget(page, tag, { text: hundred });
    assert.ok((await textIn(widget, '.notes')).includes('20'));
    assert.ok(await inside(widget, '#cosines canvas'));
    // The canvas is walked by keys, and tells what it shows.
    await (await inside(widget, '#cosines .picture')).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    const { cosines } = await askWords(node, hundred, {});
    assertShown(/余弦 (\S+)/.exec(await textIn(widget, '#pair'))[1], cosines.data[99]);
    page.expectNoFaults();
  });

  test('what it exports holds the numbers in full', async () => {
    const widget = await putWidget(page, tag, { text: words });
    const { table, svg } = await widget.evaluate((element) => ({ table: element.exports().table(), svg: element.exports().svg('dark') }));
    const found = await askWords(node, words, {});
    assert.match(svg, /^<svg /);
    assert.equal(table.rows.length, 6);
    assert.deepEqual(table.rows[1].slice(2, 2 + config.nEmbd), [...found.words[1].vector]);
    assert.equal(table.header.length, table.rows[0].length);
  });

  test('by finger on a narrow phone, in both languages and themes, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      const widget = await putWidget(phone, tag, { lang, theme });
      await (await inside(widget, '#strip')).tap();
      await until(phone, 'a number by a tap', (element) => element.shadowRoot.querySelector('#number b'), widget);
      assert.ok(Number.isFinite(readNumber(/[:：] ?(\S+?)$/.exec(await textIn(widget, '#number b'))[1])));
      await (await inside(widget, '#cosines')).tap();
      await until(phone, 'a cosine by a tap', (element) => element.shadowRoot.querySelector('#pair b'), widget);
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lang}: no wider than the screen`);
      const small = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('button')].filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 43.5).map((button) => button.textContent));
      assert.deepEqual(small, []);
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });

  test('a model that is not there is told in place, and tried again', async () => {
    const widget = await putWidget(page, tag, { text: words, model: 'missing' });
    assert.ok((await textIn(widget, '.err')).length > 5);
    page.faults.length = 0;
    await widget.evaluate((element) => element.removeAttribute('model'));
    await until(page, 'it works again', (element) => element.shadowRoot.querySelector('#strip') && !element.shadowRoot.querySelector('.err'), widget);
    await settled(page, widget);
  });
});
