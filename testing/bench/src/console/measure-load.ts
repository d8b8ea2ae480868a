import type { Browser, Page } from 'playwright-core';

/** What a browser with an empty cache took for a page, in milliseconds from the navigation. */
export type Load = {
  readonly firstPaintMs: number;
  /** Until the first element that the selector names was there. */
  readonly readyMs: number;
};

/** What the browser makes of the connection; the server is on this machine. */
export type Network = {
  readonly downBitsPerSecond: number;
  readonly upBitsPerSecond: number;
  /** From a request to the beginning of its response, at least. */
  readonly latencyMs: number;
};

type Visit = {
  readonly url: string;
  readonly ready: string;
  /** Without it the connection is as fast as it is. */
  readonly network?: Network | undefined;
};

/** Opens a page in a new browser profile. */
export const measureLoad = async (
  browser: Browser,
  { url, ready, network }: Visit,
): Promise<Load> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  if (network) {
    await slowDown(page, network);
  }
  await page.goto(url, { waitUntil: 'commit' });
  const readyMs = await page.waitForFunction(
    (selector) => document.querySelector(selector) !== null && performance.now(),
    ready,
  );
  const firstPaintMs = await page.waitForFunction(
    () => performance.getEntriesByName('first-paint')[0]?.startTime,
  );
  const load = {
    firstPaintMs: Number(await firstPaintMs.jsonValue()),
    readyMs: Number(await readyMs.jsonValue()),
  };
  await context.close();
  return load;
};

const slowDown = async (page: Page, network: Network): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: network.latencyMs,
    downloadThroughput: network.downBitsPerSecond / 8,
    uploadThroughput: network.upBitsPerSecond / 8,
  });
};
