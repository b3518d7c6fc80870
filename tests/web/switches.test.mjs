// glassbox-switches: each part of the model off, with what that does to the guess, from the engine.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatNumber, formatPercent } from '../../web/draw/number.js';
import { strings } from '../../web/i18n/index.js';
import { allSwitches, formatSwitches, isAlone, measureSwitches, parseSwitches, strangeness, sweepSwitches, switchSays, switchSets } from '../../web/parts/switches.js';
import { divergence, wholeVocabulary } from '../../web/parts/measure.js';
import { figureFor } from '../../web/site/figures.js';
import { assertShown, change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-switches';
const kitten = '小猫没有跳上桌子，因为它太累了。太累的是';
const zh = strings('zh').switches;
let node;
let config;

before(async () => {
  node = await openNodeEngine();
  ({ config } = await node.load('builtin'));
});

test('words of the attribute: in order, once, unknown ones told', () => {
  const small = { nLayer: 2, nHead: 2 };
  const { off, unknown } = parseSwitches(' mlp.1，h.0.attn  h.1.1 h.0.attn h.9.0 h.0.2 mlp.2 no-mask x no-scale,no-positions', small);
  assert.equal(formatSwitches(off), 'no-positions no-mask no-scale h.0.attn h.1.1 mlp.1');
  assert.deepEqual(unknown, ['h.9.0', 'h.0.2', 'mlp.2', 'x']);
  assert.equal(formatSwitches(parseSwitches(null, small).off), null);
  assert.equal(allSwitches(config).length, 3 + config.nLayer * (config.nHead + 2));
});

test('it is told when the model is taken to where training never was', () => {
  const kind = (words) => strangeness(parseSwitches(words, config).off, config);
  const sets = switchSets(config);
  assert.equal(kind(''), null);
  assert.equal(kind('h.0.0'), 'part');
  assert.equal(kind('mlp.1'), 'part');
  for (const whole of ['no-positions', 'no-mask', 'no-scale']) assert.equal(kind(whole), 'rule');
  assert.equal(kind(sets.both), 'alone');
  assert.equal(kind(sets.attention), 'alone');
  assert.ok(isAlone(parseSwitches(Array.from({ length: config.nLayer * config.nHead }, (_, i) => `h.${Math.floor(i / config.nHead)}.${i % config.nHead}`).join(' '), config).off, config));
});

test('before and after are the model’s guesses, the divergence is that of the whole vocabulary', async () => {
  for (const words of ['', 'h.1.2', 'h.0.attn', 'mlp.0', 'no-positions', 'no-mask', 'no-scale', switchSets(config).both]) {
    const { off } = parseSwitches(words, config);
    const effect = await measureSwitches(node, kitten, { off });
    const guess = async (knockout) => (await node.next(kitten, { top: wholeVocabulary, knockout })).candidates;
    const [was, now] = [await guess(''), await guess(words)];
    const p = (list, id) => list.find((one) => one.id === id).p;
    for (const row of effect.rows) assert.deepEqual([row.before, row.after], [p(was, row.id), p(now, row.id)], words);
    assert.deepEqual([effect.before.id, effect.after.id], [was[0].id, now[0].id]);
    assert.ok(Math.abs(effect.kl - divergence(was, now)) < 1e-4 * Math.max(1, effect.kl), `${words}: ${effect.kl}`);
    assert.ok(effect.rows.some(({ id }) => id === now[0].id), 'the new answer is in sight');
    assert.ok(words !== '' || effect.kl === 0);
  }
});

test('the first figure', async () => {
  const engine = { switchEffect: (...x) => node.switchEffect(...x), load: async () => ({ hash: 'cafe1234', config }) };
  for (const attributes of [{}, { knockout: 'h.0.attn no-mask', lang: 'en' }]) {
    const markup = await figureFor(tag, attributes, engine);
    assert.ok(markup.includes('<figure class="first"') && !/NaN|undefined|Infinity|\sstyle=|var\(/.test(markup));
  }
  await assert.rejects(figureFor(tag, { knockout: 'h.9.attn' }, engine), /the model has no/);
});

describe('in the page', () => {
  let browser;
  let site;
  let page;
  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const press = (widget, selector) => change(page, widget, async () => (await inside(widget, selector)).click());

  async function assertShows(widget, text, words) {
    const { off } = parseSwitches(words, config);
    assert.equal(await widget.evaluate((element) => element.getAttribute('knockout')), formatSwitches(off));
    const effect = await measureSwitches(node, text, { off });
    const rows = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.guesses li:not(.rest)')].map((row) => [row.querySelector('.tk').textContent, ...[...row.querySelectorAll('.value')].map((value) => value.textContent.trim())]));
    rows.forEach(([label, was, now], i) => {
      assert.equal(label, effect.rows[i].label);
      assert.ok(was.endsWith(formatPercent(effect.rows[i].before)), was);
      if (off.size) assert.ok(now.endsWith(formatPercent(effect.rows[i].after)), now);
    });
    assert.equal(rows.length, effect.rows.length);
    assert.equal(await textIn(widget, '#says'), switchSays(effect, off.size, zh));
    if (off.size) assertShown(await textIn(widget, '#kl b'), effect.kl, 'KL');
    const strange = strangeness(off, config);
    const told = await textIn(widget, '#strange');
    assert.equal(told === null, strange === null);
    if (strange) assert.ok(told.startsWith(zh.strange[strange].slice(0, 10)), told);
    const switches = await widget.evaluate((element) => Object.fromEntries([...element.shadowRoot.querySelectorAll('.sw')].map((one) => [one.dataset.word, one.getAttribute('aria-checked')])));
    for (const word of allSwitches(config)) {
      const layer = /^h\.(\d+)\.\d+$/.exec(word)?.[1];
      assert.equal(switches[word], off.has(word) || (layer && off.has(`h.${layer}.attn`)) ? 'false' : 'true', word);
    }
  }

  test('a head, an attention block, an MLP, the positions, the mask and the scale, each with its change and its divergence', async () => {
    const widget = await putWidget(page, tag, { text: kitten });
    await assertShows(widget, kitten, '');
    for (const word of ['h.2.1', 'h.0.attn', 'mlp.0', 'no-positions', 'no-mask', 'no-scale']) {
      await press(widget, `[data-word="${word}"]`);
      await assertShows(widget, kitten, word);
      await press(widget, `[data-word="${word}"]`);
      await assertShows(widget, kitten, '');
    }
    await press(widget, '[data-word="mlp.1"]');
    await press(widget, '[data-word="h.3.attn"]');
    await assertShows(widget, kitten, 'mlp.1 h.3.attn');
    // A head of a block that is off as a whole can't be switched by itself.
    await (await inside(widget, '[data-word="h.3.0"]')).click();
    await settled(page, widget);
    await assertShows(widget, kitten, 'mlp.1 h.3.attn');
    await press(widget, '#all-on');
    await assertShows(widget, kitten, '');
    page.expectNoFaults();
  });

  test('all off: no attention, no MLPs, neither; even every switch at once', async () => {
    const widget = await putWidget(page, tag, { text: kitten });
    for (const [name, words] of Object.entries(switchSets(config))) {
      await press(widget, `[data-set="${name}"]`);
      await assertShows(widget, kitten, words);
    }
    const all = allSwitches(config).join(' ');
    const every = await putWidget(page, tag, { text: kitten, knockout: all });
    await assertShows(every, kitten, all);
    assert.ok((await textIn(every, '#says')).includes('「的是」'), 'the last word itself is all that is left');
    page.expectNoFaults();
  });

  test('by the keyboard: one tab stop, arrows, space', async () => {
    const widget = await putWidget(page, tag, { text: 'Thank you very' });
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('.sw[tabindex="0"]').length), 1);
    await (await inside(widget, '.sw[tabindex="0"]')).focus();
    await page.keyboard.press('ArrowDown');
    await settled(page, widget);
    await page.keyboard.press('End');
    await settled(page, widget);
    await change(page, widget, () => page.keyboard.press('Space'));
    await assertShows(widget, 'Thank you very', 'mlp.0');
    assert.equal(await widget.evaluate((element) => element.shadowRoot.activeElement.dataset.word), 'mlp.0');
    page.expectNoFaults();
  });

  test('each by itself, the largest change first; a line turns that part off', async () => {
    const widget = await putWidget(page, tag, { text: kitten });
    await press(widget, '#sweep');
    const rows = await sweepSwitches(node, kitten, { config });
    assert.equal(rows.length, allSwitches(config).length);
    const shown = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.effect-kl')].map((one) => one.textContent.replace(' nat', '')));
    shown.forEach((text, i) => assertShown(text, rows[i].kl, rows[i].word));
    await press(widget, '.sweep li:nth-child(2) button');
    await assertShows(widget, kitten, rows[1].word);
    assert.ok((await textIn(widget, '.sweep li:nth-child(2) .effect-sides')).includes(formatPercent(rows[1].p)));
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    await assertShows(widget, kitten, '');
    page.expectNoFaults();
  });

  test('odd texts and words', async () => {
    let widget = await putWidget(page, tag, { text: '', knockout: 'mlp.0' });
    assert.equal(await textIn(widget, '.empty'), zh.empty);
    const long = '小猫没有跳上桌子。'.repeat(1112).slice(0, 10_000);
    for (const text of ['a', '😀👩‍👧', '<b>x</b>\u202e', long]) {
      widget = await putWidget(page, tag, { text, knockout: 'h.99.0 x no-mask' });
      await assertShows(widget, text, 'no-mask');
      assert.ok((await textIn(widget, '.notes')).includes('h.99.0 x'));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), text.slice(0, 20));
    }
    page.expectNoFaults();
  });

  test('what it exports holds the numbers in full', async () => {
    const widget = await putWidget(page, tag, { text: kitten, knockout: 'h.0.attn' });
    const { svg, table } = await widget.evaluate((element) => ({ svg: element.exports().svg('dark'), table: element.exports().table() }));
    const effect = await measureSwitches(node, kitten, { off: new Set(['h.0.attn']) });
    assert.ok(svg.startsWith('<svg') && !/NaN|undefined|var\(/.test(svg) && svg.includes(formatNumber(effect.kl)));
    assert.deepEqual(table.rows.map((row) => row.slice(2)), effect.rows.map(({ before: was, after: now }) => [was, now, effect.kl]));
  });

  test('by finger on a narrow phone, in both languages and themes, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      const widget = await putWidget(phone, tag, { lang, theme, text: kitten, sweep: 'on' });
      await change(phone, widget, async () => (await inside(widget, '[data-word="h.0.2"]')).tap());
      assert.equal(await widget.evaluate((element) => element.getAttribute('knockout')), 'h.0.2');
      assert.ok(await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.sw')].every((one) => one.getBoundingClientRect().height >= 44)));
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
