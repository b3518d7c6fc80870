// Every lesson that exists, read from top to bottom in a real browser under the strict policy, on a wide and on a narrow screen, light and dark: no
// console error, no request to another host, every figure alive with the engine's numbers, the text keeps its place, nothing scrolls sideways,
// axe-core finds nothing. And what all lessons have to have.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { lessons } from '../../web/site/lessons.mjs';
import { assertComputed, assertNoBarriers, dist, findOverflow, openBrowser, openNodeEngine, openSite, readThrough, root, settled } from './browser.mjs';

const folder = join(root, 'web/lessons/zh');
const written = (await readdir(folder)).filter((name) => /^\d\d-.*\.md$/.test(name)).map((name) => name.replace(/\.md$/, '')).sort();

describe('read from top to bottom', () => {
  let browser;
  let site;
  let node;
  before(async () => {
    [browser, site, node] = await Promise.all([openBrowser({ whole: true }), openSite(), openNodeEngine()]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  for (const name of written) {
    test(`${name}, 1280 px`, async () => {
      await readThrough(browser, site, `zh/${name}.html`, 1280, {
        theme: 'light',
        async look(page, widgets) {
          for (const widget of widgets) await assertComputed(node, widget);
          await assertNoBarriers(page, widgets, 'light');
        },
      });
    });

    test(`${name}, 390 px, and no wider than 320`, async () => {
      await readThrough(browser, site, `zh/${name}.html`, 390, {
        theme: 'dark',
        async look(page, widgets) {
          await assertNoBarriers(page, widgets, 'dark');
          await page.setViewport({ width: 320, height: 640, hasTouch: true, isMobile: true });
          for (const widget of widgets) await settled(page, widget);
          assert.deepEqual(await findOverflow(page), [], '320 px');
        },
      });
    });
  }
});

describe('all lessons', () => {
  for (const name of written) {
    test(`${name} opens with a question, ends with about three checks and its sources, and leads on`, async () => {
      const source = await readFile(join(folder, `${name}.md`), 'utf8');
      assert.match(source, /^question: .*？$/m);
      const sections = [...source.matchAll(/^## .*\{#([a-z-]+)\}$/gm)].map(([, id]) => id);
      assert.equal(sections.at(-1), 'sources');
      assert.ok(sections.indexOf('checks') >= sections.length - 4, 'the checks stand at the end');
      assert.ok(sections.includes('command'), 'the command that reproduces its numbers is named');
      const checks = source.slice(source.indexOf('{#checks}')).match(/^<glassbox-check/gm).length;
      assert.ok(checks >= 3 && checks <= 4, `${checks} checks`);
      assert.match(source, /这里省略了什么|还没有说的/);
      assert.doesNotMatch(source.replace(/```.*?```|\{\{.*?\}\}|「[^」]*」/gs, ''), /[!！]/, 'no exclamation marks');
      const page = await readFile(join(dist, `zh/${name}.html`), 'utf8');
      const turn = /<nav class="turn".*?<\/nav>/s.exec(page)[0];
      const at = lessons.findIndex((lesson) => lesson.name === name);
      for (const neighbour of [lessons[at - 1], lessons[at + 1]].filter(Boolean)) {
        assert.equal(turn.includes(`href="../zh/${neighbour.name}.html"`), written.includes(neighbour.name), neighbour.name);
      }
    });
  }
});
