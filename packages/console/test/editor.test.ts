import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { must } from '../tools/must.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { tryAgain } from './support/try-again.ts';

const { at, agent, enter } = acmeConsole();

const notes = (): string => at('/notes');

const write = async (body: object, id: string = randomUUID()): Promise<string> => {
  await must(agent, `PUT /api/notes/${id}`, body);
  return id;
};

const read = (id: string) => must(agent, `GET /api/notes/${id}`);

const save = (page: Page) => page.getByRole('button', { name: 'Done', exact: true }).click();

/** An editor whose note was saved by another writer after it was opened. */
const openOutdated = async (): Promise<{ readonly page: Page; readonly id: string }> => {
  const id = await write({ title: 'Draft', content: 'one\n', folder: 'drafts' });
  const page = await enter();
  await openPage(page, `${notes()}/${id}/edit`);
  await page.getByLabel('Content').fill('one, by me\n');
  await write({ title: 'Final', content: 'one, by them\n', folder: 'final' }, id);
  await save(page);
  await page.getByText('Someone else saved this note first').waitFor();
  return { page, id };
};

/** The next write of a note gets this problem response. */
const refuseWrites = (page: Page) =>
  page.route('**/api/notes/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: 'about:blank',
            title: 'Bad request',
            status: 400,
            detail: 'Not today.',
            code: 'validation_failed',
          }),
        })
      : route.fallback(),
  );

const leave = (page: Page) => page.getByRole('link', { name: 'Notes', exact: true }).click();

/** Leaving has to be confirmed; stays on the page. */
const expectLeaveDialog = async (page: Page): Promise<void> => {
  await leave(page);
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toMatch(/\/edit$/);
};

describe('the editor', () => {
  it('displays and saves the note of its address, also directly after another', async () => {
    const first = await write({ title: 'First', content: 'text of the first\n' });
    const second = await write({ title: 'Second', content: 'text of the second\n' });
    const page = await enter();
    await openPage(page, `${notes()}/${first}/edit`);
    await leave(page);
    await page.getByRole('link', { name: 'Second' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Edit Second' }).waitFor();
    // Back to the editor of the first, as from the list that a long press on Back shows.
    await page.evaluate(() => history.go(-3));
    await page.waitForURL(`**${notes()}/${first}/edit`);
    await page.getByRole('heading', { name: 'Edit First' }).waitFor();
    await page.getByLabel('Content').getByText('text of the first').waitFor();
    await page.getByLabel('Content').fill('text of the first, changed\n');
    await save(page);
    await page.getByRole('heading', { name: 'First', exact: true }).waitFor();
    expect([await read(first), await read(second)]).toMatchObject([
      { title: 'First', content: 'text of the first, changed\n' },
      { title: 'Second', content: 'text of the second\n' },
    ]);
  });

  it('requires a confirmation to leave while a save is running', async () => {
    const id = await write({ title: 'Slow', content: 'x\n' });
    const page = await enter();
    await openPage(page, `${notes()}/${id}/edit`);
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route(`**/api/notes/${id}`, async (route) => {
      if (route.request().method() === 'PUT') {
        arrived.resolve();
        await released.promise;
      }
      await route.fallback();
    });
    await page.getByLabel('Content').fill('y\n');
    await save(page);
    await arrived.promise;
    await expectLeaveDialog(page);
    released.resolve();
    await page.getByRole('heading', { name: 'Slow', exact: true }).waitFor();
    expect(await read(id)).toMatchObject({ content: 'y\n' });
  });
});

describe('after someone else has saved first', () => {
  it('keeping my version keeps what I changed, and their newer title and folder', async () => {
    const { page, id } = await openOutdated();
    await page.getByText('Also changed: title, folder.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Keep your version' }).click();
    await page.getByRole('heading', { name: 'Final', exact: true }).waitFor();
    expect(await read(id)).toMatchObject({
      title: 'Final',
      folder: 'final',
      content: 'one, by me\n',
    });
  });

  it('leaving requires a confirmation, also after continuing with a text', async () => {
    const { page, id } = await openOutdated();
    await expectLeaveDialog(page);
    await page.getByRole('button', { name: 'Write it yourself' }).click();
    await page.getByLabel('Title').waitFor();
    const both = (await page.getByLabel('Content').innerText()).trim();
    expect(both).toBe('one, by them\none, by me');
    await page.getByLabel('Content').fill('one, by both\n');
    await expectLeaveDialog(page);
    expect(await page.getByLabel('Title').inputValue()).toBe('Final');
    await save(page);
    await page.getByRole('heading', { name: 'Final', exact: true }).waitFor();
    expect(await read(id)).toMatchObject({ content: 'one, by both\n', folder: 'final' });
  });

  it('has a choice for each overlap as the page of a conflict has, and keeps all else of both', async () => {
    const lines = 'one\n\nsame\n\ntwo\n\nand\n\nthree\n\nfour\n\nfive\n';
    const id = await write({ title: 'Overlap', content: lines });
    const page = await enter();
    await openPage(page, `${notes()}/${id}/edit`);
    const mine = lines.replace('one', 'one, mine').replace('three', 'three, mine');
    await page.getByLabel('Content').fill(mine.replace('five', 'five, mine'));
    const theirs = lines.replace('two', 'two, theirs').replace('three', 'three, theirs');
    await write({ title: 'Overlap', content: theirs.replace('five', 'five, theirs') }, id);
    await save(page);
    await page.getByText('0 of 2 changes chosen').waitFor();
    const done = page.getByRole('button', { name: 'Save these choices' });
    expect(await done.isDisabled()).toBe(true);
    await page.getByRole('radio', { name: 'Your version, change 1' }).check();
    await page.getByRole('radio', { name: 'Both, change 2' }).check();
    await page.getByText('2 of 2 changes chosen').waitFor();
    await expectNoAxeViolations(page);
    await done.click();
    await page.getByRole('heading', { name: 'Overlap', exact: true }).waitFor();
    await page.waitForFunction(() => !JSON.stringify(localStorage).includes('mine'));
    expect((await read(id))['content']).toBe(
      'one, mine\n\nsame\n\ntwo, theirs\n\nand\n\nthree, mine\n\nfour\n\nfive, theirs\nfive, mine\n',
    );
  });

  it('a choice survives a reload, as a text where a newer version has other changes', async () => {
    const { page, id } = await openOutdated();
    page.on('dialog', (dialog) => void dialog.accept());
    const choice = page.getByRole('radio', { name: 'Your version, change 1' });
    await choice.check();
    await page.waitForFunction(() =>
      Object.values(localStorage).some((draft) => String(draft).includes('"choices":["other"]')),
    );
    await page.reload();
    await page.getByText('1 of 1 change chosen').waitFor();
    expect(await choice.isChecked()).toBe(true);
    await write({ title: 'Final', content: 'one, again\n' }, id);
    await page.reload();
    await page.getByText('0 of 1 change chosen').waitFor();
    await page.getByLabel('Unsaved text', { exact: true }).getByText('one, by me').waitFor();
    await expectNoAxeViolations(page);
  });

  it('their version replaces mine only after a confirmation', async () => {
    const { page, id } = await openOutdated();
    const keepTheirs = page.getByRole('button', { name: /^Keep .*…$/ });
    await keepTheirs.click();
    const dialog = page.getByRole('dialog', { name: 'Discard your changes?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'Your version, change 1' }).waitFor();
    await keepTheirs.click();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByLabel('Title').waitFor();
    expect((await page.getByLabel('Content').innerText()).trim()).toBe('one, by them');
    expect(await read(id)).toMatchObject({ content: 'one, by them\n' });
  });

  it('says which title of two stays', async () => {
    const id = await write({ title: 'Named', content: 'text\n' });
    const page = await enter();
    await openPage(page, `${notes()}/${id}/edit`);
    await page.getByLabel('Title').fill('Named by me');
    await write({ title: 'Named by them', content: 'text\n' }, id);
    await save(page);
    await page
      .getByText('You both changed the title: yours, “Named by me”, replaces “Named by them”.')
      .waitFor();
    await page.getByText('The text is the same.').waitFor();
    await page.getByRole('button', { name: 'Keep your version' }).click();
    await page.getByRole('heading', { name: 'Named by me', exact: true }).waitFor();
    expect(await read(id)).toMatchObject({ title: 'Named by me', content: 'text\n' });
  });

  it.each([
    [
      'changes the same lines',
      { content: 'one, by them\n\nmiddle\n\nend\n' },
      'Someone else changed the same lines',
    ],
    [
      'adds to the text',
      { content: 'one\n\nmiddle\n\nend\n\nmore\n' },
      'Changes of someone else were added',
    ],
    ['deletes the note', null, 'This note was deleted'],
  ])('a click on Done counts while someone else %s', async (_what, theirs, notice) => {
    const id = await write({ title: 'Pressed', content: 'one\n\nmiddle\n\nend\n' });
    const page = await enter();
    await openPage(page, `${notes()}/${id}/edit`);
    await page.getByLabel('Content').fill('one, by me\n\nmiddle\n\nend\n');
    const done = page.getByRole('button', { name: 'Done', exact: true });
    await done.hover();
    await page.mouse.down();
    await (theirs
      ? write({ title: 'Pressed', ...theirs }, id)
      : must(agent, `DELETE /api/notes/${id}`));
    await page.getByText(notice).waitFor();
    const saved = page.waitForRequest((request) => request.method() === 'PUT');
    await page.mouse.up();
    expect(new URL((await saved).url()).pathname).toBe(`/api/notes/${id}`);
  });

  it('a failed save is reported', async () => {
    const { page, id } = await openOutdated();
    await refuseWrites(page);
    await page.getByRole('button', { name: 'Keep your version' }).click();
    await page.getByText('Not today.').waitFor();
    expect(await read(id)).toMatchObject({ content: 'one, by them\n' });
  });
});

/** A note and its conflict copy. */
const makeConflict = async (title: string) => {
  const id = await write({ title, content: 'base\n' });
  await write({ title, content: 'this\n' }, id);
  const note = { title, content: 'that\n' };
  const change = { mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note };
  await must(agent, 'POST /api/sync', { clientId: 'console-test', changes: [change] });
  const { items } = (await must(agent, 'GET /api/notes?conflicts=only')) as {
    readonly items: readonly { readonly id: string; readonly conflictOf: string }[];
  };
  return { id, copyId: items.find(({ conflictOf }) => conflictOf === id)?.id ?? '' };
};

describe('the page of a conflict', () => {
  it('offers no choice while the note cannot be loaded', async () => {
    const { id, copyId } = await makeConflict('Unreadable');
    const page = await enter();
    await page.route(`**/api/notes/${id}`, (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Failure',
          status: 500,
          detail: 'Out of order.',
          code: 'unexpected_failure',
        }),
      }),
    );
    await page.goto(`${notes()}/${copyId}/conflict`);
    await page.getByText('Out of order.').waitFor();
    expect(await page.getByText('The note was deleted').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Keep|Delete)/ }).count()).toBe(0);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute(`**/api/notes/${id}`);
    await tryAgain(again);
    const differences = page.getByRole('region', { name: 'Differences' });
    await differences.getByText('this', { exact: true }).first().waitFor();
    expect(await read(copyId)).toMatchObject({ content: 'that\n' });
  });

  it('keeps a change of a deleted note as a separate note, also where its title is as long as it may be', async () => {
    const { id, copyId } = await makeConflict(`Lost ${'🌿'.repeat(495)}`);
    await must(agent, `DELETE /api/notes/${id}`);
    const page = await enter();
    await openPage(page, `${notes()}/${copyId}/conflict`);
    await page.getByText('The note was deleted').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Keep as a separate note' }).click();
    await page
      .getByRole('heading', { name: /^Lost 🌿+… \(Ada’s version of \d{4}-\d\d-\d\d\)$/u })
      .waitFor();
    await page
      .getByRole('paragraph')
      .filter({ hasText: /^that$/ })
      .waitFor();
    expect((await agent('GET', `/api/notes/${copyId}`)).status).toBe(404);
  });
});
