// glassbox-trainer at work: it trains in Chromium, in the time and memory that a page may take, and is gone on with after a reload; what it downloads is, in lesson 4's figure,
// the model that the native command reads.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { json } from '../command/run.mjs';
import { assertGrid, emptyPage, inside, openBrowser, openPage, openSite, putWidget, readGrid, settled, textIn, until } from './browser.mjs';

const tag = 'glassbox-trainer';
let browser;
let site;
let folder;

before(async () => {
  [browser, site, folder] = await Promise.all([openBrowser({ whole: true }), openSite(), mkdtemp(join(tmpdir(), 'glassbox-'))]);
});
after(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

const press = async (widget, selector) => (await inside(widget, selector)).evaluate((button) => button.click());
const stepOf = (widget) => widget.evaluate((element) => element.run?.step ?? 0);
const reach = (page, widget, step) => until(page, `step ${step}`, (element, wanted) => element.run?.step >= wanted, widget, step);
const paused = (page, widget) => until(page, 'it rests', (element) => element.run?.state === 'paused' && element.shadowRoot.querySelector('#resume'), widget);

/** Tasks of the page's own thread longer than 50 ms, in ms. */
const watchTasks = (page) =>
  page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  });

test('the loss falls by half, samples change, no task holds up the page, and a reload goes on where it was', async () => {
  const page = await openPage(browser, site, emptyPage);
  const widget = await putWidget(page, tag, { size: 'tiny', steps: '100000', 'sample-every': '20' });
  await watchTasks(page);
  await press(widget, '#start');
  await reach(page, widget, 20);
  // Starting up is not training.
  await page.evaluate(() => (window.tasks.length = 0));
  await until(page, 'the loss falls by half', (element) => element.run.loss < element.run.chance / 2, widget);
  const longest = await page.evaluate(() => Math.max(0, ...window.tasks));
  assert.ok(longest <= 100, `a task of ${longest} ms`);
  await press(widget, '#pause');
  await paused(page, widget);
  await until(page, 'it is kept', (element) => element.run.saved?.step === element.run.step, widget);
  const samples = await widget.evaluate((element) => element.run.samples.map(({ step, pieces }) => [step, JSON.stringify(pieces)]));
  assert.equal(samples[0][0], 0);
  assert.ok(samples.length >= 3 && new Set(samples.map(([, text]) => text)).size === samples.length, 'samples change');
  const at = await widget.evaluate(({ run }) => ({ step: run.step, rate: run.rate, points: run.curve.points.length, samples: run.samples.length }));
  assert.ok((await textIn(widget, '#stat-step')).replace(',', '') === String(at.step));

  await page.reload();
  const again = await putWidget(page, tag, {});
  assert.match(await textIn(again, '#go-on'), new RegExp(String(at.step).replace(/\B(?=(\d{3})+$)/, ',')));
  await press(again, '#go-on');
  await paused(page, again);
  assert.deepEqual(await again.evaluate(({ run }) => ({ step: run.step, rate: run.rate, points: run.curve.points.length, samples: run.samples.length })), at);
  const { losses, continued } = await again.evaluate(async (element) => {
    await element.run.stepOnce();
    return { losses: element.run.curve.points.slice(-10).map(({ loss }) => loss), continued: element.run.step };
  });
  assert.equal(continued, at.step + 1);
  assert.ok(Math.abs(losses.at(-1) - losses.at(-2)) < 1, 'the loss goes on where it was');

  // What is downloaded is what lesson 4 and the native command read.
  const client = await page.createCDPSession();
  await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, browserContextId: page.browserContext().id });
  await press(again, '#download');
  await until(page, 'it says so', (element) => /safetensors/.test(element.shadowRoot.querySelector('.notes')?.textContent ?? ''), again);
  let file;
  for (let i = 0; i < 200 && !file; i += 1) {
    file = (await readdir(folder)).find((name) => name.endsWith('.safetensors'));
    await new Promise((done) => setTimeout(done, 50));
  }
  const path = join(folder, file);
  const text = await again.evaluate((element) => element.run.taken.short);
  page.expectNoFaults();
  await page.goto(new URL('zh/04-attention.html', site.url).href);
  const figure = await page.$('glassbox-attention');
  await figure.evaluate((element) => element.scrollIntoView());
  await settled(page, figure);
  await (await inside(figure, '#model-file')).uploadFile(path);
  await until(page, 'the file is in use', (element) => element.model?.startsWith('memory:') && element.result?.model === element.model, figure);
  await figure.evaluate((element, words) => (element.text = words), text);
  await until(page, 'the text is read', (element, words) => !element.stale && element.text === words && element.result.model === element.model, figure, text);
  const native = await json('attention', text, '--model', path, '--layer', '0', '--head', '0');
  assertGrid(await readGrid(figure), native.weights.flat());
  const { candidates } = await json('next', text, '--model', path, '--top', '6');
  const shown = await figure.evaluate((element) => element.result.candidates.map(({ id, logit }) => [id, logit]));
  candidates.forEach(({ id, logit }, i) => {
    assert.equal(shown[i][0], id);
    assert.ok(Math.abs(shown[i][1] - logit) < 1e-4);
  });
  // And the one that the browser keeps is the same.
  await figure.evaluate((element) => (element.model = 'saved'));
  await until(page, 'the kept model is in use', (element) => !element.stale && element.result?.model === 'saved', figure);
  assert.equal((await figure.evaluate((element) => element.result.config.nLayer)), 1);
  page.expectNoFaults();
  await page.dispose();
});

test('memory stays flat over 2,000 steps', async () => {
  const page = await openPage(browser, site, emptyPage);
  page.setDefaultTimeout(120_000);
  const client = await page.createCDPSession();
  const measure = async () => {
    await client.send('HeapProfiler.collectGarbage');
    const { usedSize } = await client.send('Runtime.getHeapUsage');
    const wasm = await page.evaluate(async () => document.querySelector('glassbox-trainer').run.memoryBytes());
    return { usedSize, wasm };
  };
  const widget = await putWidget(page, tag, { text: '小猫没有跳上桌子，因为它太累了。\n\n小狗没有跳上沙发，因为它太困了。', size: '1 16 2 16', steps: '100000', 'sample-every': '50' });
  await press(widget, '#start');
  await reach(page, widget, 500);
  const before = await measure();
  await reach(page, widget, 2500);
  const later = await measure();
  assert.ok(later.usedSize - before.usedSize < 3e6, `heap ${before.usedSize} → ${later.usedSize}`);
  assert.ok(later.wasm - before.wasm < 1e6, `wasm ${before.wasm} → ${later.wasm}`);
  assert.ok(await widget.evaluate(({ run }) => run.curve.points.length <= 400 && run.samples.length <= 40));
  // Closed in the middle of a step: what was kept meanwhile is offered.
  await until(page, 'it is kept', (element) => element.run.saved, widget);
  const { step } = await widget.evaluate(({ run }) => run.saved);
  await page.reload();
  const again = await putWidget(page, tag, {});
  await press(again, '#go-on');
  await paused(page, again);
  assert.ok((await stepOf(again)) >= step);
  await press(again, '#resume');
  await reach(page, again, (await stepOf(again)) + 5);
  page.expectNoFaults();
  await page.dispose();
});
