// What lesson 6 has to teach and to show, held against the built-in model and the built page. Its own expressions and checks are evaluated when
// it is rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { formatChance } from '../../web/draw/loss-figure.js';
import { pointsLandscape, presetRates, usualPoints, walk } from '../../web/parts/descent.js';
import { askLosses } from '../../web/parts/loss.js';
import { bytesPerParameter } from '../../web/parts/train-memory.js';
import { trainingSizes } from '../../web/engine/trainer-sizes.js';
import { renderLesson } from '../../web/site/markdown.mjs';
import { ExpressionError, Numbers } from '../../web/site/numbers.mjs';
import { json } from '../command/run.mjs';
import { dist, inside, openBrowser, openNodeEngine, openPage, openSite, root, settled, textIn } from './browser.mjs';

const name = '06-training';

let engine;
let lesson; // of renderLesson
let prose; // its text without markup; formulas by their TeX

before(async () => {
  engine = await openNodeEngine();
  const file = `web/lessons/zh/${name}.md`;
  lesson = await renderLesson(await readFile(join(root, file), 'utf8'), { file, figureFor: async () => '', engine });
  prose = lesson.html
    .replace(/<semantics>.*?<annotation[^>]*>(.*?)<\/annotation><\/semantics>/gs, ' $1 ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('\u00a0', ' ');
});

describe('every point that the lesson has to teach', () => {
  const facts = {
    'the loss is −log p of the right token': /模型给它的概率记作 +p 。损失就是\s+-\\log\\,p/,
    'the surer of something else, the dearer': /给正确答案 100%，损失是 0；给一半，是 0\.693；只给百分之一，是 4\.61/,
    'the loss of a text is the mean': '一段文字的损失，是每一步的平均',
    'no one has to correct it': /不用人批改。下一个 token 就写在文字里/,
    'a guess at random costs ln V': /\\ln\\,\d+ = 7\.\d\d/,
    'gradient': /这叫梯度（gradient），就是图里橙线的坡度.*它是负的.*该往右走/s,
    'step': /0 - 0\.05 \\times \(-14\) = 0\.7/,
    'learning rate: too small, right, rather large, too large': /太小，要走很久。正好，几步就到。偏大，每一步都跨过谷底.*这叫发散（divergence）/,
    'all gradients in one way back': /反向传播（backpropagation）.*每个权重的坡度就都有了（Rumelhart 等，1986）/,
    'batches': /每一步只抽一小份来量，叫一批（batch）.*歪的就互相抵消/s,
    'Adam and AdamW': /这叫 Adam（Kingma、Ba，2014）.*AdamW.*（Loshchilov、Hutter，2017）/,
    'held-out text': /从不拿来学，只用来量，叫留出集（held-out set）/,
    'overfitting': /背了下来.*这叫过拟合（overfitting）.*文字要多/s,
    'sixteen bytes a parameter': /2 字节　权重.*2 字节　梯度.*4 字节　权重的底本.*8 字节　Adam 的两笔账.*一共 16 字节（Rajbhandari 等，2019）/s,
    '112 GB': '70 亿个参数，就是 112 GB，一张 80 GB 的卡放不下',
    'without activations': '这还没有算激活值',
    'what it costs in computing': /6 \\times \\text\{参数\} \\times \\text\{token\} （Kaplan 等，2020）.*82,432/s,
    'what is left out': /这里省略了什么.*还没有说的/s,
    'sources by name': /Rumelhart、Hinton、Williams.*arXiv:1412\.6980.*arXiv:1711\.05101.*arXiv:1710\.03740.*arXiv:1910\.02054.*arXiv:2001\.08361.*arXiv:2302\.13971/s,
  };
  for (const [what, wanted] of Object.entries(facts)) {
    test(what, () => assert.ok(typeof wanted === 'string' ? prose.includes(wanted) : wanted.test(prose), `${wanted}`));
  }

  test('its numbers are those of the model and of the arithmetic', async () => {
    const much = await askLosses(engine, 'Thank you very much');
    assert.ok(prose.includes(`模型给了 ${(much.places.at(-1).p * 100).toFixed(2)}%`));
    const cat = await askLosses(engine, '从前，有一只小猫');
    assert.ok(prose.includes(`损失 ${cat.places.at(-1).loss.toPrecision(3)}。`));
    assert.ok(prose.includes(`\\ln\\,${cat.vocabulary} = ${Math.log(cat.vocabulary).toFixed(2)}`));
    const landscape = pointsLandscape(usualPoints);
    for (const rate of Object.values(presetRates(landscape))) {
      const { w, loss } = walk(landscape, { w: 0, rate, steps: 8, batch: 'all' }).path.at(-1);
      assert.match(prose, new RegExp(`${rate}\\s+.*\\s+${w.toFixed(2).replace('-', '−')}\\s+${loss > 100 ? loss.toFixed(0) : loss.toFixed(2)}`));
    }
    assert.equal(bytesPerParameter('mixed') * 7e9, 112e9);
    const { steps } = JSON.parse(await readFile(join(root, 'web/models/builtin/training.json'), 'utf8'));
    assert.ok(prose.includes(`走了 ${steps.toLocaleString('en')} 步`));
  });

  test('it opens with a question and something to touch, ends with three checks, and shows its widgets', () => {
    assert.ok(lesson.data.question.endsWith('？'));
    const shown = lesson.widgets.filter(({ tag }) => tag !== 'glassbox-check');
    assert.deepEqual(shown.map(({ tag, attributes }) => [tag, attributes.of ?? (attributes['held-out'] ? 'own' : '')].join(' ').trim()), [
      'glassbox-descent', 'glassbox-loss', 'glassbox-descent model', 'glassbox-trainer', 'glassbox-trainer own', 'glassbox-train-memory',
    ]);
    assert.equal(lesson.widgets[0].tag, 'glassbox-descent', 'gradient descent on one weight is the first thing');
    assert.equal(lesson.widgets.length - shown.length, 3);
    assert.doesNotMatch(prose, /[!！]/, 'no exclamation marks');
  });

  test('overfitting: what is held out is made of the words that are learned, and is not learned', () => {
    const { attributes } = lesson.widgets.find(({ tag, attributes: given }) => tag === 'glassbox-trainer' && given['held-out']);
    const sentences = (text) => text.split('\n\n');
    assert.equal(sentences(attributes.text).length, 3);
    assert.ok([...attributes['held-out']].every((character) => attributes.text.includes(character)));
    assert.ok(sentences(attributes['held-out']).every((sentence) => !attributes.text.includes(sentence)));
  });

  test('numbers typed in are places in the series, years, units and what a source says', () => {
    const allowed = /第 \d课?|小时|公里|现在是 0|猜 0|差 −|三个点|不是 0|都从 0|100%|往 0|\d 字节|\d 个字节|16 位|32 位|70 亿|80 GB|接近 0|等，\d{4}|Ba，|Hutter，|A100|第 0 步/;
    const open = lesson.numerals.filter(({ near, section }) => !['sources', 'checks', 'command'].includes(section) && !allowed.test(near));
    assert.deepEqual(open.map(({ near, line }) => `${line}: ${near}`), []);
  });
});

test('three sentences are learned by heart: what is held out gets worse again', async () => {
  const { attributes } = lesson.widgets.find(({ tag, attributes: given }) => tag === 'glassbox-trainer' && given['held-out']);
  const size = trainingSizes[attributes.size];
  const trainer = await engine.openTraining();
  await trainer.open({
    text: attributes.text,
    heldOut: attributes['held-out'],
    size,
    vocabSize: size.vocabSize,
    tokensPerStep: size.tokensPerStep,
    learningRate: Number(attributes['learning-rate']),
    seed: 1,
  });
  const measured = [];
  let loss;
  for (let step = 0; step < Number(attributes.steps); step += 1) {
    const report = await trainer.step();
    ({ loss } = report);
    if (report.heldOut !== null) measured.push(report.heldOut);
  }
  const least = Math.min(...measured);
  assert.ok(loss < 0.1, `learned by heart: ${loss}`);
  assert.ok(measured.at(-1) > least + 0.05 && measured.at(-1) > 5 * loss, measured.join(' '));
});

describe('its expressions', () => {
  const shown = async (source) => (await new Numbers(engine).evaluate(source)).text;

  test('give what the parts give', async () => {
    const { places, mean } = await askLosses(engine, '从前，有一只小猫');
    assert.equal(await shown('losses("从前，有一只小猫")[3].loss | 6'), places[3].loss.toFixed(6));
    assert.equal(await shown('meanLoss("从前，有一只小猫") | 6'), mean.toFixed(6));
    assert.equal(await shown('downhill(0, 0.05, 1)[1].w | 3'), '0.700');
    assert.equal(await shown('slopes(0)[2]'), '−30');
    assert.equal(await shown('trainBytes("mixed")'), '16');
    assert.equal(await shown('cardsFor(112 * 10 ^ 9, "A100 80GB")'), '2');
    assert.equal(await shown('valley().border | 4'), '0.2143');
  });

  test('refuse what they can’t do', async () => {
    for (const source of ['ln(0)', 'ln(-1)', 'trainBytes("x")', 'cardsFor(1, "x")', 'weightNow("a", 0).now | 2', 'weightNow("Thank you", 99999).now | 2', 'meanLoss("a") | 2']) await assert.rejects(shown(source), ExpressionError, source);
  });
});

test('the command that it names prints the probability that the loss is made of', async () => {
  assert.ok(prose.includes('glassbox next "从前，有一只" --top 3'));
  const { candidates } = await json('next', '从前，有一只', '--top', '3');
  const here = (await engine.next('从前，有一只', { top: 3 })).candidates;
  assert.deepEqual(candidates.map(({ id, p }) => [id, Math.fround(p)]), here.map(({ id, p }) => [id, Math.fround(p)]));
});

describe('the page', () => {
  let browser;
  let site;
  before(async () => {
    [browser, site] = await Promise.all([openBrowser(), openSite()]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  test('is small', async () => {
    assert.ok((await stat(join(dist, `zh/${name}.html`))).size < 250_000);
  });

  test('without a script the figures stand there', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { script: false });
    const tags = ['glassbox-descent', 'glassbox-loss', 'glassbox-trainer', 'glassbox-train-memory'];
    const texts = await page.evaluate((list) => list.map((tag) => [...document.querySelectorAll(`${tag} svg`)].filter((svg) => svg.checkVisibility()).map((svg) => svg.textContent).join(' ')), tags);
    assert.match(texts[0], /0 − 0\.05 × \(−14\) = 0\.700/);
    const { places } = await askLosses(engine, '从前，有一只小猫');
    assert.ok(texts[1].includes(formatChance(places.at(-1).p)));
    assert.ok(texts[2].length > 20, 'a real run stands there');
    assert.match(texts[3], /112\u00a0GB/);
    page.expectNoFaults();
    await page.dispose();
  });

  test('a reader of a phone walks downhill, is wrong, and counts bytes', async () => {
    const page = await openPage(browser, site, `zh/${name}.html`, { width: 390, height: 844, touch: true });
    const [descent] = await page.$$('glassbox-descent');
    await settled(page, descent);
    await (await inside(descent, '#step')).tap();
    assert.ok((await textIn(descent, '#says')).includes('走了 1 步'));
    const memory = await page.$('glassbox-train-memory');
    await memory.evaluate((element) => element.scrollIntoView());
    await settled(page, memory);
    assert.equal(await textIn(memory, '#all'), '112\u00a0GB');
    page.expectNoFaults();
    await page.dispose();
  });
});
