import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arcsFigure, arcsGeometry } from '../../web/draw/arcs.js';
import { attentionFigure, attentionPairFigure } from '../../web/draw/attention-figure.js';
import { color, inkFlip, weightColor, weightInk, weightRgb } from '../../web/draw/color.js';
import { canvasGeometry, cellAt, heatmapGeometry, ticks } from '../../web/draw/heatmap.js';
import { bytesLabel, clipLabel, isPartial, labelWidth, tokenLabel } from '../../web/draw/label.js';
import { formatFixed, formatNumber, formatWeight, roundTo } from '../../web/draw/number.js';
import { weightPixels } from '../../web/draw/pixels.js';
import { stepsFigure } from '../../web/draw/steps-figure.js';
import { mergeWeights, tokenParts, tokenUnits } from '../../web/draw/units.js';
import { colors, hostTokensCss, tokensCss } from '../../web/styles/tokens.js';

const utf8 = (text) => [...new TextEncoder().encode(text)];

/** Rows of a causal grid whose weights fall off evenly and add up to 1. */
function causalWeights(size) {
  const data = new Float32Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) data[row * size + column] = (2 * (column + 1)) / ((row + 1) * (row + 2));
  }
  return { shape: [size, size], data };
}

function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const contrast = (a, b) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

test('cells lie side by side inside of the picture, and a point finds its cell', () => {
  for (const [count, width] of [[1, 348], [3, 348], [14, 348], [14, 700], [40, 348], [40, 976]]) {
    const labels = Array.from({ length: count }, (_, i) => (i % 2 ? '小猫' : '␣very'));
    const geometry = heatmapGeometry({ labels, width });
    assert.equal(geometry.width, geometry.left + count * geometry.cell);
    assert.equal(geometry.height, geometry.top + count * geometry.cell);
    assert.ok(geometry.scrolls || geometry.width <= width, `${count} tokens overflow ${width} px`);
    for (const [row, column] of [[0, 0], [count - 1, 0], [count - 1, count - 1]]) {
      const x = geometry.left + (column + 0.5) * geometry.cell;
      const y = geometry.top + (row + 0.5) * geometry.cell;
      assert.deepEqual(cellAt(geometry, x, y), { row, column });
    }
    assert.equal(cellAt(geometry, geometry.left - 1, geometry.top + 1), null);
    assert.equal(cellAt(geometry, geometry.width + 1, geometry.top + 1), null);
  }
});

test('fourteen Chinese tokens fit a phone of 390 px, without numbers; numbers need width', () => {
  const labels = ['小猫', '没有', '跳上', '桌子', '，', '因为', '它', '太', '累', '了', '。', '太', '累', '的是'];
  const phone = heatmapGeometry({ labels, width: 348 });
  assert.equal(phone.scrolls, false);
  assert.equal(phone.decimals, 0);
  assert.equal(heatmapGeometry({ labels, width: 700 }).decimals, 2);
  assert.equal(heatmapGeometry({ labels: ['A', 'B', 'C'], width: 400 }).decimals, 3);
});

test('the canvas of many tokens is a square within its room', () => {
  const geometry = canvasGeometry({ size: 256, width: 348 });
  assert.equal(Math.round(geometry.width), 348);
  assert.equal(geometry.cell * 256, geometry.width - geometry.left);
  assert.deepEqual(cellAt(geometry, geometry.left + 0.1, geometry.top + 0.1), { row: 0, column: 0 });
  assert.ok(ticks(256).length <= 14 && ticks(256)[0] === 0);
});

test('the ramp goes one way from paper, in both themes', () => {
  for (const theme of ['light', 'dark']) {
    let last = luminance(weightColor(0, theme));
    assert.equal(weightColor(0, theme), color('surface', theme));
    for (let w = 0.05; w <= 1.0001; w += 0.05) {
      const now = luminance(weightColor(w, theme));
      assert.ok(theme === 'light' ? now < last : now > last, `${theme} at ${w.toFixed(2)}`);
      last = now;
    }
    assert.equal(weightColor(2, theme), weightColor(1, theme));
    assert.equal(weightColor(-1, theme), weightColor(0, theme));
  }
  assert.throws(() => color('no-such-colour'), /no-such-colour/);
});

test('text can be read: 4.5 to 1 for ink on paper and for numbers on every weight, 3 to 1 for edges of controls', () => {
  for (const theme of ['light', 'dark']) {
    for (let w = 0; w <= 1.0001; w += 0.01) {
      const ratio = contrast(weightColor(w, theme), weightInk(w, theme));
      assert.ok(ratio >= 4.5, `${theme} ${w.toFixed(2)}: ${ratio.toFixed(2)}`);
    }
    for (const ink of ['ink', 'ink-2', 'ink-3', 'accent', 'bad', 'pos-ink', 'neg-ink', 'cell-zero']) {
      assert.ok(contrast(color(ink, theme), color('surface', theme)) >= 4.5, `${theme} ${ink}`);
    }
    assert.ok(contrast(color('bad', theme), color('bad-soft', theme)) >= 4.5);
    assert.ok(contrast(color('ink', theme), color('bad-soft', theme)) >= 4.5);
    assert.ok(contrast(color('accent', theme), color('accent-soft', theme)) >= 4.5);
    assert.ok(contrast(color('on-accent', theme), color('accent', theme)) >= 4.5);
    for (const edge of ['rule-control', 'focus', 'pos', 'neg']) assert.ok(contrast(color(edge, theme), color('surface', theme)) >= 3, `${theme} ${edge}`);
  }
  assert.ok(inkFlip > 0.5 && inkFlip < 0.8);
});

test('page and shadow root declare every colour once for browsers with light-dark() and once for those without', () => {
  for (const text of [tokensCss, hostTokensCss]) {
    for (const name of Object.keys(colors)) {
      assert.ok(text.includes(`--${name}: light-dark(#`), name);
      assert.ok(text.includes(`--${name}: #`), name);
    }
    assert.equal(text.split('{').length, text.split('}').length);
  }
  assert.ok(tokensCss.includes(':root') && !tokensCss.includes(':host'));
  assert.ok(hostTokensCss.includes(':host') && !hostTokensCss.includes(':root'));
});

test('labels show white space, control characters and parts of characters, never a bare U+FFFD', () => {
  assert.equal(tokenLabel(' very', utf8(' very')), '␣very');
  assert.equal(tokenLabel('\n\t', utf8('\n\t')), '⏎⇥');
  assert.equal(tokenLabel('\u0000\u0007\u007f'), '‹00›‹07›‹7F›');
  assert.equal(tokenLabel('\u202eabc'), '‹202E›abc');
  assert.equal(tokenLabel('\u200b'), '‹200B›');
  assert.equal(tokenLabel('\u0301'), '◌\u0301');
  assert.equal(tokenLabel('👩‍👧', utf8('👩‍👧')), '👩‍👧');
  assert.equal(tokenLabel('\ufffd', [0xe5, 0xb0]), '‹E5 B0›');
  assert.equal(bytesLabel([0xab]), '‹AB›');
  assert.equal(isPartial([0xe5, 0xb0]), true);
  assert.equal(isPartial(utf8('小')), false);
  assert.equal(tokenLabel('\ufffd', utf8('\ufffd')), '\ufffd', 'a U+FFFD that was typed is a character like others');
  assert.ok(labelWidth('小猫') > labelWidth('ab'));
  assert.ok(labelWidth(clipLabel('internationalisation', 6)) <= 6);
  assert.equal(clipLabel('小猫', 6), '小猫');
});

test('numbers: three digits, real minus, powers of ten, the same rounding everywhere', () => {
  assert.equal(formatNumber(0.70710678), '0.707');
  assert.equal(formatNumber(-41.86), '−41.9');
  assert.equal(formatNumber(1652.4), '1,652');
  assert.equal(formatNumber(0.0000312), '3.12×10⁻⁵');
  assert.equal(formatNumber(0), '0');
  assert.equal(formatFixed(-0.0001, 2), '0.00');
  assert.equal(formatFixed(-Infinity, 2), '−∞');
  assert.equal(formatWeight(1), '1.000');
  assert.equal(formatWeight(0.0152), '0.0152');
  assert.equal(roundTo(0.3985, 3), 0.399);
  assert.equal(roundTo(-2.5, 0), -3);
});

test('the figure is a standalone picture: resolved colours, escaped text, weights as numbers', () => {
  const tokens = ['<script>alert(1)</script>', '"&\'', ' 小猫', '\u0007\ud800'];
  const weights = causalWeights(4);
  for (const theme of ['light', 'dark']) {
    const svg = attentionFigure({ tokens, bytes: tokens.map(utf8), weights, title: '<b>&', note: ']]>', theme });
    assert.ok(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"') && svg.endsWith('</svg>'));
    assert.ok(!/<script|<b>|light-dark|var\(|color-mix/.test(svg));
    assert.ok(!/[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\p{Surrogate}/u.test(svg));
    assert.ok(!/NaN|undefined|Infinity/.test(svg));
    assert.ok(svg.includes('&lt;b&gt;&amp;'));
    const cells = [...svg.matchAll(/<g fill="(#[0-9a-f]{6})">((?:<rect x=[^>]*>)+)<\/g>/g)].flatMap(([, fill, group]) => group.match(/<rect/g).map(() => fill));
    assert.equal(cells.length, 10, 'one rectangle for every cell that is not masked');
    assert.equal(cells[0], weightColor(1, theme));
    assert.deepEqual(cells.toSorted(), [...weights.data].filter((_, i) => i % 4 <= Math.floor(i / 4)).map((w) => weightColor(w, theme)).sort());
    const shown = [...svg.matchAll(/<g text-anchor="middle"[^>]*data-numbers[^>]*>(.*?)<\/g>/g)].flatMap((group) => [...group[1].matchAll(/>([\d.]+)<\/text>/g)].map((found) => found[1]));
    const expected = [...weights.data].filter((_, i) => i % 4 <= Math.floor(i / 4)).map((w) => formatFixed(w, 3));
    assert.deepEqual(shown, expected);
    assert.equal((svg.match(/·/g) ?? []).length, 6, 'a dot for every masked cell');
    for (const [, places, dots] of svg.matchAll(/<text x="([\d. ]+)" y="[\d.]+">(·+)<\/text>/g)) assert.equal(places.split(' ').length, dots.length, 'each at its place');
  }
});

test('shown numbers of a row still add up to one, within their rounding', () => {
  const { data } = causalWeights(14);
  for (let row = 0; row < 14; row++) {
    const shown = Array.from(data.subarray(row * 14, row * 14 + row + 1), (w) => Number(formatFixed(w, 2)));
    assert.ok(Math.abs(shown.reduce((a, b) => a + b) - 1) <= 0.005 * (row + 1));
  }
});

test('one token, and very many', () => {
  const one = attentionFigure({ tokens: ['a'], bytes: [[97]], weights: { shape: [1, 1], data: new Float32Array([1]) } });
  assert.ok(one.includes('>1.000</text>'));
  const size = 256;
  const tokens = Array.from({ length: size }, () => 'x');
  const many = attentionFigure({ tokens, weights: causalWeights(size) });
  assert.ok(many.length < 1_500_000 && !many.includes('NaN'));
  assert.throws(() => attentionFigure({ tokens: ['a', 'b'], weights: causalWeights(3) }), /expected \(2, 2\), got \(3, 3\)/);
});

test('the two grids of the hand calculation stand side by side; only one is masked', () => {
  const full = { shape: [3, 3], data: Float32Array.from([0.401, 0.198, 0.401, 0.198, 0.401, 0.401, 0.248, 0.248, 0.503]) };
  const svg = stepsFigure({ labels: ['A', '<i>', 'C'], full, causal: causalWeights(3), theme: 'dark' });
  assert.equal((svg.match(/<rect x=/g) ?? []).length, 9 + 6);
  assert.equal((svg.match(/·/g) ?? []).length, 3);
  assert.equal((svg.match(/<svg/g) ?? []).length, 1);
  assert.ok(svg.includes('&lt;i&gt;') && !svg.includes('<i>') && !svg.includes('var('));
  const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map((found) => found[1]);
  assert.equal(new Set(ids).size, ids.length);
});

test('parts of a character know their slice, and whole tokens have none', () => {
  const [a, b, ...glyph] = [utf8('a'), utf8('爱'), ...[[0xe9, 0xbe], [0x98]], utf8('字')];
  assert.deepEqual(tokenParts([a, b, ...glyph]), [null, null, { glyph: '\u9f98', from: 0, to: 2 / 3, part: 0, parts: 2 }, { glyph: '\u9f98', from: 2 / 3, to: 1, part: 1, parts: 2 }, null]);
  // A token may hold the end of one character and the beginning of the next.
  const two = utf8('猫狗');
  assert.deepEqual(
    tokenParts([two.slice(0, 2), two.slice(2, 4), two.slice(4)]).map((part) => [part.glyph, part.from, part.to]),
    [['猫狗', 0, 1 / 3], ['猫狗', 1 / 3, 2 / 3], ['猫狗', 2 / 3, 1]],
  );
  assert.deepEqual(tokenParts([[0xff], [0xe7, 0x8c], utf8('b')]), [null, null, null]);
  assert.deepEqual(tokenParts([]), []);
});

test('tokens are joined to characters and to words that blanks part', () => {
  const units = (...tokens) => tokenUnits(tokens.map((token) => (typeof token === 'string' ? utf8(token) : token))).map(({ start, end, text }) => [text, end - start]);
  assert.deepEqual(units('The', ' so', 'f', 'as', '.'), [['The', 1], [' sofas', 3], ['.', 1]]);
  assert.deepEqual(units('小猫', '没有', '爱'), [['小猫', 1], ['没有', 1], ['爱', 1]]);
  assert.deepEqual(units('爱', 'a', 'b', '猫'), [['爱', 1], ['ab', 2], ['猫', 1]]);
  assert.deepEqual(units('don', "'t", ' go'), [["don't", 2], [' go', 1]]);
  assert.deepEqual(units('1', '2', '+', '3'), [['12', 2], ['+', 1], ['3', 1]]);
  assert.deepEqual(units([0xf0], [0x9f, 0x98], [0x80], 'x'), [['😀', 3], ['x', 1]]);
  assert.deepEqual(units('👩', '\u200d', '👧', '!'), [['👩\u200d👧', 3], ['!', 1]]);
  assert.deepEqual(units([0xe7, 0x8c], 'x'), [[null, 1], ['x', 1]]);
  assert.deepEqual(units(' ', ' ', '\n'), [[' ', 1], [' ', 1], ['\n', 1]]);
  for (const tokens of [['The', ' so', 'f'], [[0xff], [0x80], 'a']]) {
    const made = tokenUnits(tokens.map((token) => (typeof token === 'string' ? utf8(token) : token)));
    assert.deepEqual(made.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)), tokens.map((_, i) => i), 'each token once, in order');
  }
});

test('weights summed to words take the last token\'s row, which still adds up to 1', () => {
  const weights = Float32Array.of(1, 0, 0, 0, 0.25, 0.75, 0, 0, 0.5, 0.25, 0.25, 0, 0.125, 0.25, 0.5, 0.125);
  const units = [{ start: 0, end: 1 }, { start: 1, end: 3 }, { start: 3, end: 4 }];
  assert.deepEqual(Array.from(mergeWeights(weights, 4, units)), [1, 0, 0, 0.5, 0.5, 0, 0.125, 0.75, 0.125]);
});

test('a grid of 256 tokens is pixels of the ramp\'s colours, the mask is empty', () => {
  const size = 256;
  const weights = Float32Array.from({ length: size * size }, (_, i) => (i % size <= Math.floor(i / size) ? 1 / (1 + Math.floor(i / size)) : 0));
  for (const theme of ['light', 'dark']) {
    const pixels = weightPixels(weights, size, theme);
    assert.equal(pixels.length, size * size * 4);
    for (const [row, column] of [[0, 0], [1, 0], [3, 2], [255, 255], [128, 7]]) {
      const at = (row * size + column) * 4;
      const exact = weightRgb(Math.round(weights[row * size + column] * 255) / 255, theme);
      assert.deepEqual(Array.from(pixels.subarray(at, at + 4)), [...exact, 255], `${row},${column}`);
    }
    assert.equal(pixels[(0 * size + 1) * 4 + 3], 0);
    assert.equal(pixels[(254 * size + 255) * 4 + 3], 0);
  }
});

test('arcs: a line of text where there is room, else one word below the other', () => {
  const short = arcsGeometry({ labels: ['Thank', '␣you', '␣very'], width: 700 });
  assert.equal(short.down, false);
  assert.ok(short.width <= 700);
  const { places } = short;
  places.slice(1).forEach((place, i) => assert.ok(place.at - place.size / 2 >= places[i].at + places[i].size / 2 + 7.9, 'words do not touch'));
  const long = arcsGeometry({ labels: Array(20).fill('小猫'), width: 330 });
  assert.equal(long.down, true);
  assert.ok(long.base < 330 * 0.4 && long.height >= 20 * 24);
  assert.equal(arcsGeometry({ labels: ['a'], width: 300 }).places.length, 1);
});

test('arcs are as wide as the weights, and say them', () => {
  const tokens = ['Thank', ' you', ' <b>'];
  const weights = { shape: [3, 3], data: Float32Array.of(1, 0, 0, 0.25, 0.75, 0, 0.0001, 0.9, 0.0999) };
  for (const theme of ['light', 'dark']) {
    for (const width of [720, 100]) {
      const svg = arcsFigure({ tokens, weights, title: 'a < b', note: 'n', theme, width });
      const widths = [...svg.matchAll(/<path [^>]*stroke-width="([\d.]+)"/g)].map((found) => Number(found[1]));
      assert.deepEqual(widths, [1.9, 9.1], 'the weakest is left out, the strongest is on top');
      assert.ok(svg.includes('>0.900<') && svg.includes('>0.100<') && !svg.includes('0.0001'));
      assert.ok(!svg.includes('<b>') && svg.includes('a &lt; b'));
      if (width > 200) assert.ok(svg.includes('␣&lt;b&gt;'));
      assert.ok(!/NaN|undefined|var\(/.test(svg));
    }
  }
  const first = arcsFigure({ tokens, weights, query: 0 });
  assert.equal([...first.matchAll(/<path /g)].length, 1, 'the first word looks only at itself');
});

test('two texts are drawn side by side where there is room; parts of a character as slices with ids of their own', () => {
  const side = (title, bytes) => ({ tokens: bytes.map((one) => new TextDecoder().decode(Uint8Array.from(one))), bytes, weights: causalWeights(bytes.length), title });
  const sides = [side('A', [[0xe9, 0xbe], [0x98], utf8('b')]), side('B', [utf8('a'), utf8('b')])];
  const size = (svg) => /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg).slice(1).map(Number);
  const [wide, narrow] = [attentionPairFigure({ sides }), attentionPairFigure({ sides, width: 330 })];
  assert.ok(size(wide)[0] > size(narrow)[0] && size(narrow)[1] > size(wide)[1]);
  for (const svg of [wide, narrow]) {
    assert.ok(!/NaN|undefined|\ufffd/.test(svg));
    assert.equal([...svg.matchAll(/<clipPath id="([^"]+)"/g)].length, 4, 'two parts, down and across');
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map((found) => found[1]);
    assert.equal(new Set(ids).size, ids.length);
    for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) assert.ok(ids.includes(id));
  }
});
