import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
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

const invite = async (
  email: string,
  companyId: string,
  reach: object = { role: 'operator' },
): Promise<string> => {
  const asBoard = subject.system.as(await subject.system.boardHeaders());
  const { body } = await asBoard('POST', `/api/companies/${companyId}/invites`, {
    body: { email, ...reach },
  });
  return (body as { url: string }).url;
};

describe('an invite', () => {
  it('creates a new account, which is a member of the company immediately', async () => {
    const { acme } = subject.world;
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto(await invite('nora@example.org', acme.companyId));
    await page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    await page.getByText('board invited nora@example.org as operator').waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('Name', { exact: true }).fill('Nora');
    await page.getByLabel('Password', { exact: true }).fill(memberPassword);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(page.url()).toContain(acme.companyId);
  });

  it('that could not be read says so, and is read by a button', async () => {
    const url = await invite('unread@example.org', subject.world.acme.companyId);
    visitor = await subject.visit();
    const { page } = visitor;
    const refused = { status: 500, contentType: 'text/plain', body: 'no' };
    await page.route('**/api/auth/invites/describe', (route) => route.fulfill(refused));
    await page.goto(url);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await page.unroute('**/api/auth/invites/describe');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    expect(await alert.count()).toBe(0);
  });

  it('hides the frame of the console while its page loads, also for a signed-in operator', async () => {
    const url = await invite('lars@example.org', subject.world.acme.companyId);
    visitor = await subject.enter();
    const { page } = visitor;
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/invite-page-.*\.js$/, async (route) => {
      await held.promise;
      await route.fallback();
    });
    await page.goto(url);
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor();
    expect(await page.locator('.shell[data-shell="app"]').isVisible()).toBe(false);
    held.resolve();
    await page.getByRole('heading', { name: 'Join Acme' }).waitFor();
  });

  it('that was used says so before any form, and leads to the sign-in and back', async () => {
    const { acme } = subject.world;
    const account = { email: 'uma@example.org', password: memberPassword };
    const url = await invite(account.email, acme.companyId);
    const join = async (page: Page): Promise<void> => {
      await page.goto(url);
      await page.getByLabel('Name', { exact: true }).fill('Uma');
      await page.getByLabel('Password', { exact: true }).fill(account.password);
      await page.getByRole('button', { name: 'Create account and join' }).click();
    };
    const first = await subject.visit();
    await join(first.page);
    await first.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await first.close();
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto(url);
    await page.getByText(`This invite was used: the account of ${account.email}`).waitFor();
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await fillLogin(page, account);
    await page.getByRole('button', { name: 'Join as Uma' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(page.url()).toContain(acme.companyId);
  });

  it('opened with a session offers that account nothing but to join, and says to everybody else who they are', async () => {
    const { acme } = subject.world;
    const url = await invite('board2@example.org', acme.companyId);
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(url);
    await page
      .getByText(`You are signed in as ${board.email}. This invite is for another`)
      .waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Second');
    await page.getByLabel('Password', { exact: true }).fill(memberPassword);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByRole('button', { name: 'Join as Second' }).waitFor();
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Join as Second' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  });

  it('of some folders says which', async () => {
    const grants = ['lab', 'plans'].map((folder) => ({ folder, scope: 'read' }));
    const url = await invite('vera@example.org', subject.world.acme.companyId, {
      role: 'viewer',
      grants,
    });
    visitor = await subject.visit();
    await visitor.page.goto(url);
    const reach =
      'can read, but not change anything. Access is limited to: lab (read only), plans (read only).';
    const said = visitor.page.getByText('invited vera@example.org as viewer');
    expect(await said.innerText()).toContain(reach);
  });

  it('that was taken back says so, and offers no form', async () => {
    const asBoard = subject.system.as(await subject.system.boardHeaders());
    const invites = `/api/companies/${subject.world.acme.companyId}/invites`;
    const url = await invite('oona@example.org', subject.world.acme.companyId);
    const { items } = (await asBoard('GET', invites)).body as {
      readonly items: readonly { readonly id: string; readonly email: string }[];
    };
    const { id } = items.find(({ email }) => email === 'oona@example.org') ?? {};
    expect((await asBoard('DELETE', `${invites}/${id}`)).status).toBeLessThan(300);
    visitor = await subject.visit();
    await visitor.page.goto(url);
    await visitor.page.getByText('This invite has expired').waitFor();
    expect(await visitor.page.getByLabel('Name', { exact: true }).count()).toBe(0);
  });

  it('requires an existing account to sign in, and then joins', async () => {
    const { system, world } = subject;
    const asBoard = system.as(await system.boardHeaders());
    const account = { email: 'omar@example.org', password: memberPassword };
    const member = { email: account.email, role: 'viewer' } as const;
    await inviteMember(asBoard, world.acme, { baseUrl: system.baseUrl, ...member });
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto(await invite(account.email, world.zenith.companyId));
    await page.getByRole('link', { name: 'I already have an account' }).click();
    await page.waitForURL('**/login?next=**');
    await page.getByText('Sign in with the invited email. You can join then.').waitFor();
    expect(page.url()).not.toContain('token');
    await fillLogin(page, account);
    await page.getByRole('button', { name: /^Join as/ }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(page.url()).toContain(world.zenith.companyId);
  });
});

describe('the sessions of an operator', () => {
  it('are listed, and can be ended on all other devices', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    const elsewhere = await subject.visit();
    await signIn(elsewhere.page);
    await page.goto('/account');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End other sessions' }).click();
    await page
      .getByRole('button', { name: /^End the session/ })
      .first()
      .waitFor({ state: 'detached' });
    await page.getByText('Your other sessions have ended.').waitFor();
    await elsewhere.page.goto('/account');
    await elsewhere.page.waitForURL('**/login?next=**');
    expect(new URL(page.url()).pathname).toBe('/account');
    await elsewhere.close();
  });
});

describe('the link of a handover', () => {
  it('says whose account it is, is seen in the list until it is taken, and once used has no form', async () => {
    const account = { email: 'hanna@example.org', password: memberPassword };
    const { system, world } = subject;
    const asBoard = system.as(await system.boardHeaders());
    await inviteMember(asBoard, world.acme, {
      baseUrl: system.baseUrl,
      email: account.email,
      role: 'viewer',
    });
    const { items } = (await asBoard('GET', '/api/auth/operators?limit=200')).body as {
      readonly items: readonly { readonly id: string; readonly email: string }[];
    };
    const { id } = items.find(({ email }) => email === account.email) ?? {};
    const begun = await asBoard('POST', `/api/auth/operators/${id}/handover`);
    const { url } = begun.body as { readonly url: string };
    const administrator = await subject.enter();
    await administrator.page.goto('/operators');
    const row = administrator.page.getByRole('row', { name: /hanna@example\.org/ });
    await row.getByText('In a handover that nobody took').waitFor();
    await expectNoAxeViolations(administrator.page);
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto(url);
    await page.getByText(`handed the account of ${account.email} to its person`).waitFor();
    expect(await page.locator('[autocomplete="username"]').inputValue()).toBe(account.email);
    await expectNoAxeViolations(page);
    await page.getByLabel('New password', { exact: true }).fill('quiet harbours at dawn');
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByText('This link was used, has expired, or was replaced.').waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);
    await administrator.page.reload();
    await row.getByText('enabled').waitFor();
    expect(await row.getByText('In a handover').count()).toBe(0);
    await administrator.close();
  });
});
