import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi } from '@commonplace/e2e';
import { openPage, waitUntilIdle } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { fillLogin } from './support/sign-in.ts';
import { board, startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const company = (): string => `/companies/${subject.world.acme.companyId}`;

describe('a session ended from another browser', () => {
  it.each([
    ['a page that only stands there', '/members'],
    ['a page that listens', '/notes?folder=nowhere'],
    ['a page that polls', '/runs?state=running'],
  ])('leads %s to the login without a click, and back to where one was', async (_, section) => {
    visitor = await subject.enter();
    const { page } = visitor;
    const other = await subject.enter();
    await openPage(page, company() + section);
    await openPage(other.page, '/account');
    await other.page.getByRole('button', { name: 'End all other sessions' }).click();
    await other.page.getByRole('button', { name: 'End other sessions' }).click();
    await page.waitForURL('**/login?next=**');
    // The address changes first; the old page stays until the new one is rendered.
    await page.getByLabel('Email').waitFor();
    expect(await page.getByText('Ada').count()).toBe(0);
    await fillLogin(page, board);
    await page.waitForURL(`**${company()}${section}`);
    await waitUntilIdle(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    await other.close();
  });
});

describe('a test file', () => {
  it('opens as many profiles one after another as it wants, and keeps its own session', async () => {
    const { system } = subject;
    const own = system.as(await system.boardHeaders());
    for (let profiles = 0; profiles < 12; profiles += 1) {
      const each = await subject.enter();
      expect((await each.page.request.get('/api/auth/session')).status()).toBe(200);
      await each.close();
    }
    expect((await own('GET', '/api/auth/session')).status).toBe(200);
    visitor = await subject.visit();
  });

  it('has an operator who is in two companies, whatever other files have created', async () => {
    visitor = await subject.enter();
    const response = await visitor.page.request.get('/api/companies');
    const { items } = (await response.json()) as { readonly items: readonly { id: string }[] };
    const { acme, zenith } = subject.world;
    expect(items.map(({ id }) => id)).toEqual([acme.companyId, zenith.companyId]);
  });
});

describe('the browser', () => {
  it('stores no secrets, contacts no other origin, and hides the session from scripts', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    const requested = new Set<string>();
    page.on('request', (request) => requested.add(new URL(request.url()).origin));
    await page.goto('/login');
    await fillLogin(page, board);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await openPage(page, `${company()}/agents/${subject.world.acme.agentId}?tab=keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('seen once');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('API key', { exact: true }).innerText();
    const stored = await page.evaluate(() => ({
      kept: JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      cookies: document.cookie,
    }));
    const cookies = await page.context().cookies();
    const secrets = [key, board.password, ...cookies.map(({ value }) => value)];
    expect(secrets.filter((secret) => stored.kept.includes(secret))).toEqual([]);
    expect(stored.cookies).toBe('');
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite !== 'None')).toBe(true);
    expect([...requested]).toEqual([subject.system.baseUrl]);
    const { baseUrl } = subject.system;
    const me = await createApi({ baseUrl, headers: bearer(key) })('GET', '/api/agents/me');
    expect(me.status).toBe(200);
  });

  it('renders the page of a signed-in operator, and logs the time it took', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, company());
    const timesMs: number[] = [];
    for (let visit = 0; visit < 5; visit += 1) {
      const beganMs = performance.now();
      await page.reload({ waitUntil: 'commit' });
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      timesMs.push(performance.now() - beganMs);
    }
    const best = Math.round(Math.min(...timesMs));
    // The target is one second on an idle machine. On a busy one the time says nothing, so it is only logged.
    process.stdout.write(`The console was interactive after ${best} ms at best of 5.\n`);
    expect(timesMs).toHaveLength(5);
  });
});
