import type { Page } from 'playwright-core';
import type { Screenshot } from './screenshot.ts';

/** The settings of single sign-on. Its provider is not there: no picture gets that far. */
export const signInSettings = {
  OIDC_ISSUER: 'https://sign-in.example.org',
  OIDC_CLIENT_ID: 'commonplace',
  OIDC_NAME: 'Example Staff',
} as const;

/** Replaces the responses to requests of the page. */
const respond = async (page: Page, path: string, json: object): Promise<void> => {
  await page.route(`**${path}`, (route) => route.fulfill({ json }));
};

type Problem = { readonly status: number; readonly code: string; readonly challenge?: string };

/** Refuses requests of the page. */
const refuse = async (page: Page, path: string, problem: Problem): Promise<void> => {
  await page.route(`**${path}`, (route) =>
    route.fulfill({
      status: problem.status,
      contentType: 'application/problem+json',
      json: {
        type: 'about:blank',
        title: 'Refused',
        detail: 'Refused',
        requestId: '0',
        ...problem,
      },
    }),
  );
};

const withoutPasswords = (page: Page): Promise<void> =>
  respond(page, '/api/auth/sign-in-options', {
    localLogin: false,
    isSetUp: true,
    passkeyOrigin: null,
    oidc: { name: signInSettings.OIDC_NAME },
  });

/** The token in the screenshot is not a real one. */
const describeInvite = (page: Page): Promise<void> =>
  respond(page, '/api/auth/invites/describe', {
    companyName: 'Aurora Labs',
    inviterName: 'Robin Vale',
    email: 'nora@example.org',
    role: 'operator',
    grants: null,
    isUsed: false,
  });

const needCode = (page: Page): Promise<void> =>
  refuse(page, '/api/auth/login', { status: 401, code: 'second_factor_required', challenge: 'x' });

const enterPassword = async (page: Page): Promise<void> => {
  await page.getByLabel('Email', { exact: true }).fill('board@example.org');
  await page.getByLabel('Password', { exact: true }).fill('seven grey herons waiting');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
};

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** An account with everything. */
const addFactors = async (page: Page): Promise<void> => {
  await respond(page, '/api/auth/factors', {
    totp: { confirmedAt: hoursAgo(900), recoveryCodesLeft: 9 },
    passkeys: 2,
    hasPassword: true,
    isRequired: false,
    authenticatedAt: hoursAgo(1),
  });
  await respond(page, '/api/auth/passkeys', {
    items: [
      {
        id: '1',
        name: 'Laptop',
        createdAt: hoursAgo(800),
        lastUsedAt: hoursAgo(3),
        isBackedUp: false,
      },
      { id: '2', name: 'Phone', createdAt: hoursAgo(30), lastUsedAt: null, isBackedUp: true },
    ],
  });
  await respond(page, '/api/auth/identities', {
    items: [
      {
        id: '1',
        issuer: signInSettings.OIDC_ISSUER,
        subject: '8f14e45f',
        email: 'board@example.org',
        createdAt: hoursAgo(700),
        lastUsedAt: hoursAgo(26),
      },
    ],
  });
  await page.route('**/api/auth/sessions*', async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { items: readonly object[] };
    const [own] = items;
    const other = {
      ...own,
      id: '2',
      current: false,
      lastSeenAt: hoursAgo(2),
      signInMethod: 'passkey',
    };
    await route.fulfill({ response, json: { items: [own, other], nextCursor: null } });
  });
};

const openEnrolment = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const code = page.getByRole('img', { name: 'QR code with the secret' });
  await code.waitFor();
  await code.scrollIntoViewIfNeeded();
};

const recoveryCodes = Array.from({ length: 10 }, (_, index) =>
  ['k3pw', 'd7nt', 'x2fh', 'q9sm', 'b4vz', 'h6yc', 'r8jg', 'm5ua', 'z3ek', 't7wd']
    .slice(index)
    .concat('p4cx', 'n6rb', 'v9ty', 'g2mh')
    .slice(0, 4)
    .join('-'),
);

const confirmApp = async (page: Page): Promise<void> => {
  await openEnrolment(page);
  await respond(page, '/api/auth/totp/confirm', { recoveryCodes });
  await respond(page, '/api/auth/factors', {
    totp: { confirmedAt: hoursAgo(0), recoveryCodesLeft: 10 },
    passkeys: 0,
    hasPassword: true,
    isRequired: false,
    authenticatedAt: hoursAgo(0),
  });
  await page.getByLabel('Code', { exact: true }).fill('123456');
  await page.keyboard.press('Enter');
  const shown = page.getByLabel('Recovery codes', { exact: true });
  await shown.waitFor();
  await shown.scrollIntoViewIfNeeded();
};

const needConfirmation = async (page: Page): Promise<void> => {
  await addFactors(page);
  await refuse(page, '/api/auth/totp', { status: 403, code: 'reauthentication_required' });
};

const openConfirmation = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Remove the app' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor();
};

/** The screenshots of signing in and of its factors. */
export const signInScreenshots: readonly Screenshot[] = [
  { name: 'sign-in', path: '/login', isSignedOut: true, onPhone: true },
  {
    name: 'sign-in-provider',
    path: '/login?error=oidc_account_exists',
    isSignedOut: true,
    onPhone: true,
    before: withoutPasswords,
  },
  {
    name: 'sign-in-code',
    path: '/login',
    isSignedOut: true,
    onPhone: true,
    before: needCode,
    prepare: enterPassword,
  },
  {
    name: 'invite',
    path: '/invite#token=x',
    isSignedOut: true,
    onPhone: true,
    before: describeInvite,
  },
  { name: 'enrolment', path: '/enrol', height: 900, onPhone: true, prepare: openEnrolment },
  { name: 'account', path: '/account', height: 1100, onPhone: true, before: addFactors },
  { name: 'recovery-codes', path: '/account', height: 1300, onPhone: true, prepare: confirmApp },
  {
    name: 'confirmation',
    path: '/account',
    onPhone: true,
    before: needConfirmation,
    prepare: openConfirmation,
  },
];
