import type { Page } from 'playwright-core';

/** Waits until the page no longer scrolls. A busy machine still has turns of the wheel before it. */
export const untilStill = async (page: Page): Promise<void> => {
  await page.waitForFunction(async () => {
    const seen = scrollY;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return seen === scrollY;
  });
};
