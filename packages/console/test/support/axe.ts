import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

const wcag22 = new Set(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);

/**
 * No violation of WCAG 2.2 A or AA, whatever axe makes of its impact, and none of its best practices
 * that axe calls serious or critical. The rules are evaluated through the debugger, which the content
 * security policy does not concern.
 */
export const expectNoAxeViolations = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(source);
  }
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      // Rules of WCAG 2.2 are off unless asked for.
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
