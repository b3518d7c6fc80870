#!/usr/bin/env node
// Makes the pictures of the README from the built site: run tools/build first, then `node tools/pictures.mjs`.
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importPackage } from './packages.mjs';
import { serve } from './serve.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'web/site/pictures');

/** What is pictured: a page, one of its widgets, and what to do with it first. */
const pictures = [
  { name: 'home-light.png', page: 'index.html', widget: 'glassbox-kitten', theme: 'light' },
  { name: 'attention-dark.png', page: 'zh/04-attention.html', widget: 'glassbox-attention[text-b]', theme: 'dark' },
];

/** Waits until a widget has computed and what moves has come to rest. */
async function settle(page, widget) {
  await page.evaluate(async (selector) => {
    const element = document.querySelector(selector);
    element.scrollIntoView({ block: 'center' });
    while (!element.shadowRoot?.querySelector('figure') || element.shadowRoot.querySelector('[aria-busy="true"]')) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, widget);
}

const { default: puppeteer } = await importPackage('puppeteer-core');
const site = await serve({ folder: join(root, 'dist'), port: 0 });
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  await mkdir(folder, { recursive: true });
  for (const { name, page: path, widget, theme } of pictures) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 1000 });
    await page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: theme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    await page.goto(new URL(path, site.url).href, { waitUntil: 'load' });
    await settle(page, widget);
    const element = await page.$(widget);
    const { width, height } = await element.boundingBox();
    // The upper part tells enough; a whole figure would be several screens tall.
    await element.screenshot({ path: join(folder, name), clip: { x: 0, y: 0, width, height: Math.min(height, 760) } });
    await page.close();
    console.log(`web/site/pictures/${name}`);
  }
} finally {
  await browser.close();
  site.close();
}
