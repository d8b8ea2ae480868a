import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';

const { at, agent, enter } = acmeConsole();

const enterByPhone = async (): Promise<Page> => {
  const page = await enter();
  await page.setViewportSize({ width: 390, height: 780 });
  return page;
};

describe('on a phone', () => {
  it.each(['/agents', '/credentials', '/proposals', '/notes'])(
    'the last filter of a row ends where the page does: %s',
    async (section) => {
      const page = await enterByPhone();
      await openPage(page, at(section));
      const ends = await page.locator('main :is(input[role=combobox])').evaluateAll((fields) => {
        const rows = new Map<number, number>();
        for (const field of fields) {
          const { top, right } = field.getBoundingClientRect();
          rows.set(Math.round(top), Math.max(rows.get(Math.round(top)) ?? 0, Math.round(right)));
        }
        return [...rows.values()];
      });
      expect([ends.length > 0, ...ends.map((end) => Math.abs(end - 374) <= 1)]).not.toContain(
        false,
      );
    },
  );

  it('changed lines wrap, so that they are read without scrolling sideways', async () => {
    const id = randomUUID();
    const line = 'The obligations of this clause survive its end, whatever it was.';
    await must(agent, `PUT /api/notes/${id}`, { title: 'Long lines', content: line });
    const page = await enterByPhone();
    await openPage(page, at(`/notes/${id}/history`));
    await page.getByRole('button', { name: 'Show changes of revision 1' }).click();
    const changes = page.getByLabel('Changes of revision 1', { exact: true });
    await changes.waitFor();
    expect(
      await changes.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0);
  });
});
