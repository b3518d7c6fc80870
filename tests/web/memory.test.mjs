// Memory stays flat while a reader types: in each lesson 200 edits in its main box; then the page's heap, the worker's and the engine's memory
// are what they were, but for 5 %.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { dist, openBrowser, openPage, openSite, root, settled } from './browser.mjs';

const written = (await readdir(join(root, 'web/lessons/zh'))).filter((name) => /^\d\d-.*\.md$/.test(name)).map((name) => name.replace(/\.md$/, ''));
// The first widget with a text box is the main one, except where the lesson is about another.
const mainWidget = { '04-attention': 'glassbox-attention', '09-scaling': 'glassbox-scaling' };
const boxes = { '09-scaling': '#exact-n' }; // where it is a number that is typed
const WARM = 40; // edits after which caches are as full as they get
const EDITS = 200;
// What the browser keeps of code that it has seen often grows for thousands of edits and hides what the pages keep; compiled once and for all it
// doesn't grow.
const steady = ['--js-flags=--no-opt --no-maglev --no-sparkplug --no-lazy-feedback-allocation --no-flush-bytecode'];
const PATIENCE = 30; // ms that an edit is given before the next one; a slow computation is then given up for the newer text
const PAUSE = 40; // edits after which a reader looks at what comes of it

async function heapOf(session) {
  // What the first collection leaves to be finalised, the second one takes.
  for (let i = 0; i < 2; i += 1) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Put before a worker's own code: it keeps hold of the WebAssembly memories, whose sizes are asked for later. */
const watchMemories = `self.memories = new Set();
for (const name of ['instantiate', 'instantiateStreaming']) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (source, imports) => {
    const made = await original.call(WebAssembly, source, imports);
    const named = [(made.instance ?? made).exports, ...Object.values(imports ?? {})].flatMap((names) => Object.values(names));
    for (const one of named) if (one instanceof WebAssembly.Memory) self.memories.add(one);
    return made;
  };
}
`;

/** Bytes of all WebAssembly memories of a worker. */
async function wasmOf(session) {
  const { result } = await session.send('Runtime.evaluate', { expression: '[...self.memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0)', returnByValue: true });
  return result.value;
}

/** The first widget with such a box, alive and on the screen. */
async function findBox(page, selector, box) {
  for (const widget of await page.$$(selector)) {
    await widget.evaluate((element) => element.scrollIntoView());
    await settled(page, widget);
    if (await widget.evaluate((element, wanted) => element.shadowRoot.querySelector(wanted) !== null, box)) return widget;
  }
  throw new assert.AssertionError({ message: `no ${selector} has a ${box}` });
}

/** Types `count` texts, none of them twice, each as one edit of the box. */
const type = (page, widget, wanted, from, count) =>
  page.evaluate(
    async (element, selector, first, edits, ms, pause) => {
      const box = element.shadowRoot.querySelector(selector);
      const start = box.value;
      for (let i = first; i < first + edits; i += 1) {
        const next = new Promise((done) => {
          element.addEventListener('glassbox-ready', done, { once: true });
          setTimeout(done, i % pause === 0 ? 5000 : ms);
        });
        // Digits are cheap tokens, so each text is as long as the others.
        box.value = selector === 'textarea' ? `${start}${String(i).padStart(3, '0')}` : `${10 + i}e8`;
        box.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: '0', inputType: 'insertText' }));
        await next;
      }
      box.value = start;
      box.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    },
    widget,
    wanted,
    from,
    count,
    PATIENCE,
    PAUSE,
  );

describe('200 edits leave nothing behind', { concurrency: 2 }, () => {
  let site;
  before(async () => {
    site = await openSite();
    for (const path of ['engine/worker.js', 'trainer/worker.js']) {
      if (existsSync(join(dist, path))) site.overrides.set(path, { type: 'text/javascript', body: watchMemories + (await readFile(join(dist, path), 'utf8')) });
    }
  });
  after(() => site?.close());

  for (const name of written) {
    test(name, async (t) => {
      const browser = await openBrowser({ flags: steady });
      try {
        const page = await openPage(browser, site, `zh/${name}.html`);
        const box = boxes[name] ?? 'textarea';
        const widget = await findBox(page, mainWidget[name] ?? '[data-widget]', box);
        const session = await page.createCDPSession();
        const look = async () => {
          await settled(page, widget);
          const workers = await Promise.all(page.workers().map(async ({ client }) => ({ heap: await heapOf(client), wasm: await wasmOf(client) })));
          const sum = (key) => workers.reduce((total, one) => total + one[key], 0);
          return { page: await heapOf(session), worker: sum('heap'), wasm: sum('wasm') };
        };
        await type(page, widget, box, 0, WARM);
        const before = await look();
        const times = () => widget.evaluate((element) => element.timesReady);
        const readyBefore = await times();
        await type(page, widget, box, WARM, EDITS);
        const later = await look();
        assert.ok((await times()) - readyBefore >= 5, 'what is typed is computed');
        t.diagnostic(Object.keys(before).map((key) => `${key} ${(before[key] / 1e6).toFixed(2)} → ${(later[key] / 1e6).toFixed(2)} MB`).join(', '));
        for (const key of Object.keys(before)) assert.ok(later[key] <= 1.05 * before[key], `${key}: ${before[key]} → ${later[key]} bytes`);
        page.expectNoFaults();
      } finally {
        await browser.close();
      }
    });
  }
});
