import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';

const { at, enter, visit } = acmeConsole();

/** No such file arrives until the returned function is called. */
const hold = async (page: Page, files: string): Promise<() => void> => {
  const released = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await released.promise;
    await route.fallback();
  });
  return released.resolve;
};

const painted = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);

describe('the files of the console', () => {
  it('come with the licences of the font and the code of others', async () => {
    const page = await enter();
    const response = await page.request.get('/licenses.txt');
    expect(response.headers()['content-type']).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    for (const part of ['SIL OPEN FONT LICENSE', '## react ', '## @mantine/core ']) {
      expect(text).toContain(part);
    }
  });
});

describe('the text of the console', () => {
  it('is set in a variable font that this server sends', async () => {
    const page = await enter();
    const fonts: string[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'font') {
        fonts.push(response.url());
      }
    });
    await page.goto(at('/notes'));
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    await page.waitForFunction(() =>
      [...document.fonts].some(
        ({ family, status, weight }) =>
          family.includes('Inter Variable') && status === 'loaded' && weight === '100 900',
      ),
    );
    const families = await page
      .locator('body, main h1, main button, main input')
      .evaluateAll((parts) => [
        ...new Set(parts.map((part) => getComputedStyle(part).fontFamily.split(',')[0])),
      ]);
    expect(families).toEqual(['"Inter Variable"']);
    expect(fonts.length).toBeGreaterThan(0);
    expect([...new Set(fonts.map((url) => new URL(url).origin))]).toEqual([
      new URL(page.url()).origin,
    ]);
  });
});

describe('the page before any script', () => {
  it('has the frame of the console, which gives way to the page', async () => {
    const page = await enter();
    const release = await hold(page, '**/*.js');
    await page.goto(at('/notes'), { waitUntil: 'commit' });
    await page.locator('.shell-header').waitFor();
    await page.locator('.shell-navigation').waitFor();
    await painted(page);
    expect(await page.locator('main').count()).toBe(0);
    const places = () =>
      page.evaluate(() =>
        ['.shell-header', '.app-header', '.shell-navigation', '.app-navigation'].map((name) => {
          const box = document.querySelector(name)?.getBoundingClientRect();
          return box && [box.x, box.y, box.width, box.height];
        }),
      );
    const [header, , navigation] = await places();
    release();
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    await page.locator('.shell').waitFor({ state: 'hidden' });
    // Nothing moves.
    const [, ownHeader, , ownNavigation] = await places();
    expect([ownHeader, ownNavigation]).toEqual([header, navigation]);
  });

  it('is painted before its stylesheet arrives, and the page after', async () => {
    const page = await enter();
    const release = await hold(page, '**/*.css');
    const arrived = page.waitForResponse(/\/assets\/index-.*\.js$/);
    await page.goto(at('/notes'), { waitUntil: 'commit' });
    await page.locator('.shell-header').waitFor();
    await painted(page);
    await (await arrived).finished();
    expect(await page.evaluate(() => document.styleSheets.length)).toBe(1);
    expect(await page.locator('main').count()).toBe(0);
    release();
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    // The console's colours, which override those of the stylesheet.
    const dimmed = await page.evaluate(() =>
      getComputedStyle(document.body).getPropertyValue('--mantine-color-dimmed'),
    );
    expect(dimmed).toBe('#5f666d');
  });

  it('gives way to the page when the stylesheet is applied, not when it is preloaded', async () => {
    const page = await enter();
    const releaseScripts = await hold(page, '**/*.js');
    // Only that of the page: those of its parts would hold it as well.
    const releaseStyles = await hold(page, '**/index-*.css');
    await page.goto(at('/notes'), { waitUntil: 'commit' });
    const preload = await page.waitForSelector('link[rel="preload"][as="style"]', {
      state: 'attached',
    });
    releaseScripts();
    // Besides, the page's own code is loading, with its styles.
    const ofPage = page.locator('link[rel="stylesheet"][href*="/index-"]');
    await ofPage.waitFor({ state: 'attached' });
    await preload.evaluate(async (link) => {
      link.dispatchEvent(new Event('load'));
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    });
    expect(await page.locator('h1, main').count()).toBe(0);
    releaseStyles();
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    expect(await page.locator('link[href*="/index-"][href$=".css"]').count()).toBe(1);
  });

  it('gives way to a page with its styles, also when they arrive only at the second request', async () => {
    const page = await enter();
    await page.addInitScript(() => {
      const note = ({ target }: Event) => {
        if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') {
          document.documentElement.dataset['without'] = 'styles';
        }
      };
      document.addEventListener('error', note, true);
    });
    await page.route('**/index-*.css', async (route) => {
      const hasFailed = await page.locator('html[data-without="styles"]').count();
      await (hasFailed > 0 ? route.fallback() : route.abort());
    });
    await page.goto(at('/notes'), { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    await page.locator('html[data-without="styles"]').waitFor({ state: 'attached' });
    expect(
      await page.evaluate(() =>
        getComputedStyle(document.body).getPropertyValue('--mantine-z-index-app'),
      ),
    ).toBe('100');
  });

  it.each([
    { system: 'light', chosen: 'dark', background: 'rgb(36, 36, 36)' },
    { system: 'dark', chosen: 'light', background: 'rgb(251, 250, 247)' },
    { system: 'dark', chosen: 'system', background: 'rgb(36, 36, 36)' },
  ] as const)(
    'has the colours that were chosen: $chosen where the system is $system',
    async ({ system, chosen, background }) => {
      const page = await enter();
      await page.emulateMedia({ colorScheme: system });
      await openPage(page, at('/agents'));
      await page.getByRole('button', { name: /^Colour scheme/ }).click();
      await page.getByRole('menuitem', { name: new RegExp(`^${chosen}`, 'i') }).click();
      const release = await hold(page, '**/*.js');
      await page.goto(at('/notes'), { waitUntil: 'commit' });
      const shell = page.locator('.shell');
      await page.locator('.shell-header').waitFor();
      await painted(page);
      expect(await page.locator('main').count()).toBe(0);
      expect(await shell.evaluate((frame) => getComputedStyle(frame).backgroundColor)).toBe(
        background,
      );
      release();
      await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    },
  );

  it('is empty for who has to sign in', async () => {
    const page = await visit();
    const release = await hold(page, '**/*.js');
    await page.goto('/login', { waitUntil: 'commit' });
    await page.locator('.shell[data-shell="public"]').waitFor({ state: 'attached' });
    expect(await page.locator('.shell-header').isVisible()).toBe(false);
    release();
    await page.getByLabel('Email', { exact: true }).waitFor();
  });
});
