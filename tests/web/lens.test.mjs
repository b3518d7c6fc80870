// glassbox-lens: what would be guessed after every layer, from the engine; candidates that once ranked high stay in view.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatFixed, formatPercent } from '../../web/draw/number.js';
import { strings } from '../../web/i18n/index.js';
import { askLens, lensKept, lensSentence, lensTop } from '../../web/parts/lens.js';
import { figureFor } from '../../web/site/figures.js';
import { change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-lens';
const kitten = '小猫没有跳上桌子，因为它太累了。太累的是';
const zh = strings('zh').lens;
let node;
let config;

before(async () => {
  node = await openNodeEngine();
  ({ config } = await node.load('builtin'));
});

test('a stage for the embedding and for each layer; the last is the model’s own guess, to the bit', async () => {
  for (const text of [kitten, 'Thank you very', 'a', '😀']) {
    const read = await askLens(node, text);
    assert.equal(read.stages.length, config.nLayer + 1);
    const { candidates } = await node.next(text, { top: lensTop });
    assert.deepEqual(read.stages.at(-1).candidates.map(({ id, p }) => [id, p]), candidates.map(({ id, p }) => [id, p]));
  }
});

test('every candidate that was among the first at any stage is kept, with probability and rank at every stage', async () => {
  const read = await askLens(node, kitten);
  const once = new Set(read.stages.flatMap(({ candidates }) => candidates.map(({ id }) => id)));
  assert.deepEqual(new Set(read.tracked.map(({ id }) => id)), once);
  for (const one of read.tracked) {
    read.stages.forEach(({ candidates }, i) => {
      const place = candidates.findIndex(({ id }) => id === one.id);
      assert.equal(one.rank[i] < lensTop, place >= 0, one.label);
      if (place >= 0) assert.deepEqual([one.rank[i], one.p[i]], [place, candidates[place].p]);
    });
  }
  const answer = read.stages.at(-1).candidates[0].id;
  assert.equal(read.tracked[0].id, answer);
  assert.ok(read.stages.slice(read.decided).every(({ candidates }) => candidates[0].id === answer));
  assert.ok(read.decided === 0 || read.stages[read.decided - 1].candidates[0].id !== answer);
});

test('the first figure', async () => {
  const engine = { logitLens: (...x) => node.logitLens(...x), load: async () => ({ hash: 'cafe1234', config }) };
  for (const attributes of [{}, { text: 'Thank you very', position: '1', lang: 'en' }]) {
    const markup = await figureFor(tag, attributes, engine);
    assert.ok(markup.includes('<figure class="first"') && !/NaN|undefined|Infinity|\sstyle=|var\(/.test(markup));
  }
});

describe('in the page', () => {
  let browser;
  let site;
  let page;
  useEmptyPage((opened) => ({ browser, site, page } = opened));

  async function assertShows(widget, text, position, kept = lensKept) {
    const read = await askLens(node, text, { position });
    const stages = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.lens-stages li')].map((line) => [...line.querySelectorAll('.lens-cell')].map((cell) => [cell.querySelector('bdi').textContent, cell.querySelector('small').textContent])));
    assert.deepEqual(stages, read.stages.map(({ candidates }) => candidates.map(({ label, p }) => [label, formatPercent(p)])));
    const rows = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.lens-table tbody tr')].map((row) => [row.querySelector('bdi').textContent, ...[...row.querySelectorAll('td')].map((cell) => cell.textContent)]));
    assert.deepEqual(rows, read.tracked.slice(0, kept).map((one) => [one.label, ...one.p.map((p, i) => `${formatPercent(p)}#${formatFixed(one.rank[i] + 1, 0)}`)]));
    assert.ok((await textIn(widget, '#says')).startsWith(lensSentence(read, zh)));
    return read;
  }

  test('after the last word, after another, and all that is followed', async () => {
    const widget = await putWidget(page, tag, { text: kitten });
    const read = await assertShows(widget, kitten);
    if (read.tracked.length > lensKept) {
      await (await inside(widget, '#more')).click();
      await settled(page, widget);
      await assertShows(widget, kitten, undefined, Infinity);
      await (await inside(widget, '#more')).click();
    }
    await change(page, widget, async () => (await inside(widget, '#tokens button:nth-child(2)')).click());
    await assertShows(widget, kitten, 1);
    assert.ok((await textIn(widget, '#says')).includes(zh.was('跳上')));
    await change(page, widget, () => page.keyboard.press('ArrowRight'));
    await assertShows(widget, kitten, 2);
    await change(page, widget, async () => (await inside(widget, '.prompts button:nth-child(2)')).click());
    await assertShows(widget, 'Thank you very');
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    await assertShows(widget, kitten);
    page.expectNoFaults();
  });

  test('odd texts and positions', async () => {
    let widget = await putWidget(page, tag, { text: '' });
    assert.equal(await textIn(widget, '.empty'), zh.empty);
    const long = '小猫没有跳上桌子。'.repeat(1112).slice(0, 10_000);
    for (const [text, position] of [['a', '99'], ['😀👩‍👧', '-1'], ['<b>x</b>', 'x'], [long, '0'], [long, '']]) {
      widget = await putWidget(page, tag, { text, position });
      assert.equal(await widget.evaluate((element) => element.timesFailed ?? 0), 0, text.slice(0, 20));
      assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelectorAll('.lens-stages li').length), config.nLayer + 1);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), text.slice(0, 20));
    }
    assert.ok((await textIn(widget, '.notes')).length > 5);
    page.expectNoFaults();
  });

  test('what it exports holds the numbers in full', async () => {
    const widget = await putWidget(page, tag, { text: kitten });
    const { svg, table } = await widget.evaluate((element) => ({ svg: element.exports().svg('light'), table: element.exports().table() }));
    const read = await askLens(node, kitten);
    assert.ok(svg.startsWith('<svg') && !/NaN|undefined|var\(/.test(svg));
    assert.deepEqual(table.rows.map((row) => row.slice(2)), read.tracked.flatMap((one) => one.p.map((p, i) => [p, one.rank[i] + 1])));
  });

  test('by finger on a narrow phone, in both languages and themes, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      const widget = await putWidget(phone, tag, { lang, theme, text: kitten });
      await change(phone, widget, async () => (await inside(widget, '#tokens button:nth-child(3)')).tap());
      assert.equal(await widget.evaluate((element) => element.getAttribute('position')), '2');
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
