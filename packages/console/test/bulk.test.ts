import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { acmeConsole } from './support/acme-console.ts';
import { createConflict } from './support/create-conflict.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';

const { at, agent, enter } = acmeConsole();

type Fields = { readonly folder: string; readonly title?: string; readonly tags?: string[] };

const write = async (note: Fields): Promise<string> => {
  const id = randomUUID();
  const body = { title: `Note ${id.slice(0, 8)}`, content: 'x', ...note };
  expect((await agent('PUT', `/api/notes/${id}`, { body })).status).toBe(201);
  return id;
};

/** Notes A to E of a new folder, in the order of their titles. */
const fillFolder = async (tags: string[] = []) => {
  const folder = `bulk-${randomUUID().slice(0, 8)}`;
  const ids: string[] = [];
  for (const letter of ['A', 'B', 'C', 'D', 'E']) {
    ids.push(await write({ folder, title: `${letter} of ${folder}`, tags }));
  }
  return { folder, ids, boxOf: boxIn(folder) };
};

const boxIn = (folder: string) => (page: Page, letter: string) =>
  page.getByRole('checkbox', { name: `Select ${letter} of ${folder}` });

const openFolder = async (folder: string): Promise<Page> => {
  const page = await enter();
  await page.goto(at(`/notes?folder=${folder}&sort=title`));
  await page.getByRole('checkbox', { name: `Select A of ${folder}` }).waitFor();
  return page;
};

const barOf = (page: Page) => page.getByRole('region', { name: 'Selected notes' });

type Note = {
  readonly folder: string;
  readonly tags: readonly string[];
  readonly archived: boolean;
  readonly revision: number;
};

const read = async (id: string): Promise<Note> =>
  (await agent('GET', `/api/notes/${id}`)).body as Note;

const foldersOf = async (ids: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(ids.map(read))).map(({ folder }) => folder);

describe('several notes', () => {
  it('are selected with Shift, moved to another folder, and moved back', async () => {
    const { folder, ids, boxOf } = await fillFolder();
    const page = await openFolder(folder);
    await boxOf(page, 'B').click();
    await boxOf(page, 'D').click({ modifiers: ['Shift'] });
    await barOf(page).getByText('3 notes selected').waitFor();
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
    await barOf(page).getByRole('button', { name: 'Move…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 3 notes' });
    await dialog.getByLabel('Folder').fill(`${folder}-away`);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await barOf(page).getByText('3 notes moved.').waitFor();
    const away = `${folder}-away`;
    expect(await foldersOf(ids)).toEqual([folder, away, away, away, folder]);
    await boxOf(page, 'C').waitFor({ state: 'detached' });
    await barOf(page).getByRole('button', { name: 'Undo' }).click();
    for (const letter of ['B', 'C', 'D']) {
      await boxOf(page, letter).waitFor();
    }
    expect(new Set(await foldersOf(ids))).toEqual(new Set([folder]));
  });

  it('are all selected at once, and get and lose tags, but keep their others', async () => {
    const { folder, ids } = await fillFolder(['draft', 'kept']);
    const page = await openFolder(folder);
    await page.getByRole('checkbox', { name: 'Select the notes in view' }).check();
    await barOf(page).getByRole('button', { name: 'Tag…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags of 5 notes' });
    await dialog.getByLabel('Add').fill('final');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Remove').fill('draft');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Change tags' }).click();
    await barOf(page).getByText('5 notes tagged.').waitFor();
    for (const id of ids) {
      expect((await read(id)).tags).toEqual(['final', 'kept']);
    }
  });

  it('are archived and unarchived, deleted and restored', async () => {
    const { folder, ids, boxOf } = await fillFolder();
    const page = await openFolder(folder);
    const all = page.getByRole('checkbox', { name: 'Select the notes in view' });
    await all.check();
    await barOf(page).getByRole('button', { name: 'Archive', exact: true }).click();
    await barOf(page).getByText('5 notes archived.').waitFor();
    await page.goto(at(`/notes?folder=${folder}&show=archived`));
    await all.check();
    await barOf(page).getByRole('button', { name: 'Unarchive' }).click();
    await barOf(page).getByText('5 notes unarchived.').waitFor();
    await page.goto(at(`/notes?folder=${folder}`));
    await all.check();
    await barOf(page).getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 5 notes' }).click();
    await barOf(page).getByText('5 notes deleted.').waitFor();
    await page.goto(at(`/notes?folder=${folder}&show=deleted`));
    await boxOf(page, 'A').waitFor();
    await all.check();
    await barOf(page).getByRole('button', { name: 'Restore' }).click();
    await barOf(page).getByText('5 notes restored.').waitFor();
    for (const id of ids) {
      expect(await read(id)).toMatchObject({ folder, archived: false });
    }
  });

  it('leave their conflict copies, and the confirmation says how many', async () => {
    const title = 'With a copy';
    const { id, copyId } = await createConflict(agent, title, ['tea\n', 'green\n', 'black\n']);
    const page = await enter();
    await page.goto(at('/notes'));
    await page.getByRole('checkbox', { name: `Select ${title}` }).check();
    await barOf(page).getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 1 note?' });
    await dialog.getByText('One conflict copy stays in the list').waitFor();
    await dialog.getByRole('button', { name: 'Delete 1 note' }).click();
    await barOf(page).getByText('1 note deleted.').waitFor();
    expect((await agent('GET', `/api/notes/${id}`)).status).toBe(404);
    expect((await agent('GET', `/api/notes/${copyId}`)).status).toBe(200);
  });

  it('that others changed meanwhile are named and left alone, and stay selected', async () => {
    const { folder, ids } = await fillFolder();
    const page = await openFolder(folder);
    // The list does not learn of the change.
    await page.route(/\/api\/notes(\?|\/changes)/, (route) => route.abort());
    await agent('PUT', `/api/notes/${ids[1]}`, {
      body: { title: `B of ${folder}`, content: 'by somebody else', folder },
    });
    await page.getByRole('checkbox', { name: 'Select the notes in view' }).check();
    await barOf(page).getByRole('button', { name: 'Archive', exact: true }).click();
    await barOf(page).getByText('4 notes archived. 1 failed.').waitFor();
    const failures = barOf(page).getByLabel('Notes that were not changed');
    expect(await failures.innerText()).toBe(
      `B of ${folder}: changed meanwhile, so it was left alone.`,
    );
    await expectNoAxeViolations(page);
    expect(await read(ids[1] ?? '')).toMatchObject({ archived: false, revision: 2 });
    await page.getByRole('checkbox', { name: `Select B of ${folder}`, checked: true }).waitFor();
    await page.getByRole('checkbox', { name: `Select A of ${folder}`, checked: false }).waitFor();
  });

  it('are deleted with one request, but those that others changed or deleted, and brought back but those', async () => {
    const { folder, ids } = await fillFolder();
    const page = await openFolder(folder);
    await page.route(/\/api\/notes(\?|\/changes)/, (route) => route.abort());
    await agent('PUT', `/api/notes/${ids[1]}`, {
      body: { title: `B of ${folder}`, content: 'by somebody else', folder },
    });
    expect((await agent('DELETE', `/api/notes/${ids[2]}`)).status).toBe(204);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' || request.method() === 'DELETE') {
        requests.push(new URL(request.url()).pathname);
      }
    });
    await page.getByRole('checkbox', { name: 'Select the notes in view' }).check();
    await barOf(page).getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 5 notes' }).click();
    await barOf(page).getByText('3 notes deleted. 1 already was. 1 failed.').waitFor();
    expect(requests).toEqual(['/api/sync']);
    const failures = barOf(page).getByLabel('Notes that were not changed');
    expect(await failures.innerText()).toBe(
      `B of ${folder}: changed meanwhile, so it was left alone.`,
    );
    await page.getByRole('checkbox', { name: `Select B of ${folder}`, checked: true }).waitFor();
    const statusesOf = async () =>
      Promise.all(ids.map(async (id) => (await agent('GET', `/api/notes/${id}`)).status));
    expect(await statusesOf()).toEqual([404, 200, 404, 404, 404]);
    await barOf(page).getByRole('button', { name: 'Undo' }).click();
    await barOf(page).getByText('3 notes restored.').waitFor();
    expect(await statusesOf()).toEqual([200, 200, 404, 200, 200]);
  });

  it('that were restored are deleted again by Undo, but those that others had restored before', async () => {
    const { folder, ids } = await fillFolder();
    for (const id of ids) {
      expect((await agent('DELETE', `/api/notes/${id}`)).status).toBe(204);
    }
    const page = await enter();
    await page.goto(at(`/notes?folder=${folder}&show=deleted`));
    await page.getByRole('checkbox', { name: `Select E of ${folder}` }).waitFor();
    await page.route(/\/api\/notes(\?|\/changes)/, (route) => route.abort());
    expect((await agent('POST', `/api/notes/${ids[1]}/restore`, { body: {} })).status).toBe(200);
    // The first response is lost.
    await page.route(
      `**/api/notes/${ids[0]}/restore`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('checkbox', { name: 'Select the notes in view' }).check();
    await barOf(page).getByRole('button', { name: 'Restore' }).click();
    await barOf(page).getByText('4 notes restored. 1 already was.').waitFor();
    await barOf(page).getByRole('button', { name: 'Undo' }).click();
    await barOf(page).getByText('4 notes deleted.').waitFor();
    const found = await Promise.all(ids.map((id) => agent('GET', `/api/notes/${id}`)));
    expect(found.map(({ status }) => status)).toEqual([404, 200, 404, 404, 404]);
  });

  it('can be changed with the keyboard alone', async () => {
    const { folder, ids, boxOf } = await fillFolder();
    const page = await openFolder(folder);
    await boxOf(page, 'A').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await barOf(page).getByText('2 notes selected').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Folder').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(`${folder}/below`);
    await page.keyboard.press('Enter');
    await barOf(page).getByText('2 notes moved.').waitFor();
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Selected notes',
    );
    const below = `${folder}/below`;
    expect(await foldersOf(ids)).toEqual([folder, below, below, folder, folder]);
  });
});

describe('of a list that is longer than the page', () => {
  const count = 450;
  const folder = 'bulk-long';
  const fillLong = async (into: string, total = count): Promise<void> => {
    for (const half of [0, 1]) {
      await must(agent, 'POST /api/sync', {
        clientId: `${into}-${half}`,
        changes: Array.from({ length: total / 2 }, (_, index) => ({
          mutationId: `${index}`,
          id: randomUUID(),
          op: 'put',
          baseRevision: null,
          note: { title: `Long ${half} ${index}`, content: '', folder: into },
        })),
      });
    }
  };
  const isArchived = async (archived: boolean): Promise<number> => {
    let cursor = '';
    let found = 0;
    do {
      const path = `/api/notes?folder=${folder}&archived=${archived}&limit=200${cursor}`;
      const page = await must(agent, `GET ${path}`);
      found += (page['items'] as unknown[]).length;
      const next = page['nextCursor'];
      cursor = typeof next === 'string' ? `&cursor=${next}` : '';
    } while (cursor !== '');
    return found;
  };

  it('the notes in view are selected, or all that match, which are archived and brought back', async () => {
    await fillLong(folder);
    const page = await enter();
    await page.goto(at(`/notes?folder=${folder}&sort=title`));
    await page.getByRole('checkbox', { name: 'Select Long 0 0', exact: true }).waitFor();
    const inView = page.getByRole('checkbox', { name: 'Select the notes in view' });
    await inView.click();
    const selected = barOf(page).getByText(/^\d+ notes selected$/);
    await selected.waitFor();
    const seen = await page.getByRole('checkbox', { name: /^Select Long/, checked: true }).count();
    expect(await selected.innerText()).toBe(`${seen} notes selected`);
    expect(seen).toBeLessThan(40);
    const selectAll = barOf(page).getByRole('button', { name: 'Select all that match' });
    const readings = '**/api/notes?*limit=*';
    await page.route(readings, () => undefined);
    await selectAll.click();
    await barOf(page).getByRole('button', { name: 'Stop' }).click();
    await selectAll.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unroute(readings);
    await selectAll.click();
    await barOf(page).getByText(`${count} notes selected`).waitFor();
    await expectNoAxeViolations(page);
    await barOf(page).getByRole('button', { name: 'Archive', exact: true }).click();
    await barOf(page).getByRole('progressbar', { name: 'Progress' }).waitFor();
    await barOf(page).getByText(`${count} notes archived.`).waitFor();
    expect([await isArchived(true), await isArchived(false)]).toEqual([count, 0]);
    await barOf(page).getByRole('button', { name: 'Undo' }).click();
    await barOf(page).getByText(`${count} notes unarchived.`).waitFor();
    expect([await isArchived(true), await isArchived(false)]).toEqual([0, count]);
  });

  it('the box of the header selects what is in view also where all notes are loaded', async () => {
    const loaded = 40;
    await fillLong('bulk-loaded', loaded);
    const page = await enter();
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto(at('/notes?folder=bulk-loaded&sort=title'));
    const boxes = page.getByRole('checkbox', { name: /^Select Long/ });
    await boxes.nth(loaded - 1).waitFor();
    await page.getByRole('checkbox', { name: 'Select the notes in view' }).click();
    const selected = barOf(page).getByText(/^\d+ notes selected$/);
    await selected.waitFor();
    const seen = await boxes.and(page.locator(':checked')).count();
    expect(await selected.innerText()).toBe(`${seen} notes selected`);
    expect(seen).toBeLessThan(loaded);
    await barOf(page)
      .getByRole('button', { name: `Select all ${loaded}` })
      .click();
    await barOf(page).getByText(`${loaded} notes selected`).waitFor();
  });

  it('those behind the bar of actions are not in view', async () => {
    await fillLong('bulk-phone');
    const page = await enter();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(at('/notes?folder=bulk-phone&sort=title'));
    const first = page.getByRole('checkbox', { name: 'Select Long 0 0', exact: true });
    await first.click();
    await barOf(page).getByRole('button', { name: 'Archive', exact: true }).click();
    await barOf(page).getByText('1 note archived.').waitFor();
    await barOf(page).getByText('1 note selected').waitFor({ state: 'detached' });
    // Its row leaves the list, and the others move up.
    await first.waitFor({ state: 'detached' });
    const inView = page.getByRole('checkbox', { name: 'Select the notes in view' });
    await inView.scrollIntoViewIfNeeded();
    const top = (await barOf(page).boundingBox())?.y ?? 0;
    const bottoms = await page
      .getByRole('checkbox', { name: /^Select Long/ })
      .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().bottom));
    const above = bottoms.filter((bottom) => bottom <= top).length;
    expect(bottoms.filter((bottom) => bottom <= 844).length).toBeGreaterThan(above);
    await inView.click();
    const selected = barOf(page).getByText(/^\d+ notes selected$/);
    await selected.waitFor();
    expect(await selected.innerText()).toBe(`${above} notes selected`);
  });
});

describe('the columns of the notes', () => {
  it('sort them by title and by time, in both directions, and say so', async () => {
    const { folder } = await fillFolder();
    const page = await enter();
    await page.goto(at(`/notes?folder=${folder}`));
    const titles = page.getByRole('link', { name: new RegExp(` of ${folder}$`) });
    const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const letters = async () => (await titles.allInnerTexts()).map((text) => text[0]).join('');
    await titles.first().waitFor();
    expect(await letters()).toBe('EDCBA');
    expect(await header('Changed').getAttribute('aria-sort')).toBe('descending');
    const sortBy = async (name: string, order: string, expected: string) => {
      await header(name).getByRole('button').focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(
        ([text, first]) => document.querySelector('tbody a')?.textContent === `${first} of ${text}`,
        [folder, expected[0]],
      );
      expect(await letters()).toBe(expected);
      expect(await header(name).getAttribute('aria-sort')).toBe(order);
      expect(await header(name).getByRole('button').evaluate(isFocused)).toBe(true);
    };
    await sortBy('Title', 'ascending', 'ABCDE');
    await sortBy('Title', 'descending', 'EDCBA');
    await sortBy('Title', 'ascending', 'ABCDE');
    await sortBy('Changed', 'descending', 'EDCBA');
    await sortBy('Changed', 'ascending', 'ABCDE');
    await page.reload();
    await titles.first().waitFor();
    expect(await letters()).toBe('ABCDE');
    expect(await header('Title').getAttribute('aria-sort')).toBe('none');
  });
});

const isFocused = (element: Element): boolean => element === document.activeElement;
