// Every page of the built site in a real browser, under the strict policy: alive, right, readable and usable at any width.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { parseMatrix } from '../../web/parts/attributes.js';
import { assertGrid, assertShown, dist, findBarriers, openBrowser, openNodeEngine, openPage, openSite, readGrid, settled, traceHead } from './browser.mjs';

const pages = (await readdir(dist, { recursive: true })).filter((path) => path.endsWith('.html')).map((path) => path.replaceAll('\\', '/'));
const widths = [1280, 390, 320];

let browser;
let site;
let node;

before(async () => {
  [browser, site, node] = await Promise.all([openBrowser(), openSite(), openNodeEngine()]);
});
after(async () => {
  await browser?.close();
  await site?.close();
});

const attributesOf = (widget) => widget.evaluate((element) => Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])));

// The numbers of the other widgets have tests of their own.
const checks = {
  async 'glassbox-attention'(widget, { text, layer = '0', head = '0', view, merge }) {
    if (view === 'arcs' || merge) return; // these have tests of their own
    const { weights, tokens } = await traceHead(node, text, Number(layer), Number(head));
    const size = tokens.length;
    const grid = await readGrid(widget);
    if (size <= 40) assertGrid(grid, weights, { what: text });
    else assert.equal(grid, null, 'many tokens are no table');
    // The ranking beside the grid: the last row unless a cell is chosen; of two texts the first one's.
    const { rows, cell } = await widget.evaluate((element) => ({
      cell: element.getAttribute('cell'),
      rows: [...element.shadowRoot.querySelector('.ranking').querySelectorAll('li:not(.rest)')].map((item) => [Number(item.querySelector('small').textContent), item.querySelector('.value').textContent]),
    }));
    const row = cell ? Number(cell.split(',')[0]) : size - 1;
    assert.equal(rows.length, Math.min(6, row + 1));
    for (const [column, shown] of rows) assertShown(shown, weights[row * size + column], `${text}: the ranking's ${column}`);
  },

  async 'glassbox-attention-steps'(widget, { q, k, v, scale, mask }) {
    const matrices = { q: parseMatrix(q), k: parseMatrix(k ?? q), v: parseMatrix(v) };
    for (const side of mask ? [mask] : ['full', 'causal']) {
      const { weights } = await node.attentionSteps({ ...matrices, causal: side === 'causal', scale: scale !== 'off' });
      assertGrid(await readGrid(widget, `#grid-${side}`), weights.data, { causal: side === 'causal', what: side });
    }
  },
};

/** What is wider than the page, unless it scrolls in a box of its own. */
const overflow = () => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  const list = [`${document.documentElement.scrollWidth} px in ${room}`];
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.getBoundingClientRect().right > room + 0.5) list.push(`${element.localName}.${element.getAttribute('class')}`);
      if (element.shadowRoot) look(element.shadowRoot);
    }
  };
  look(document);
  return list;
};

async function wakeAll(page) {
  const widgets = await page.$$('[data-widget]');
  for (const widget of widgets) {
    await widget.evaluate((element) => element.scrollIntoView());
    await settled(page, widget);
  }
  return widgets;
}

test('the site has the pages that it should', () => {
  for (const path of ['index.html', 'widgets.html', 'zh/04-attention.html']) assert.ok(pages.includes(path), path);
});

for (const path of pages) {
  describe(path, () => {
    let page;
    let widgets;
    before(async () => {
      page = await openPage(browser, site, path);
      widgets = await wakeAll(page);
    });
    after(() => page?.dispose());

    test('each widget computes, and shows what the engine in Node computes', async () => {
      for (const widget of widgets) {
        const { tag, ready, failed } = await widget.evaluate((element) => ({ tag: element.localName, ready: element.timesReady, failed: element.timesFailed }));
        assert.ok(ready >= 1 && !failed, `${tag}: ready ${ready} times, failed ${failed} times`);
        await checks[tag]?.(widget, await attributesOf(widget));
      }
      page.expectNoFaults();
    });

    test('fits screens of any width', async () => {
      for (const width of widths) {
        await page.setViewport({ width, height: 800 });
        for (const widget of widgets) await settled(page, widget);
        assert.deepEqual(await page.evaluate(overflow), [], `${width} px`);
      }
      page.expectNoFaults();
    });

    test('has no barriers that axe-core knows, in both themes, wide and narrow', async () => {
      for (const [width, theme] of [[1280, 'light'], [1280, 'dark'], [390, 'light']]) {
        await page.setViewport({ width, height: 800 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
        for (const widget of widgets) await settled(page, widget);
        assert.deepEqual(await findBarriers(page), [], `${width} px, ${theme}`);
      }
      page.expectNoFaults();
    });
  });
}

test('every page works under a folder of the server', async () => {
  const deep = await openSite({ prefix: '/a/b%20c/' });
  try {
    for (const path of pages) {
      const page = await openPage(browser, deep, path, { width: 390 });
      for (const widget of await wakeAll(page)) assert.ok(await widget.evaluate((element) => element.timesReady >= 1 && !element.error));
      page.expectNoFaults();
      await page.dispose();
    }
  } finally {
    await deep.close();
  }
});

test('with scripts off every widget shows its figure with the numbers', async () => {
  for (const path of pages) {
    const page = await openPage(browser, site, path, { script: false });
    for (const widget of await page.$$('[data-widget]')) {
      const { tag, width, height, shown } = await widget.evaluate((element) => {
        const drawing = [...element.querySelectorAll('figure.first svg')].find((svg) => svg.checkVisibility());
        const { width = 0, height = 0 } = drawing?.getBoundingClientRect() ?? {};
        return { tag: element.localName, width, height, shown: [...(drawing?.querySelectorAll('[data-numbers] text') ?? [])].map((text) => text.textContent) };
      });
      assert.ok(width > 100 && height > 60, `${path}: ${tag} is ${width} × ${height} px`);
      const attributes = await attributesOf(widget);
      if (tag !== 'glassbox-attention') {
        if (tag in checks) assert.ok(shown.length > 0, `${path}: ${tag} shows numbers`);
        continue;
      }
      if (attributes.view === 'arcs') continue;
      const seen = [];
      let longest = 0;
      for (const text of [attributes.text, attributes['text-b']].filter(Boolean)) {
        const { weights, tokens } = await traceHead(node, text, Number(attributes.layer ?? 0), Number(attributes.head ?? 0));
        longest = Math.max(longest, tokens.length);
        seen.push(...Array.from(weights).filter((_, i) => i % tokens.length <= Math.floor(i / tokens.length)));
      }
      if (!shown.length) {
        assert.ok(longest > 16, 'only large grids have cells too small for numbers');
        continue;
      }
      assert.equal(shown.length, seen.length);
      seen.forEach((weight, i) => assertShown(shown[i], weight, `${path}: ${attributes.text}: number ${i}`));
    }
    page.expectNoFaults();
    await page.dispose();
  }
});

test('the theme that a reader chose is remembered, on the page and in its widgets', async () => {
  const page = await openPage(browser, site, 'index.html');
  const look = async () => {
    await wakeAll(page);
    return page.evaluate(() => {
      const colorOf = (element) => getComputedStyle(element).backgroundColor;
      return [document.documentElement.dataset.theme, colorOf(document.body), colorOf(document.querySelector('[data-widget]').shadowRoot.querySelector('.fig'))];
    });
  };
  const light = await look();
  await page.click('.theme');
  await page.click('.theme');
  const dark = await look();
  assert.equal(dark[0], 'dark');
  assert.notEqual(dark[1], light[1]);
  assert.notEqual(dark[2], light[2]);
  await page.reload();
  assert.deepEqual(await look(), dark);
  page.expectNoFaults();
  await page.dispose();
});
