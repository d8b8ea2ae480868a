import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, inviteMember, memberPassword, type Api } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { hold } from './support/hold.ts';
import { sendHeld } from './support/send-held.ts';
import { fillLogin } from './support/sign-in.ts';
import { emailOf, startConsole, type ConsoleUnderTest } from './support/start-console.ts';
import { untilHandled } from './support/until-handled.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
let board: Api;
const other = { email: emailOf('paula'), password: memberPassword };

beforeAll(async () => {
  subject = await startConsole();
  const { system, world } = subject;
  board = system.as(await system.boardHeaders());
  const { baseUrl } = system;
  await inviteMember(board, world.acme, { baseUrl, email: other.email, role: 'operator' });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const at = (section: string): string => `/companies/${subject.world.acme.companyId}${section}`;

const enter = async (account = other): Promise<Page> => {
  visitor = await subject.enter(account);
  return visitor.page;
};

const write = async (title: string): Promise<string> => {
  const { system, world } = subject;
  const agent = createApi({ baseUrl: system.baseUrl, headers: bearer(world.acme.key) });
  const id = randomUUID();
  const body = { title, content: 'one\n' };
  expect((await agent('PUT', `/api/notes/${id}`, { body })).status).toBe(201);
  return id;
};

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

describe('the response to a save, after one has gone on to a page that is still being loaded', () => {
  it.each(['new', 'edited'])('leads nowhere: a note that is %s', async (kind) => {
    const section = kind === 'new' ? '/notes/new' : `/notes/${await write('Overtaken')}/edit`;
    const page = await enter();
    await openPage(page, at(section));
    const content = page.getByRole('textbox', { name: 'Content', exact: true });
    await content.click();
    await page.keyboard.type('written ');
    const code = await hold(page, '**/assets/members-page*');
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.ok(),
    );
    const release = await sendHeld(page, '**/api/notes/*', () =>
      page.getByRole('button', { name: 'Done', exact: true }).click(),
    );
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`**${at('/members')}`);
    release();
    await (await saved).finished();
    await page.getByText('Saved.', { exact: true }).waitFor();
    code.release();
    await heading(page, 'Members').waitFor();
    expect(new URL(page.url()).pathname).toBe(at('/members'));
  });
});

describe('a shortcut, once another company is chosen', () => {
  it.each([
    ['c', '/notes/new'],
    ['gn', '/notes'],
  ])('is about that one, also while it is being loaded: %s', async (keys, section) => {
    visitor = await subject.enter();
    const { page } = visitor;
    const { companyId } = subject.world.zenith;
    await openPage(page, at('/agents'));
    const company = await hold(page, `**/api/companies/${companyId}`);
    await page.getByRole('combobox', { name: 'Company' }).click();
    await page.getByRole('option', { name: 'Zenith Works' }).click();
    await company.sent();
    await heading(page, 'Agents').click();
    await page.keyboard.type(keys);
    company.release();
    await page.waitForURL((url) => url.pathname === `/companies/${companyId}${section}`);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/companies/${companyId}${section}`);
  });
});

it.each(['before', 'after'])(
  'an operator who signs in after another one reads nothing about what that one did last: the response comes %s',
  async (moment) => {
    visitor = await subject.enter();
    const { page } = visitor;
    const name = `Watched ${randomUUID().slice(0, 8)}`;
    const { id } = await must(board, `POST /api${at('/agents')}`, { name, role: 'clerk' });
    await openPage(page, at(`/agents/${String(id)}`));
    const responded = page.waitForResponse((response) => response.url().endsWith('/pause'));
    const release = await sendHeld(page, '**/pause', () =>
      page.getByRole('button', { name: 'Pause', exact: true }).click(),
    );
    const respond = async (): Promise<void> => {
      release();
      await responded;
      await untilHandled(page);
    };
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email', { exact: true }).waitFor();
    if (moment === 'before') {
      await respond();
    }
    await fillLogin(page, other);
    await heading(page, 'Dashboard').waitFor();
    if (moment === 'after') {
      await respond();
    }
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await heading(page, 'Members').waitFor();
    expect(await page.getByText(name).count()).toBe(0);
  },
);

it('who has left a company is not led from where they went meanwhile', async () => {
  const { acme, zenith } = subject.world;
  const { baseUrl } = subject.system;
  await inviteMember(board, acme, { baseUrl, email: emailOf('lea'), role: 'owner' });
  visitor = await subject.enter();
  const { page } = visitor;
  await openPage(page, at('/members'));
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  const release = await sendHeld(page, `**/api${at('/members')}/*`, () =>
    page.getByRole('dialog').getByRole('button', { name: 'Leave company' }).click(),
  );
  await page.getByRole('combobox', { name: 'Company' }).click();
  await page.getByRole('option', { name: 'Zenith Works' }).click();
  await page.waitForURL(`**/companies/${zenith.companyId}/members`);
  release();
  await page.getByText('You left Acme Research.').waitFor();
  await page.getByRole('option', { name: 'Acme Research' }).waitFor({ state: 'detached' });
  await untilHandled(page);
  expect(new URL(page.url()).pathname).toBe(`/companies/${zenith.companyId}/members`);
});
