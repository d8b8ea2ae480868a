import type { Page } from 'playwright-core';

/** Opens an address of the console, and waits until it has a heading and nothing is loading. */
export const openConsolePage = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.waitForFunction(
    () =>
      document.querySelector('main h1') !== null &&
      document.querySelector('main [role="status"][aria-label="Loading"]') === null,
  );
};
