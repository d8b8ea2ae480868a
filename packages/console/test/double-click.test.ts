import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
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

/** Enter, pressed twice before the device has rendered anything of the first. */
const pressTwice = (button: Locator): Promise<void> =>
  button.evaluate((element) => {
    for (let presses = 0; presses < 2; presses += 1) {
      (element as HTMLButtonElement).click();
    }
  });

describe('Enter that is pressed twice on a slow device does once', () => {
  const postsOf = (page: Page): readonly string[] => {
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' || request.method() === 'DELETE') {
        posts.push(new URL(request.url()).pathname.split('/').at(-1) ?? '');
      }
    });
    return posts;
  };

  it('what the form of a dialog makes', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    const posts = postsOf(page);
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByLabel('Name').fill('Hired once');
    await page.getByLabel('Role').fill('clerk');
    await pressTwice(page.getByRole('button', { name: 'Create agent' }));
    await page.getByRole('heading', { name: 'Hired once', level: 1 }).waitFor();
    expect(posts).toEqual(['agents']);
    await openPage(page, at('/agents?q=Hired+once'));
    expect(await page.getByRole('row', { name: /Hired once/ }).count()).toBe(1);
  });

  it('what the form of a page makes', async () => {
    const page = await enter();
    await openPage(page, '/companies/new');
    const posts = postsOf(page);
    await page.getByLabel('Name').fill('Founded once');
    await pressTwice(page.getByRole('main').getByRole('button', { name: /^Create/ }));
    await page.waitForURL('**/begin');
    expect(posts).toEqual(['companies']);
  });

  it('what a button begins', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    await page.getByRole('link', { name: 'Ada', exact: true }).click();
    await page.getByRole('tab', { name: 'Keys' }).click();
    await page
      .getByRole('button', { name: /^Rotate / })
      .first()
      .click();
    const posts = postsOf(page);
    await pressTwice(page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }));
    await page.getByText('Copy the key now. It will not be shown again.').waitFor();
    expect(posts).toEqual(['rotate']);
  });

  it('what a form sends again after it was refused', async () => {
    const page = await enter();
    await openPage(page, at('/members'));
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.route('**/invites', async (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, body: 'broken' })
        : route.fallback(),
    );
    const create = page.getByRole('button', { name: 'Create invite' });
    await page.getByLabel('Email').fill(`${randomUUID()}@example.org`);
    await pressTwice(create);
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.unroute('**/invites');
    const posts = postsOf(page);
    await pressTwice(create);
    await page.getByRole('group', { name: 'Invite link' }).waitFor();
    expect(posts).toEqual(['invites']);
  });

  it('what a confirmation confirms', async () => {
    const id = await write('Confirmed once');
    const page = await enter();
    await openPage(page, at(`/notes/${id}`));
    const changes = changesOf(page);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await pressTwice(page.getByRole('dialog').getByRole('button', { name: 'Delete note' }));
    await page.getByText(/^Deleted by /).waitFor();
    await waitUntilIdle(page);
    expect(changes).toEqual(['DELETE']);
  });
});
