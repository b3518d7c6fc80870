// glassbox-softmax: what it shows is what the engine computes, and bad input is told in place.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatPercent } from '../../web/draw/number.js';
import { softmaxFigure } from '../../web/draw/softmax-figure.js';
import { strings } from '../../web/i18n/index.js';
import { formatShare, most, parseScore, readTemperature, shownSteps, splitScores } from '../../web/parts/softmax.js';
import { assertShown, change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, until, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-softmax';
const hand = [0.6, 0.2, 0.7];

let node;
before(async () => {
  node = await openNodeEngine();
});

describe('without a browser', () => {
  test('scores are read as readers write them', () => {
    for (const [text, value] of [['0.6', 0.6], ['０．６', 0.6], ['−2', -2], ['0,5', 0.5], [' 1e2 ', 100], ['-∞', -Infinity], ['−inf', -Infinity], ['-Infinity', -Infinity], ['.5', 0.5]]) {
      assert.deepEqual(parseScore(text), { value }, text);
    }
    for (const [text, fault] of [['', 'missing'], ['  ', 'missing'], ['NaN', 'text'], ['x', 'text'], ['1 2', 'text'], ['0x10', 'text'], ['∞', 'endless'], ['inf', 'endless'], ['1e6', 'large'], ['-1e999', 'large'], ['\ud800', 'text']]) {
      assert.deepEqual(parseScore(text), { fault }, text);
    }
    assert.deepEqual(splitScores('0.6, 0.2；0.7'), ['0.6', '0.2', '0.7']);
    assert.equal(splitScores('1,'.repeat(100)).length, most);
    for (const bad of [null, '', 'x', '0', '-1', '1e9']) assert.equal(readTemperature(bad), 1);
    assert.equal(readTemperature('0.5'), 0.5);
  });

  test('by hand: 0.6, 0.2, 0.7 → 1.82, 1.22, 2.01, sum 5.06 → 0.36, 0.24, 0.40', async () => {
    const shown = shownSteps(hand, await node.softmax(hand));
    assert.deepEqual(shown.rows.map(({ exp }) => exp), ['1.82', '1.22', '2.01']);
    assert.equal(shown.sum, '5.06');
    assert.deepEqual(shown.rows.map(({ share }) => share), ['0.36', '0.24', '0.40']);
    assert.deepEqual(shown.sumNote, { rounded: '5.05', fine: '5.0573' });
    assert.equal(shown.overflow, false);
  });

  test('the largest is subtracted where the exponentials are beyond the machine', async () => {
    const large = shownSteps([1000, 999, 998], await node.softmax([1000, 999, 998]));
    assert.ok(large.overflow);
    assert.deepEqual(large.rows.map(({ exp }) => exp), ['∞', '∞', '∞']);
    assert.deepEqual(large.rows.map(({ shifted }) => shifted), ['0', '−1', '−2']);
    const small = shownSteps([-1000, -1001], await node.softmax([-1000, -1001]));
    assert.ok(small.overflow && small.rows[0].value > 0.7);
    const masked = shownSteps([1, -Infinity], await node.softmax([1, -Infinity]));
    assert.deepEqual(masked.rows.map(({ share }) => share), ['1.00', '0']);
    assert.equal(formatShare(0, true), '≈ 0');
  });

  test('what is no softmax is refused by the engine', async () => {
    for (const scores of [[], [NaN], [Infinity, 1], [-Infinity, -Infinity]]) await assert.rejects(node.softmax(scores), { code: 'bad_argument' });
    for (const temperature of [0, -1, NaN]) await assert.rejects(node.softmax([1, 2], { temperature }), { code: 'bad_argument' });
  });

  test('the drawing stands alone, wide and narrow, in both themes', async () => {
    for (const scores of [hand, [1000, 2, -Infinity]]) {
      const shown = shownSteps(scores, await node.softmax(scores, { temperature: 2 }));
      for (const lang of ['zh', 'en']) {
        for (const width of [340, 740]) {
          for (const theme of ['light', 'dark']) {
            const svg = softmaxFigure({ names: ['a', '<b>', 'c'], shown, temperature: 2, words: strings(lang).softmax, theme, width });
            assert.match(svg, /^<svg [^]*<\/svg>$/);
            assert.doesNotMatch(svg, /NaN|undefined|var\(|<b>/);
          }
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
    widget.evaluate(({ shadowRoot }) => ({
      names: [...shadowRoot.querySelectorAll('.name')].map(({ value }) => value),
      scores: [...shadowRoot.querySelectorAll('.score')].map(({ value }) => value),
      exps: [...shadowRoot.querySelectorAll('.soft-row:not(.head):not(.sum)')].map((row) => [...row.querySelectorAll('.n')].at(-1).textContent.trim()),
      shares: [...shadowRoot.querySelectorAll('.soft-row:not(.sum) .value')].map(({ textContent }) => textContent),
      sum: shadowRoot.querySelector('.sum .n').textContent.trim(),
      lines: [...shadowRoot.querySelectorAll('.soft-lines .how')].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim()),
      fault: shadowRoot.querySelector('#fault')?.textContent ?? null,
    }));

  async function assertShows(widget, scores, temperature = 1) {
    const view = await read(widget);
    const steps = await node.softmax(scores, { temperature });
    const shown = shownSteps(scores, steps);
    assert.deepEqual(view.exps, shown.rows.map((row) => (shown.overflow ? row.shiftedExp : row.exp)));
    assert.deepEqual(view.shares, [...steps.shares].map(formatPercent));
    assert.equal(view.sum, shown.overflow ? shown.shiftedSum : shown.sum);
    assert.equal(view.fault, null);
    return view;
  }

  const type = async (widget, row, text) => {
    await (await inside(widget, `#score-${row}`)).click({ count: 3 });
    await page.keyboard.press('Backspace');
    await page.keyboard.type(text);
    await settled(page, widget);
  };

  test('the example by hand, as bars and as a line of arithmetic', async () => {
    const widget = await putWidget(page, tag);
    const view = await assertShows(widget, hand);
    assert.deepEqual(view.scores, ['0.6', '0.2', '0.7']);
    assert.ok(view.lines[1].startsWith('1.82 + 1.22 + 2.01 = 5.06'), view.lines[1]);
    assert.equal(view.lines[2], '1.82 ÷ 5.06 = 0.36，1.22 ÷ 5.06 = 0.24，2.01 ÷ 5.06 = 0.40');
    page.expectNoFaults();
  });

  test('scores, rows and names are edited; attributes mirror them; reset gives all back', async () => {
    const widget = await putWidget(page, tag);
    await type(widget, 1, '2.5');
    await assertShows(widget, [0.6, 2.5, 0.7]);
    assert.equal(await widget.evaluate((element) => element.getAttribute('scores')), '0.6, 2.5, 0.7');
    await change(page, widget, async () => (await inside(widget, '.soft-knobs .btn')).click());
    await assertShows(widget, [0.6, 2.5, 0.7, 0]);
    assert.equal(await widget.evaluate(({ shadowRoot }) => shadowRoot.activeElement?.id), 'score-3', 'the new field has the focus');
    await change(page, widget, async () => (await inside(widget, '.soft-row:nth-of-type(2) .drop')).click());
    await assertShows(widget, [2.5, 0.7, 0]);
    await (await inside(widget, '.name')).click({ count: 3 });
    await page.keyboard.type('小猫');
    await page.keyboard.press('Enter');
    await until(page, 'the name', (element) => element.getAttribute('labels')?.startsWith('小猫'), widget);
    await change(page, widget, async () => {
      await (await inside(widget, '#temperature')).focus();
      await page.keyboard.press('ArrowLeft');
    });
    await assertShows(widget, [2.5, 0.7, 0], 0.7);
    await change(page, widget, async () => (await inside(widget, '#reset')).click());
    await assertShows(widget, hand);
    assert.deepEqual(await widget.evaluate((element) => ['scores', 'labels', 'temperature'].map((name) => element.getAttribute(name))), [null, null, null]);
    page.expectNoFaults();
  });

  test('bad input is told in place, and nothing is lost', async () => {
    const widget = await putWidget(page, tag);
    const words = strings('zh').softmax;
    for (const [text, said] of [
      ['abc', words.faults.text('乙', 'abc')],
      ['NaN', words.faults.text('乙', 'NaN')],
      ['', words.faults.missing('乙')],
      ['∞', words.faults.endless('乙')],
      ['9999999', words.faults.large('乙', '', '100,000')],
      ['<b>', words.faults.text('乙', '<b>')],
    ]) {
      await type(widget, 1, text);
      const view = await read(widget);
      assert.equal(view.fault, said);
      assert.deepEqual(view.scores, ['0.6', text, '0.7'], 'the fields keep what was typed');
      assert.deepEqual(view.shares, ['–', '–', '–'], 'no stale number is shown');
    }
    await type(widget, 1, '0.2');
    await assertShows(widget, hand);
    for (const row of [0, 1, 2]) await type(widget, row, '-∞');
    assert.equal((await read(widget)).fault, words.noneLeft);
    await type(widget, 2, '1');
    await assertShows(widget, [-Infinity, -Infinity, 1]);
    page.expectNoFaults();
  });

  test('1000 shows the trick; bad attributes do no harm', async () => {
    const widget = await putWidget(page, tag, { scores: '1000, 999, 998' });
    const view = await assertShows(widget, [1000, 999, 998]);
    assert.equal(view.lines.length, 5);
    assert.ok(view.lines[0].includes('∞'));
    assert.ok(await textIn(widget, '.hint'));
    for (const scores of ['x, y', '-∞, -∞', '', '5']) {
      const odd = await putWidget(page, tag, { scores, temperature: 'hot', labels: '<img>,,' });
      const { scores: fields, fault } = await read(odd);
      assert.ok(fields.length >= 1);
      assert.equal(fault === null, scores === '5', scores);
    }
    page.expectNoFaults();
  });

  test('the examples work, in English and narrow, by touch, without barriers', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      const widget = await putWidget(phone, tag, { lang, theme });
      const count = await widget.evaluate(({ shadowRoot }) => shadowRoot.querySelectorAll('.prompts button').length);
      for (let i = count; i >= 1; i--) {
        await (await inside(widget, `.prompts button:nth-of-type(${i})`)).tap();
        await settled(phone, widget);
        assert.equal((await read(widget)).fault, null);
        assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${lang} ${i}: no wider than the screen`);
      }
      await assertShows(widget, hand);
      const small = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('button, input')].filter((item) => item.getBoundingClientRect().height < 44).map((item) => item.className));
      assert.deepEqual(small, [], 'large enough for a finger');
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });

  test('what it exports holds the numbers in full', async () => {
    const widget = await putWidget(page, tag, { temperature: '2' });
    const table = await widget.evaluate((element) => element.exports().table());
    const steps = await node.softmax(hand, { temperature: 2 });
    assert.deepEqual(table.rows.map((row) => row.at(-1)), [...steps.shares]);
    assert.deepEqual(table.rows.map((row) => row[1]), hand);
    const svg = await widget.evaluate((element) => element.exports().svg('dark'));
    assert.match(svg, /^<svg /);
    assertShown(svg.match(/>(\d+\.\d)%</)[1], steps.shares[0] * 100);
  });
});
