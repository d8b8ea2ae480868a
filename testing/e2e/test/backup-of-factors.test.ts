import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem, type RunningSystem } from '@commonplace/standalone';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApi, type Api } from '../src/call-api.ts';
import {
  challengeOf,
  setUpApp,
  signInWithCode,
  type AuthenticatorApp,
} from '../src/factors/authenticator-app.ts';
import { addPasskey, signInWithPasskey, type Device } from '../src/factors/device.ts';
import { bodyOf } from '../src/factors/response-of.ts';
import { createBrowser } from '../src/oidc/browser-of-person.ts';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '../src/oidc/identity-provider.ts';
import { linkPerson } from '../src/oidc/link-person.ts';
import { runAdmin } from '../src/run-script.ts';
import { signIn } from '../src/sign-in.ts';
import { administrator } from '../src/test-system.ts';

/** A backup with every way to sign in; they are removed afterwards, and the backup is restored. */
let folder: string;
let provider: IdentityProvider;
let system: RunningSystem;
let app: AuthenticatorApp;
let device: Device;
const subject = randomUUID();

const start = async (): Promise<void> => {
  system = await startSystem({
    dataDir: join(folder, 'data'),
    mode: 'authenticated',
    output: () => undefined,
    fsync: false,
    env: {
      LOG_LEVEL: 'error',
      BOOTSTRAP_OPERATOR_EMAIL: administrator.email,
      BOOTSTRAP_OPERATOR_PASSWORD: administrator.password,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
    },
  });
  provider.admit(system.baseUrl);
};

const account = () => ({ baseUrl: system.baseUrl, ...administrator });
const apiWith = (headers: Readonly<Record<string, string>>): Api =>
  createApi({ baseUrl: system.baseUrl, headers });
const run = async (script: 'backup' | 'restore', ...args: string[]): Promise<void> => {
  const file = join(folder, 'monday.backup');
  const ended = await runAdmin(script, [file, ...args], { DATA_DIR: join(folder, 'data') });
  if (ended.exitCode !== 0) {
    throw new Error(`The ${script} ended with ${ended.exitCode}: ${ended.stderr}`);
  }
};

beforeAll(async () => {
  provider = await startIdentityProvider();
  folder = await mkdtemp(join(tmpdir(), 'commonplace-factors-'));
  // PostgreSQL runs as a user of its own when the tests run as root.
  await chmod(folder, 0o711);
  await start();
  const api = apiWith(await signIn(account()));
  app = await setUpApp(api);
  device = await addPasskey(api, system.baseUrl);
  provider.state.person = { sub: subject };
  await linkPerson({ baseUrl: system.baseUrl, api });
  await run('backup');
  const { body } = await api('GET', '/api/auth/identities');
  const [identity] = (body as { items: { id: string }[] }).items;
  for (const path of [
    '/api/auth/totp',
    `/api/auth/passkeys/${device.passkeyId}`,
    `/api/auth/identities/${identity?.id ?? ''}`,
  ]) {
    bodyOf(await api('DELETE', path), 204);
  }
  await system.stop();
  await run('restore', '--force');
  await start();
}, 240_000);
afterAll(async () => {
  await system?.stop();
  await provider?.stop();
  await rm(folder, { recursive: true, force: true });
});

const expectSignedIn = async (headers: Readonly<Record<string, string>>): Promise<void> => {
  const { body } = await apiWith(headers)('GET', '/api/auth/session');
  expect(body).toMatchObject({ operator: { email: administrator.email } });
};

it('a restored authenticator app signs in, and has its recovery codes', async () => {
  const headers = await signInWithCode(account(), app);
  await expectSignedIn(headers);
  const { body } = await apiWith(headers)('GET', '/api/auth/factors');
  expect(body).toMatchObject({ totp: { recoveryCodesLeft: 10 }, passkeys: 1 });
  const challenge = await challengeOf(account());
  const [recoveryCode] = app.recoveryCodes;
  const page = apiWith({ origin: system.baseUrl });
  const path = '/api/auth/login/second-factor';
  const response = await page('POST', path, { body: { challenge, recoveryCode } });
  expect(response.status).toBe(200);
});

it('a restored passkey signs in', async () => {
  await expectSignedIn(await signInWithPasskey(system.baseUrl, device, system.baseUrl));
});

it('a restored identity signs in', async () => {
  provider.state.person = { sub: subject };
  const browser = createBrowser();
  await browser.signIn(system.baseUrl);
  await expectSignedIn({ cookie: browser.cookies(system.baseUrl) });
});
