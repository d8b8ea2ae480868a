import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

// Half as long as the main file, and every page that is opened parses it.
const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const source = readFileSync(file, 'utf8');

const wcag22 = new Set(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);

/** The rules that the colours of a page can break. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * Expects no violations of WCAG 2.2 A or AA of any impact, and none of axe's best practices with serious or
 * critical impact. The rules run through the debugger, which is not subject to the content security policy.
 */
export const expectNoAxeViolations = (page: Page): Promise<void> => expectNone(page, null);

/** The same of a page that has been checked, and has only other colours since. */
export const expectNoAxeViolationsOfColours = (page: Page): Promise<void> =>
  expectNone(page, rulesOfColours);

const expectNone = async (page: Page, only: readonly string[] | null): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(source);
  }
  const results = await page.evaluate(
    (ids) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ['violations'],
        // No rule that runs reads style sheets, which axe would load and parse again: half of its time.
        preload: { assets: ['media'] },
        ...(ids
          ? { runOnly: { type: 'rule', values: [...ids] } }
          : {
              rules: {
                // Rules of WCAG 2.2 are off by default.
                'target-size': { enabled: true },
                // Best practices with a lower impact, which take the most time of those.
                region: { enabled: false },
                'aria-allowed-role': { enabled: false },
              },
            }),
      }),
    only,
  );
  const violations = results.violations
    .filter(
      ({ tags, impact }) =>
        tags.some((tag) => wcag22.has(tag)) || impact === 'serious' || impact === 'critical',
    )
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(violations).toEqual([]);
};
