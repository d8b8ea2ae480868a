import type { Browser } from 'playwright-core';
import { openConsolePage } from './open-page.ts';

/** Editor and graph load after the page and are counted apart. */
const isApart = (url: string): boolean => /\/assets\/(?:markdown|note-graph)/.test(url);

/** The scripts that a browser with an empty cache loads for a page, as they are sent. */
export const measureScripts = async (
  browser: Browser,
  url: string,
): Promise<{ readonly bytes: number; readonly apartBytes: number }> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sizes: Promise<{ readonly apart: boolean; readonly size: number }>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') {
      sizes.push(
        request.sizes().then(({ responseBodySize }) => ({
          apart: isApart(request.url()),
          size: responseBodySize,
        })),
      );
    }
  });
  await openConsolePage(page, url);
  // What loads late, such as notifications, counts too.
  await page.waitForTimeout(2_000);
  const all = await Promise.all(sizes);
  await context.close();
  const sum = (apart: boolean) =>
    all.filter((each) => each.apart === apart).reduce((total, { size }) => total + size, 0);
  return { bytes: sum(false), apartBytes: sum(true) };
};
