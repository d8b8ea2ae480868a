import type { Page } from 'playwright-core';

/** Waits until the page has its heading and nothing of it is being read any more. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector('main h1') !== null &&
      document.querySelector('main [role="status"][aria-label="Loading"]') === null,
  );
};

/** Opens an address and waits for all of the page. */
export const openPage = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await settled(page);
};
