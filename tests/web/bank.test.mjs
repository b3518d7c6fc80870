// glassbox-bank: one word in two sentences and in two groups of them, against the engine in Node.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { bankFigure, bankSentences, groupSentence } from '../../web/draw/bank-figure.js';
import { formatCosine } from '../../web/draw/cosine.js';
import { strings } from '../../web/i18n/index.js';
import { compareGroups, compareWord, findWord, groupsFor, mostSentences, sentencesOf } from '../../web/parts/word-in-text.js';
import { figureFor } from '../../web/site/figures.js';
import { assertShown, change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, readGrid, settled, textIn, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-bank';
const zh = strings('zh').bank;
const deposit = 'I deposited money at the bank';
const river = 'The river bank';
let node;
let config;

before(async () => {
  node = await openNodeEngine();
  ({ config } = await node.load('builtin'));
});

const cosine = (a, b) => {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return dot / Math.sqrt(aa * bb);
};
const bytes = (...tokens) => tokens.map((token) => Array.from(new TextEncoder().encode(token)));

describe('without a browser', () => {
  test('a word is found as whole tokens, one or several, a blank before it aside', () => {
    assert.deepEqual(findWord(bytes('I', ' put', ' it', ' in', ' the', ' bank', ' bank'), 'bank'), [{ start: 5, end: 6 }, { start: 6, end: 7 }]);
    assert.deepEqual(findWord(bytes('b', 'ank', ' b', 'ank', ' banks', ' ', 'bank'), 'bank'), [{ start: 0, end: 2 }, { start: 2, end: 4 }, { start: 6, end: 7 }]);
    assert.deepEqual(findWord(bytes(' New', ' York'), ' New York '), [{ start: 0, end: 2 }]);
    assert.deepEqual(findWord(bytes('banking', 'ban', 'ks'), 'bank'), []);
    assert.deepEqual(findWord(bytes('a'), ''), []);
    assert.deepEqual(findWord([[0xe9, 0xbe], [0x98], [0xe9]], '龘'), [{ start: 0, end: 2 }]);
  });

  test('looked up it is the same to the bit; the position is added; the layers tell the two apart', async () => {
    const { sides, stages } = await compareWord(node, { word: 'bank', texts: [deposit, river] });
    assert.equal(stages.length, config.nLayer + 2);
    assert.deepEqual([stages[0].same, stages[0].cosine], [true, 1]);
    assert.notEqual(sides[0].position, sides[1].position);
    for (const { vectors: [a, b], cosine: x } of stages.slice(1)) assert.ok(Math.abs(x - cosine(a, b)) < 1e-5);
    assert.ok(stages.at(-1).cosine < 0.98, `after the layers ${stages.at(-1).cosine}`);
    // The vectors are those of the trace at the word's place.
    const last = `h.${config.nLayer - 1}.resid_out`;
    const { tokens, activations } = await node.trace(deposit, { names: [last] });
    const at = tokens.indexOf(' bank');
    assert.equal(sides[0].position, at);
    assert.deepEqual([...stages.at(-1).vectors[0]], [...activations[last].data.slice(at * config.nEmbd, (at + 1) * config.nEmbd)]);
    assert.ok((await compareWord(node, { word: 'bank', texts: ['bank', 'x'] })).stages.length === 0);
  });

  test('with the mean taken away the three sentences about money part from the three about a river', async () => {
    const groups = groupsFor('bank', zh).texts.map(sentencesOf);
    assert.deepEqual(groups.map((list) => list.length), [3, 3]);
    const { members, stages, cut } = await compareGroups(node, { word: 'bank', groups });
    assert.deepEqual([members.length, cut, stages.length], [6, 3, config.nLayer + 2]);
    assert.equal(stages[0].same, true);
    const { raw, centred } = stages.at(-1);
    assert.ok(centred.within > 0.2 && centred.across < -0.2, `${centred.within} ${centred.across}`);
    assert.ok(raw.within > raw.across);
    const vectors = members.map((member) => member.vectors.at(-1));
    const mean = vectors[0].map((_, i) => vectors.reduce((sum, v) => sum + v[i], 0) / 6);
    const rest = vectors.map((v) => v.map((x, i) => x - mean[i]));
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 6; j++) {
        assert.ok(Math.abs(raw.cosines[i * 6 + j] - cosine(vectors[i], vectors[j])) < 1e-5);
        assert.ok(Math.abs(centred.cosines[i * 6 + j] - cosine(rest[i], rest[j])) < 1e-3);
      }
    }
  });

  test('where everything before a word is alike, it stays the same to the bit', async () => {
    const { text, textB, word } = zh.prompts.find((prompt) => prompt.word === '它');
    const { stages } = await compareWord(node, { word, texts: [text, textB] });
    assert.ok(stages.every(({ same }) => same));
    const later = await compareWord(node, { word: '的是', texts: [text, textB] });
    assert.ok(!later.stages.at(-1).same);
    // Where it stands twice the last is meant, unless another place is asked for.
    const usual = await compareWord(node, { word: '太', texts: [text, textB] });
    const [place, last] = usual.sides[0].places;
    assert.deepEqual([usual.sides[0].places.length, usual.sides[0].place], [2, last]);
    const first = await compareWord(node, { word: '太', texts: [text, textB], at: [place.start, null] });
    assert.deepEqual([first.sides[0].place, first.sides[1].place], [place, last]);
  });

  test('too few sentences, too many, sentences without the word', async () => {
    const few = await compareGroups(node, { word: 'bank', groups: [[deposit], [river, 'no such word']] });
    assert.deepEqual([few.stages, few.members.length, few.skipped.map(({ group, number }) => [group, number])], [[], 2, [[1, 2]]]);
    const many = await compareGroups(node, { word: 'bank', groups: [Array(20).fill(deposit), [river, river]] });
    assert.equal(many.members.length, mostSentences + 2);
    assert.deepEqual(sentencesOf(' a | b ||c'), ['a', 'b', 'c']);
    assert.deepEqual(sentencesOf('a|b\n c '), ['a|b', 'c']);
    assert.deepEqual(groupsFor('constructor', zh).texts, ['', '']);
  });

  test('the known-good prompts hold their words, in both languages', async () => {
    for (const lang of ['zh', 'en']) {
      const words = strings(lang).bank;
      for (const { word, text, textB } of words.prompts) {
        const { stages } = await compareWord(node, { word, texts: [text, textB] });
        assert.equal(stages.length, config.nLayer + 2, `${word}: ${text} / ${textB}`);
        const groups = await compareGroups(node, { word, groups: groupsFor(word, words).texts.map(sentencesOf) });
        assert.equal(groups.skipped.length, 0);
        assert.equal(groups.stages.length, config.nLayer + 2);
      }
    }
  });

  test('a cosine that is not exactly 1 never reads as 1', () => {
    assert.deepEqual([1, 0.99999, -0.99999, 0.5, 0].map(formatCosine), ['1', '> 0.999', '< −0.999', '0.500', '0.000']);
  });

  test('the drawing stands alone, wide and narrow, in both themes and languages', async () => {
    for (const lang of ['zh', 'en']) {
      const words = strings(lang).bank;
      const { names, texts } = groupsFor('bank', words);
      const compared = await compareWord(node, { word: 'bank', texts: [deposit, river] });
      for (const groups of [await compareGroups(node, { word: 'bank', groups: texts.map(sentencesOf) }), null]) {
        for (const width of [340, 940]) {
          for (const theme of ['light', 'dark']) {
            const svg = bankFigure({ compared, groups, names, stage: 0, isCentred: true, word: 'bank', words, theme, width });
            assert.match(svg, /^<svg [^]*<\/svg>$/);
            assert.doesNotMatch(svg, /NaN|undefined|var\(|light-dark/);
          }
        }
      }
    }
    assert.ok((await figureFor(tag, {}, node)).includes('<figure class="first"'));
    await assert.rejects(figureFor(tag, { word: 'dog' }, node), /does not hold/);
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  async function assertShows(widget, word, text, textB, at = [null, null]) {
    const compared = await compareWord(node, { word, texts: [text, textB], at });
    const shown = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.twins li')].map((row) => [row.querySelector('.value').textContent, row.querySelector('small').textContent]));
    assert.deepEqual(shown, compared.stages.map(({ cosine: x, same }) => [formatCosine(x), same ? zh.same : '']));
    if (compared.stages.length) assert.equal((await textIn(widget, '#says')).replaceAll('\n', ''), bankSentences(compared, zh).join(''));
    const marked = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.sentence')].map((line) => [...line.querySelectorAll('.tok.on')].map((token) => token.textContent).join('')));
    assert.deepEqual(marked, compared.sides.map(({ labels, place }) => (place ? labels.slice(place.start, place.end).join('') : '')));
    return compared;
  }

  test('the word in the two sentences of the lesson, then in the reader’s own', async () => {
    const widget = await putWidget(page, tag);
    await assertShows(widget, 'bank', deposit, river);
    await change(page, widget, async () => {
      const field = await inside(widget, '#text-b');
      await field.focus();
      await page.keyboard.press('End');
      await page.keyboard.type(' and the bank');
    });
    await settled(page, widget);
    assert.equal(await widget.evaluate((element) => element.getAttribute('text-b')), `${river} and the bank`);
    await assertShows(widget, 'bank', deposit, `${river} and the bank`);
    // It stands there twice now; the first one can be chosen.
    await change(page, widget, async () => (await inside(widget, '.places button')).click());
    const { sides: [, { places: [first] }] } = await compareWord(node, { word: 'bank', texts: [deposit, `${river} and the bank`] });
    assert.equal(await widget.evaluate((element) => element.getAttribute('at-b')), String(first.end - 1));
    await assertShows(widget, 'bank', deposit, `${river} and the bank`, [null, first.start]);
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    await assertShows(widget, 'bank', deposit, river);
    page.expectNoFaults();
  });

  test('known-good prompts by their chips', async () => {
    const widget = await putWidget(page, tag);
    for (const i of [2, 3, 4]) {
      const { word, text, textB } = zh.prompts[i - 1];
      await change(page, widget, async () => (await inside(widget, `.prompts button:nth-child(${i})`)).click());
      await assertShows(widget, word, text, textB);
    }
  });

  test('the groups: each pair, where it is measured, and with or without their mean', async () => {
    const widget = await putWidget(page, tag);
    const groups = await compareGroups(node, { word: 'bank', groups: groupsFor('bank', zh).texts.map(sentencesOf) });
    const last = config.nLayer + 1;
    const check = async (stage, kind) => {
      const grid = await readGrid(widget, '#matrix');
      assert.deepEqual(grid.labels, ['钱 1', '钱 2', '钱 3', '河 1', '河 2', '河 3']);
      grid.cells.forEach((row, r) => row.forEach((text, c) => assertShown(text, groups.stages[stage][kind].cosines[r * 6 + c], `${kind} ${r},${c}`)));
      assert.equal(await textIn(widget, '#group-says'), groupSentence(groups.stages[stage], kind === 'centred', zh));
    };
    await check(last, 'centred');
    await (await inside(widget, '.switch input')).click();
    await settled(page, widget);
    assert.equal(await widget.evaluate((element) => element.getAttribute('centre')), 'off');
    await check(last, 'raw');
    await (await inside(widget, '.switch input')).click();
    await (await inside(widget, '.many label:nth-of-type(3) input')).click();
    await settled(page, widget);
    assert.equal(await widget.evaluate((element) => element.getAttribute('stage')), '2');
    await check(2, 'centred');
    await (await inside(widget, '.many label:nth-of-type(1) input')).click();
    await settled(page, widget);
    assert.equal(await textIn(widget, '#group-says'), zh.groupSame(zh.stage.token));
    // A cell says which sentences it compares.
    await (await inside(widget, '#matrix td[tabindex="0"]')).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    const told = await textIn(widget, '#pair');
    assert.ok(told.includes('钱 2') && told.includes('Sam swam in the cold water'), told);
    page.expectNoFaults();
  });

  test('sentences of the reader’s own, some without the word', async () => {
    const widget = await putWidget(page, tag, { 'group-a': 'a bank|the bank|nothing', 'group-b': 'bank one\nriver bank\n', stage: '99' });
    assert.equal(await widget.evaluate((element) => element.getAttribute('stage')), String(config.nLayer + 1));
    assert.ok((await textIn(widget, '#skipped')).includes('钱 3'));
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelector('#group-a').value), 'a bank\nthe bank\nnothing');
    assert.equal((await readGrid(widget, '#matrix')).labels.length, 4);
    await change(page, widget, async () => {
      await (await inside(widget, '#group-b')).focus();
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.type('x');
    });
    assert.equal(await readGrid(widget, '#matrix'), null);
    assert.ok((await textIn(widget, '.calc .empty')).includes(zh.few));
  });

  test('odd texts and words are only text', async () => {
    const long = 'The river bank. '.repeat(700).slice(0, 10_000);
    for (const [word, text, textB] of [
      ['', deposit, river],
      ['bank', '', river],
      ['bank', deposit, ''],
      ['dog', deposit, river],
      ['bank', long, river],
      ['😀', 'a 😀 b', '😀'],
      ['龘', '我爱龘字', '龘'],
      ['\ud800', 'a \ud800', '\ud800'],
      ['<b>', '<b>bold</b>', 'x<b>'],
      [' ', 'a b', 'c d'],
      ['x'.repeat(10_000), 'x'.repeat(10_000), 'x'],
    ]) {
      const widget = await putWidget(page, tag, { word, text, 'text-b': textB });
      assert.equal(await widget.evaluate((element) => element.timesFailed ?? 0), 0, word.slice(0, 20));
      const empty = await textIn(widget, '.fig-body .empty');
      if (!word.trim() || !text || !textB) assert.equal(empty, zh.empty);
      else await assertShows(widget, word.trim(), text, textB);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), word.slice(0, 20));
    }
    page.expectNoFaults();
  });

  test('a word of several tokens is told, and its last token is the one looked at', async () => {
    const widget = await putWidget(page, tag, { word: '龘', text: '我爱龘字', 'text-b': '龘' });
    const compared = await assertShows(widget, '龘', '我爱龘字', '龘');
    assert.ok(compared.sides[0].place.end - compared.sides[0].place.start > 1);
    assert.ok((await textIn(widget, '.sentence .hint')).includes('龘'));
  });

  test('what it exports holds the numbers in full', async () => {
    const widget = await putWidget(page, tag);
    const { table, svg } = await widget.evaluate((element) => ({ table: element.exports().table(), svg: element.exports().svg('light') }));
    const { stages } = await compareWord(node, { word: 'bank', texts: [deposit, river] });
    assert.match(svg, /^<svg /);
    assert.deepEqual(table.rows.map((row) => row[1]), stages.map(({ cosine: x }) => x));
    assert.deepEqual(table.rows.at(-1).slice(2, 2 + config.nEmbd), [...stages.at(-1).vectors[0]]);
    assert.equal(table.header.length, table.rows[0].length);
  });

  test('by finger on a narrow phone, in both languages and themes, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      const widget = await putWidget(phone, tag, { lang, theme });
      await (await inside(widget, '#matrix')).tap();
      await settled(phone, widget);
      assert.ok((await textIn(widget, '#pair')).length > 20);
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lang}: no wider than the screen`);
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
