// Checks of the built site that need no browser: what the pages name exists, nothing comes from elsewhere, nothing is inline.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync, inflateSync } from 'node:zlib';
import { serve, strictPolicy } from '../../tools/serve.mjs';
import { elementTags } from '../../web/site/elements.js';
import { lessons } from '../../web/site/lessons.mjs';
import { escapeHtml, LessonError, parseWidgetTag, renderLesson } from '../../web/site/markdown.mjs';
import { Picture } from '../../web/site/png.mjs';
import { homePage, lessonPage } from '../../web/site/template.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const dist = resolve(root, process.env.GLASSBOX_DIST || 'dist');
const lessonFolder = join(root, 'web/lessons/zh');

async function listFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const lists = await Promise.all(entries.map((entry) => (entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)])));
  return lists.flat();
}

const read = (path) => readFile(join(dist, path), 'utf8');
const unescape = (text) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const tagsOf = (html) => html.replace(/<!--.*?-->/gs, '').match(/<[a-zA-Z][^>]*>/g) ?? [];
const attribute = (tag, name) => {
  const match = new RegExp(`\\s${name}="([^"]*)"`).exec(tag);
  return match ? unescape(match[1]) : null;
};
const meta = (html, key, name) => {
  const tag = tagsOf(html).find((candidate) => candidate.startsWith('<meta') && attribute(candidate, key) === name);
  return tag ? attribute(tag, 'content') : null;
};
// Attributes that make a browser fetch or go somewhere.
const addressesOf = (html) =>
  tagsOf(html).flatMap((tag) => ['href', 'src', 'srcset', 'poster', 'action', 'formaction', 'data', 'xlink:href'].map((name) => attribute(tag, name)).filter((value) => value !== null));

let pages = [];
before(async () => {
  assert.ok(existsSync(join(dist, 'index.html')), `${dist} holds no site: run tools/build first`);
  pages = await Promise.all((await listFiles(dist)).filter((path) => path.endsWith('.html')).map(async (path) => {
    const name = relative(dist, path).split('\\').join('/');
    return { name, html: await read(name) };
  }));
});

describe('every page', () => {
  test('says what it is, in its head', () => {
    assert.ok(pages.length >= 3);
    for (const { name, html } of pages) {
      assert.match(html, /^<!doctype html>\n<html lang="[a-zA-Z-]+">/, name);
      assert.match(html, /<title>[^<]+<\/title>/, name);
      for (const [key, which] of [['name', 'viewport'], ['name', 'description'], ['property', 'og:title'], ['property', 'og:description'], ['property', 'og:type'], ['property', 'og:image'], ['property', 'og:image:alt']]) {
        assert.ok(meta(html, key, which), `${name} has no ${which}`);
      }
      assert.equal(html.match(/<h1[ >]/g)?.length, 1, `${name} has one h1`);
      assert.equal(html.match(/<main[ >]/g)?.length, 1, `${name} has one main`);
    }
    const titles = pages.map(({ html }) => /<title>(.*?)<\/title>/.exec(html)[1]);
    assert.equal(new Set(titles).size, titles.length, 'titles differ from page to page');
  });

  test('names an icon and a preview picture that exist', () => {
    for (const { name, html } of pages) {
      const icon = tagsOf(html).find((tag) => tag.startsWith('<link') && attribute(tag, 'rel') === 'icon');
      assert.ok(icon, `${name} has no icon`);
      for (const address of [attribute(icon, 'href'), meta(html, 'property', 'og:image')]) {
        const path = /^https?:/.test(address) ? new URL(address).pathname.split('/').slice(-2).join('/') : posix.join(posix.dirname(name), address);
        assert.ok(existsSync(join(dist, path)), `${name}: ${address}`);
      }
    }
  });

  test('links only relatively, to files and headings that exist', () => {
    const byName = new Map(pages.map(({ name, html }) => [name, html]));
    for (const { name, html } of pages) {
      for (const address of addressesOf(html)) {
        assert.doesNotMatch(address, /^(?:[a-z][a-z0-9+.-]*:|\/)/i, `${name}: ${address} is not relative`);
        const [path, fragment] = address.split('#');
        const target = path === '' ? name : posix.join(posix.dirname(name), path);
        assert.ok(!target.startsWith('..'), `${name}: ${address} leaves the site`);
        assert.ok(existsSync(join(dist, target)), `${name}: ${address} does not exist`);
        if (fragment) assert.match(byName.get(target) ?? '', new RegExp(`\\sid="${fragment}"`), `${name}: ${address} has no such heading`);
      }
    }
  });

  test('holds no inline script, style or handler, so that a strict policy can stand', () => {
    for (const { name, html } of pages) {
      for (const tag of tagsOf(html)) {
        assert.ok(!tag.startsWith('<style'), `${name}: ${tag}`);
        assert.equal(attribute(tag, 'style'), null, `${name}: ${tag}`);
        assert.doesNotMatch(tag.replace(/"[^"]*"/g, '""'), /\son[a-z]+=/i, `${name}: ${tag}`);
        if (tag.startsWith('<script')) assert.ok(attribute(tag, 'src'), `${name}: ${tag}`);
      }
    }
  });

  test('uses each id once', () => {
    for (const { name, html } of pages) {
      const ids = tagsOf(html).map((tag) => attribute(tag, 'id')).filter(Boolean);
      assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], name);
      for (const [, id] of html.matchAll(/url\(#([^)]+)\)/g)) assert.ok(ids.includes(id), `${name}: url(#${id})`);
    }
  });

  test('is no heavier than its figures need: shapes that drawings share stand in the first of a figure, which is whole without the others', () => {
    for (const { name, html } of pages) {
      if (name !== 'widgets.html') assert.ok(html.length < 360_000, `${name}: ${html.length} characters`);
      for (const [figure] of html.matchAll(/<figure class="first".*?<\/figure>/gs)) {
        const drawings = figure.match(/<svg.*?<\/svg>/gs) ?? [];
        for (const [i, where] of [drawings[0] ?? '', figure].entries()) {
          for (const [, id] of where.matchAll(/<use href="#([^"]+)"/g)) assert.ok(where.includes(` id="${id}"`), `${name}: #${id} stands outside of the ${i ? 'figure' : 'first drawing'}`);
        }
      }
    }
  });

  test('gives each widget a first figure with numbers, and a script that defines it', async () => {
    let count = 0;
    for (const { name, html } of pages) {
      for (const [, tag, inside] of html.matchAll(/<(glassbox-[a-z-]+)[^>]*>(.*?)<\/\1>/gs)) {
        count += 1;
        if (tag === 'glassbox-check') {
          assert.match(inside, /slot="question">.*<details.*slot="why">/s, `${name}: a check has its question and its folded answer`);
          continue;
        }
        assert.ok(/^<figure/.test(inside) && /<svg[^>]*role="img"/.test(inside), `${name}: ${tag} has no first figure`);
        // On the page of all widgets a long text is drawn without numbers.
        if (name !== 'widgets.html') assert.ok(/<text[^>]*>[^<]*(?:\d\.\d|\d\d)[^<]*</.test(inside), `${name}: ${tag} shows no numbers`);
        assert.ok(elementTags.includes(tag), `${tag} is not in web/site/elements.js`);
      }
    }
    assert.ok(count >= 4);
  });
});

test('a model in training writes something else after its steps than before', () => {
  const { html } = pages.find(({ name }) => name === 'zh/06-training.html');
  const figures = [...html.matchAll(/<glassbox-trainer[^>]*>.*?<\/glassbox-trainer>/gs)].map(([figure]) => figure.match(/<svg.*?<\/svg>/s)[0].match(/(?<=<text[^>]*>)[^<]+/g));
  assert.ok(figures.length >= 2);
  for (const lines of figures) {
    const [before, after] = [lines.indexOf('第 0 步，还没学'), lines.indexOf('第 100 步')];
    assert.ok(before > 0 && after > before + 1 && lines.length > after + 1, lines.join(' | '));
    assert.notDeepEqual(lines.slice(after + 1), lines.slice(before + 1, after));
  }
});

test('style sheets fetch nothing', async () => {
  for (const path of (await listFiles(dist)).filter((file) => file.endsWith('.css'))) {
    assert.doesNotMatch(await readFile(path, 'utf8'), /@import|url\(\s*["']?(?:[a-z]+:)?\/\//i, path);
  }
});

test('the home page shows ten lessons; what is not written has no link', async () => {
  const html = await read('index.html');
  const steps = [...html.matchAll(/<li(?: class="coming")?>(<(?:a|div) class="step".*?)<\/li>/gs)].map((match) => match[1]);
  assert.equal(steps.length, 10);
  for (const [i, { title, name }] of lessons.entries()) {
    const written = existsSync(join(lessonFolder, `${name}.md`));
    assert.ok(steps[i].includes(escapeHtml(title)), title);
    assert.equal(/<a /.test(steps[i]), written, title);
    assert.equal(steps[i].includes('未写'), !written, title);
    if (written) assert.ok(existsSync(join(dist, `zh/${name}.html`)), name);
  }
});

test('engine/ and models/builtin/ hold what their lists say', async () => {
  assert.deepEqual((await readdir(join(dist, 'engine'))).sort(), ['glassbox.wasm', 'worker.js']);
  const { files, hash } = JSON.parse(await read('models/builtin/manifest.json'));
  assert.deepEqual(Object.keys(files).sort(), (await readdir(join(dist, 'models/builtin'))).filter((name) => name !== 'manifest.json').sort());
  for (const [name, bytes] of Object.entries(files)) assert.equal((await stat(join(dist, 'models/builtin', name))).size, bytes, name);
  assert.equal(createHash('sha256').update(await readFile(join(dist, 'models/builtin/model.safetensors'))).digest('hex').slice(0, 8), hash);
});

test('what a page downloads of the engine is at most 130 KB, compressed', async () => {
  const sizes = await Promise.all(['glassbox.wasm', 'worker.js'].map(async (name) => gzipSync(await readFile(join(dist, 'engine', name)), { level: 9 }).length));
  const total = sizes[0] + sizes[1];
  assert.ok(total <= 130_000, `${sizes.join(' + ')} = ${total} bytes`);
});

test('models/gpt2/ holds the merges that OpenAI published, and their list', async () => {
  const merges = await readFile(join(dist, 'models/gpt2/merges.txt'));
  assert.equal(createHash('sha256').update(merges).digest('hex'), '1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5');
  assert.deepEqual((await readdir(join(dist, 'models/gpt2'))).sort(), ['manifest.json', 'merges.txt']);
  assert.deepEqual(JSON.parse(await read('models/gpt2/manifest.json')).files, { 'merges.txt': merges.length });
});

test('a lesson with all that it loads stays below 3.5 MB', async () => {
  const files = (await listFiles(dist)).map((path) => relative(dist, path).split('\\').join('/'));
  const total = async (paths) => (await Promise.all(paths.map((path) => stat(join(dist, path))))).reduce((sum, { size }) => sum + size, 0);
  // These take a vocabulary, never its model.
  const withoutModel = ['glassbox-tokens', 'glassbox-bpe-trainer', 'glassbox-check'];
  for (const { name, html } of pages.filter((page) => page.name.startsWith('zh/'))) {
    const widgets = tagsOf(html).filter((tag) => tag.startsWith('<glassbox-'));
    const has = (tag) => widgets.some((widget) => widget.startsWith(`<${tag} `));
    const runsModel = widgets.some((widget) => !withoutModel.some((tag) => widget.startsWith(`<${tag} `)) || attribute(widget, 'value') !== null);
    const loaded = files.filter(
      (path) =>
        (/^(engine|site)\//.test(path) && !path.endsWith('preview.png')) ||
        (path.startsWith('models/builtin/') && (runsModel || !path.endsWith('.safetensors'))) ||
        (path.startsWith('models/gpt2/') && has('glassbox-tokens')),
    );
    const scripts = tagsOf(html).filter((tag) => attribute(tag, 'rel') === 'modulepreload').map((tag) => posix.join('zh', attribute(tag, 'href')));
    if (widgets.length) assert.ok(scripts.length > 1, `${name} names the scripts of its widgets`);
    const bytes = await total([name, ...loaded, ...scripts]);
    assert.ok(bytes <= 3.5e6, `${name}: ${bytes} bytes`);
  }
});

test('the site works below any path, under the strict policy, with the right types', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-site-'));
  await cp(dist, join(folder, 'some/where'), { recursive: true });
  const server = await serve({ folder, port: 0, csp: true });
  const expected = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm', svg: 'image/svg+xml', png: 'image/png', json: 'application/json' };
  try {
    const seen = new Set();
    for (const { name, html } of pages) {
      const page = new URL(`some/where/${name}`, server.url);
      for (const address of [...addressesOf(html), '', posix.relative(posix.dirname(name), 'engine/glassbox.wasm'), posix.relative(posix.dirname(name), 'models/builtin/manifest.json')]) {
        const url = new URL(address, page);
        url.hash = '';
        if (seen.has(url.href)) continue;
        seen.add(url.href);
        const response = await fetch(url);
        await response.arrayBuffer();
        assert.equal(response.status, 200, url.href);
        assert.equal(response.headers.get('content-security-policy'), strictPolicy);
        const ending = url.pathname.split('.').at(-1);
        assert.equal(response.headers.get('content-type').split(';')[0], expected[ending], url.href);
      }
    }
    assert.ok(seen.size > pages.length);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});

test('the preview is a whole PNG of the size that pages say', async () => {
  const bytes = await readFile(join(dist, 'site/preview.png'));
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  assert.deepEqual(size.map(String), ['width', 'height'].map((side) => meta(pages[0].html, 'property', `og:image:${side}`)));
  const length = bytes.readUInt32BE(33);
  assert.equal(bytes.toString('latin1', 37, 41), 'IDAT');
  assert.equal(inflateSync(bytes.subarray(41, 41 + length)).length, (size[0] * 3 + 1) * size[1]);
});

test('a picture clips what is drawn outside of it', () => {
  const picture = new Picture(2, 2, [0, 0, 0]);
  picture.fill(1, 1, 5, 5, [255, 0, 0]);
  assert.deepEqual([...picture.pixels], [0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0]);
});

describe('lesson sources', () => {
  const chinese = '\\u3400-\\u9fff';
  const touching = new RegExp(`[${chinese}][A-Za-z0-9$\`]|[A-Za-z0-9$\`%][${chinese}]`);

  test('keep a space between Chinese and Latin', async () => {
    const sources = [...(await listFiles(lessonFolder)), join(root, 'web/site/widgets.md')];
    for (const path of sources) {
      const lines = (await readFile(path, 'utf8')).split('\n');
      // What stands inside of tags, formulas and code is no prose; an expression with a format shows a number.
      const prose = (line) => line.replace(/`[^`]*`/g, '`0`').replace(/\{\{[^}]*\|[^}]*\}\}/g, '0').replace(/\{\{.*?\}\}/g, '').replace(/<[^>]*>/g, '');
      lines.forEach((line, i) => assert.doesNotMatch(prose(line), touching, `${relative(root, path)}:${i + 1}`));
    }
    for (const { title, line } of lessons) assert.doesNotMatch(title + line, touching);
  });
});

const plainFigure = async () => '<figure></figure>';
const lesson = (body) => `---\ntitle: T\ndescription: D\n---\n${body}`;
const renderFails = (source, options = {}) => renderLesson(source, { file: 'lesson.md', figureFor: plainFigure, ...options }).then(() => assert.fail('it rendered'), (error) => error);

describe('Markdown', () => {
  test('a widget tag becomes the tag with its figure, outside of any paragraph', async () => {
    const source = lesson('Text\n\n<glassbox-x text="a &amp; &quot;b&quot;"\n  layer="0"></glassbox-x>\n\nText');
    const asked = [];
    const { html, widgets } = await renderLesson(source, { file: 'x', figureFor: async (...call) => (asked.push(call), '<figure>1</figure>') });
    assert.deepEqual(asked, [['glassbox-x', { text: 'a & "b"', layer: '0' }]]);
    assert.equal(widgets[0].line, 7);
    assert.equal(html, '<p>Text</p>\n<glassbox-x data-widget text="a &amp; &quot;b&quot;" layer="0"><figure>1</figure></glassbox-x>\n<p>Text</p>\n');
  });

  test('formulas become MathML without style attributes', async () => {
    const { html } = await renderLesson(lesson('One $a_b < c$ and\n\n$$\n\\frac{Q K^{\\top}}{\\sqrt{d}}\n$$'), { file: 'x', figureFor: plainFigure });
    assert.match(html, /<p>One <math[^>]*>.*<msub>.*&lt;.*<\/math> and<\/p>/);
    assert.match(html, /<div class="formula"><math[^>]*display="block">.*<mfrac>.*<msqrt>.*<\/math><\/div>/);
    assert.doesNotMatch(html, /style=|<span/);
  });

  test('Chinese punctuation stays with its formula', async () => {
    const { html } = await renderLesson(lesson('向量（$q$）和 $k$、$v$ 。'), { file: 'x', figureFor: plainFigure });
    assert.match(html, /^<p>向量<span class="keep">（<math.*?<\/math>）<\/span>和 <span class="keep"><math.*?<\/math>、<\/span><math.*?<\/math> 。<\/p>/);
  });

  test('tables have no style attributes, which a strict policy refuses', async () => {
    const { html } = await renderLesson(lesson('| a | b |\n|---|---:|\n| 1 | 2 |'), { file: 'x', figureFor: plainFigure });
    assert.match(html, /^<div class="table"><table>/);
    assert.match(html, /<th scope="col">a<\/th>\s*<th class="to-right" scope="col">b<\/th>/);
    assert.match(html, /<td>1<\/td>\s*<td class="to-right">2<\/td>/);
    assert.doesNotMatch(html, /style=/);
  });

  test('a lone dollar sign and code stay as they are', async () => {
    const { html } = await renderLesson(lesson('It costs 5 $ or `$x$`.'), { file: 'x', figureFor: plainFigure });
    assert.equal(html, '<p>It costs 5 $ or <code>$x$</code>.</p>\n');
  });

  test('headings keep the address they are given', async () => {
    const { html, contents } = await renderLesson(lesson('## 手算 {#by-hand}'), { file: 'x', figureFor: plainFigure });
    assert.equal(html, '<h2 id="by-hand">手算</h2>\n');
    assert.deepEqual(contents, [{ id: 'by-hand', title: '手算' }]);
  });

  test('code is escaped', async () => {
    const { html } = await renderLesson(lesson('```\n<script>&"\n```'), { file: 'x', figureFor: plainFigure });
    assert.equal(html, '<pre><code>&lt;script&gt;&amp;&quot;\n</code></pre>\n');
  });

  test('a link to a lesson stays whole; a longer one may break', async () => {
    const { html } = await renderLesson(lesson('[第 1 课](01.html)和[第 2 课的词表](02.html)'), { file: 'x', figureFor: plainFigure });
    assert.equal(html, '<p><a href="01.html" class="keep">第 1 课</a>和<a href="02.html">第 2 课的词表</a></p>\n');
  });

  test('options of a command stay whole and escaped', async () => {
    const { html } = await renderLesson(lesson('```\nrun --a "<" b\n```'), { file: 'x', figureFor: plainFigure });
    assert.equal(html, '<pre><code>run <span class="keep">--a</span> &quot;&lt;&quot; b\n</code></pre>\n');
  });

  const faults = [
    ['a figure that cannot be computed', lesson('Text\n\n<glassbox-x></glassbox-x>'), 7, /glassbox-x.*no such layer/, { figureFor: async () => { throw new Error('no such layer'); } }],
    ['a widget tag that cannot be read', lesson("<glassbox-x text='a'></glassbox-x>"), 5, /widget tag/],
    ['a formula with a mistake', lesson('Text\n\n$\\frac{a$'), 7, /formula/],
    ['a heading without an address', lesson('## Title'), 5, /\{#name\}/],
    ['no front matter', 'Text', 1, /front matter/],
    ['front matter without a description', '---\ntitle: T\n---\n', 1, /description/],
    ['front matter that cannot be read', '---\ntitle: T\noops\n---\n', 3, /oops/],
  ];
  for (const [name, source, line, message, options] of faults) {
    test(`${name} fails, naming file and line`, async () => {
      const error = await renderFails(source, options);
      assert.ok(error instanceof LessonError, error.stack);
      assert.match(error.message, new RegExp(`^lesson\\.md:${line}: `));
      assert.match(error.message, message);
    });
  }

  test('a tag with anything inside or beside it is no widget tag', () => {
    for (const source of ['<glassbox-x>a</glassbox-x>', '<glassbox-x></glassbox-y>', '<glassbox-x onclick=1></glassbox-x>', '<glassbox-x></glassbox-x><b>', '<div></div>']) {
      assert.equal(parseWidgetTag(source), null, source);
    }
    assert.deepEqual(parseWidgetTag('<glassbox-x causal text=""></glassbox-x>'), { tag: 'glassbox-x', attributes: { causal: '', text: '' } });
  });
});

test('templates escape titles and descriptions', () => {
  const evil = '"><script>alert(1)</script>&';
  const content = { data: { title: evil, heading: `${evil}|${evil}`, description: evil }, html: '', contents: [{ id: 'a', title: evil }], scripts: [] };
  const common = { lang: 'zh', root: '', path: 'x.html', lesson: content, lessons: [{ number: 1, title: evil, line: evil, href: 'x.html' }, { number: 2, title: evil, line: evil, href: null }], picture: { width: 1, height: 1, alt: evil } };
  for (const html of [homePage(common), lessonPage({ ...common, number: 1 }), lessonPage({ ...common, number: 2 })]) {
    assert.doesNotMatch(html, /<script>|"">|&(?!amp;|lt;|gt;|quot;|#39;)/);
  }
});

test('with a known address the preview is named in full', () => {
  const html = homePage({ lang: 'zh', root: '', base: 'https://example.org/glassbox/', path: 'index.html', lesson: { data: { title: 'T', description: 'D' }, html: '', scripts: [] }, lessons: [], picture: { width: 1, height: 1, alt: 'A' } });
  assert.equal(meta(html, 'property', 'og:image'), 'https://example.org/glassbox/site/preview.png');
  assert.equal(meta(html, 'property', 'og:url'), 'https://example.org/glassbox/index.html');
});

describe('the server', () => {
  let folder;
  let server;
  // node:http sends the path as it is; fetch would tidy it up.
  const get = (path, method = 'GET') =>
    new Promise((done, fail) => {
      const { hostname, port } = new URL(server.url);
      request({ hostname, port, path, method }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
      }).on('error', fail).end();
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glassbox-serve-'));
    await cp(join(root, 'web/site/icon.svg'), join(folder, 'site/a/icon.svg'));
    await writeFile(join(folder, 'site/index.html'), 'home');
    await writeFile(join(folder, 'site/a/index.html'), 'inner');
    await writeFile(join(folder, 'site/名.txt'), 'name');
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await symlink(join(folder, 'secret.txt'), join(folder, 'site/link.txt'));
    server = await serve({ folder: join(folder, 'site'), port: 0 });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  test('gives files, folders and their types', async () => {
    assert.equal((await get('/')).text, 'home');
    assert.equal((await get('/?x=1')).text, 'home');
    assert.equal((await get('/a/')).text, 'inner');
    assert.equal((await get('/a?x=1')).headers.location, '/a/?x=1');
    assert.equal((await get(`/${encodeURIComponent('名')}.txt`)).text, 'name');
    assert.equal((await get('/a/icon.svg')).headers['content-type'], 'image/svg+xml; charset=utf-8');
    assert.equal((await get('/')).headers['content-security-policy'], undefined);
    const head = await get('/', 'HEAD');
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '4']);
  });

  test('gives nothing from outside', async () => {
    for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/a/../../secret.txt', '/..%5csecret.txt', '/link.txt', '//etc/passwd', '/%00']) {
      const { status, text } = await get(path);
      assert.equal(status, 404, path);
      assert.doesNotMatch(text, /secret|root:/, path);
    }
    assert.equal((await get('/%zz')).status, 400);
    assert.equal((await get('/', 'POST')).status, 405);
    assert.equal((await get('//a')).headers.location, '/a/');
  });

  test('says so when the port is taken or the folder is missing', async () => {
    const port = Number(new URL(server.url).port);
    await assert.rejects(serve({ folder, port }), /taken: choose another one, for example PORT=/);
    await assert.rejects(serve({ folder: join(folder, 'none'), port: 0 }), /missing: run tools\/build first/);
  });
});
