import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { acmeConsole } from './support/acme-console.ts';
import { must } from '../tools/must.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { createConflict } from './support/create-conflict.ts';

const { at, agent, enter } = acmeConsole();

const notes = (): string => at('/notes');

const write = async (body: object): Promise<string> => {
  const id = randomUUID();
  expect((await agent('PUT', `/api/notes/${id}`, { body })).status).toBe(201);
  return id;
};

const contentOf = async (id: string): Promise<unknown> =>
  ((await agent('GET', `/api/notes/${id}`)).body as { content: unknown }).content;

describe('the list', () => {
  it('displays new notes live, and finds them by full text, also while a word is typed', async () => {
    const page = await enter();
    await page.goto('/');
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
    await write({ title: 'Written meanwhile', content: 'about zeppelins', tags: ['air'] });
    await page.getByRole('link', { name: 'Written meanwhile' }).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('zeppelins');
    await page.waitForURL(/q=zeppelins/);
    await page.locator('mark', { hasText: 'zeppelins' }).waitFor();
    await page.getByRole('link', { name: 'Written meanwhile' }).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('nothingofthekind');
    await page.getByText('No matching notes').waitFor();
    expect(await page.getByRole('link', { name: 'Written meanwhile' }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Search' }).fill('zeppel');
    await page.waitForURL(/q=zeppel(?:&|$)/);
    await page.getByRole('link', { name: 'Written meanwhile' }).waitFor();
  });

  it('leads from a search without a match to the same among archived notes', async () => {
    const id = await write({ title: 'Sundials', content: 'about gnomons' });
    await agent('PUT', `/api/notes/${id}`, {
      body: { title: 'Sundials', content: 'about gnomons', archived: true },
    });
    const page = await enter();
    await page.goto(`${notes()}?q=gnomons`);
    await page.getByText('No matching notes').waitFor();
    await page.getByRole('link', { name: 'Look among archived notes' }).click();
    await page.getByRole('link', { name: 'Sundials' }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=gnomons&show=archived');
  });

  it('says that a search lacks notes that are still being indexed, and repeats it until it has them', async () => {
    await write({ title: 'Tide table', content: 'about moonrises' });
    const page = await enter();
    await page.route(
      ({ pathname, searchParams }) =>
        pathname === '/api/notes' && searchParams.get('q') === 'moonrises',
      (route) => route.fulfill({ json: { items: [], nextCursor: null, isComplete: false } }),
    );
    await page.goto(`${notes()}?q=moonrises`);
    await page.getByText('Notes are still being indexed, so some may be missing.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('link', { name: 'Tide table' }).waitFor();
    expect(await page.getByText('still being indexed').count()).toBe(0);
  });

  it('says of a search how many notes it found, in which order, and whether they have all words', async () => {
    await write({ title: 'Altitudes', content: 'about barometers' });
    await write({ title: 'Weather', content: 'more barometers' });
    const page = await enter();
    await page.goto(`${notes()}?q=barometers`);
    await page.getByText('2 notes. A search lists the best match first.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('textbox', { name: 'Search' }).fill('barumeters');
    await page.getByText('Showing barometers instead of barumeters. 2 notes.').waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('barometers undecipherable');
    await page.getByText('No note has all of these words. 2 notes have some of them').waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('-barometers');
    await page.getByText('These are not ranked: those changed last are first.').waitFor();
  });
});

describe('the list during its first load', () => {
  it('displays what is written before the response arrives', async () => {
    const page = await enter();
    const title = 'Written before the first response';
    const responded = Promise.withResolvers<void>();
    await page.route(
      ({ pathname, searchParams }) =>
        pathname === '/api/notes' && searchParams.get('pinned') !== 'true',
      async (route) => {
        const response = await route.fetch();
        await write({ title, content: 'an earlier response does not have it' });
        // Long enough for the page to receive the change event.
        await page.waitForTimeout(2_000);
        await route.fulfill({ response });
        responded.resolve();
      },
      { times: 1 },
    );
    await page.goto(notes());
    await responded.promise;
    const link = page.getByRole('link', { name: title });
    await link.waitFor();
    expect(await link.count()).toBe(1);
  });
});

describe('a note', () => {
  it('is created, edited and rendered safely with hostile content', async () => {
    const page = await enter();
    await page.goto(`${notes()}/new`);
    await page.getByLabel('Title').fill('Hostile');
    await page
      .getByLabel('Content')
      .fill(
        '# Heading of it\n\n<script>document.title = "owned"</script>\n<img src=x onerror="document.title=\'owned\'">\n\n[click](javascript:alert(1)) ![p](https://example.org/p.png)\n',
      );
    await page.getByRole('button', { name: 'Done' }).click();
    // The preview of the editor shows the heading, too: the title is the page's.
    await page.getByRole('heading', { name: 'Hostile', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Heading of it' }).waitFor();
    expect(await page.title()).toContain('Hostile');
    expect(await page.locator('main script, main img').count()).toBe(0);
    const hrefs = await page
      .locator('main a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(hrefs.filter((href) => /^\s*(javascript|data):/i.test(href))).toEqual([]);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Tamed');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Tamed', exact: true }).waitFor();
  });

  it('edited by two operators at once displays both changes to the second, and loses neither', async () => {
    const id = await write({ title: 'Shared', content: 'one\ntwo\nthree\n' });
    const [first, second] = [await enter(), await enter()];
    for (const page of [first, second]) {
      await page.goto(`${notes()}/${id}/edit`);
      await page.getByLabel('Content').waitFor();
    }
    await second.getByLabel('Content').fill('one, by the second\ntwo\nthree\n');
    await first.getByLabel('Content').fill('one, by the first\ntwo\nthree\n');
    await first.getByRole('button', { name: 'Done' }).click();
    await first.getByRole('heading', { name: 'Shared' }).waitFor();
    await second.getByText('Someone else changed the same lines').waitFor();
    await expectNoAxeViolations(second);
    await second.getByRole('button', { name: 'Done' }).click();
    await second.getByText('Someone else saved this note first').waitFor();
    await expectNoAxeViolations(second);
    const differences = await second.getByRole('region', { name: 'Differences' }).innerText();
    expect(differences).toContain('one, by the first');
    expect(differences).toContain('one, by the second');
    await second.getByRole('button', { name: 'Write it yourself' }).click();
    await second.getByLabel('Content').fill('one, by the first and the second\ntwo\nthree\n');
    await second.getByRole('button', { name: 'Done' }).click();
    await second.getByRole('heading', { name: 'Shared', exact: true }).waitFor();
    expect(await contentOf(id)).toBe('one, by the first and the second\ntwo\nthree\n');
  });

  it('has a history with diffs, and old revisions can be restored', async () => {
    const id = await write({ title: 'Versions', content: 'first\n' });
    await agent('PUT', `/api/notes/${id}`, { body: { title: 'Versions', content: 'second\n' } });
    const page = await enter();
    await page.goto(`${notes()}/${id}`);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Show changes of revision 2' }).click();
    const diff = page.getByLabel('Changes of revision 2', { exact: true });
    await page.getByText('+ second').waitFor();
    expect(await diff.textContent()).toContain('- first');
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Restore revision 1' }).press('Enter');
    // Under the pointer the message does not close by itself.
    await page.getByText('Revision 1 was restored as revision 3.').hover();
    await page.getByRole('heading', { name: 'Revision 3' }).waitFor();
    await page.getByText(', restored from revision 1').waitFor();
    // Where one was, not at the beginning of the page.
    await page.locator('button:focus').and(page.getByLabel('Restore revision 1')).waitFor();
    expect(await contentOf(id)).toBe('first\n');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The note is as before revision 3.').waitFor();
    await page.getByRole('heading', { name: 'Revision 4' }).waitFor();
    expect(await contentOf(id)).toBe('second\n');
    await page.getByRole('button', { name: 'Restore revision 2' }).click();
    await page.getByText('The note is as revision 2 already.').waitFor();
  });

  it('is not restored over a newer version than its history shows, which follows the changes of others', async () => {
    const id = await write({ title: 'Overtaken', content: 'first\n' });
    const change = (content: string) =>
      agent('PUT', `/api/notes/${id}`, { body: { title: 'Overtaken', content } });
    await change('second\n');
    const page = await enter();
    const revisions = /\/revisions(\?|$)/;
    const stale = await agent('GET', `/api/notes/${id}/revisions`);
    await page.route(revisions, (route) => route.fulfill({ json: stale.body }));
    await page.goto(`${notes()}/${id}/history`);
    await page.getByRole('heading', { name: 'Revision 2' }).waitFor();
    await change('third\n');
    await page.getByRole('button', { name: 'Restore revision 1' }).click();
    await page.getByText('The note has changed since, so nothing was restored.').waitFor();
    expect(await contentOf(id)).toBe('third\n');
    await page.unroute(revisions);
    await change('fourth\n');
    await page.getByRole('heading', { name: 'Revision 4' }).waitFor();
    await page.getByRole('button', { name: 'Restore revision 1' }).click();
    await page.getByText('Revision 1 was restored as revision 5.').waitFor();
    expect(await contentOf(id)).toBe('first\n');
  });

  it('is deleted after a confirmation; its page says what it was and who deleted it, and restores it', async () => {
    const id = await write({ title: 'Short-lived', content: 'x', folder: 'cellar/fleeting' });
    const page = await enter();
    await page.goto(`${notes()}/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete note' }).click();
    await page.getByText(/^Deleted by /).waitFor();
    await page.getByRole('heading', { name: 'Short-lived', level: 1 }).waitFor();
    const path = page.getByRole('main').getByRole('link', { name: 'fleeting' });
    expect(await path.isVisible()).toBe(true);
    expect(await page.getByText('out of date').count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    expect(await contentOf(id)).toBe('x');
  });

  it('that was deleted is restored from what says so, also on another page', async () => {
    const id = await write({ title: 'Deleted too soon', content: 'x', folder: 'cellar/fleeting' });
    const page = await enter();
    await page.goto(`${notes()}/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete note' }).click();
    await page.getByRole('link', { name: 'Back to notes' }).click();
    await page.waitForURL(/\/notes\?folder=cellar(?:%2F|\/)fleeting$/);
    const said = page.getByRole('alert').filter({ hasText: 'Deleted: Deleted too soon' });
    await said.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Deleted too soon' }).waitFor();
    await said.waitFor({ state: 'detached' });
    expect(await contentOf(id)).toBe('x');
  });

  it.each(['restored', 'restored and deleted again'])(
    'that was deleted, and %s by another user since, is left alone by Undo',
    async (fate) => {
      const id = await write({ title: 'Contested', content: 'x' });
      const page = await enter();
      await page.goto(`${notes()}/${id}`);
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('button', { name: 'Delete note' }).click();
      const said = page.getByRole('alert').filter({ hasText: 'Deleted: Contested' });
      // Under the pointer it does not close by itself.
      await said.hover();
      await must(agent, `POST /api/notes/${id}/restore`, {});
      if (fate !== 'restored') {
        await agent('DELETE', `/api/notes/${id}`);
      }
      await said.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Contested has changed since, so it was left alone.').waitFor();
      const { status } = await agent('GET', `/api/notes/${id}`);
      expect(status).toBe(fate === 'restored' ? 200 : 404);
    },
  );

  it('that could not be restored is said to be so after its page was left', async () => {
    const id = await write({ title: 'Left early', content: 'first\n' });
    await agent('PUT', `/api/notes/${id}`, { body: { title: 'Left early', content: 'second\n' } });
    const page = await enter();
    const left = Promise.withResolvers<void>();
    await page.route(`**/api/notes/${id}/restore`, async (route) => {
      await left.promise;
      const json = { type: 'about:blank', title: 'No', code: 'role_insufficient', status: 403 };
      return route.fulfill({ status: 403, json: { ...json, detail: 'Not restored.' } });
    });
    await page.goto(`${notes()}/${id}/history`);
    await page.getByRole('button', { name: 'Restore revision 1' }).click();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    left.resolve();
    await page.getByText('An action failed: Not restored.').waitFor();
    expect(await contentOf(id)).toBe('second\n');
  });
});

describe('a conflict', () => {
  it('is displayed side by side, and resolved by a choice', async () => {
    const id = await write({ title: 'Disputed', content: 'base\n' });
    await agent('PUT', `/api/notes/${id}`, { body: { title: 'Disputed', content: 'this\n' } });
    const note = { title: 'Disputed', content: 'that\n' };
    await agent('POST', '/api/sync', {
      body: {
        clientId: 'console-test',
        changes: [{ mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note }],
      },
    });
    const page = await enter();
    await page.goto(`${notes()}?show=conflicts`);
    await page.getByRole('link', { name: 'Disputed' }).click();
    const differences = page.getByRole('region', { name: 'Differences' });
    await differences.getByText('this', { exact: true }).first().waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: /^Keep .*’s unmerged version$/ }).click();
    await page.getByRole('link', { name: 'History' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${notes()}/${id}`);
    await page.getByText('that', { exact: true }).waitFor();
    expect(await contentOf(id)).toBe('that\n');
  });

  it('opened by the address of its note is the same, and a note without one says so', async () => {
    const { id, copyId } = await createConflict(agent, 'By its note', ['base', 'this', 'that']);
    const page = await enter();
    await page.goto(`${notes()}/${id}/conflict`);
    await page.waitForURL(`**/${copyId}/conflict`);
    await page.getByRole('button', { name: /^Keep .*’s unmerged version$/ }).click();
    await page.getByRole('link', { name: 'History' }).waitFor();
    await page.goto(`${notes()}/${id}/conflict`);
    await page.getByText('No open conflict').waitFor();
    expect(await page.getByRole('button', { name: /^Keep|^Save/ }).count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.goto(`${notes()}/${copyId}/conflict`);
    await page.getByText(/^This conflict is resolved: .* the version that Ada wrote /).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.waitForURL(`**/${copyId}/history`);
  });

  it('that is one of several of a note is chosen by its author', async () => {
    const { id } = await createConflict(agent, 'Twice in conflict', ['base', 'this', 'that']);
    const note = { title: 'Twice in conflict', content: 'and that' };
    const change = { mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note };
    await must(agent, 'POST /api/sync', { clientId: 'console-test', changes: [change] });
    const page = await enter();
    await page.goto(`${notes()}/${id}/conflict`);
    const others = page.getByRole('link', { name: 'Compare and resolve' });
    await others.nth(1).waitFor();
    expect(await others.count()).toBe(2);
    await others.nth(1).click();
    const differences = page.getByRole('region', { name: 'Differences' });
    await differences.getByText('and that', { exact: true }).first().waitFor();
  });
});

it('a background synchronisation is displayed until it has finished', async () => {
  const note = { title: 'By a job', content: 'x' };
  const changes = [{ mutationId: randomUUID(), id: randomUUID(), op: 'put', note }];
  const body = { clientId: 'console-test', mode: 'background', changes };
  const { jobId } = (await agent('POST', '/api/sync', { body })).body as { jobId: string };
  const page = await enter();
  await page.goto(notes());
  await page.getByRole('link', { name: 'Sync jobs' }).click();
  const row = page.getByRole('row').filter({ hasText: jobId.slice(-8) });
  await row.getByText('Ada').waitFor();
  expect(await row.getByText('console-test').isVisible()).toBe(true);
  await expectNoAxeViolations(page);
  await row.getByRole('link').click();
  await page.getByText('Ordered by Ada from the client console-test').waitFor();
  await page.getByRole('link', { name: 'All jobs' }).click();
  await row.waitFor();
  await page.getByLabel('Job ID').fill(jobId);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('succeeded').waitFor();
  expect(await page.getByText('1 of 1 changes').isVisible()).toBe(true);
  await expectNoAxeViolations(page);
});

describe('the folders', () => {
  it('are a tree beside the notes, and a path on each note', async () => {
    await write({ title: 'Deep one', content: 'x', folder: 'shelf/upper/left' });
    const page = await enter();
    await page.goto(notes());
    const folders = page.getByRole('navigation', { name: 'Folders' });
    const all = folders.getByRole('link', { name: 'All notes' });
    await folders.getByRole('link', { name: 'shelf 1 note' }).waitFor();
    expect(await all.getAttribute('aria-current')).toBe('page');
    expect(await folders.getByText('incl. archived').isVisible()).toBe(true);
    await folders.getByRole('link', { name: 'shelf 1 note' }).click();
    await folders.getByRole('link', { name: 'upper' }).click();
    await page.waitForURL(/folder=shelf(?:%2F|\/)upper$/);
    await write({ title: 'Another one', content: 'x', folder: 'shelf', archived: true });
    await folders.getByRole('link', { name: 'shelf 2 notes' }).waitFor();
    await page.getByRole('link', { name: 'Deep one' }).click();
    await page.getByRole('heading', { name: 'Deep one' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'shelf' }).click();
    await page.waitForURL(/folder=shelf$/);
    await page.getByRole('link', { name: 'Deep one' }).waitFor();
    expect(await folders.getByRole('link', { name: 'shelf' }).getAttribute('aria-current')).toBe(
      'page',
    );
    expect(await all.getAttribute('aria-current')).toBeNull();
  });

  it('are renamed and moved with all that is in them, and back', async () => {
    const old = `manual-${randomUUID().slice(0, 8)}`;
    const renamed = `guides/${old}`;
    await write({ title: 'Top', folder: old });
    await write({ title: 'Far below', folder: `${old}/deep/er` });
    await write({ title: 'Archived', folder: old, archived: true });
    await write({ title: 'Beside', folder: `${old}-beside` });
    const { id, copyId } = await createConflict(agent, 'In both', ['base', 'this', 'that']);
    const edits = [{ op: 'set', folder: old }];
    for (const each of [id, copyId]) {
      expect((await agent('PATCH', `/api/notes/${each}`, { body: { edits } })).status).toBe(200);
    }
    const foldersOf = async (folder: string): Promise<string[]> => {
      const { body } = await agent('GET', `/api/notes?folder=${folder}`);
      const { items } = body as { readonly items: readonly { readonly folder: string }[] };
      return items.map((note) => note.folder).toSorted();
    };
    const page = await enter();
    await page.goto(`${notes()}?folder=${old}`);
    await page.getByRole('button', { name: 'Rename folder…' }).click();
    const dialog = page.getByRole('dialog', { name: `Rename or move ${old}` });
    await dialog.getByLabel('Folder').fill(renamed);
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Move' }).click();
    const bar = page.getByRole('region', { name: 'Change of notes' });
    await bar.getByText('5 notes moved.').waitFor();
    await page.waitForURL((url) => url.searchParams.get('folder') === renamed);
    await page.getByRole('link', { name: 'Far below' }).waitFor();
    expect(await foldersOf(old)).toEqual([]);
    expect(await foldersOf(renamed)).toEqual([
      ...Array.from({ length: 4 }, () => renamed),
      `${renamed}/deep/er`,
    ]);
    expect(await foldersOf(`${old}-beside`)).toEqual([`${old}-beside`]);
    await bar.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Far below' }).waitFor({ state: 'detached' });
    await bar.getByText('5 notes moved.').waitFor();
    expect(await foldersOf(renamed)).toEqual([]);
    expect(await foldersOf(old)).toEqual([
      ...Array.from({ length: 4 }, () => old),
      `${old}/deep/er`,
    ]);
  });

  it('stay where they are if the dialog is closed while their notes are read', async () => {
    const folder = `kept-${randomUUID().slice(0, 8)}`;
    const id = await write({ title: 'Stays', folder });
    const page = await enter();
    await page.goto(`${notes()}?folder=${folder}`);
    await page.getByRole('button', { name: 'Rename folder…' }).click();
    const dialog = page.getByRole('dialog', { name: `Rename or move ${folder}` });
    await dialog.getByLabel('Folder').fill('elsewhere');
    const readings = '**/api/notes?*sort=createdAt*';
    const reading = page.waitForRequest(readings);
    await page.route(readings, () => undefined);
    const stopped = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('sort=createdAt'),
    );
    await dialog.getByRole('button', { name: 'Move' }).click();
    await reading;
    await page.keyboard.press('Escape');
    await stopped;
    await dialog.waitFor({ state: 'detached' });
    const { body } = await agent('GET', `/api/notes/${id}`);
    expect(body).toMatchObject({ folder, revision: 1 });
  });
});

describe('pinned notes', () => {
  it('are listed first, and leaving an editor with changes requires a confirmation', async () => {
    await write({ title: 'Keep in view', content: 'x', pinned: true });
    const page = await enter();
    await page.goto(notes());
    const pinned = page.getByRole('region', { name: 'Pinned notes' });
    await pinned.getByRole('link', { name: 'Keep in view' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Content').fill('half a thou');
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Content').innerText()).toBe('half a thou');
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await pinned.waitFor();
    expect(new URL(page.url()).pathname).toBe(notes());
  });
});
