// What the browser tests share: one Chromium a file, the site served under the strict policy with files that a test may swap, and
// pages that fail a test for any console error, policy violation or request to another host.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { fileURLToPath } from 'node:url';
import { importPackage } from '../../tools/packages.mjs';
import { serve, strictPolicy } from '../../tools/serve.mjs';
import { nodeEngine } from '../../web/engine/node.js';
import { parseMatrix } from '../../web/parts/attributes.js';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const dist = resolve(root, process.env.GLASSBOX_DIST || 'dist');
const patience = 30_000; // ms until something that should happen counts as not happening

/** The engine in Node with the very model that the pages load. */
export const openNodeEngine = () => nodeEngine({ engineDir: resolve(process.env.GLASSBOX_WASM || join(root, 'build/wasm')), modelsDir: join(dist, 'models') });

/**
 * Chromium without windows: the same engine for pages in less than half of the processor time. `whole`: the browser that readers have.
 * `flags`: further ones of the command line.
 */
export async function openBrowser({ flags = [], whole = false } = {}) {
  const { default: puppeteer } = await importPackage('puppeteer-core');
  return puppeteer.launch({
    executablePath: whole ? process.env.CHROMIUM || '/usr/bin/chromium' : process.env.CHROMIUM_HEADLESS_SHELL || '/usr/bin/chromium-headless-shell',
    headless: whole ? true : 'shell',
    protocolTimeout: 2 * patience,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Nothing beyond this machine can be reached, whatever a page tries.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...flags,
    ],
  });
}

/** A page of the site with nothing on it: what a widget is put on that needs no other around it. */
export const emptyPage = 'empty.html';

async function makeEmptyPage() {
  const page = await readFile(join(dist, 'widgets.html'), 'utf8');
  const [start, end] = [page.indexOf('>', page.indexOf('<main')) + 1, page.indexOf('</main>')];
  return page.slice(0, start) + page.slice(end);
}

/**
 * The built site and the empty page under `prefix`, with the strict policy.
 * `overrides` maps a path such as 'engine/worker.js' to { status, type, body } or to a function (response) that answers by itself; it may be
 * changed at any time. `asked` lists the paths that were asked for.
 */
export async function openSite({ prefix = '/' } = {}) {
  assert.ok(existsSync(join(dist, 'index.html')), `${dist} holds no site: run tools/build first`);
  const behind = await serve({ folder: dist, port: 0, csp: true });
  const overrides = new Map();
  const own = new Map([[emptyPage, { type: 'text/html; charset=utf-8', body: await makeEmptyPage() }]]);
  const asked = [];
  const server = createServer((incoming, response) => {
    const { pathname } = new URL(incoming.url, 'http://localhost');
    if (!pathname.startsWith(prefix)) {
      response.writeHead(404).end();
      return;
    }
    const path = pathname.slice(prefix.length);
    asked.push(path);
    const override = overrides.get(path) ?? own.get(path);
    if (typeof override === 'function') {
      override(response);
    } else if (override) {
      const { status = 200, type = 'application/octet-stream', body = '' } = override;
      response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store', 'Content-Security-Policy': strictPolicy });
      response.end(body);
    } else {
      const { hostname, port } = new URL(behind.url);
      const passed = request({ hostname, port, path: `/${path}`, method: incoming.method }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      passed.end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}${prefix}`,
    overrides,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await behind.close();
    },
  };
}

/** Runs in the page before its own scripts. */
function watch() {
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`policy violation: ${event.effectiveDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}:${event.lineNumber}`);
  });
  const count = (name) => (event) => {
    event.target[name] = (event.target[name] ?? 0) + 1;
    event.target.lastCode = event.detail?.code ?? null;
  };
  document.addEventListener('glassbox-ready', count('timesReady'));
  document.addEventListener('glassbox-error', count('timesFailed'));
}

/**
 * A page of the site. `page.faults` collects what no page may do; `page.expectNoFaults()` asserts that it did none, `allow` being what a
 * test provokes on purpose.
 */
export async function openPage(browser, site, path, { width = 1280, height = 900, touch = false, theme = 'light', script = true, allow = [] } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const host = new URL(site.url).host;
  page.faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') page.faults.push(`console: ${message.text()} ${message.location()?.url ?? ''}`);
  });
  page.on('pageerror', (error) => page.faults.push(`page error: ${error.stack ?? error}`));
  page.on('error', (error) => page.faults.push(`crash: ${error}`));
  page.on('dialog', (dialog) => {
    page.faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (asked) => {
    const url = new URL(asked.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.host !== host) page.faults.push(`request to another host: ${url}`);
  });
  // What a worker is refused it tells only its own log.
  page.on('workercreated', (worker) => {
    worker.client.on('Log.entryAdded', ({ entry }) => {
      if (entry.level === 'error') page.faults.push(`worker: ${entry.text} ${entry.url ?? ''}`);
    });
    worker.client.send('Log.enable').catch(() => {}); // it may have ended meanwhile
  });
  page.expectNoFaults = () => assert.deepEqual(page.faults.filter((fault) => !allow.some((pattern) => pattern.test(fault))), [], path);
  page.dispose = () => context.close();
  page.setDefaultTimeout(patience);
  await page.evaluateOnNewDocument(watch);
  await page.setJavaScriptEnabled(script);
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
  await setTheme(page, theme);
  await page.goto(new URL(path, site.url).href, { waitUntil: 'load' });
  return page;
}

/** For the group of tests it stands in: one page that `open` opens and `take` is given; each test begins without a fault. */
export function usePage(open, take) {
  let page;
  before(async () => {
    page = await open();
    take(page);
  });
  after(() => page?.dispose());
  beforeEach(() => {
    page.faults.length = 0;
  });
}

/** For the group of tests it stands in: a browser, the site, and its empty page, all of which `take` is given. */
export function useEmptyPage(take) {
  let browser;
  let site;
  usePage(async () => {
    [browser, site] = await Promise.all([openBrowser(), openSite()]);
    return openPage(browser, site, emptyPage);
  }, (page) => take({ browser, site, page }));
  after(async () => {
    await browser?.close();
    await site?.close();
  });
}

/** Waits until `check(...args)`, run in the page, gives something true. */
export async function until(page, what, check, ...args) {
  try {
    await page.waitForFunction(check, { polling: 50 }, ...args);
  } catch (error) {
    throw new Error(`${what}: never happened; ${page.faults.join('\n')}`, { cause: error });
  }
}

/**
 * Puts one widget alone on the page, on the screen, and waits until it has computed or failed. Only for pages with scripts.
 * → the element's handle
 */
export async function putWidget(page, tag, attributes = {}, { wait = true } = {}) {
  const handle = await page.evaluateHandle(
    (name, given) => {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
      document.querySelector('main').replaceChildren(element);
      scrollTo(0, 0);
      return element;
    },
    tag,
    attributes,
  );
  if (wait) await settled(page, handle);
  return handle;
}

/** Waits until a widget rests: all that was asked of it is computed, or has failed. */
export const settled = (page, widget) =>
  until(
    page,
    'the widget rests',
    async (element) => {
      await element.updateComplete;
      return !element.stale && (element.timesReady || element.timesFailed) && element.shadowRoot.querySelector('[aria-busy="false"]');
    },
    widget,
  );

/** Runs what a reader does, then waits for a new computed state. */
export async function change(page, widget, act) {
  const count = (element) => (element.timesReady ?? 0) + (element.timesFailed ?? 0);
  const before = await widget.evaluate(count);
  await act();
  await until(page, 'a new computed state', (element, times) => (element.timesReady ?? 0) + (element.timesFailed ?? 0) > times, widget, before);
  await settled(page, widget);
}

/** An element inside of a widget. */
export async function inside(widget, selector) {
  const handle = await widget.evaluateHandle((element, wanted) => element.shadowRoot.querySelector(wanted), selector);
  assert.ok(handle.asElement(), `${selector} is there`);
  return handle;
}

/** The visible text inside of a widget, null when the element is missing. */
export const textIn = (widget, selector) => widget.evaluate((element, wanted) => element.shadowRoot.querySelector(wanted)?.innerText.trim() ?? null, selector);

/** A table grid as shown: { labels, columns, cells: rows of texts, decimals }. Cells too small for a number say it to screen readers. */
export const readGrid = (widget, selector = '#grid') =>
  widget.evaluate((element, wanted) => {
    const table = element.shadowRoot.querySelector(`${wanted} table`);
    if (!table) return null;
    const read = (list) => [...list].map((cell) => cell.textContent.trim());
    return {
      labels: read(table.querySelectorAll('tbody th')),
      columns: read(table.querySelectorAll('thead th:not(.corner)')),
      cells: [...table.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim() || cell.getAttribute('aria-label'))),
    };
  }, selector);

/** A shown number with a real minus sign, groups of three and a power of ten in raised digits or in a raised element → { value, step of its last digit }. */
function parseShown(text) {
  const found = /^([−-]?[\d,]+(?:\.(\d+))?)(?:×10(.+))?$/.exec(text.trim());
  assert.ok(found, `"${text}" is a number`);
  const plain = (part) => part.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/g, (char) => '0123456789-'['⁰¹²³⁴⁵⁶⁷⁸⁹⁻'.indexOf(char)]).replaceAll('−', '-').replaceAll(',', '');
  const power = Number(plain(found[3] ?? '0'));
  return { value: Number(`${plain(found[1])}e${power}`), step: 10 ** (power - (found[2]?.length ?? 0)) };
}

/** A number as the pages write it. */
export const readNumber = (text) => parseShown(text).value;

/** Asserts that a shown number is `exact` rounded to the digits shown; `steps` allows more than the half of the last digit that rounding takes. */
export function assertShown(text, exact, what = '', steps = 0.5) {
  const { value, step } = parseShown(text);
  assert.ok(Math.abs(value - exact) <= steps * step * 1.000001 + 1e-12 * Math.abs(exact), `${what} shows ${text}, and should be ${exact}`);
}

/** Asserts that a grid shows `weights` (n·n) to the digits shown, and `·` where `masked`. */
export function assertGrid(grid, weights, { causal = true, what = 'grid' } = {}) {
  assert.ok(grid, `${what} is a table`);
  const size = grid.labels.length;
  assert.equal(weights.length, size * size, `${what}: its size`);
  assert.deepEqual(grid.columns, grid.labels, `${what}: the same tokens down and across`);
  grid.cells.forEach((row, r) => {
    assert.equal(row.length, size, `${what}: row ${r}`);
    row.forEach((text, c) => {
      if (causal && c > r) assert.equal(text, '·', `${what}: cell ${r},${c} is masked`);
      else {
        assert.match(text, /^[01]\.\d{2,3}$/, `${what}: cell ${r},${c}`);
        assertShown(text, weights[r * size + c], `${what}: cell ${r},${c}`);
      }
    });
  });
}

/** Head `head` of layer `layer` for a text → { tokens, bytes, dropped, weights, q, k, scaled: arrays of the one head }. */
export async function traceHead(engine, text, layer = 0, head = 0) {
  const prefix = `h.${layer}.attn.`;
  const { tokens, bytes, dropped, activations } = await engine.trace(text, { names: ['q', 'k', 'scaled', 'weights'].map((name) => prefix + name) });
  const of = (name) => {
    const { shape, data } = activations[prefix + name];
    const length = shape[1] * shape[2];
    return data.slice(head * length, (head + 1) * length);
  };
  return { tokens, bytes, dropped, weights: of('weights'), q: of('q'), k: of('k'), scaled: of('scaled') };
}

// The numbers of the other widgets have tests of their own.
const numberChecks = {
  async 'glassbox-attention'(engine, widget, { text, layer = '0', head = '0', view, merge }) {
    if (view === 'arcs' || merge) return; // these have tests of their own
    const { weights, tokens } = await traceHead(engine, text, Number(layer), Number(head));
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

  async 'glassbox-attention-steps'(engine, widget, { q, k, v, scale, mask }) {
    const matrices = { q: parseMatrix(q), k: parseMatrix(k ?? q), v: parseMatrix(v) };
    for (const side of mask ? [mask] : ['full', 'causal']) {
      const { weights } = await engine.attentionSteps({ ...matrices, causal: side === 'causal', scale: scale !== 'off' });
      assertGrid(await readGrid(widget, `#grid-${side}`), weights.data, { causal: side === 'causal', what: side });
    }
  },
};

export const attributesOf = (widget) => widget.evaluate((element) => Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])));

/** Whether `assertComputed` compares the numbers of such a widget. */
export const comparesNumbers = (tag) => tag in numberChecks;

/** Asserts that a widget has computed, and that it shows the numbers of `engine` where they are compared. */
export async function assertComputed(engine, widget) {
  const { tag, ready, failed } = await widget.evaluate((element) => ({ tag: element.localName, ready: element.timesReady, failed: element.timesFailed }));
  assert.ok(ready >= 1 && !failed, `${tag}: ready ${ready} times, failed ${failed} times`);
  await numberChecks[tag]?.(engine, widget, await attributesOf(widget));
}

/** What is wider than the page, unless it scrolls in a box of its own. */
export const findOverflow = (page) =>
  page.evaluate(() => {
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
  });

export const setTheme = (page, theme) =>
  page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);

let axe = null;

/** What axe-core finds wrong with the page, as lines; `rules`: only these. */
export async function findBarriers(page, { rules } = {}) {
  axe ??= await readFile(join(root, 'web/node_modules/axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const violations = await page.evaluate(async (given) => (await globalThis.axe.run(document, given)).violations, options);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`));
}

/** Asserts that axe-core finds nothing in the theme that the page has, nor in the other one, where only colours differ. */
export async function assertNoBarriers(page, widgets, theme) {
  assert.deepEqual(await findBarriers(page), [], theme);
  const other = theme === 'light' ? 'dark' : 'light';
  await setTheme(page, other);
  for (const widget of widgets) await settled(page, widget);
  assert.deepEqual(await findBarriers(page, { rules: ['color-contrast'] }), [], other);
}

/**
 * Reads a lesson from top to bottom as a reader of this width does: there is something to touch on the first screen, every figure comes
 * alive, the text keeps its place, nothing is wider than the screen.
 * `look(page, widgets)`: what else is looked at when all of it is alive.
 */
export async function readThrough(browser, site, path, width, { theme = 'light', look } = {}) {
  const page = await openPage(browser, site, path, { width, theme, touch: width < 500 });
  await page.evaluate(() => {
    window.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifted += value))).observe({ type: 'layout-shift', buffered: true });
  });
  assert.ok(await page.evaluate(() => document.querySelector('glassbox-check, [data-widget]').getBoundingClientRect().top < innerHeight), 'something to touch on the first screen');
  const widgets = await page.$$('[data-widget]');
  for (const widget of widgets) {
    await widget.evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - innerHeight + 200));
    await settled(page, widget);
    // Its new height is on the screen before the page is scrolled again, or the browser can't keep the place.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.ok((await widget.evaluate((element) => element.timesReady)) > 0);
  }
  assert.deepEqual(await findOverflow(page), [], `${width} px`);
  const shifted = await page.evaluate(() => window.shifted);
  assert.ok(shifted < 0.1, `layout shift of ${shifted}`);
  await look?.(page, widgets);
  page.expectNoFaults();
  await page.dispose();
}
