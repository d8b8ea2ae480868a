import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { fillLogin } from './support/sign-in.ts';
import { board, startEmptyConsole, type EmptyConsole } from './support/start-console.ts';
import { visitWithDevice } from './support/visit-with-device.ts';

let subject: EmptyConsole;
let visitor: Visitor;
let secret: string;
let recoveryCode: string;

/** The other side's app. Codes work once. */
const codeOf = (stepsLater: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + stepsLater * 30_000,
  });

beforeAll(async () => {
  subject = await startEmptyConsole('authenticated', { env: { REQUIRE_SECOND_FACTOR: 'on' } });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

describe('an operator who must set up a second factor', () => {
  it('adds a passkey and goes on with it, by keyboard', async () => {
    visitor = await visitWithDevice(subject);
    const { page } = visitor;
    await page.goto('/login');
    await fillLogin(page, board);
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    const name = page.getByLabel('Name of the passkey');
    await name.waitFor();
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
    await expectNoAxeViolations(page);
    const proceed = page.getByRole('button', { name: 'Continue with the passkey' });
    expect(await proceed.count()).toBe(0);
    await name.focus();
    await page.keyboard.type('Laptop');
    await page.keyboard.press('Enter');
    await proceed.waitFor();
    await proceed.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Welcome to Commonplace').waitFor();
    await page.goto('/account');
    await page.getByText('signed in with a passkey').waitFor();
    const remove = page.getByRole('button', { name: 'Remove the passkey Laptop' });
    await remove.click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await remove.waitFor({ state: 'detached' });
    // The session goes on without a second factor, so another one must be set up first: nothing else is open to it.
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/account');
    await page.goto('/');
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  });

  it('may sign out instead, or set up an app', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto('/login');
    await fillLogin(page, board);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    await page.goto('/enrol');
    await page.waitForURL('**/login');
    await fillLogin(page, board);
    await page.getByRole('button', { name: 'Set up an app' }).click();
    secret = String(await page.getByLabel('Secret', { exact: true }).textContent());
    await page.getByLabel('Code', { exact: true }).fill(codeOf(0));
    await page.keyboard.press('Enter');
    const codes = page.getByLabel('Recovery codes', { exact: true });
    recoveryCode = String(await codes.textContent()).split('\n')[0] ?? '';
    await page.getByRole('button', { name: 'I have stored the codes' }).click();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText('Welcome to Commonplace').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('confirms with a code of the app after the passkey of the session was removed', async () => {
    visitor = await visitWithDevice(subject);
    const { page } = visitor;
    await page.goto('/login');
    await fillLogin(page, board);
    await page.getByLabel('Code', { exact: true }).fill(recoveryCode);
    await page.keyboard.press('Enter');
    await page.getByText('Welcome to Commonplace').waitFor();
    await page.goto('/account');
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const remove = page.getByRole('button', { name: 'Remove the passkey Laptop' });
    await remove.waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Welcome to Commonplace').waitFor();
    await page.goto('/account');
    await remove.click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    // Nothing else is open to the session any more, so the page leads there by itself.
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/enrol');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Password', { exact: true }).fill(board.password);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(1));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account');
  });
});
