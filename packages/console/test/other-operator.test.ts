import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { bearer, createApi, inviteMember, memberPassword } from '@commonplace/e2e';
import { openPage } from '../tools/wait-until-idle.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { createConflict } from './support/create-conflict.ts';
import { signIn } from './support/sign-in.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const invite = async (email: string, role: 'operator' | 'viewer') => {
  const { system, world } = subject;
  const board = system.as(await system.boardHeaders());
  const headers = await inviteMember(board, world.acme, { baseUrl: system.baseUrl, email, role });
  const { body } = await system.as(headers)('GET', '/api/auth/session');
  const { id } = (body as { readonly operator: { readonly id: string } }).operator;
  return { board, id, api: system.as(headers), account: { email, password: memberPassword } };
};

it('a tab in which another operator signed in elsewhere begins again, as that one', async () => {
  const { account } = await invite('olga@example.org', 'operator');
  visitor = await subject.visit();
  const { page } = visitor;
  await signIn(page);
  await page.goto('/operators');
  const shown: string[] = [];
  page.on('framenavigated', (frame) => shown.push(new URL(frame.url()).pathname));
  await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor();
  const other = await subject.enter(account);
  // As if they had signed out and in between two looks at the session.
  await page.context().addCookies(await other.page.context().cookies());
  await page.waitForURL(`**/companies/${subject.world.acme.companyId}`);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByText(account.email).waitFor();
  expect(await page.getByRole('link', { name: 'Operators' }).count()).toBe(0);
  // Closing the profile ends the session of both.
  await other.close();
  expect(shown.filter((path) => path === '/login')).toEqual([]);
});

it('a note says by whom it is, and that nobody proved the email of that account', async () => {
  const { api } = await invite('ceo@example.org', 'operator');
  const noteId = randomUUID();
  const { companyId } = subject.world.acme;
  const { status } = await api('PUT', `/api/notes/${noteId}`, { body: { title: 'From the top' } });
  expect(status).toBe(201);
  visitor = await subject.visit();
  const { page } = visitor;
  await signIn(page);
  await openPage(page, `/companies/${companyId}/notes/${noteId}`);
  await page.getByText('by A operator (unverified)').waitFor();
});

it('an operator who becomes a viewer while writing keeps the text, which the page says cannot be saved, and can copy it, also after a reload', async () => {
  const { board, id, account } = await invite('ines@example.org', 'operator');
  const { companyId } = subject.world.acme;
  visitor = await subject.visit();
  const { page } = visitor;
  await signIn(page, account);
  await openPage(page, `/companies/${companyId}/notes/new`);
  const content = page.getByRole('textbox', { name: 'Content', exact: true });
  await content.fill('written as an operator\n');
  const known = page.waitForResponse(
    async (response) =>
      response.url().endsWith('/api/auth/session') &&
      JSON.stringify(await response.json()).includes('"viewer"'),
  );
  await board('PATCH', `/api/companies/${companyId}/members/${id}`, { body: { role: 'viewer' } });
  await known;
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('alert').waitFor();
  const state = page.locator('[data-save-state]');
  await state
    .getByText('Not saved: you can no longer change this note, kept in this browser')
    .waitFor();
  expect(await content.innerText()).toContain('written as an operator');
  await expectNoAxeViolations(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy text' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'written as an operator\n',
  );
  // It is not tried again by itself.
  let saves = 0;
  page.on('request', (request) => {
    saves += request.method() === 'PUT' ? 1 : 0;
  });
  await page.waitForResponse((response) => response.url().endsWith('/api/auth/session'));
  expect(saves).toBe(0);
  const member = `/api/companies/${companyId}/members/${id}`;
  await board('PATCH', member, { body: { role: 'operator' } });
  const notice = page.getByText('You can no longer change this note', { exact: true });
  await notice.waitFor({ state: 'detached' });
  await state.getByText('Not saved, kept in this browser').waitFor();
  await board('PATCH', member, { body: { role: 'viewer' } });
  await state
    .getByText('Not saved: you can no longer change this note, kept in this browser')
    .waitFor();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText('You cannot change this company').waitFor();
  const left = page.getByLabel('Unsaved text', { exact: true });
  await left.getByText('written as an operator').waitFor();
  await expectNoAxeViolations(page);
  // The list of notes leads to it.
  await openPage(page, `/companies/${companyId}/notes`);
  await page.getByText('An unsaved new note').waitFor();
  await page.getByRole('link', { name: 'written as an operator' }).click();
  await left.getByText('written as an operator').waitFor();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await left.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('written as');
});

it('an operator who becomes a viewer before writing anything reads of no text that is kept', async () => {
  const { board, id, account } = await invite('nils@example.org', 'operator');
  const { companyId } = subject.world.acme;
  visitor = await subject.visit();
  const { page } = visitor;
  await signIn(page, account);
  await openPage(page, `/companies/${companyId}/notes/new`);
  await page.getByRole('textbox', { name: 'Content', exact: true }).waitFor();
  await board('PATCH', `/api/companies/${companyId}/members/${id}`, { body: { role: 'viewer' } });
  await page.getByText('There is nothing here that is not saved.').waitFor();
  expect(await page.getByRole('button', { name: 'Copy text' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Done', exact: true }).isDisabled()).toBe(true);
  await expectNoAxeViolations(page);
});

it('an operator who becomes a viewer while combining a conflict keeps the text, which the page says cannot be saved, and saves it once an owner lets them write again', async () => {
  const { board, id, account } = await invite('otto@example.org', 'operator');
  const { companyId, key } = subject.world.acme;
  const agent = createApi({ baseUrl: subject.system.baseUrl, headers: bearer(key) });
  const conflict = await createConflict(agent, 'Combined', ['first\n', 'second\n', 'third\n']);
  visitor = await subject.visit();
  const { page } = visitor;
  await signIn(page, account);
  await openPage(page, `/companies/${companyId}/notes/${conflict.copyId}/conflict`);
  await page.getByRole('button', { name: 'Write it yourself' }).click();
  const combined = page.getByRole('textbox', { name: 'Combined text' });
  await combined.fill('written as an operator\n');
  const member = `/api/companies/${companyId}/members/${id}`;
  await board('PATCH', member, { body: { role: 'viewer' } });
  const notice = page.getByText('You can no longer change this note');
  await notice.waitFor();
  expect(await combined.innerText()).toContain('written as an operator');
  await expectNoAxeViolations(page);
  await board('PATCH', member, { body: { role: 'operator' } });
  await notice.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save combined text' }).click();
  await page.getByText('Conflict resolved.').waitFor();
  const { body } = await agent('GET', `/api/notes/${conflict.id}`);
  expect(body).toMatchObject({ content: 'written as an operator\n' });
});
