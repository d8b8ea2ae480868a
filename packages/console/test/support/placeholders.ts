import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/**
 * Expects a contrast of 4.5 : 1 for every placeholder (WCAG 1.4.3), which axe does not check, and no
 * placeholder in a select, whose current option is a value. A field that only suggests what to type may have one.
 */
export const expectReadablePlaceholders = async (page: Page): Promise<void> => {
  const faint = await page.evaluate(() => {
    const channels = (colour: string): readonly number[] =>
      (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
        const share = channel / 255;
        return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const backgroundOf = (element: Element | null): string => {
      const { backgroundColor } = getComputedStyle(element ?? document.documentElement);
      return element === null || (channels(backgroundColor)[3] ?? 1) > 0
        ? backgroundColor
        : backgroundOf(element.parentElement);
    };
    const contrastOf = (input: Element): number => {
      const text = luminance(getComputedStyle(input, '::placeholder').color);
      const ground = luminance(backgroundOf(input));
      return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    };
    return [...document.querySelectorAll('input, textarea')]
      .filter(
        (input) => input.matches(':placeholder-shown:not(:disabled)') && input.checkVisibility(),
      )
      .flatMap((input) => {
        const placeholder = input.getAttribute('placeholder') ?? '';
        const contrast = contrastOf(input);
        const isChoice = input.matches('[aria-haspopup="listbox"][readonly]');
        return placeholder !== '' && (contrast < 4.5 || isChoice)
          ? [`${placeholder}: ${contrast.toFixed(1)}${isChoice ? ', of a choice' : ''}`]
          : [];
      });
  });
  expect(faint).toEqual([]);
};
