import type { Page } from 'playwright-core';

/**
 * Makes a page send a change to an address, and holds it and those after it. Resolves once it is sent, with what lets them
 * through.
 */
export const sendHeld = async (
  page: Page,
  address: string,
  send: () => Promise<void>,
): Promise<() => void> => {
  const sent = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() !== 'GET') {
      sent.resolve();
      await held.promise;
    }
    await route.fallback();
  });
  await send();
  await sent.promise;
  return held.resolve;
};
