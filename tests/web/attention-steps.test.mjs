// glassbox-attention-steps in a real browser: the example, numbers of one's own, and what is no number.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { strings } from '../../web/i18n/index.js';
import { largestEntry } from '../../web/parts/attributes.js';
import { assertGrid, assertShown, change, inside, openBrowser, openNodeEngine, openPage, openSite, putWidget, readGrid, readNumber, settled, textIn, until } from './browser.mjs';

const tag = 'glassbox-attention-steps';
const zh = strings('zh');
const example = { q: [[1, 0], [0, 1], [1, 1]], v: [[1, 0], [0, 1], [0.5, 0.5]] };

let browser;
let site;
let node;
let page;

before(async () => {
  [browser, site, node] = await Promise.all([openBrowser(), openSite(), openNodeEngine()]);
  page = await openPage(browser, site, 'zh/04-attention.html');
});
after(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(() => {
  page.faults.length = 0;
});

const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);
const readGrids = async (widget) => ({ full: await readGrid(widget, '#grid-full'), causal: await readGrid(widget, '#grid-causal') });
const fieldOf = (widget, label, matrix, column) => inside(widget, `input[aria-label="${zh.steps.entry(label, matrix, column)}"]`);

/** Asserts that both grids show what the engine computes. */
async function assertShows(widget, { q, k = q, v, scale = true }) {
  const grids = await readGrids(widget);
  for (const side of ['full', 'causal']) {
    const { weights } = await node.attentionSteps({ q, k, v, causal: side === 'causal', scale });
    assertGrid(grids[side], weights.data, { causal: side === 'causal', what: side });
  }
}

async function write(field, words) {
  await field.click({ count: 3 });
  await field.press('Backspace');
  if (words) await field.type(words);
}

describe('by hand', () => {
  test('the example comes out as in the lesson', async () => {
    const widget = await putWidget(page, tag);
    const { full, causal } = await readGrids(widget);
    assert.deepEqual(full.cells[0], ['0.401', '0.198', '0.401']);
    assert.deepEqual(causal.cells[1], ['0.330', '0.670', '·']);
    await assertShows(widget, example);
    page.expectNoFaults();
  });

  test('a number that is changed changes both grids', async () => {
    const widget = await putWidget(page, tag);
    await change(page, widget, async () => write(await fieldOf(widget, 'B', 'q', 1), '2.5'));
    await until(page, 'all is computed', (element) => element.getAttribute('q') === '[[1,0],[2.5,1],[1,1]]' && !element.stale, widget);
    await assertShows(widget, { ...example, q: [[1, 0], [2.5, 1], [1, 1]] });
    await change(page, widget, async () => write(await fieldOf(widget, 'A', 'q', 2), '−3'));
    await until(page, 'all is computed', (element) => element.getAttribute('q') === '[[1,-3],[2.5,1],[1,1]]' && !element.stale, widget);
    await assertShows(widget, { ...example, q: [[1, -3], [2.5, 1], [1, 1]] });
    await change(page, widget, async () => write(await fieldOf(widget, 'C', 'v', 1), '１０，５'));
    await until(page, 'all is computed', (element) => element.getAttribute('v') === '[[1,0],[0,1],[10.5,0.5]]' && !element.stale, widget);
    page.expectNoFaults();
  });

  test('the calculation of each cell comes to the engine’s weight and new vector', async () => {
    const input = { q: [[1, 0.5], [-2, 1], [1, 1.5]], k: [[0.5, 1], [1, -1], [2, 0]], v: [[1, 0], [0, 1], [0.5, -0.5]] };
    const widget = await putWidget(page, tag, Object.fromEntries(Object.entries(input).map(([name, rows]) => [name, JSON.stringify(rows)])));
    await assertShows(widget, input);
    for (const [row, column] of [[0, 0], [1, 2], [2, 1]]) {
      await (await inside(widget, `#grid-full td[data-row="${row}"][data-column="${column}"]`)).click();
      await until(page, 'the cell is chosen', (element, cell) => element.getAttribute('cell') === cell && element.shadowRoot.querySelector('#calc'), widget, `${row},${column}`);
      await widget.evaluate((element) => element.updateComplete);
      const lines = await widget.evaluate((element) =>
        [...element.shadowRoot.querySelectorAll('#calc .two li:not(.headrow)')].map((line) => [...line.querySelectorAll('.how')].map((how) => [...how.querySelectorAll('b')].map((b) => b.textContent.trim()))),
      );
      for (const [i, side] of ['full', 'causal'].entries()) {
        const steps = await node.attentionSteps({ ...input, causal: side === 'causal', scale: true });
        const [score, scaled] = lines.slice(0, 2).map((line) => line[i].at(-1));
        assertShown(score, steps.scores.data[row * 3 + column], `${side}: score`);
        assertShown(scaled, readNumber(score) / Math.SQRT2, `${side}: scaled`);
        const hidden = side === 'causal' && column > row;
        if (!hidden) assertShown(lines.at(-2)[i].at(-1), steps.weights.data[row * 3 + column], `${side}: weight`);
        const vector = lines.at(-1)[i].at(-1).replace(/^= \[|\]$/g, '').split(', ');
        assert.equal(vector.length, 2);
        vector.forEach((text, e) => assertShown(text, steps.output.data[row * 2 + e], `${side}: new vector`));
      }
    }
    page.expectNoFaults();
  });

  test('the scores of "Thank you very" come out as in the lesson, and go back to the three words', async () => {
    const widget = await putWidget(page, tag);
    const press = (name) => widget.evaluate((element, label) => [...element.shadowRoot.querySelectorAll('.prompts button')].find((one) => one.textContent === label).click(), zh.steps.presets[name]);
    await change(page, widget, () => press('scores'));
    const grid = await readGrid(widget, '#grid-full');
    assert.deepEqual(grid.labels, ['Thank', 'you', 'very']);
    assert.deepEqual(grid.cells, [['0.464', '0.255', '0.281'], ['0.301', '0.367', '0.332'], ['0.360', '0.242', '0.398']]);
    assert.equal(await readGrid(widget, '#grid-causal'), null, 'without a mask');
    const lines = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('#calc .two .how b:last-of-type')].map((b) => b.textContent.trim()));
    assert.deepEqual([lines[0], lines.at(-1)], ['0.6', '= [0.360, 0.242, 0.398]']);
    assert.ok(lines.some((line) => /^5\.06|^5\.057/.test(line)), lines.join(' '));
    assert.equal(await textIn(widget, '.prompts [aria-pressed="true"]'), zh.steps.presets.scores);
    await change(page, widget, () => press('words'));
    await assertShows(widget, example);
    assert.equal(await textIn(widget, '.prompts [aria-pressed="true"]'), zh.steps.presets.words);
    page.expectNoFaults();
  });

  test('the whole calculation of the chosen cell can be copied as Markdown and as LaTeX', async () => {
    const widget = await putWidget(page, tag, { cell: '1,1' });
    await page.evaluate(() => {
      globalThis.taken = [];
      navigator.clipboard.writeText = async (text) => globalThis.taken.push(text);
    });
    for (const kind of ['markdown', 'latex']) await (await inside(widget, `[data-take="${kind}"]`)).click();
    const [markdown, latex] = await page.evaluate(() => globalThis.taken);
    const rows = markdown.split('\n').filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
    assert.equal(markdown.split('\n').filter((line) => line.startsWith('**')).length, 2, 'both grids');
    assert.ok(rows.every((row) => row.length === 3));
    for (const number of ['0.707', '2.03', '5.06', '0.401', '0.330', '0.670', '3.03']) assert.ok(rows.some((row) => row[2] === number) || rows.some((row) => row[1].includes(number)), number);
    for (const part of ['\\begin{aligned}', '1 \\div \\sqrt{2} &= 0.707', '= 0.401', '= 0.670']) assert.ok(latex.includes(part), `${part} in ${latex}`);
    assert.ok((await textIn(widget, '.said')).includes(zh.calc.takenLatex));
    page.expectNoFaults();
  });

  for (const [words, sentence] of [
    ['abc', (place) => zh.steps.notNumber(...place, 'abc')],
    ['-', (place) => zh.steps.notNumber(...place, '-')],
    ['', (place) => zh.steps.noNumber(...place)],
    ['1e999', (place) => zh.steps.tooLarge(...place, largestEntry)],
    ['1e99', (place) => zh.steps.tooLarge(...place, largestEntry)],
    ['NaN', (place) => zh.steps.notNumber(...place, 'NaN')],
    ['<b>1', (place) => zh.steps.notNumber(...place, '<b>1')],
  ]) {
    test(`"${words}" is flagged, and the last good result stays`, async () => {
      const widget = await putWidget(page, tag, { q: JSON.stringify(example.q), v: '[[1,0],[0,1],[3,0.5]]' });
      const good = await readGrids(widget);
      const field = await fieldOf(widget, 'B', 'q', 2);
      // Set at once, so that no good number is passed on the way.
      await field.evaluate((input, value) => {
        input.value = value;
        input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      }, words);
      await until(page, 'the field is flagged', (element) => element.shadowRoot.querySelector('input[aria-invalid="true"]'), widget);
      assert.equal(await textIn(widget, '#fault'), sentence(['B', 'q', 2]));
      assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('input[aria-invalid="true"]').length), 1);
      assert.equal(await field.evaluate((input) => input.getAttribute('aria-describedby')), 'fault');
      await widget.evaluate(() => new Promise((done) => setTimeout(done, 150)));
      assert.deepEqual(await readGrids(widget), good);
      assert.equal(await attribute(widget, 'q'), JSON.stringify(example.q));
      // A switch still works on the last good numbers.
      await change(page, widget, () => widget.evaluate((element) => element.setAttribute('scale', 'off')));
      await assertShows(widget, { ...example, v: [[1, 0], [0, 1], [3, 0.5]], scale: false });
      await change(page, widget, async () => write(await fieldOf(widget, 'B', 'q', 2), '4'));
      await settled(page, widget);
      assert.equal(await textIn(widget, '#fault'), null);
      await assertShows(widget, { q: [[1, 0], [0, 4], [1, 1]], v: [[1, 0], [0, 1], [3, 0.5]], scale: false });
      page.expectNoFaults();
    });
  }

  test('scaling is switched off and on', async () => {
    const widget = await putWidget(page, tag);
    const label = await widget.evaluateHandle((element) => [...element.shadowRoot.querySelectorAll('.switch')].find((entry) => entry.textContent.includes('√') || entry.querySelector('.root')));
    await change(page, widget, () => label.click());
    assert.equal(await attribute(widget, 'scale'), 'off');
    await assertShows(widget, { ...example, scale: false });
    await change(page, widget, () => label.click());
    assert.equal(await attribute(widget, 'scale'), null);
    await assertShows(widget, example);
    page.expectNoFaults();
  });

  test('words and numbers are added and taken away', async () => {
    const widget = await putWidget(page, tag);
    const more = (name) => inside(widget, `#${name}-label + .stepper button:last-of-type`);
    await change(page, widget, async () => (await more('rows')).click());
    await change(page, widget, async () => (await more('width')).click());
    const q = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 0]];
    await assertShows(widget, { q, v: [...example.v, [0, 0]] });
    for (let i = 4; i < 8; i += 1) await change(page, widget, async () => (await more('rows')).click());
    await (await more('rows')).click();
    assert.equal(await textIn(widget, '#rows'), '8');
    assert.equal((await readGrids(widget)).full.labels.length, 8);
    page.expectNoFaults();
  });

  test('the mask chooses which grids are shown', async () => {
    const widget = await putWidget(page, tag, { mask: 'causal' });
    assert.equal(await readGrid(widget, '#grid-full'), null);
    assert.deepEqual((await readGrid(widget, '#grid-causal')).cells[1], ['0.330', '0.670', '·']);
    const other = await putWidget(page, tag, { mask: 'nonsense' });
    await assertShows(other, example);
    page.expectNoFaults();
  });

  test('a matrix that can’t be read is told, and the example stands', async () => {
    for (const q of ['[[1,2],[3]]', 'abc', '[[1e9]]', '[]', '[["1"]]', '{}', `[${Array.from({ length: 9 }, () => '[1]').join(',')}]`]) {
      const widget = await putWidget(page, tag, { q });
      assert.equal(await textIn(widget, '.notes'), zh.steps.badMatrix('q'), q);
      assert.deepEqual((await readGrid(widget, '#grid-full')).labels, ['A', 'B', 'C']);
    }
    page.expectNoFaults();
  });

  test('reset goes back to what the tag said, and its attributes are its view', async () => {
    const widget = await putWidget(page, tag, { q: '[[1,0],[0,2]]', v: '[[1,0],[0,1]]', labels: '我 <b>' });
    await change(page, widget, async () => write(await fieldOf(widget, '我', 'q', 1), '5'));
    await change(page, widget, () => widget.evaluate((element) => element.setAttribute('scale', 'off')));
    await (await inside(widget, '#grid-causal td[data-row="1"][data-column="0"]')).click();
    await until(page, 'the cell is chosen', (element) => element.getAttribute('cell') === '1,0', widget);
    await assertShows(widget, { q: [[5, 0], [0, 2]], v: [[1, 0], [0, 1]], scale: false });
    const panel = await textIn(widget, '#calc');
    const copy = await page.evaluateHandle((element) => {
      const made = element.cloneNode(false);
      element.before(made);
      return made;
    }, widget);
    await settled(page, copy);
    assert.deepEqual(await readGrids(copy), await readGrids(widget));
    assert.equal(await textIn(copy, '#calc'), panel);
    await change(page, widget, async () => (await inside(widget, '#reset')).click());
    await settled(page, widget);
    await assertShows(widget, { q: [[1, 0], [0, 2]], v: [[1, 0], [0, 1]] });
    assert.deepEqual([await attribute(widget, 'scale'), await attribute(widget, 'cell')], [null, null]);
    assert.equal(await (await fieldOf(widget, '我', 'q', 1)).evaluate((input) => input.value), '1');
    page.expectNoFaults();
  });

  test('an entry that is no number when reset is pressed is put back too', async () => {
    const widget = await putWidget(page, tag);
    await write(await fieldOf(widget, 'A', 'v', 1), 'x');
    await until(page, 'the field is flagged', (element) => element.shadowRoot.querySelector('#fault'), widget);
    await (await inside(widget, '#reset')).click();
    await until(page, 'the fault goes', (element) => !element.shadowRoot.querySelector('#fault'), widget);
    await settled(page, widget);
    assert.equal(await (await fieldOf(widget, 'A', 'v', 1)).evaluate((input) => input.value), '1');
    await assertShows(widget, example);
    page.expectNoFaults();
  });
});
