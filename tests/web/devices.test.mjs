// The home page and lesson 4 on phones as they are sold, upright and lying: their screens, pixel ratios, browsers' names and fingers.
// Playwright knows them by name.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { importPackage } from '../../tools/packages.mjs';
import { openSite } from './browser.mjs';

const names = ['Galaxy S9+', 'Pixel 7 landscape'];

describe('in the hand', () => {
  let browser;
  let devices;
  let site;
  before(async () => {
    const playwright = await importPackage('playwright-core');
    devices = playwright.devices;
    [browser, site] = await Promise.all([
      playwright.chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] }),
      openSite(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  /** A page on a device, and what it complained of. */
  async function open(name, path) {
    const { defaultBrowserType, ...device } = devices[name];
    const context = await browser.newContext({ ...device, locale: 'zh-CN' });
    const page = await context.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    await page.goto(new URL(path, site.url).href);
    return { page, faults, close: () => context.close() };
  }

  const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

  for (const name of names) {
    test(`${name}: the home page's figure is on the first screen and follows a tap`, async () => {
      const { page, faults, close } = await open(name, 'index.html');
      const kitten = page.locator('glassbox-kitten').first();
      const { y } = await kitten.boundingBox();
      assert.ok(y < page.viewportSize().height, `it begins at ${y} px`);
      const other = kitten.locator('.seg label').nth(1);
      await other.tap();
      await page.waitForFunction(() => document.querySelector('glassbox-kitten').getAttribute('side') === 'b');
      assert.ok(await other.locator('input').isChecked());
      assert.ok(await fits(page), 'no wider than the screen');
      assert.deepEqual(faults, []);
      await close();
    });

    test(`${name}: a cell of lesson 4's grid is tapped`, async () => {
      const { page, faults, close } = await open(name, 'zh/04-attention.html');
      const grid = page.locator('glassbox-attention').first();
      await grid.scrollIntoViewIfNeeded();
      await grid.locator('#grid tbody td').first().tap();
      await page.waitForFunction(() => document.querySelector('glassbox-attention').getAttribute('cell') === '0,0');
      assert.ok(await fits(page), 'no wider than the screen');
      assert.deepEqual(faults, []);
      await close();
    });
  }
});
