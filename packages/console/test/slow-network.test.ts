import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { hold } from './support/hold.ts';
import { untilHandled } from './support/until-handled.ts';

const { at, agent, board, enter } = acmeConsole();

const hire = async (name: string): Promise<string> =>
  String((await must(board, `POST /api${at('/agents')}`, { name, role: 'clerk' }))['id']);

beforeAll(async () => {
  await hire('Berta');
  await hire('Bertram');
});

const field = (page: Page) =>
  page.getByRole('combobox', { name: 'Notes, agents, pages and actions' });

const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true });

/** Whether a request is about what is typed. */
const isSearchFor =
  (text: string) =>
  (request: Request): boolean =>
    new URL(request.url()).searchParams.get('q') === text;

const openSearch = async (page: Page, typed: string): Promise<void> => {
  await page.keyboard.press('Control+k');
  await field(page).fill(typed);
};

describe('Enter in the quick search', () => {
  it('opens what the typed text finds, not what an earlier one found, however late it is found', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    await openSearch(page, 'berta');
    await option(page, 'Berta clerk').waitFor();
    const found = await hold(page, '**/api/**', isSearchFor('bertram'));
    await field(page).fill('bertram');
    await page.keyboard.press('Enter');
    await found.sent();
    await option(page, 'All notes with “bertram”').waitFor();
    found.release();
    await page.getByRole('heading', { name: 'Bertram', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/agents\//);
  });

  it('does what was typed about an agent with no other one', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    await openSearch(page, 'pause berta');
    await option(page, 'Pause Berta').waitFor();
    const found = await hold(page, '**/api/**', isSearchFor('bertram'));
    await field(page).fill('pause bertram');
    await found.sent();
    await page.keyboard.press('Enter');
    found.release();
    await page.getByText('Bertram paused.').waitFor();
    await page.getByRole('row', { name: /^Bertram .*paused/ }).waitFor();
    expect(await page.getByRole('row', { name: /^Berta .*active/ }).count()).toBe(1);
  });

  it('is about the text in the field: more of it takes Enter back', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    const found = await hold(page, '**/api/**', isSearchFor('bert'));
    await openSearch(page, 'bert');
    await page.keyboard.press('Enter');
    await page.keyboard.type('ram');
    await option(page, 'Bertram clerk').waitFor();
    found.release();
    await page.getByText('Searching').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(at('/agents'));
    expect(await field(page).inputValue()).toBe('bertram');
  });

  it('opens what the arrow keys led to, also once more is found before it', async () => {
    const id = randomUUID();
    const note = { title: 'Berta’s notes', content: 'x' };
    expect((await agent('PUT', `/api/notes/${id}`, { body: note })).status).toBe(201);
    const page = await enter();
    await openPage(page, at('/agents'));
    const notes = await hold(page, '**/api/notes?*', isSearchFor('berta'));
    await openSearch(page, 'berta');
    await option(page, 'New key for Berta').waitFor();
    const selected = page.locator('[data-combobox-selected]');
    while ((await selected.textContent()) !== 'New key for Berta') {
      await page.keyboard.press('ArrowDown');
    }
    notes.release();
    await page.getByRole('option', { name: /Berta’s notes/ }).waitFor();
    expect(await selected.textContent()).toBe('New key for Berta');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /key/i }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/agents\//);
  });

  it('opens what was typed with it before the search itself was there', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    const code = await hold(page, '**/assets/command-palette*');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bertram');
    await page.keyboard.press('Enter');
    code.release();
    await page.getByRole('heading', { name: 'Bertram', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/agents\//);
  });
});

describe('what is still to open', () => {
  it('does not once Escape is pressed, or where one has gone on to a field of the page', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    const code = await hold(page, '**/assets/command-palette*');
    const search = page.getByRole('textbox', { name: 'Search' });
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await search.click();
    await page.keyboard.type('bert');
    expect(await search.inputValue()).toBe('bert');
    const arrived = page.waitForResponse(/command-palette/);
    code.release();
    await (await arrived).finished();
    await untilHandled(page);
    await page.keyboard.type('a');
    expect(await search.inputValue()).toBe('berta');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it.each([
    { code: 'account-menu-list', role: 'button', name: 'Account menu' },
    { code: 'select-input', role: 'combobox', name: 'Status' },
  ] as const)('leaves a field alone in which one types by then: $name', async (opened) => {
    const page = await enter();
    const part = await hold(page, `**/assets/${opened.code}*`);
    await openPage(page, at('/agents'));
    const search = page.getByRole('textbox', { name: 'Search' });
    const arrived = page.waitForResponse(new RegExp(opened.code));
    await page.getByRole(opened.role, { name: opened.name }).click();
    await part.sent();
    await search.click();
    await page.keyboard.type('bert');
    part.release();
    await (await arrived).finished();
    await untilHandled(page);
    await page.keyboard.type('a');
    expect(await search.inputValue()).toBe('berta');
    expect(await page.getByRole('menu').or(page.getByRole('listbox')).count()).toBe(0);
  });
});

describe('a text that is typed into a filter', () => {
  it.each([
    ['/agents', 'Search', 'Members'],
    ['/notes', 'Search', 'Members'],
    ['/members', /Name or email|Search/, 'Agents'],
  ] as const)('of %s is none of the page that is opened next', async (from, name, to) => {
    const page = await enter();
    await openPage(page, at(from));
    const code = await hold(page, `**/assets/${to.toLowerCase()}-page*`);
    await page.getByRole('textbox', { name }).pressSequentially('zz');
    await page.getByRole('link', { name: to, exact: true }).click();
    await untilHandled(page);
    code.release();
    await page.getByRole('heading', { name: to, level: 1 }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect([pathname, search]).toEqual([at(`/${to.toLowerCase()}`), '']);
    await page
      .getByRole('main')
      .getByText(/Ada|board/)
      .first()
      .waitFor();
  });
});

it('what is typed for a new note that is still being loaded does nothing to the list of notes behind it', async () => {
  const id = randomUUID();
  const note = { title: 'Not edited', content: 'x' };
  expect((await agent('PUT', `/api/notes/${id}`, { body: note })).status).toBe(201);
  const page = await enter();
  await openPage(page, at('/notes'));
  await page.getByRole('link', { name: 'Not edited', exact: true }).focus();
  const code = await hold(page, '**/assets/new-note-page*');
  await page.keyboard.press('c');
  await page.waitForURL(/\/notes\/new/);
  for (const key of ['j', 'k', 'x', 'e', 'Backspace']) {
    await page.keyboard.press(key);
  }
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  code.release();
  await page.getByRole('heading', { name: 'New note', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(at('/notes/new'));
});
