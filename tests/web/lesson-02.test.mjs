// What lesson 2 says, held against both vocabularies and the built page. The lesson's own expressions and checks are evaluated when it is
// rendered: a false one fails here as it fails the build.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { renderLesson } from '../../web/site/markdown.mjs';
import { openBrowser, openNodeEngine, openPage, openSite, root, settled } from './browser.mjs';

const file = 'web/lessons/zh/02-tokens.md';
const cat = '小猫没有跳上桌子，因为它太累了。';

let engine;
let lesson; // of renderLesson
let prose; // its text without markup

before(async () => {
  engine = await openNodeEngine();
  lesson = await renderLesson(await readFile(join(root, file), 'utf8'), { file, figureFor: async () => '', engine });
  prose = lesson.html.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#39;', "'");
});

const cut = (text, tokenizer) => engine.tokenize(text, { tokenizer });

describe('every fact that the lesson has to tell', () => {
  const facts = {
    'characters are not what the model sees': '模型里只有数，没有字',
    'a token and its number': '这样的块叫 token，所有块列成的表叫词表（vocabulary），编号就是它在表里的位置',
    'GPT-2’s vocabulary': 'GPT-2 的词表有 50,257 个 token',
    '"Thank you very" and " much"': '「Thank you very」是三个 token，编号 10449、345、845，「␣much」是 881',
    'the blank belongs to the word': '空格不是单独一块，它跟着后面的词走',
    'bytes are enough for any text': '什么都写得出来，再也没有「不认识的字」',
    'three bytes for a Chinese character': '一个常用汉字占 3 个',
    'byte pair encoding': '字节对编码（byte pair encoding，BPE）',
    'the lowest rank first': '找名次最小的那一对，合起来',
    'the merges of Thank with their ranks': '先合「a」和「n」（名次 16），再合「T」和「h」（561），然后「an」和「k」（706），最后「Th」和「ank」（10,193）',
    'what the vocabulary is made of': '256 + 50,000 + 1 = 50,257',
    'merges are counted, not written': '这张表没有人去写，是数出来的',
    'why Chinese costs more in GPT-2': /收集时特意去掉了不是英文的网页.*英文的块多，汉字的块少/s,
    'one, two, three tokens a character': /「上」的三个字节，表里能合到底：1 个 token。.*「小」只合得了前两个：2 个 token。.*「猫」一对也合不了：3 个 token/s,
    'a part is drawn as a part': '图里就把它画成字的一片，拼起来才是那个字',
    'letters can’t be seen': '编号里没有 r',
    'counting letters, with a source': /它们大多做不可靠（Shin、Kaneko，2024）/,
    'the command': 'glassbox tokenize "Thank you very" --tokenizer gpt2 --json',
    sources: /Gage.*Sennrich.*Radford.*Petrov.*Shin/s,
  };
  for (const [name, fact] of Object.entries(facts)) {
    test(name, () => (fact instanceof RegExp ? assert.match(prose, fact) : assert.ok(prose.includes(fact), `"${fact}" is not told`)));
  }

  test('the live counts of one sentence in both vocabularies, and in English', async () => {
    const [gpt2, builtin, english] = await Promise.all([cut(cat, 'gpt2'), cut(cat, 'builtin'), cut('The cat did not jump onto the table, because it was too tired.', 'gpt2')]);
    assert.ok(prose.includes(`把这句话切成 ${gpt2.count} 块`));
    assert.ok(prose.includes(`却只切成 ${builtin.count} 块`));
    assert.ok(prose.includes(`写成英文是 ${english.count} 个 token`) && prose.includes(`写成中文是 ${gpt2.count} 个`));
  });

  test('the parts stand in the order in which they are to be taught', () => {
    assert.deepEqual(lesson.contents.map(({ id }) => id), ['cut', 'bytes', 'merge', 'learn', 'chinese', 'letters', 'command', 'checks', 'sources']);
  });

  test('something to touch opens the lesson and three checks close it', () => {
    const tags = lesson.widgets.map(({ tag }) => tag);
    assert.equal(tags[0], 'glassbox-tokens');
    assert.deepEqual(tags.slice(-3), Array(3).fill('glassbox-check'));
    assert.ok(tags.includes('glassbox-bpe-trainer'));
    assert.ok(lesson.data.question.endsWith('？'));
  });
});

test('a number is computed, never typed', () => {
  const allowed = [
    [/第 \d+ 课/, 'a lesson'],
    [/GPT-\d/, 'a name'],
    [/UTF-8/, 'a name'],
    [/是 0 到 255 里的一个数|0 到 255/, 'what a byte is'],
    [/从 0 数起/, 'how ranks are counted'],
    [/而 256 个字节都在词表里/, 'what a byte is'],
    [/第 3\.7 节/, 'a section of a source'],
    [/（(?:Petrov 等|Shin、Kaneko|Xiong 等)，\d{4}）|(?:等|Kaneko)，\d{4}/, 'a year'],
  ];
  const open = lesson.numerals.filter(({ near, section }) => section !== 'sources' && !allowed.some(([pattern]) => pattern.test(near)));
  assert.deepEqual(open.map(({ near, line }) => `line ${line}: ${near}`), []);
});

test('each quoted number names its source, which the list of sources names too', () => {
  const sources = lesson.html.slice(lesson.html.indexOf('id="sources"'));
  assert.ok(lesson.quotes.length >= 3);
  for (const { text, source, line } of lesson.quotes) {
    const known = ['Radford', 'Petrov', 'Bai'].find((name) => source.includes(name));
    assert.ok(known && sources.includes(known), `line ${line}: ${text} is from ${source}`);
  }
});

const command = join(root, 'build/native/glassbox');
test('the numbers in the lesson are what the command prints', { skip: !existsSync(command) && 'the native command is not built' }, async () => {
  const { stdout } = await promisify(execFile)(command, ['tokenize', 'Thank you very', '--tokenizer', 'gpt2', '--json'], { env: { ...process.env, GLASSBOX_MODELS: join(root, 'build/models') } });
  const printed = stdout.trim();
  const [shown] = /\{"ids":.*\], …\}/.exec(prose);
  assert.ok(printed.startsWith(shown.slice(0, shown.indexOf(', …'))), `${printed} begins as ${shown}`);
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

  test('stays below 250 KB', async () => {
    const html = await (await fetch(new URL('zh/02-tokens.html', site.url))).arrayBuffer();
    assert.ok(html.byteLength < 250_000, `${html.byteLength} bytes`);
  });

  test('asks for both vocabularies once and for no model; all its widgets compute', async () => {
    const page = await openPage(browser, site, 'zh/02-tokens.html');
    site.asked.length = 0;
    await page.reload({ waitUntil: 'load' });
    for (const widget of await page.$$('[data-widget]')) {
      await widget.evaluate((element) => element.scrollIntoView());
      await settled(page, widget);
      assert.ok(await widget.evaluate((element) => element.timesReady >= 1 && !element.timesFailed));
    }
    assert.deepEqual(site.asked.filter((path) => path.endsWith('merges.txt')).sort(), ['models/builtin/merges.txt', 'models/gpt2/merges.txt']);
    assert.deepEqual(site.asked.filter((path) => path.endsWith('.safetensors')), []);
    page.expectNoFaults();
    await page.dispose();
  });

  for (const [width, height] of [[1280, 900], [390, 844]]) {
    test(`the first thing to touch is on the first screen: ${width} × ${height}`, async () => {
      const page = await openPage(browser, site, 'zh/02-tokens.html', { width, height, touch: width < 600 });
      const first = await page.$('[data-widget]');
      await settled(page, first);
      const top = await first.evaluate((element) => element.shadowRoot.querySelector('textarea').getBoundingClientRect().bottom);
      assert.ok(top < height, `the text box ends at ${top}`);
      page.expectNoFaults();
      await page.dispose();
    });
  }
});
