// Widgets in articles on another host than theirs: a plain post, one that styles everything by force, one with a strict policy, and the lines
// of the README; links that restore a state, and tags that do.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { strings } from '../../web/i18n/index.js';
import { assertGrid, emptyPage, inside, openBrowser, openNodeEngine, openPage, openSite, putWidget, readGrid, root, settled, textIn, traceHead, until } from './browser.mjs';

const thanks = 'Thank you very';
const kitten = '小猫没有跳上桌子，因为它太累了。太累的是';
const byHand = { q: [[1, 0], [0, 1], [1, 1]], k: [[1, 0], [0, 1], [1, 1]], v: [[1, 0], [0, 1], [0.5, 0.5]], scale: true };
const files = ['embed.js', 'engine/worker.js', 'engine/glassbox.wasm', 'models/builtin/model.safetensors'];

let browser;
let node;
let site; // the host of the widgets
let origin; // its origin
let articles; // the host of the articles: { url, made: Map of path → { body, policy } }
let page;

async function openArticles() {
  const made = new Map();
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.slice(1);
    const file = /^(plain|aggressive|strict)\.html$/.test(path) ? { body: await readFile(join(root, 'tests/web/articles', path), 'utf8') } : null;
    const { body, policy } = { ...file, ...made.get(path) };
    if (path === 'icon.svg') response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(await readFile(join(root, 'web/site/icon.svg')));
    else if (body === undefined) response.writeHead(404).end();
    else {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...(policy && { 'Content-Security-Policy': policy }) });
      response.end(body.replaceAll('GLASSBOX', origin));
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    made,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Opens an article; the widgets' host is the only other one that it may ask. */
async function open(path, { allow = [], ...options } = {}) {
  const told = [];
  site.asked.length = 0;
  page = await openPage(browser, articles, 'blank.html', { ...options, allow: [new RegExp(`^request to another host: ${origin}/`), ...allow] });
  page.on('console', (message) => message.type() === 'info' && told.push(message.text()));
  page.told = told;
  await page.goto(new URL(path, articles.url).href, { waitUntil: 'load' });
  return page;
}

const article = (body, head = '') =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Made by a test</title><link rel="icon" href="icon.svg">${head}<main>${body}</main></html>`;

const ready = (widget) => until(page, 'the widget is ready', (element) => element.timesReady && !element.stale, widget);
const counts = () => Object.fromEntries(files.map((file) => [file, site.asked.filter((path) => path === file).length]));
const once = Object.fromEntries(files.map((file) => [file, 1]));
const attributes = (widget) => widget.evaluate((element) => Object.fromEntries(element.getAttributeNames().map((name) => [name, element.getAttribute(name)])));

async function assertHead(widget, text, layer, head) {
  assertGrid(await readGrid(widget), (await traceHead(node, text, layer, head)).weights, { what: `${text} ${layer}.${head}` });
}

async function assertByHand(widget) {
  for (const [side, causal] of [['full', false], ['causal', true]]) {
    const { weights } = await node.attentionSteps({ ...byHand, causal });
    assertGrid(await readGrid(widget, `#grid-${side}`), weights.data, { causal, what: side });
  }
}

/** What the buttons under a figure put on the clipboard, or null where the browser refuses. */
async function copied(widget, button, { denied = false } = {}) {
  await page.evaluate((refuse) => {
    globalThis.copied = null;
    navigator.clipboard.writeText = async (text) => {
      if (refuse) throw new DOMException('denied', 'NotAllowedError');
      globalThis.copied = text;
    };
  }, denied);
  await (await inside(widget, button)).click();
  await until(page, 'the reader is told', (element) => element.said || element.toCopy, widget);
  return page.evaluate(() => globalThis.copied);
}

before(async () => {
  [browser, node, site] = await Promise.all([openBrowser({ whole: true }), openNodeEngine(), openSite()]);
  origin = new URL(site.url).origin;
  articles = await openArticles();
  articles.made.set('blank.html', { body: article('') });
});
after(async () => {
  await browser?.close();
  await site?.close();
  await articles?.close();
});
afterEach(async () => {
  await page?.dispose();
  page = null;
});

describe('a plain post', () => {
  test('shows right numbers in every widget, with one engine and one model, fetched once', async () => {
    await open('plain.html');
    const [live, hand, third, far] = await page.$$('glassbox-attention, glassbox-attention-steps');
    for (const widget of [live, hand]) await ready(widget);
    await third.evaluate((element) => element.scrollIntoView());
    await ready(third);
    await assertHead(live, thanks, 0, 0);
    await assertByHand(hand);
    await assertHead(third, kitten, 2, 1);
    assert.equal(await far.evaluate((element) => element.result), null, 'what is far below waits');
    assert.ok(await page.$eval('#own', (own) => own.getBoundingClientRect().height > 10), 'and shows its own content');
    await far.evaluate((element) => element.scrollIntoView());
    await ready(far);
    await assertHead(far, '小猫没有跳上桌子', 1, 2);
    assert.deepEqual(counts(), once);
    assert.deepEqual(page.told, []);
    page.expectNoFaults();
  });

  test('whose only widget is far below fetches nothing but scripts until the reader comes near', async () => {
    articles.made.set('far.html', {
      body: article('<div id="long"></div><glassbox-attention text="Thank you very"></glassbox-attention>', '<style>#long { height: 5000px }</style><script type="module" src="GLASSBOX/embed.js"></script>'),
    });
    await open('far.html');
    const widget = await page.$('glassbox-attention');
    await until(page, 'the element is defined', (element) => element.hasUpdated, widget);
    await new Promise((done) => setTimeout(done, 500));
    assert.deepEqual(site.asked.filter((path) => path !== 'embed.js' && !path.startsWith('widgets/')), []);
    await widget.evaluate((element) => element.scrollIntoView());
    await ready(widget);
    assert.deepEqual(counts(), once);
    page.expectNoFaults();
  });
});

test('a page that styles everything by force changes nothing inside', async () => {
  const parts = ['.fig', '.title', '.lead', '.text', '.label', '.stepper button', '.btn.quiet', '.grid th', '.grid td', '.ranking', '.calc', '.calc-title', '.fig-foot', '.fig-foot code', '#share'];
  const measure = (element, selectors) =>
    Object.fromEntries(
      selectors.map((selector) => {
        const part = element.shadowRoot.querySelector(selector);
        if (!part) return [selector, null];
        const style = getComputedStyle(part);
        const names = [...style].filter((name) => !/^(-|width$|height$|inline-size|block-size|perspective-origin|transform-origin|inset|top|right|bottom|left)/.test(name));
        return [selector, Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]))];
      }),
    );
  await open('aggressive.html', { width: 1400 });
  const widgets = { live: await page.$('#live'), second: await page.$('#second') };
  for (const widget of Object.values(widgets)) {
    await widget.evaluate((element) => element.scrollIntoView());
    await ready(widget);
    await settled(page, widget);
  }
  await assertHead(widgets.live, thanks, 0, 0);
  await assertHead(widgets.second, '小猫没有跳上桌子', 1, 2);
  await assertByHand(await page.$('#hand'));
  const forced = await widgets.live.evaluate(measure, parts);
  const box = await widgets.live.evaluate((element) => element.shadowRoot.querySelector('.fig').getBoundingClientRect().width);
  const decoration = await widgets.live.evaluate((element) => getComputedStyle(element).textDecorationLine);
  page.expectNoFaults();
  await page.dispose();

  page = await openPage(browser, site, emptyPage, { width: 1400 });
  const own = await putWidget(page, 'glassbox-attention', { text: thanks, layer: '0', head: '0', cell: '2,1', theme: 'light', lang: 'en' });
  const plain = await own.evaluate(measure, parts);
  for (const part of parts) assert.ok(plain[part], `${part} is there`);
  assert.deepEqual(forced, plain);
  assert.equal(decoration, 'none');
  assert.ok(box > 600 && box <= 1024, `${box} px wide`);
});

describe('a strict policy', () => {
  const policy = (more) => `default-src 'none'; script-src ${origin} 'wasm-unsafe-eval'; connect-src ${origin}; img-src 'self'; ${more}`;

  test('that allows no blob: worker gets the engine on the page’s own thread, said once', async () => {
    articles.made.set('strict.html', { policy: policy("worker-src 'self'") });
    await open('strict.html', { allow: [/worker-src/] });
    for (const [id, text, layer, head] of [['live', thanks, 0, 0], ['second', '小猫没有跳上桌子', 1, 2]]) {
      const widget = await page.$(`#${id}`);
      await widget.evaluate((element) => element.scrollIntoView());
      await ready(widget);
      await assertHead(widget, text, layer, head);
    }
    await ready(await page.$('#hand'));
    await assertByHand(await page.$('#hand'));
    assert.equal(page.told.length, 1);
    assert.match(page.told[0], /worker-src.*own thread/);
    // The browser reports the one attempt, which nothing can foresee; a second one would be a fault of ours.
    assert.equal(page.faults.filter((fault) => fault.includes('policy violation')).length, 1);
    assert.deepEqual(counts(), once);
    page.expectNoFaults();
  });

  test('that allows it gets the worker, and nothing to say', async () => {
    articles.made.set('strict.html', { policy: policy('worker-src blob:') });
    await open('strict.html');
    const widget = await page.$('#live');
    await ready(widget);
    await assertHead(widget, thanks, 0, 0);
    assert.deepEqual(page.told, []);
    assert.deepEqual(counts(), once);
    page.expectNoFaults();
  });

  test('that allows no WebAssembly is told in place, under the tag’s own content', async () => {
    articles.made.set('nowasm.html', {
      body: article('<glassbox-attention text="Thank you very"><p id="own">Its own content.</p></glassbox-attention>', '<script type="module" src="GLASSBOX/embed.js"></script>'),
      policy: `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src 'self'; worker-src blob:`,
    });
    await open('nowasm.html', { allow: [/wasm|WebAssembly/] });
    const widget = await page.$('glassbox-attention');
    await until(page, 'the widget fails', (element) => element.timesFailed, widget);
    assert.equal(await widget.evaluate((element) => element.lastCode), 'no_wasm');
    assert.ok(await page.$eval('#own', (own) => own.getBoundingClientRect().height > 10));
  });
});

test('an engine whose script is missing is told in place, and a retry finds it', async () => {
  site.overrides.set('engine/worker.js', { status: 404 });
  await open('plain.html', { allow: [/404/] });
  const widget = await page.$('#live');
  await until(page, 'the widget fails', (element) => element.timesFailed, widget);
  assert.equal(await widget.evaluate((element) => element.lastCode), 'no_file');
  site.overrides.delete('engine/worker.js');
  await (await inside(widget, '.err button')).click();
  await ready(widget);
  await assertHead(widget, thanks, 0, 0);
  assert.deepEqual(page.told, []);
});

test('the lines of the README work when copied', async () => {
  const section = /\n## Embed a widget\n(.*?)\n## /s.exec(await readFile(join(root, 'README.md'), 'utf8'))[1];
  const lines = section.split('\n').filter((line) => /^ {4}</.test(line));
  const policy = section.split('\n').find((line) => /^ +script-src /.test(line)).trim();
  assert.equal(lines.length, 2);
  articles.made.set('readme.html', { body: article(lines.join('\n').replaceAll('https://HOST/path', origin)), policy: `default-src 'none'; ${policy.replaceAll('https://HOST', origin)} 'self'` });
  await open('readme.html');
  const widget = await page.$('main > glassbox-attention');
  await ready(widget);
  await assertHead(widget, thanks, 0, 0);
  assert.deepEqual(page.told, []);
  page.expectNoFaults();
});

describe('a link', () => {
  test('restores the state to the digit, and the widget can be put back', async () => {
    await open('plain.html?page=7');
    const widget = await page.$('#live');
    await ready(widget);
    await widget.evaluate((element, text) => Object.entries({ text, layer: '2', head: '1', cell: '11,0' }).forEach(([name, value]) => element.setAttribute(name, value)), kitten);
    await until(page, 'the new text is there', (element) => !element.stale && element.result.size > 10, widget);
    await settled(page, widget);
    const state = await attributes(widget);
    const grid = await readGrid(widget);
    const peek = await textIn(widget, '.calc .big');
    const link = new URL(await copied(widget, '#share'));
    assert.equal(await textIn(widget, '.said'), strings('en').copied(strings('en').share.is));
    const { hash } = await node.load('builtin');
    assert.equal(link.searchParams.get('page'), '7', 'what is the page’s own stays');
    assert.equal(link.searchParams.get('live.text'), kitten);
    assert.equal(link.searchParams.get('live.layer'), '2');
    assert.equal(link.searchParams.get('m'), hash);
    assert.equal(link.hash, '#live');
    page.expectNoFaults();
    await page.dispose();

    await open(link.pathname.slice(1) + link.search + link.hash);
    const restored = await page.$('#live');
    await ready(restored);
    await settled(page, restored);
    assert.deepEqual(await attributes(restored), state);
    assert.deepEqual(await readGrid(restored), grid);
    assert.equal(await textIn(restored, '.calc .big'), peek);
    assert.equal(await textIn(restored, '#other-model'), null);
    await (await inside(restored, '#reset')).click();
    await until(page, 'the first text is back', (element) => !element.stale && element.result.size === 3, restored);
    assert.deepEqual(await attributes(restored), { id: 'live', text: thanks, layer: '0', head: '0' });
    page.expectNoFaults();
  });

  test('from another model says so in place', async () => {
    await open('plain.html?live.layer=1&m=cafe1234');
    const widget = await page.$('#live');
    await ready(widget);
    const { hash } = await node.load('builtin');
    assert.equal(await textIn(widget, '#other-model'), strings('en').share.otherModel('cafe1234', hash));
    await assertHead(widget, thanks, 1, 0);
    await (await inside(widget, '#reset')).click();
    await until(page, 'the note goes', (element) => !element.shadowRoot.querySelector('#other-model'), widget);
    page.expectNoFaults();
  });

  test('names a widget without an id by its kind and place, and says what has been taken away', async () => {
    articles.made.set('two.html', {
      body: article('<glassbox-attention text="Thank you"></glassbox-attention><glassbox-attention text="Thank you very" cell="2,1"></glassbox-attention>', '<script type="module" src="GLASSBOX/embed.js"></script>'),
    });
    await open('two.html');
    const [, second] = await page.$$('glassbox-attention');
    await second.evaluate((element) => element.scrollIntoView());
    await ready(second);
    await second.evaluate((element) => element.removeAttribute('cell'));
    const link = new URL(await copied(second, '#share'));
    assert.equal(link.searchParams.get('attention-2.text'), thanks);
    assert.equal(link.searchParams.get('attention-2.without'), 'cell');
    await page.dispose();
    await open(`two.html${link.search}`);
    const [first, restored] = await page.$$('glassbox-attention');
    await ready(restored);
    assert.equal(await restored.evaluate((element) => element.getAttribute('cell')), null);
    assert.equal(await first.evaluate((element) => element.getAttribute('text')), 'Thank you');
    assert.ok(await restored.evaluate((element) => Math.abs(element.getBoundingClientRect().top) < innerHeight), 'the reader is brought to it');
    page.expectNoFaults();
  });

  test('is read as text, by known names only, and never makes a page ask another host', async () => {
    const hostile = '"><img src=x onerror=alert(1)>';
    const query = new URLSearchParams({ 'live.text': hostile, 'live.onclick': 'alert(1)', 'live.style': 'display:none', 'live.id': 'x', 'live.model': 'https://example.org/model.safetensors', 'live.layer': hostile, m: hostile, 'nobody.text': 'x', 'live.without': 'id,onclick' });
    await open(`plain.html?${query}`);
    const widget = await page.$('#live');
    await ready(widget);
    const found = await attributes(widget);
    assert.equal(found.text, hostile);
    for (const name of ['onclick', 'style', 'model']) assert.equal(found[name], undefined, name);
    assert.equal(found.id, 'live');
    assert.equal(await textIn(widget, '#other-model'), null);
    await assertHead(widget, hostile, 0, 0);
    page.expectNoFaults();
  });

  test('stands in a field to copy by hand where the browser refuses the clipboard', async () => {
    await open('plain.html');
    const widget = await page.$('#live');
    await ready(widget);
    assert.equal(await copied(widget, '#share', { denied: true }), null);
    const field = await (await inside(widget, '#to-copy')).evaluate((area) => ({ text: area.value, selected: area.value.slice(area.selectionStart, area.selectionEnd), name: area.labels[0].textContent }));
    assert.equal(new URL(field.text).searchParams.get('live.text'), thanks);
    assert.equal(field.selected, field.text);
    assert.equal(field.name, strings('en').copyYourself(strings('en').share.is));
    page.expectNoFaults();
  });
});

test('the copied tag shows the same figure on another page', async () => {
  const odd = 'a "b" & <i>c</i>\nd';
  await open('plain.html');
  const widget = await page.$('#live');
  await ready(widget);
  await widget.evaluate((element, text) => Object.entries({ text, layer: '1', cell: '3,1' }).forEach(([name, value]) => element.setAttribute(name, value)), odd);
  await until(page, 'the new text is there', (element, text) => !element.stale && element.result.size > 3 && element.getAttribute('text') === text, widget, odd);
  await settled(page, widget);
  const grid = await readGrid(widget);
  const code = await copied(widget, '#embed');
  assert.ok(code.startsWith(`<script type="module" src="${origin}/embed.js"></script>\n<glassbox-attention `), code);
  page.expectNoFaults();
  await page.dispose();
  articles.made.set('copied.html', { body: article(code) });
  await open('copied.html');
  const again = await page.$('glassbox-attention');
  await ready(again);
  await settled(page, again);
  assert.deepEqual(await attributes(again), { text: odd, layer: '1', head: '0', cell: '3,1', lang: 'en' });
  assert.deepEqual(await readGrid(again), grid);
  page.expectNoFaults();
});
