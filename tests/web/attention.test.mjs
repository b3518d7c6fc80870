// glassbox-attention in a real browser: what readers do to it, and what they may write.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { weightRgb } from '../../web/draw/color.js';
import { tokenLabels } from '../../web/draw/label.js';
import { errorSentence, strings } from '../../web/i18n/index.js';
import { assertGrid, assertShown, change, dist, emptyPage, inside, openBrowser, openNodeEngine, openPage, openSite, putWidget, readGrid, readNumber, settled, textIn, traceHead, until, usePage } from './browser.mjs';

const tag = 'glassbox-attention';
const text = '小猫没有跳上桌子，因为它太累了。';
const zh = strings('zh');

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

/** Tests of one group share a page, each puts a widget of its own on it, and none leaves a fault behind. */
const pageFor = (options) =>
  usePage(() => openPage(browser, site, emptyPage, options), (opened) => (page = opened));

/** Asserts that a widget shows head `head` of layer `layer` for `shown`, tokens and weights. */
async function assertShows(widget, shown, layer = 0, head = 0) {
  const { tokens, bytes, weights } = await traceHead(node, shown, layer, head);
  const grid = await readGrid(widget);
  assert.deepEqual(grid?.labels, tokenLabels(tokens, bytes));
  assertGrid(grid, weights, { what: shown });
}

const cellAt = (widget, row, column) => inside(widget, `td[data-row="${row}"][data-column="${column}"]`);
const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);
const panelIs = (widget, there) => until(page, `the calculation is ${there ? 'there' : 'gone'}`, (element, wanted) => Boolean(element.shadowRoot.querySelector('#calc')) === wanted, widget, there);

async function writeText(widget, words) {
  await (await inside(widget, 'textarea')).click();
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
  if (words === '') await page.keyboard.press('Backspace');
  else await page.keyboard.type(words);
}

/** All that the open calculation says: lines, products, exponentials. */
const readPanel = (widget) =>
  widget.evaluate((element) => {
    const panel = element.shadowRoot.querySelector('#calc');
    const [terms, row] = panel.querySelectorAll('details table');
    const read = (list) => [...list].map((item) => item.textContent.trim());
    const rows = (table) => [...table.querySelectorAll('tbody tr')].map((line) => read(line.children));
    return {
      title: panel.querySelector('.calc-title').textContent,
      big: panel.querySelector('.big').textContent.trim(),
      lines: [...panel.querySelectorAll('.steps li')].map((line) => read(line.querySelectorAll('.what, .value'))),
      terms: rows(terms),
      row: rows(row),
      total: row.querySelector('tfoot td:last-child').textContent.trim(),
      hints: read(panel.querySelectorAll('.hint')),
    };
  });

/** Follows an open calculation with a pocket calculator: every line from the numbers above it, the first from the engine's. */
async function followPanel(widget, shown, { row, column, layer = 0, head = 0 }) {
  const panel = await readPanel(widget);
  const { q, k, weights, tokens } = await traceHead(node, shown, layer, head);
  const size = config.nEmbd / config.nHead;
  const value = (name) => panel.lines.find(([what]) => what === name)?.[1];
  assert.equal(panel.terms.length, size);
  let sum = 0;
  panel.terms.forEach(([, a, b, product, running], i) => {
    assertShown(a, q[row * size + i], `q ${i}`);
    assertShown(b, k[column * size + i], `k ${i}`);
    assertShown(product, readNumber(a) * readNumber(b), `product ${i}`);
    sum += readNumber(product);
    assertShown(running, sum, `sum ${i}`, 0.01);
  });
  assertShown(value(zh.calc.dot), sum, 'score');
  if (column > row) {
    assert.equal(value(zh.calc.mask), '−∞');
    assert.equal(value(zh.calc.exp), '0');
    assert.equal(panel.big, '0');
    return panel;
  }
  assertShown(value(zh.calc.scale), readNumber(value(zh.calc.dot)) / Math.sqrt(size), 'scaled');
  const exponent = value(zh.calc.max) ?? value(zh.calc.scale);
  assertShown(value(zh.calc.exp), Math.exp(readNumber(exponent)), 'exponential');
  assert.equal(panel.row.length, row + 1, 'one exponential a word that is seen');
  assertShown(panel.total, panel.row.reduce((all, cells) => all + readNumber(cells.at(-1)), 0), 'total');
  assert.equal(value(zh.calc.sum), panel.total);
  assert.equal(panel.row[column].at(-1), value(zh.calc.exp));
  assertShown(panel.big, readNumber(value(zh.calc.exp)) / readNumber(panel.total), 'weight');
  assert.equal(value(zh.calc.weight), panel.big);
  assertShown(panel.big, weights[row * tokens.length + column], 'weight');
  const cell = (await readGrid(widget)).cells[row][column];
  assertShown(cell, readNumber(panel.big), 'the cell', 0.5 + 0.01);
  return panel;
}

describe('on a wide screen', () => {
  pageFor();

  test('writing changes the grid', async () => {
    const widget = await putWidget(page, tag, { text: 'Thank you' });
    await assertShows(widget, 'Thank you');
    await change(page, widget, () => writeText(widget, 'Thank you very much'));
    await until(page, 'the attribute follows', (element) => element.getAttribute('text') === 'Thank you very much', widget);
    await settled(page, widget);
    await until(page, 'the new grid', (element) => element.result.labels.length > 3 && !element.stale, widget);
    await assertShows(widget, 'Thank you very much');
    await change(page, widget, async () => (await inside(widget, '.prompts button')).click());
    await assertShows(widget, zh.attention.prompts[0].text);
    page.expectNoFaults();
  });

  test('layer and head step within the model, by mouse and by keys', async () => {
    const widget = await putWidget(page, tag, { text });
    const step = (name, more) => inside(widget, `#${name}-label + .stepper button:${more ? 'last' : 'first'}-of-type`);
    const at = { layer: 0, head: 0 };
    for (const name of ['layer', 'head']) {
      await change(page, widget, async () => (await step(name, true)).click());
      at[name] += 1;
      assert.equal(await attribute(widget, name), '1');
      await assertShows(widget, text, at.layer, at.head);
    }
    await change(page, widget, async () => {
      await (await step('layer', true)).focus();
      await page.keyboard.press('ArrowUp');
    });
    await assertShows(widget, text, 2, 1);
    await change(page, widget, async () => (await step('head', false)).click());
    await assertShows(widget, text, 2, 0);
    await (await step('head', false)).click();
    assert.equal(await textIn(widget, '#head'), '0');
    assert.equal(await (await step('head', false)).evaluate((button) => button.getAttribute('aria-disabled')), 'true');
    for (let i = 3; i < config.nLayer; i += 1) await change(page, widget, async () => (await step('layer', true)).click());
    await (await step('layer', true)).click();
    assert.equal(await attribute(widget, 'layer'), String(config.nLayer - 1));
    await assertShows(widget, text, config.nLayer - 1, 0);
    page.expectNoFaults();
  });

  test('the first row is 1 and what is not read yet is a dot', async () => {
    const widget = await putWidget(page, tag, { text });
    const { cells } = await readGrid(widget);
    assert.equal(readNumber(cells[0][0]), 1);
    assert.match(cells[0][0], /^1\.00/);
    cells.forEach((row, r) => row.forEach((cell, c) => assert.equal(cell === '·', c > r)));
  });

  test('a cell opens its calculation, in which every line follows from the one before', async () => {
    const widget = await putWidget(page, tag, { text });
    for (const [row, column] of [[0, 0], [4, 0], [6, 3], [8, 8], [2, 5]]) {
      await (await cellAt(widget, row, column)).click();
      await until(page, 'the cell is chosen', (element, cell) => element.getAttribute('cell') === cell && element.shadowRoot.querySelector('#calc'), widget, `${row},${column}`);
      await widget.evaluate((element) => element.updateComplete);
      const panel = await followPanel(widget, text, { row, column });
      const { labels } = await readGrid(widget);
      assert.equal(panel.title, zh.attention.looks(labels[row], labels[column]));
    }
    await (await inside(widget, '#calc .close')).click();
    await panelIs(widget, false);
    assert.equal(await attribute(widget, 'cell'), null);
    page.expectNoFaults();
  });

  test('the calculation is right in every head', async () => {
    for (let layer = 0; layer < config.nLayer; layer += 1) {
      for (let head = 0; head < config.nHead; head += 1) {
        const widget = await putWidget(page, tag, { text, layer: String(layer), head: String(head), cell: '7,2' });
        await followPanel(widget, text, { row: 7, column: 2, layer, head });
      }
    }
    page.expectNoFaults();
  });

  test('keys move from cell to cell, Enter opens the calculation, Escape closes it', async () => {
    const widget = await putWidget(page, tag, { text });
    const focused = () => widget.evaluate((element) => element.shadowRoot.activeElement?.getAttribute('data-row') + ',' + element.shadowRoot.activeElement?.getAttribute('data-column'));
    const press = async (key, cell) => {
      await page.keyboard.press(key);
      await until(page, `${key} goes to ${cell}`, (element, wanted) => {
        const { row, column } = element.shadowRoot.activeElement?.dataset ?? {};
        return `${row},${column}` === wanted;
      }, widget, cell);
    };
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('#grid [tabindex="0"]').length), 1, 'one tab stop');
    await (await inside(widget, '.switches > :last-child input')).focus();
    await page.keyboard.press('Tab');
    const last = (await readGrid(widget)).labels.length - 1;
    assert.equal(await focused(), `${last},0`);
    await press('ArrowUp', `${last - 1},0`);
    await press('ArrowRight', `${last - 1},1`);
    await press('End', `${last - 1},${last}`);
    await press('ArrowRight', `${last - 1},${last}`);
    await press('Home', `${last - 1},0`);
    await press('PageUp', `${Math.max(0, last - 11)},0`);
    await press('PageDown', `${Math.min(last, Math.max(0, last - 11) + 10)},0`);
    const [row] = (await focused()).split(',').map(Number);
    await press('ArrowRight', `${row},1`);
    await press('ArrowLeft', `${row},0`);
    await press('ArrowRight', `${row},1`);
    await page.keyboard.press('Enter');
    await panelIs(widget, true);
    assert.equal(await attribute(widget, 'cell'), `${row},1`);
    await followPanel(widget, text, { row, column: 1 });
    assert.equal(await focused(), `${row},1`, 'the focus stays in the grid');
    await page.keyboard.press('Escape');
    await panelIs(widget, false);
    page.expectNoFaults();
  });

  test('an empty text says what to write, and a new one computes again', async () => {
    const widget = await putWidget(page, tag, { text });
    await change(page, widget, () => writeText(widget, ''));
    assert.equal(await textIn(widget, '.fig-body'), zh.attention.empty);
    assert.equal(await readGrid(widget), null);
    await change(page, widget, () => writeText(widget, 'a'));
    await assertShows(widget, 'a');
    const fresh = await putWidget(page, tag, { text: '' });
    assert.equal(await textIn(fresh, '.fig-body'), zh.attention.empty);
    page.expectNoFaults();
  });

  test('ten thousand characters: the newest tokens are shown, and how many were left out', async () => {
    const long = `${text}The cat is here. `.repeat(400).slice(0, 10_000);
    const { tokens, dropped, weights } = await traceHead(node, long);
    assert.ok(dropped > 1000 && tokens.length === config.nPositions);
    const widget = await putWidget(page, tag, { text });
    await change(page, widget, async () => {
      await (await inside(widget, 'textarea')).evaluate((field, words) => {
        field.value = words;
        field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      }, long);
    });
    assert.equal(await textIn(widget, '.notes'), zh.dropped(dropped, tokens.length));
    assert.equal(await attribute(widget, 'text'), long);
    const shown = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.ranking li:not(.rest)')].map((item) => [Number(item.querySelector('small').textContent), item.querySelector('.value').textContent]));
    assert.equal(shown.length, 6);
    for (const [column, value] of shown) assertShown(value, weights[(tokens.length - 1) * tokens.length + column], `column ${column}`);
    await change(page, widget, () => writeText(widget, 'b'));
    await assertShows(widget, 'b');
    assert.equal(await textIn(widget, '.notes'), null);
    page.expectNoFaults();
  });

  test('any text is only text', async () => {
    const odd = [
      '😀👩‍👩‍👧‍👦🇨🇳',
      'a\ud800b',
      '\ud800',
      'a\u0000\u0001\u001b\u007f\u0085b',
      'שלום עולם \u202eabc\u202c العربية',
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
      '"\'`${alert(1)}</textarea><b>',
      '\ufeff\u200b\u00a0\u3000\r\n\t ',
      '龘𠮷',
    ];
    const elements = () => page.evaluate(() => {
      const root = document.querySelector('main').firstElementChild.shadowRoot;
      return [document.querySelectorAll('img, main script, main b').length, root.querySelectorAll('img, script').length];
    });
    const widget = await putWidget(page, tag, { text: 'a' });
    for (const words of odd) {
      // By code units, since the way into the page would make lone surrogates whole.
      const units = Array.from({ length: words.length }, (_, i) => words.charCodeAt(i));
      await change(page, widget, () => widget.evaluate((element, codes) => element.setAttribute('text', String.fromCharCode(...codes)), units));
      await assertShows(widget, words);
      await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text', 'a')));
      await change(page, widget, async () => {
        await (await inside(widget, 'textarea')).evaluate((field, codes) => {
          field.value = String.fromCharCode(...codes);
          field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
        }, units);
      });
      // A text field makes line ends of one kind.
      await assertShows(widget, words.replaceAll('\r\n', '\n'));
      await (await cellAt(widget, 0, 0)).click();
      await panelIs(widget, true);
      assert.deepEqual(await elements(), [0, 0], JSON.stringify(words));
      await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text', 'a')));
    }
    page.expectNoFaults();
  });

  test('a layer or head that the model lacks becomes the nearest one, and says so', async () => {
    const widget = await putWidget(page, tag, { text, layer: '999', head: '-1', lang: 'en' });
    const en = strings('en');
    assert.deepEqual((await textIn(widget, '.notes')).split(/\n+/), [en.clampedLayer(config.nLayer - 1), en.clampedHead(config.nHead - 1)]);
    assert.deepEqual([await attribute(widget, 'layer'), await attribute(widget, 'head')], [String(config.nLayer - 1), '0']);
    await assertShows(widget, text, config.nLayer - 1, 0);
    for (const layer of ['abc', '1e99', '', '1.7']) {
      const other = await putWidget(page, tag, { text, layer });
      await assertShows(other, text, layer === '1e99' ? config.nLayer - 1 : layer === '1.7' ? 1 : 0, 0);
    }
    page.expectNoFaults();
  });

  test('a cell that the grid lacks becomes the nearest one', async () => {
    const size = (await traceHead(node, text)).tokens.length;
    const widget = await putWidget(page, tag, { text, cell: '999,-3' });
    assert.equal(await attribute(widget, 'cell'), `${size - 1},0`);
    await followPanel(widget, text, { row: size - 1, column: 0 });
    const other = await putWidget(page, tag, { text, cell: 'x' });
    assert.equal(await textIn(other, '#calc'), null);
    page.expectNoFaults();
  });

  test('two on one page are independent', async () => {
    const first = await putWidget(page, tag, { text, layer: '1' });
    const second = await page.evaluateHandle((name, other) => {
      const element = document.createElement(name);
      element.setAttribute('text', other);
      document.querySelector('main').append(element);
      element.scrollIntoView();
      return element;
    }, tag, 'Thank you very');
    await settled(page, second);
    await assertShows(first, text, 1);
    await assertShows(second, 'Thank you very', 0);
    await (await cellAt(second, 1, 0)).click();
    await panelIs(second, true);
    assert.equal(await textIn(first, '#calc'), null);
    await change(page, first, () => writeText(first, 'x'));
    await assertShows(first, 'x', 1);
    await assertShows(second, 'Thank you very', 0);
    page.expectNoFaults();
  });

  test('removing it while it computes is no error, and it may come back', async () => {
    for (const delay of [0, 1, 5, 20, 60]) {
      const kept = await page.evaluateHandle(async (name, words, ms) => {
        const main = document.querySelector('main');
        const [leaving, staying] = [document.createElement(name), document.createElement(name)];
        leaving.setAttribute('text', `${words}${ms}`);
        staying.setAttribute('text', words);
        main.replaceChildren(leaving, staying);
        await new Promise((done) => setTimeout(done, ms));
        leaving.remove();
        globalThis.leaving = leaving;
        return staying;
      }, tag, text, delay);
      await settled(page, kept);
      await assertShows(kept, text);
      const back = await page.evaluateHandle(() => {
        document.querySelector('main').prepend(globalThis.leaving);
        return globalThis.leaving;
      });
      await settled(page, back);
      await assertShows(back, `${text}${delay}`);
    }
    page.expectNoFaults();
  });

  test('its attributes are its view: copied, they show the same', async () => {
    const widget = await putWidget(page, tag, { text });
    await change(page, widget, () => writeText(widget, 'Thank you "very" <much> & so on'));
    await until(page, 'all is written', (element) => element.getAttribute('text')?.endsWith('so on') && !element.stale, widget);
    for (const name of ['layer', 'head']) await change(page, widget, async () => (await inside(widget, `#${name}-label + .stepper button:last-of-type`)).click());
    await (await cellAt(widget, 3, 1)).click();
    await panelIs(widget, true);
    const view = async (handle) => ({ grid: await readGrid(handle), panel: await readPanel(handle), field: await handle.evaluate((element) => element.shadowRoot.querySelector('textarea').value) });
    const seen = await view(widget);
    const copy = await page.evaluateHandle((element) => {
      const parsed = new DOMParser().parseFromString(element.outerHTML, 'text/html').body.firstElementChild;
      const made = document.createElement(element.localName);
      for (const { name, value } of parsed.attributes) made.setAttribute(name, value);
      document.querySelector('main').replaceChildren(made);
      return made;
    }, widget);
    await settled(page, copy);
    assert.deepEqual(await view(copy), seen);
    assert.deepEqual([await attribute(copy, 'layer'), await attribute(copy, 'head'), await attribute(copy, 'cell')], ['1', '1', '3,1']);
    page.expectNoFaults();
  });

  test('reset goes back to what the tag said', async () => {
    const widget = await putWidget(page, tag, { text, layer: '1' });
    await change(page, widget, () => writeText(widget, 'x'));
    await change(page, widget, async () => (await inside(widget, '#layer-label + .stepper button:last-of-type')).click());
    await change(page, widget, async () => (await inside(widget, '#reset')).click());
    await assertShows(widget, text, 1);
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelector('textarea').value), text);
    page.expectNoFaults();
  });
});

describe('more than forty tokens', () => {
  const many = `${text}小狗没有跳上沙发，因为它太高了。小兔没有跳上台阶，因为它太困了。小熊没有爬上屋顶，因为它太滑了。`.repeat(2);
  pageFor();

  test('are a canvas with the colours of the weights, used by mouse and keys', async () => {
    const { weights, tokens, bytes } = await traceHead(node, many, 1, 0);
    const size = tokens.length;
    const labels = tokenLabels(tokens, bytes);
    assert.ok(size > 40);
    const widget = await putWidget(page, tag, { text: many, layer: '1' });
    assert.equal(await readGrid(widget), null);

    const colors = await widget.evaluate((element, n) => {
      const canvas = element.shadowRoot.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const at = (i) => Math.floor(((i + 0.5) * canvas.width) / n);
      return Array.from({ length: n * n }, (_, i) => [...data.slice((at(Math.floor(i / n)) * canvas.width + at(i % n)) * 4, (at(Math.floor(i / n)) * canvas.width + at(i % n)) * 4 + 4)]);
    }, size);
    colors.forEach((color, i) => {
      const [row, column] = [Math.floor(i / size), i % size];
      if (column > row) assert.equal(color[3], 0, `${row},${column} is left out`);
      else weightRgb(weights[i], 'light').forEach((part, n) => assert.ok(Math.abs(part - color[n]) <= 4, `${row},${column}: ${color} for ${weights[i]}`));
    });

    const picture = await inside(widget, '.picture');
    const point = async (row, column) => {
      const box = await picture.boundingBox();
      return [box.x + ((column + 0.5) * box.width) / size, box.y + ((row + 0.5) * box.height) / size];
    };
    await picture.scrollIntoView();
    await page.mouse.move(...(await point(30, 12)));
    await until(page, 'the line under the grid', (element) => element.shadowRoot.querySelector('.peek .what'), widget);
    assert.equal(await textIn(widget, '.peek .what'), zh.attention.looks(labels[30], labels[12]));
    assertShown(await textIn(widget, '.peek .value'), weights[30 * size + 12], 'the line under the grid');
    await page.mouse.click(...(await point(30, 12)));
    await panelIs(widget, true);
    assert.equal(await attribute(widget, 'cell'), '30,12');
    const panel = await readPanel(widget);
    assertShown(panel.big, weights[30 * size + 12], 'weight');
    assert.equal(panel.title, zh.attention.looks(labels[30], labels[12]));

    await picture.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await until(page, 'the keys choose', (element) => element.getAttribute('cell') === '29,11', widget);
    await until(page, 'the cell is told', (element, wanted) => element.shadowRoot.querySelector('.vh[role=status]').textContent.includes(wanted), widget, `29 行「${labels[29]}」看第 11 列「${labels[11]}」`);
    await page.keyboard.press('Escape');
    await panelIs(widget, false);
    page.expectNoFaults();
  });
});

describe('on a phone', () => {
  pageFor({ width: 390, height: 800, touch: true });

  test('a tap opens the calculation as a sheet, and its button closes it', async () => {
    const widget = await putWidget(page, tag, { text: 'Thank you very' });
    await (await cellAt(widget, 2, 1)).tap();
    await until(page, 'the sheet opens', (element) => element.shadowRoot.querySelector('#calc')?.matches(':popover-open'), widget);
    await followPanel(widget, 'Thank you very', { row: 2, column: 1 });
    const sheet = await (await inside(widget, '#calc')).boundingBox();
    assert.ok(sheet.x >= 0 && sheet.x + sheet.width <= 390.5 && Math.abs(sheet.y + sheet.height - 800) < 1, 'at the foot of the screen');
    await (await inside(widget, '#calc .close')).tap();
    await until(page, 'the sheet closes', (element) => !element.shadowRoot.querySelector('#calc')?.matches(':popover-open'), widget);
    await (await cellAt(widget, 1, 0)).tap();
    await until(page, 'the sheet opens again', (element) => element.shadowRoot.querySelector('#calc')?.matches(':popover-open'), widget);
    assert.equal(await attribute(widget, 'cell'), '1,0');
    await page.keyboard.press('Escape');
    await until(page, 'Escape closes it', (element) => !element.shadowRoot.querySelector('#calc')?.matches(':popover-open'), widget);
    page.expectNoFaults();
  });
});

describe('while the model is being read', () => {
  test('one widget that leaves takes nothing from another', async () => {
    const file = 'models/builtin/model.safetensors';
    let finish;
    const held = new Promise((done) => (finish = done));
    const bytes = await readFile(join(dist, file));
    site.overrides.set(file, (response) => {
      response.writeHead(200, { 'Content-Length': bytes.length });
      response.write(bytes.subarray(0, bytes.length / 2));
      held.then(() => response.end(bytes.subarray(bytes.length / 2)));
    });
    page = await openPage(browser, site, 'zh/04-attention.html');
    try {
      const leaving = await page.$(tag);
      await leaving.evaluate((element) => element.scrollIntoView());
      await until(page, 'the model begins to come', (element) => element.shadowRoot?.querySelector('.rim')?.style.getPropertyValue('--share') > 0.2, leaving);
      const staying = await page.evaluateHandle((element, words) => {
        const made = document.createElement(element.localName);
        made.setAttribute('text', words);
        element.after(made);
        made.scrollIntoView();
        return made;
      }, leaving, text);
      await until(page, 'the second one waits', (element) => element.stale && element.shadowRoot.querySelector('.rim.is-loading'), staying);
      await leaving.evaluate((element) => element.remove());
      finish();
      await settled(page, staying);
      await assertShows(staying, text);
      page.expectNoFaults();
    } finally {
      site.overrides.delete(file);
      await page.dispose();
    }
  });
});

describe('a model that is not there', () => {
  pageFor({ allow: [/404/] });

  for (const lang of ['zh', 'en']) {
    test(`is told in place, with a way to try again: ${lang}`, async () => {
      const widget = await putWidget(page, tag, { text, model: 'nope', lang });
      assert.equal(await widget.evaluate((element) => element.lastCode), 'no_file');
      assert.equal(await textIn(widget, '.err span'), errorSentence('no_file', lang));
      assert.equal(await textIn(widget, '.err button'), strings(lang).retry);
      const asked = site.asked.filter((path) => path === 'models/nope/manifest.json').length;
      await change(page, widget, async () => (await inside(widget, '.err button')).click());
      assert.equal(site.asked.filter((path) => path === 'models/nope/manifest.json').length, asked + 1, 'it is asked for again');
      assert.equal(await textIn(widget, '.err span'), errorSentence('no_file', lang));
      await change(page, widget, () => widget.evaluate((element) => element.setAttribute('model', 'builtin')));
      await assertShows(widget, text);
      assert.equal(await textIn(widget, '.err'), null);
      page.expectNoFaults();
    });
  }
});
