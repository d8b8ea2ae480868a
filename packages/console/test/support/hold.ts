import type { Page, Request } from 'playwright-core';

type Held = {
  /** The first of the requests has been sent. */
  readonly sent: Promise<void>;
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
  return { sent: sent.promise, release: held.resolve };
};
