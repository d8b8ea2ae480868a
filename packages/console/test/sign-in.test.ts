import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { fillLogin, signIn } from './support/sign-in.ts';
import { board, startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

describe('signing in', () => {
  it('opens the first company by name, and signing out returns to the login page', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    await page.waitForURL(`**/companies/${subject.world.acme.companyId}`);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    await page.goto('/');
    await page.waitForURL('**/login');
  });

  it('can show the password by keyboard', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto('/login');
    const password = page.getByLabel('Password', { exact: true });
    await password.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await password.getAttribute('type')).toBe('text');
  });

  it('opens a company that is active, and lists archived ones last', async () => {
    const { system } = subject;
    const api = system.as(await system.boardHeaders());
    const made = await api('POST', '/api/companies', { body: { name: 'Aaron (closed)' } });
    const { id } = made.body as { readonly id: string };
    const archived = await api('PATCH', `/api/companies/${id}`, { body: { status: 'archived' } });
    expect(archived.status).toBe(200);
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    await page.waitForURL(`**/companies/${subject.world.acme.companyId}`);
    await page.getByRole('combobox', { name: 'Company' }).click();
    const options = page.getByRole('listbox', { name: 'Company' }).getByRole('option');
    await options.first().waitFor();
    const names = await options.allInnerTexts();
    expect(names.slice(-2)).toEqual(['Aaron (closed) (archived)', 'New company…']);
  });

  it('displays an alert for a wrong password', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto('/login');
    await fillLogin(page, { email: board.email, password: 'not the password at all' });
    expect(await page.getByRole('alert').textContent()).toMatch(/wrong|not/i);
    await expectNoAxeViolations(page);
  });

  it('says when to retry after too many wrong passwords', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    const account = { email: 'nobody@example.org', password: 'not the password at all' };
    await page.goto('/login');
    const alert = page.getByRole('alert');
    const throttled = alert.filter({ hasText: /Try again in \d+ (?:seconds|minutes)/ });
    for (let tries = 0; tries < 20 && (await throttled.count()) === 0; tries += 1) {
      const responded = page.waitForResponse('**/api/auth/login');
      await fillLogin(page, account);
      await responded;
      await alert.waitFor();
    }
    expect(await throttled.count()).toBe(1);
  });

  it('returns to the previous page after the session had ended', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Ada' }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    await page.waitForURL('**/login?next=**');
    await fillLogin(page, board);
    await page.waitForURL(`**/companies/${subject.world.acme.companyId}/notes`);
    const note = page.getByText('Note of Acme Research');
    await note.waitFor();
    expect(await note.count()).toBe(1);
  });

  it.each([
    ['//example.org/trap'],
    ['/.//example.org/trap'],
    ['/x/..//example.org/trap'],
    ['/%2e//example.org/trap'],
    ['/\\example.org/trap'],
    ['https://example.org/trap'],
  ])('leads to the start instead of %s, to anybody who is signed in', async (next) => {
    visitor = await subject.visit();
    const { page } = visitor;
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).origin));
    const login = `/login?next=${encodeURIComponent(next)}`;
    await page.goto(login);
    await fillLogin(page, board);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.goto(login);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(new Set(requested)).toEqual(new Set([subject.system.baseUrl]));
  });
});
