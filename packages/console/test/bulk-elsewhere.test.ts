import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, inviteMember, memberPassword, type Api } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { waitUntilIdle } from '../tools/wait-until-idle.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { emailOf, startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let agent: Api;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
  const { system, world } = subject;
  agent = createApi({ baseUrl: system.baseUrl, headers: bearer(world.acme.key) });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const acmePath = (): string => `/companies/${subject.world.acme.companyId}`;

/** Holds the changes of notes that the page sends, until they are released. */
const holdChanges = async (page: Page): Promise<() => void> => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/notes/*', async (route) => {
    if (route.request().method() === 'PATCH') {
      await released;
    }
    // A page that is gone by now has no requests.
    await route.continue().catch(() => undefined);
  });
  return release;
};

/** Selects the six notes of a new folder and archives them; the requests wait. */
const archiveSix = async () => {
  const folder = `elsewhere-${randomUUID().slice(0, 8)}`;
  for (const title of ['A', 'B', 'C', 'D', 'E', 'F']) {
    const body = { title, content: 'x', folder };
    expect((await agent('POST', '/api/notes', { body })).status).toBe(201);
  }
  visitor = await subject.enter();
  const { page } = visitor;
  const release = await holdChanges(page);
  await page.goto(`${acmePath()}/notes?folder=${folder}`);
  await page.getByRole('checkbox', { name: 'Select the notes in view' }).check();
  const bar = page.getByRole('region', { name: 'Selected notes' });
  await bar.getByRole('button', { name: 'Archive', exact: true }).click();
  await bar.getByText('Archiving: 0 of 6 notes').waitFor();
  const countArchived = async (): Promise<number> => {
    const { body } = await agent('GET', `/api/notes?folder=${folder}&archived=true`);
    return (body as { readonly items: readonly unknown[] }).items.length;
  };
  return { page, release, countArchived };
};

const openSection = async (page: Page, name: string): Promise<void> => {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name, exact: true })
    .click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
};

const statusOf = (page: Page) => page.getByRole('region', { name: 'Change of notes' });

const hasFocus = (element: Element): boolean => element === document.activeElement;

describe('a change of many notes', () => {
  it('goes on while one opens other pages, and can be undone from there', async () => {
    const { page, release, countArchived } = await archiveSix();
    await openSection(page, 'Agents');
    await statusOf(page).getByText('Archiving: 0 of 6 notes').waitFor();
    await expectNoAxeViolations(page);
    const search = page.getByRole('textbox', { name: 'Search' });
    await search.focus();
    release();
    await statusOf(page).getByText('6 notes archived.').waitFor();
    // Who types meanwhile goes on typing.
    expect(await search.evaluate(hasFocus)).toBe(true);
    expect(await countArchived()).toBe(6);
    await openSection(page, 'Members');
    await expectNoAxeViolations(page);
    await statusOf(page).getByRole('button', { name: 'Undo' }).click();
    await statusOf(page).getByText('6 notes unarchived.').waitFor();
    expect(await countArchived()).toBe(0);
    await statusOf(page).and(page.locator(':focus')).waitFor();
    await statusOf(page).getByRole('button', { name: 'Dismiss' }).click();
    await statusOf(page).waitFor({ state: 'detached' });
  });

  it('is stopped elsewhere, goes on with what is left, and is undone as a whole', async () => {
    const { page, release, countArchived } = await archiveSix();
    await openSection(page, 'Agents');
    await statusOf(page).getByRole('button', { name: 'Stop' }).click();
    release();
    await statusOf(page).getByText('4 notes archived. 2 not begun.').waitFor();
    await openSection(page, 'Notes');
    await statusOf(page).getByRole('button', { name: 'Continue' }).click();
    await statusOf(page).getByText('6 notes archived.').waitFor();
    expect(await countArchived()).toBe(6);
    await statusOf(page).getByRole('button', { name: 'Undo' }).click();
    await statusOf(page).getByText('6 notes unarchived.').waitFor();
    expect(await countArchived()).toBe(0);
  });

  it('goes on unless loading another document is confirmed', async () => {
    const { page, release } = await archiveSix();
    await openSection(page, 'Agents');
    const opened = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => location.reload()));
    const dialog = await opened;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    release();
    await statusOf(page).getByText('6 notes archived.').waitFor();
    // Nothing has to be confirmed any more.
    await page.reload();
    await waitUntilIdle(page);
    expect(await statusOf(page).count()).toBe(0);
  });

  it('stops when another company is opened, and says so; back in its own it can go on', async () => {
    const { page, release, countArchived } = await archiveSix();
    await page.getByRole('combobox', { name: 'Company', exact: true }).click();
    await page.getByRole('option', { name: 'Zenith Works' }).click();
    await page.waitForURL(`**/companies/${subject.world.zenith.companyId}/notes`);
    // The address changes first: only this note is of the other company.
    await page.getByRole('link', { name: 'Note of Zenith Works' }).waitFor();
    release();
    await page.getByText(/^You left the company.* 4 notes archived\. 2 not begun\.$/).waitFor();
    expect(await countArchived()).toBe(4);
    expect(await statusOf(page).count()).toBe(0);
    await page.goBack();
    await statusOf(page).getByRole('button', { name: 'Continue' }).click();
    await statusOf(page).getByText('6 notes archived.').waitFor();
  });

  it('stops with the sign-out, and the login page says so', async () => {
    const { page, countArchived } = await archiveSix();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText(/^Archiving stopped at 0 of 6 notes, because the session/).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await expectNoAxeViolations(page);
    expect(await countArchived()).toBe(0);
  });

  it('stops when another operator signs in in another tab, and the page says so', async () => {
    const email = emailOf('olga');
    const { system, world } = subject;
    const board = system.as(await system.boardHeaders());
    const { baseUrl } = system;
    await inviteMember(board, world.acme, { baseUrl, email, role: 'operator' });
    const { page, countArchived } = await archiveSix();
    const other = await subject.enter({ email, password: memberPassword });
    await page.context().addCookies(await other.page.context().cookies());
    await page.waitForURL(`**${acmePath()}`);
    await page.getByText(/^Archiving stopped at 0 of 6 notes, because the session/).waitFor();
    expect(await countArchived()).toBe(0);
    await other.close();
  });
});
