import type { Browser } from 'playwright-core';

/** What a browser with an empty cache took for a page, in milliseconds from the navigation. */
export type Load = {
  readonly firstPaintMs: number;
  /** Until the first element that the selector names was there. */
  readonly readyMs: number;
};

/** Opens a page in a new browser profile. */
export const measureLoad = async (
  browser: Browser,
  { url, ready }: { readonly url: string; readonly ready: string },
): Promise<Load> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' });
  const readyMs = await page.waitForFunction(
    (selector) => document.querySelector(selector) !== null && performance.now(),
    ready,
  );
  const firstPaintMs = await page.waitForFunction(
    () => performance.getEntriesByName('first-paint')[0]?.startTime,
  );
  const load = {
    firstPaintMs: Number(await firstPaintMs.jsonValue()),
    readyMs: Number(await readyMs.jsonValue()),
  };
  await context.close();
  return load;
};
