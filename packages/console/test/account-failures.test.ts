import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword } from '@commonplace/e2e';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { loseResponse } from './support/lose-response.ts';
import { signIn } from './support/sign-in.ts';
import { visitWithDevice } from './support/visit-with-device.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

/** The account page of a new operator whose device makes passkeys. */
const openAccount = async (email: string): Promise<Page> => {
  const { system, world } = subject;
  const asBoard = system.as(await system.boardHeaders());
  const { baseUrl } = system;
  await inviteMember(asBoard, world.acme, { baseUrl, email, role: 'operator' });
  visitor = await visitWithDevice(subject);
  const { page } = visitor;
  await signIn(page, { email, password: memberPassword });
  await openPage(page, '/account');
  return page;
};

const addPasskey = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Name of the passkey').fill(name);
  await page.keyboard.press('Enter');
  await page.getByText(`The passkey ${name} was added.`).waitFor();
};

const panelOf = (page: Page) =>
  page.locator('.panel').filter({ has: page.getByRole('heading', { name: 'Passkeys' }) });

describe('an authenticator app whose confirmation got no response', () => {
  it('is shown as it is, and the page says that the recovery codes did not arrive and how to get others', async () => {
    const page = await openAccount('unconfirmed@example.org');
    await page.getByRole('button', { name: 'Set up an app' }).click();
    const secret = String(await page.getByLabel('Secret', { exact: true }).textContent());
    await loseResponse(page, 'POST', '/api/auth/totp/confirm');
    await page
      .getByLabel('Code', { exact: true })
      .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('its recovery codes did not arrive').waitFor();
    await page.getByText('Signing in needs a code. 10 recovery codes are left.').waitFor();
    await page.getByRole('button', { name: 'Remove the app' }).waitFor();
    expect(await page.getByLabel('Secret', { exact: true }).count()).toBe(0);
    await expectNoAxeViolations(page);
  });
});

describe('a passkey', () => {
  it('that is added is named in a message, and the focus stays in the form', async () => {
    const page = await openAccount('added@example.org');
    await addPasskey(page, 'Laptop');
    await page.getByRole('button', { name: 'Rename the passkey Laptop' }).waitFor();
    // The form is emptied once what was added is listed.
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('form input[maxlength="100"]')?.value === '',
    );
    await page.waitForFunction(() => document.activeElement?.closest('form') !== null);
    expect(await page.getByRole('button', { name: /^Rename the passkey/ }).count()).toBe(1);
  });

  it('keeps the new name in its field until it is saved', async () => {
    const page = await openAccount('renamed@example.org');
    await addPasskey(page, 'Laptop');
    await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click();
    const field = page.getByLabel('New name of Laptop');
    await field.fill('The one at work');
    const refused = { status: 500, contentType: 'text/plain', body: 'no' };
    await page.route('**/api/auth/passkeys/*', (route) => route.fulfill(refused), { times: 1 });
    await page.keyboard.press('Enter');
    await panelOf(page).getByRole('alert').waitFor();
    expect(await field.inputValue()).toBe('The one at work');
    await page.keyboard.press('Enter');
    await page.getByText('The passkey is called The one at work now.').waitFor();
    await field.waitFor({ state: 'detached' });
    expect(await panelOf(page).getByRole('alert').count()).toBe(0);
  });

  it('that is removed is gone, also if the response was lost', async () => {
    const page = await openAccount('removed@example.org');
    await addPasskey(page, 'Laptop');
    await loseResponse(page, 'DELETE', '/api/auth/passkeys/*');
    const remove = page.getByRole('button', { name: 'Remove the passkey Laptop' });
    await remove.click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('The passkey Laptop was removed.').waitFor();
    await remove.waitFor({ state: 'detached' });
    expect(await panelOf(page).getByRole('alert').count()).toBe(0);
  });
});
