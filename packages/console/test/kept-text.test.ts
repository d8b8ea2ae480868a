import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { createConflict } from './support/create-conflict.ts';
import { fillLogin } from './support/sign-in.ts';
import { board } from './support/start-console.ts';

const { at, agent, enter, openEditor } = acmeConsole();

type Stored = { readonly content: string; readonly revision: number };

const write = async (body: object, id: string = randomUUID()): Promise<string> => {
  await must(agent, `PUT /api/notes/${id}`, body);
  return id;
};

const read = async (id: string): Promise<Stored> =>
  (await must(agent, `GET /api/notes/${id}`)) as Stored;

const content = (page: Page) => page.getByRole('textbox', { name: 'Content', exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Done', exact: true }).click();

/** Lets the first write of each note through, and none after it. No write gets a response. Returns the ids. */
const loseResponses = async (page: Page): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  await page.route('**/api/notes/*', async (route) => {
    if (route.request().method() !== 'PUT') {
      await route.fallback();
      return;
    }
    const id = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    if (!ids.has(id)) {
      ids.add(id);
      await route.fetch();
    }
    await route.abort();
  });
  return ids;
};

/** A conflict between two edits of the same line: the note, and the page of its conflict. */
const makeConflict = async (): Promise<{ readonly id: string; readonly page: Page }> => {
  const contentOf = (degrees: number) => `first\nwater boils at ${degrees}\nmiddle\nlast\n`;
  const { id, copyId } = await createConflict(agent, 'Twofold', [100, 90, 80].map(contentOf));
  const page = await enter();
  await openPage(page, at(`/notes/${copyId}/conflict`));
  await page.getByRole('button', { name: 'Write it yourself' }).click();
  await page.getByRole('textbox', { name: 'Combined text' }).waitFor();
  return { id, page };
};

const saveCombined = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Combined text' }).fill(text);
  await page.getByRole('button', { name: 'Save combined text' }).click();
};

describe('unsaved text', () => {
  it('stays, and so does the session, where the operator signs out and then stays', async () => {
    const id = await write({ title: 'Unsaved', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, unsaved\n');
    const signOut = async () => {
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    await page.getByRole('button', { name: 'Stay' }).click();
    await save(page);
    await page.getByRole('heading', { name: 'Unsaved', exact: true }).waitFor();
    expect((await read(id)).content).toBe('one, unsaved\n');
    await openPage(page, at(`/notes/${id}/edit`));
    await content(page).fill('one, given up\n');
    await signOut();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/login');
    // The address changes first, and the draft is removed with the page.
    await page.waitForFunction(() => !JSON.stringify(localStorage).includes('given up'));
  });

  it('that was left as a draft is named before signing out removes it; drafts of others stay', async () => {
    const id = await write({ title: 'Left behind', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, left as a draft\n');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.evaluate(() =>
      localStorage.setItem('commonplace.draft.another-operator.another-company.new', '{}'),
    );
    const signOut = async (choice: string) => {
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText('1 text that you have not saved is kept').waitFor();
      await page.getByRole('button', { name: choice }).click();
    };
    await signOut('Stay');
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('left as a draft');
    await signOut('Leave');
    await page.waitForURL('**/login');
    await page.waitForFunction(() => !JSON.stringify(localStorage).includes('left as a draft'));
    expect(await page.evaluate(() => Object.keys(localStorage))).toContain(
      'commonplace.draft.another-operator.another-company.new',
    );
  });

  it('is removed by signing out also where the session is over, and it is said where that fails', async () => {
    const id = await write({ title: 'Walked away', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, walked away\n');
    const signOut = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Leave' }).click();
    };
    await page.route('**/api/auth/logout', (route) => route.abort());
    await signOut();
    await page.getByText('You may still be signed in: Commonplace is unreachable.').waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('walked away');
    await page.unroute('**/api/auth/logout');
    // The response is lost, so the request is repeated, without a session.
    const statuses: number[] = [];
    await page.route('**/api/auth/logout', async (route) => {
      const response = await route.fetch();
      statuses.push(response.status());
      await (statuses.length === 1 ? route.abort() : route.fulfill({ response }));
    });
    await signOut();
    await page.waitForURL('**/login');
    await page.waitForFunction(() => !JSON.stringify(localStorage).includes('walked away'));
    expect(statuses).toEqual([204, 401]);
    expect(await page.getByText('You may still be signed in').count()).toBe(0);
  });

  it('of a note that was deleted meanwhile is saved after the note is restored, on the same page', async () => {
    const id = await write({ title: 'Deleted', content: 'one\ntwo\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one\ntwo, by me\n');
    await must(agent, `DELETE /api/notes/${id}`);
    await page.getByText('This note was deleted').waitFor();
    await page.getByRole('button', { name: 'Restore note' }).click();
    await page.getByText('This note was deleted').waitFor({ state: 'detached' });
    await save(page);
    await page.getByRole('heading', { name: 'Deleted', exact: true }).waitFor();
    expect((await read(id)).content).toBe('one\ntwo, by me\n');
  });

  it('of a new note is saved, once, where the response to the first attempt was lost', async () => {
    const page = await openEditor('/notes/new');
    const ids = await loseResponses(page);
    await page.getByLabel('Title').fill('Lost response');
    await content(page).fill('one\n');
    await save(page);
    await page.getByText('Nothing is lost').waitFor();
    await page.unroute('**/api/notes/*');
    await content(page).fill('one and two\n');
    await save(page);
    await page.getByRole('heading', { name: 'Lost response', exact: true }).waitFor();
    const [id = ''] = ids;
    expect(await read(id)).toMatchObject({ content: 'one and two\n', revision: 2 });
    const found = await must(agent, 'GET /api/notes?q=lost+response');
    expect(found['items']).toHaveLength(1);
  });

  it('of a new note is not taken for what another attempt has stored', async () => {
    const page = await openEditor('/notes/new');
    const ids = await loseResponses(page);
    await page.getByLabel('Title').fill('Thrice');
    await content(page).fill('one\nmiddle\nend\n');
    await save(page);
    await page.getByText('Nothing is lost').waitFor();
    // This attempt does not arrive at all, and an agent writes before the next one.
    await content(page).fill('one and two\nmiddle\nend\n');
    await save(page);
    await page.getByText('Nothing is lost').waitFor({ state: 'detached' });
    await page.getByText('Nothing is lost').waitFor();
    const [id = ''] = ids;
    await write({ title: 'Thrice', content: 'one\nmiddle\nend, by them\n' }, id);
    await page.unroute('**/api/notes/*');
    await save(page);
    await page.getByRole('heading', { name: 'Thrice', exact: true }).waitFor();
    expect((await read(id)).content).toBe('one and two\nmiddle\nend, by them\n');
  });

  const someoneElse = (page: Page) => page.getByText(/Someone else|someone else/).count();

  it('goes on from what an attempt without a response has stored, which nobody else wrote', async () => {
    const id = await write({ title: 'Lost', content: 'Hello' });
    const page = await openEditor(`/notes/${id}/edit`);
    await loseResponses(page);
    // The page tries again when it reaches the server: not before all is written.
    const reachable = Promise.withResolvers<void>();
    await page.route('**/api/auth/session', async (route) => {
      await reachable.promise;
      await route.fallback();
    });
    await content(page).fill('Hello world');
    await page.keyboard.press('Control+s');
    await page.getByText('It is saved by itself once the server responds.').waitFor();
    await content(page).fill('Hello world, again');
    await page.unroute('**/api/notes/*');
    reachable.resolve();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await read(id)).toMatchObject({ content: 'Hello world, again', revision: 3 });
    expect(await someoneElse(page)).toBe(0);
  });

  it('goes on from there after a reload, with what others have added meanwhile', async () => {
    const id = await write({ title: 'Lost draft', content: 'top\n\nmiddle\n\nHello' });
    const page = await openEditor(`/notes/${id}/edit`);
    await loseResponses(page);
    await content(page).fill('top\n\nmiddle\n\nHello world');
    await page.keyboard.press('Control+s');
    await page.getByText('It is saved by itself once the server responds.').waitFor();
    await content(page).fill('top\n\nmiddle\n\nHello world, again');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes(', again'));
    await write({ title: 'Lost draft', content: 'top, by them\n\nmiddle\n\nHello world' }, id);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto('about:blank');
    await page.unroute('**/api/notes/*');
    await openPage(page, at(`/notes/${id}/edit`));
    await page.getByText('Your unsaved draft is back').waitFor();
    await content(page).getByText('top, by them').waitFor();
    await save(page);
    await page.getByRole('heading', { name: 'Lost draft', exact: true }).waitFor();
    expect((await read(id)).content).toBe('top, by them\n\nmiddle\n\nHello world, again');
  });

  it('goes on from a save that was under way as the operator left', async () => {
    const id = await write({ title: 'Slow', content: 'Hello' });
    const page = await openEditor(`/notes/${id}/edit`);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/notes/*', async (route) => {
      await (route.request().method() === 'PUT' ? held.promise : null);
      await route.fallback();
    });
    await content(page).fill('Hello world');
    await page.keyboard.press('Control+s');
    await content(page).fill('Hello world, again');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Slow', exact: true }).waitFor();
    held.resolve();
    await page.getByText('Hello world').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('Your unsaved draft is back').waitFor();
    await content(page).getByText('Hello world, again', { exact: true }).waitFor();
    expect(await someoneElse(page)).toBe(0);
    await save(page);
    await page.getByRole('heading', { name: 'Slow', exact: true }).waitFor();
    expect((await read(id)).content).toBe('Hello world, again');
  });

  it('is saved although the browser has no network, if the server is reached', async () => {
    const id = await write({ title: 'Offline', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await page.evaluate(() => window.dispatchEvent(new Event('offline')));
    await content(page).fill('one, offline\n');
    await save(page);
    await page.getByRole('heading', { name: 'Offline', exact: true }).waitFor();
    expect((await read(id)).content).toBe('one, offline\n');
  });
});

describe('text that is left without saving it', () => {
  const leave = async (page: Page, how: 'Leave' | 'Discard draft'): Promise<void> => {
    await page.getByRole('link', { name: 'Cancel' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Leave without saving?' });
    await confirmation.getByText('stay in this browser as a draft').waitFor();
    await expectNoAxeViolations(page);
    await confirmation.getByRole('button', { name: how, exact: true }).click();
  };

  it('is a draft, also the last word, unless one discards it', async () => {
    const id = await write({ title: 'Left', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, kept\n');
    await leave(page, 'Leave');
    await page.getByRole('heading', { name: 'Left', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('Your unsaved draft is back').waitFor();
    await content(page).getByText('one, kept').waitFor();
    await leave(page, 'Discard draft');
    await page.getByRole('heading', { name: 'Left', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await content(page).waitFor();
    expect((await content(page).innerText()).trim()).toBe('one');
    expect(await page.getByText('Your unsaved draft is back').count()).toBe(0);
    expect((await read(id)).content).toBe('one\n');
  });

  it('of a new note is back with word of it, and can be discarded', async () => {
    const page = await openEditor('/notes/new?folder=plans');
    await page.getByLabel('Title').fill('Not yet');
    await content(page).fill('half a thought\n');
    await leave(page, 'Leave');
    await page.getByRole('link', { name: 'Not yet' }).click();
    await page.getByText('Your unsaved draft is back').waitFor();
    await content(page).getByText('half a thought').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByText('Draft discarded.').waitFor();
    await page.getByText('Your unsaved draft is back').waitFor({ state: 'detached' });
    await content(page).waitFor();
    expect((await content(page).innerText()).trim()).toBe('');
    expect(await page.getByLabel('Title').inputValue()).toBe('');
    await openPage(page, at('/notes/new'));
    await content(page).waitFor();
    expect(await page.getByText('Your unsaved draft is back').count()).toBe(0);
  });
});

describe('text that is saved while the server cannot be reached', () => {
  it('is saved by itself once it can, and the page stays open', async () => {
    const id = await write({ title: 'Cut off', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, written on a train\n');
    await page.context().setOffline(true);
    await save(page);
    await page.getByText('It is saved by itself once the server responds.').waitFor();
    await page.getByText('kept in this browser').first().waitFor();
    expect((await read(id)).content).toBe('one\n');
    await page.context().setOffline(false);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read(id)).content).toBe('one, written on a train\n');
    expect(await page.getByRole('alert').filter({ hasText: 'unreachable' }).count()).toBe(0);
    await page.getByRole('heading', { name: 'Edit Cut off' }).waitFor();
  });
});

describe('a session that ends while one writes', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
  const signIn = async (page: Page): Promise<void> => {
    expect(await dialog(page).getByLabel('Email').inputValue()).toBe(board.email);
    await dialog(page).getByLabel('Password', { exact: true }).fill(board.password);
    await dialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
  };

  it('is continued on the page, and the text is there still', async () => {
    const id = await write({ title: 'Interrupted', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, unsaved\n');
    await page.context().clearCookies();
    await dialog(page).waitFor();
    await signIn(page);
    await save(page);
    await page.getByRole('heading', { name: 'Interrupted', exact: true }).waitFor();
    expect((await read(id)).content).toBe('one, unsaved\n');
  });

  it('is continued with the save that noticed it', async () => {
    const id = await write({ title: 'Noticed', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    // Without it the page looks whether the session is there every few seconds.
    await page.route('**/api/auth/session', (route) => route.abort());
    await content(page).fill('one, saved\n');
    await page.context().clearCookies();
    await save(page);
    await dialog(page).waitFor();
    await page.unroute('**/api/auth/session');
    await signIn(page);
    await page.getByRole('heading', { name: 'Noticed', exact: true }).waitFor();
    expect((await read(id)).content).toBe('one, saved\n');
  });

  it('takes what one types on into the password, however late the dialog knows the ways to sign in', async () => {
    const id = await write({ title: 'Typed on', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/auth/sign-in-options', async (route) => {
      await held.promise;
      await route.fallback();
    });
    await content(page).fill('one, typed\n');
    await page.context().clearCookies();
    await dialog(page).getByText('Loading the ways to sign in').waitFor();
    await page.waitForFunction(
      () => document.activeElement?.closest('[role="dialog"]') instanceof Element,
    );
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    held.resolve();
    await dialog(page).getByLabel('Password', { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('input[type="password"]'));
    await page.keyboard.type('a word');
    expect(await dialog(page).getByLabel('Password', { exact: true }).inputValue()).toBe('a word');
    expect(new URL(page.url()).pathname).toBe(at(`/notes/${id}/edit`));
    await signIn(page);
    await save(page);
    await page.getByRole('heading', { name: 'Typed on', exact: true }).waitFor();
    expect((await read(id)).content).toBe('one, typed\n');
  });

  it('leaves a draft to who leaves the page and signs in later', async () => {
    const id = await write({ title: 'Later', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, later\n');
    await page.context().clearCookies();
    await dialog(page).getByRole('button', { name: 'Leave this page' }).click();
    await page.waitForURL('**/login?next=**');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.getByText('Go on with the session you have').count()).toBe(0);
    await fillLogin(page, board);
    await page.waitForURL(`**/notes/${id}/edit`);
    await content(page).getByText('one, later').waitFor();
    expect((await read(id)).content).toBe('one\n');
  });
});

describe('a text that combines two versions', () => {
  it('is saved together with a concurrent change of the note, where it fits', async () => {
    const { id, page } = await makeConflict();
    await write(
      { title: 'Twofold', content: 'first\nwater boils at 90\nmiddle\nlast, by them\n' },
      id,
    );
    await saveCombined(page, 'first\nwater boils at 80 to 90\nmiddle\nlast\n');
    await page.getByText('Conflict resolved.').waitFor();
    expect((await read(id)).content).toBe(
      'first\nwater boils at 80 to 90\nmiddle\nlast, by them\n',
    );
  });

  it('replaces a newer version that it does not fit once the operator has seen that one', async () => {
    const { id, page } = await makeConflict();
    await write({ title: 'Twofold', content: 'first\nwater boils at 70\nmiddle\nlast\n' }, id);
    await saveCombined(page, 'first\nwater boils at 80 to 90\nmiddle\nlast\n');
    await page.getByText('The newest version is above').waitFor();
    await page.getByText('water boils at 70').first().waitFor();
    expect((await read(id)).content).toContain('boils at 70');
    await saveCombined(page, 'first\nwater boils at 70 to 90\nmiddle\nlast\n');
    await page.getByText('Conflict resolved.').waitFor();
    expect((await read(id)).content).toBe('first\nwater boils at 70 to 90\nmiddle\nlast\n');
  });

  it('is a draft in each tab: no tab overwrites what was chosen or written in another one', async () => {
    const { page: first } = await makeConflict();
    const combined = (page: Page) => page.getByRole('textbox', { name: 'Combined text' });
    const untilStored = (words: string) =>
      first.waitForFunction((part) => JSON.stringify(localStorage).includes(part), words);
    await combined(first).fill('in the first tab\n');
    await untilStored('in the first tab');
    const second = await first.context().newPage();
    await openPage(second, new URL(first.url()).pathname);
    const elsewhere = (page: Page) => page.getByText('This conflict is open in another tab');
    await elsewhere(second).waitFor();
    await elsewhere(first).waitFor();
    expect(await combined(second).count()).toBe(0);
    await second.getByRole('button', { name: 'Write it yourself' }).click();
    await combined(second).fill('in the second tab\n');
    await untilStored('in the second tab');
    await second.close();
    first.once('dialog', (dialog) => void dialog.accept());
    await first.reload();
    await combined(first).getByText('in the first tab').waitFor();
    const left = first.getByLabel('Unsaved text', { exact: true });
    await left.getByText('in the second tab').waitFor();
  });
});
