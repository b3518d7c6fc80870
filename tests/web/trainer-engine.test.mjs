// Training in a page: the trainer's module in Node and in a worker, its models in the engine, and what this browser keeps of them.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { importPackage } from '../../tools/packages.mjs';
import { sha256, shortHash } from '../../web/engine/hash.js';
import { nodeTraining } from '../../web/engine/node.js';
import { estimate, trainingSizes } from '../../web/engine/trainer-sizes.js';
import { errorSentence } from '../../web/i18n/index.js';
import { json } from '../command/run.mjs';
import { dist, openBrowser, openNodeEngine, openPage, openSite, root, until } from './browser.mjs';

const engineDir = resolve(process.env.GLASSBOX_WASM || join(root, 'build/wasm'));
const tiny = { size: { layers: 1, width: 16, heads: 2, context: 16 }, vocabSize: 300, tokensPerStep: 64, learningRate: 0.01, seed: 1 };
const someText = Array.from({ length: 60 }, (_, d) => `小猫没有跳上桌子，因为它太${d % 2 === 0 ? '累' : '高'}了。\n\n`).join('');
const openTraining = (listener) => nodeTraining({ engineDir }, listener);
const same = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;

async function codeOf(call) {
  try {
    await call();
    return null;
  } catch (error) {
    assert.equal(error.name, 'EngineError', String(error.stack));
    return error.code;
  }
}

/** Takes so many steps → the last report. */
function take(training, steps) {
  let report;
  for (let i = 0; i < steps; i += 1) report = training.step();
  return report;
}

describe('in Node', () => {
  test('a text is learned; saved and gone on with elsewhere, the weights are those of an unbroken run', async () => {
    const plain = await openTraining();
    const info = await plain.open({ text: someText, ...tiny });
    assert.equal(info.bytes.train + info.bytes.heldOut, Buffer.byteLength(someText.replaceAll('\n', '')));
    assert.ok(Math.abs(info.heldOut - Math.log(info.vocabSize)) < 1);
    take(plain, 25);
    const checkpoint = plain.checkpoint();
    take(plain, 25);
    const other = await openTraining();
    const restored = await other.restore(checkpoint);
    assert.deepEqual({ ...restored, heldOut: null, curve: null }, { ...info, step: 25, tokensSeen: 25 * info.tokensPerStep, heldOut: null, curve: null });
    assert.equal(restored.curve.length, 25);
    take(other, 25);
    assert.ok(same(other.model(), plain.model()));
    assert.ok(same(other.checkpoint(), plain.checkpoint()));
    assert.ok(other.heldOut() < info.heldOut / 2);
  });

  test('the bits are those of the native build', async () => {
    const training = await openTraining();
    await training.open({ text: someText, ...tiny });
    take(training, 40);
    const native = await readFile(join(root, 'tests/engine/text_training_test.cpp'), 'utf8');
    assert.ok(native.includes(sha256(training.model())), `${sha256(training.model())} is not what tests/engine/text_training_test.cpp expects`);
  });

  test('over 2,000 steps memory stays as it is, and the curve within its bounds', async () => {
    const reports = [];
    let ended;
    const end = new Promise((done) => (ended = done));
    const training = await openTraining({ report: (some) => reports.push(...some) >= 2000 && training.pause(), stopped: (how) => ended(how) });
    await training.open({ text: someText, ...tiny });
    take(training, 100);
    training.checkpoint();
    const before = training.settings().memoryBytes;
    await training.run();
    assert.equal(await codeOf(() => training.step()), 'busy');
    assert.deepEqual(await end, { reason: 'paused' });
    assert.equal(training.settings().memoryBytes, before);
    assert.deepEqual(reports.map(({ step }) => step), Array.from(reports, (_, i) => i + 1));
    assert.ok(reports.every(({ heldOut, step }) => (heldOut !== null) === (step % 20 === 0)));
    const { curve } = await (await openTraining()).restore(training.checkpoint());
    assert.ok(curve.length > 100 && curve.length <= 512, `${curve.length} points`);
    assert.ok(curve.every(({ step }, i) => i === 0 || step > curve[i - 1].step));
  });

  test('what can’t be learned from, and what can', async () => {
    const training = await openTraining();
    const open = (options) => codeOf(() => training.open({ text: someText, ...tiny, ...options }));
    for (const [code, options] of [
      ['empty_text', { text: '' }],
      ['empty_text', { text: ' \n\t　' }],
      ['not_text', { text: Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0) }],
      ['not_text', { text: Uint8Array.of(0xff, 0xfe, 0x41) }],
      ['not_text', { text: '\ud800'.repeat(50) }],
      ['text_too_long', { text: 'a'.repeat(8_000_001) }],
      ['bad_argument', { text: 7 }],
      ['bad_argument', { size: { ...tiny.size, heads: 3 } }],
      ['bad_argument', { size: { ...tiny.size, width: 0 } }],
      ['bad_argument', { size: { ...tiny.size, layers: 1.5 } }],
      ['bad_argument', { size: undefined }],
      ['bad_argument', { vocabSize: 100_000 }],
      ['bad_argument', { tokensPerStep: '64' }],
      ['bad_argument', { learningRate: -1 }],
      ['bad_argument', { seed: -1 }],
    ]) assert.equal(await open(options), code, JSON.stringify(options).slice(0, 80));
    assert.equal(await codeOf(() => training.step()), 'no_training');
    assert.equal(await codeOf(() => training.restore(Uint8Array.of(1, 2, 3))), 'bad_checkpoint');
    for (const text of ['你好吗', 'a', '😀🎉😀', '今天天气真好，我们去公园玩。\ud800', new TextEncoder().encode('小猫。小狗。')]) {
      const info = await training.open({ ...tiny, text });
      assert.equal(info.heldOut, null);
      assert.ok(Number.isFinite(take(training, 3).loss));
    }
    assert.equal(await codeOf(() => training.restore(training.model())), 'bad_checkpoint');
    assert.ok(Number.isFinite(training.step().loss)); // what was there is still there
  });

  test('the learning rate: 0 moves no weight, 1000 diverges, and there is a way back', async () => {
    const training = await openTraining();
    await training.open({ text: someText, ...tiny });
    take(training, 40);
    for (const rate of [NaN, Infinity, -0.1, '0.01', null, undefined]) assert.equal(await codeOf(() => training.setLearningRate(rate)), 'bad_argument', String(rate));
    training.setLearningRate(0);
    const before = training.model();
    assert.equal(training.step().learningRate, 0);
    assert.ok(same(training.model(), before));
    training.setLearningRate(1000);
    let report;
    for (let i = 0; i < 500 && !report?.diverged; i += 1) report = training.step();
    assert.equal(report.diverged, true);
    assert.ok(!Number.isFinite(report.loss) || !Number.isFinite(report.gradientNorm));
    assert.equal(await codeOf(() => training.checkpoint()), 'diverged');
    assert.equal(await codeOf(() => training.model()), 'diverged');
    const { rewindStep } = training.settings();
    assert.deepEqual(training.rewind(), { step: rewindStep, tokensSeen: 64 * rewindStep });
    training.setLearningRate(0.01);
    report = take(training, 5);
    assert.ok(!report.diverged && report.loss < 3, `${report.loss}`);
  });

  test('the model in the engine guesses as well as the trainer measures', async () => {
    // Without merges a token is a byte, so that the rows set apart can be told from the text.
    const text = Array.from({ length: 400 }, (_, i) => `${i} + 1 = ${i + 1}. `).join('');
    const [training, engine] = await Promise.all([openTraining(), openNodeEngine()]);
    const info = await training.open({ ...tiny, text, vocabSize: 257 });
    take(training, 60);
    engine.addModel('memory:x', 'x', training.model());
    const ids = [...Buffer.from(text.trimEnd())].map((byte) => String.fromCharCode(byte));
    const stride = tiny.size.context / 4;
    const starts = Array.from({ length: Math.ceil(ids.length / stride) }, (_, i) => i * stride);
    const apart = starts.slice(starts.length - info.documents.heldOut);
    const T = info.rowTokens;
    const rows = Math.min(Math.floor(4096 / T), apart.length);
    let [sum, count] = [0, 0];
    for (let b = 0; b < rows; b += 1) {
      const begin = Math.min(apart[Math.floor((b * apart.length) / rows)], ids.length + 1 - T - 1);
      const row = ids.slice(begin, begin + T + 1);
      const { activations, ids: read } = await engine.trace(row.slice(0, T).join(''), { model: 'memory:x', names: ['logits'] });
      assert.equal(read.length, T);
      const { data, shape } = activations.logits;
      const targets = (await engine.tokenize(row.slice(1).join(''), { model: 'memory:x' })).ids;
      for (let t = 0; t < targets.length; t += 1) {
        const logits = data.subarray(t * shape[1], (t + 1) * shape[1]);
        sum += Math.log(logits.reduce((total, x) => total + Math.exp(x), 0)) - logits[targets[t]];
        count += 1;
      }
    }
    // The text's end is a target too, which the rows here leave out.
    assert.ok(Math.abs(sum / count - training.heldOut()) < 0.02, `${sum / count} and ${training.heldOut()}`);
    await engine.removeModel('memory:x');
    assert.equal(await codeOf(() => engine.next('1', { model: 'memory:x' })), 'no_file');
  });

  test('sizes: what is estimated is what there is; hashes without crypto.subtle', async () => {
    const training = await openTraining();
    const info = await training.open({ text: someText, ...tiny });
    const guessed = estimate({ ...tiny, vocabSize: info.vocabSize });
    assert.deepEqual([guessed.parameters, guessed.nonEmbedding], [info.parameters, info.nonEmbedding]);
    assert.ok(Object.keys(trainingSizes).every((size) => estimate({ size }).multiplyAdds > 1e6));
    for (const length of [0, 1, 55, 56, 63, 64, 65, 1000]) {
      const bytes = new Uint8Array(length + 1).map((_, i) => i * 7).subarray(1);
      const expected = createHash('sha256').update(bytes).digest('hex');
      assert.equal(sha256(bytes), expected);
      assert.equal(await shortHash(bytes), expected.slice(0, 8));
    }
    for (const code of ['not_text', 'text_too_long', 'bad_checkpoint', 'diverged', 'no_training', 'busy', 'storage_denied', 'storage_full', 'no_saved_model']) {
      for (const language of ['zh', 'en']) assert.notEqual(errorSentence(code, language), errorSentence('unknown', language), code);
    }
  });
});

describe('in the browser', () => {
  let browser;
  let site;
  let page;
  let folder;

  before(async () => {
    [browser, site, folder] = await Promise.all([openBrowser(), openSite(), mkdtemp(join(tmpdir(), 'glassbox-trainer-'))]);
    const { build } = await importPackage('esbuild');
    const { outputFiles } = await build({
      stdin: {
        contents: `import { EngineClient, setEngineRoot } from './client.js';
          import * as saved from './saved.js';
          import { TrainerClient } from './trainer-client.js';
          setEngineRoot(new URL('..', import.meta.url));
          const client = new EngineClient(new URL('..', import.meta.url));
          Object.assign(globalThis, { client, saved, TrainerClient, codeOf: (promise) => promise.then(() => null, (error) => error.code ?? String(error)) });`,
        resolveDir: join(root, 'web/engine'),
      },
      bundle: true,
      format: 'esm',
      write: false,
    });
    site.overrides.set('test/trainer.js', { type: 'text/javascript', body: Buffer.from(outputFiles[0].contents) });
    site.overrides.set('test/trainer.html', {
      type: 'text/html; charset=utf-8',
      body: '<!doctype html><html lang="en"><title>Trainer</title><link rel="icon" href="../site/icon.svg"><script type="module" src="trainer.js"></script><main></main></html>',
    });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    site.overrides.delete('trainer/worker.js');
    site.overrides.delete('trainer/trainer.wasm');
    await page?.dispose();
    page = null;
  });
  const open = async (options) => {
    page = await openPage(browser, site, 'test/trainer.html', options);
    await until(page, 'the client is there', () => globalThis.TrainerClient);
  };

  test('the loss halves; a checkpoint goes on the same; the model answers here, natively, and on another page', async () => {
    await open();
    const learned = await page.evaluate(async () => {
      const text = await (await fetch('../texts/stories-zh.txt')).text();
      const trainer = new TrainerClient();
      const phases = new Set();
      const info = await trainer.open({ text }, { onProgress: ({ phase }) => phases.add(phase) });
      const losses = [];
      const stopped = new Promise((done) => (trainer.onStop = done));
      const learned = new Promise((done) => {
        trainer.onReport = ({ loss }) => {
          losses.push(loss);
          if (loss < info.heldOut / 2) done();
        };
      });
      await trainer.run();
      await learned;
      const asked = performance.now();
      const { step } = await trainer.pause();
      const pauseMs = performance.now() - asked;
      const steps = losses.length;
      const checkpoint = await trainer.checkpoint();
      const other = new TrainerClient();
      const restored = await other.restore(checkpoint);
      const plain = [await trainer.step(), await trainer.step()];
      const resumed = [await other.step(), await other.step()];
      const model = await trainer.model();
      const sameModel = (await other.model()).every((byte, i) => byte === model[i]);
      await other.close();
      const { name, hash } = await client.addModel(model);
      const candidates = (await client.next('从前', { model: name, top: 5 })).candidates;
      const loaded = await client.load(name);
      await saved.saveTraining('test', { checkpoint, model, summary: { name: '测试', date: '2024-01-02T03:04:05Z', step, ownText: false } });
      globalThis.trainer = trainer;
      const strip = (reports) => reports.map(({ ms, ...rest }) => rest);
      return {
        phases: [...phases], info, steps, step, pauseMs, stop: await stopped, restoredStep: restored.step, curve: restored.curve.length,
        plain: strip(plain), resumed: strip(resumed), sameModel, name, hash, loaded, candidates, model: Array.from(model),
        codes: [await codeOf(trainer.setLearningRate('fast')), await codeOf(trainer.open({ text: '' })), await codeOf(client.next('从前', { model: 'memory:00000000' }))],
      };
    });
    assert.deepEqual(learned.phases, ['tokenizer', 'tokens', 'weights']);
    assert.deepEqual(learned.stop, { reason: 'paused' });
    assert.equal(learned.step, learned.steps);
    assert.equal(learned.restoredStep, learned.step);
    assert.ok(learned.curve > 0);
    assert.ok(learned.pauseMs < 3000, `paused after ${learned.pauseMs} ms`);
    assert.deepEqual(learned.resumed, learned.plain);
    assert.ok(learned.sameModel);
    assert.equal(learned.info.tokens.heldOut > 0, true);
    assert.deepEqual(learned.codes, ['bad_argument', 'empty_text', 'no_file']);
    const model = Buffer.from(learned.model);
    assert.equal(learned.hash, sha256(model).slice(0, 8));
    assert.deepEqual([learned.loaded.name, learned.loaded.hash, learned.loaded.hasTokenizer, learned.loaded.config.nHead], [learned.name, learned.hash, true, 4]);

    const file = join(folder, 'model.safetensors');
    await writeFile(file, model);
    const native = await json('next', '从前', '--model', file, '--top', '5');
    assert.deepEqual(learned.candidates, native.candidates.map((one) => ({ ...one, p: Math.fround(one.p), logit: Math.fround(one.logit) })));

    const second = await page.browserContext().newPage();
    await second.goto(new URL('test/trainer.html', site.url).href, { waitUntil: 'load' });
    await second.waitForFunction(() => globalThis.TrainerClient);
    const kept = await second.evaluate(async () => {
      const { summary, checkpoint } = await saved.loadTraining('test');
      const first = await client.next('从前', { model: 'saved', top: 5 });
      const byId = await client.load('saved:test');
      await client.restart();
      const again = await client.next('从前', { model: 'saved', top: 5 }); // a new worker is given it anew
      const list = await saved.listTrainings();
      await saved.deleteTraining('test');
      return {
        summary, list, checkpoint: checkpoint.length, first: first.candidates, again: again.candidates, hash: byId.hash,
        codes: [await codeOf(client.next('从前', { model: 'saved' })), await codeOf(saved.loadTraining('test')), await codeOf(client.load('saved:test'))], none: await saved.listTrainings(),
      };
    });
    assert.deepEqual(kept.first, learned.candidates);
    assert.deepEqual(kept.again, learned.candidates);
    assert.equal(kept.hash, learned.hash);
    assert.deepEqual(kept.list, [kept.summary]);
    assert.deepEqual([kept.summary.id, kept.summary.name], ['test', '测试']);
    assert.deepEqual(kept.codes, ['no_saved_model', 'no_saved_model', 'no_saved_model']);
    assert.deepEqual(kept.none, []);
    page.expectNoFaults();
  });

  test('cancelled, closed, crashed, or without its files; storage that is denied or full', async () => {
    await open({ allow: [/404/, /500/, /wasm/i] });
    const text = someText;
    const worker = await readFile(join(dist, 'trainer/worker.js'), 'utf8');
    const codes = await page.evaluate(async (text) => {
      const trainer = new TrainerClient();
      const cancel = new AbortController();
      const codes = { none: await codeOf(trainer.step()) };
      const opening = codeOf(trainer.open({ text, size: 'tiny' }, { signal: cancel.signal }));
      setTimeout(() => cancel.abort(), 1);
      codes.cancelled = await opening;
      await trainer.open({ text, size: 'tiny' });
      await trainer.run();
      codes.busy = [await codeOf(trainer.step()), await codeOf(trainer.open({ text })), await codeOf(trainer.rewind())];
      await trainer.setLearningRate(0.001);
      const waiting = codeOf(trainer.checkpoint());
      await trainer.close();
      codes.closed = await waiting;
      codes.after = await codeOf(trainer.step());
      await trainer.open({ text, size: 'tiny' });
      codes.again = await codeOf(trainer.step());
      await trainer.close();
      return codes;
    }, text);
    assert.deepEqual(codes, { none: 'no_training', cancelled: 'cancelled', busy: ['busy', 'busy', 'busy'], closed: 'cancelled', after: 'no_training', again: null });

    site.overrides.set('trainer/worker.js', { type: 'text/javascript', body: `addEventListener('message', ({ data }) => { if (data?.path?.includes('step')) throw new Error('thrown on purpose'); });${worker}` });
    const crashed = await page.evaluate(async (text) => {
      const trainer = new TrainerClient();
      await trainer.open({ text, size: 'tiny' });
      return [await codeOf(trainer.step()), await codeOf(trainer.step())];
    }, text);
    assert.deepEqual(crashed, ['crashed', 'no_training']);

    const opening = () => page.evaluate((text) => codeOf(new TrainerClient().open({ text, size: 'tiny' })), text);
    site.overrides.set('trainer/worker.js', { status: 404 });
    assert.equal(await opening(), 'no_file');
    site.overrides.delete('trainer/worker.js');
    site.overrides.set('trainer/trainer.wasm', { status: 404 });
    assert.equal(await opening(), 'no_file');

    const storage = await page.evaluate(async () => {
      const codes = [];
      const put = IDBObjectStore.prototype.put;
      const training = { checkpoint: new Uint8Array(3), model: new Uint8Array(3), summary: { date: '2024-01-01' } };
      IDBObjectStore.prototype.put = () => { throw new DOMException('no room', 'QuotaExceededError'); };
      codes.push(await codeOf(saved.saveTraining('a', training)));
      IDBObjectStore.prototype.put = put;
      const open = IDBFactory.prototype.open;
      IDBFactory.prototype.open = () => { throw new DOMException('not here', 'SecurityError'); };
      for (const call of [() => saved.saveTraining('a', training), () => saved.listTrainings(), () => saved.loadTraining('a'), () => saved.deleteTraining('a'), () => client.next('a', { model: 'saved' })]) codes.push(await codeOf(call()));
      IDBFactory.prototype.open = open;
      codes.push(await codeOf(saved.saveTraining('a', training)), (await saved.listTrainings()).length);
      return codes;
    });
    assert.deepEqual(storage, ['storage_full', 'storage_denied', 'storage_denied', 'storage_denied', 'storage_denied', 'storage_denied', null, 1]);
    page.expectNoFaults();
  });
});
