import type { Browser } from 'playwright-core';

/** By then a page has loaded what it loads late, such as notifications. */
const untilMs = 5_000;

/** A person does not notice a task of this length. */
const unnoticedMs = 50;

type Task = Pick<PerformanceEntry, 'startTime' | 'duration'>;

/**
 * Opens a page in a new browser profile, and returns for how many milliseconds its main thread is blocked in the five seconds
 * after the navigation: of each task the time beyond 50 ms.
 */
export const measureBlocking = async (browser: Browser, url: string): Promise<number> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const longTasks: Task[] = [];
    new PerformanceObserver((list) => {
      longTasks.push(
        ...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })),
      );
    }).observe({ type: 'longtask', buffered: true });
    Object.assign(globalThis, { longTasks });
  });
  await page.goto(url, { waitUntil: 'commit' });
  const tasks = await page.evaluate(async (endMs) => {
    await new Promise((resolve) => setTimeout(resolve, endMs - performance.now()));
    // Chromium reports a task after it has ended.
    await new Promise((resolve) => requestIdleCallback(resolve));
    return (globalThis as unknown as { longTasks: Task[] }).longTasks;
  }, untilMs);
  // A page that did not load would block nothing.
  await page.locator('main h1').waitFor();
  await context.close();
  return tasks
    .filter(({ startTime }) => startTime < untilMs)
    .reduce((sum, { duration }) => sum + duration - unnoticedMs, 0);
};
