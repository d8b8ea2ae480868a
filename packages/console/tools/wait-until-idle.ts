import type { Page } from 'playwright-core';

/** Waits until the page has a heading and nothing is loading. */
export const waitUntilIdle = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector('main h1') !== null &&
      document.querySelector('main [role="status"][aria-label="Loading"]') === null,
  );
};

/** Opens an address and waits until the page is idle. */
export const openPage = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await waitUntilIdle(page);
};
