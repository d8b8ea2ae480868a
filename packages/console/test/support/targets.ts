import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/**
 * Expects pointer targets of at least 24 by 24 pixels (WCAG 2.5.8), without the exception for spacing.
 * Links within a sentence and the content of notes are exempt.
 */
export const expectLargeTargets = async (page: Page): Promise<void> => {
  const small = await page.evaluate(() => {
    const isAmidText = (target: Element): boolean =>
      [...(target.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
    return [...document.querySelectorAll('a[href], button, input, [role="option"], [role="tab"]')]
      .filter(
        (target) =>
          target.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          // The box around the tags field is the target.
          !target.matches(':disabled, .skip-link, .mantine-TagsInput-inputField') &&
          target.closest('.mantine-Typography-root') === null &&
          !isAmidText(target),
      )
      .flatMap((target) => {
        const { width, height } = target.getBoundingClientRect();
        // The label of an invisible input is the target.
        return width > 1 && height > 1 && Math.min(width, height) < 23.9
          ? [`${width.toFixed()} x ${height.toFixed()}: ${target.outerHTML.slice(0, 160)}`]
          : [];
      });
  });
  expect(small).toEqual([]);
};
