import type { Page } from 'playwright-core';

/** Lets the next request of a page with this method and path reach the server, and loses its response. */
export const loseResponse = async (page: Page, method: string, path: string): Promise<void> => {
  let isLost = false;
  await page.route(`**${path}`, async (route) => {
    if (isLost || route.request().method() !== method) {
      await route.fallback();
      return;
    }
    isLost = true;
    await route.fetch();
    await route.abort();
  });
};
