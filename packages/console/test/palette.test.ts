import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';

const { at, agent, board, enter } = acmeConsole();

const field = (page: Page) =>
  page.getByRole('combobox', { name: 'Notes, agents, pages and actions' });

/** Waits until Enter would open what begins with these words. */
const untilSelected = (page: Page, words: string) =>
  page.waitForFunction((wanted) => {
    const selected = document.activeElement?.getAttribute('aria-activedescendant');
    return selected && document.getElementById(selected)?.textContent?.startsWith(wanted);
  }, words);

const write = async (title: string, content: string): Promise<string> => {
  const id = randomUUID();
  expect((await agent('PUT', `/api/notes/${id}`, { body: { title, content } })).status).toBe(201);
  return id;
};

describe('the quick search', () => {
  it('opens with Ctrl+K on any page, finds a note as one types, and Enter opens it', async () => {
    await write('Orchids', 'The greenhouse needs misting at noon.');
    const page = await enter();
    await openPage(page, at('/agents'));
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('greenh');
    const option = page.getByRole('option', { name: /Orchids/ });
    await option.waitFor();
    expect(await option.locator('mark').innerText()).toBe('greenhouse');
    await untilSelected(page, 'Orchids');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Orchids' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('has what is typed while it loads, and the page behind it does not', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    // Loads only once everything is typed.
    const isTyped = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await isTyped.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('companyy');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    isTyped.resolve();
    await field(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.keyboard.type(' x');
    expect(await field(page).inputValue()).toBe('company x');
    expect(new URL(page.url()).pathname).toBe(at('/agents'));
  });

  it('finds agents, pages and actions, and all notes with a text that looks like a number', async () => {
    const page = await enter();
    await openPage(page, at(''));
    await page.getByRole('button', { name: 'Find anything' }).click();
    await field(page).fill('ada');
    await page.getByRole('option', { name: /^Ada/ }).waitFor();
    await field(page).fill('org ch');
    await page.getByRole('option', { name: 'Org chart' }).waitFor();
    await field(page).fill('new no');
    await page.getByRole('option', { name: 'New note' }).waitFor();
    await field(page).fill('2026');
    await page.getByRole('option', { name: 'All notes with “2026”' }).click();
    await page.waitForURL(/\/notes\?/);
    await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('2026');
  });

  it('has an action before notes if the text begins a word of it, unless a title begins with the text', async () => {
    await write('Steps', 'Run `export` in a shell, then exported files are there.');
    const page = await enter();
    await openPage(page, at('/agents'));
    const first = async (text: string, note: string): Promise<string> => {
      await page.keyboard.press('Control+k');
      await field(page).fill(text);
      await page.getByRole('option', { name: note }).waitFor();
      const [name = ''] = await page.getByRole('option').allInnerTexts();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return name;
    };
    expect(await first('expor', 'Steps')).toBe('Export all notes');
    await write('Exporting orchids', 'With soil.');
    expect(await first('export', 'Exporting orchids')).toMatch(/^Exporting orchids/);
  });

  it('changes the colour scheme, and signs out', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    const schemeIs = (scheme: string) =>
      page.waitForFunction(
        (wanted) => document.documentElement.dataset['mantineColorScheme'] === wanted,
        scheme,
      );
    for (const [text, scheme] of [
      ['dark', 'dark'],
      ['theme li', 'light'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await field(page).fill(text);
      await untilSelected(page, `Colour scheme: ${scheme}`);
      await page.keyboard.press('Enter');
      await schemeIs(scheme);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await field(page).fill('log o');
    await untilSelected(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login');
    expect((await page.request.get('/api/auth/session')).status()).toBe(401);
  });

  it('shows the roles of agents of the same name', async () => {
    for (const [name, role] of [
      ['Twin', 'editor'],
      ['twin', 'librarian'],
    ]) {
      await must(board, `POST /api${at('')}/agents`, { name, role });
    }
    const page = await enter();
    await openPage(page, at(''));
    await page.keyboard.press('Control+k');
    await field(page).fill('pause twin');
    await page.getByRole('option', { name: 'Pause Twin editor' }).waitFor();
    await page.getByRole('option', { name: 'Pause twin librarian' }).waitFor();
    await expectNoAxeViolations(page);
  });

  it('shows nothing of other companies', async () => {
    const page = await enter();
    await openPage(page, at(''));
    await page.keyboard.press('/');
    await field(page).fill('zenith works');
    await page.getByText('Nothing found').or(page.getByRole('option').first()).waitFor();
    expect(await page.getByRole('group', { name: 'Notes' }).count()).toBe(0);
  });

  it('has no violations of WCAG 2.2 AA, on desktop and phone, and Escape returns the focus', async () => {
    await write('Misting plan', 'Every noon, the greenhouse.');
    const page = await enter();
    await openPage(page, at('/agents'));
    const button = page.getByRole('button', { name: 'Find anything' });
    for (const size of [
      { width: 1200, height: 760 },
      { width: 390, height: 780 },
    ]) {
      await page.setViewportSize(size);
      await button.focus();
      await page.keyboard.press('Enter');
      await field(page).fill('mist');
      await page.getByRole('option', { name: /Misting plan/ }).waitFor();
      await expectNoAxeViolations(page);
      await expectLargeTargets(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.waitForFunction(
        () => document.activeElement?.getAttribute('aria-label') === 'Find anything',
      );
    }
  });
});

describe('a command of the quick search', () => {
  it.each([
    ['invite', 'Invite a member', '/members', 'Invite a member'],
    ['new ag', 'New agent', '/agents', 'New agent'],
    ['export', 'Export all notes', '/notes', 'Export all notes?'],
  ])('opens a dialog on its page, once: %s', async (...row) => {
    const [text, label, path, title] = row;
    const page = await enter();
    await openPage(page, at(''));
    await page.keyboard.press('Control+k');
    await field(page).fill(text);
    await page.getByRole('option', { name: label }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    expect(new URL(page.url()).pathname).toBe(at(path));
    await page.waitForURL((url) => url.search === '');
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await openPage(page, new URL(page.url()).pathname);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('undoes what an agent wrote, after it was shown', async () => {
    const page = await enter();
    await openPage(page, at('/notes'));
    await page.keyboard.press('Control+k');
    await field(page).fill('undo ada');
    await untilSelected(page, 'Undo what Ada');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Stop and undo what Ada.* wrote$/ });
    await dialog.getByRole('button', { name: 'Stop it and show the notes' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/agents\/[^/]+$/);
  });

  it('finds notes and agents by its words alone', async () => {
    await write('Checklist', 'Before you move, count the pots.');
    const page = await enter();
    await openPage(page, at('/agents'));
    await page.keyboard.press('Control+k');
    await field(page).fill('move');
    await page.getByRole('option', { name: /^Checklist/ }).waitFor();
    expect(await page.getByRole('group', { name: 'Commands' }).count()).toBe(0);
  });

  it.each([
    ['move', 'move checklist', 'Move checklist'],
    ['undo', 'undo ada', 'Undo Ada in steps'],
    ['pause', 'pause ada', 'Pause Ada at night'],
    ['new key', 'new key for ada', 'New key for Ada next week'],
  ])(
    'leaves the first place to a note with a title that begins with the text: %s',
    async (...row) => {
      const [verb, command, title] = row;
      const id = await write(title, 'One thing after the other.');
      const page = await enter();
      await openPage(page, at('/agents'));
      for (const text of [verb, command]) {
        await page.keyboard.press('Control+k');
        await field(page).fill(text);
        await untilSelected(page, title);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: title, exact: true }).waitFor();
        expect(new URL(page.url()).pathname).toBe(at(`/notes/${id}`));
        expect(new URL(page.url()).search).toBe('');
      }
    },
  );

  it('moves a note to another folder, and leaves one alone that somebody changed meanwhile', async () => {
    const id = await write('Ferns', 'Shade.');
    const page = await enter();
    const open = async () => {
      await page.keyboard.press('Control+k');
      await field(page).fill('move ferns');
      await page.getByRole('option', { name: 'Move Ferns', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Move Ferns' });
      await dialog.getByLabel('Folder').waitFor();
      await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] input'));
      await page.keyboard.type('shade/plants');
      return dialog;
    };
    const folderOf = async () => {
      const { body } = await agent('GET', `/api/notes/${id}`);
      return (body as { readonly folder: string }).folder;
    };
    await openPage(page, at('/agents'));
    const first = await open();
    await agent('PUT', `/api/notes/${id}`, { body: { title: 'Ferns', content: 'Much shade.' } });
    await first.getByRole('button', { name: 'Move' }).click();
    await first.getByRole('alert').waitFor();
    expect(await folderOf()).toBe('');
    await page.keyboard.press('Escape');
    await first.waitFor({ state: 'detached' });
    await page.getByText('Much shade.').waitFor();
    const second = await open();
    await second.getByRole('button', { name: 'Move' }).click();
    await second.waitFor({ state: 'detached' });
    await page.getByText('Note moved.').waitFor();
    expect(await folderOf()).toBe('shade/plants');
  });
});

describe('shortcuts of a single key', () => {
  it('are listed with ?, do nothing in fields, and can be switched off', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    await page.getByRole('textbox', { name: 'Search' }).focus();
    await page.keyboard.type('a/?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.locator('#main').focus();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    await help.getByRole('rowheader', { name: 'Ctrl + K', exact: true }).waitFor();
    await help.getByRole('rowheader', { name: 'g then d', exact: true }).waitFor();
    await help.getByText(/^Close a dialog; in a list, end the selection/).waitFor();
    await expectNoAxeViolations(page);
    await help.getByRole('switch').click({ force: true });
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('main h1').waitFor();
    await page.locator('#main').focus();
    await page.keyboard.press('/');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
  });
});
