import type { Page } from 'playwright-core';

/** Two notes whose titles begin with the same words: the last key of `typed` leaves only `found`. */
export type PaletteSearch = {
  readonly typed: string;
  readonly found: string;
  readonly other: string;
};

/** As fast as people type. */
const betweenKeysMs = 100;

/**
 * Types into the quick search, and returns the time from the last key until its result was painted, in milliseconds. Results of
 * what was typed before have both notes, so they are not taken for it.
 */
export const measurePalette = async (
  page: Page,
  { typed, found, other }: PaletteSearch,
): Promise<number> => {
  await page.keyboard.press('Control+k');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
  await page.evaluate(
    (titles) => {
      let lastKeyMs = 0;
      addEventListener('keydown', ({ timeStamp }) => (lastKeyMs = timeStamp), true);
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- the browser gets this function alone
      const isThere = (title: string): boolean =>
        [...document.querySelectorAll('[role="option"]')].some((option) =>
          option.textContent?.includes(title),
        );
      const painted = new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          if (isThere(titles.found) && !isThere(titles.other)) {
            observer.disconnect();
            // The second task comes after the frame.
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - lastKeyMs)));
          }
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      Object.assign(globalThis, { painted });
    },
    { found, other },
  );
  await page.keyboard.type(typed, { delay: betweenKeysMs });
  const ms = await page.evaluate(
    () => (globalThis as unknown as { painted: Promise<number> }).painted,
  );
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return ms;
};
