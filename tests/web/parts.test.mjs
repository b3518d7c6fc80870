import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canvasGeometry } from '../../web/draw/heatmap.js';
import { formatNumber } from '../../web/draw/number.js';
import { errorSentence, languageOf, strings } from '../../web/i18n/index.js';
import { clampIndex, formatCell, largestEntry, parseCell, parseMatrix, parseNumber, resizeMatrix } from '../../web/parts/attributes.js';
import { calculation, sortTerms, weightedValues } from '../../web/parts/calculation.js';
import { GridView } from '../../web/parts/grid.js';
import { percent } from '../../web/parts/guess.js';
import { compareRows, entropyOf, rowDifference } from '../../web/parts/rows.js';

/** A number as a reader keys it in from what is shown. */
function keyedIn(text) {
  const found = /^([−]?)([\d,]+(?:\.\d+)?)(?:×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/.exec(text);
  assert.ok(found, `not a number that can be keyed in: ${text}`);
  const power = (found[3] ?? '⁰').replace(/./g, (c) => (c === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)));
  return Number(`${found[1] ? '-' : ''}${found[2].replaceAll(',', '')}e${power}`);
}

/** Whether `result`, rounded to the digits of `text`, is what `text` says. */
function agrees(text, result) {
  const shown = keyedIn(text);
  const [digits, power] = text.split('×10');
  const decimals = (digits.split('.')[1] ?? '').length;
  const exponent = power ? Number(power.replace(/./g, (c) => (c === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)))) : 0;
  // A whole number is shown without decimals only when it is exact to the digits of its neighbours.
  const half = 0.5 * 10 ** (exponent - decimals);
  return Math.abs(result - shown) <= half * 1.000001 + 1e-12 * Math.abs(shown);
}

function softmax(scores) {
  const most = Math.max(...scores);
  const exps = scores.map((s) => Math.exp(s - most));
  const sum = exps.reduce((a, b) => a + b);
  return exps.map((e) => e / sum);
}

function checkLines(sum, every) {
  for (const { q, k, product } of sum.terms) assert.ok(agrees(product.text, keyedIn(q.text) * keyedIn(k.text)), `${q.text} × ${k.text} = ${product.text}`);
  const products = sum.terms.reduce((total, { product }) => total + keyedIn(product.text), 0);
  assert.ok(agrees(sum.score.text, products), `Σ = ${products}, shown ${sum.score.text}`);
  if (sum.scale) assert.ok(agrees(sum.chosen.scaled.text, keyedIn(sum.score.text) / Math.sqrt(sum.size)));
  const seen = sum.row.slice(0, sum.visible);
  for (const cell of seen) {
    const power = sum.subtract ? keyedIn(cell.scaled.text) - keyedIn(sum.maximum.text) : keyedIn(cell.scaled.text);
    if (sum.subtract) assert.ok(agrees(cell.shifted.text, power));
    assert.ok(agrees(cell.exp.text, Math.exp(power)), `e^${power} shown as ${cell.exp.text}`);
  }
  const total = seen.reduce((so, cell) => so + keyedIn(cell.exp.text), 0);
  assert.ok(agrees(sum.total.text, total), `sum ${total}, shown ${sum.total.text}`);
  for (const cell of every ? seen : [sum.chosen]) {
    if (cell.masked) assert.equal(cell.weight.text, '0');
    else assert.ok(agrees(cell.weight.text, keyedIn(cell.exp.text) / keyedIn(sum.total.text)), `${cell.exp.text} ÷ ${sum.total.text} = ${cell.weight.text}`);
  }
}

const hand = { q: [[1, 0], [0, 1], [1, 1]], v: [[1, 0], [0, 1], [0.5, 0.5]] };

function byHand(row, column, causal, { q = hand.q, k = q, v = hand.v, scale = true } = {}) {
  const scaled = k.map((key) => q[row].reduce((s, x, i) => s + x * key[i], 0) / (scale ? Math.sqrt(q[row].length) : 1));
  const visible = causal ? row + 1 : k.length;
  const weights = [...softmax(scaled.slice(0, visible)), ...Array(k.length - visible).fill(0)];
  const output = v[0].map((_, e) => weights.reduce((s, w, i) => s + w * v[i][e], 0));
  return { sum: calculation({ q: q[row], keys: k, scaled, weights, visible, column, values: v, output, scale, exactInputs: true, every: true }), weights, output };
}

test('the hand calculation shows the numbers of the lesson', () => {
  const { sum } = byHand(0, 2, false);
  assert.deepEqual(sum.row.map((cell) => cell.score.text), ['1', '0', '1']);
  assert.deepEqual(sum.row.map((cell) => cell.scaled.text), ['0.707', '0', '0.707']);
  assert.deepEqual(sum.row.map((cell) => cell.exp.text), ['2.03', '1', '2.03']);
  assert.equal(sum.total.text, '5.06');
  assert.deepEqual(sum.row.map((cell) => cell.weight.text), ['0.401', '0.198', '0.401']);
  assert.deepEqual(sum.output.map((x) => x.text), ['0.60', '0.40']);
  const masked = byHand(1, 2, true).sum;
  assert.deepEqual(masked.row.map((cell) => cell.weight.text), ['0.330', '0.670', '0']);
  assert.equal(masked.chosen.masked, true);
  assert.equal(masked.total.text, '3.03');
});

test('every line of the hand calculation follows from the one before, for small matrices of all kinds', () => {
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let turn = 0; turn < 400; turn++) {
    const rows = 1 + Math.floor(random() * 8);
    const width = 1 + Math.floor(random() * 4);
    const matrix = (columns) => Array.from({ length: rows }, () => Array.from({ length: columns }, () => Math.round((random() - 0.5) * 40) / (turn % 2 ? 10 : 2)));
    const setting = { q: matrix(width), k: matrix(width), v: matrix(2), scale: turn % 3 > 0 };
    const row = Math.floor(random() * rows);
    const { sum, weights, output } = byHand(row, Math.floor(random() * rows), turn % 2 === 0, setting);
    checkLines(sum, true);
    if (!sum.exact) continue;
    weights.forEach((w, i) => sum.row[i].masked || w < 1e-30 || assert.equal(sum.row[i].weight.text, sum.fine ? formatNumber(w, 4) : w >= 0.0995 ? w.toFixed(3) : formatNumber(w)));
    sum.output.forEach((x, e) => assert.ok(agrees(x.text, output[e])));
  }
});

test('the same for a model’s head: 32 products, long rows, scores from tiny to huge', () => {
  let state = 11;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  let inexact = 0;
  for (let turn = 0; turn < 600; turn++) {
    const size = [8, 32, 64][turn % 3];
    const visible = 1 + Math.floor(random() * 60);
    const gain = [0.05, 1, 2, 6][turn % 4];
    const vector = () => Float32Array.from({ length: size }, () => normal() * gain);
    const q = vector();
    const keys = Array.from({ length: visible }, vector);
    const scaled = Float32Array.from(keys, (k) => q.reduce((s, x, i) => s + x * k[i], 0) / Math.sqrt(size));
    const weights = Float32Array.from(softmax([...scaled]));
    const column = Math.floor(random() * visible);
    const sum = calculation({ q: Array.from(q), keys, scaled: Array.from(scaled), weights, visible, column });
    checkLines(sum, false);
    if (!sum.exact) inexact++;
    else if (weights[column] > 1e-30) assert.ok(agrees(sum.chosen.weight.text, weights[column]), `${weights[column]} shown as ${sum.chosen.weight.text}`);
    assert.equal(sum.subtract, Math.abs(Math.max(...scaled)) > 10.005 || (sum.subtract && Math.abs(Math.max(...scaled)) > 9.99));
  }
  assert.ok(inexact <= 3, `${inexact} of 600 without digits that agree`);
});

test('a masked cell keeps its score and has the weight 0', () => {
  const sum = calculation({ q: [1, 2], keys: [[1, 1], [3, 1]], scaled: [3 / Math.SQRT2, 5 / Math.SQRT2], weights: [1, 0], visible: 1, column: 1 });
  assert.equal(sum.score.text, '5');
  assert.equal(sum.chosen.masked, true);
  assert.equal(sum.chosen.weight.value, 0);
  assert.equal(sum.exact, true);
});

test('layers, heads and cells out of range are clamped', () => {
  assert.deepEqual(clampIndex('999', 3), { value: 3, clamped: true });
  assert.deepEqual(clampIndex('-1', 3), { value: 0, clamped: true });
  assert.deepEqual(clampIndex('2', 3), { value: 2, clamped: false });
  assert.deepEqual(clampIndex('two', 3), { value: 0, clamped: true });
  assert.deepEqual(clampIndex('1.5', 3), { value: 1, clamped: true });
  assert.deepEqual(clampIndex('', 3), { value: 0, clamped: false });
  assert.deepEqual(parseCell('2, 1', 3), { row: 2, column: 1 });
  assert.deepEqual(parseCell('9,-4', 3), { row: 2, column: 0 });
  for (const wrong of [null, undefined, '', '1', 'a,b', '1,2,3', '1.5,2']) assert.equal(parseCell(wrong, 3), null);
  assert.equal(parseCell('0,0', 0), null);
  assert.equal(formatCell({ row: 2, column: 1 }), '2,1');
  assert.equal(formatCell(null), null);
});

test('numbers as people type them; what is none is told apart from what is too large', () => {
  for (const [text, value] of [['1', 1], [' 0.5 ', 0.5], ['.5', 0.5], ['−2', -2], ['１．５', 1.5], ['2,5', 2.5], ['+3', 3], ['1e2', 100], ['-0', -0]]) assert.equal(parseNumber(text), value, text);
  for (const text of ['', 'abc', '1/2', '--1', '0x10', '1 2', 'NaN', 'Infinity', '1e', '1e-999']) assert.ok(Number.isNaN(parseNumber(text)), text);
  for (const text of [String(largestEntry + 1), '-1e4', '1e999', '1e+400000']) assert.equal(parseNumber(text), Infinity, text);
});

test('matrices from attributes', () => {
  assert.deepEqual(parseMatrix('[[1,0],[0,1]]'), [[1, 0], [0, 1]]);
  for (const wrong of ['', 'x', '[]', '[[]]', '[1,2]', '[[1],[1,2]]', '[["1"]]', '[[null]]', '{"a":1}', '[[1e9]]', JSON.stringify(Array(9).fill([1])), '[[1,2,3,4,5]]']) {
    assert.equal(parseMatrix(wrong), null, wrong);
  }
  assert.deepEqual(resizeMatrix([['1', '2'], ['3', '4']], 3, 1, '0'), [['1'], ['3'], ['0']]);
});

test('both languages have the same strings, and a sentence for every error code', () => {
  const shape = (value) =>
    Array.isArray(value) ? value.length : typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)])) : typeof value === 'function' ? `function of ${value.length}` : typeof value;
  assert.deepEqual(shape(strings('en')), shape(strings('zh')));
  const codes = 'bad_argument bad_shape bad_model unsupported_model bad_tokenizer no_tokenizer empty_text bad_token no_file no_simd no_wasm no_worker crashed cancelled no_memory';
  for (const language of ['zh', 'en']) {
    const unknown = errorSentence('no such code', language);
    for (const code of codes.split(' ')) assert.ok(errorSentence(code, language).length > 8 && errorSentence(code, language) !== unknown, code);
    assert.equal(errorSentence('constructor', language), unknown);
  }
  assert.equal(languageOf('zh-Hans-CN'), 'zh');
  assert.equal(languageOf('en-GB'), 'en');
  assert.equal(languageOf('fr'), null);
  assert.equal(strings('fr'), strings('zh'));
});

test('products by size: the same terms, their own places, the same sum', () => {
  const { sum } = byHand(2, 0, false, { q: [[1, -2, 0.5], [0.5, 3, -1], [2, 1, -4]], v: [[1], [0], [2]] });
  const sorted = sortTerms(sum.terms);
  assert.deepEqual(sorted.map(({ index }) => index).sort(), [0, 1, 2]);
  sorted.slice(1).forEach((entry, i) => assert.ok(Math.abs(entry.product.value) <= Math.abs(sorted[i].product.value)));
  for (const entry of sorted) assert.equal(entry.product.text, sum.terms[entry.index].product.text);
  assert.equal(sorted.at(-1).sum.value, sum.terms.at(-1).sum.value);
});

test('weight × value adds up to z, to the digits shown', () => {
  for (let seed = 1; seed <= 40; seed++) {
    let state = seed;
    const random = () => ((state = (state * 48271) % 2147483647) / 2147483647) * 4 - 2;
    const visible = 1 + (seed % 23);
    const weights = softmax(Array.from({ length: visible }, random)).map(Math.fround);
    const values = weights.map(() => Array.from({ length: 8 }, () => Math.fround(random())));
    const z = Array.from({ length: 8 }, (_, e) => Math.fround(weights.reduce((so, w, i) => so + w * values[i][e], 0)));
    const column = seed % visible;
    const made = weightedValues({ weights, values, z, visible, column });
    assert.ok(made.exact);
    assert.ok(made.lines.some(({ key }) => key === column));
    assert.equal(made.lines.length + (made.rest?.keys ?? 0), visible);
    assert.ok(made.rest === null || made.rest.keys > 1, 'nothing is summed that fits a line');
    made.entries.forEach((one, e) => {
      assert.ok(agrees(one.z.text, z[e]));
      assert.ok(agrees(one.share.text, weights[column] * values[column][e]));
      assert.ok(agrees(one.z.text, keyedIn(one.share.text) + keyedIn(one.rest.text)), 'the line comes out on a calculator');
      const whole = made.lines.reduce((so, line) => so + line.parts[e], 0) + (made.rest?.parts[e] ?? 0);
      assert.ok(Math.abs(whole - z[e]) < 1e-6);
    });
  }
  const masked = weightedValues({ weights: [1, 0], values: [[2, -1]], z: [2, -1], visible: 1, column: 1 });
  assert.deepEqual(masked.entries.map(({ share, z }) => [share.text, z.text]), [['0.00', '2.00'], ['0.00', '−1.00']]);
});

test('rows of two texts: the same to the bit or how much differs', () => {
  const a = { size: 2, weights: Float32Array.of(1, 0, 0.25, 0.75) };
  const b = { size: 3, weights: Float32Array.of(1, 0, 0, 0.75, 0.25, 0, 0, 0, 1) };
  assert.deepEqual(compareRows(a, b), [{ same: true, difference: 0 }, { same: false, difference: 0.5 }]);
  assert.equal(compareRows(a, { size: 2, weights: Float32Array.of(1, 0, Math.fround(0.25 + 3e-8), 0.75) })[1].same, false, 'one bit counts');
  assert.equal(entropyOf([1, 0]), 0);
  assert.ok(Math.abs(entropyOf([0.25, 0.25, 0.25, 0.25]) - Math.log(4)) < 1e-12);
  assert.equal(rowDifference([1], [0, 1]), 1);
});

/** How many templates a rendered thing is made of. */
function countTemplates(value) {
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + countTemplates(one), 0);
  if (!value || typeof value !== 'object' || !('strings' in value)) return 0;
  return 1 + countTemplates(value.values);
}

test('256 tokens make no element a cell', () => {
  const size = 256;
  const labels = Array.from({ length: size }, (_, i) => `t${i}`);
  const weights = new Float32Array(size * size).fill(1 / size);
  const grid = new GridView({ addController() {}, requestUpdate() {} }, { select() {}, close() {} });
  const view = (canvas, geometry) => ({ id: 'g', labels, weights, masked: (row, column) => column > row, geometry, selected: { row: 9, column: 3 }, canvas, t: { label: '', corner: '', masked: '', help: '', role: '', cell: () => '' } });
  const made = grid.render(view(true, canvasGeometry({ size, width: 700 })));
  assert.ok(countTemplates(made) < 100, String(countTemplates(made)));
});

test('a probability is never rounded to certainty or to nothing', () => {
  assert.deepEqual([1, 0.99996, 0.9995, 0.5, 0.0005, 0.0004, 0].map(percent), ['100.0%', '> 99.9%', '> 99.9%', '50.0%', '0.1%', '< 0.1%', '0.0%']);
});
