import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { fillLogin } from './support/sign-in.ts';
import { board, startEmptyConsole, type EmptyConsole } from './support/start-console.ts';
import { visitWithDevice } from './support/visit-with-device.ts';

let subject: EmptyConsole;
let visitor: Visitor;
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
    // The session goes on without a second factor, so another one must be set up first.
    await page.getByText('signed in with a password').waitFor();
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
    const secret = await page.getByLabel('Secret', { exact: true }).textContent();
    const code = new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate();
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.keyboard.press('Enter');
    await page.getByLabel('Recovery codes', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText('Welcome to Commonplace').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});
