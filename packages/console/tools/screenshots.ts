import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, signIn } from '@commonplace/e2e';
import { startSystem } from '@commonplace/standalone';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { picturesOf, type Picture } from './pictures.ts';
import { openPage } from './settled.ts';
import { makeShowcase } from './showcase.ts';

const operator = { email: 'board@example.org', password: 'seven grey herons waiting' };
const docs = join(import.meta.dirname, '../../../docs/images/console');

/** How each picture is taken, by the end of its file's name. */
const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 760 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 760 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 780 } },
};

/**
 * Takes the pictures of docs/console.md anew, from a system of its own that is gone afterwards. Named
 * pictures only, if any are named: `node packages/console/tools/screenshots.ts notes agents`.
 */
const takePictures = async (names: readonly string[]): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-pictures-'));
  const system = await startSystem({
    dataDir,
    mode: 'authenticated',
    buildConsole: true,
    output: () => undefined,
    env: {
      BOOTSTRAP_OPERATOR_EMAIL: operator.email,
      BOOTSTRAP_OPERATOR_PASSWORD: operator.password,
    },
  });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    await takeAll(browser, system.baseUrl, names);
  } finally {
    await browser.close();
    await system.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const takeAll = async (
  browser: Browser,
  baseUrl: string,
  names: readonly string[],
): Promise<void> => {
  const headers = await signIn({ baseUrl, ...operator });
  const showcase = await makeShowcase(baseUrl, createApi({ baseUrl, headers }));
  const pictures = picturesOf(showcase).filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext({
      baseURL: baseUrl,
      reducedMotion: 'reduce',
      ...options,
    });
    const [name = '', value = ''] = (headers['cookie'] ?? '').split('=', 2);
    await context.addCookies([{ name, value, url: baseUrl }]);
    for (const picture of pictures.filter(({ onPhone }) => look !== 'phone' || onPhone)) {
      await take(await context.newPage(), picture, join(docs, `${picture.name}-${look}.png`));
    }
    await context.close();
  }
};

const take = async (page: Page, picture: Picture, path: string): Promise<void> => {
  await openPage(page, picture.path);
  await picture.prepare?.(page);
  await page.screenshot({ path });
  await page.close();
};

await takePictures(process.argv.slice(2));
