import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const sentWithinMs = 40_000;

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
  await Promise.race([
    sent.promise,
    sleep(sentWithinMs, null, { ref: false }).then(() => failUnsent(page, address)),
  ]);
  return held.resolve;
};

/** Says what the page shows instead. */
const failUnsent = async (page: Page, address: string): Promise<never> => {
  const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  const shown = await page.locator('body').innerText();
  throw new Error(`No change was sent to ${address}. Focus: ${focused}. Page:\n${shown}`);
};
