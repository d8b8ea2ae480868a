import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';

const { at, agent, board, enter } = acmeConsole();

const folder = 'dense';

beforeAll(async () => {
  await must(agent, 'POST /api/sync', {
    clientId: 'console-test',
    changes: Array.from({ length: 40 }, (_, index) => ({
      mutationId: `${index}`,
      id: randomUUID(),
      op: 'put',
      baseRevision: null,
      note: {
        title: `Row ${String(index).padStart(2, '0')} ${'with a long title '.repeat(8)}`,
        content: `beginning of ${index}`,
        folder,
        tags: ['tea', 'kettle'],
      },
    })),
  });
});

const open = async (): Promise<Page> => {
  const page = await enter();
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page, at(`/notes?folder=${folder}&sort=title`));
  await page.getByRole('link', { name: 'Row 00' }).waitFor();
  return page;
};

/** Waits until the link of a note whose title begins with the words has the focus. */
const untilFocused = (page: Page, words: string) =>
  page.waitForFunction((begin) => document.activeElement?.textContent?.startsWith(begin), words);

describe('a list of notes', () => {
  it('shows 20 notes at once, with title, who changed it, folder, tags and time', async () => {
    const page = await open();
    const bottoms = await page
      .locator('tr[data-row-note]')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom));
    // With all that is above them a row takes 45 pixels of 900 at most.
    expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(20);
    const row = page.getByRole('row').filter({ hasText: 'Row 00' });
    for (const cell of ['Ada', folder, /tea/]) {
      await row.getByRole('cell', { name: cell }).waitFor();
    }
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
    await page.setViewportSize({ width: 390, height: 780 });
    await row.getByText(/Changed by Ada, /).waitFor();
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
  });

  it('has filters and actions in one line, a folder and two tags whole, and the selection bar too', async () => {
    const deep = 'sales/accounts/EMEA';
    const note = { title: 'Deep', content: '', folder: deep, tags: ['contract', 'renewals'] };
    await must(agent, 'POST /api/sync', {
      clientId: 'deep',
      changes: Array.from({ length: 30 }, (_, index) => ({
        mutationId: `${index}`,
        id: randomUUID(),
        op: 'put',
        baseRevision: null,
        note,
      })),
    });
    const page = await enter();
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPage(page, at(`/notes?folder=${encodeURIComponent(deep)}`));
    const main = page.getByRole('main');
    const inLine = async (...parts: readonly Locator[]): Promise<void> => {
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      const middles = boxes.map((box) => (box?.y ?? 0) + (box?.height ?? 0) / 2);
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
    };
    await main.getByRole('button', { name: 'Rename folder…' }).waitFor();
    await inLine(
      main.getByRole('textbox', { name: 'Search' }),
      main.getByRole('combobox', { name: 'Sort by' }),
      main.getByRole('button', { name: 'Rename folder…' }),
      main.getByRole('link', { name: 'New note' }),
    );
    const row = page.getByRole('row').filter({ hasText: 'Deep' }).first();
    const cutCells = await row
      .getByRole('cell')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    expect(cutCells).toBe(0);
    await page.getByRole('checkbox').first().click();
    const bar = page.getByRole('region', { name: 'Selected notes' });
    await inLine(
      bar.getByRole('button', { name: /^Select all/ }),
      bar.getByRole('button', { name: 'Delete…' }),
      bar.getByRole('button', { name: 'Clear selection' }),
    );
  });

  it('shows 20 notes at once also where some are pinned', async () => {
    await must(agent, 'POST /api/sync', {
      clientId: 'pinned',
      changes: Array.from({ length: 24 }, (_, index) => ({
        mutationId: `${index}`,
        id: randomUUID(),
        op: 'put',
        baseRevision: null,
        note: { title: `Kept ${index}`, content: '', folder: 'pins', pinned: index < 3 },
      })),
    });
    const page = await enter();
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPage(page, at('/notes?folder=pins'));
    for (const name of ['Pinned', 'Other notes']) {
      await page.getByRole('heading', { name, exact: true }).waitFor({ state: 'attached' });
    }
    await page.locator('tr[data-row-note]').nth(23).waitFor();
    const rows = await page
      .locator('tr[data-row-note]')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect()));
    expect(rows.filter(({ bottom }) => bottom <= 900).length).toBeGreaterThanOrEqual(20);
    expect(new Set(rows.slice(0, -1).map(({ height }) => Math.round(height)))).toEqual(
      new Set([35]),
    );
    await expectNoAxeViolations(page);
  });

  it.each([-600_000, 600_000])(
    'says when a note was changed by the clock of the server, where that of the browser is %i ms ahead',
    async (aheadMs) => {
      const title = `Timed ${aheadMs}`;
      await must(agent, `PUT /api/notes/${randomUUID()}`, { title, content: '' });
      const page = await enter();
      await page.addInitScript((ms) => {
        const nowMs = Date.now.bind(Date);
        Date.now = () => nowMs() + ms;
      }, aheadMs);
      await openPage(page, at('/notes'));
      const row = page.getByRole('row').filter({ hasText: title });
      await row.getByText('just now').filter({ visible: true }).first().waitFor();
      await row.getByRole('link', { name: title }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.getByText(/^Revision 1, by/).innerText()).toBe(
        'Revision 1, by Ada just now',
      );
    },
  );

  it('is walked with j and k, which show how a note begins; x selects, e edits', async () => {
    const page = await open();
    await page.locator('#main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await untilFocused(page, 'Row 01');
    await page.getByText('beginning of 1', { exact: true }).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.getByText('2 notes selected').waitFor();
    // The keys of a checkbox go on from there.
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 notes selected').waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await untilFocused(page, 'Row 00');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: /^Edit Row 00/ }).waitFor();
    // In a field a letter is a letter.
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.focus();
    await page.keyboard.type('jg');
    expect(await title.inputValue()).toContain('jg');
  });

  it('ends its selection with Escape, unless that closes something; in the search it clears the search', async () => {
    const page = await open();
    await page.locator('#main').focus();
    for (const key of ['j', 'x', 'j', 'x']) {
      await page.keyboard.press(key);
    }
    await page.getByText('2 notes selected').waitFor();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByText('2 notes selected').count()).toBe(1);
    const search = page.getByRole('textbox', { name: 'Search' });
    await search.fill('Row');
    await page.waitForURL(/q=Row/);
    await page.keyboard.press('Escape');
    expect(await search.inputValue()).toBe('');
    await page.waitForURL((url) => !url.searchParams.has('q'));
    await page.getByRole('checkbox', { name: /^Select Row 00/ }).check();
    await page.getByText('1 note selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 note selected').waitFor({ state: 'detached' });
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  });

  it('shows the beginning of a note beyond its row and the next, and no row moves', async () => {
    const page = await open();
    const topsOf = () =>
      page
        .locator('tr[data-row-note]')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top + scrollY));
    await page.locator('tr[data-row-note]').nth(39).waitFor();
    const tops = await topsOf();
    await page.locator('#main').focus();
    for (let row = 0; row < 25; row += 1) {
      await page.keyboard.press('j');
    }
    const beginning = page.getByText('beginning of 24', { exact: true });
    await beginning.waitFor();
    expect(await topsOf()).toEqual(tops);
    const next = await page.getByRole('row').filter({ hasText: 'Row 25' }).boundingBox();
    const shown = await beginning.boundingBox();
    expect((next?.y ?? 0) + (next?.height ?? 0)).toBeLessThan(shown?.y ?? 0);
    expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(900);
    await expectNoAxeViolations(page);
  });

  it('is left for another section with g and a letter, and for a new note with c', async () => {
    const page = await open();
    await page.locator('#main').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'New note', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(at('/notes/new'));
    // Beside the notes of a folder the new one is in it.
    await openPage(page, at('/notes?folder=ledgers'));
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'New note', level: 1 }).waitFor();
    expect(await page.getByLabel('Folder').inputValue()).toBe('ledgers');
  });
});

describe('a long name', () => {
  it.each([1440, 1200, 390])(
    'ends in an ellipsis at %i pixels, and is whole in its title',
    async (width) => {
      const long = `${'wide-'.repeat(12)}wide`;
      const note = { title: `Named ${width}`, content: '', folder: long, tags: [long, 'tea'] };
      await must(agent, `PUT /api/notes/${randomUUID()}`, note);
      const page = await enter();
      await page.setViewportSize({ width, height: 844 });
      await openPage(page, at(`/notes?tag=${long}`));
      const row = page.getByRole('row').filter({ hasText: `Named ${width}` });
      await row.waitFor();
      const cut = await row.getByText(long, { exact: true }).evaluateAll((texts) =>
        texts
          .filter((text) => text.checkVisibility())
          .map((text) => ({
            isShort: text.scrollWidth > text.clientWidth,
            overflow: getComputedStyle(text).textOverflow,
            whole: text.closest('[title]')?.getAttribute('title'),
          })),
      );
      expect(cut).toEqual([1, 2].map(() => ({ isShort: true, overflow: 'ellipsis', whole: long })));
      await expectNoAxeViolations(page);
      await expectLargeTargets(page);
    },
  );
});

describe('a search', () => {
  it('has two lines of each result, with the first match in them, also on a phone', async () => {
    const words = 'plain words that say nothing at all '.repeat(4);
    const content = `${words}\n\nhere is the samovar of the house\n\n${words}`;
    await must(agent, `PUT /api/notes/${randomUUID()}`, { title: 'Long', content });
    const page = await enter();
    await openPage(page, at('/notes?q=samovar'));
    const row = page.getByRole('row').filter({ hasText: 'Long' });
    const match = row.locator('mark');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      // At once: the page may have its new layout only between two readings.
      const { bottom, lines, end } = await match.evaluate((mark) => {
        const excerpt = mark.parentElement ?? mark;
        const lineHeight = Number.parseFloat(getComputedStyle(excerpt).lineHeight);
        const box = excerpt.getBoundingClientRect();
        return {
          bottom: mark.getBoundingClientRect().bottom,
          lines: Math.round(box.height / lineHeight),
          end: box.bottom,
        };
      });
      expect(lines).toBe(2);
      expect(bottom).toBeLessThanOrEqual(end + 1);
      await row.getByText(/^lines? \d/).waitFor();
      await expectNoAxeViolations(page);
    }
  });
});

describe('the quick search', () => {
  const type = async (page: Page, text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Notes, agents, pages and actions' }).fill(text);
  };

  it('has agents before notes, and pauses and resumes them, and makes a key', async () => {
    await must(agent, `PUT /api/notes/${randomUUID()}`, { title: 'About Ada', content: 'Ada' });
    const [ada] = (await must(board, `GET /api${at('/agents')}?q=Ada`))['items'] as {
      readonly id: string;
    }[];
    const statusOf = async () => (await must(board, `GET /api/agents/${ada?.id}`))['status'];
    const page = await enter();
    await openPage(page, at('/agents'));
    await type(page, 'ada');
    await page.getByRole('option', { name: /^About Ada/ }).waitFor();
    // Agents and notes are found by two requests.
    await page.getByRole('option', { name: /^Ada/ }).first().waitFor();
    const names = await page.getByRole('option').allInnerTexts();
    expect(names[0]).toMatch(/^Ada/);
    await type(page, 'pause ada');
    await page.getByRole('option', { name: 'Pause Ada', exact: true }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('option', { name: 'Pause Ada', exact: true }).click();
    await page.getByRole('button', { name: /^Pause and cancel \d+ runs?$/ }).click();
    await page.getByText(/^Ada paused, \d+ runs? cancelled\.$/).waitFor();
    expect(await statusOf()).toBe('paused');
    await type(page, 'resume ada');
    await page.getByRole('option', { name: 'Resume Ada', exact: true }).click();
    await page.getByText('Ada resumed.').waitFor();
    expect(await statusOf()).toBe('active');
    await type(page, 'new key for ada');
    await page.getByRole('option', { name: 'New key for Ada', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'New key for Ada' });
    await form.getByLabel('Name').fill('by the palette');
    await form.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
  });
});
