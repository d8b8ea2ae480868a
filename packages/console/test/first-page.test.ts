import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, inviteMember, memberPassword } from '@commonplace/e2e';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { emailOf, startConsole, type ConsoleUnderTest } from './support/start-console.ts';
import { withoutPolling } from './support/without-polling.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const acme = (): string => `/companies/${subject.world.acme.companyId}`;

describe('the first page, which begins to load before anything is rendered', () => {
  it('gives way to Back while it loads', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${acme()}/agents`);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/activity-page-*.js', async (route) => {
      await released;
      await route.fallback();
    });
    const held = page.waitForRequest('**/assets/activity-page-*.js');
    await page.reload({ waitUntil: 'commit' });
    await held;
    await page.waitForFunction(() => document.querySelector('#root') !== null);
    await page.evaluate(() => history.back());
    await page.waitForURL('**/agents');
    release();
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    expect(await page.getByRole('heading', { name: 'Activity', level: 1 }).count()).toBe(0);
  });

  it.each([
    ['the dashboard', '', 'dashboard-page', []],
    ['the notes', '/notes', 'notes-page', ['/api/notes/changes']],
    ['a note', '/notes/NOTE', 'note-page', ['/api/notes/changes', '/api/notes/NOTE']],
    ['the editor', '/notes/NOTE/edit', 'markdown-editor', ['/api/notes/NOTE']],
  ])('begins before the code of the console is there, and is read once: %s', async (...row) => {
    const [, section, code, data] = row;
    const noteId = randomUUID();
    const { system, world } = subject;
    const path = (template: string): string => template.replace('NOTE', noteId);
    await must(system.as(bearer(world.acme.key)), `PUT /api/notes/${noteId}`, { title: 'Short' });
    visitor = await subject.enter();
    const { page } = visitor;
    await withoutPolling(page);
    const counts = new Map<string, number>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const isStream = request.headers()['accept']?.includes('text/event-stream') ?? false;
      counts.set(pathname, (counts.get(pathname) ?? 0) + (isStream ? 0 : 1));
    });
    const begun = [
      '/api/auth/session',
      '/api/companies',
      `/api${acme()}`,
      ...data.map(path),
      new RegExp(`/assets/${code}-[^/]*\\.js$`),
    ].map((wanted) =>
      page.waitForRequest((request) => {
        const { pathname } = new URL(request.url());
        return typeof wanted === 'string' ? pathname === wanted : wanted.test(pathname);
      }),
    );
    await page.route('**/assets/first-*.js', async (route) => {
      await Promise.all(begun);
      await route.fallback();
    });
    await openPage(page, acme() + path(section));
    const reads = ['/api/companies', `/api${acme()}`, ...data.map(path)];
    expect(reads.filter((each) => counts.get(each) !== 1)).toEqual([]);
  });

  it('shows what is below the text of a note with that text, so that nothing moves', async () => {
    const noteId = randomUUID();
    const { system, world } = subject;
    const content = 'One.\n\nTwo, of [[Nothing]].';
    await must(system.as(bearer(world.acme.key)), `PUT /api/notes/${noteId}`, {
      title: 'Long',
      content,
    });
    visitor = await subject.enter();
    const { page } = visitor;
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/markdown-worker-.*\.js$/, async (route) => {
      await held.promise;
      await route.fallback();
    });
    await page.goto(`${acme()}/notes/${noteId}`);
    const links = page.locator('section[aria-label="Links"]');
    await links.waitFor({ state: 'attached' });
    expect(await links.isVisible()).toBe(false);
    held.resolve();
    await links.waitFor();
    expect(await page.getByText('Two, of').isVisible()).toBe(true);
  });

  it('is as wide with a scrollbar as without one, and beside a dialog', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${acme()}/notes`);
    const place = () =>
      page.evaluate(() => {
        const { x, width } = document.querySelector('main')?.getBoundingClientRect() ?? {};
        return [x, width, document.documentElement.clientWidth];
      });
    const before = await place();
    // Browsers of tests hide scrollbars.
    const gutter = () => getComputedStyle(document.documentElement).scrollbarGutter;
    expect(await page.evaluate(gutter)).toBe('stable');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(await place()).toEqual(before);
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.querySelector('main')?.style.setProperty('height', '300vh'));
    expect(await place()).toEqual(before);
  });

  it('loads what failed again: a file of the page, and its note', async () => {
    const noteId = randomUUID();
    const { system, world } = subject;
    await must(system.as(bearer(world.acme.key)), `PUT /api/notes/${noteId}`, { title: 'Late' });
    visitor = await subject.enter();
    const { page } = visitor;
    const failed = new Set<string>();
    await page.route(/\/assets\/edit-note-page-|\/api\/notes\//, async (route) => {
      const { pathname } = new URL(route.request().url());
      const isFirst = !failed.has(pathname);
      failed.add(pathname);
      await (isFirst ? route.fulfill({ status: 503, body: '' }) : route.fallback());
    });
    await page.goto(`${acme()}/notes/${noteId}/edit`);
    await page.getByRole('heading', { name: 'Edit Late' }).waitFor();
    await page.getByLabel('Content').waitFor();
    expect([...failed].filter((each) => each.endsWith('.js'))).toHaveLength(1);
    expect(failed.has(`/api/notes/${noteId}`)).toBe(true);
  });

  it('is the dashboard of the company opened last where the address is the home page', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `/companies/${subject.world.zenith.companyId}`);
    const requested = page.waitForRequest(/\/assets\/dashboard-page-.*\.js$/);
    // Only after the session a route knows where the home page leads.
    await page.route('**/api/auth/session', async (route) => {
      await requested;
      await route.fallback();
    });
    await page.goto('/');
    await page.waitForURL(`**/companies/${subject.world.zenith.companyId}`);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('leads from the home page to an own company where another operator opened one last', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    const company = randomUUID();
    await page.addInitScript((id) => localStorage.setItem('commonplace.company', id), company);
    await page.goto('/');
    await page.waitForURL(`**${acme()}`);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('says so where it is of a company of others', async () => {
    const { system, world } = subject;
    const board = system.as(await system.boardHeaders());
    const email = emailOf('fay');
    await inviteMember(board, world.acme, { baseUrl: system.baseUrl, email, role: 'operator' });
    visitor = await subject.enter({ email, password: memberPassword });
    const { page } = visitor;
    const path = `/api/companies/${world.zenith.companyId}`;
    const refusing = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    await page.goto(`/companies/${world.zenith.companyId}/agents`);
    expect((await refusing).status()).toBe(403);
    await page.getByRole('heading', { name: 'You are not a member of this company' }).waitFor();
    await page.getByRole('link', { name: 'Go to home page' }).click();
    await page.waitForURL(`**${acme()}`);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  });

  it('is the login, and then that page, where the cookie is of a session that has ended', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const own = subject.system.as({ cookie, origin: subject.system.baseUrl });
    expect((await own('POST', '/api/auth/logout')).status).toBeLessThan(300);
    await page.goto(`${acme()}/notes`);
    await page.waitForURL('**/login?next=**');
    await page.getByLabel('Email', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe(`${acme()}/notes`);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('opens by itself after the session could not be read', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    const body = { type: 'about:blank', title: 'Unavailable', status: 503, detail: 'Try later.' };
    await page.route('**/api/auth/session', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...body, code: 'service_unavailable' }),
      }),
    );
    await page.goto(`${acme()}/agents`);
    await page.getByText('The page tries again by itself.').waitFor();
    await page.unroute('**/api/auth/session');
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
