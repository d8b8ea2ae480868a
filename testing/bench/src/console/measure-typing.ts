import type { Page } from 'playwright-core';

const text = 'Typed by a person, not pasted: [[Note 1]], **bold**, and so on.\n- [ ] a task ';

/**
 * Types into the open editor, and returns for each key the time from the press until the next frame was painted, in
 * milliseconds (Event Timing; steps of 8 ms).
 */
export const measureTyping = async (page: Page): Promise<readonly number[]> => {
  await page.evaluate(() => {
    const durations: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.name === 'keydown') {
          durations.push(entry.duration);
        }
      }
    }).observe({ type: 'event', durationThreshold: 0 } as PerformanceObserverInit);
    Object.assign(globalThis, { keyDurations: durations });
  });
  // Ten keys a second, longer than the pauses after which drafts are kept and the preview is rendered.
  await page.keyboard.type(text, { delay: 100 });
  await page.waitForTimeout(1_000);
  const measured = await page.evaluate(
    () => (globalThis as unknown as { keyDurations: number[] }).keyDurations,
  );
  // Chromium reports nothing below 16 ms.
  const missing = Math.max(0, text.length - measured.length);
  return [...measured, ...Array.from({ length: missing }, () => 16)].toSorted((a, b) => a - b);
};
