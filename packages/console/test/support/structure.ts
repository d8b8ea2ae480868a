import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** Expects what axe does not require: headings in order, and names for tables and for what scrolls by keyboard. */
export const expectStructure = async (page: Page): Promise<void> => {
  const found = await page.evaluate(() => {
    const main = document.querySelector('main');
    const all = (selector: string): readonly Element[] => [
      ...(main?.querySelectorAll(selector) ?? []),
    ];
    const isNamed = (element: Element): boolean =>
      element.hasAttribute('aria-label') ||
      element.hasAttribute('aria-labelledby') ||
      element.querySelector('caption') !== null;
    const headings = all('h1, h2, h3, h4, h5, h6').map((heading) => ({
      level: Number(heading.ariaLevel ?? heading.tagName.slice(1)),
      // What a note skips is as its writer wrote it.
      isOfNote: heading.closest('.mantine-Typography-root') !== null,
    }));
    const levels = headings.filter(({ isOfNote }) => !isOfNote).map(({ level }) => level);
    return {
      first: headings.filter(({ level }) => level === 1).length,
      skipped: levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1),
      unnamed: [
        ...all('table').filter((table) => !isNamed(table) && !table.parentElement?.role),
        ...all('div[tabindex="0"], pre[tabindex="0"]').filter((box) => !isNamed(box) || !box.role),
      ].map(({ outerHTML }) => outerHTML.slice(0, 200)),
      title: document.title,
    };
  });
  expect(found).toEqual({
    first: 1,
    skipped: [],
    unnamed: [],
    title: expect.stringMatching(/. · /),
  });
};
