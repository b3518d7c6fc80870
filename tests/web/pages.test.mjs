// The pages of the built site beside the lessons in a real browser, under the strict policy: alive, right, readable and usable at any width; and
// all pages under a folder, without scripts, and in the theme that a reader chose.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { assertComputed, assertNoBarriers, assertShown, attributesOf, comparesNumbers, dist, findBarriers, findOverflow, openBrowser, openNodeEngine, openPage, openSite, settled, traceHead } from './browser.mjs';

const pages = (await readdir(dist, { recursive: true })).filter((path) => path.endsWith('.html')).map((path) => path.replaceAll('\\', '/'));
const isLesson = (path) => /^zh\/\d\d-/.test(path);
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

// Lessons are read by whole-site.test.mjs.
for (const path of pages.filter((one) => !isLesson(one))) {
  describe(path, () => {
    let page;
    let widgets;
    before(async () => {
      page = await openPage(browser, site, path);
      widgets = await wakeAll(page);
    });
    after(() => page?.dispose());

    test('each widget computes, and shows what the engine in Node computes', async () => {
      for (const widget of widgets) await assertComputed(node, widget);
      page.expectNoFaults();
    });

    test('has no barriers that axe-core knows, in both themes', async () => {
      await assertNoBarriers(page, widgets, 'light');
      page.expectNoFaults();
    });

    test('fits screens of any width', async () => {
      for (const width of widths) {
        await page.setViewport({ width, height: 800 });
        for (const widget of widgets) await settled(page, widget);
        assert.deepEqual(await findOverflow(page), [], `${width} px`);
      }
      // The widgets that fill the last page have narrow screens in tests of their own.
      if (widgets.length < 5) assert.deepEqual(await findBarriers(page), [], 'narrow');
      page.expectNoFaults();
    });
  });
}

test('pages work under a folder of the server', async () => {
  const deep = await openSite({ prefix: '/a/b%20c/' });
  try {
    for (const path of ['index.html', 'zh/04-attention.html']) {
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
        if (comparesNumbers(tag)) assert.ok(shown.length > 0, `${path}: ${tag} shows numbers`);
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
