// What a reader takes along from a figure: pictures, tables and formulas, made in the page under its strict policy; and the formats by themselves.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { strings } from '../../web/i18n/index.js';
import { exactNumber, fileName, toCsv, toMarkdown } from '../../web/parts/export-formats.js';
import { latexNumber, latexText } from '../../web/parts/latex.js';
import { figureTags } from '../../web/site/figures.js';
import { embedCode, readLink, writeLink } from '../../web/parts/permalink.js';
import { emptyPage, findBarriers, inside, openBrowser, openNodeEngine, openPage, openSite, putWidget, textIn, traceHead, until } from './browser.mjs';

describe('formats', () => {
  test('numbers have the digits that give the same float32 back', () => {
    for (const x of [0.1, 1 / 3, 1e-30, 123456.7, -0.000123, 3.4e38, 1.17e-38]) {
      const single = Math.fround(x);
      assert.equal(Math.fround(Number(exactNumber(single))), single);
      assert.ok(exactNumber(single).replace(/e.*|[-.]|^0+\.?0*/g, '').length <= 9);
    }
    assert.equal(exactNumber(Math.fround(0.1)), '0.1');
    assert.equal(Number(exactNumber(0.1)), 0.1, 'a double keeps all its digits');
    assert.equal(exactNumber(0), '0');
    assert.equal(exactNumber(-Infinity), '-Infinity');
    assert.equal(exactNumber(1 / 3), String(1 / 3));
  });

  test('CSV quotes what it must', () => {
    assert.equal(toCsv({ header: ['a,b', '"'], rows: [[1.5, 'x\ny'], [null, ' z']] }), '\ufeff"a,b",""""\r\n1.5,"x\ny"\r\n," z"\r\n');
  });

  test('Markdown keeps every text in its cell', () => {
    assert.equal(toMarkdown({ header: ['t', 'n'], rows: [['a|b\n*c* <i>', 1], ['', -0.5]] }), '| t | n |\n| --- | ---: |\n| a\\|b \\*c\\* \\<i\\> | 1 |\n|  | -0.5 |\n');
  });

  test('LaTeX knows our minus signs, powers and groups, and escapes texts', () => {
    assert.equal(latexNumber('−1,234.5'), '-1{,}234.5');
    assert.equal(latexNumber('1.20×10⁻⁵'), '1.20\\times 10^{-5}');
    assert.equal(latexText('a_b{}$\\'), '\\text{a\\_b\\{\\}\\$\\textbackslash{}}');
  });

  test('file names hold no paths', () => {
    assert.equal(fileName('../a b/小猫:x'), 'a-b-小猫-x');
    assert.equal(fileName('///'), 'glassbox');
  });
});

describe('links', () => {
  const known = ['text', 'layer', 'cell', 'model'];

  test('say what they say, and nothing else', () => {
    const link = writeLink('https://host/a?x=1&live.old=2&m=00000000#else', {
      id: 'live',
      attributes: [['text', 'a&b=c #%'], ['layer', null], ['cell', '']],
      initial: new Map([['layer', '1'], ['cell', null]]),
      hash: 'cafe1234cafe',
      anchor: true,
    });
    assert.equal(link, 'https://host/a?x=1&live.text=a%26b%3Dc+%23%25&live.cell=&live.without=layer&m=cafe1234#live');
    const read = readLink(new URL(link).search, 'live', known);
    assert.deepEqual([...read.attributes], [['layer', null], ['text', 'a&b=c #%'], ['cell', '']]);
    assert.equal(read.model, 'cafe1234');
    assert.equal(readLink(new URL(link).search, 'other', known), null);
    assert.equal(readLink('', 'live', known), null);
    assert.equal(readLink('?live.model=https://x/y.safetensors', 'live', known), null);
    assert.equal(readLink('?live.model=gpt2', 'live', known).attributes.get('model'), 'gpt2');
    assert.equal(readLink('?live.layer=1&m=<script>', 'live', known).model, null);
  });

  test('tags quote every text', () => {
    assert.equal(
      embedCode({ script: 'https://h/embed.js', tag: 'glassbox-x', attributes: [['text', '"&<>\n'], ['none', null]] }),
      '<script type="module" src="https://h/embed.js"></script>\n<glassbox-x text="&quot;&amp;&lt;&gt;&#10;"></glassbox-x>\n',
    );
  });
});

describe('in the page', () => {
  const text = 'Thank you very';
  let browser;
  let site;
  let node;
  let page;
  let folder;

  before(async () => {
    [browser, site, node] = await Promise.all([openBrowser(), openSite(), openNodeEngine()]);
    await open();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** A page whose downloads arrive in `folder` and whose clipboard is watched. */
  async function open() {
    // The page's policy holds for what a test parses in it, too.
    page = await openPage(browser, site, emptyPage, { allow: [/inline style.*pptr:evaluate/s, /policy violation: style-src-attr inline .*pptr/] });
    folder = await mkdtemp(join(tmpdir(), 'glassbox-export-'));
    const session = await page.createCDPSession();
    const { targetInfo } = await session.send('Target.getTargetInfo');
    const whole = await browser.target().createCDPSession();
    await whole.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, browserContextId: targetInfo.browserContextId, eventsEnabled: false });
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (given) => void (globalThis.copied = given);
    });
  }

  /** A widget alone on the page, of which nothing was taken yet. */
  async function put(tag, attributes) {
    for (const name of await readdir(folder)) await rm(join(folder, name));
    page.faults.length = 0;
    await page.evaluate(() => (globalThis.copied = ''));
    return putWidget(page, tag, { lang: 'en', ...attributes });
  }

  async function take(widget, action) {
    await (await inside(widget, '#export')).click();
    await until(page, 'the menu is open', (element) => element.shadowRoot.querySelector('#export-menu'), widget);
    await (await inside(widget, `#export-menu [data-action="${action}"]`)).click();
    await until(page, 'the reader is told', (element) => element.said, widget);
    assert.notEqual(await textIn(widget, '.said'), strings('en').export.failed);
  }

  /** The file that comes of an action, whole: { name, bytes }. */
  async function takeFile(widget, action) {
    await take(widget, action);
    for (let i = 0; i < 400; i += 1) {
      const name = (await readdir(folder)).find((found) => found.endsWith(`.${action}`));
      const bytes = name ? await readFile(join(folder, name)) : null;
      if (bytes?.length) return { name, bytes };
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error(`no .${action} came`);
  }

  const takeText = async (widget, action) => {
    await take(widget, action);
    return page.evaluate(() => globalThis.copied);
  };

  const readCsv = (bytes) => bytes.toString('utf8').replace(/^\ufeff/, '').trim().split('\r\n').map((line) => line.split(','));

  // What has to happen before a figure has anything to take along.
  const beforehand = {
    'glassbox-trainer': {
      attributes: { text: 'The cat sat.\n\nThe dog ran.', size: '1 16 2 16', steps: '5' },
      async act(widget) {
        await (await inside(widget, '#start')).click();
        await until(page, 'it is trained', (element) => element.run?.done && element.run.state === 'paused', widget);
      },
    },
  };

  for (const tag of figureTags.filter((name) => name !== 'glassbox-check')) {
    test(`${tag}: every way out`, async () => {
      const widget = await put(tag, beforehand[tag]?.attributes ?? {});
      await beforehand[tag]?.act(widget);
      const given = await widget.evaluate((element) => {
        const { svg, table, latex, name } = element.exports();
        const { header, rows } = table();
        return { name, header, rows: rows.map((row) => row.map((value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value))), drawings: [svg('light'), svg('dark')], latex: latex?.() ?? null };
      });
      assert.equal(fileName(given.name), given.name);
      assert.ok(given.rows.length > 0);
      for (const row of given.rows) {
        assert.equal(row.length, given.header.length, 'as many cells as names');
        for (const cell of row) assert.ok(cell !== undefined && !/^(NaN|undefined|\[object.*)$/.test(String(cell)), `a cell is ${cell}`);
      }
      assert.notEqual(given.drawings[0], given.drawings[1], 'light and dark');
      for (const drawing of given.drawings) {
        assert.doesNotMatch(drawing, /var\(--|NaN|undefined/, 'nothing is left to a page');
        assert.equal(
          await page.evaluate((source) => new DOMParser().parseFromString(source, 'image/svg+xml').querySelector('parsererror')?.textContent ?? null, drawing),
          null,
        );
      }
      await takeFile(widget, 'png');
      const rows = readCsv((await takeFile(widget, 'csv')).bytes);
      assert.equal(rows.length, given.rows.length + 1);
      assert.match(await takeText(widget, 'markdown'), /^\|.*\|\n\|( ---:? \|)+\n/);
      for (const [button, start] of [['#share', new URL(emptyPage, site.url).href], ['#embed', '<script type="module" src="']]) {
        await (await inside(widget, button)).click();
        await until(page, 'it is copied', (from) => globalThis.copied.startsWith(from), start);
      }
      assert.ok((await page.evaluate(() => globalThis.copied)).includes(`<${tag} `));
      page.expectNoFaults();
    });
  }

  test('the grid as drawing, picture, numbers and table', async () => {
    const widget = await put('glassbox-attention', { text, layer: '1', head: '2', cell: '2,1' });
    const { weights } = await traceHead(node, text, 1, 2);
    const drawing = await takeFile(widget, 'svg');
    assert.equal(drawing.name, 'attention-l1h2.svg');
    const svg = drawing.bytes.toString('utf8');
    const size = await page.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
      if (parsed.querySelector('parsererror')) return null;
      return { width: Number(parsed.documentElement.getAttribute('width')), height: Number(parsed.documentElement.getAttribute('height')), words: parsed.documentElement.textContent };
    }, svg);
    assert.ok(size, 'the drawing is well-formed');
    assert.ok(size.words.includes(weights[6].toFixed(3)), 'with the numbers');
    assert.ok(size.words.includes((await node.load('builtin')).hash), 'and the model that made it');
    const { bytes: png } = await takeFile(widget, 'png');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [Math.ceil(size.width * 2), Math.ceil(size.height * 2)]);
    assert.ok(png.length > 3000, 'it is no blank');

    const [header, ...rows] = readCsv((await takeFile(widget, 'csv')).bytes);
    assert.deepEqual(header.slice(-3), ['Thank', '␣you', '␣very']);
    assert.deepEqual(rows.flatMap((row) => row.slice(-3)).map((number) => Math.fround(Number(number))), Array.from(weights), 'to the bit');

    const table = await takeText(widget, 'markdown');
    assert.deepEqual(
      table.trim().split('\n').slice(2).flatMap((line) => line.split('|').slice(-4, -1)).map((number) => Math.fround(Number(number))),
      Array.from(weights),
    );
    const formula = await takeText(widget, 'latex');
    assert.match(formula, /^\\begin\{aligned\}\n[\s\S]*\\end\{aligned\}\n$/);
    assert.ok(formula.includes(`= ${weights[7].toFixed(3)}`), formula);
    page.expectNoFaults();
  });

  test('the hand calculation, with every step', async () => {
    const q = [[1, 0], [0, 1], [1, 1]];
    const widget = await put('glassbox-attention-steps', { q: JSON.stringify(q), v: '[[1,0],[0,1],[0.5,0.5]]', labels: 'A B C', theme: 'dark' });
    const { weights, output } = await node.attentionSteps({ q, k: q, v: [[1, 0], [0, 1], [0.5, 0.5]], causal: true, scale: true });
    const [header, ...rows] = readCsv((await takeFile(widget, 'csv')).bytes);
    assert.equal(rows.length, 6, 'three words, without and with the mask');
    const columns = (wanted) => header.map((name, i) => (wanted.test(name) ? i : -1)).filter((i) => i >= 0);
    const numbers = (wanted) => rows.slice(3).flatMap((row) => columns(wanted).map((i) => Math.fround(Number(row[i]))));
    assert.deepEqual(numbers(/^Weight /), Array.from(weights.data));
    assert.deepEqual(numbers(/^z\d/), Array.from(output.data));
    const { bytes } = await takeFile(widget, 'svg');
    const light = await put('glassbox-attention-steps', { q: JSON.stringify(q), v: '[[1,0],[0,1],[0.5,0.5]]', labels: 'A B C', theme: 'light' });
    assert.notEqual((await takeFile(light, 'svg')).bytes.toString(), bytes.toString(), 'drawn in the theme it is seen in');
    page.expectNoFaults();
  });

  test('a text that is markup stays text in the drawing', async () => {
    const widget = await put('glassbox-attention', { text: '</svg><script>alert(1)</script>' });
    const { bytes } = await takeFile(widget, 'svg');
    const scripts = await page.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
      return parsed.querySelector('parsererror') ? 'malformed' : parsed.querySelectorAll('script').length;
    }, bytes.toString('utf8'));
    assert.equal(scripts, 0);
    page.expectNoFaults();
  });

  test('the menu works by keyboard, and is closed by Escape, by Tab and by a press elsewhere', async () => {
    const widget = await put('glassbox-attention', { text });
    const focused = () => widget.evaluate((element) => element.shadowRoot.activeElement?.dataset.action ?? element.shadowRoot.activeElement?.id ?? null);
    const open = () => widget.evaluate((element) => element.shadowRoot.querySelector('#export').getAttribute('aria-expanded') === 'true' && Boolean(element.shadowRoot.querySelector('#export-menu')));
    await (await inside(widget, '#export')).focus();
    await page.keyboard.press('Enter');
    await until(page, 'the menu is open', (element) => element.shadowRoot.activeElement?.dataset.action === 'svg', widget);
    assert.deepEqual((await findBarriers(page)).filter((line) => /#export|menu|#share|#embed|said/.test(line)), []);
    for (const [key, then] of [['ArrowDown', 'png'], ['End', 'markdown'], ['ArrowDown', 'svg'], ['ArrowUp', 'markdown'], ['Home', 'svg']]) {
      await page.keyboard.press(key);
      assert.equal(await focused(), then, key);
    }
    await page.keyboard.press('Escape');
    await widget.evaluate((element) => element.updateComplete);
    assert.equal(await open(), false);
    assert.equal(await focused(), 'export');
    await page.keyboard.press('ArrowDown');
    await until(page, 'the menu is open', (element) => element.shadowRoot.activeElement?.dataset.action === 'svg', widget);
    await page.keyboard.press('Tab');
    await widget.evaluate((element) => element.updateComplete);
    assert.equal(await open(), false);
    await (await inside(widget, '#export')).click();
    await until(page, 'the menu is open', (element) => element.shadowRoot.querySelector('#export-menu'), widget);
    await (await inside(widget, '.title')).click();
    await widget.evaluate((element) => element.updateComplete);
    assert.equal(await open(), false);
    page.expectNoFaults();
  });

  test('with nothing computed there is nothing to export', async () => {
    const widget = await put('glassbox-attention', { text: '' });
    assert.equal(await (await inside(widget, '#export')).evaluate((button) => button.getAttribute('aria-disabled')), 'true');
    await (await inside(widget, '#export')).click();
    assert.equal(await widget.evaluate((element) => element.shadowRoot.querySelector('#export-menu')), null);
    page.expectNoFaults();
  });
});
