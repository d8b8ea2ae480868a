import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { acmeConsole } from './support/acme-console.ts';
import { fillLogin } from './support/sign-in.ts';
import { board } from './support/start-console.ts';

const { agent, openEditor } = acmeConsole();

const content = (page: Page) => page.getByRole('textbox', { name: 'Content', exact: true });

const read = async (id: string): Promise<unknown> =>
  (await must(agent, `GET /api/notes/${id}`))['content'];

/** Holds what a page loads of its code from now on. Returns what lets it through. */
const holdCode = async (page: Page): Promise<() => void> => {
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/**', async (route) => {
    await held.promise;
    await route.fallback();
  });
  return held.resolve;
};

/** Inserts a text at the cursor as soon as the page has the address of the note. */
const writeOnceAddressed = (page: Page, text: string): Promise<void> =>
  page.evaluate((words) => {
    const timer = setInterval(() => {
      if (!location.pathname.endsWith('/edit')) {
        clearInterval(timer);
        // Nothing else edits as a keyboard does.
        document.execCommand('insertText', false, words);
        document.body.dataset['written'] = 'true';
      }
    }, 1);
  }, text);

const untilStored = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());

describe('what is written while a saved note is left', () => {
  it('is back in the editor, as a draft of the version that was saved', async () => {
    const id: string = randomUUID();
    await must(agent, `PUT /api/notes/${id}`, { title: 'Left', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    const release = await holdCode(page);
    await content(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('zero, ');
    await page.keyboard.press('Control+End');
    await writeOnceAddressed(page, 'two');
    // As by a click, but the cursor stays in the text.
    await page
      .getByRole('button', { name: 'Done', exact: true })
      .evaluate((button: HTMLButtonElement) => button.click());
    await page.waitForFunction(() => 'written' in document.body.dataset);
    release();
    await page.getByText('Your unsaved draft is back').waitFor();
    expect(await content(page).innerText()).toBe('zero, one\ntwo');
    expect(await read(id)).toBe('zero, one\n');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Left', exact: true }).waitFor();
    expect(await read(id)).toBe('zero, one\ntwo');
  });

  it('leaves nothing behind where nothing is written', async () => {
    const id: string = randomUUID();
    await must(agent, `PUT /api/notes/${id}`, { title: 'Left as it was', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('two\n');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('two'));
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Left as it was', exact: true }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('two');
    expect(page.url()).toContain(id);
    expect(page.url()).not.toContain('/edit');
  });
});

const idOf = (address: string): string => /notes\/([0-9a-f-]{36})/.exec(address)?.[1] ?? '';

describe('a new note that is saved for the first time', () => {
  it('stays in its editor as it is: what is typed meanwhile, the cursor, undo', async () => {
    const page = await openEditor('/notes/new');
    await page.getByLabel('Title').fill('Saved while typing');
    await content(page).click();
    await page.keyboard.type('one');
    const stored = untilStored(page);
    await page.keyboard.press('Control+s');
    await page.keyboard.type(', two');
    await stored;
    await page.keyboard.type(', three');
    await page.getByRole('heading', { name: 'Edit Saved while typing' }).waitFor();
    await page.keyboard.type(', four');
    await page.keyboard.press('Control+z');
    expect(await content(page).innerText()).not.toContain('four');
    await page.keyboard.press('Control+y');
    expect(await content(page).innerText()).toBe('one, two, three, four');
    expect(await page.getByText('Your unsaved draft is back').count()).toBe(0);
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Saved while typing', exact: true }).waitFor();
    expect(await read(idOf(page.url()))).toBe('one, two, three, four');
  });

  it('keeps the focus in the title, where letters are no shortcuts', async () => {
    const page = await openEditor('/notes/new');
    await page.getByLabel('Title').click();
    await page.keyboard.type('Gn');
    const stored = untilStored(page);
    await page.keyboard.press('Control+s');
    await page.keyboard.type(' gn cats');
    await stored;
    await page.getByRole('heading', { name: 'Edit Gn' }).waitFor();
    await page.keyboard.type(' gn');
    expect(await page.getByLabel('Title').inputValue()).toBe('Gn gn cats gn');
  });

  it('is at its own address: for a reload, with a draft of what came since, and for the way back', async () => {
    const page = await openEditor('/notes/new');
    await page.getByLabel('Title').fill('Addressed');
    await content(page).fill('one');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Edit Addressed' }).waitFor();
    const address = page.url();
    expect(address).toContain(`/notes/${idOf(address)}/edit`);
    await content(page).fill('one, two');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Your unsaved draft is back').waitFor();
    expect(await content(page).innerText()).toBe('one, two');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Addressed', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Edit Addressed' }).waitFor();
    expect(page.url()).toBe(address);
  });

  it('is that of the next page after a session that has ended', async () => {
    const page = await openEditor('/notes/new');
    await page.getByLabel('Title').fill('Signed out');
    await content(page).fill('one');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Edit Signed out' }).waitFor();
    await content(page).fill('one, later');
    await page.context().clearCookies();
    const { pathname } = new URL(page.url());
    await page.getByRole('button', { name: 'Leave this page' }).click();
    await page.waitForURL('**/login?next=**');
    expect(new URL(page.url()).searchParams.get('next')).toBe(pathname);
    await fillLogin(page, board);
    await content(page).getByText('one, later').waitFor();
    expect(await read(idOf(page.url()))).toBe('one');
  });

  it('goes on with what others write of it', async () => {
    const page = await openEditor('/notes/new');
    await page.getByLabel('Title').fill('Shared at once');
    await content(page).fill('one\n\nmiddle\n\nend');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Edit Shared at once' }).waitFor();
    await must(agent, `PATCH /api/notes/${idOf(page.url())}`, {
      edits: [{ op: 'append', text: 'theirs' }],
    });
    await content(page).getByText('theirs').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Shared at once', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Edit Shared at once' }).waitFor();
    expect(await page.getByText('Your unsaved draft is back').count()).toBe(0);
  });

  it('by itself, once the server is back, loses nothing that is typed meanwhile', async () => {
    const page = await openEditor('/notes/new');
    await page.getByLabel('Title').fill('Saved by itself');
    await content(page).fill('one');
    await page.route('**/api/notes/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByText('It is saved by itself once the server responds.').waitFor();
    const release = await holdCode(page);
    await content(page).click();
    await page.keyboard.press('Control+End');
    const stored = untilStored(page);
    await page.unroute('**/api/notes/*');
    await stored;
    await page.keyboard.type(', two');
    release();
    await page.getByRole('heading', { name: 'Edit Saved by itself' }).waitFor();
    await page.keyboard.type(', three');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Saved by itself', exact: true }).waitFor();
    expect(await read(idOf(page.url()))).toBe('one, two, three');
  });
});

describe('a new note that was stored without a response', () => {
  /** Lets writes of notes through, and their responses to nobody. */
  const loseResponses = (page: Page) =>
    page.route('**/api/notes/*', async (route) => {
      if (route.request().method() === 'PUT') {
        await route.fetch();
        await route.abort();
      } else {
        await route.fallback();
      }
    });

  const saveLost = async (page: Page, title: string): Promise<string> => {
    await page.getByLabel('Title').fill(title);
    await content(page).fill('one\n\nmiddle\n\nend');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await loseResponses(page);
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    const id = new URL((await sent).url()).pathname.split('/').at(-1) ?? '';
    await page.getByText('Nothing is lost').waitFor();
    return id;
  };

  const countOf = async (title: string): Promise<number> => {
    const { items } = await must(agent, `GET /api/notes?q="${title}"`);
    return (items as readonly { readonly title: string }[]).filter((note) => note.title === title)
      .length;
  };

  it('is that note also in another tab that has its first address, and no empty one', async () => {
    const first = await openEditor('/notes/new');
    const address = first.url();
    await first.getByLabel('Title').fill('Saved in the first tab');
    const second = await first.context().newPage();
    await second.goto(address);
    await second.getByText('This new note is being edited in another tab').waitFor();
    await first.getByRole('button', { name: 'Done', exact: true }).click();
    const heading = { name: 'Saved in the first tab', exact: true };
    await first.getByRole('heading', heading).waitFor();
    await second.bringToFront();
    await second.getByRole('heading', heading).waitFor();
    expect(new URL(second.url()).pathname).toBe(new URL(first.url()).pathname);
    const third = await first.context().newPage();
    await third.goto(address);
    await third.getByRole('heading', heading).waitFor();
  });

  it('stays in its editor as it is saved, also where that was loaded again before anything was written', async () => {
    const page = await openEditor('/notes/new');
    await page.reload();
    await content(page).waitFor();
    await page.getByLabel('Title').fill('Begun after a reload');
    await page.getByLabel('Title').press('Control+s');
    await page.getByRole('heading', { name: 'Edit Begun after a reload' }).waitFor();
    await page.keyboard.type('!');
    expect(await page.getByLabel('Title').inputValue()).toBe('Begun after a reload!');
  });

  it('is another one for each who gets its address, in the same folder', async () => {
    const id = crypto.randomUUID();
    const page = await openEditor(`/notes/new?folder=plans&draft=${id}`);
    expect(new URL(page.url()).searchParams.get('draft')).not.toBe(id);
    expect(await page.getByLabel('Folder').inputValue()).toBe('plans');
  });

  it('is that note after a reload, and no second one', async () => {
    const page = await openEditor('/notes/new');
    const id = await saveLost(page, 'Lost and reloaded');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('middle'));
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.unroute('**/api/notes/*');
    await page.getByText('Your unsaved draft is back').waitFor();
    await content(page).fill('one\n\nmiddle\n\nend, two');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Lost and reloaded', exact: true }).waitFor();
    expect(idOf(page.url())).toBe(id);
    expect(await read(id)).toBe('one\n\nmiddle\n\nend, two');
    expect(await countOf('Lost and reloaded')).toBe(1);
  });

  it('that another writer changed in the same line is compared at its own address, also after a reload', async () => {
    const page = await openEditor('/notes/new');
    await page.route('**/api/auth/session', (route) => route.abort());
    const id = await saveLost(page, 'Lost and changed');
    await must(agent, `PUT /api/notes/${id}`, {
      title: 'Lost and changed',
      content: 'one\n\nmiddle, by them\n\nend',
    });
    await content(page).fill('one\n\nmiddle, by me\n\nend');
    await page.unroute('**/api/notes/*');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByText('Someone else saved this note first').waitFor();
    expect(idOf(page.url())).toBe(id);
    await page.waitForFunction(
      (name) =>
        Object.keys(localStorage).some((key) => key.includes(name)) &&
        !Object.keys(localStorage).some((key) => key.includes('.new')),
      id,
    );
    await page.unroute('**/api/auth/session');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Your unsaved draft is back').waitFor();
    expect(idOf(page.url())).toBe(id);
    expect(await countOf('Lost and changed')).toBe(1);
    expect(await read(id)).toBe('one\n\nmiddle, by them\n\nend');
  });
});
