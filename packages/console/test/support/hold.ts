import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

const sentWithinMs = 40_000;

type Held = {
  /** The first of the requests has been sent. Rejects with what the page shows if none is. */
  readonly sent: () => Promise<void>;
  readonly release: () => void;
};

/** Holds what a page loads from an address, as a slow network does, until it is released. */
export const hold = async (
  page: Page,
  address: string,
  isMeant: (request: Request) => boolean = () => true,
): Promise<Held> => {
  const sent = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (isMeant(route.request())) {
      sent.resolve();
      await held.promise;
    }
    await route.fallback();
  });
  const late = () =>
    sleep(sentWithinMs, null, { ref: false }).then(() => failUnsent(page, address));
  return { sent: () => Promise.race([sent.promise, late()]), release: held.resolve };
};

const failUnsent = async (page: Page, address: string): Promise<never> => {
  const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  const shown = await page.locator('body').innerText();
  throw new Error(`Nothing was sent to ${address}. Focus: ${focused}. Page:\n${shown}`);
};
