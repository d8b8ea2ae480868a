import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';

const { at, agent, board, enter } = acmeConsole();

/** Every word that begins the title of a note, which comes first elsewhere. */
const words = ['pause', 'new key', 'undo', 'edit', 'move', 'pin', 'history', 'delete', 'cancel'];
beforeAll(async () => {
  for (const word of words) {
    await must(agent, 'POST /api/notes', { title: `${word} is a word` });
  }
});

const write = async (title: string): Promise<string> =>
  String((await must(agent, 'POST /api/notes', { title, content: 'Text\n' }))['id']);

const readNote = (id: string) => must(agent, `GET /api/notes/${id}`);

const hire = async (name: string): Promise<string> =>
  String((await must(board, `POST /api${at('/agents')}`, { name, role: 'writer' }))['id']);

/** Types a word into the quick search, and takes what Enter opens once that has the label. */
const take = async (page: Page, word: string, label: string): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Notes, agents, pages and actions' }).fill(word);
  // Once the notes are found, too.
  await page.getByRole('option', { name: `${word} is a word` }).waitFor();
  await page.waitForFunction((wanted) => {
    const selected = document.activeElement?.getAttribute('aria-activedescendant');
    return selected && document.getElementById(selected)?.textContent === wanted;
  }, label);
  await page.keyboard.press('Enter');
};

const dismiss = async (page: Page, title: string | RegExp): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  await page.waitForURL((url) => url.searchParams.get('open') === null);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
};

describe('a word for an action alone, in the quick search', () => {
  it('is for the agent whose page is open', async () => {
    const id = await hire('Ava');
    const page = await enter();
    await openPage(page, at(`/agents/${id}`));
    await take(page, 'edit', 'Edit Ava');
    await dismiss(page, 'Edit Ava');
    await take(page, 'undo', 'Undo what Ava wrote');
    await dismiss(page, 'Stop and undo what Ava wrote');
    await take(page, 'pause', 'Pause Ava');
    await page.getByText('Ava paused.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Notes, agents, pages and actions' });
    await field.fill('resume');
    await page
      .getByRole('group', { name: 'This agent' })
      .getByRole('option', { name: 'Resume Ava', exact: true })
      .waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Enter');
    await page.getByText('Ava resumed.', { exact: true }).waitFor();
    await take(page, 'new key', 'New key for Ava');
    await page.getByRole('dialog', { name: /^New key/ }).waitFor();
  });

  it('is for the note that is open', async () => {
    const id = await write('Lilies');
    const page = await enter();
    await openPage(page, at(`/notes/${id}`));
    await take(page, 'move', 'Move Lilies');
    await dismiss(page, 'Move Lilies');
    await take(page, 'pin', 'Pin Lilies');
    const message = page.getByRole('alert').filter({ hasText: 'Pinned: Lilies' });
    await message.waitFor();
    expect(await readNote(id)).toMatchObject({ pinned: true, revision: 2 });
    await message.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Unpinned: Lilies').waitFor();
    expect(await readNote(id)).toMatchObject({ pinned: false, revision: 3 });
    await take(page, 'history', 'History of Lilies');
    await page.waitForURL(`**/notes/${id}/history`);
    // Also below the page of the note.
    await take(page, 'edit', 'Edit Lilies');
    await page.waitForURL(`**/notes/${id}/edit`);
    await openPage(page, at(`/notes/${id}`));
    await take(page, 'delete', 'Delete Lilies');
    await page
      .getByRole('dialog', { name: 'Delete Lilies?' })
      .getByRole('button', { name: 'Delete note' })
      .click();
    await page.getByText('Deleted: Lilies').waitFor();
  });

  it('is for a note that was just created, whose editor is open', async () => {
    const page = await enter();
    await openPage(page, at('/notes/new'));
    await page.getByLabel('Title').fill('Just created');
    await page.getByLabel('Title').press('Control+s');
    await page.getByRole('heading', { name: 'Edit Just created' }).waitFor();
    await take(page, 'history', 'History of Just created');
    await page
      .getByRole('heading', { name: /History/ })
      .first()
      .waitFor();
    expect(page.url()).toMatch(/\/history$/);
  });

  it('is for the run whose page is open, and for its agent', async () => {
    const agentId = await hire('Ron');
    const begin = async (): Promise<string> => {
      const { run } = await must(board, `POST /api/agents/${agentId}/runs`, {});
      return (run as { readonly id: string }).id;
    };
    const runId = await begin();
    const id8 = runId.slice(-8);
    const page = await enter();
    await openPage(page, at(`/runs/${runId}`));
    await take(page, 'undo', `Undo what run ${id8} wrote`);
    const dialog = page.getByRole('dialog', { name: 'Stop and undo what this run wrote' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await take(page, 'cancel', `Cancel run ${id8}`);
    await page
      .getByRole('dialog', { name: 'Cancel this run of Ron?' })
      .getByRole('button', { name: 'Cancel run' })
      .click();
    await page.getByText('cancelled', { exact: true }).first().waitFor();
    await take(page, 'pause', 'Pause Ron');
    await page.getByText('Ron paused.', { exact: true }).waitFor();
    expect(await must(board, `GET /api/runs/${runId}`)).toMatchObject({ status: 'cancelled' });
  });

  it('is for nothing on other pages, and what one may not do is not offered', async () => {
    const id = await write('Irises');
    const page = await enter();
    const palette = page.getByRole('combobox', { name: 'Notes, agents, pages and actions' });
    const typeWord = async (word: string) => {
      await page.keyboard.press('Control+k');
      await palette.fill(word);
      await page.getByRole('option', { name: `${word} is a word` }).waitFor();
    };
    const own = page.getByRole('group', { name: /^This (agent|note|run)$/ });
    await openPage(page, at('/notes'));
    await typeWord('delete');
    expect(await own.count()).toBe(0);
    await page.route('**/api/auth/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as { memberships: { role: string }[] };
      for (const membership of session.memberships) {
        membership.role = 'viewer';
      }
      await route.fulfill({ response, json: session });
    });
    await openPage(page, at(`/notes/${id}`));
    await typeWord('history');
    await own.getByRole('option', { name: 'History of Irises' }).waitFor();
    await typeWord('delete');
    expect(await own.count()).toBe(0);
  });
});

describe('the page of a note', () => {
  it('moves it to another folder', async () => {
    const id = await write('Tulips');
    const page = await enter();
    await openPage(page, at(`/notes/${id}`));
    await page.getByRole('button', { name: 'Move…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move Tulips' });
    await dialog.getByLabel('Folder').fill('beds/south');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Note moved.').waitFor();
    expect(await readNote(id)).toMatchObject({ folder: 'beds/south' });
  });
});
