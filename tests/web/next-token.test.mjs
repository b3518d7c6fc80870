// glassbox-next-token: bars, dice and calculation hold what the engine computes, and what is drawn is what the command writes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { tokenLabel } from '../../web/draw/label.js';
import { nextTokenFigure } from '../../web/draw/next-token-figure.js';
import { formatNumber, formatPercent } from '../../web/draw/number.js';
import { strings } from '../../web/i18n/index.js';
import { drawCalculation, formatPlace, generateCommand, linePieces, nearestPosition, quoteForShell, readSettings, topKs, usual } from '../../web/parts/next-token.js';
import { json } from '../command/run.mjs';
import { change, dist, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-next-token';
const story = '从前，有一只';
const thank = 'Thank you very';
const endToken = '<|endoftext|>';

let node;
let vocabulary;
before(async () => {
  node = await openNodeEngine();
  ({ config: { vocabSize: vocabulary } } = await node.load('builtin'));
});

const label = ({ token, bytes }, lang = 'zh') => (token === endToken ? strings(lang).next.end : tokenLabel(token, bytes));

describe('without a browser', () => {
  test('attributes are read, and what can’t be is told', () => {
    assert.deepEqual(readSettings({}), { ...usual, added: [], bad: [] });
    const read = readSettings({ temperature: '0.7', topK: '20', topP: '0.9', seed: '7', step: '3', show: '28', added: '1 2,3' });
    assert.deepEqual(read, { temperature: 0.7, topK: 20, topP: 0.9, seed: 7, step: 3, show: 28, added: [1, 2, 3], bad: [] });
    const bad = readSettings({ temperature: '-1', topK: '1.5', topP: '0', seed: 'x', step: '1e9', show: '-3', added: '1 x' });
    assert.deepEqual(bad, { ...usual, added: [], bad: ['temperature', 'topK', 'topP', 'seed', 'step', 'show', 'added'] });
    assert.equal(nearestPosition(topKs, 0, true), topKs.length - 1);
    assert.equal(topKs[nearestPosition(topKs, 19, true)], 20);
  });

  test('the command is one that a shell reads as meant', () => {
    assert.equal(generateCommand(thank, { temperature: 1, topK: 0, topP: 1, seed: 7 }, 20), 'glassbox generate --temperature 1 --seed 7 --max-tokens 20 "Thank you very"');
    assert.equal(generateCommand('-x', { temperature: 0, topK: 5, topP: 1, seed: 7 }, 3), 'glassbox generate --max-tokens 3 -- "-x"');
    assert.equal(quoteForShell('a $HOME `b` "c"'), "'a $HOME `b` \"c\"'");
    assert.equal(quoteForShell("it's"), "'it'\\''s'");
  });

  test('generation is single draws one after the other, for several seeds', async () => {
    for (const [text, temperature, topK, topP] of [[story, 1, 0, 1], [thank, 1.7, 30, 0.95], ['😀', 0, 0, 1]]) {
      for (const seed of [0, 1, 7]) {
        const options = { temperature, topK, topP, seed };
        const { ids } = await node.generate(text, { ...options, maxTokens: 20 });
        const added = [];
        for (let step = 0; step < 20; step++) {
          const { chosen, ends } = await node.sample(text, { ...options, added, step });
          if (ends) break;
          added.push(chosen.id);
        }
        assert.deepEqual(added, ids, `${text} seed ${seed}`);
      }
    }
  });

  test('each line of the calculation follows from the one before, as shown', async () => {
    let seen = 0;
    for (const text of [story, thank, '法国的首都是', 'a']) {
      for (const options of [{ temperature: 1 }, { temperature: 0.7, topK: 20 }, { temperature: 2, topP: 0.9 }, { temperature: 3, topK: 50, topP: 0.5 }]) {
        for (const seed of [1, 2, 3]) {
          const sample = await node.sample(text, { ...options, seed, top: 5 });
          const sum = drawCalculation(sample.chosen, { temperature: options.temperature, largest: sample.largest, top: sample.candidates[0], total: sample.total, all: sample.kept === vocabulary });
          assert.ok(sum.exact, `${text} ${JSON.stringify(options)} ${seed}`);
          const close = (a, b, digits) => assert.ok(Math.abs(a - b) <= Math.abs(b) * 10 ** -digits, `${a} ${b}`);
          close(sum.exp.value / sum.sum.value, sum.p.value, 2);
          close(sum.p.value / sum.total.value, sum.share.value, 2);
          close(sum.p.value, sample.chosen.tempered, 2);
          close(sum.share.value, sample.chosen.share, 2);
          assert.equal(sum.p.value === 1, sample.chosen.tempered === 1, 'certain only when it is');
          seen += 1;
        }
      }
    }
    assert.equal(seen, 48);
  });

  test('the pieces of the line follow each other from 0 to 1, and the number falls on the drawn one', async () => {
    for (const options of [{ temperature: 1 }, { temperature: 3 }, { temperature: 2, topP: 0.5 }, { temperature: 1, topK: 2 }]) {
      for (let step = 0; step < 8; step++) {
        const sample = await node.sample(story, { ...options, seed: 3, step, top: 60 });
        const pieces = linePieces(sample.candidates, sample.chosen, sample.kept);
        const flat = pieces.filter(({ inside: within }) => !within);
        assert.equal(flat[0].from, 0);
        flat.slice(1).forEach((piece, i) => assert.equal(piece.from, flat[i].to));
        assert.ok(Math.abs(flat.at(-1).to - 1) < 1e-9);
        const drawn = pieces.filter((piece) => piece.drawn);
        assert.equal(drawn.length, 1);
        assert.ok(sample.u >= drawn[0].from - 1e-12 && sample.u <= drawn[0].to + 1e-12);
        const shown = Number(formatPlace(sample.u, drawn[0].from, drawn[0].to));
        assert.ok(shown >= drawn[0].from && shown <= drawn[0].to);
      }
    }
  });

  test('the drawing stands alone, wide and narrow, in both themes', async () => {
    const sample = await node.sample(story, { temperature: 1.5, topP: 0.9, seed: 2, top: 60 });
    const pieces = linePieces(sample.candidates, sample.chosen, sample.kept).map((piece) => ({ ...piece, label: piece.rest ? '' : label(piece) }));
    for (const lang of ['zh', 'en']) {
      for (const width of [340, 740]) {
        for (const theme of ['light', 'dark']) {
          const words = strings(lang).next;
          const svg = nextTokenFigure({
            text: `${story}<b>\ud800`,
            rows: sample.candidates.slice(0, 8).map((one) => ({ label: label(one), p: one.tempered, cut: false, drawn: false })),
            rest: { count: 100, p: 0.1 },
            dice: { pieces, u: sample.u, flag: 'x', restLabel: words.tail, sentence: words.greedy('x') },
            words,
            heading: words.heading('1', null),
            theme,
            width,
          });
          assert.match(svg, /^<svg [^]*<\/svg>$/);
          assert.doesNotMatch(svg, /NaN|undefined|var\(|<b>|\ud800/);
          assert.ok(svg.includes(`>${formatPercent(sample.candidates[0].tempered)}<`));
        }
      }
    }
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;
  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const read = (widget) =>
    widget.evaluate(({ shadowRoot }) => {
      const text = (selector) => shadowRoot.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim() ?? null;
      return {
        rows: [...shadowRoot.querySelectorAll('.next-model .next-bars > li')].map((item) => [item.querySelector('.tk').textContent.trim(), [...item.querySelectorAll('.value')].at(-1).textContent.trim()]),
        drawn: [...shadowRoot.querySelectorAll('.next-model .drawn .tk')].map(({ textContent }) => textContent.trim()),
        added: [...shadowRoot.querySelectorAll('.new')].map(({ textContent }) => textContent),
        says: text('.dice-says'),
        command: text('.command code'),
        why: [...shadowRoot.querySelectorAll('.why .value')].map(({ textContent }) => textContent.trim()),
        notes: text('.notes'),
        empty: text('.empty p'),
      };
    });

  const state = (widget) => widget.evaluate((element) => Object.fromEntries(['text', 'added', 'temperature', 'top-k', 'top-p', 'seed', 'step', 'show'].map((name) => [name, element.getAttribute(name)]).filter(([, value]) => value !== null)));
  const press = (widget, selector) => change(page, widget, async () => (await inside(widget, selector)).evaluate((button) => button.click()));

  async function assertShows(widget, text, { lang = 'zh', show = usual.show, ...options } = {}) {
    const settings = { temperature: 1, seed: usual.seed, ...options };
    const sample = await node.sample(text, { ...settings, top: show });
    const view = await read(widget);
    const tempered = settings.temperature !== 0 && settings.temperature !== 1;
    const words = strings(lang).next;
    assert.deepEqual(view.rows.slice(0, -1), sample.candidates.map((one) => [label(one, lang), formatPercent(tempered ? one.tempered : one.p)]));
    const left = Math.max(0, 1 - sample.candidates.reduce((sum, one) => sum + (tempered ? one.tempered : one.p), 0));
    assert.deepEqual(view.rows.at(-1), [words.rest(formatNumber(vocabulary - show)), formatPercent(left)]);
    return { view, sample };
  }

  test('bars over the whole vocabulary, and more of them', async () => {
    const widget = await putWidget(page, tag, { text: thank, dice: 'off', counter: 'off' });
    const { view } = await assertShows(widget, thank);
    const { candidates } = await node.next(thank, { top: vocabulary });
    assert.deepEqual(view.rows[0], [label(candidates[0]), formatPercent(candidates[0].p)]);
    assert.ok(Math.abs(candidates.reduce((sum, { p }) => sum + p, 0) - 1) < 1e-4);
    await press(widget, '#more');
    await assertShows(widget, thank, { show: 28 });
    assert.deepEqual(view.drawn, []);
    page.expectNoFaults();
  });

  test('a bar is clicked to append its token, also by keyboard, and taken back', async () => {
    const widget = await putWidget(page, tag, { text: thank, dice: 'off', counter: 'off' });
    const [first] = (await node.next(thank, { top: 1 })).candidates;
    await change(page, widget, async () => (await inside(widget, '.next-bars button')).click());
    const { view, sample } = await assertShows(widget, thank, { added: [first.id] });
    assert.deepEqual(view.added, [label(first)]);
    await change(page, widget, async () => {
      await (await inside(widget, '.next-bars button')).focus();
      await page.keyboard.press('Enter');
    });
    const second = sample.candidates.find(({ token }) => token !== endToken);
    assert.equal((await state(widget)).added, `${first.id} ${second.id}`);
    await press(widget, '#undo');
    assert.equal((await state(widget)).added, String(first.id));
    await change(page, widget, async () => (await inside(widget, '.prompts button:nth-of-type(2)')).click());
    assert.equal((await state(widget)).added, undefined, 'a new beginning has nothing appended');
    page.expectNoFaults();
  });

  test('the dice fall where the engine draws, again draws the next number, and the attributes restore it', async () => {
    const widget = await putWidget(page, tag, { text: story, counter: 'off', seed: '5' });
    const words = strings('zh').next;
    const seen = [];
    for (let step = 0; step < 3; step++) {
      const { view, sample } = await assertShows(widget, story, { seed: 5, step });
      assert.ok(view.says.startsWith(words.fell({ u: formatPlace(sample.u, sample.chosen.from, sample.chosen.to), from: '', to: '', label: '', seed: 5, nth: step + 1, kept: 0, all: true }).split('，落在')[0]), view.says);
      assert.ok(view.says.includes(label(sample.chosen)));
      assert.equal(view.why.at(-1), formatPlace(sample.u, sample.chosen.from, sample.chosen.to));
      seen.push(view);
      if (step < 2) await press(widget, '#again');
    }
    const given = await state(widget);
    assert.deepEqual(given, { text: story, seed: '5', step: '2' });
    const restored = await putWidget(page, tag, { ...given, counter: 'off' });
    assert.deepEqual(await read(restored), seen[2]);
    page.expectNoFaults();
  });

  test('going on writes what the command writes, for several seeds', async () => {
    for (const [text, options, attributes] of [
      [story, ['--temperature', '1'], {}],
      ['Once upon a', ['--temperature', '1.5', '--top-k', '20', '--top-p', '0.9'], { temperature: '1.5', 'top-k': '20', 'top-p': '0.9' }],
      [story, ['--temperature', '0'], { temperature: '0' }],
    ]) {
      for (const seed of attributes.temperature === '0' ? [1] : [1, 2, 42]) {
        const widget = await putWidget(page, tag, { text, counter: 'off', seed: String(seed), ...attributes });
        await (await inside(widget, '#go-on')).evaluate((button) => button.click());
        await until(page, 'all is written', (element) => !element.stale && element.left === 0 && element.hasAttribute('added') && element.result.settings.added.join(' ') === element.getAttribute('added'), widget);
        const { ids } = await json('generate', text, ...options, '--seed', String(seed), '--max-tokens', '20');
        assert.equal((await state(widget)).added, ids.join(' '), `${text} seed ${seed}`);
        assert.equal((await read(widget)).command, generateCommand(text, { temperature: 1, topK: 0, topP: 1, seed, ...Object.fromEntries(Object.entries({ temperature: attributes.temperature, topK: attributes['top-k'], topP: attributes['top-p'] }).filter(([, value]) => value).map(([name, value]) => [name, Number(value)])) }, ids.length));
      }
    }
    page.expectNoFaults();
  });

  test('a chain that the command would not write has no command', async () => {
    const widget = await putWidget(page, tag, { text: story, counter: 'off' });
    const sample = await node.sample(story, { temperature: 1, seed: 1, top: 5 });
    const other = sample.candidates.findIndex(({ rank, token }) => rank !== sample.chosen.rank && token !== endToken);
    await press(widget, `.next-bars li:nth-of-type(${other + 1}) button`);
    assert.equal((await read(widget)).command, null);
    await press(widget, '#undo');
    assert.notEqual((await read(widget)).command, null);
  });

  test('temperature, top-k, top-p and seed by their controls; temperature 0 is greedy and says so', async () => {
    const widget = await putWidget(page, tag, { text: story, counter: 'off' });
    const set = (id, key, times) =>
      change(page, widget, async () => {
        await (await inside(widget, `#${id}`)).focus();
        for (let i = 0; i < times; i++) await page.keyboard.press(key);
      });
    await set('top-k', 'ArrowLeft', 3);
    const { 'top-k': k } = await state(widget);
    assert.ok(Number(k) > 0);
    await assertShows(widget, story, { topK: Number(k) });
    await set('top-p', 'ArrowLeft', 4);
    await set('temperature', 'ArrowRight', 2);
    const { 'top-p': p, temperature } = await state(widget);
    const { sample, view } = await assertShows(widget, story, { topK: Number(k), topP: Number(p), temperature: Number(temperature) });
    assert.ok(sample.kept <= Number(k));
    assert.deepEqual(view.drawn, sample.chosen.rank < usual.show ? [label(sample.chosen)] : []);
    const cut = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.next-bars > li')].filter((item) => item.classList.contains('cut')).length);
    assert.equal(cut, Math.max(0, usual.show - sample.kept));
    await press(widget, '.dice-seed .stepper button:last-of-type');
    assert.equal((await state(widget)).seed, '2');
    await set('temperature', 'Home', 1);
    const greedy = await read(widget);
    assert.equal(greedy.says, strings('zh').next.greedy(label(sample.candidates[0])));
    assert.equal(await widget.evaluate(({ shadowRoot }) => shadowRoot.querySelector('.dice-line, #again')), null);
    await change(page, widget, async () => (await inside(widget, '#reset')).click());
    assert.deepEqual(await state(widget), { text: story });
    page.expectNoFaults();
  });

  test('the counter counts, or says that it can’t', async () => {
    const words = strings('zh').next;
    const manifest = JSON.parse(await readFile(join(dist, 'models/builtin/manifest.json'), 'utf8'));
    const { 'bigrams.bin': _, ...files } = manifest.files;
    const { ids, tokens } = await node.tokenize(thank);
    const [first, second] = (await node.next(thank, { top: 2 })).candidates;
    // Eight bytes, then numbers in groups of seven bits: V, and for each token how often something follows it, how many followers, and each follower's id
    // with what its count is less than the one before.
    const bytes = [...Buffer.from('bigrams1')];
    const add = (number) => {
      for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
      bytes.push(number);
    };
    add(vocabulary);
    for (let id = 0; id < vocabulary; id++) (id === ids.at(-1) ? [1000, 2, first.id, 400, second.id, 450] : [0, 0]).forEach(add);
    for (const [given, check] of [
      [files, async (widget) => assert.ok((await textIn(widget, '.next-counter')).includes(words.counterMissing))],
      [{ ...files, 'bigrams.bin': bytes.length }, async (widget) => {
        assert.equal(await textIn(widget, '.next-counter .caption'), words.counted(tokenLabel(tokens.at(-1)), '1,000'));
        const rows = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.next-counter li')].map((item) => [...item.querySelectorAll('.tk, .value')].map(({ textContent }) => textContent.trim())));
        assert.deepEqual(rows, [[label(first), '60.0%', words.times('600')], [label(second), '15.0%', words.times('150')], [words.others, '25.0%', words.times('250')]]);
        await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text', 'Tom')));
        const [last] = (await node.tokenize('Tom')).tokens.slice(-1);
        assert.equal(await textIn(widget, '.next-counter .caption'), words.neverSeen(tokenLabel(last)));
      }],
    ]) {
      site.overrides.set('models/builtin/manifest.json', { body: JSON.stringify({ ...manifest, files: given }) });
      site.overrides.set('models/builtin/bigrams.bin', { body: Buffer.from(bytes) });
      const fresh = await openPage(browser, site, emptyPage);
      const widget = await putWidget(fresh, tag, { text: thank, dice: 'off' });
      const shared = page;
      page = fresh;
      await check(widget).finally(() => (page = shared));
      fresh.expectNoFaults();
      await fresh.dispose();
    }
    site.overrides.clear();
  });

  test('odd input is told and does no harm', async () => {
    const words = strings('zh').next;
    const widget = await putWidget(page, tag, { text: thank, counter: 'off' });
    const give = (attributes) =>
      change(page, widget, () =>
        widget.evaluate((element, given) => {
          for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
        }, attributes),
      );
    await give({ text: '' });
    assert.equal((await read(widget)).empty, strings('zh').attention.empty);
    for (const text of ['😀👩‍👩‍👧‍👦', 'a\ud800b', 'שלום\u202e', '<img src=x onerror=alert(1)>', ' ']) {
      await give({ text });
      await assertShows(widget, text);
    }
    const long = '小猫没有跳上桌子。'.repeat(1200).slice(0, 10_000);
    await give({ text: long });
    const { sample, view } = await assertShows(widget, long);
    assert.ok(sample.dropped > 0);
    assert.equal(view.notes, words.dropped(sample.dropped, sample.tokens));
    await give({ text: thank, temperature: 'hot', 'top-p': '2', added: 'x', step: '-1' });
    const odd = await read(widget);
    assert.equal(odd.notes, words.bad(['temperature', 'topP', 'step', 'added']));
    await give({ temperature: '1', 'top-p': '1', step: '0', added: '9999999' });
    assert.equal((await read(widget)).notes, words.bad(['added']));
    page.expectNoFaults();
  });

  test('a text that outgrows the context goes on as the command does', async () => {
    const { config } = await node.load('builtin');
    const text = '小猫'.repeat(config.nPositions);
    const widget = await putWidget(page, tag, { text, counter: 'off', temperature: '0' });
    await (await inside(widget, '#go-on')).evaluate((button) => button.click());
    await until(page, 'all is written', (element) => !element.stale && element.left === 0 && element.hasAttribute('added') && element.result.settings.added.join(' ') === element.getAttribute('added'), widget);
    const { ids } = await node.generate(text, { maxTokens: 20 });
    assert.equal((await state(widget)).added, ids.join(' '));
  });

  test('narrow, by touch, in both themes and languages, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme, attributes] of [['zh', 'light', { text: story, temperature: '1.5', 'top-p': '0.9' }], ['en', 'dark', { text: thank, show: '28' }]]) {
      const widget = await putWidget(phone, tag, { ...attributes, lang, theme });
      await (await inside(widget, '#append')).tap();
      await until(phone, 'a token is appended', (element) => !element.stale && element.hasAttribute('added'), widget);
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lang}: no wider than the screen`);
      const small = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('button')].filter((item) => item.getBoundingClientRect().height < 43.5).map((item) => item.id || item.textContent.trim()));
      assert.deepEqual(small, [], 'large enough for a finger');
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });

  test('what it exports holds the numbers in full', async () => {
    const widget = await putWidget(page, tag, { text: story, counter: 'off', temperature: '2', 'top-p': '0.8' });
    const table = await widget.evaluate((element) => element.exports().table());
    const { candidates } = await node.sample(story, { temperature: 2, topP: 0.8, seed: usual.seed, top: usual.show });
    assert.deepEqual(table.rows.map((row) => row.slice(3, 6)), candidates.map(({ logit, p, tempered }) => [logit, p, tempered]));
    assert.deepEqual(table.rows.map((row) => row[6]), candidates.map(({ share }) => share));
    assert.match(await widget.evaluate((element) => element.exports().svg('dark')), /^<svg /);
  });
});
