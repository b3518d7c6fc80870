// The pages that are gathered from all lessons: glossary, sources and worksheet, held against the lessons; and the worksheet on paper.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { LessonError, renderLesson } from '../../web/site/markdown.mjs';
import { gatherSources, readSource } from '../../web/site/sources.mjs';
import { gatherTerms, slugOf } from '../../web/site/terms.mjs';
import { readTasks } from '../../web/site/worksheet.mjs';
import { dist, openBrowser, openPage, openSite, root } from './browser.mjs';

const folder = join(root, 'web/lessons/zh');
const names = (await readdir(folder)).filter((name) => /^\d\d-.*\.md$/.test(name)).map((name) => name.replace(/\.md$/, ''));
const lessons = await Promise.all(names.map(async (name) => ({
  name,
  number: Number(name.slice(0, 2)),
  source: await readFile(join(folder, `${name}.md`), 'utf8'),
  page: await readFile(join(dist, `zh/${name}.html`), 'utf8'),
})));
const pages = Object.fromEntries(await Promise.all(['glossary', 'sources', 'worksheet'].map(async (name) => [name, await readFile(join(dist, `zh/${name}.html`), 'utf8')])));

/** A lesson's prose: no expressions, no formulas, no code, no tags. */
const proseOf = (source) => source.replace(/\{\{.*?\}\}/g, '').replace(/```.*?```/gs, '').replace(/\$\$.*?\$\$/gs, '').replace(/\$[^$\n]*\$/g, '').replace(/<[^>]*>/g, '');
const text = (html) => html.replace(/<[^>]*>/g, '').replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
const render = (body) => renderLesson(`---\ntitle: T\ndescription: D\n---\n${body}`, { file: 'x.md', figureFor: async () => '' });

describe('terms', () => {
  test('each that a lesson marks stands in the glossary once, and each there is marked once', () => {
    const marked = lessons.flatMap(({ name, page }) => [...page.matchAll(/<dfn id="term-([a-z0-9-]+)"><a href="glossary\.html#\1">/g)].map(([, slug]) => `${slug} ${name}`));
    const listed = [...pages.glossary.matchAll(/<div id="([a-z0-9-]+)">.*?<a href="([a-z0-9-]+)\.html#term-\1">/gs)].map(([, slug, name]) => `${slug} ${name}`);
    assert.deepEqual(marked.sort(), listed.sort());
    assert.equal(new Set(listed.map((line) => line.split(' ')[0])).size, listed.length);
    assert.ok(listed.length > 40);
    const written = lessons.flatMap(({ source }) => source.match(/^\*\[/gm) ?? []).length;
    assert.equal(written, listed.length);
  });

  test('an English word in brackets after a Chinese one is a term of the glossary', () => {
    const known = new Set([...pages.glossary.matchAll(/<div id="([a-z0-9-]+)">/g)].map(([, slug]) => slug));
    // Words that are a name in a formula, or that name a thing once and no more.
    const passing = ['concat'];
    for (const { name, source } of lessons) {
      for (const [, found] of proseOf(source).replace(/^\*\[.*$/gm, '').matchAll(/\p{Script=Han}\**（([a-z][a-z -]+?)(?:，(?!\d{4})[^）]*)?）/gu)) {
        const slug = slugOf(found).replace(/s$/, '');
        assert.ok(passing.includes(found) || [...known].some((one) => one === slug || one.startsWith(`${slug}-`) || one === `${slug}s`), `${name}: （${found}） is no term: define it below its paragraph as *[…（${found}）]: …。`);
      }
    }
  });

  test('a line defines what the block above it says, and marks the place', async () => {
    const { html, terms } = await render('这叫**键**（key），还叫键。\n\n*[键（key）]: 一句话 $k$。');
    assert.equal(html, '<p>这叫<strong><dfn id="term-key"><a href="glossary.html#key">键</a></dfn></strong>（key），还叫键。</p>\n');
    assert.deepEqual(terms.map(({ name, english, line }) => [name, english, line]), [['键', 'key', 7]]);
    assert.match(terms[0].html, /^一句话 .*<math/);
    const list = await render('1. 甲（one）\n2. 乙（two）\n\n*[乙（two）]: 一。\n*[甲（one）]: 二。\n\n后面。');
    assert.equal(list.html.match(/<dfn/g).length, 2);
    assert.match(list.html, /<\/ol>\n<p>后面。<\/p>/);
  });

  for (const [what, body, message] of [
    ['a name that the block does not say', '键（key）。\n\n*[值（key）]: 一。', /x\.md:7: .*does not say "值"/],
    ['an English name that the block does not say', '键。\n\n*[键（key）]: 一。', /x\.md:7: .*does not say "key"/],
    ['a definition that is no sentence', '键（key）。\n\n*[键（key）]: 一', /x\.md:7: .*one sentence/],
  ]) {
    test(`${what} fails, naming file and line`, () => assert.rejects(render(body), (error) => error instanceof LessonError && message.test(error.message)));
  }

  test('two definitions of one term fail, in Chinese or in English', () => {
    const term = (name, english) => ({ file: `${name}.md`, href: 'a.html', number: 1, terms: [{ name, english, html: '', line: 1 }] });
    assert.throws(() => gatherTerms([term('键', 'key'), term('键', 'keys')]), /键\.md:1: "键" is defined at 键\.md:1 already/);
    assert.throws(() => gatherTerms([term('键', 'key'), term('钥', 'Key')]), /钥\.md:1: "key" is defined at 键\.md:1/);
    assert.deepEqual(gatherTerms([term('值', 'value'), term('token', 'token'), term('键', 'key')]).map(({ name }) => name), ['token', '键', '值']);
  });
});

describe('sources', () => {
  const items = (source) => source.slice(source.indexOf('{#sources}')).split('\n').filter((line) => line.startsWith('- '));
  const titleOf = (item) => /<cite[^>]*>(.*?)<\/cite>/.exec(item)?.[1];

  test('every source of every lesson is listed, with the lesson', () => {
    const works = [...pages.sources.matchAll(/<li><p>(.*?)<\/p><ul>(.*?)<\/ul><\/li>/gs)];
    let count = 0;
    for (const { name, source } of lessons) {
      for (const title of items(source).map(titleOf).filter(Boolean)) {
        const found = works.filter(([, work]) => text(work).includes(`，${text(title)}`));
        assert.equal(found.length, 1, `${title} is listed once`);
        assert.ok(found[0][2].includes(`href="${name}.html#sources"`), `${title}: ${name}`);
        count += 1;
      }
    }
    assert.ok(count > works.length, 'works that more than one lesson names are merged');
    assert.equal(works.reduce((sum, [, , used]) => sum + used.match(/#sources"/g).length, 0), lessons.reduce((sum, { source }) => sum + items(source).length, 0));
  });

  test('an author with a year in prose, and each quoted fact, name a work of the lesson’s own list', () => {
    for (const { name, source, page } of lessons) {
      const list = items(source).join('\n');
      for (const [, authors, year] of proseOf(source.slice(0, source.indexOf('{#sources}'))).matchAll(/([A-Z][\p{L}、 ]*?(?: 等)?)，((?:19|20)\d\d)/gu)) {
        const family = authors.split('、')[0].replace(/ 等$/, '');
        assert.ok(list.split('\n').some((line) => line.startsWith(`- ${family}`) && line.includes(year)), `${name}: ${authors}，${year}`);
      }
      for (const [, quoted] of page.matchAll(/<span class="quoted" title="([^"]*)"/g)) {
        const known = items(source).some((item) => text(quoted).includes(titleOf(item) ?? '\n')) || text(quoted).includes('「从零开始理解大模型」第四篇') || existsSync(join(root, text(quoted)));
        assert.ok(known, `${name}: ${quoted}`);
      }
    }
  });

  test('an entry has one form', () => {
    const read = (rest) => readSource(`Geva、Levy，<cite lang="en">A <span class="keep">GPT-2</span> Memory</cite>${rest}`);
    assert.deepEqual(read('，C Journal，2020，arXiv:2012.14913，表 2。做什么。'), { authors: 'Geva、Levy', title: 'A GPT-2 Memory', foreign: true, venue: 'C Journal', year: '2020', arxiv: 'arXiv:2012.14913', place: '表 2', note: '做什么。' });
    assert.throws(() => read('，2021，arXiv:2012.14913。'), /came out in 2020, not in 2021/);
    assert.throws(() => read('，2021；<cite lang="en">B</cite>，2020。'), /not "authors/);
    assert.throws(() => readSource('A、B、C、D、E，<cite lang="en">T</cite>，2020。'), /five authors/);
  });

  test('the same work is always written the same way', () => {
    const lesson = (number, change = {}) => ({ file: `${number}.md`, href: `${number}.html`, number, sources: [{ authors: 'A', title: 'On X', foreign: true, venue: '', year: '2020', arxiv: '', place: '', note: `n${number}`, line: 3, ...change }] });
    assert.deepEqual(gatherSources([lesson(1), lesson(2)]).map(({ lessons: used }) => used.map(({ number, note }) => `${number} ${note}`)), [['1 n1', '2 n2']]);
    for (const change of [{ authors: 'A 等' }, { year: '2021' }, { title: 'On x' }, { arxiv: 'arXiv:2001.00001' }]) assert.throws(() => gatherSources([lesson(1), lesson(2, change)]), /2\.md:3: .* but .* at 1\.md:3/);
    assert.throws(() => gatherSources([lesson(1, { arxiv: 'arXiv:2001.00001' }), lesson(2, { arxiv: 'arXiv:2001.00001', title: 'Other' })]), /stands at two titles/);
  });
});

describe('worksheet', () => {
  const sheets = [];
  before(async () => {
    for (const { number } of lessons) {
      const path = join(folder, 'worksheet', `${String(number).padStart(2, '0')}.md`);
      sheets.push({ number, source: await readFile(path, 'utf8') });
    }
  });

  test('each lesson has three to five tasks, each with its answer on a sheet apart', () => {
    const [questions, answers] = pages.worksheet.split('<section class="sheet answers"');
    for (const { number, source } of sheets) {
      const titles = [...source.matchAll(/^### (.*?) \{\d+\}$/gm)].map(([, title]) => title);
      assert.ok(titles.length >= 3 && titles.length <= 5, `lesson ${number}: ${titles.length} tasks`);
      for (const title of titles) {
        assert.ok(text(questions).includes(title), title);
        assert.ok(text(answers).includes(title), title);
      }
    }
    assert.ok(!questions.includes('<blockquote>'), 'no answer stands beside its task');
  });

  test('a number in an answer is computed, or given by the task', () => {
    for (const { number, source } of sheets) {
      for (const task of source.split(/^### /m).slice(1)) {
        const answer = task.split('\n').filter((line) => line.startsWith('>')).join('\n');
        const rest = task.replace(answer, '') + (answer.match(/\{\{ check\(.*?\) \}\}/g) ?? []).join('');
        for (const [found] of answer.replace(/\{\{.*?\}\}|\$[^$\n]*[A-Z][^$\n]*\$|GPT-2/g, '').matchAll(/\d[\d,.]*\d|\d/g)) {
          assert.match(rest, new RegExp(`(?<![\\d,.])${found.replaceAll('.', '\\.')}(?![\\d])`), `lesson ${number}, ${task.split('\n')[0]}: ${found} in its answer`);
        }
      }
    }
  });

  test('a task that is none fails', () => {
    const good = '<h3>甲 {2}</h3>\n<p>做。</p>\n<blockquote>\n<p>好。</p>\n</blockquote>\n';
    assert.deepEqual(readTasks(good), [{ title: '甲', lines: 2, task: '<p>做。</p>', answer: '<p>好。</p>' }]);
    for (const bad of [`<p>x</p>${good}`, good.replace(' {2}', ''), good.replace('{2}', '{99}'), good.replace(/<blockquote>.*/s, ''), `${good}<p>后面</p>`]) assert.throws(() => readTasks(bad));
  });

  test('on A4 each lesson begins on a page of its own and takes one, the answers come last, nothing is cut', async () => {
    const [browser, site] = await Promise.all([openBrowser(), openSite()]);
    try {
      const page = await openPage(browser, site, 'zh/worksheet.html');
      const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      const boxes = pdf.match(/\/MediaBox\s*\[[^\]]*\]/g);
      const count = pdf.match(/\/Type\s*\/Page\b/g).length;
      assert.ok(boxes.every((box) => /\[\s*0 0 59[45]\S* 84[12]/.test(box)), boxes[0]);
      // The same layout on the screen: what a page holds between its margins, in CSS pixels.
      const mm = 96 / 25.4;
      const [width, height] = [(210 - 32) * mm, (297 - 32) * mm];
      await page.setViewport({ width: Math.floor(width), height: Math.floor(height) });
      await page.emulateMediaType('print');
      const { wide, heights, tasks } = await page.evaluate(() => {
        const all = [...document.querySelectorAll('.sheet, .sheet *')].filter((element) => element.checkVisibility());
        return {
          wide: all.filter((element) => element.getBoundingClientRect().right > innerWidth + 1 || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0).map((element) => `${element.localName} ${element.textContent.slice(0, 30)}`),
          heights: [...document.querySelectorAll('.sheet')].map((sheet) => sheet.getBoundingClientRect().height),
          tasks: [...document.querySelectorAll('.tasks > li')].map((task) => task.getBoundingClientRect().height),
        };
      });
      assert.deepEqual(wide, []);
      const answers = heights.pop();
      assert.equal(heights.length, sheets.length);
      heights.forEach((one, i) => assert.ok(one <= height, `lesson ${sheets[i].number} is ${Math.round(one)} px high, a page ${Math.round(height)}`));
      assert.ok(Math.max(...tasks) < height / 2, 'a task never spans pages');
      const least = heights.length + Math.ceil(answers / height);
      assert.ok(count >= least && count <= least + 1, `${count} pages for ${least}`);
      assert.deepEqual(await page.evaluate(() => ['.bar', '.foot', '.opening', '.to-lesson'].filter((name) => document.querySelector(name).checkVisibility())), []);
      page.expectNoFaults();
    } finally {
      await browser.close();
      await site.close();
    }
  });
});
