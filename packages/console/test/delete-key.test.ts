import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';

const { at, agent, enter } = acmeConsole();

const titles = ['Alder', 'Birch', 'Cedar', 'Elder', 'Hazel'];
beforeAll(async () => {
  for (const title of titles) {
    await must(agent, 'POST /api/notes', { title, folder: 'trees' });
  }
});

const openTrees = async (): Promise<Page> => {
  const page = await enter();
  await openPage(page, at('/notes?folder=trees&sort=title&order=asc'));
  await page.getByRole('link', { name: 'Hazel' }).waitFor();
  await page.locator('#main').focus();
  return page;
};

const untilFocused = (page: Page, title: string) =>
  page.waitForFunction((wanted) => document.activeElement?.textContent === wanted, title);

const remaining = async (): Promise<readonly string[]> => {
  const { items } = await must(agent, 'GET /api/notes?folder=trees&sort=title&order=asc');
  return (items as readonly { readonly title: string }[]).map(({ title }) => title);
};

describe('Backspace and Delete in a list of notes', () => {
  it.each(['Backspace', 'Delete'])(
    'delete the note that has the focus, after a confirmation, and leave the focus on the next: %s',
    async (key) => {
      const page = await openTrees();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await untilFocused(page, 'Birch');
      await page.keyboard.press(key);
      const dialog = page.getByRole('dialog', { name: 'Delete Birch?' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await remaining()).toEqual(titles);
      await untilFocused(page, 'Birch');
      await page.keyboard.press(key);
      await dialog.getByRole('button', { name: 'Delete note' }).click();
      const message = page.getByRole('alert').filter({ hasText: 'Deleted: Birch' });
      // Under the pointer it does not close by itself.
      await message.hover();
      await page.getByRole('link', { name: 'Birch' }).waitFor({ state: 'detached' });
      await untilFocused(page, 'Cedar');
      expect(await remaining()).toEqual(titles.filter((title) => title !== 'Birch'));
      await message.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('link', { name: 'Birch' }).waitFor();
    },
  );

  it('delete what is selected in its place', async () => {
    const page = await openTrees();
    for (const key of ['j', 'x', 'j', 'x', 'j']) {
      await page.keyboard.press(key);
    }
    await page.getByText('2 notes selected').waitFor();
    await untilFocused(page, 'Cedar');
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete 2 notes?' });
    await dialog.getByRole('button', { name: 'Delete 2 notes' }).click();
    const bar = page.getByRole('region', { name: 'Selected notes' });
    await bar.getByText('2 notes deleted.').waitFor();
    expect(await remaining()).toEqual(['Cedar', 'Elder', 'Hazel']);
    await bar.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Alder' }).waitFor();
  });

  it('delete nothing with another key, while one types, where no note has the focus, and of deleted notes', async () => {
    const page = await openTrees();
    const dialogs = page.getByRole('dialog');
    await page.keyboard.press('Delete');
    await page.keyboard.press('j');
    for (const key of ['Control+Backspace', 'Shift+Delete', 'Alt+Delete', 'Meta+Backspace']) {
      await page.keyboard.press(key);
    }
    const search = page.getByRole('textbox', { name: 'Search' });
    await search.fill('Ceda');
    await search.press('Backspace');
    expect(await search.inputValue()).toBe('Ced');
    expect(await dialogs.count()).toBe(0);
    const { id, revision } = await must(agent, 'POST /api/notes', { title: 'Gone' });
    await agent('DELETE', `/api/notes/${String(id)}`, {
      headers: { 'if-match': `"${String(revision)}"` },
    });
    await openPage(page, at('/notes?show=deleted'));
    await page.getByText('Gone', { exact: true }).first().waitFor();
    await page.locator('#main').focus();
    await page.keyboard.press('j');
    await untilFocused(page, 'Gone');
    await page.keyboard.press('Delete');
    // A later key has its effect, and no dialog came before it.
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: /shortcuts/i }).waitFor();
    expect(await dialogs.count()).toBe(1);
  });

  it('say which note has changed meanwhile, and leave it alone', async () => {
    const page = await openTrees();
    await page.keyboard.press('j');
    await untilFocused(page, 'Alder');
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete Alder?' });
    await dialog.waitFor();
    const [first] = (await must(agent, 'GET /api/notes?folder=trees&sort=title&order=asc'))[
      'items'
    ] as readonly { readonly id: string }[];
    await must(agent, `PATCH /api/notes/${first?.id ?? ''}`, {
      edits: [{ op: 'set', tags: { add: ['meanwhile'], remove: [] } }],
    });
    await dialog.getByRole('button', { name: 'Delete note' }).click();
    const alert = page.getByRole('main').getByRole('alert');
    await alert.filter({ hasText: 'Alder was not deleted.' }).waitFor();
    expect(await remaining()).toContain('Alder');
  });
});
