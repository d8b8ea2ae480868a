import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword } from '@commonplace/e2e';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { fillLogin, signIn } from './support/sign-in.ts';
import { visitWithDevice } from './support/visit-with-device.ts';
import { emailOf, startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
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

/** The other side's app. Codes work once, so each is of a later step; none is of an earlier one, which may be over when it arrives. */
const codeOf = (secret: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + stepsLater * 30_000,
  });

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
};

describe('an authenticator app', () => {
  it('is set up by keyboard, signs in with a code and with a recovery code, and is removed', async () => {
    const account = await join(emailOf('totp'));
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page, account);
    await page.goto('/account');
    const begin = page.getByRole('button', { name: 'Set up an app' });
    await begin.waitFor();
    await begin.click();
    await page.getByText('The secret is shown.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await begin.focus();
    await page.keyboard.press('Enter');
    const secret = String(await page.getByLabel('Secret', { exact: true }).textContent());
    await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('Code', { exact: true }).focus();
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    const shown = await page.getByLabel('Recovery codes', { exact: true }).textContent();
    const recoveryCodes = String(shown).split('\n');
    expect(recoveryCodes).toHaveLength(10);
    await expectNoAxeViolations(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(recoveryCodes[9] ?? '').isVisible()).toBe(true);
    expect(await page.getByText(`${account.email} at 127.0.0.1`).isVisible()).toBe(true);
    for (const other of ['Print these recovery codes', 'Passkeys', 'Sessions']) {
      expect(await page.getByText(other).first().isVisible()).toBe(false);
    }
    await page.emulateMedia({ media: 'screen' });
    const dialog = page.getByRole('dialog', { name: 'Store your recovery codes' });
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'I have stored the codes' }).click();
    await dialog.waitFor({ state: 'detached' });

    await signOut(page);
    await fillLogin(page, account);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();

    await signOut(page);
    await fillLogin(page, account);
    await page.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('You used a recovery code. 9 are left.').waitFor();
    await page.goto('/account');
    await page.getByText('9 recovery codes are left').waitFor();
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
    await page.getByText('Authenticator app removed.').waitFor();
    expect(await page.getByText('recovery codes are left').count()).toBe(0);
  });
});

describe('a passkey', () => {
  it('is added once a device, signs in without a password, and is removed', async () => {
    const account = await join(emailOf('passkey'));
    visitor = await visitWithDevice(subject);
    const { page } = visitor;
    await signIn(page, account);
    await page.goto('/account');
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click();
    const field = page.getByLabel('New name of Laptop');
    await field.fill('Something else');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await field.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click();
    await field.fill('Work laptop');
    await page.route('**/api/auth/passkeys/*', (route) => route.abort(), { times: 1 });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    // What was typed is not lost, and is sent again.
    expect(await field.inputValue()).toBe('Work laptop');
    await field.press('Enter');
    await page.getByText('The passkey is called Work laptop now.').waitFor();
    const remove = page.getByRole('button', { name: 'Remove the passkey Work laptop' });
    await remove.waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('Name of the passkey').fill('The same laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device has a passkey of your account already.').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.goto('/account');
    await page.getByText('signed in with a passkey').waitFor();
    await remove.click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await remove.waitFor({ state: 'detached' });
    await page.getByText('The passkey Work laptop was removed.').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
  });
});

describe('a change that needs a recent sign-in', () => {
  it('goes on after the password was confirmed, and stays undone if the dialog is closed', async () => {
    const account = await join(emailOf('recent'));
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page, account);
    let isRefused = true;
    await page.route('**/api/auth/totp', async (route) => {
      await (isRefused
        ? route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            json: {
              type: 'about:blank',
              title: 'Confirm that it is you',
              status: 403,
              detail: 'This needs a sign-in of the last 15 minutes.',
              code: 'reauthentication_required',
              requestId: 'test',
            },
          })
        : route.continue());
    });
    await page.route('**/api/auth/reauthenticate', async (route) => {
      isRefused = false;
      await route.continue();
    });
    await page.goto('/account');
    const begin = page.getByRole('button', { name: 'Set up an app' });
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await begin.click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('alert').waitFor();
    await begin.click();
    await dialog.waitFor();
    const password = dialog.getByLabel('Password', { exact: true });
    await password.waitFor();
    await expectNoAxeViolations(page);
    await password.fill('not the password of this account');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('The password is wrong.').waitFor();
    await password.fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Secret', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'detached' });
  });
});
