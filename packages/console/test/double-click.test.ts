import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage, waitUntilIdle } from '../tools/wait-until-idle.ts';
import { detailOf, proposalsConsole } from './support/proposals-console.ts';

const { at, enter, another, write, inbox } = proposalsConsole();

/** Collects the requests that change something, from now on. */
const changesOf = (page: Page): readonly string[] => {
  const changes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/notes')) {
      changes.push(request.method());
    }
  });
  return changes;
};

describe('a double click does once', () => {
  it('what a confirmation confirms', async () => {
    const id = await write('Deleted once');
    const page = await enter();
    await openPage(page, at(`/notes/${id}`));
    const changes = changesOf(page);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete note' }).dblclick();
    await page.getByText(/^Deleted by /).waitFor();
    await waitUntilIdle(page);
    expect(changes).toEqual(['DELETE']);
  });

  it('what a form sends', async () => {
    const page = await enter();
    await openPage(page, at('/notes/new'));
    const changes = changesOf(page);
    await page.getByLabel('Title').fill('Created once');
    await page.getByRole('button', { name: 'Done' }).dblclick();
    await page.getByRole('heading', { name: 'Created once', level: 1 }).waitFor();
    await waitUntilIdle(page);
    expect(changes).toHaveLength(1);
  });

  it('what is decided about a proposal', async () => {
    const by = await another('Twice');
    await by.edit(await write('Earlier'), ['two', '2']);
    await by.edit(await write('Later'), ['two', '2']);
    const page = await enter();
    await openPage(page, inbox(by));
    const accept = detailOf(page, 'Later').getByRole('button', { name: 'Accept', exact: true });
    await accept.waitFor();
    const changes = changesOf(page);
    await accept.dblclick();
    await page.getByText('Accepted: Later, revision 2.').waitFor();
    await waitUntilIdle(page);
    expect(changes).toEqual(['POST']);
  });
});
