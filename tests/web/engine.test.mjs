// The page's engine in a real browser: the same numbers as in Node, and what happens when worker, wasm or model are not as they should be.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { importPackage } from '../../tools/packages.mjs';
import { errorSentence } from '../../web/i18n/index.js';
import { assertGrid, dist, inside, openBrowser, openNodeEngine, openPage, openSite, readGrid, root, textIn, traceHead, until } from './browser.mjs';

const text = '小猫没有跳上桌子';
const stepsInput = { q: [[1, 0], [0, 1], [1, 1]], k: [[1, 0], [0, 1], [1, 1]], v: [[1, 0], [0, 1], [0.5, 0.5]], causal: true, scale: true };
const drawn = { temperature: 1.1, topK: 50, topP: 0.95, seed: 7, maxTokens: 24 };

let browser;
let site;
let node;
let page;
let worker;
let wasm;
let model;

/** Numbers of every kind of array as JSON has them, so that a page's answer and Node's can be compared bit by bit. */
const plain = (value) => JSON.parse(JSON.stringify(value, (_, inner) => (ArrayBuffer.isView(inner) ? Array.from(inner) : inner)));
const withoutTimes = ({ prefillMs, decodeMs, tokeniseMs, steps, ...rest }) => ({ ...rest, steps: steps.map(({ startMs, ms, ...step }) => step) });

/** One call of the page's engine → { value } or { code, kind }. */
const ask = (method, ...args) =>
  page.evaluate(
    (name, given) =>
      globalThis.engine[name](...given).then(
        (value) => ({ value: JSON.parse(JSON.stringify(value, (_, inner) => (ArrayBuffer.isView(inner) ? Array.from(inner) : inner))) }),
        (error) => ({ code: error.code, kind: error.constructor === globalThis.EngineError ? 'EngineError' : String(error) }),
      ),
    method,
    args,
  );

const failsWith = async (code, ...call) => assert.deepEqual(await ask(...call), { code, kind: 'EngineError' });

/** The engine answers, and rightly. */
async function works() {
  const { value, code } = await ask('next', text, { top: 5 });
  assert.equal(code, undefined);
  assert.deepEqual(value, plain(await node.next(text, { top: 5 })));
}

async function openEnginePage(options) {
  page = await openPage(browser, site, 'test/engine.html', options);
  await until(page, 'the client is there', () => globalThis.engine);
}

/** The worker's script with something before it; `once` serves it only to the first worker. */
function serveWorker(prefix, { once = false } = {}) {
  const body = prefix + worker;
  site.overrides.set('engine/worker.js', (response) => {
    if (once) site.overrides.delete('engine/worker.js');
    response.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' }).end(body);
  });
}

const noSimd = 'WebAssembly.validate = () => false;\n';
// Overwrites the module's whole memory before the first trace, so that the trap that follows is a real one.
const spoilMemory = `{
  const instantiate = WebAssembly.instantiate;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate(...given);
    memory = Object.values((made.instance ?? made).exports).find((entry) => entry instanceof WebAssembly.Memory);
    return made;
  };
  addEventListener('message', ({ data }) => {
    if (data?.path?.includes('trace')) new Uint8Array(memory.buffer).fill(255);
  });
}\n`;
const throwAtTrace = `addEventListener('message', ({ data }) => {
  if (data?.path?.includes('trace')) throw new Error('thrown on purpose');
});\n`;

before(async () => {
  // Without the whole browser a worker whose module trapped never answers again, not even with its error.
  [browser, site, node] = await Promise.all([openBrowser({ whole: true }), openSite(), openNodeEngine()]);
  [worker, wasm, model] = await Promise.all([readFile(join(dist, 'engine/worker.js'), 'utf8'), readFile(join(dist, 'engine/glassbox.wasm')), readFile(join(dist, 'models/builtin/model.safetensors'))]);
  const { build } = await importPackage('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: `import { EngineClient, EngineError } from './client.js';
        globalThis.EngineError = EngineError;
        globalThis.engine = new EngineClient(new URL('..', import.meta.url));`,
      resolveDir: join(root, 'web/engine'),
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const script = outputFiles[0].contents;
  site.overrides.set('test/engine.js', { type: 'text/javascript', body: Buffer.from(script) });
  site.overrides.set('test/engine.html', {
    type: 'text/html; charset=utf-8',
    body: '<!doctype html><html lang="en"><title>Engine</title><link rel="icon" href="../site/icon.svg"><script type="module" src="engine.js"></script><main></main></html>',
  });
});
after(async () => {
  await browser?.close();
  await site?.close();
});
afterEach(async () => {
  for (const path of site.overrides.keys()) if (!path.startsWith('test/')) site.overrides.delete(path);
  await page?.dispose();
  page = null;
});

describe('the same as in Node, to the bit', () => {
  test('tokens, traces, candidates and attention by hand', async () => {
    await openEnginePage();
    const names = ['h.0.attn.q', 'h.1.attn.weights', 'logits'];
    const odd = 'a\u0000 ​😀é\n\u202e龘';
    for (const [method, ...args] of [
      ['load', 'builtin'],
      ['tokenize', odd, { steps: true }],
      ['tokenize', odd, { tokenizer: 'gpt2', steps: true }],
      ['tokenize', odd, { tokenizer: 'builtin', most: 3 }],
      ['learnBpe', `${odd} ${odd} ${text}`, { most: 5, shown: 20 }],
      ['trace', text, { names }],
      ['trace', odd, { names }],
      ['next', text, { top: 12 }],
      ['next', text, { knockout: 'no-mask no-scale h.0.attn' }],
      ['logitLens', text, { top: 4 }],
      ['logitLens', odd, { position: 1, knockout: 'no-positions' }],
      ['switchEffect', text, { knockout: 'no-positions mlp.0', top: 6 }],
      ['attentionSteps', stepsInput],
      ['attentionSteps', { ...stepsInput, causal: false, scale: false }],
      ['embedding', { ids: [5, 300] }],
      ['neighbours', { id: 300, count: 12 }],
      ['cosines', { ids: [5, 300, 301], centred: true }],
      ['pca', { ids: Array.from({ length: 40 }, (_, i) => 300 + i), components: 3 }],
      ['positions'],
      ['headScores', text, { query: 2, spans: { before: [1], other: [0, 1] }, knockout: 'h.0.1' }],
      ['repeatScores', { rounds: 2, length: 9, seed: 5 }],
      ['contextual', [{ text, position: 1 }, { text: odd, position: 0 }]],
    ]) {
      const { value, code } = await ask(method, ...args);
      assert.equal(code, undefined, method);
      assert.deepEqual(value, plain(await node[method](...args)), method);
    }
    page.expectNoFaults();
  });

  test('a seed gives one text: twice here, in Node, and by the command', async () => {
    await openEnginePage();
    const [first, second] = [(await ask('generate', text, drawn)).value, (await ask('generate', text, drawn)).value];
    assert.ok(first.ids.length > 3);
    assert.deepEqual(withoutTimes(first), withoutTimes(second));
    assert.deepEqual(withoutTimes(first), withoutTimes(plain(await node.generate(text, drawn))));
    const { stdout } = await promisify(execFile)(process.env.GLASSBOX || join(root, 'build/native/glassbox'), [
      'generate', text, '--json', '--model', join(dist, 'models/builtin/model.safetensors'),
      '--temperature', '1.1', '--top-k', '50', '--top-p', '0.95', '--seed', '7', '--max-tokens', '24',
    ]);
    const { ids, text: told, dropped, steps } = JSON.parse(stdout);
    const camel = (step) => Object.fromEntries(Object.entries(step).map(([name, value]) => [name.replace(/_./g, (pair) => pair[1].toUpperCase()), value]));
    assert.deepEqual(withoutTimes({ ids, text: told, dropped, steps: steps.map(camel) }), withoutTimes(first));
    const other = (await ask('generate', text, { ...drawn, seed: 8 })).value;
    assert.notDeepEqual(other.ids, first.ids);
    page.expectNoFaults();
  });
});

describe('vectors', () => {
  const ids = [300, 301, 302, 5];

  test('are cosines of rows of the embedding table', async () => {
    const { shape: [n, width], data } = await node.embedding({ ids });
    const rows = Array.from({ length: n }, (_, i) => Array.from(data.subarray(i * width, (i + 1) * width)));
    const own = await node.cosines({ ids });
    assert.deepEqual(own.shape, [4, 4]);
    assert.deepEqual(await node.cosines({ vectors: rows }), own);
    assert.deepEqual(await node.cosines({ vectors: { shape: [n, width], data } }), own);
    assert.deepEqual([0, 5, 10, 15].map((i) => own.data[i]), [1, 1, 1, 1]);
    const near = await node.neighbours({ id: 300, count: 1e6 });
    const { config } = await node.load('builtin');
    assert.equal(near.length, config.vocabSize - 1);
    assert.ok(!near.some(({ id }) => id === 300));
    for (const i of [1, 2, 3]) assert.ok(Math.abs(near.find(({ id }) => id === ids[i]).cosine - own.data[i]) < 1e-6);
  });

  test('of one token in several texts go apart layer by layer', async () => {
    const { nLayer, nEmbd } = (await node.load('builtin')).config;
    const texts = ['Tom wanted money. He went to the bank and', 'Tom wanted to fish. He went to the bank and'];
    const places = await Promise.all(texts.map(async (text) => ({ text, position: (await node.tokenize(text)).tokens.indexOf(' bank') })));
    const { tokens, layers } = await node.contextual([...places, places[0]]);
    assert.deepEqual(tokens.map(({ token, dropped }) => [token, dropped]), Array(3).fill([' bank', 0]));
    assert.equal(layers.length, nLayer + 1);
    for (const { vectors, cosines } of layers) {
      assert.deepEqual(vectors.shape, [3, nEmbd]);
      assert.ok(Math.abs(cosines.data[2] - 1) < 1e-6, 'the same place twice');
    }
    assert.ok(layers.at(-1).cosines.data[1] < layers[0].cosines.data[1]);
    const pair = (await node.contextual(places)).layers.at(-1).centred.data;
    assert.ok(Math.abs(pair[1] + 1) < 1e-6, 'around their mean two vectors are opposite');
  });

  test('have principal axes', async () => {
    const { coordinates, axes, mean, explained } = await node.pca({ vectors: [[1, 2], [2, 4], [6, 12]], components: 2 });
    assert.deepEqual(Array.from(mean), [3, 6]);
    assert.ok(Math.abs(explained[0] - 1) < 1e-12 && explained[1] === 0);
    assert.ok(Math.abs(axes.data[1] - 2 * axes.data[0]) < 1e-6 && axes.data[1] > 0);
    assert.ok(Math.abs(coordinates.data[4] - 3 * Math.sqrt(5)) < 1e-5);
    assert.deepEqual([coordinates.shape, axes.shape], [[3, 2], [2, 2]]);
  });

  test('of nonsense are refused', async () => {
    await openEnginePage();
    for (const options of [{ id: 1e6 }, { id: -1 }]) await failsWith('bad_token', 'neighbours', options);
    await failsWith('bad_argument', 'neighbours', { id: 1.5 });
    await failsWith('empty_text', 'embedding', { ids: [] });
    await failsWith('bad_argument', 'embedding', {});
    await failsWith('bad_argument', 'pca', { ids, components: 1e6 });
    await failsWith('bad_shape', 'cosines', { vectors: [[1, 2], [1]] });
    await failsWith('bad_shape', 'cosines', { vectors: { shape: [2, 3], data: [1, 2] } });
    await failsWith('bad_argument', 'contextual', []);
    await failsWith('bad_argument', 'contextual', [{ text, position: 99 }]);
    await works();
    page.expectNoFaults();
  });
});

describe('head scores', () => {
  test('are means over the weights of a trace', async () => {
    const said = 'Tom Lily Anna Sam Tom Lily Anna';
    const { nLayer, nHead } = (await node.load('builtin')).config;
    const scores = await node.headScores(said, { spans: { first: [0], last: [5, 6] } });
    assert.equal(scores.length, nLayer * nHead);
    const { ids, tokens, activations } = await node.trace(said, { names: Array.from({ length: nLayer }, (_, layer) => `h.${layer}.attn.weights`) });
    const size = tokens.length;
    assert.equal(size, 7);
    const again = [4, 5, 6].filter((i) => ids[i] === ids[i - 4]); // not the first Tom, which has no space before it
    assert.deepEqual(again, [5, 6]);
    for (const { layer, head, previous, first, induction, entropy, relativeEntropy, row } of scores) {
      const at = (i, j) => activations[`h.${layer}.attn.weights`].data[(head * size + i) * size + j];
      const mean = (indices, value) => indices.reduce((sum, i) => sum + value(i) / indices.length, 0);
      const entropyOf = (i) => tokens.reduce((sum, _, j) => sum - (at(i, j) > 0 ? at(i, j) * Math.log(at(i, j)) : 0), 0);
      const rest = [1, 2, 3, 4, 5, 6];
      for (const [got, expected] of [
        [previous, mean(rest, (i) => at(i, i - 1))],
        [first, mean([3, 4, 5, 6], (i) => at(i, 0))],
        [induction, mean(again, (i) => at(i, i - 3))],
        [entropy, mean(rest, entropyOf)],
        [relativeEntropy, mean(rest, (i) => entropyOf(i) / Math.log(i + 1))],
        [row.entropy, entropyOf(6)],
        [row.relativeEntropy, entropyOf(6) / Math.log(7)],
        [row.spans.first, at(6, 0)],
        [row.spans.last, at(6, 5) + at(6, 6)],
      ]) {
        assert.ok(Math.abs(got - expected) < 1e-6, `h.${layer}.${head}: ${got}, expected ${expected}`);
      }
    }
  });

  test('of what a text is too short for are null, and of nonsense refused', async () => {
    await openEnginePage();
    const [one] = await node.headScores(text.slice(0, 2));
    assert.deepEqual([one.previous, one.first, one.induction, one.entropy, one.relativeEntropy, one.row], [null, null, null, null, null, { entropy: 0, relativeEntropy: 0, spans: {} }]);
    await failsWith('bad_argument', 'headScores', text, { query: 99 });
    await failsWith('bad_argument', 'headScores', text, { spans: { outside: [99] } });
    await failsWith('bad_argument', 'headScores', text, { spans: { odd: [0.5] } });
    await failsWith('empty_text', 'headScores', '');
    await failsWith('bad_argument', 'repeatScores', { length: 1 });
    await failsWith('bad_argument', 'repeatScores', { length: 1000 });
    await works();
    page.expectNoFaults();
  });

  test('find a head for the token before and one for induction', async () => {
    const scores = await node.repeatScores();
    for (const key of ['previous', 'induction']) assert.ok(Math.max(...scores.map((score) => score[key])) > 0.4, key);
  });
});

describe('counts of pairs', () => {
  /** A file in which one token is followed by these [id, count], and nothing else by anything. */
  const bigramsFile = (vocabSize, token, total, followers) => {
    const bytes = [...Buffer.from('bigrams1')];
    const add = (number) => {
      for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
      bytes.push(number);
    };
    add(vocabSize);
    for (let i = 0; i < vocabSize; i += 1) {
      add(i === token ? total : 0);
      add(i === token ? followers.length : 0);
      if (i === token) followers.forEach(([id, count], at) => [id, (at > 0 ? followers[at - 1][1] : total) - count].forEach(add));
    }
    return Buffer.from(bytes);
  };

  test('come beside a model where its folder has them', async () => {
    const { files, hash } = JSON.parse(await readFile(join(dist, 'models/builtin/manifest.json'), 'utf8'));
    const { 'bigrams.bin': _, ...others } = files;
    site.overrides.set('models/builtin/manifest.json', { body: JSON.stringify({ hash, files: others }) });
    await openEnginePage();
    await failsWith('no_bigrams', 'bigrams', text);
    await works();
    await page.dispose();

    const { ids, tokens, bytes } = await node.tokenize(text);
    const last = { id: ids.at(-1), token: tokens.at(-1), bytes: bytes.at(-1) };
    const { config } = await node.load('builtin');
    const whole = bigramsFile(config.vocabSize, last.id, 1000, [[7, 600], [300, 150]]);
    site.overrides.set('models/builtin/manifest.json', { body: JSON.stringify({ hash, files: { ...files, 'bigrams.bin': whole.length } }) });
    await openEnginePage({ allow: [/404/] });
    for (const [answer, code] of [[{ status: 404 }, 'no_file'], [{ body: whole.subarray(0, 99) }, 'bad_model'], [{ body: bigramsFile(10, 1, 0, []) }, 'bad_model']]) {
      site.overrides.set('models/builtin/bigrams.bin', answer);
      await failsWith(code, 'bigrams', text);
    }
    site.overrides.set('models/builtin/bigrams.bin', { body: whole });
    const { value } = await ask('bigrams', text);
    assert.deepEqual(value.last, last);
    assert.deepEqual([value.total, value.kept], [1000, 2]);
    assert.deepEqual(value.candidates.map(({ id, count, p }) => [id, count, p]), [[7, 600, 0.6], [300, 150, 0.15]]);
    assert.deepEqual(value.candidates[1].token, (await node.embedding({ ids: [300] })).tokens[0]);
    assert.deepEqual(value.rest, { count: 250, p: 0.25 });
    const { value: one } = await ask('bigrams', text, { top: 1 });
    assert.deepEqual([one.candidates.length, one.kept, one.rest], [1, 2, { count: 400, p: 0.4 }]);
    const { value: never } = await ask('bigrams', 'Tom');
    assert.deepEqual([never.total, never.candidates, never.rest], [0, [], { count: 0, p: 0 }]);
    await failsWith('empty_text', 'bigrams', '');
    assert.equal(site.asked.filter((path) => path === 'models/builtin/bigrams.bin').length, 4, 'a file that is whole is fetched once');
    await works();
    page.expectNoFaults();
  });
});

describe('switches and the lens', () => {
  test('the lens ends with the guess, and every likely token is followed through all layers', async () => {
    const { config } = await node.load('builtin');
    const { layers, tracked, position, ids } = await node.logitLens(text);
    assert.equal(position, ids.length - 1);
    assert.deepEqual(layers.map(({ name }) => name), ['h.0.resid_in', ...Array.from({ length: config.nLayer }, (_, l) => `h.${l}.resid_out`)]);
    assert.deepEqual(layers.at(-1).candidates, (await node.next(text, { top: 5 })).candidates);
    assert.deepEqual(new Set(tracked.map(({ id }) => id)), new Set(layers.flatMap(({ candidates }) => candidates.map(({ id }) => id))));
    layers.forEach(({ candidates }, layer) =>
      candidates.forEach(({ id, token, p }, rank) => {
        const track = tracked.find((each) => each.id === id);
        assert.deepEqual([track.token, track.p[layer], track.rank[layer]], [token, p, rank]);
      }),
    );
    // The same prefix gives the same guess, whatever follows.
    const { tokens } = await node.tokenize(text);
    const prefix = tokens.slice(0, 2).join('');
    assert.deepEqual((await node.tokenize(prefix)).ids, ids.slice(0, 2));
    assert.deepEqual((await node.logitLens(text, { position: 1 })).layers, (await node.logitLens(prefix)).layers);
  });

  test('an effect is the change of the guess, and its divergence the sweep’s', async () => {
    const before = (await node.next(text, { top: 4 })).candidates;
    for (const knockout of ['h.0.attn', 'mlp.1', 'no-positions', 'no-mask', 'no-scale', 'h.1.0 no-scale']) {
      const effect = await node.switchEffect(text, { knockout, top: 4 });
      assert.deepEqual(effect.before.slice(0, 4), before, knockout);
      assert.deepEqual(effect.after.slice(0, 4), (await node.next(text, { top: 4, knockout })).candidates, knockout);
      assert.deepEqual(new Set(effect.before.map(({ id }) => id)), new Set(effect.after.map(({ id }) => id)));
      assert.ok(effect.kl > 0, knockout);
    }
    const { layer, head, kl } = (await node.sweep(text))[0];
    const one = await node.switchEffect(text, { knockout: `h.${layer}.${head}` });
    assert.ok(Math.abs(one.kl - kl) < 1e-5, `${one.kl} and ${kl}`);
    const none = await node.switchEffect(text);
    assert.equal(none.kl, 0);
    assert.deepEqual(none.before, none.after);
  });

  test('of nonsense are refused', async () => {
    await openEnginePage();
    for (const options of [{ position: 99 }, { position: -1 }, { position: 0.5 }, { top: -1 }, { knockout: 'h.9.attn' }]) await failsWith('bad_argument', 'logitLens', text, options);
    await failsWith('bad_argument', 'switchEffect', text, { knockout: 'no-head' });
    await failsWith('bad_argument', 'generate', text, { knockout: 'no-mask' });
    await failsWith('empty_text', 'logitLens', '');
    await works();
    page.expectNoFaults();
  });
});

describe('work', () => {
  test('of each step is what the formulas say; without a cache the text is the same and every step reads all', async () => {
    const { config, kvCacheBytesPerToken } = await node.load('builtin');
    const { nEmbd: C, nInner: F, nLayer: L, vocabSize: V } = config;
    assert.equal(kvCacheBytesPerToken, 2 * L * C * 4);
    const multiplyAdds = (held, tokens) => {
      let seen = 0;
      for (let t = 1; t <= tokens; t += 1) seen += held + t;
      return tokens * L * (4 * C * C + 2 * C * F) + 2 * L * C * seen + C * V;
    };
    const kept = await node.generate(text, drawn);
    const anew = await node.generate(text, { ...drawn, cache: false });
    assert.deepEqual([anew.ids, anew.text], [kept.ids, kept.text]);
    assert.equal(anew.steps.length, kept.steps.length);
    const prompt = (await node.tokenize(text)).ids.length;
    kept.steps.forEach((step, i) => {
      const held = i === 0 ? 0 : prompt + i - 1;
      assert.deepEqual([step.kind, step.tokens], i === 0 ? ['prefill', prompt] : ['decode', 1]);
      assert.equal(step.multiplyAdds, multiplyAdds(held, step.tokens));
      assert.equal(step.cacheBytes, (held + step.tokens) * kvCacheBytesPerToken);
      assert.equal(step.cacheRead, step.cacheBytes);
      assert.equal(anew.steps[i].multiplyAdds, multiplyAdds(0, prompt + i));
      assert.deepEqual([anew.steps[i].kind, anew.steps[i].tokens, anew.steps[i].cacheBytes], [i === 0 ? 'prefill' : 'reread', prompt + i, 0]);
    });
    assert.ok(kept.tokeniseMs > 0);
    assert.ok(Math.abs(kept.steps.slice(1).reduce((sum, { ms }) => sum + ms, 0) - kept.decodeMs) < 1e-6);
  });

  test('prefill is timed in turns, told as it goes, and stops when cancelled', async () => {
    await openEnginePage();
    const { found, heard } = await page.evaluate(async () => {
      const heard = [];
      const found = await globalThis.engine.timePrefill([1, 16, 64], { runs: 2, leastMs: 3, onProgress: (progress) => heard.push(progress) });
      return { found, heard };
    });
    assert.deepEqual(found.map(({ tokens, ms, repeats }) => [tokens, ms.length, repeats.length]), [[1, 2, 2], [16, 2, 2], [64, 2, 2]]);
    for (const { ms, repeats } of found) ms.forEach((each, i) => assert.ok(each > 0 && repeats[i] >= 1 && each * repeats[i] > 2.8));
    assert.deepEqual(heard.at(-1), { loaded: 9, total: 9 });
    const code = await page.evaluate(() => {
      const abort = new AbortController();
      return globalThis.engine.timePrefill([32], { runs: 1e6, signal: abort.signal, onProgress: () => abort.abort() }).then(() => null, (error) => error.code);
    });
    assert.equal(code, 'cancelled');
    for (const lengths of [[0], [1e6], [-1], [1.5]]) await failsWith('bad_argument', 'timePrefill', lengths);
    await works();
    page.expectNoFaults();
  });
});

describe('a generation', () => {
  test('tells each token as it comes, and at last all of them', async () => {
    await openEnginePage();
    const { result, heard } = await page.evaluate(async (prompt, options) => {
      const heard = [];
      const result = await globalThis.engine.generate(prompt, { ...options, onToken: ({ id, token }) => heard.push({ id, token }) });
      return { result, heard };
    }, text, drawn);
    assert.deepEqual(heard.map(({ id }) => id), result.ids);
    assert.equal(heard.map(({ token }) => token).join(''), result.text);
    page.expectNoFaults();
  });

  test('stops when it is cancelled half way, and the engine still answers', async () => {
    // Nearly even chances make it improbable that the model ends the text; a seed that doesn't is looked for.
    const long = { maxTokens: 500, temperature: 50, seed: 0 };
    while ((await node.generate(text, long)).ids.length < long.maxTokens) {
      long.seed += 1;
      assert.ok(long.seed < 50, 'a seed with a long text');
    }
    await openEnginePage();
    const { error, told, later } = await page.evaluate(async (prompt, options) => {
      const abort = new AbortController();
      let told = 0;
      const error = await globalThis.engine
        .generate(prompt, {
          ...options,
          signal: abort.signal,
          onToken: () => {
            told += 1;
            if (told === 3) abort.abort();
          },
        })
        .then(() => null, (thrown) => ({ code: thrown.code, kind: thrown.constructor === globalThis.EngineError }));
      // A call that comes back has passed through the worker behind what was still on its way.
      await globalThis.engine.tokenize(prompt);
      const settled = told;
      await globalThis.engine.next(prompt);
      await globalThis.engine.next(prompt);
      return { error, told: settled, later: told };
    }, text, long);
    assert.deepEqual(error, { code: 'cancelled', kind: true });
    assert.ok(told >= 3 && told < long.maxTokens / 2, `${told} tokens were told`);
    assert.equal(later, told, 'no token comes after the end');
    await works();
    page.expectNoFaults();
  });

  test('that is cancelled before it begins never begins', async () => {
    await openEnginePage();
    const code = await page.evaluate((prompt) => globalThis.engine.generate(prompt, { signal: AbortSignal.abort() }).then(() => null, (error) => error.code), text);
    assert.equal(code, 'cancelled');
    await works();
  });

  test('refuses settings that make no sense', async () => {
    await openEnginePage();
    for (const options of [{ seed: -1 }, { seed: 0.5 }, { maxTokens: -1 }, { topK: 1e12 }, { temperature: -1 }, { topP: 2 }]) await failsWith('bad_argument', 'generate', text, options);
    await failsWith('empty_text', 'generate', '', {});
    await works();
    page.expectNoFaults();
  });
});

describe('a worker that ends', () => {
  test('by a restart rejects what waits, and the next call starts a new one', async () => {
    await openEnginePage();
    await works();
    const outcome = await page.evaluate(async (prompt) => {
      const waiting = globalThis.engine.generate(prompt, { maxTokens: 20000 });
      globalThis.engine.restart();
      return waiting.then(() => null, (error) => ({ code: error.code, kind: error.constructor === globalThis.EngineError }));
    }, text);
    assert.deepEqual(outcome, { code: 'cancelled', kind: true });
    await works();
    page.expectNoFaults();
  });

  for (const [name, prefix] of [['by a trap of the module', spoilMemory], ['by an error that nobody caught', throwAtTrace]]) {
    test(`${name} rejects all that waits, and the next call starts a new one`, async () => {
      serveWorker(prefix, { once: true });
      await openEnginePage();
      await works();
      const workers = site.asked.filter((path) => path === 'engine/worker.js').length;
      const codes = await page.evaluate(
        async (prompt) => (await Promise.allSettled([globalThis.engine.trace(prompt, { names: ['h.0.attn.q'] }), globalThis.engine.next(prompt)])).map(({ reason }) => reason?.code),
        text,
      );
      assert.deepEqual(codes, ['crashed', 'crashed']);
      await works();
      assert.equal(site.asked.filter((path) => path === 'engine/worker.js').length, workers + 1, 'one new worker');
      page.expectNoFaults();
    });
  }

  test('before it began is told, and may be tried again', async () => {
    await openEnginePage({ allow: [/404|thrown on purpose/] });
    site.overrides.set('engine/worker.js', { type: 'text/javascript', body: 'throw new Error("thrown on purpose");' });
    await failsWith('no_file', 'next', text);
    site.overrides.set('engine/worker.js', { status: 404 });
    await failsWith('no_file', 'next', text);
    site.overrides.delete('engine/worker.js');
    await works();
    page.expectNoFaults();
  });
});

describe('a wasm file', () => {
  test('that is missing or damaged is told, and may be tried again', async () => {
    await openEnginePage({ allow: [/404/] });
    site.overrides.set('engine/glassbox.wasm', { status: 404 });
    await failsWith('no_file', 'next', text);
    for (const body of [wasm.subarray(0, wasm.length / 2), Buffer.from('<!doctype html>'), Buffer.alloc(0)]) {
      site.overrides.set('engine/glassbox.wasm', { type: 'application/wasm', body });
      await failsWith('no_file', 'next', text);
    }
    site.overrides.delete('engine/glassbox.wasm');
    await works();
    page.expectNoFaults();
  });

  test('works under any MIME type', async () => {
    await openEnginePage();
    site.overrides.set('engine/glassbox.wasm', { type: 'text/plain', body: wasm });
    await works();
    page.expectNoFaults();
  });
});

describe('a model file', () => {
  const file = 'models/builtin/model.safetensors';
  // A generator of its own, so that the same bytes come each time.
  const noise = Buffer.alloc(100_000);
  for (let i = 0, state = 1; i < noise.length; i += 1) noise[i] = (state = (state * 1103515245 + 12345) % 2147483648) >> 16;

  test('that is damaged is bad_model, and is read anew when whole again', async () => {
    await openEnginePage();
    for (const body of [model.subarray(0, model.length / 2), noise, Buffer.alloc(0), Buffer.concat([model, Buffer.from('x')])]) {
      site.overrides.set(file, { body });
      await failsWith('bad_model', 'next', text);
    }
    site.overrides.delete(file);
    await works();
    page.expectNoFaults();
  });

  test('whose connection breaks is no_file, and may be tried again', async () => {
    await openEnginePage({ allow: [/ERR_CONTENT_LENGTH_MISMATCH|ERR_CONNECTION|ERR_INCOMPLETE/] });
    site.overrides.set(file, (response) => {
      response.writeHead(200, { 'Content-Length': model.length });
      response.write(model.subarray(0, model.length / 2), () => response.destroy());
    });
    await failsWith('no_file', 'load');
    site.overrides.delete(file);
    await works();
    page.expectNoFaults();
  });

  test('that is not there, under any name, is told and crashes nothing', async () => {
    await openEnginePage({ allow: [/404|violat|Refused|Failed to load|Fetch API/, /request to another host/] });
    await works();
    site.overrides.set('models/odd/manifest.json', { type: 'text/html', body: '<!doctype html>not found' });
    const workers = site.asked.filter((path) => path === 'engine/worker.js').length;
    for (const name of ['nope', 'odd', 'nope.safetensors', 'http://[', 'https://example.org/model.safetensors', 'javascript:1', '__proto__', '../../x', '\ud800']) {
      await failsWith('no_file', 'load', name);
    }
    await works();
    assert.equal(site.asked.filter((path) => path === 'engine/worker.js').length, workers, 'the same worker answers');
    page.expectNoFaults();
  });

  test('that two wait for is loaded to its end when one of them leaves', async () => {
    await openEnginePage();
    let finish;
    const held = new Promise((done) => (finish = done));
    site.overrides.set(file, (response) => {
      response.writeHead(200, { 'Content-Length': model.length });
      response.write(model.subarray(0, model.length / 2));
      held.then(() => response.end(model.subarray(model.length / 2)));
    });
    const asked = site.asked.length;
    const loads = page.evaluate(async () => {
      const abort = new AbortController();
      globalThis.progress = [];
      const leaving = globalThis.engine.load('builtin', { signal: abort.signal });
      const staying = globalThis.engine.load('builtin', { onProgress: (progress) => globalThis.progress.push(progress) });
      globalThis.leave = () => abort.abort();
      return (await Promise.allSettled([leaving, staying])).map(({ status, reason }) => reason?.code ?? status);
    });
    await until(page, 'the second one hears of progress', () => globalThis.progress.length > 0);
    await page.evaluate(() => globalThis.leave());
    finish();
    assert.deepEqual(await loads, ['cancelled', 'fulfilled']);
    const last = await page.evaluate(() => globalThis.progress.at(-1));
    assert.deepEqual(last, { loaded: model.length, total: model.length });
    assert.equal(site.asked.slice(asked).filter((path) => path === file).length, 1, 'the file is fetched once');
    page.expectNoFaults();
  });

  test('that nobody waits for any more is given up', async () => {
    await openEnginePage();
    let closed = false;
    site.overrides.set(file, (response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200, { 'Content-Length': model.length });
      const drip = setInterval(() => response.write(Buffer.alloc(0)) && response.write(model.subarray(0, 1000)), 20);
      response.on('close', () => clearInterval(drip));
    });
    const code = await page.evaluate(() => {
      const abort = new AbortController();
      return globalThis.engine.load('builtin', { signal: abort.signal, onProgress: () => abort.abort() }).then(() => null, (error) => error.code);
    });
    assert.equal(code, 'cancelled');
    for (let i = 0; i < 400 && !closed; i += 1) await new Promise((done) => setTimeout(done, 25));
    assert.ok(closed, 'the download ends');
    site.overrides.delete(file);
    await works();
    page.expectNoFaults();
  });
});

describe('a widget', () => {
  async function openLesson(options) {
    page = await openPage(browser, site, 'zh/04-attention.html', options);
    const widget = await page.$('glassbox-attention');
    await widget.evaluate((element) => element.scrollIntoView());
    return widget;
  }
  const failed = (widget) => until(page, 'the widget fails', (element) => element.timesFailed, widget);
  const sentence = (widget) => textIn(widget, '.err span');
  const firstFigureStands = (widget) =>
    widget.evaluate((element) => {
      const drawing = [...element.querySelectorAll('figure.first svg')].find((svg) => svg.checkVisibility());
      const { width, height } = drawing.getBoundingClientRect();
      return width > 200 && height > 200;
    });

  async function computesAfterRetry(widget) {
    await (await inside(widget, '.err button')).click();
    await until(page, 'the grid is there', (element) => element.shadowRoot.querySelector('#grid table'), widget);
    const [shown, ...place] = await widget.evaluate((element) => [element.getAttribute('text'), Number(element.getAttribute('layer')), Number(element.getAttribute('head'))]);
    assertGrid(await readGrid(widget), (await traceHead(node, shown, ...place)).weights);
    assert.equal(await sentence(widget), null);
  }

  test('says that SIMD is missing, under the figure made before', async () => {
    serveWorker(noSimd);
    const widget = await openLesson();
    await failed(widget);
    assert.equal(await widget.evaluate((element) => element.lastCode), 'no_simd');
    assert.equal(await sentence(widget), errorSentence('no_simd', 'zh'));
    assert.ok(await firstFigureStands(widget));
    page.expectNoFaults();
  });

  test('with a damaged model says so under the figure made before, and computes when the file is whole again', async () => {
    site.overrides.set('models/builtin/model.safetensors', { body: model.subarray(0, model.length / 2) });
    const widget = await openLesson();
    await failed(widget);
    assert.equal(await sentence(widget), errorSentence('bad_model', 'zh'));
    assert.ok(await firstFigureStands(widget));
    site.overrides.delete('models/builtin/model.safetensors');
    await computesAfterRetry(widget);
    page.expectNoFaults();
  });

  test('whose engine is not there says so, and computes when it is', async () => {
    site.overrides.set('engine/glassbox.wasm', { status: 404 });
    const widget = await openLesson({ allow: [/404/] });
    await failed(widget);
    assert.equal(await sentence(widget), errorSentence('no_file', 'zh'));
    assert.ok(await firstFigureStands(widget));
    site.overrides.delete('engine/glassbox.wasm');
    await computesAfterRetry(widget);
    page.expectNoFaults();
  });

  test('whose engine crashes says so, and the next computation runs', async () => {
    serveWorker(spoilMemory, { once: true });
    const widget = await openLesson();
    await failed(widget);
    assert.equal(await sentence(widget), errorSentence('crashed', 'zh'));
    await computesAfterRetry(widget);
    page.expectNoFaults();
  });
});
