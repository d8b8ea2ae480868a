import type { Page } from 'playwright-core';

/** A fast flick of the wheel. */
const pxPerSecond = 3_000;
const distancePx = 15_000;

const timeoutMs = 300_000;

export type Scrolling = { readonly framesPerSecond: number; readonly slowestFrameMs: number };

/** Scrolls down (or up) as the wheel does, and counts the frames that the page renders meanwhile. */
export const measureScrolling = async (
  page: Page,
  direction: 'down' | 'up',
): Promise<Scrolling> => {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    const times: number[] = [];
    const record = (now: number): void => {
      times.push(now);
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
    Object.assign(globalThis, { frameTimes: times });
  });
  const startTop = await page.evaluate(() => window.scrollY);
  await session.send('Input.synthesizeScrollGesture', {
    x: 700,
    y: 500,
    yDistance: direction === 'down' ? -distancePx : distancePx,
    speed: pxPerSecond,
    gestureSourceType: 'mouse',
  });
  const { times, top } = await page.evaluate(() => ({
    times: (globalThis as unknown as { frameTimes: number[] }).frameTimes,
    top: window.scrollY,
  }));
  await session.detach();
  if (Math.abs(top - startTop) < distancePx / 2) {
    throw new Error(`The list scrolled from ${startTop} to ${top} only.`);
  }
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
  return { framesPerSecond: gaps.length / seconds, slowestFrameMs: Math.max(...gaps) };
};

/** Scrolls to the end of the list again and again until it has a link of this name. Returns the seconds it took. */
export const scrollToLast = async (page: Page, name: string): Promise<number> => {
  const startedMs = performance.now();
  // Roles of thousands of rows would take most of the time.
  const scroll = (): Promise<boolean> =>
    page.evaluate((last) => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      return [...document.querySelectorAll('main a')].some((link) => link.textContent === last);
    }, name);
  while (!(await scroll())) {
    if (performance.now() - startedMs > timeoutMs) {
      throw new Error('The list has not loaded to its end.');
    }
    await page.waitForTimeout(50);
  }
  return (performance.now() - startedMs) / 1_000;
};
