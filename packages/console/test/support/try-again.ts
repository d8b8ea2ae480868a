import type { Locator } from 'playwright-core';

const goneAfterMs = 5_000;

/** Clicks a button that reads again what failed. The page also does so by itself, and the button is gone then. */
export const tryAgain = async (button: Locator): Promise<void> => {
  await button.click({ timeout: goneAfterMs }).catch(async (error: unknown) => {
    if ((await button.count()) > 0) {
      throw error;
    }
  });
};
