import type { Page } from 'playwright-core';

/** Waits until a page has done what it does by itself with what has just come: a response, or the last key of a text. */
export const untilHandled = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
