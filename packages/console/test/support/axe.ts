import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

const wcag22 = new Set(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);

/**
 * Expects no violations of WCAG 2.2 A or AA of any impact, and none of axe's best practices with serious or
 * critical impact. The rules run through the debugger, which is not subject to the content security policy.
 */
export const expectNoAxeViolations = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(source);
  }
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      // No rule that runs reads style sheets, which axe would load and parse again: half of its time.
      preload: { assets: ['media'] },
      // Rules of WCAG 2.2 are off by default.
      rules: { 'target-size': { enabled: true } },
    }),
  );
  const violations = results.violations
    .filter(
      ({ tags, impact }) =>
        tags.some((tag) => wcag22.has(tag)) || impact === 'serious' || impact === 'critical',
    )
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(violations).toEqual([]);
};
