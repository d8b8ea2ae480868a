import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/**
 * No violation that axe calls serious or critical. The rules are evaluated through the debugger,
 * which the content security policy does not concern.
 */
export const expectNoSeriousAxeViolations = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(source);
  }
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    }),
  );
  const serious = results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(serious).toEqual([]);
};
