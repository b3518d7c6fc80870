// glassbox-knockout: switches, bars and ranking hold what the engine in Node computes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { knockoutFigure } from '../../web/draw/knockout-figure.js';
import { formatPercent } from '../../web/draw/number.js';
import { strings } from '../../web/i18n/index.js';
import { chooseCandidates, formatKnockout, lesson, measureSide, parseKnockout, sweepAll } from '../../web/parts/knockout.js';
import { divergence, evaluateExpression, findNounHead, resolveKnockout, wholeVocabulary } from '../../web/parts/measure.js';
import { assertShown, change, emptyPage, findBarriers, inside, openNodeEngine, openPage, putWidget, settled, textIn, useEmptyPage } from './browser.mjs';

const tag = 'glassbox-knockout';
const tired = '小猫没有跳上桌子，因为它太累了。太累的是';
const high = '小猫没有跳上桌子，因为它太高了。太高的是';
const pair = { text: tired, 'text-b': high };

let node;
let config;

before(async () => {
  node = await openNodeEngine();
  ({ config } = await node.load('builtin'));
});

describe('without a browser', () => {
  test('the attribute is read and written alike, and what the model lacks is told', () => {
    const sizes = { nLayer: 4, nHead: 4 };
    const { heads, others, unknown } = parseKnockout(' h.2.1  h.0.3,h.02.1 mlp.3 h.9.0 h.1 x <b> h.-1.0', sizes);
    assert.deepEqual([...heads], ['2.1', '0.3']);
    assert.deepEqual(others, ['mlp.3']);
    assert.deepEqual(unknown, ['h.9.0', 'h.1', 'x', '<b>', 'h.-1.0']);
    assert.equal(formatKnockout({ heads, others }), 'h.0.3 h.2.1 mlp.3');
    assert.equal(formatKnockout({ heads: new Set(), others: [] }), null);
    assert.equal(formatKnockout({ heads: new Set(['2.10', '2.9']) }), 'h.2.9 h.2.10');
    assert.deepEqual(parseKnockout(null, sizes).unknown, []);
  });

  test('the divergence is that of the sweep', async () => {
    const before = await node.next(tired, { top: wholeVocabulary });
    for (const { layer, head, kl } of await node.sweep(tired)) {
      const after = await node.next(tired, { top: wholeVocabulary, knockout: `h.${layer}.${head}` });
      assert.ok(Math.abs(divergence(before.candidates, after.candidates) - kl) < 1e-5 + 1e-4 * kl, `h.${layer}.${head}`);
    }
    assert.equal(divergence(before.candidates, before.candidates), 0);
  });

  test('a bar keeps its place: the likeliest before come first whatever is out', () => {
    const list = (...ps) => ps.map((p, id) => ({ id, token: `t${id}`, bytes: [...Buffer.from(`t${id}`)], p })).sort((a, b) => b.p - a.p);
    const before = list(0.5, 0.2, 0.1, 0.08, 0.06, 0.04, 0.02);
    const after = list(0.01, 0.02, 0.01, 0.01, 0.01, 0.14, 0.8);
    assert.deepEqual(chooseCandidates(before, before).map(({ id }) => id), [0, 1, 2, 3, 4, 5]);
    const shown = chooseCandidates(before, after);
    assert.deepEqual(shown.map(({ id }) => id), [0, 1, 2, 6, 5, 3]);
    assert.deepEqual([shown[3].before, shown[3].after], [0.02, 0.8]);
    assert.equal(chooseCandidates(before.slice(0, 2), after.filter(({ id }) => id < 2)).length, 2);
  });

  test('one head out: what is said follows from the numbers', () => {
    const look = (label, weight) => ({ label, weight });
    const side = (first, after, looks) => ({ before: { id: 1, label: first }, after: { id: after }, looks });
    const looks = [[look('␣cat', 0.9), look('cat', 0.6), look('cat', 0.4), look('。', 0.8)]];
    const spare = lesson(side('␣cat', 1, looks), new Set(['0.0']));
    assert.equal(spare.kind, 'spare');
    assert.equal(spare.others, 1);
    assert.equal(lesson(side('␣cat', 2, looks), new Set(['0.3'])).kind, 'decides');
    assert.equal(lesson(side('␣cat', 2, looks), new Set(['0.0'])), null);
    assert.equal(lesson(side('␣cat', 1, looks), new Set(['0.3'])), null);
    assert.equal(lesson(side('␣cat', 2, looks), new Set(['0.0', '0.3'])), null);
  });

  test('heads are found by measurement', async () => {
    const found = await findNounHead(node, [tired, high]);
    for (const [i, text] of [tired, high].entries()) {
      const name = `h.${found.layer}.attn.weights`;
      const { tokens, activations } = await node.trace(text, { names: [name] });
      const { shape, data } = activations[name];
      const size = shape[1];
      const noun = ['小猫', '桌子'][i];
      assert.equal(found.sides[i].answer, noun);
      assert.equal(found.sides[i].weight, data[(found.head * size + size - 1) * size + tokens.indexOf(noun)]);
    }
    // No other head looks more at both.
    for (let layer = 0; layer < config.nLayer; layer++) {
      for (let head = 0; head < config.nHead; head++) {
        const looks = found.sides.map(({ weights, place, tokens }) => {
          const { data } = weights[layer];
          return data[(head * tokens.length + tokens.length - 1) * tokens.length + place];
        });
        assert.ok(Math.min(...looks) <= found.score);
      }
    }
    assert.equal(await resolveKnockout(node, 'noun h.0.1 noun', { text: tired, textB: high }), `h.${found.layer}.${found.head} h.0.1`);
    const whole = await resolveKnockout(node, 'noun-layer', { text: tired, textB: high });
    assert.equal(whole, Array.from({ length: config.nHead }, (_, head) => `h.${found.layer}.${head}`).join(' '));
    const [first] = await node.sweep(tired);
    assert.equal(await resolveKnockout(node, 'strongest', { text: tired }), `h.${first.layer}.${first.head}`);
    assert.equal(await findNounHead(node, ['你好', '再见']), null);
  });

  test('expressions', async () => {
    const given = { text: tired, textB: high };
    const { candidates } = await node.next(tired, { top: wholeVocabulary });
    assert.equal(await evaluateExpression(node, 'p(小猫)', given), candidates[0].p);
    assert.equal(await evaluateExpression(node, ' next() ', given), '小猫');
    assert.equal(await evaluateExpression(node, 'kl()', given), 0);
    const [first] = await node.sweep(tired);
    assert.ok(Math.abs((await evaluateExpression(node, 'kl()', { ...given, knockout: 'strongest' })) - first.kl) < 1e-4);
    assert.equal(await evaluateExpression(node, 'h.0.attn.weights[0,0,0]', given), 1);
    assert.equal(await evaluateExpression(node, 'noun.weights[-1,0]', given), (await findNounHead(node, [tired, high])).sides[0].weight);
    for (const bad of ['', 'p', 'p(没有这样的词)', 'h.0.attn.weights[0]', 'h.0.attn.weights[0,99,0]', 'alert(1)']) {
      await assert.rejects(evaluateExpression(node, bad, given), RangeError, bad);
    }
    await assert.rejects(evaluateExpression(node, 'h.9.attn.weights[0,0,0]', given));
  });

  test('the drawing is a picture that stands alone, of any text', async () => {
    for (const text of [tired, 'a <b> & "c"', '龘', 'x'.repeat(300)]) {
      const sides = [await measureSide(node, text, { model: 'builtin', layers: config.nLayer, knockout: 'h.0.0' })];
      const ranking = { rows: await sweepAll(node, [text], { model: 'builtin', base: '' }) };
      for (const width of [340, 740]) {
        const svg = knockoutFigure({ config, sides, out: { heads: new Set(['0.0']), others: [] }, ranking, words: strings('en').knockout, width });
        assert.match(svg, /^<svg [^]*<\/svg>$/);
        assert.doesNotMatch(svg, /NaN|undefined|var\(|light-dark|<b>/);
        assert.ok(svg.includes(formatPercent(sides[0].rows[0].after).replace('<', '&lt;').replace('>', '&gt;')));
      }
    }
  });
});

describe('in a browser', () => {
  let browser;
  let site;
  let page;

  useEmptyPage((opened) => ({ browser, site, page } = opened));

  const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);
  const cell = (widget, layer, head) => inside(widget, `.board tbody tr:nth-child(${layer + 1}) td:nth-child(${head + 2}) .cell`);
  const shown = (widget) =>
    widget.evaluate((element) => {
      const read = (item, selector) => {
        const seen = item.querySelector(selector).cloneNode(true);
        seen.querySelectorAll('.vh').forEach((part) => part.remove());
        return seen.textContent.trim();
      };
      return [...element.shadowRoot.querySelectorAll('.side')].map((side) => ({
        say: side.querySelector('.side-say').textContent.trim(),
        kl: side.querySelector('.side-kl b').textContent,
        rows: [...side.querySelectorAll('.guesses li:not(.rest)')].map((item) => [read(item, '.tk'), read(item, '.value.was'), read(item, '.value.now')]),
      }));
    });

  async function assertShows(widget, texts, knockout) {
    const sides = await shown(widget);
    assert.equal(sides.length, texts.length);
    for (const [i, text] of texts.entries()) {
      const before = (await node.next(text, { top: wholeVocabulary })).candidates;
      const after = (await node.next(text, { top: wholeVocabulary, knockout })).candidates;
      const rows = chooseCandidates(before, after);
      assert.deepEqual(
        sides[i].rows,
        rows.map((row) => [row.label, formatPercent(row.before), knockout ? formatPercent(row.after) : '']),
      );
      assertShown(sides[i].kl, divergence(before, after), 'KL', 0.51);
      assert.ok(sides[i].say.includes(rows[0].label) && sides[i].say.includes(formatPercent(before[0].p)));
    }
  }

  test('all on, then one head off, then on again, by mouse', async () => {
    const widget = await putWidget(page, tag, pair);
    await assertShows(widget, [tired, high], '');
    const [first] = await node.sweep(tired);
    const name = `h.${first.layer}.${first.head}`;
    await change(page, widget, async () => (await cell(widget, first.layer, first.head)).click());
    assert.equal(await attribute(widget, 'knockout'), name);
    await assertShows(widget, [tired, high], name);
    await change(page, widget, async () => (await cell(widget, first.layer, first.head)).click());
    assert.equal(await attribute(widget, 'knockout'), null);
    await assertShows(widget, [tired, high], '');
    page.expectNoFaults();
  });

  test('each cell says where its head looks from the last word', async () => {
    const widget = await putWidget(page, tag, pair);
    const looks = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.board tbody tr')].map((row) => [...row.querySelectorAll('.cell')].map((item) => [...item.querySelectorAll('.look')].map((look) => [look.children[0].textContent, look.children[1].textContent]))));
    const sides = [];
    for (const text of [tired, high]) sides.push(await measureSide(node, text, { model: 'builtin', layers: config.nLayer, knockout: '' }));
    looks.forEach((row, layer) =>
      row.forEach((entries, head) =>
        entries.forEach(([label, weight], i) => {
          assert.equal(label, sides[i].looks[layer][head].label);
          assertShown(weight, sides[i].looks[layer][head].weight);
        }),
      ),
    );
    assert.equal(looks.flat().length, config.nLayer * config.nHead);
  });

  test('a whole layer goes at once, and keys reach every switch', async () => {
    const widget = await putWidget(page, tag, pair);
    const layer = 2;
    await (await cell(widget, 0, 0)).focus();
    for (let i = 0; i < layer; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await change(page, widget, () => page.keyboard.press('Space'));
    const all = Array.from({ length: config.nHead }, (_, head) => `h.${layer}.${head}`).join(' ');
    assert.equal(await attribute(widget, 'knockout'), all);
    await assertShows(widget, [tired, high], all);
    await page.keyboard.press('ArrowRight');
    await change(page, widget, () => page.keyboard.press('Enter'));
    assert.equal(await attribute(widget, 'knockout'), all.replace(`h.${layer}.0 `, ''));
    assert.equal(await widget.evaluate((element, n) => element.shadowRoot.querySelectorAll('.whole')[n].getAttribute('aria-checked'), layer), 'mixed');
    await page.keyboard.press('End');
    const at = await widget.evaluate((element) => element.shadowRoot.activeElement.querySelector('b').textContent);
    assert.equal(at, `${layer}.${config.nHead - 1}`);
    page.expectNoFaults();
  });

  test('all heads one by one: ranked as the engine ranks them, a line applies itself and takes itself back', async () => {
    const widget = await putWidget(page, tag, pair);
    await change(page, widget, async () => (await inside(widget, '.board-acts .btn')).click());
    assert.equal(await attribute(widget, 'sweep'), 'on');
    await (await inside(widget, '.sweep > .btn')).click();
    await settled(page, widget);
    const rows = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('.effect')].map((item) => [item.querySelector('b').textContent, item.querySelector('.effect-kl').textContent.replace(' nat', '')]));
    const expected = await sweepAll(node, [tired, high], { model: 'builtin', base: '' });
    assert.deepEqual(rows.map(([name]) => name), expected.map(({ layer, head }) => `${layer}.${head}`));
    rows.forEach(([, kl], i) => assertShown(kl, expected[i].kl, `the KL of ${rows[i][0]}`, 0.51));
    const [first] = expected;
    await change(page, widget, async () => (await inside(widget, '.effect')).click());
    await change(page, widget, async () => (await inside(widget, '.effect')).click());
    assert.equal(await attribute(widget, 'knockout'), null);
    await change(page, widget, async () => (await inside(widget, '.effect')).click());
    const name = `h.${first.layer}.${first.head}`;
    assert.equal(await attribute(widget, 'knockout'), name);
    await assertShows(widget, [tired, high], name);
    // From here on one more head: what is out already stays out.
    await change(page, widget, async () => (await inside(widget, '.board-acts .btn')).click());
    const more = await sweepAll(node, [tired, high], { model: 'builtin', base: name });
    assert.equal(await textIn(widget, '.effect b'), `${more[0].layer}.${more[0].head}`);
    page.expectNoFaults();
  });

  test('a tag with heads named by measurement shows them by number', async () => {
    const widget = await putWidget(page, tag, { ...pair, knockout: 'noun' });
    const found = await findNounHead(node, [tired, high]);
    const name = `h.${found.layer}.${found.head}`;
    assert.equal(await attribute(widget, 'knockout'), name);
    await assertShows(widget, [tired, high], name);
  });

  test('what the model lacks is left aside and told; reset gives back what the tag said', async () => {
    const widget = await putWidget(page, tag, { ...pair, knockout: 'h.1.1 h.99.0 <img> mlp.0' });
    assert.equal(await attribute(widget, 'knockout'), 'h.1.1 mlp.0');
    const notes = await textIn(widget, '.notes');
    assert.ok(notes.includes('h.99.0') && notes.includes('<img>') && notes.includes('mlp.0'));
    await assertShows(widget, [tired, high], 'h.1.1 mlp.0');
    await change(page, widget, async () => (await inside(widget, '.board-acts .btn.quiet')).click());
    assert.equal(await attribute(widget, 'knockout'), 'mlp.0');
    await change(page, widget, () => widget.evaluate((element) => element.reset()));
    assert.equal(await attribute(widget, 'knockout'), 'h.1.1 mlp.0');
    page.expectNoFaults();
  });

  test('any text is only text, one token is enough, and none says what to do', async () => {
    const widget = await putWidget(page, tag, { text: 'Thank', 'text-b': '' });
    await assertShows(widget, ['Thank'], '');
    for (const words of ['😀👩‍👩‍👧‍👦', 'שלום עולם', '<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '龘', `${tired}The cat is here. `.repeat(400).slice(0, 10_000)]) {
      await change(page, widget, () => widget.evaluate((element, given) => element.setAttribute('text', given), words));
      await assertShows(widget, [words], '');
    }
    assert.ok(await textIn(widget, '.notes'), 'what did not fit is told');
    await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text', '')));
    assert.equal(await textIn(widget, '.empty'), strings('zh').knockout.empty);
    await change(page, widget, () => widget.evaluate((element) => element.setAttribute('text-b', 'Thank you very')));
    await assertShows(widget, ['Thank you very'], '');
    page.expectNoFaults();
  });

  test('two are independent, and one that leaves while it computes comes back', async () => {
    const first = await putWidget(page, tag, pair);
    const second = await page.evaluateHandle((name) => {
      const element = document.createElement(name);
      element.setAttribute('text', 'Thank you very');
      document.querySelector('main').append(element);
      element.remove();
      document.querySelector('main').append(element);
      return element;
    }, tag);
    await settled(page, second);
    await change(page, second, async () => (await cell(second, 0, 0)).click());
    assert.equal(await attribute(second, 'knockout'), 'h.0.0');
    assert.equal(await attribute(first, 'knockout'), null);
    await assertShows(second, ['Thank you very'], 'h.0.0');
    page.expectNoFaults();
  });

  test('what it exports holds the numbers in full', async () => {
    const widget = await putWidget(page, tag, { ...pair, knockout: 'h.0.0' });
    const { name, svg, table } = await widget.evaluate((element) => {
      const given = element.exports();
      return { name: given.name, svg: given.svg('dark'), table: given.table() };
    });
    assert.equal(name, 'knockout');
    assert.match(svg, /^<svg [^]*<\/svg>$/);
    const { candidates } = await node.next(tired, { top: 1 });
    assert.deepEqual(table.rows[0].slice(0, 4), [tired, 'h.0.0', '小猫', candidates[0].p]);
    assert.equal(table.header.length, table.rows[0].length);
  });

  test('a finger works the switches; nothing is wider than a small phone; no barriers, in both languages and themes', async () => {
    const phone = await openPage(browser, site, emptyPage, { width: 320, touch: true });
    for (const [lang, theme] of [['zh', 'light'], ['en', 'dark']]) {
      const widget = await putWidget(phone, tag, { ...pair, knockout: 'strongest', sweep: 'on', lang, theme });
      await change(phone, widget, async () => (await cell(widget, 1, 1)).tap());
      assert.match(await attribute(widget, 'knockout'), /h\.1\.1/);
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
      const small = await widget.evaluate((element) => [...element.shadowRoot.querySelectorAll('button')].filter((item) => item.getBoundingClientRect().height < 44 || item.getBoundingClientRect().width < 40).length);
      assert.equal(small, 0, 'all are large enough to press');
      assert.deepEqual((await findBarriers(phone)).filter((line) => !line.startsWith('page-has-heading-one')), []);
    }
    phone.expectNoFaults();
    await phone.dispose();
  });
});
