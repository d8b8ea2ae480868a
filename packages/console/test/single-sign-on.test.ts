import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '@commonplace/e2e/identity-provider';
import type { Page } from 'playwright-core';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { startEmptyConsole, type EmptyConsole } from './support/start-console.ts';

let provider: IdentityProvider;
let subject: EmptyConsole;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  provider = await startIdentityProvider();
  subject = await startEmptyConsole('authenticated', {
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Staff sign-in',
      OIDC_ALLOWED_DOMAINS: 'staff.example.org',
      OIDC_REQUIRE_AMR: 'mfa',
      REQUIRE_SECOND_FACTOR: 'on',
      LOCAL_LOGIN: 'off',
    },
  });
  provider.admit(subject.system.baseUrl);
}, 120_000);
afterEach(() => visitor.close());
afterAll(async () => {
  await subject.stop();
  await provider.stop();
});

/** A new person signs in next; the provider says how, and whether it says when. */
const announce = ({ amr = ['mfa'], hasTime = true } = {}): void => {
  const sub = randomUUID();
  provider.state.person = { sub, email: `${sub}@staff.example.org`, email_verified: true };
  sayHow(amr, hasTime);
};

const sayHow = (amr: string[], hasTime: boolean): void => {
  provider.state.tamper = ({ auth_time: authTime, ...claims }, sign) =>
    sign({ ...claims, amr, ...(hasTime ? { auth_time: authTime } : {}) });
};

const open = async (path: string): Promise<void> => {
  visitor = await subject.visit();
  ({ page } = visitor);
  await page.goto(path);
};

const signIn = async (how?: Parameters<typeof announce>[0]): Promise<void> => {
  announce(how);
  await open('/login');
  await page.getByRole('link', { name: 'Staff sign-in' }).click();
};

const waitUntilSignedIn = () => page.getByText('You are not a member of any company').waitFor();

describe('the sign-in page without local login', () => {
  it('has the provider first, and signs in by keyboard', async () => {
    announce();
    await open('/login');
    const link = page.getByRole('link', { name: 'Staff sign-in' });
    await link.waitFor();
    await expectNoAxeViolations(page);
    expect(await page.getByLabel('Password').count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await waitUntilSignedIn();
    await page.goto('/account');
    await page.getByText('signed in by single sign-on').waitFor();
    expect(await page.getByRole('heading', { name: 'Change password' }).count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('explains a refusal, also to somebody with a session', async () => {
    await signIn();
    await waitUntilSignedIn();
    await page.goto('/login?error=oidc_refused&next=%2Faccount');
    await page.getByRole('alert').getByText('did not confirm the sign-in').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Go on with the session you have' }).click();
    await page.waitForURL('**/account');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  });
});

describe('a person for whom the provider named no second factor', () => {
  it('signs in there again', async () => {
    await signIn({ amr: ['pwd'] });
    const again = page.getByRole('button', { name: 'Sign in again with Staff sign-in' });
    await again.waitFor();
    expect(new URL(page.url()).pathname).toBe('/enrol');
    expect(await page.getByRole('button', { name: 'Set up an app' }).count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.getByText('named no second factor when you signed in').waitFor();
    await again.click();
    // It says that this attempt was none either.
    await page.getByText('has still named no second factor').waitFor();
    sayHow(['pwd', 'mfa'], true);
    await again.click();
    await page.waitForURL((url) => url.pathname !== '/enrol');
    await waitUntilSignedIn();
  });
});

describe('a change that needs a recent sign-in', () => {
  const begin = async (): Promise<void> => {
    await signIn({ hasTime: false });
    await waitUntilSignedIn();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await confirm().waitFor();
  };
  const confirm = () => page.getByRole('button', { name: 'Confirm with Staff sign-in' });

  it('goes on after a sign-in in a window of its own', async () => {
    await begin();
    await expectNoAxeViolations(page);
    expect(await page.getByRole('dialog').getByLabel('Password').count()).toBe(0);
    sayHow(['mfa'], true);
    const opened = page.waitForEvent('popup');
    await confirm().focus();
    await page.keyboard.press('Enter');
    const popup = await opened;
    await page.getByLabel('Secret', { exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // It may have closed already, and then no event comes.
    while (!popup.isClosed()) {
      await page.waitForTimeout(50);
    }
  });

  it('does not go on for somebody else', async () => {
    await begin();
    announce();
    await confirm().click();
    await waitUntilSignedIn();
    expect(await page.getByLabel('Secret', { exact: true }).count()).toBe(0);
  });
});
