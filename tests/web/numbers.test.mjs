// Numbers in prose: the small language of web/site/numbers.mjs, and how the build puts its results into a page.
import assert from 'node:assert/strict';
import { dirname, join, resolve } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeEngine } from '../../web/engine/node.js';
import { LessonError, renderLesson } from '../../web/site/markdown.mjs';
import { ExpressionError, findExpressionEnd, functionNames, Numbers } from '../../web/site/numbers.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const thank = 'Thank you very';

let engine;
before(async () => {
  engine = await nodeEngine({ engineDir: process.env.GLASSBOX_WASM || join(root, 'build/wasm'), modelsDir: join(root, 'web/models') });
});

const shown = async (...sources) => {
  const numbers = new Numbers(engine);
  let result;
  for (const source of sources) result = await numbers.evaluate(source);
  return result.text;
};
const fails = async (source, message) => {
  const error = await shown(source).then((text) => assert.fail(`${source} gave ${text}`), (thrown) => thrown);
  assert.ok(error instanceof ExpressionError, error.stack);
  assert.match(error.message, message, source);
};

describe('the language', () => {
  const right = [
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2 ^ 2', '−4'],
    ['7 / 2 | 2', '3.50'],
    ['100000 ^ 2 | thousands', '10,000,000,000'],
    ['999 | thousands', '999'],
    ['0.4011 | 2', '0.40'],
    ['0.99126 | percent 1', '99.1%'],
    ['1 | percent', '100%'],
    ['0 | 2', '0.00'],
    ['1 | 3', '1.000'],
    ['0.000621 | digits 2', '0.00062'],
    ['1234.6 | digits', '1235'],
    ['9.996 | digits', '10.0'],
    ['"a}} | 3"', 'a}} | 3'],
    ["'小猫'", '小猫'],
    ['[1, [2, 3]][1][0]', '2'],
    ['size([])', '0'],
    ['best([3, 1, 2], x => -x)', '1'],
    ['least([3, 1, 2], x => -x)', '3'],
    ['count([1, 2, 3], x => x > 1 and not x == 3)', '1'],
    ['where([1, 2, 3], x => x == 2 or x == 3)[1]', '3'],
    ['size(pairs([1, 2, 3, 4]))', '6'],
    ['quoted("0.960", "a paper")', '0.960'],
    ['check(every([1, 2], x => x > 0))', ''],
    ['let x = 3', ''],
  ];
  for (const [source, text] of right) test(`${source} → ${text || 'nothing'}`, async () => assert.equal(await shown(source), text));

  test('names hold from there on, and those of functions only inside', async () => {
    assert.equal(await shown('let a = 2', 'let f = x => x * a', 'let a = 3', 'best([1, 2], f) | 1'), '2.0');
    await fails('best([1], x => x) + x', /x is not defined/);
  });

  const wrong = [
    ['', /expected a value/],
    ['1 +', /at the end/],
    ['1 2', /before 2/],
    ['(1', /expected "\)"/],
    ['1 ; 2', /";" is not understood/],
    ['"open', /not understood/],
    ['x', /x is not defined/],
    ['constructor', /not defined/],
    ['process.exit(1)', /did not expect/],
    ['process.exit', /not defined/],
    ['constructor("return 1")', /no function is called constructor/],
    ['"a".length', /no length/],
    ['[1].length', /no length/],
    ['model().constructor', /no constructor/],
    ['[1, 2][2]', /has no item/],
    ['1 == "1"', /compared/],
    ['"a" < "b"', /compares numbers/],
    ['1 + "a"', /wants numbers/],
    ['1 and true', /and wants/],
    ['1 / 3', /needs a format/],
    ['1 / 0 | 2', /Infinity/],
    ['0 / 0 | 2', /NaN/],
    ['0.0004 | 2', /shown as 0.00/],
    ['0.9996 | 3', /shown as 1.000/],
    ['0.9996 | percent', /shown as 100/],
    ['-0.001 | 1', /shown as/],
    ['1.5 | thousands', /whole number/],
    ['1 | money', /no format/],
    ['1 | 99', /up to 12/],
    ['"a" | 3', /only a number/],
    ['[1]', /can't be shown/],
    ['1 < 2', /can't be shown/],
    ['check(1 > 2)', /does not hold/],
    ['check(1)', /must be a truth/],
    ['let check = 1', /has a meaning/],
    ['p("a")', /takes 2 to 3 values, got 1/],
    ['best([], x => 1)', /nothing to choose/],
    ['best([1], x => "a")', /expected a number/],
    ['every([1], x => x)', /expected true or false/],
  ];
  for (const [source, message] of wrong) test(`${source || 'nothing'} fails`, () => fails(source, message));

  test('the end of an expression is found behind texts with braces', () => {
    assert.equal(findExpressionEnd('{{ "}}" }} x', 0), 10);
    assert.equal(findExpressionEnd("{{ '\"}}' }}", 0), 11);
    assert.equal(findExpressionEnd('{{ 1 }', 0), -1);
  });
});

describe('what it asks the engine', () => {
  test('probabilities are over the whole vocabulary, and knock-outs count', async () => {
    const { candidates } = await engine.next(thank, { top: 1e6 });
    const much = candidates.find(({ token }) => token === ' much');
    const numbers = new Numbers(engine);
    assert.equal((await numbers.evaluate(`p("${thank}", " much") | 6`)).value, much.p);
    assert.equal((await numbers.evaluate(`next("${thank}")[0].token`)).text, candidates[0].token);
    const without = await engine.next(thank, { top: 1e6, knockout: 'h.0.0 h.1.1' });
    const p = without.candidates.find(({ token }) => token === ' much').p;
    for (const out of ['"h.0.0 h.1.1"', '[head(0, 0), head(1, 1)]']) assert.equal((await numbers.evaluate(`p("${thank}", " much", ${out}) | 6`)).value, p);
  });

  test('weights are those of the trace, summed where the word stands more than once', async () => {
    const text = '小猫没有跳上桌子，因为它太累了。太累的是';
    const { tokens, activations } = await engine.trace(text, { names: ['h.2.attn.weights'] });
    const size = tokens.length;
    const row = activations['h.2.attn.weights'].data.slice((3 * size + size - 1) * size, (3 * size + size) * size);
    const numbers = new Numbers(engine);
    const value = async (source) => (await numbers.evaluate(`${source} | 12`)).value;
    assert.equal(await value(`weight(head(2, 3), "${text}", "的是", "小猫")`), row[0]);
    const places = tokens.flatMap((token, i) => (token === '累' ? [i] : []));
    assert.equal(places.length, 2);
    assert.equal(await value(`weight(head(2, 3), "${text}", "的是", "累")`), row[places[0]] + row[places[1]]);
    assert.equal((await numbers.evaluate(`looksAt(head(2, 3), "${text}", "的是")`)).text, tokens[row.indexOf(Math.max(...row))]);
    await fails(`weight(head(2, 3), "${text}", "的是", "大象")`, /"大象" is no token/);
    await fails(`weight(head(9, 3), "${text}", "的是", "小猫")`, /no h\.9\.3/);
  });

  test('head scores are the engine\'s', async () => {
    const numbers = new Numbers(engine);
    const value = async (source) => (await numbers.evaluate(`${source} | 12`)).value;
    const found = (await engine.headScores(thank)).find(({ layer, head }) => layer === 1 && head === 2);
    assert.equal(await value(`previous(head(1, 2), "${thank}")`), found.previous);
    const repeats = await engine.repeatScores();
    assert.equal(await value('induction(head(1, 2))'), repeats.find(({ layer, head }) => layer === 1 && head === 2).induction);
    assert.equal(await value('induction(best(heads(), h => induction(h)))'), Math.max(...repeats.map(({ induction }) => induction)));
    await fails('previous(head(0, 0), "小猫") | 3', /one token/);
    await fails(`previous(head(9, 0), "${thank}") | 3`, /no h\.9\.0/);
  });

  test('a divergence and a sweep agree', async () => {
    const numbers = new Numbers(engine);
    const swept = (await engine.sweep(thank))[0];
    assert.equal((await numbers.evaluate(`sweep("${thank}")[0].kl | 12`)).value, swept.kl);
    const { value } = await numbers.evaluate(`kl("${thank}", sweep("${thank}")[0]) | 12`);
    assert.ok(Math.abs(value - swept.kl) < 1e-4 * Math.max(1, swept.kl), `${value} against ${swept.kl}`);
  });

  test('steps by hand', async () => {
    const matrices = '[[1,0],[0,1],[1,1]], [[1,0],[0,1],[1,1]], [[1,0],[0,1],[0.5,0.5]]';
    assert.equal(await shown(`steps(${matrices}).exp[0][0] | 2`), '2.03');
    assert.equal(await shown(`steps(${matrices}).sums[0] | 2`), '5.06');
    assert.equal(await shown(`steps(${matrices}, true).exp[1][2] | 2`), '0.00');
    assert.equal(await shown('softmax([[0.6, 0.2, 0.7]])[0][2] | 2'), '0.40');
  });

  test('a refusal of the engine is told', () => fails('next("")', /next: /));
  test('every function can be called by its name', () => assert.ok(functionNames.length > 20 && functionNames.every((name) => /^[A-Za-z]+$/.test(name))));
});

describe('in a lesson', () => {
  const lesson = (body) => `---\ntitle: T\ndescription: D\n---\n${body}\n`;
  const options = { file: 'lesson.md', figureFor: async (tag, attributes) => `<i>${attributes.layer}</i>` };
  const render = (body) => renderLesson(lesson(body), { ...options, engine });

  test('a number keeps its full value, a quoted fact its source', async () => {
    const { html, quotes } = await render('It is {{ 1 / 3 | 2 }}, not {{ quoted("0.5", "a & b") }}.');
    assert.equal(html, `<p>It is <data class="computed" value="${1 / 3}">0.33</data>, not <span class="quoted" title="a &amp; b">0.5</span>.</p>\n`);
    assert.deepEqual(quotes, [{ text: '0.5', source: 'a & b', line: 5 }]);
  });

  test('in headings, code, attributes, tables and formulas', async () => {
    const { html, contents, widgets } = await render(
      ['{{ let n = 2 }}', '{{ check(n == 2) }}', '', '## {{ n }} heads {#heads}', '', '`{{ n }}`', '', '```', 'run --layer {{ n }}', '```', '', '<glassbox-x layer="{{ n }}"></glassbox-x>', '', '$x = {{ n * 1000 | thousands }}$', '', '| a |', '|---|', '| {{ n \\| 1 }} |'].join('\n'),
    );
    assert.doesNotMatch(html, /<p><\/p>/);
    assert.deepEqual(contents, [{ id: 'heads', title: '2 heads' }]);
    assert.match(html, /<pre><code>run <span class="keep">--layer<\/span> 2/);
    assert.match(html, /<code>\{\{ n \}\}<\/code>/, 'code in a line stays as it is');
    assert.deepEqual(widgets[0].attributes, { layer: '2' });
    assert.match(html, /<i>2<\/i>/);
    assert.match(html, /<mn>2<\/mn>|2,000|<mn>2,000<\/mn>/);
    assert.match(html, /<td><data class="computed" value="2">2\.0<\/data><\/td>/);
  });

  test('numbers that were typed in are listed', async () => {
    const { numerals } = await render('## T {#t}\n\nAbout 0.99 of {{ 3 }}, $4$ and `5`\nor 10,000.');
    assert.deepEqual(numerals.map(({ text, section, line }) => [text, section, line]), [['0.99', 't', 7], ['10,000', 't', 8]]);
  });

  const faults = [
    ['Text\nmore {{ x }}', 6, /x is not defined/],
    ['Text\n\n{{ check(1 > 2) }}', 7, /does not hold/],
    ['<glassbox-x layer="{{ x }}"></glassbox-x>', 5, /x is not defined/],
    ['Text\n\n```\n{{ x }}\n```', 7, /x is not defined/],
    ['```\n{{ x\n```', 5, /not closed/],
  ];
  for (const [body, line, message] of faults) {
    test(`${JSON.stringify(body)} fails, naming file and line`, async () => {
      const error = await render(body).then(() => assert.fail('rendered'), (thrown) => thrown);
      assert.ok(error instanceof LessonError, error.stack);
      assert.match(error.message, new RegExp(`^lesson\\.md:${line}: `));
      assert.match(error.message, message);
    });
  }

  test('without an engine an expression fails', async () => {
    await assert.rejects(renderLesson(lesson('{{ 1 }}'), options), /lesson\.md:5: no engine/);
  });
});
