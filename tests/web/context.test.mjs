// glassbox-context, glassbox-context-cost and glassbox-kv-memory: a fact in the window and outside, the time of reading, the memory of KV caches.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { budgetOf, contextFigure, textPieces } from '../../web/draw/context-figure.js';
import { byteText, kvFigure } from '../../web/draw/kv-figure.js';
import { prefillFigure } from '../../web/draw/prefill-figure.js';
import { strings } from '../../web/i18n/index.js';
import { composeText, measureContext, measureCurve, mostFiller, promptOf, prompts, readFiller } from '../../web/parts/context.js';
import { contextSentences } from '../../web/parts/context-words.js';
import { builtinRow, inBytes, kvBytes, kvModels, mostTokens, parseTokens, readSettings, stopNear, stops } from '../../web/parts/kv-models.js';
import { kvSentences } from '../../web/parts/kv-words.js';
import { countedWork, evenLength, fitSquare, lengthsUpTo, readMost, spreadOf, summarise } from '../../web/parts/prefill-time.js';
import { figureFor } from '../../web/site/figures.js';
import { change, findBarriers, inside, openNodeEngine, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const [hat] = prompts;
const fact = hat.fact(hat.values[0]);
const { question } = hat;
const clean = (svg) => svg.startsWith('<svg') && !/NaN|undefined|Infinity|var\(|null/.test(svg);

let engine;
before(async () => {
  engine = await openNodeEngine();
});

describe('the text and its window', () => {
  test('parts join to the text, tokens are shared out without a gap, what is dropped comes first', async () => {
    for (const prompt of prompts) {
      for (const count of [0, 9, mostFiller(prompt.language)]) {
        const told = { fact: prompt.fact(prompt.values[1]), question: prompt.question, count };
        const { text, parts } = composeText(told);
        assert.equal(parts.map(({ from, to }) => text.slice(from, to)).join(''), text);
        assert.equal(parts.length, count + 2);
        const laid = await measureContext(engine, told);
        const { ids } = await engine.tokenize(text, {});
        assert.equal(laid.total, ids.length);
        laid.parts.forEach(({ start, end }, i) => assert.ok(end > start && start === (i ? laid.parts[i - 1].end : 0)));
        assert.equal(laid.parts.at(-1).end, laid.total);
        assert.equal(laid.dropped, Math.max(0, laid.total - laid.context));
        assert.equal(laid.dropped, (await engine.next(text, { top: 1 })).dropped);
        assert.equal(textPieces(laid).map((piece) => piece.text).join(''), text);
        assert.equal(textPieces(laid).filter(({ gone }) => gone).map((piece) => piece.text).join(''), text.slice(0, laid.gone));
        const { rows, free, over } = budgetOf(laid);
        assert.equal(rows.reduce((sum, { tokens }) => sum + tokens, 0), laid.total + laid.answerTokens);
        assert.ok(free === 0 || over === 0);
      }
    }
  });

  test('examples are known by their texts; numbers of sentences are read', () => {
    assert.deepEqual(promptOf(hat.fact(hat.values[3]), question), { prompt: hat, index: 3 });
    assert.equal(promptOf('x', question), null);
    for (const [raw, value, changed] of [[null, 0, false], ['5', 5, false], ['-2', 0, true], ['999', mostFiller('zh'), true], ['many', 0, true], ['1.5', 0, true]]) assert.deepEqual(readFiller(raw, 'zh'), { value, changed }, String(raw));
  });

  test('a question without a fact, a fact without a question, a text far too long', async () => {
    const alone = await measureContext(engine, { fact: '', question: '今天天气真', count: 3 });
    assert.ok(alone.seen === 'nothing' && alone.reference === null && alone.candidates.length === 5);
    const told = await measureContext(engine, { fact, question: '', count: 0 });
    assert.ok(told.reference === null && told.seen === 'all');
    const long = await measureContext(engine, { fact: '小猫。'.repeat(3334), question, count: 2 });
    assert.ok(long.seen === 'some' || long.seen === 'none');
    assert.ok(long.dropped > 5000);
    for (const language of ['zh', 'en']) for (const measured of [alone, told, long]) assert.ok(clean(contextFigure({ result: { ...measured, curve: null }, sentences: contextSentences(measured, strings(language).context), words: strings(language).context, theme: 'dark' })));
  });

  test('a character of which a part is dropped is gone whole', async () => {
    const laid = await measureContext(engine, { fact: '龘'.repeat(120), question, count: 0 });
    const kept = laid.text.slice(laid.gone);
    assert.ok(!kept.includes('\ufffd') && kept.startsWith('龘'));
  });

  test('figures in both languages and themes', async () => {
    for (const prompt of [prompts[0], prompts[3]]) {
      const asked = { fact: prompt.fact(prompt.values[0]), question: prompt.question };
      let curve;
      for (const count of [4, mostFiller(prompt.language)]) {
        const measured = await measureContext(engine, { ...asked, count, value: prompt.values[0] });
        curve ??= await measureCurve(engine, { ...asked, reference: measured.reference });
        const result = { ...measured, curve };
        const { p } = result.curve.find((point) => point.count === count);
        assert.equal(p, measured.p, 'the curve passes through what is shown');
        for (const width of [330, 720]) for (const theme of ['light', 'dark']) assert.ok(clean(contextFigure({ result, sentences: contextSentences(result, strings(prompt.language).context), words: strings(prompt.language).context, theme, width })));
      }
    }
    assert.match(await figureFor('glassbox-context', { filler: '3' }, engine), /<figure/);
    await assert.rejects(figureFor('glassbox-context', { filler: '999' }, engine), /sentences/);
    await assert.rejects(figureFor('glassbox-context', { fact: '', question: ' ' }, engine), /empty/);
  });
});

describe('time against n', () => {
  test('the fit finds the curve that points lie on, and says how much of noisy ones it explains', () => {
    const points = [4, 16, 64, 128, 256].map((x) => ({ x, y: 0.3 + 0.02 * x + 0.0001 * x * x }));
    const { a, b, c, r2 } = fitSquare(points);
    for (const [found, wanted] of [[a, 0.3], [b, 0.02], [c, 0.0001], [r2, 1]]) assert.ok(Math.abs(found - wanted) < 1e-9 * Math.max(1, wanted), `${found} ${wanted}`);
    const noisy = fitSquare(points.map(({ x, y }, i) => ({ x, y: y * (i % 2 ? 1.2 : 0.9) })));
    assert.ok(noisy.r2 < 1 && noisy.r2 > 0.5);
    assert.equal(fitSquare([1, 2, 3].map((x) => ({ x, y: 5 }))).r2, 1);
  });

  test('lengths, spreads, attributes', () => {
    assert.deepEqual(lengthsUpTo(256), [16, 32, 64, 96, 128, 160, 192, 224, 256]);
    for (const most of [16, 17, 40, 1024]) {
      const lengths = lengthsUpTo(most);
      assert.ok(lengths.length >= 3 && lengths.at(-1) === most && lengths.every((n, i) => n > (lengths[i - 1] ?? 0)));
    }
    assert.deepEqual(spreadOf([3, 1, 2]), { least: 1, middle: 2, most: 3 });
    assert.deepEqual(spreadOf([4, 1, 2, 3]), { least: 1, middle: 2.5, most: 4 });
    for (const [raw, value, changed] of [[null, 256, false], ['64', 64, false], ['300', 256, true], ['3', 16, true], ['x', 256, true], ['-1', 256, true]]) assert.deepEqual(readMost(raw, 256), { value, changed }, String(raw));
  });

  test('times too short for the clock are taken together; both parts of the work meet where it says', async () => {
    const timed = await engine.timePrefill([4, 8, 16], { runs: 2, leastMs: 100 });
    const measured = summarise(timed);
    measured.points.forEach(({ least, middle, most, repeats }, i) => {
      assert.ok(least > 0 && least <= middle && middle <= most && Number.isFinite(measured.c));
      assert.equal(repeats, Math.min(...timed[i].repeats));
    });
    assert.ok(measured.points[0].repeats > 1, 'several are timed together');
    const { config } = await engine.load('builtin');
    const { matrices, attention } = countedWork(config, evenLength(config));
    assert.equal(matrices, attention);
    const words = strings('en').prefill;
    for (const width of [330, 720]) assert.ok(clean(prefillFigure({ work: (n) => countedWork(config, n), longest: 256, measured, sentences: { work: ['a'], time: ['b'] }, words, width })));
    await assert.rejects(engine.timePrefill([config.nPositions + 1]), { code: 'bad_argument' });
  });
});

describe('the memory of KV caches', () => {
  test('bytes by the formula; a window keeps no more', async () => {
    const of = (wanted) => kvModels.find(({ name }) => name === wanted);
    assert.equal(kvBytes(of('GPT-2 124M'), 1024, 32), 2 * 12 * 768 * 1024 * 4);
    assert.equal(kvBytes(of('Qwen2.5-7B'), 1, 16), 2 * 28 * 4 * 128 * 2);
    assert.equal(kvBytes(of('Llama 3.1 8B'), 131_072, 16), 16 * 2 ** 30);
    assert.equal(kvBytes(of('Mistral 7B'), 8192), kvBytes(of('Mistral 7B'), 4096));
    for (const model of kvModels) {
      assert.ok(model.heads % model.kvHeads === 0);
      for (const language of ['zh', 'en']) assert.ok(strings(language).kv.sources[model.source].length > 10);
      if (!model.kept) assert.equal(kvBytes(model, 2000), 2 * kvBytes(model, 1000), 'memory grows with n');
    }
    const { config, kvCacheBytesPerToken } = await engine.load('builtin');
    assert.equal(kvBytes(builtinRow(config), 1, 32), kvCacheBytesPerToken);
  });

  test('numbers and settings as people write them', () => {
    for (const [text, n] of [['4096', 4096], ['１，０２４', 1024], ['131,072', 131_072], [String(mostTokens), mostTokens]]) assert.equal(parseTokens(text), n);
    for (const text of ['', '0', '-1', '1.5', 'abc', '1048577', '9'.repeat(20)]) assert.ok(Number.isNaN(parseTokens(text)), text);
    assert.deepEqual(readSettings({}), { n: 4096, bits: 16, model: 'Llama 2 7B', changed: false });
    assert.deepEqual(readSettings({ n: '0', bits: '7', model: 'nobody' }), { n: 1, bits: 16, model: 'Llama 2 7B', changed: true });
    stops.forEach((stop, i) => assert.equal(stopNear(stop), i));
    assert.deepEqual(inBytes(1536), { value: 1.5, unit: 'KiB' });
    assert.equal(byteText(2 ** 40), '1\u00a0TiB');
  });

  test('figures for every model, in both themes and languages', async () => {
    for (const language of ['zh', 'en']) {
      const words = strings(language).kv;
      const models = kvModels.map((model) => ({ ...model, id: model.name, title: model.name }));
      for (const chosen of models) for (const width of [330, 720]) assert.ok(clean(kvFigure({ models, n: 8192, bits: 8, chosen, sentences: kvSentences(chosen, 8192, 8, words), words, theme: width === 330 ? 'dark' : 'light', width })));
    }
    await assert.rejects(figureFor('glassbox-kv-memory', { n: '0' }, engine), /can’t be used/);
  });
});

describe('in the page', () => {
  let page;
  useEmptyPage((opened) => ({ page } = opened));
  const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);
  const click = async (widget, selector) => (await inside(widget, selector)).evaluate((button) => button.click());

  test('glassbox-context: slider by keyboard, jumps, values, examples, reset, export', async () => {
    const widget = await putWidget(page, 'glassbox-context', { filler: '4' });
    assert.ok((await textIn(widget, '#answer')).includes(hat.values[0]));
    await (await inside(widget, '#filler')).focus();
    await change(page, widget, () => page.keyboard.press('ArrowRight'));
    assert.equal(await attribute(widget, 'filler'), '5');
    await change(page, widget, () => click(widget, '#outside'));
    const count = Number(await attribute(widget, 'filler'));
    const here = await measureContext(engine, { fact, question, count, value: hat.values[0] });
    assert.equal(here.seen, 'none');
    assert.equal(await textIn(widget, '#answer'), here.written);
    const struck = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.ctx-text s')].map((piece) => piece.textContent).join(''));
    assert.equal(struck, here.text.slice(0, here.gone));
    await change(page, widget, () => click(widget, '.ctx-values button:nth-child(2)'));
    assert.equal(await textIn(widget, '#answer'), here.written, 'another colour outside the window changes nothing');
    const { svg, table } = await widget.evaluate((element) => ({ svg: element.exports().svg('light'), table: element.exports().table() }));
    assert.ok(clean(svg));
    assert.ok(table.rows.length > 10 && table.rows.every((row) => row.length === table.header.length));
    await change(page, widget, () => click(widget, '.prompts button:nth-child(4)'));
    assert.match(await attribute(widget, 'fact'), /^Remember/);
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    assert.equal(`${await attribute(widget, 'fact')} ${await attribute(widget, 'filler')}`, 'null 4');
    assert.deepEqual((await findBarriers(page)).filter((line) => line.includes('glassbox-context')), []);
    page.expectNoFaults();
  });

  test('glassbox-context: nothing, no fact, ten thousand characters, odd attributes', async () => {
    const nothing = await putWidget(page, 'glassbox-context', { fact: '', question: '' });
    assert.ok((await textIn(nothing, '.empty')).length > 5);
    const guess = await putWidget(page, 'glassbox-context', { fact: '', question: '今天天气真' });
    assert.ok((await textIn(guess, '#says')).includes(strings('zh').context.state.nothing));
    const long = await putWidget(page, 'glassbox-context', { fact: '小猫。'.repeat(3334), question });
    assert.ok((await textIn(long, '#says')).includes('丢掉'));
    const odd = await putWidget(page, 'glassbox-context', { filler: 'many' });
    assert.equal(await attribute(odd, 'filler'), '0');
    assert.ok((await textIn(odd, '.notes')).length > 5);
    page.expectNoFaults();
  });

  test('glassbox-context-cost: measured here, with its curve; stopped; a length beyond the model', async () => {
    const widget = await putWidget(page, 'glassbox-context-cost', { most: '32' });
    await click(widget, '#start');
    await until(page, 'it is measured', (element) => element.measured, widget);
    await settled(page, widget);
    assert.match(await textIn(widget, '#says'), /时间 ≈ .* ms .* µs × n .* ns × n²/);
    const { points, table } = await widget.evaluate((element) => ({ points: element.measured.points, table: element.exports().table() }));
    assert.deepEqual(points.map(({ tokens }) => tokens), lengthsUpTo(32));
    assert.ok(points.every(({ least, most, runs }) => least > 0 && least <= most && runs >= 3));
    assert.equal(table.rows.length, points.length);
    const field = await inside(widget, '#most');
    await field.click({ count: 3 });
    await field.type('5000');
    assert.match(await textIn(widget, '#fault'), /256/);
    assert.equal(await attribute(widget, 'most'), '50', 'the last good number stays');
    const whole = await putWidget(page, 'glassbox-context-cost', {});
    await click(whole, '#start');
    await until(page, 'it runs', ({ shadowRoot }) => shadowRoot.querySelector('#stop'), whole);
    await click(whole, '#stop');
    await until(page, 'it has stopped', ({ shadowRoot }) => shadowRoot.querySelector('#start'), whole);
    assert.ok((await textIn(whole, '.empty')).includes(strings('zh').prefill.stopped));
    const odd = await putWidget(page, 'glassbox-context-cost', { most: '9999' });
    assert.equal(await attribute(odd, 'most'), '256');
    assert.ok((await textIn(odd, '.notes')).length > 5);
    page.expectNoFaults();
  });

  test('glassbox-kv-memory: slider, field, precision, list, odd attributes', async () => {
    const widget = await putWidget(page, 'glassbox-kv-memory', {});
    assert.match(await textIn(widget, '#says'), /2 × 32 × 32 × 128 × 4,096 × 2 B = 2\sGiB/);
    await (await inside(widget, '#tokens')).focus();
    await page.keyboard.press('ArrowRight');
    await settled(page, widget);
    assert.equal(await attribute(widget, 'n'), '8192');
    await click(widget, '.kv-list li:nth-child(6) button');
    await settled(page, widget);
    assert.equal(await attribute(widget, 'model'), 'Mistral 7B');
    assert.match(await textIn(widget, '#says'), /4,096/);
    await click(widget, '.seg label:last-child input');
    await settled(page, widget);
    assert.equal(await attribute(widget, 'bits'), '8');
    const field = await inside(widget, '#n');
    await field.click({ count: 3 });
    await field.type('1048576');
    await field.type('0');
    assert.ok((await textIn(widget, '#fault')).length > 5);
    assert.equal(await attribute(widget, 'n'), '1048576');
    const rows = await widget.evaluate((element) => element.exports().table().rows);
    assert.equal(rows.length, kvModels.length + 1);
    await widget.evaluate((element) => element.reset());
    await settled(page, widget);
    assert.equal(await attribute(widget, 'n'), null);
    const odd = await putWidget(page, 'glassbox-kv-memory', { n: '1e12', model: 'nobody' });
    assert.equal(await attribute(odd, 'n'), String(mostTokens));
    assert.ok((await textIn(odd, '.notes')).length > 5);
    assert.deepEqual((await findBarriers(page)).filter((line) => line.includes('glassbox-kv-memory')), []);
    page.expectNoFaults();
  });
});
