import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowser } from '@commonplace/e2e/browser';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage } from './wait-until-idle.ts';
import { connectScreenshots } from './connect-screenshots.ts';
import { withDemoSystem, type DemoSystem } from './demo-system.ts';
import { pageScreenshots } from './page-screenshots.ts';
import type { Screenshot } from './screenshot.ts';
import { shrinkPng } from './shrink-png.ts';
import { signInScreenshots, signInSettings } from './sign-in-screenshots.ts';

const docs = join(import.meta.dirname, '../../../docs/images/console');

/** The browser profiles, by suffix of the file name. */
const profiles: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 760 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 760 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 780 } },
};

/**
 * Takes the screenshots of docs/console.md from a temporary system. With names, only those are taken:
 * `node packages/console/tools/screenshots.ts notes runs`.
 */
const takeScreenshots = async (names: readonly string[]): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-screenshots-'));
  const browser = await startBrowser();
  try {
    await withDemoSystem(dataDir, signInSettings, (system) => takeAll(browser, system, names));
  } finally {
    await browser.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const takeAll = async (
  browser: Browser,
  { baseUrl, headers, demo }: DemoSystem,
  names: readonly string[],
): Promise<void> => {
  const all = [
    ...pageScreenshots(demo),
    ...signInScreenshots,
    ...(await connectScreenshots(baseUrl, demo)),
  ];
  const screenshots = all.filter(({ name }) => names.length === 0 || names.includes(name));
  // Browsers make passkeys for names only.
  const namedUrl = baseUrl.replace('127.0.0.1', 'localhost');
  for (const [profile, options] of Object.entries(profiles)) {
    const context = await browser.newContext({
      baseURL: namedUrl,
      reducedMotion: 'reduce',
      ...options,
    });
    const [name = '', value = ''] = (headers['cookie'] ?? '').split('=', 2);
    for (const screenshot of screenshots.filter(({ onPhone }) => profile !== 'phone' || onPhone)) {
      await context.clearCookies();
      if (screenshot.isSignedOut !== true) {
        await context.addCookies([{ name, value, url: namedUrl }]);
      }
      await take(
        await context.newPage(),
        screenshot,
        join(docs, `${screenshot.name}-${profile}.png`),
      );
    }
    await context.close();
  }
};

const take = async (page: Page, screenshot: Screenshot, path: string): Promise<void> => {
  const { width } = page.viewportSize() ?? { width: 1200 };
  if (screenshot.height !== undefined) {
    await page.setViewportSize({ width, height: screenshot.height });
  }
  await screenshot.before?.(page);
  await openPage(page, screenshot.path);
  await screenshot.prepare?.(page);
  await page.screenshot({ path });
  await shrinkPng(path);
  await page.close();
};

await takeScreenshots(process.argv.slice(2));
