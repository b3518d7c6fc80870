// glassbox-trainer without long training: what is read of the reader's input, the curve, what goes astray and comes back, saving that fails, and the widget in the page.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { nodeTraining } from '../../web/engine/node.js';
import { smoothed, trainingFigure } from '../../web/draw/training-figure.js';
import { errorSentence, strings } from '../../web/i18n/index.js';
import { Curve, Watch } from '../../web/parts/curve.js';
import { firstUnits, piecesOf } from '../../web/parts/training-look.js';
import { TrainingRun } from '../../web/parts/training-run.js';
import { cutText, fitsAttribute, mostBytes, readRate, readSize, readSteps, readTextFile, readTraining, takeFromText } from '../../web/parts/training.js';
import { figureFor } from '../../web/site/figures.js';
import { dist, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, root, settled, textIn, until as untilIn, useEmptyPage } from './browser.mjs';

const utf8 = (text) => new TextEncoder().encode(text);
const report = (step, loss, more = {}) => ({ step, tokens: 100 * step, loss, heldOut: null, gradientNorm: 1, learningRate: 0.004, ms: 5, diverged: false, ...more });

describe('what is read', () => {
  test('learning rates as readers type them', () => {
    assert.deepEqual(readRate('0.004'), { value: 0.004 });
    assert.deepEqual(readRate(' ０．００４ '), { value: 0.004 });
    assert.deepEqual(readRate('1e-3'), { value: 0.001 });
    assert.deepEqual(readRate('0,01'), { value: 0.01 });
    for (const [typed, fault] of [['', 'text'], ['很小', 'text'], ['0.1.2', 'text'], ['NaN', 'text'], ['Infinity', 'text'], ['0', 'zero'], ['-0.1', 'negative'], ['−0.1', 'negative'], ['1000', 'large'], ['1e999', 'large'], ['1e99', 'large']]) {
      assert.deepEqual(readRate(typed), { fault }, typed);
      for (const lang of ['zh', 'en']) assert.ok(strings(lang).trainer.rateFaults[fault].length > 20);
    }
  });

  test('sizes, steps and seeds; what is not understood is named and the usual value stands', () => {
    assert.deepEqual(['2 48 4 64', '2,48,4,64'].map((size) => readSize(size).layers), [2, 2]);
    for (const bad of ['huge', '0 48 4 64', '2 48 5 64', '2 48 4', '2 48 4 4', '99 48 4 64', '2 4.5 4 64']) assert.equal(readSize(bad), null, bad);
    assert.equal(readSteps('500'), 500);
    for (const bad of ['', '0', '-1', '1.5', 'x', '1e9']) assert.ok(Number.isNaN(readSteps(bad)), bad);
    assert.deepEqual(readTraining({}).bad, []);
    const read = readTraining({ corpus: 'klingon', size: 'huge', learningRate: 'x', seed: '-1', steps: '0', sampleEvery: 'never' });
    assert.deepEqual([...read.bad].sort(), ['corpus', 'learning-rate', 'sample-every', 'seed', 'size', 'steps']);
    assert.deepEqual({ ...read, bad: [] }, readTraining({}));
    assert.equal(readTraining({ text: '' }).corpus, 'own');
    assert.deepEqual(['zh', 'en'].map((language) => readTraining({ language }).corpus), ['zh', 'en']);
    assert.equal(readTraining({ text: 'abc', corpus: 'en' }).corpus, 'en');
  });

  test('files: UTF-8, UTF-16, GB 18030, and what is no text', () => {
    assert.deepEqual(readTextFile(utf8('小猫\r\n小狗')), { text: '小猫\n小狗', encoding: 'utf-8' });
    assert.deepEqual(readTextFile(Uint8Array.from([0xff, 0xfe, 0x0f, 0x5c, 0x2b, 0x73])), { text: '小猫', encoding: 'utf-16le' });
    assert.equal(readTextFile(Uint8Array.from([0xd0, 0xa1, 0xc3, 0xa8, 0xc3, 0xbb, 0xd3, 0xd0])).text, '小猫没有');
    assert.equal(readTextFile(utf8('🐱🐶🐰')).text, '🐱🐶🐰');
    const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * 2654435761) >>> 11);
    assert.equal(readTextFile(noise), null);
    assert.equal(readTextFile(Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82])), null);
  });

  test('long texts are cut between characters', () => {
    assert.deepEqual(cutText('小猫', 4), { text: '小', bytes: 3, cut: true });
    assert.deepEqual(cutText('小猫', 6), { text: '小猫', bytes: 6, cut: false });
    const { bytes, cut } = cutText('小猫没有跳上桌子。'.repeat(200_000));
    assert.ok(cut && bytes <= mostBytes && bytes > mostBytes - 4);
    assert.ok(fitsAttribute('x'.repeat(1000)) && !fitsAttribute('x'.repeat(100_000)));
  });

  test('a beginning and a short text are taken from any text', () => {
    assert.deepEqual(takeFromText('小猫没有跳上桌子，因为它太累了。\n下一句'), { beginning: '小猫', short: '小猫没有跳上桌子，因为它太累' });
    assert.equal(takeFromText('Once upon a time there was a cat who sat there.').beginning, 'Once');
    for (const text of ['abc', '🐱', '🐱🐶'.repeat(300), '   \n\nx', '。']) {
      const { beginning, short } = takeFromText(text);
      assert.ok(beginning && text.includes(beginning) && short && text.includes(short), text);
    }
  });
});

describe('the curve', () => {
  test('stays short, keeps its mean, its first and its last', () => {
    const curve = new Curve();
    let sum = 0;
    for (let step = 1; step <= 20_000; step += 1) {
      const loss = 2 + Math.sin(step);
      sum += loss;
      curve.add(report(step, loss, { heldOut: step % 20 ? null : loss, learningRate: step < 10_000 ? 0.004 : 0.002 }));
    }
    assert.ok(curve.points.length <= 400 && curve.points.length >= 150);
    assert.ok(curve.heldOut.length <= 200);
    assert.equal(curve.points[0].from, 1);
    assert.equal(curve.last, 20_000);
    assert.equal(curve.heldOut.at(-1).step, 20_000);
    const mean = curve.points.reduce((all, { from, to, loss }) => all + loss * (to - from + 1), 0) / 20_000;
    assert.ok(Math.abs(mean - sum / 20_000) < 1e-9);
    curve.points.slice(1).forEach((point, i) => assert.equal(point.from, curve.points[i].to + 1));
    assert.deepEqual(curve.rates.map(({ step }) => step), [1, 10_000]);
    assert.deepEqual(Curve.from(JSON.parse(JSON.stringify(curve))).toJSON(), curve.toJSON());
    curve.cutAfter(9000);
    assert.ok(curve.last <= 9000 && curve.rates.length === 1);
    for (const bad of [null, {}, { points: 3 }, { points: [{ loss: 'x' }], heldOut: [], rates: [] }]) assert.equal(Curve.from(bad).points.length, 0);
  });

  test('the running mean follows, and is the loss itself at the beginning', () => {
    const points = Array.from({ length: 100 }, (_, i) => ({ from: i + 1, to: i + 1, loss: 5 - i / 25 }));
    const line = smoothed(points);
    assert.equal(line[0].smooth, 5);
    line.forEach(({ loss, smooth }) => assert.ok(Math.abs(loss - smooth) < 0.1));
  });

  test('what goes astray is seen within a few steps; noise and a lucky step are not', () => {
    const watch = new Watch();
    for (let i = 0; i < 300; i += 1) assert.equal(watch.add(6 * Math.exp(-i / 60) + 1 + 0.4 * Math.sin(i * 7)), false, `${i}`);
    assert.ok(watch.healthy);
    let steps = 0;
    while (!watch.add(1.4 + 0.4 * steps)) steps += 1;
    assert.ok(steps > 2 && steps < 10, `after ${steps}`);
    assert.equal(new Watch().add(NaN), true);
    assert.equal(new Watch().add(Infinity), true);
    const first = new Watch();
    [6.2, 6.1, 6.2].forEach((loss) => first.add(loss));
    assert.equal(first.add(80), true);
  });

  test('drawings stand alone, wide and narrow, linear and logarithmic, in both themes', () => {
    const curve = new Curve();
    for (let step = 1; step <= 300; step += 1) curve.add(report(step, 6 * Math.exp(-step / 60) + 0.1, { heldOut: step % 20 ? null : 2, learningRate: step < 200 ? 0.004 : 0.3 }));
    curve.add(report(301, 500));
    for (const lang of ['zh', 'en']) {
      for (const width of [320, 720]) {
        for (const theme of ['light', 'dark']) {
          for (const log of [false, true]) {
            for (const points of [curve.points, curve.points.slice(0, 1), []]) {
              const svg = trainingFigure({ ...curve.toJSON(), points, chance: Math.log(512), log, title: 'x', lines: ['a'], samples: [{ name: 'b', text: 'c' }], words: strings(lang).trainer, theme, width });
              assert.match(svg, /^<svg [^]*<\/svg>$/);
              assert.doesNotMatch(svg, /NaN|undefined|Infinity|var\(|�/);
            }
          }
        }
      }
    }
  });

  test('tokens are shown as what they are: texts, and bytes that are none', () => {
    const bytes = (text) => Array.from(utf8(text));
    assert.deepEqual(piecesOf([bytes('小'), bytes('猫'), [0xe5], [0xb0], bytes('a')]), ['小猫', [0xe5, 0xb0], 'a']);
    assert.deepEqual(piecesOf([[0xe5, 0xb0], [0x8f]]), ['小']);
    assert.deepEqual(piecesOf([[0x12], bytes('a\n')]), [[0x12], 'a\n']);
    const weights = { shape: [2, 3, 3], data: Float32Array.from({ length: 18 }, (_, i) => i) };
    const each = firstUnits(weights, [{ start: 0, end: 1 }, { start: 1, end: 2 }]);
    assert.deepEqual([each.shape, [...each.data]], [[2, 2, 2], [0, 1, 3, 4, 9, 10, 12, 13]]);
    assert.deepEqual([...firstUnits(weights, [{ start: 0, end: 2 }, { start: 2, end: 3 }]).data], [3 + 4, 5, 6 + 7, 8, 12 + 13, 14, 15 + 16, 17]);
  });
});

const settings = { ...readTraining({ sampleEvery: '10' }), label: 'x' };

/** A trainer that answers at once; loss(step, rate) is what its steps report. */
function fakeTrainer(loss = (step) => 6 * Math.exp(-step / 50) + 1) {
  const trainer = {
    at: { step: 0, rate: settings.learningRate },
    calls: [],
    info: () => ({ parameters: 1000, nonEmbedding: 500, vocabSize: 512, size: { layers: 1, width: 32, heads: 2, context: 32 }, tokensPerStep: 100, tokens: { train: 1000, heldOut: 100 }, bytes: { train: 2000, heldOut: 300 }, step: trainer.at.step, tokensSeen: 100 * trainer.at.step, learningRate: trainer.at.rate, heldOut: 6.2, curve: [] }),
    async open() {
      return trainer.info();
    },
    async restore(bytes) {
      trainer.at = JSON.parse(new TextDecoder().decode(bytes));
      return trainer.info();
    },
    async step() {
      await new Promise(setImmediate); // as the worker's answers, which let others speak in between
      trainer.at.step += 1;
      const x = loss(trainer.at.step, trainer.at.rate);
      if (!Number.isFinite(x)) trainer.at.step -= 1;
      return report(trainer.at.step, x, { learningRate: trainer.at.rate, diverged: !Number.isFinite(x), heldOut: trainer.at.step % 20 ? null : 3 });
    },
    async setLearningRate(rate) {
      trainer.at.rate = rate;
    },
    checkpoint: async () => utf8(JSON.stringify(trainer.at)),
    model: async () => new Uint8Array(8),
    close: async () => void (trainer.closed = true),
  };
  return trainer;
}

const fakeEngine = {
  addModel: async () => ({ name: 'memory:0' }),
  removeModel: async () => {},
  load: async () => ({ config: { nLayer: 1 } }),
  generate: async () => ({ ids: [1] }),
  embedding: async () => ({ bytes: [[97]] }),
  trace: async () => ({ bytes: [[97]], activations: { 'h.0.attn.weights': { shape: [1, 1, 1], data: Float32Array.of(1) } } }),
};

const until = async (check) => {
  for (let i = 0; i < 2000 && !check(); i += 1) await new Promise((done) => setTimeout(done, 1));
  assert.ok(check());
};

async function openRun({ trainer = fakeTrainer(), store = { saveTraining: async () => {} }, target = 100 } = {}) {
  const run = new TrainingRun({ id: 'a', settings, trainer, engine: fakeEngine, store, changed: () => {} });
  run.target = target;
  await run.open({ text: '小猫没有跳上桌子，因为它太累了。' });
  return run;
}

describe('a run', () => {
  test('stops at its target, with samples on exact steps and everything saved; it can go on', async () => {
    const kept = [];
    const run = await openRun({ store: { saveTraining: async (id, saved) => kept.push(saved) } });
    assert.equal(run.state, 'paused');
    run.run();
    await until(() => run.state === 'paused' && run.saved);
    assert.equal(run.step, 100);
    assert.ok(run.done);
    await until(() => run.samples.at(-1).step === 100);
    assert.ok(run.samples.every(({ step }) => step % 10 === 0));
    const { summary } = kept.at(-1);
    assert.deepEqual([summary.id, summary.step, summary.tokensSeen, summary.ownText, summary.heldOutLoss], ['a', 100, 10_000, false, 3]);
    assert.equal(summary.heldOutLossPerByte, 1);
    run.run();
    await until(() => run.step > 120);
    await run.pause();
    assert.equal(run.state, 'paused');
    const restored = new TrainingRun({ id: 'a', settings, trainer: fakeTrainer(), engine: fakeEngine, store: null, changed: () => {} });
    const { checkpoint } = await run.keep();
    await restored.restore({ checkpoint, summary: JSON.parse(JSON.stringify(run.summary)) });
    assert.deepEqual([restored.step, restored.curve.toJSON(), restored.samples.length], [run.step, JSON.parse(JSON.stringify(run.curve)), run.samples.length]);
  });

  for (const [what, loss] of [
    ['rises', (step, rate) => (rate > 0.1 ? 3 + step / 10 : 6 * Math.exp(-step / 50) + 1)],
    ['is no number', (step, rate) => (rate > 0.1 ? NaN : 6 * Math.exp(-step / 50) + 1)],
  ]) {
    test(`a loss that ${what} stops it, and the one action leads back to where all was well`, async () => {
      const run = await openRun({ trainer: fakeTrainer(loss), target: Infinity });
      run.run();
      await until(() => run.step >= 60);
      await run.setRate(0.3);
      const good = run.goodStep;
      await until(() => run.state === 'astray');
      assert.ok(good >= 60, `${good}`);
      assert.deepEqual([run.astray.rate, run.astray.next], [0.3, settings.learningRate]);
      await run.goBack();
      assert.deepEqual([run.state, run.step, run.rate, run.astray], ['paused', good, settings.learningRate, null]);
      assert.ok(run.curve.last <= good);
      run.run();
      await until(() => run.step > good + 50);
      await run.pause();
      assert.equal(run.state, 'paused');
    });
  }

  test('storage that is denied or full is said, and training goes on', async () => {
    for (const code of ['storage_denied', 'storage_full']) {
      const run = await openRun({ store: { saveTraining: async () => Promise.reject(Object.assign(new Error('no'), { code })) } });
      run.run();
      await until(() => run.state === 'paused' && run.storageFault);
      assert.deepEqual([run.storageFault, run.step, run.saved], [code, 100, null]);
      assert.equal(await run.save(), false);
      for (const lang of ['zh', 'en']) assert.ok(strings(lang).trainer.storage[code]);
      run.run();
      await until(() => run.step > 150);
      await run.close();
    }
  });

  test('a crash is told, and it goes on from the last good state', async () => {
    const trainer = fakeTrainer();
    const run = await openRun({ trainer, target: Infinity });
    run.run();
    await until(() => run.step >= 30);
    await run.setRate(0.002);
    const { step } = trainer;
    trainer.step = async () => Promise.reject(Object.assign(new Error('gone'), { code: 'crashed' }));
    await until(() => run.state === 'failed');
    assert.equal(run.failure.code, 'crashed');
    assert.ok(errorSentence(run.failure.code, 'zh'));
    trainer.step = step;
    await run.recover();
    assert.deepEqual([run.state, run.failure], ['paused', null]);
    assert.ok(run.step >= 30);
    await run.stepOnce();
    assert.equal(run.state, 'paused');
  });

  test('one step is one step', async () => {
    const run = await openRun();
    await run.stepOnce();
    await run.stepOnce();
    assert.deepEqual([run.step, run.state], [2, 'paused']);
  });
});

test('a text to measure by is measured and not learned: learned by heart, its loss rises; kept by a checkpoint', async () => {
  const engineDir = resolve(process.env.GLASSBOX_WASM || join(root, 'build/wasm'));
  const training = await nodeTraining({ engineDir });
  const sentence = (who, what, how) => `${who}没有跳上${what}，因为它太${how}了。`;
  const text = [sentence('小猫', '桌子', '累'), sentence('小狗', '沙发', '困'), sentence('小兔', '台阶', '饿')].join('\n\n');
  const heldOut = `\r\n${sentence('小熊', '屋顶', '滑')}\r\n\r\n${sentence('猴子', '椅子', '高')}\n`;
  const options = { text, heldOut, size: { layers: 1, width: 32, heads: 2, context: 32 }, vocabSize: 512, tokensPerStep: 512, learningRate: 0.01, seed: 1 };
  const info = await training.open(options);
  const bytes = (string) => new TextEncoder().encode(string.replace(/\s/g, '')).length;
  assert.deepEqual(info.bytes, { train: bytes(text), heldOut: bytes(heldOut) });
  const reports = Array.from({ length: 100 }, () => training.step());
  assert.ok(reports.at(-1).loss < 0.1);
  const measured = reports.map((one) => one.heldOut).filter((loss) => loss !== null);
  assert.ok(measured.at(-1) > measured[0] + 1, measured.join(' '));
  const again = await nodeTraining({ engineDir });
  const kept = await again.restore(training.checkpoint());
  assert.deepEqual([kept.step, kept.tokens, kept.heldOut], [100, info.tokens, measured.at(-1)]);
  assert.equal(again.step().loss, training.step().loss);
  await assert.rejects(training.open({ ...options, heldOut: 3 }), { code: 'bad_argument' });
  await assert.rejects(training.open({ ...options, text: ' ' }), { code: 'empty_text' });
});

test('the first figure is a real run, in both themes, with no style that a strict policy refuses', async () => {
  const attributes = { text: '小猫没有跳上桌子，因为它太累了。\n\n小狗没有跳上沙发，因为它太困了。', size: '1 16 2 16', steps: '30' };
  const node = await openNodeEngine();
  const markup = await figureFor('glassbox-trainer', attributes, node);
  assert.ok(markup.includes('<figure class="first"') && !/NaN|undefined|Infinity|\sstyle=|var\(|\ufffd/.test(markup));
  assert.match(markup, /30 步/);
  for (const bad of [{ size: 'huge' }, { 'learning-rate': '-1' }, { steps: 'x' }]) await assert.rejects(figureFor('glassbox-trainer', bad, node), /not to be read/);
});

describe('in a browser', () => {
  const tag = 'glassbox-trainer';
  const words = strings('zh').trainer;
  const tiny = { text: '小猫没有跳上桌子，因为它太累了。\n\n小狗没有跳上沙发，因为它太困了。', size: '1 16 2 16', steps: '30', 'sample-every': '10' };
  let site;
  let browser;
  let page;
  let folder;
  useEmptyPage((opened) => ({ browser, site, page } = opened));
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'glassbox-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const press = async (widget, selector) => (await inside(widget, selector)).evaluate((button) => button.click());
  const stateOf = (widget) => widget.evaluate(({ run }) => run && { state: run.state, step: run.step, rate: run.rate, samples: run.samples.length });
  const rests = (widget, step) => untilIn(page, `it rests at ${step}`, (element, wanted) => element.run?.state === 'paused' && (wanted === null || element.run.step === wanted) && element.shadowRoot.querySelector('#resume'), widget, step ?? null);
  const type = (widget, selector, text) =>
    widget.evaluate(
      async (element, wanted, typed) => {
        const field = element.shadowRoot.querySelector(wanted);
        field.value = typed;
        field.dispatchEvent(new Event('change', { bubbles: true }));
        await element.updateComplete;
      },
      selector,
      text,
    );

  test('before anybody starts, nothing for training is loaded; what is typed wrong is said and changes nothing', async () => {
    const widget = await putWidget(page, tag, { size: 'huge' });
    assert.ok(!site.asked.some((path) => path.startsWith('trainer/')));
    assert.match(await textIn(widget, '.notes'), /size/);
    const cards = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.size-card')].map((card) => card.innerText));
    assert.ok(cards.length >= 4 && cards.every((card) => /个参数/.test(card)));
    assert.equal(await textIn(widget, '#estimate'), words.estimateNone);
    await press(widget, '#more');
    for (const [typed, fault] of [['很小', 'text'], ['0', 'zero'], ['1000', 'large'], ['-1', 'negative']]) {
      await type(widget, '#rate', typed);
      assert.equal(await textIn(widget, '#rate-fault'), words.rateFaults[fault]);
      assert.equal(await widget.evaluate((element) => element.getAttribute('learning-rate')), null);
    }
    await type(widget, '#rate', '０．０１');
    assert.equal(await widget.evaluate((element) => element.getAttribute('learning-rate')), '0.01');
    assert.equal(await textIn(widget, '#rate-fault'), null);
    await type(widget, '#steps', 'viele');
    assert.match(await textIn(widget, '.more-settings'), /100,000/);
    assert.deepEqual((await findBarriers(page)).filter((line) => !line.startsWith('page-has-heading-one')), []); // the heading gave way to the widget
    page.expectNoFaults();
  });

  test('a text to measure by gives another title and hint, as long as an own text is learned', async () => {
    const widget = await putWidget(page, tag, { ...tiny, text: '猫睡了。', 'held-out': '狗睡了。' });
    assert.deepEqual([await textIn(widget, '#title'), await textIn(widget, '.own-more .hint')], [words.pair.title, words.pair.ownHere]);
    await widget.evaluate((element) => element.removeAttribute('held-out'));
    await settled(page, widget);
    assert.deepEqual([await textIn(widget, '#title'), await textIn(widget, '.own-more .hint')], [words.title, words.ownHere]);
    await widget.evaluate((element) => (element.heldOut = '狗睡了。'));
    await widget.evaluate((element) => (element.corpus = 'zh'));
    await settled(page, widget);
    assert.equal(await textIn(widget, '#title'), words.title);
    page.expectNoFaults();
  });

  test('run, stop at the end, one step, another rate, astray and back, a new start and back again', async () => {
    const widget = await putWidget(page, tag, tiny);
    await press(widget, '#start');
    await rests(widget, 30);
    await untilIn(page, 'four samples', (element) => element.run.samples.length === 4, widget);
    assert.match(await textIn(widget, '.stage'), /30/);
    assert.equal(await textIn(widget, '#stat-step'), '30');
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('#curve path[data-line="train"]').length), 1);
    assert.ok(await widget.evaluate((element) => Boolean(element.shadowRoot.querySelector('#grid td'))));
    assert.deepEqual((await findBarriers(page)).filter((line) => !line.startsWith('page-has-heading-one')), []); // the heading gave way to the widget
    await press(widget, '#one');
    await rests(widget, 31);
    await press(widget, '#rate-double');
    await untilIn(page, 'twice the rate', (element) => element.run.rate === 0.006 && element.getAttribute('learning-rate') === '0.006', widget);
    await press(widget, '#rate-half');
    await type(widget, '#rate', '1');
    await press(widget, '#resume');
    await untilIn(page, 'it goes astray', (element) => element.shadowRoot.querySelector('#astray'), widget);
    assert.match(await textIn(widget, '#astray'), /发散/);
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelector('#download').getAttribute('aria-disabled')), 'true');
    await press(widget, '#go-back');
    await rests(widget);
    const back = await stateOf(widget);
    assert.deepEqual([back.step <= 31, back.rate], [true, 0.003]);
    await press(widget, '#one');
    await rests(widget, back.step + 1);
    assert.ok((await widget.evaluate((element) => element.exports().table().rows.length)) >= back.step);
    const picture = await widget.evaluate((element) => element.exports().svg('dark'));
    assert.ok(/^<svg /.test(picture) && !/NaN|undefined|Infinity|var\(|\ufffd/.test(picture));
    await press(widget, '#anew');
    await untilIn(page, 'the setup', (element) => element.shadowRoot.querySelector('#undo'), widget);
    assert.notEqual(await textIn(widget, '#estimate'), words.estimateNone);
    await (await inside(widget, '#undo')).focus();
    await page.keyboard.press('Enter');
    await rests(widget, back.step + 1);
    await untilIn(page, 'the keyboard is in place', (element) => element.shadowRoot.activeElement?.id === 'resume', widget);
    const { short } = await widget.evaluate(({ run }) => run.taken);
    await Promise.all([page.waitForNavigation(), press(widget, '#open-there')]);
    const figure = await page.waitForSelector('glassbox-attention');
    await figure.evaluate((element) => element.scrollIntoView());
    await untilIn(page, 'lesson 4 shows the trained model', (element, text) => element.result?.model === 'saved' && element.text === text && element.result.config.nEmbd === 16, figure, short);
    page.expectNoFaults();
    await page.goto(new URL('index.html', site.url).href);
  });

  test('three characters, emoji, a blank text, a binary file, five megabytes', async () => {
    for (const text of ['小猫。', '🐱🐶🐰🐻🐵']) {
      const widget = await putWidget(page, tag, { ...tiny, text });
      await press(widget, '#one');
      await rests(widget, 1);
    }
    const widget = await putWidget(page, tag, { ...tiny, text: ' ' });
    await press(widget, '#start');
    await untilIn(page, 'it is said', (element) => element.shadowRoot.querySelector('.err'), widget);
    assert.equal(await textIn(widget, '.err span'), errorSentence('empty_text', 'zh'));
    await writeFile(join(folder, 'picture.png'), Uint8Array.from({ length: 4000 }, (_, i) => (i * 2654435761) >>> 9));
    await writeFile(join(folder, 'long.txt'), '小猫没有跳上桌子，因为它太累了。\n\n'.repeat(100_000));
    const field = await inside(widget, '#text-file');
    await field.uploadFile(join(folder, 'picture.png'));
    await untilIn(page, 'it is said', (element, said) => element.shadowRoot.querySelector('.notes')?.innerText.includes(said), widget, words.noText);
    assert.equal(await widget.evaluate((element) => element.getAttribute('text')), ' ');
    await field.uploadFile(join(folder, 'long.txt'));
    await untilIn(page, 'it is taken', (element) => !element.stale && element.result?.cut && /2 MB/.test(element.shadowRoot.querySelector('.notes').innerText), widget);
    assert.match(await textIn(widget, '#file-is'), /long\.txt，5/);
    page.expectNoFaults();
  });

  test('two trainers on one page do not disturb each other; out of sight they stop, and go on when seen', async () => {
    await putWidget(page, tag, tiny);
    const pair = await page.evaluateHandle(
      (name, given) => {
        const two = ['a', 'b'].map((id) => {
          const element = document.createElement(name);
          for (const [key, value] of Object.entries({ ...given, id, steps: '100000' })) element.setAttribute(key, value);
          return element;
        });
        document.querySelector('main').replaceChildren(...two);
        return two;
      },
      tag,
      tiny,
    );
    const [a, b] = [await pair.getProperty('0'), await pair.getProperty('1')];
    for (const widget of [a, b]) {
      await settled(page, widget);
      await press(widget, '#start');
    }
    for (const widget of [a, b]) await untilIn(page, 'both train', (element) => element.run?.step > 20, widget);
    const losses = await Promise.all([a, b].map((widget) => widget.evaluate(({ run }) => run.curve.points.slice(0, 20).map(({ loss }) => loss))));
    assert.deepEqual(losses[0], losses[1], 'the same seed, the same losses');
    const see = (state) =>
      page.evaluate((now) => {
        Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await see('hidden');
    await rests(a);
    await rests(b);
    const at = await stateOf(a);
    await untilIn(page, 'it is said', (element, step) => element.shadowRoot.querySelector('.notes')?.innerText.includes(`第 ${step} 步停下`), a, at.step);
    await see('visible');
    await untilIn(page, 'it goes on', (element, step) => element.run.state === 'running' && element.run.step > step, a, at.step);
    assert.match(await textIn(a, '.notes'), /接着练/);
    await press(a, '#pause');
    await rests(a);
    assert.equal((await stateOf(b)).state, 'running');
    page.expectNoFaults();
  });

  test('without storage it trains on and says so; on a small phone nothing is too wide or too small', async () => {
    const other = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    await other.evaluateOnNewDocument(() => {
      const open = () => {
        throw new DOMException('denied', 'SecurityError');
      };
      Object.defineProperty(globalThis, 'indexedDB', { value: { open } });
    });
    await other.reload();
    const widget = await putWidget(other, tag, { ...tiny, lang: 'en' });
    const small = () =>
      widget.evaluate((element) =>
        [...element.shadowRoot.querySelectorAll('button, summary, select, label.size-card, input:not([type="file"], [type="radio"])')]
          .map((one) => [one.id || one.textContent, one.getBoundingClientRect()])
          .filter(([, { width, height }]) => width > 0 && (height < 43.5 || width < 43.5))
          .map(([name]) => name),
      );
    assert.deepEqual(await small(), []);
    assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    await press(widget, '#start');
    await untilIn(other, 'it rests', (element) => element.run?.state === 'paused' && element.run.step === 30 && element.run.storageFault, widget);
    await untilIn(other, 'it is said', (element, said) => element.shadowRoot.querySelector('.notes')?.innerText.includes(said), widget, strings('en').trainer.storage.storage_denied);
    assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    assert.deepEqual(await small(), []);
    other.expectNoFaults();
    await other.dispose();
  });

  test('a figure of attention takes a model file; what is none changes nothing', async () => {
    const whole = await readFile(join(dist, 'models/builtin/model.safetensors'));
    await writeFile(join(folder, 'cut.safetensors'), whole.subarray(0, whole.length / 2));
    await writeFile(join(folder, 'none.safetensors'), 'this is no model');
    await writeFile(join(folder, 'foreign.safetensors'), whole);
    const widget = await putWidget(page, 'glassbox-attention', { text: 'Thank you very' });
    const { errors, kept } = strings('zh').modelChoice;
    const before = await widget.evaluate(({ result }) => result.hash);
    for (const [name, code] of [['cut', 'bad_model'], ['none', 'bad_model'], ['foreign', 'no_tokenizer']]) {
      await (await inside(widget, '#model-file')).uploadFile(join(folder, `${name}.safetensors`));
      await untilIn(page, name, (element, said) => element.shadowRoot.querySelector('#model-fault')?.innerText === said, widget, errors[code] + kept);
      assert.deepEqual(await widget.evaluate(({ result, model: now }) => [result.hash, now ?? null]), [before, null]);
    }
    page.expectNoFaults();
  });
});
