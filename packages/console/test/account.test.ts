import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword } from '@commonplace/e2e';
import type { Visitor } from './support/browser.ts';
import { fillLogin, signIn } from './support/sign-in.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const join = async (email: string) => {
  const { system, world } = subject;
  const asBoard = system.as(await system.boardHeaders());
  const { baseUrl } = system;
  await inviteMember(asBoard, world.acme, { baseUrl, email, role: 'operator' });
  return { email, password: memberPassword };
};

describe('the account page', () => {
  it('changes the password if the current one is correct', async () => {
    const account = await join('paula@example.org');
    const password = 'four warm stones by the lake';
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page, account);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Account & sessions' }).click();
    const current = page.getByLabel('Current password', { exact: true });
    const change = page.getByRole('button', { name: 'Change password' });
    await current.fill('not the current password');
    await page.getByLabel('New password', { exact: true }).fill(password);
    await change.click();
    await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
    await current.and(page.locator(':focus[aria-invalid="true"]')).waitFor();
    expect(await current.getAttribute('aria-describedby')).toMatch(/-error$/);
    await current.fill(account.password);
    await change.click();
    await page.getByText(/^Password changed\./).waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    await fillLogin(page, account);
    await page.getByRole('alert').waitFor();
    await fillLogin(page, { email: account.email, password });
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/companies/${subject.world.acme.companyId}`);
  });

  it('ends a session on another device after a confirmation that names it, without ending its own', async () => {
    const account = await join('rosa@example.org');
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page, account);
    await page.goto('/account');
    const ends = page.getByRole('button', { name: /^End the session/ });
    await ends.first().waitFor();
    const before = await ends.count();
    expect(await ends.first().getAttribute('aria-label')).toMatch(/, signed in .*\d/);
    await ends.first().click();
    const dialog = page.getByRole('dialog', { name: /^End the session of .+, signed in / });
    await dialog.getByRole('button', { name: 'End session' }).click();
    await page.getByText(/^The session of .+ has ended\.$/).waitFor();
    await ends.nth(before - 1).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('This session').waitFor();
    expect(await ends.count()).toBe(before - 1);
  });
});

describe('a button that waits', () => {
  it('shows so in its middle, also where motion is reduced', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto('/account');
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/api/auth/totp', async (route) => {
      await held;
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Set up an app' });
    await button.click();
    const loader = page.locator('.mantine-Button-loader');
    await loader.waitFor();
    const [outer, inner] = await Promise.all([button, loader].map((each) => each.boundingBox()));
    for (const [start, size] of [
      ['x', 'width'],
      ['y', 'height'],
    ] as const) {
      const middle = (box: typeof outer) => (box?.[start] ?? 0) + (box?.[size] ?? 0) / 2;
      expect(Math.abs(middle(outer) - middle(inner))).toBeLessThanOrEqual(2);
    }
    goOn();
    await loader.waitFor({ state: 'detached' });
  });
});

describe('the colour scheme', () => {
  it('is selected in the header and stored', async () => {
    visitor = await subject.visit({ colorScheme: 'light' });
    const { page } = visitor;
    const scheme = () =>
      page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
    await signIn(page);
    expect(await scheme()).toBe('light');
    await page.getByRole('button', { name: 'Colour scheme' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(await scheme()).toBe('dark');
  });
});

describe('an administrator', () => {
  it('disables an operator, who is redirected to the login page', async () => {
    const account = await join('dora@example.org');
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    const disabled = await subject.visit();
    await signIn(disabled.page, account);
    await page.getByRole('link', { name: 'Operators' }).click();
    const row = page.getByRole('row').filter({ hasText: account.email });
    await row.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Disable…' }).click();
    await page.getByRole('button', { name: 'Disable operator' }).click();
    await row.getByText('disabled').waitFor();
    await disabled.page.goto('/account');
    await disabled.page.waitForURL('**/login?next=**');
    await fillLogin(disabled.page, account);
    expect(await disabled.page.getByRole('alert').textContent()).not.toBe('');
    await disabled.close();
  });
});
