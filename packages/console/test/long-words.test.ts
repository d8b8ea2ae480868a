import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { bearer, createApi } from '@commonplace/e2e';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';

const { at, agent, board, baseUrl, enter } = acmeConsole();

const hire = async (name: string): Promise<string> =>
  String((await must(board, `POST /api${at('/agents')}`, { name, role: 'clerk' }))['id']);

describe('an agent whose last failure is one long word', () => {
  it('has a page that is no wider than the window', async () => {
    const agentId = await hire('Timed out');
    const begin = async (): Promise<string> => {
      const { token, run } = await must(board, `POST /api/agents/${agentId}/runs`, {});
      const self = createApi({ baseUrl: baseUrl(), headers: bearer(String(token)) });
      const { id } = run as { readonly id: string };
      const reason = `Timeout while reading https://vendor.example/${'a'.repeat(150)}`;
      await must(self, `POST /api/runs/${id}/finish`, { status: 'failed', reason });
      return id;
    };
    const page = await enter();
    const expectNothingWide = async (text: Locator): Promise<void> => {
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        const [box, card] = [await text.boundingBox(), await text.locator('..').boundingBox()];
        expect(box?.width).toBeLessThanOrEqual(card?.width ?? 0);
        expect(await text.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          width,
        );
      }
    };
    await begin();
    await openPage(page, at(`/agents/${agentId}`));
    await expectNothingWide(page.getByText(/^Timeout while reading/));
    await must(board, `POST /api/agents/${agentId}/runs`, {});
    await page.reload();
    await expectNothingWide(page.getByText(/^Last failure: /));
  });
});

describe('keys with long names of agents with long names', () => {
  /** How much a cell of the row goes on below its buttons, in pixels, and whether a line marks where. */
  const cutOf = async (
    row: Locator,
  ): Promise<{ readonly covered: number; readonly mark: string }> =>
    row.evaluate((cells) => {
      const [actions] = [...cells.children].slice(-1);
      const edge = actions?.getBoundingClientRect();
      const ends = [...cells.children].slice(0, -1).map((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        // What is clipped ends where its element does.
        const name = cell.querySelector('.name');
        const { top, right, bottom } = (name ?? text).getBoundingClientRect();
        const isBeside = edge !== undefined && top < edge.bottom && bottom > edge.top;
        return isBeside ? right - edge.left : 0;
      });
      const { borderRightStyle, content } = getComputedStyle(actions ?? cells, '::before');
      return {
        covered: Math.max(0, ...ends),
        mark: content === 'none' ? 'none' : borderRightStyle,
      };
    });

  it('are read in every window: what goes on below the buttons is marked there, and scrolls into sight', async () => {
    const agentId = await hire('Another-very-long-agent-name-that-nobody-can-remember');
    const name = 'read only tablet of the field team in Klagenfurt and its surroundings';
    await must(board, `POST /api/agents/${agentId}/keys`, { name });
    const page = await enter();
    await page.setViewportSize({ width: 1024, height: 844 });
    await openPage(page, at(`/credentials?agent=${agentId}`));
    const row = page.getByRole('row').filter({ hasText: name });
    const table = page.locator('.table-scroll[data-cut]').filter({ hasText: name });
    await table.waitFor();
    const cut = await cutOf(row);
    expect([cut.covered > 1, cut.mark]).toEqual([true, 'solid']);
    await table.evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
    await table.waitFor({ state: 'detached' });
    expect(await cutOf(row)).toEqual({ covered: 0, mark: 'none' });
    await page.setViewportSize({ width: 320, height: 844 });
    await page.waitForFunction(() => innerWidth === 320);
    expect(await cutOf(row)).toMatchObject({ covered: 0 });
    const scrolling = page.locator('.table-scroll').filter({ hasText: name });
    expect(await scrolling.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });

  it('can be rotated and revoked in every window: no column hides the buttons', async () => {
    const agentId = await hire('A-very-long-agent-name-that-nobody-can-remember-or-type');
    const name = 'read only laptop of the field team in Klagenfurt and its surroundings';
    const expiresAt = new Date(Date.now() + 40 * 86_400_000);
    await must(board, `POST /api/agents/${agentId}/keys`, { name, expiresAt });
    const page = await enter();
    await openPage(page, at('/credentials'));
    const row = page.getByRole('row').filter({ hasText: name });
    await row.waitFor();
    const table = page.locator('.table-scroll').filter({ hasText: name });
    for (const width of [1440, 1024, 800, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      const end = await table.evaluate((box) => box.getBoundingClientRect().right);
      for (const action of [/^Rotate/, /^Revoke/]) {
        const button = await row.getByRole('button', { name: action }).boundingBox();
        expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(end);
      }
    }
  });
});

describe('a table of five columns in a note, on a phone', () => {
  it('scrolls, and breaks no word', async () => {
    const words = ['Warehouse', 'Owner', 'Status', 'Deadline', 'Comment'];
    const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
    const content = row(words) + row(words.map(() => '---')) + row(words);
    const { id } = await must(agent, 'POST /api/notes', { title: 'Five columns', content });
    const page = await enter();
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, at(`/notes/${String(id)}`));
    const cells = page.getByRole('cell').or(page.getByRole('columnheader'));
    await cells.first().waitFor();
    const lines = await cells.evaluateAll((all) =>
      all.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      }),
    );
    expect(lines).toEqual(Array.from({ length: 10 }, () => 1));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectNoAxeViolations(page);
  });
});

describe('a note that does not exist', () => {
  it('has a way to those that do', async () => {
    const page = await enter();
    await openPage(page, at(`/notes/${randomUUID()}`));
    await page.getByRole('main').getByRole('link', { name: 'All notes' }).click();
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    expect(page.url()).toMatch(/\/notes$/);
  });
});
