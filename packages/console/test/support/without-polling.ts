import type { Page } from 'playwright-core';

/** Nothing is read at intervals by the pages that are opened from now on, however long they take. */
export const withoutPolling = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    Object.assign(window, { setInterval: () => 0 });
  });
};
