import type { Page } from 'playwright-core';

/** Waits until the page is of the company of that name: the address changes before it. */
export const untilCompany = async (page: Page, name: string): Promise<void> => {
  await page.waitForFunction(
    (wanted) =>
      document.querySelector<HTMLInputElement>('input[aria-label="Company"]')?.value === wanted,
    name,
  );
};
