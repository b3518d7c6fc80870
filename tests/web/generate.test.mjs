// glassbox-generate: what it counts is what the engine counts and what the formulas say; what it measures are real runs; it can be stopped at any stage.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatBytes } from '../../web/draw/bytes.js';
import { formatFixed, formatNumber } from '../../web/draw/number.js';
import { ticksFor } from '../../web/draw/timeline-figure.js';
import { strings } from '../../web/i18n/index.js';
import { clockStep, firstTokenMs, groupSteps, inTurn, measureGeneration, middleRun, rateOf, readRun, spread, summary, totalOf, usual } from '../../web/parts/generation.js';
import { figureFor } from '../../web/site/figures.js';
import { json } from '../command/run.mjs';
import { change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-generate';
const story = '从前，有一只';
const long = strings('zh').generate.prompts[3].text;
const full = strings('zh').generate.prompts[4].text;

let node;
let config;
let perToken;
before(async () => {
  node = await openNodeEngine();
  ({ config, kvCacheBytesPerToken: perToken } = await node.load('builtin'));
});

describe('without a browser', () => {
  test('attributes are read, and what can’t be is told', () => {
    assert.deepEqual(readRun({}), { ...usual, bad: [] });
    assert.deepEqual(readRun({ maxTokens: '8', temperature: '0.7', topK: '20', topP: '0.9', seed: '7' }), { maxTokens: 8, temperature: 0.7, topK: 20, topP: 0.9, seed: 7, bad: [] });
    assert.deepEqual(readRun({ maxTokens: '0', temperature: 'x', topK: '1.5', topP: '2', seed: '-1' }), { ...usual, bad: ['maxTokens', 'temperature', 'topK', 'topP', 'seed'] });
  });

  test('short steps are taken together until the clock can tell', () => {
    const step = (kind, startMs, ms) => ({ kind, startMs, ms });
    const steps = [step('prefill', 0, 0.2), ...Array.from({ length: 7 }, (_, i) => step('decode', 0.3 + i * 0.4, 0.3))];
    const groups = groupSteps(steps, 1);
    assert.deepEqual(groups.map(({ kind, from, to }) => [kind, from, to]), [['prefill', 0, 1], ['decode', 1, 4], ['decode', 4, 8]]);
    assert.equal(groups.reduce((sum, group) => sum + group.steps, 0), steps.length);
    for (const group of groups.slice(1)) assert.ok(group.endMs - group.startMs >= 1);
    assert.equal(rateOf(steps.slice(0, 2), 1), null, 'too short to tell');
    assert.ok(Math.abs(rateOf(steps, 1) - 7 / 0.0027) < 1);
    assert.equal(firstTokenMs({ tokeniseMs: 0.05, steps }), 0.35);
  });

  test('medians, spreads, bytes and axes', () => {
    assert.deepEqual(spread([3, 1, 2]), { median: 2, least: 1, most: 3, count: 3 });
    assert.deepEqual(spread([4, 1]), { median: 2.5, least: 1, most: 4, count: 2 });
    assert.deepEqual([512, 4096, 4_485_120, 2e9].map(formatBytes), ['512 B', '4.10 KB', '4.49 MB', '2 GB']);
    assert.deepEqual(ticksFor(13.7), { step: 5, ticks: [0, 5, 10] });
    assert.deepEqual(ticksFor(0).ticks, [0]);
    let time = 0;
    assert.equal(clockStep(() => Math.floor((time += 0.03) * 10) / 10), 0.1);
  });

  test('the counted work is the formulas’, with and without the cache', async () => {
    const { nLayer, nEmbd, vocabSize, nInner } = config;
    const pass = (before, tokens) => {
      const scores = Array.from({ length: tokens }, (_, i) => before + i + 1).reduce((sum, seen) => sum + seen, 0);
      return nLayer * (tokens * (4 * nEmbd * nEmbd + 2 * nEmbd * nInner) + 2 * nEmbd * scores) + nEmbd * vocabSize;
    };
    assert.equal(perToken, 2 * nLayer * nEmbd * 4);
    const run = await node.generate(story, { maxTokens: 12 });
    const off = await node.generate(story, { maxTokens: 12, cache: false });
    assert.deepEqual(off.ids, run.ids);
    let held = 0;
    for (const [i, step] of run.steps.entries()) {
      assert.equal(step.kind, i ? 'decode' : 'prefill');
      assert.equal(step.multiplyAdds, pass(held, step.tokens));
      held += step.tokens;
      assert.equal(step.cacheBytes, held * perToken);
      assert.equal(step.cacheWritten, step.tokens * perToken);
      assert.equal(step.cacheRead, held * perToken);
      assert.equal(off.steps[i].tokens, held, 'without the cache everything is read');
      assert.equal(off.steps[i].multiplyAdds, pass(0, held));
      assert.equal(off.steps[i].cacheBytes, 0);
    }
    assert.equal(totalOf(run.steps).tokens, held);
  });

  test('the command counts the same', async () => {
    const run = await node.generate(story, { maxTokens: 6 });
    for (const [more, cache] of [[[], true], [['--no-cache'], false]]) {
      const { steps } = await json('generate', story, '--max-tokens', '6', ...more);
      const here = cache ? run : await node.generate(story, { maxTokens: 6, cache: false });
      assert.deepEqual(steps.map((step) => [step.kind, step.tokens, step.multiply_adds, step.cache_bytes]), here.steps.map((step) => [step.kind, step.tokens, step.multiplyAdds, step.cacheBytes]));
    }
  });

  test('a race runs both in turns, as often, and finds the same text; a summary holds its medians', async () => {
    const asked = [];
    const engine = { generate: (text, options) => (asked.push(options.cache !== false), node.generate(text, options)) };
    const stages = [];
    const found = await measureGeneration(engine, story, { race: true, maxTokens: 5, temperature: 0, topK: 0, topP: 1, seed: 1 }, { signal: new AbortController().signal, onStage: ({ stage }) => stages.push(stage) });
    assert.ok(found.same && !found.stopped && found.runs.length === found.off.length && found.runs.length % 2 === 1);
    assert.deepEqual(asked, [true, ...found.runs.flatMap(() => [true, false])]);
    assert.deepEqual([...new Set(stages)], ['write', 'time']);
    const sums = summary({ ...found, prefill: { ms: [1, 2, 3], repeats: [1, 1, 1] } });
    const first = found.runs[0].steps[0];
    assert.equal(sums.work.prefill.multiplyAdds, first.multiplyAdds);
    assert.ok(Math.abs(sums.work.prefill.gigaflops.median - (2 * first.multiplyAdds) / 2e6) < 1e-9);
    assert.equal(sums.work.decode.steps, found.runs[0].steps.length - 1);
    assert.ok(found.runs.includes(middleRun(found.runs)));
  });

  test('what is stopped keeps the runs before; what fails is told', async () => {
    const control = new AbortController();
    const options = { race: false, maxTokens: 3, temperature: 0, topK: 0, topP: 1, seed: 1 };
    let calls = 0;
    const stopping = { generate: async (text, given) => {
      if ((calls += 1) === 3) {
        control.abort();
        throw Object.assign(new Error('cancelled'), { code: 'cancelled' });
      }
      return node.generate(text, given);
    } };
    const found = await measureGeneration(stopping, story, options, { signal: control.signal });
    assert.ok(found.stopped && found.runs.length === 1);
    const failing = { generate: async () => { throw Object.assign(new Error('crashed'), { code: 'crashed' }); } };
    await assert.rejects(measureGeneration(failing, story, options, { signal: new AbortController().signal }), { code: 'crashed' });
  });

  test('measurements wait for each other, and a failed one stops none', async () => {
    const order = [];
    const slow = inTurn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('slow');
      throw new Error('failed');
    });
    const quick = inTurn(async () => order.push('quick'));
    await assert.rejects(slow);
    await quick;
    assert.deepEqual(order, ['slow', 'quick']);
  });

  test('first figures hold counted numbers and no time', async () => {
    for (const lang of ['zh', 'en']) {
      for (const view of ['line', 'race', 'cache', 'work']) {
        const figure = await figureFor(tag, { text: story, view, lang, 'max-tokens': '8' }, node);
        assert.doesNotMatch(figure, /style=|\d ms\b|tokens\/s|undefined|NaN/);
        assert.ok(view === 'cache' || figure.includes(strings(lang).generate.notMeasured.slice(0, 12)));
      }
    }
    await assert.rejects(figureFor(tag, { text: story, view: 'x' }, node));
    await assert.rejects(figureFor(tag, { text: story, 'max-tokens': '0' }, node));
  });
});

describe('in the page', () => {
  let page;
  let site;
  let browser;
  useEmptyPage((given) => ({ page, site, browser } = given));

  const put = (attributes, options) => putWidget(page, tag, attributes, options);
  const read = (widget) => widget.evaluate((element) => {
    const { result, stage } = element;
    return { ids: result?.tokens?.map(({ id }) => id), runs: result?.runs?.length ?? 0, off: result?.off?.length ?? null, stopped: result?.stopped ?? null, steps: result?.runs?.[0]?.steps, notes: element.notes, stage: stage?.stage ?? null };
  });
  const button = (widget, selector) => inside(widget, selector);

  test('the time line: three lanes of a real run, medians with their spread, and the counted steps', async () => {
    const widget = await put({ text: story, 'max-tokens': '16' });
    const run = await node.generate(story, { maxTokens: 16 });
    const found = await read(widget);
    assert.deepEqual(found.ids, run.ids);
    assert.ok(found.runs >= 3 && !found.stopped);
    assert.deepEqual(found.steps.map(({ kind, tokens, multiplyAdds, weightBytes, cacheBytes }) => [kind, tokens, multiplyAdds, weightBytes, cacheBytes]), run.steps.map((step) => [step.kind, step.tokens, step.multiplyAdds, step.weightBytes, step.cacheBytes]));
    assert.ok(found.steps.every(({ ms, startMs }) => ms >= 0 && startMs >= 0));
    const drawn = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.lanes [data-kind]')].map((bar) => bar.dataset.kind));
    assert.deepEqual([...new Set(drawn)], ['tokenise', 'prefill', 'decode']);
    const sums = await widget.evaluate((element) => element.result.sums);
    assert.equal(await textIn(widget, '#stat-first'), `${formatNumber(sums.first.median)} ms`);
    assert.ok((await textIn(widget, '.stats')).includes(`${formatNumber(sums.whole.least)}–${formatNumber(sums.whole.most)} ms`));
    if (sums.rate) assert.equal(await textIn(widget, '#stat-rate'), `${formatNumber(sums.rate.median)} 个`);
    assert.match(await textIn(widget, '.fig-body'), /本机量 \d+ 遍的中位数/);
    const rows = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.steps-fold tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.deepEqual(rows.map((row) => row[6]), run.steps.map((step) => formatFixed(step.multiplyAdds, 0)));
    page.expectNoFaults();
  });

  test('“measure again” measures anew', async () => {
    const widget = await put({ text: story, 'max-tokens': '4' });
    const before = await widget.evaluate((element) => element.result.ms);
    await change(page, widget, async () => (await button(widget, '#run')).click());
    assert.notEqual(await widget.evaluate((element) => element.result.ms), before);
    page.expectNoFaults();
  });

  test('the race: both sides really ran, in equal numbers, and wrote the same', async () => {
    const widget = await put({ text: long, view: 'race', 'max-tokens': '12' });
    const [on, off] = [await node.generate(long, { maxTokens: 12 }), await node.generate(long, { maxTokens: 12, cache: false })];
    const found = await read(widget);
    assert.equal(found.runs, found.off);
    assert.ok(found.runs >= 3);
    const totals = await widget.evaluate((element) => [element.result.runs[0], element.result.off[0]].map(({ steps }) => steps.reduce((sum, step) => sum + step.multiplyAdds, 0)));
    assert.deepEqual(totals, [totalOf(on.steps).multiplyAdds, totalOf(off.steps).multiplyAdds]);
    const medians = await widget.evaluate((element) => [element.result.runs, element.result.off].map((runs) => runs.map(({ steps }) => steps.at(-1).startMs + steps.at(-1).ms)));
    const [with_, without] = medians.map(spread);
    const says = await textIn(widget, '#says');
    assert.ok(says.includes(formatNumber(without.median / with_.median)) && says.includes(`${formatNumber(without.median)} ms`) && says.includes(strings('zh').generate.same), says);
    assert.ok(without.median > with_.median, 'the cache wins');
    assert.ok((await textIn(widget, '.lanes')).includes(formatFixed(totalOf(off.steps).tokens, 0)));
    page.expectNoFaults();
  });

  test('the cache: a square a token, step by step, bytes by the formula', async () => {
    const widget = await put({ text: story, view: 'cache', step: '1', 'max-tokens': '8' });
    const { steps } = await node.generate(story, { maxTokens: 8 });
    const cells = () => widget.evaluate((element) => Object.fromEntries([...element.shadowRoot.querySelectorAll('[data-cells]')].map((path) => [path.dataset.cells, path.getAttribute('d').split('M').length - 1])));
    assert.deepEqual(await cells(), { prompt: steps[0].tokens, free: config.nPositions - steps[0].tokens });
    assert.ok((await textIn(widget, '#says')).includes(`${formatFixed(perToken, 0)} 字节`));
    const slider = await button(widget, '#step');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await until(page, 'the second step', (element) => element.getAttribute('step') === '2', widget);
    assert.deepEqual(await cells(), { prompt: steps[0].tokens, fresh: 1, free: config.nPositions - steps[0].tokens - 1 });
    assert.ok((await textIn(widget, '#says')).includes(formatBytes(steps[1].cacheBytes)));
    page.expectNoFaults();
  });

  test('the window overflows while it writes: the older half is dropped, and it is told', async () => {
    const run = await node.generate(full, { maxTokens: 24 });
    const at = run.steps.findIndex(({ kind }) => kind === 'reread');
    assert.ok(at > 0, 'the prompt nearly fills the window');
    const widget = await put({ text: full, view: 'cache', step: String(at + 1) });
    assert.deepEqual((await read(widget)).ids, run.ids);
    assert.ok((await read(widget)).notes.some(({ kind }) => kind === 'overflow'));
    assert.ok((await textIn(widget, '#says')).includes(strings('zh').generate.rereadNow));
    const used = run.steps[at].cacheBytes / perToken;
    assert.ok(used <= config.nPositions / 2 + 1);
    assert.ok((await textIn(widget, '#says')).includes(`${used} 个 token`));
    page.expectNoFaults();
  });

  test('the bill: counted numbers as the engine counts, speeds as measured', async () => {
    const widget = await put({ text: long, view: 'work' });
    const { steps } = await node.generate(long, { maxTokens: 24 });
    const cells = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.bill tbody tr')].map((row) => [...row.querySelectorAll('td > span')].map((cell) => cell.textContent)));
    assert.deepEqual(cells[1], [formatBytes(steps[0].weightBytes), formatBytes(totalOf(steps.slice(1)).weightBytes / (steps.length - 1))]);
    const perByte = (list) => totalOf(list).multiplyAdds / (totalOf(list).weightBytes + totalOf(list).cacheRead);
    assert.deepEqual(cells[3], [formatNumber(perByte(steps.slice(0, 1))), formatNumber(perByte(steps.slice(1)))]);
    const { work } = await widget.evaluate((element) => element.result.sums);
    assert.equal(cells[5][0], `${formatNumber(work.prefill.gigaflops.median)} GFLOP/s`);
    if (work.decode.gigabytes) assert.equal(cells[6][1], `${formatNumber(work.decode.gigabytes.median)} GB/s`);
    page.expectNoFaults();
  });

  test('all controls of sampling draw what the command draws, and stand in the attributes', async () => {
    const widget = await put({ text: story, knobs: 'open', 'max-tokens': '12', temperature: '1.5', 'top-k': '20', 'top-p': '0.9', seed: '7' });
    const { ids } = await json('generate', story, '--temperature', '1.5', '--top-k', '20', '--top-p', '0.9', '--seed', '7', '--max-tokens', '12');
    assert.deepEqual((await read(widget)).ids, ids);
    for (const id of ['temperature', 'top-k', 'top-p']) {
      const slider = await button(widget, `#${id}`);
      const before = await widget.evaluate((element, name) => element.getAttribute(name), id);
      await change(page, widget, async () => {
        await slider.focus();
        await page.keyboard.press('ArrowLeft');
      });
      assert.notEqual(await widget.evaluate((element, name) => element.getAttribute(name), id), before, id);
    }
    await change(page, widget, async () => (await button(widget, '.stepper button:last-child')).click());
    const now = await widget.evaluate((element) => ['temperature', 'top-k', 'top-p', 'seed'].map((name) => Number(element.getAttribute(name))));
    const [temperature, topK, topP, seed] = now;
    assert.equal(seed, 8);
    assert.deepEqual((await read(widget)).ids, (await node.generate(story, { maxTokens: 12, temperature, topK, topP, seed })).ids);
    await change(page, widget, async () => (await button(widget, '#reset')).click());
    assert.equal(await widget.evaluate((element) => element.getAttribute('seed')), '7');
    page.expectNoFaults();
  });

  test('it can be stopped at every stage, and goes on afterwards', async () => {
    for (const stage of ['load', 'wait', 'write', 'time', 'prefill']) {
      // The button is pressed in the very update that shows the stage. What waits, waits for another widget.
      const widget = await page.evaluateHandle((name, text, wanted) => {
        const make = () => Object.assign(document.createElement(name), { text, maxTokens: '60' });
        const element = make();
        const { updated } = element;
        element.updated = function (...given) {
          updated.apply(this, given);
          if (this.stage?.stage !== wanted || this.hit) return;
          this.hit = true;
          this.shadowRoot.querySelector('#stop').click();
        };
        document.querySelector('main').replaceChildren(...(wanted === 'wait' ? [make()] : []), element);
        scrollTo(0, 0);
        return element;
      }, tag, story, stage);
      await settled(page, widget);
      const found = await read(widget);
      assert.equal(found.stage, null);
      // The run that follows is not to be stopped, whichever stages it has.
      const hit = await widget.evaluate((element) => {
        delete element.updated;
        return Boolean(element.hit);
      });
      // A prompt that takes long enough by itself needs no timing of its own.
      assert.ok(stage === 'prefill' || hit, stage);
      if (hit) {
        assert.ok(found.stopped, stage);
        assert.ok((await textIn(widget, '.fig-body')).includes('已经停下'), stage);
      }
      assert.equal(await widget.evaluate((element) => element.error), null);
      await change(page, widget, async () => (await button(widget, '#run')).evaluate((element) => element.click()));
      assert.ok((await read(widget)).runs > 0 && !(await read(widget)).stopped, stage);
    }
    page.expectNoFaults();
  });

  test('a stop while the model is read in, and another text in the middle of a run', async () => {
    const fresh = await openPage(browser, site, emptyPage);
    const widget = await putWidget(fresh, tag, { text: story }, { wait: false });
    await until(fresh, 'the stop button', (element) => {
      const stop = element.shadowRoot?.querySelector('#stop');
      stop?.click();
      return Boolean(stop);
    }, widget);
    await settled(fresh, widget);
    await change(fresh, widget, async () => (await inside(widget, '#run')).click());
    await widget.evaluate((element) => element.setAttribute('max-tokens', '300'));
    await until(fresh, 'the run', (element) => element.stage?.stage === 'write' || element.stage?.stage === 'time', widget);
    await widget.evaluate((element) => {
      element.setAttribute('text', 'Thank you very');
      element.setAttribute('max-tokens', '3');
    });
    await until(fresh, 'the new text', (element) => !element.stale && element.result?.text === 'Thank you very', widget);
    assert.deepEqual(await widget.evaluate((element) => element.result.tokens.map(({ id }) => id)), (await node.generate('Thank you very', { maxTokens: 3 })).ids);
    fresh.expectNoFaults();
    await fresh.dispose();
  });

  test('bad input: nothing, far too much, unreadable attributes', async () => {
    const empty = await put({ text: '' });
    assert.ok((await textIn(empty, '.empty')).includes('提示是空的'));
    const much = `${'小猫没有跳上桌子。'.repeat(1111)}${story}`;
    assert.ok(much.length > 10_000);
    const widget = await put({ text: much, 'max-tokens': '4' });
    const run = await node.generate(much, { maxTokens: 4 });
    const { notes, steps, ids } = await read(widget);
    assert.deepEqual(ids, run.ids);
    assert.equal(steps[0].tokens, config.nPositions);
    assert.deepEqual(notes.map(({ kind }) => kind), ['dropped', ...(run.steps.some(({ kind }) => kind === 'reread') ? ['overflow'] : [])]);
    const { dropped } = await node.generate(much, { maxTokens: 1 });
    assert.equal(notes[0].values[0], dropped);
    const bad = await put({ text: story, 'max-tokens': 'many', 'top-p': '3', view: 'nothing' });
    assert.match(await textIn(bad, '.notes'), /max-tokens、top-p/);
    page.expectNoFaults();
  });

  test('one token, and English', async () => {
    const one = await put({ text: 'Thank you very', 'max-tokens': '1', lang: 'en' });
    assert.ok((await textIn(one, '.lanes')).includes('Decode: none yet'));
    const bill = await put({ text: 'Thank you very', 'max-tokens': '1', view: 'work', lang: 'en' });
    assert.ok((await textIn(bill, '.bill')).includes('none'));
    page.expectNoFaults();
  });

  test('what can be taken along', async () => {
    for (const view of ['line', 'race', 'cache', 'work']) {
      const widget = await put({ text: story, 'max-tokens': '6', view });
      const { svg, name, rows, width } = await widget.evaluate((element) => {
        const taken = element.exports();
        const { header, rows } = taken.table();
        return { svg: taken.svg('dark'), name: taken.name, rows: rows.length, width: rows.every((row) => row.length === header.length) };
      });
      assert.equal(name, `generate-${view}`);
      assert.match(svg, /^<svg[^]*<\/svg>$/);
      assert.doesNotMatch(svg, /undefined|NaN|var\(--/);
      assert.ok(rows >= 3 && width);
    }
  });

  test('no barriers, no sideways scrolling, large enough to touch', async () => {
    for (const [width, view] of [[1280, 'line'], [390, 'work'], [320, 'race'], [320, 'cache']]) {
      await page.setViewport({ width, height: 900 });
      const widget = await put({ text: long, view, 'max-tokens': '8', knobs: 'open', lang: width === 390 ? 'en' : 'zh' });
      assert.deepEqual((await findBarriers(page)).filter((line) => !line.startsWith('page-has-heading-one')), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
      const small = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('button, summary, .seg, input[type=range]')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43).map((one) => one.outerHTML.slice(0, 80)));
      assert.deepEqual(small, []);
    }
    await page.setViewport({ width: 1280, height: 900 });
    page.expectNoFaults();
  });
});
