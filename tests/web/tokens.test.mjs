// glassbox-tokens: what the chips show is what the engine in Node computes, in both vocabularies; the merges go forward and back.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { chipGroups, glyphFit, tokensFigure } from '../../web/draw/chips.js';
import { treeDrawing } from '../../web/draw/token-tree.js';
import { formatNumber } from '../../web/draw/number.js';
import { strings } from '../../web/i18n/index.js';
import { mergeTree } from '../../web/parts/merges.js';
import { countCharacters, tokensOf } from '../../web/parts/tokens-of.js';
import { assertShown, change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, root, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-tokens';
const goldens = JSON.parse(await readFile(join(root, 'tests/golden/data/gpt2_bpe_goldens.json'), 'utf8'));
const cat = '小猫没有跳上桌子，因为它太累了。';
const words = strings('zh').pieces;

let node;

before(async () => {
  node = await openNodeEngine();
});

describe('without a browser', () => {
  test('pieces that only together are characters stand in one group, drawn as that character', () => {
    const [space, cut] = [[32], [[0xe7], [0x8c, 0xab]]];
    const groups = chipGroups([space, ...cut, [0x61]]);
    assert.deepEqual(groups.map(({ start, end, glyph }) => [start, end, glyph]), [[0, 1, null], [1, 3, '猫'], [3, 4, null]]);
    assert.deepEqual(groups.flatMap(({ labels }) => labels), ['␣', 'E7', '8C AB', 'a']);
    assert.deepEqual(chipGroups([[0xff], [0xfe]]).map(({ glyph, labels }) => [glyph, ...labels]), [[null, '‹FF›'], [null, '‹FE›']]);
    const { size, stretch } = glyphFit('猫', 72);
    assert.ok(size * stretch > 60 && size * stretch <= 72, 'the character fills its parts');
  });

  test('characters are counted as a reader counts them', () => {
    assert.equal(countCharacters('é👨‍👩‍👧字'), 3);
    assert.equal(countCharacters('a'.repeat(60_000)), 60_000);
  });

  test('the drawings stand alone, wide and narrow, in both themes', async () => {
    for (const lang of ['zh', 'en']) {
      const t = strings(lang).pieces;
      const { sides } = await tokensOf(node, `${cat} <b>&"\n\t`, ['gpt2', 'builtin']);
      for (const width of [340, 740]) {
        for (const theme of ['light', 'dark']) {
          const svg = tokensFigure({ sides: sides.map((side) => ({ ...side, title: 'T', stats: 'S 1.5' })), title: 'x', words: t, theme, width, most: 2 });
          assert.match(svg, /^<svg [^]*<\/svg>$/);
          assert.doesNotMatch(svg, /NaN|undefined|var\(|\ufffd|<b>/);
          assert.ok(svg.includes(`>${sides[0].ids[0]}<`));
        }
      }
    }
  });

  test('the origin of a token: its characters, bytes, merges with ranks, and tokens', async () => {
    const asked = await node.tokenize('小猫', { tokenizer: 'gpt2', steps: true });
    const { svg } = treeDrawing({ text: '小猫', roots: mergeTree(asked), tones: asked.ids.map((_, i) => i % 6), width: 300, words: words.lines });
    for (const shown of ['小', '猫', 'E5', 'B0', '8F', 'E7', '8C', 'AB', formatNumber(asked.steps[0].rank), ...asked.ids.map(String)]) assert.ok(svg.includes(`>${shown}<`), shown);
    assert.doesNotMatch(svg, /NaN|undefined|\ufffd/);
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  /** What the chips of a vocabulary show: ids, and the text as the chips draw it. */
  const chipsOf = (widget, name) =>
    widget.evaluate(
      (element, wanted) =>
        [...element.shadowRoot.querySelectorAll(`#chips-${wanted} .chip`)].map((chip) => ({
          id: Number(chip.querySelector('small').textContent),
          hex: chip.querySelector('.hex').textContent,
          text: chip.querySelector('.chip-text').textContent,
          label: chip.querySelector('.vh').textContent,
          tone: /tone-(\d)/.exec(chip.className)[1],
          joined: chip.parentElement.className === 'joined',
          pressed: chip.getAttribute('aria-pressed') === 'true',
          fresh: chip.classList.contains('fresh'),
        })),
      name,
    );
  const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);
  const press = async (widget, id) => {
    await (await inside(widget, `#${id}`)).click();
    await settled(page, widget);
  };

  test('GPT-2’s vocabulary: the tokens of the hundred golden strings, read from the page', async () => {
    const widget = await putWidget(page, tag, { text: 'Thank you very', tokenizer: 'gpt2' });
    assert.deepEqual((await chipsOf(widget, 'gpt2')).map(({ id }) => id), [10449, 345, 845]);
    assert.equal(goldens.length, 100);
    for (const { text, ids } of goldens.filter((golden) => golden.text !== '')) {
      await change(page, widget, () => widget.evaluate((element, given) => (element.text = given), text));
      const shown = await chipsOf(widget, 'gpt2');
      assert.deepEqual(shown.map(({ id }) => id), ids.slice(0, 2000), JSON.stringify(text.slice(0, 80)));
      if (!text.includes('\ufffd')) assert.ok(shown.every((chip) => !chip.text.includes('\ufffd') && !chip.label.includes('\ufffd')), 'no replacement sign stands for a part');
    }
    await change(page, widget, () => widget.evaluate((element) => (element.text = ' much')));
    assert.deepEqual((await chipsOf(widget, 'gpt2')).map(({ id, text }) => [id, text]), [[881, '␣much']]);
    page.expectNoFaults();
  });

  test('both vocabularies, their counts and rates, without a model', async () => {
    const fresh = await openPage(browser, site, 'zh/glossary.html'); // a page without figures, whose models would be asked for
    const seen = [];
    fresh.on('request', (request) => seen.push(new URL(request.url()).pathname.slice(1)));
    const widget = await putWidget(fresh, tag, { text: cat });
    const { sides, characters, textBytes } = await tokensOf(node, cat, ['gpt2', 'builtin']);
    for (const side of sides) {
      const shown = await chipsOf(widget, side.name);
      assert.deepEqual(shown.map(({ id }) => id), side.ids);
      assert.deepEqual(shown.map(({ joined }) => joined), side.bytes.map((bytes) => bytes.length < 3), 'parts of a character are joined');
      const head = await widget.evaluate((element, name) => element.shadowRoot.querySelector(`#voc-${name}`).parentElement.innerText, side.name);
      for (const text of [formatNumber(side.size), words.count(side.count), words.rate(String(characters), String(textBytes), formatNumber(side.rate))]) assert.ok(head.includes(text), `${head}: ${text}`);
    }
    assert.ok(sides[0].count > sides[1].count);
    assert.ok(seen.every((path) => !path.endsWith('.safetensors')), 'no model is loaded');
    fresh.expectNoFaults();
    await fresh.dispose();
  });

  test('white space and line ends can be seen', async () => {
    const widget = await putWidget(page, tag, { text: 'if  x:\n\treturn\u3000', tokenizer: 'gpt2' });
    const drawn = (await chipsOf(widget, 'gpt2')).filter(({ joined }) => !joined).map(({ text }) => text).join('');
    for (const sign of ['␣', '⏎', '⇥']) assert.ok(drawn.includes(sign), sign);
    page.expectNoFaults();
  });

  test('the merges, one at a time with their ranks, forward and back', async () => {
    const text = 'Thank you';
    const widget = await putWidget(page, tag, { text, tokenizer: 'gpt2', step: '0' });
    const { steps } = await node.tokenize(text, { tokenizer: 'gpt2', steps: true });
    assert.equal((await chipsOf(widget, 'gpt2')).length, 9, 'each byte is a piece');
    assert.equal(await textIn(widget, 'output'), words.stepOf('0', String(steps.length)));
    let pieces = 9;
    for (const [i, { rank, count }] of steps.entries()) {
      await press(widget, 'forward');
      pieces -= count;
      const chips = await chipsOf(widget, 'gpt2');
      assert.equal(chips.length, pieces);
      assert.equal(chips.filter(({ fresh }) => fresh).length, i + 1 < steps.length ? count : 0, 'the merged piece is marked until the end');
      assert.ok((await textIn(widget, '#now')).startsWith(words.rank(formatNumber(rank))));
      assert.equal(await attribute(widget, 'step'), i + 1 < steps.length ? String(i + 1) : null);
    }
    assert.deepEqual((await chipsOf(widget, 'gpt2')).map((chip) => chip.text), ['Thank', '␣you']);
    await press(widget, 'back');
    assert.equal((await chipsOf(widget, 'gpt2')).length, 3);
    await press(widget, 'to-start');
    assert.equal((await chipsOf(widget, 'gpt2')).length, 9);
    await (await inside(widget, '#step')).focus();
    await page.keyboard.press('ArrowRight');
    await settled(page, widget);
    assert.equal(await attribute(widget, 'step'), '1');
    await press(widget, 'to-end');
    assert.equal(await attribute(widget, 'step'), null);
    page.expectNoFaults();
  });

  test('a Chinese character: bytes, merges, tokens; a chip opens its origin, by mouse and by keyboard', async () => {
    const widget = await putWidget(page, tag, { text: cat });
    const [gpt2] = (await tokensOf(node, cat, ['gpt2'])).sides;
    assert.equal(await textIn(widget, '#tree'), null);
    await (await inside(widget, '#chips-gpt2 .chip:nth-child(1)')).click();
    await settled(page, widget);
    assert.equal(await attribute(widget, 'token'), 'gpt2 0');
    const tree = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('#tree svg text')].map((text) => text.textContent));
    for (const shown of ['小', 'E5', 'B0', '8F', formatNumber(gpt2.steps.find(({ place }) => place === 0).rank), String(gpt2.ids[0]), String(gpt2.ids[1])]) assert.ok(tree.includes(shown), shown);
    await page.keyboard.press('ArrowRight');
    await settled(page, widget);
    assert.equal(await attribute(widget, 'token'), 'gpt2 1');
    await page.keyboard.press('End');
    await settled(page, widget);
    assert.equal(await attribute(widget, 'token'), `gpt2 ${gpt2.count - 1}`);
    assert.deepEqual((await chipsOf(widget, 'gpt2')).map(({ pressed }) => pressed).lastIndexOf(true), gpt2.count - 1);
    await page.keyboard.press('Escape');
    await settled(page, widget);
    assert.equal(await attribute(widget, 'token'), null);
    await change(page, widget, () => inside(widget, '#watch-builtin').then((button) => button.click()));
    assert.equal(await attribute(widget, 'tokenizer'), 'builtin');
    assert.equal((await chipsOf(widget, 'builtin')).length, new TextEncoder().encode(cat).length);
    page.expectNoFaults();
  });

  test('any text: empty, one byte, emoji, right to left, control characters, a lone surrogate, markup', async () => {
    const widget = await putWidget(page, tag, { text: '' });
    assert.equal(await textIn(widget, '.empty'), words.empty);
    for (const text of ['a', '😀👨‍👩‍👧', 'שלום عربي', '\u0000\u0007\u200b', 'x\ud800y', '<img src=x onerror=alert(1)>', '\n\n\n']) {
      await change(page, widget, () => widget.evaluate((element, given) => (element.text = given), text));
      const { sides } = await tokensOf(node, text, ['gpt2', 'builtin']);
      for (const { name, ids } of sides) assert.deepEqual((await chipsOf(widget, name)).map(({ id }) => id), ids, JSON.stringify(text));
    }
    page.expectNoFaults();
  });

  test('a text too long for its merges is told so, in place, and is still cut', async () => {
    const text = 'The cat sat. '.repeat(2000);
    const widget = await putWidget(page, tag, { text: 'a', tokenizer: 'gpt2', step: '0' });
    await change(page, widget, () => widget.evaluate((element, given) => (element.text = given), text));
    assert.equal(await textIn(widget, '#too-long'), words.tooLong(formatNumber(8192), formatNumber(text.length)));
    const { sides } = await tokensOf(node, text, ['gpt2']);
    assert.ok(sides[0].count > 5000);
    const shown = await chipsOf(widget, 'gpt2');
    assert.deepEqual(shown.map(({ id }) => id), sides[0].ids);
    assert.equal(shown.length, 2000);
    assert.ok((await textIn(widget, '.voc')).includes(words.rest(formatNumber(sides[0].count - 2000))));
    page.expectNoFaults();
  });

  test('attributes out of range become what can be shown, and come back with reset', async () => {
    const widget = await putWidget(page, tag, { text: 'Thank you', tokenizer: 'gpt2', step: '999', token: '999' });
    assert.deepEqual([await attribute(widget, 'step'), await attribute(widget, 'token')], [null, null]);
    const other = await putWidget(page, tag, { text: 'Thank you', tokenizer: 'llama', step: '2', token: 'builtin 0' });
    assert.deepEqual([await attribute(other, 'step'), await attribute(other, 'token')], [null, 'builtin 0']);
    await change(page, other, () => other.evaluate((element) => (element.text = 'x')));
    await change(page, other, () => inside(other, '#reset').then((button) => button.click()));
    assert.equal(await attribute(other, 'text'), 'Thank you');
    page.expectNoFaults();
  });

  test('a vocabulary that does not come is an error in place, and can be asked for again', async () => {
    const fresh = await openPage(browser, site, emptyPage, { allow: [/404|500/] });
    site.overrides.set('models/gpt2/merges.txt', { status: 500 });
    try {
      const widget = await putWidget(fresh, tag, { text: 'Thank you', tokenizer: 'gpt2' });
      assert.ok(await textIn(widget, '.err'));
      assert.equal(await widget.evaluate((element) => element.lastCode), 'no_file');
      site.overrides.clear();
      await change(fresh, widget, () => inside(widget, '.err .btn').then((button) => button.click()));
      assert.equal((await chipsOf(widget, 'gpt2')).length, 2);
      fresh.expectNoFaults();
    } finally {
      site.overrides.clear();
      await fresh.dispose();
    }
  });

  test('its table and its picture hold what it shows', async () => {
    const widget = await putWidget(page, tag, { text: cat });
    const { table, svg } = await widget.evaluate((element) => ({ table: element.exports().table(), svg: element.exports().svg('dark') }));
    const { sides } = await tokensOf(node, cat, ['gpt2', 'builtin']);
    assert.deepEqual(table.rows.map(([, id]) => id), sides.flatMap(({ ids }) => ids));
    assert.ok(!svg.includes('var(') && svg.includes(`>${sides[1].ids[0]}<`));
    page.expectNoFaults();
  });

  test('no barriers, room for fingers, on wide screens and on phones, light and dark', async () => {
    const widget = await putWidget(page, tag, { text: `${cat} 😀`, tokenizer: 'gpt2', step: '3', token: '4' });
    for (const [width, theme] of [[1280, 'light'], [390, 'dark'], [320, 'light']]) {
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
      await settled(page, widget);
      assert.deepEqual((await findBarriers(page)).filter((barrier) => !barrier.startsWith('page-has-heading-one')), [], `${width} ${theme}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${width}: no sideways scrolling`);
      const small = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('button, input[type=range]')].filter((item) => item.getBoundingClientRect().height < 43.5).map((item) => item.outerHTML.slice(0, 80)));
      assert.deepEqual(small, [], `${width}: 44 px high`);
    }
    await page.setViewport({ width: 1280, height: 900 });
    page.expectNoFaults();
  });
});
