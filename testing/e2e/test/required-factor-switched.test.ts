import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicRoutes, type RouteContract } from '@commonplace/contracts';
import { until } from '@commonplace/testkit';
import { pathOf } from '../src/access-matrix.ts';
import { createApi, type Api, type ApiResponse } from '../src/call-api.ts';
import { setUpApp, signInWithCode } from '../src/factors/authenticator-app.ts';
import { addPasskey, signInWithPasskey } from '../src/factors/device.ts';
import { createBrowser } from '../src/oidc/browser-of-person.ts';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '../src/oidc/identity-provider.ts';
import { beginWith, linkPerson } from '../src/oidc/link-person.ts';
import { restartEach } from '../src/processes.ts';
import { makeSettingsFile, type SettingsFile } from '../src/settings-file.ts';
import { signIn } from '../src/sign-in.ts';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, memberPassword as password } from '../src/world.ts';
import type { CompanyWorld } from '../src/world.ts';

/** An instance that begins to require a second factor while operators are signed in, and stops again. */
let directory: string;
let settings: SettingsFile;
let provider: IdentityProvider;
let system: TestSystem;
let board: Api;
let company: CompanyWorld;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'commonplace-settings-'));
  settings = await makeSettingsFile(join(directory, 'auth.json'));
  provider = await startIdentityProvider();
  system = await startTestSystem('authenticated', {
    serviceEnv: { auth: settings.env },
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      RATE_LIMIT_PER_SECOND: '0',
    },
  });
  const { baseUrl } = system;
  provider.admit(baseUrl);
  const headers = await system.boardHeaders();
  const app = await setUpApp(system.as(headers));
  board = system.as(await signInWithCode({ baseUrl, ...administrator }, app));
  company = await makeCompany(board, 'Guarded', { baseUrl, withInvite: true });
  company = { ...company, connectionId: randomUUID() };
}, 120_000);
afterAll(async () => {
  await system.stop();
  await provider.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Restarts the auth service, and waits until the instance is ready. */
const requireFactor = async (isRequired: boolean): Promise<void> => {
  await settings.write({ REQUIRE_SECOND_FACTOR: isRequired ? 'on' : 'off' });
  await restartEach(system.system, ['auth']);
  await until(async () => (await system.as({})('GET', '/readyz')).status === 200);
};

const codeOf = ({ status, body }: ApiResponse) => [status, (body as { code?: string }).code];
const enrolFirst = [403, 'second_factor_enrolment_required'];

type Session = { readonly api: Api; readonly headers: Readonly<Record<string, string>> };
type Account = { readonly email: string; readonly baseUrl: string; readonly password: string };

/** A new member, signed in by password alone. */
const newMember = async (): Promise<Session & { readonly account: Account }> => {
  const { baseUrl } = system;
  const email = `${randomUUID()}@example.org`;
  const headers = await inviteMember(board, company, { baseUrl, email, role: 'owner' });
  return { ...sessionOf(headers), account: { baseUrl, email, password } };
};

const sessionOf = (headers: Session['headers']): Session => ({ api: system.as(headers), headers });

/** Every operator route that a session reaches, with the ids of the company. */
const guarded = publicRoutes.filter(
  ({ access, connections, duringEnrolment }: RouteContract) =>
    access.kind !== 'public' && connections !== 'only' && duringEnrolment !== true,
);

const send = (api: Api, contract: RouteContract): Promise<ApiResponse> => {
  const body = contract.body && { body: {} };
  return api(contract.method.toUpperCase(), pathOf(contract, company), body);
};

/** What operators have who signed in while nothing was required. */
const begin = async () => {
  const { baseUrl } = system;
  const [byPassword, withPasskey, withApp, linked] = await Promise.all([
    newMember(),
    newMember(),
    newMember(),
    newMember(),
  ]);
  const device = await addPasskey(withPasskey.api, baseUrl);
  await setUpApp(withApp.api);
  provider.state.person = { sub: randomUUID() };
  await linkPerson({ baseUrl, api: linked.api });
  const browser = createBrowser();
  await browser.signIn(baseUrl);
  const byIdentity = sessionOf({ cookie: browser.cookies(baseUrl), origin: baseUrl });
  provider.state.person = { sub: randomUUID() };
  const linking = await beginWith(baseUrl, await byPassword.api('POST', '/api/auth/identities'));
  return {
    byPassword,
    /** Signed in by password alone, to an account that has more. */
    withLess: [withPasskey, linked],
    byFactor: [withApp, sessionOf(await signInWithPasskey(baseUrl, device)), byIdentity],
    finishLinking: async () => linking.browser.visit(await linking.browser.toCallback(linking.url)),
  };
};

/** An event stream, and whether it has ended. */
const openFeed = async ({ headers }: Session) => {
  const accept = 'text/event-stream';
  const feed = await fetch(`${system.baseUrl}/api/notes/changes`, {
    headers: { ...headers, accept },
  });
  const state = { status: feed.status, isOver: false };
  void feed.text().finally(() => {
    state.isOver = true;
  });
  return state;
};

const companies = async ({ api }: Session) => codeOf(await api('GET', '/api/companies'));

/** Takes an account after a handover; nobody can confirm a factor of it. */
const takeHandover = async ({ api, account }: Awaited<ReturnType<typeof newMember>>) => {
  const { body } = await api('GET', '/api/auth/session');
  const { id } = (body as { operator: { id: string } }).operator;
  const begun = await board('POST', `/api/auth/operators/${id}/handover`);
  const { token } = begun.body as { token: string };
  const page = createApi({ baseUrl: system.baseUrl, headers: { origin: system.baseUrl } });
  const taken = { token, password: 'seven tall ships in the fog' };
  expect((await page('POST', '/api/auth/handovers/accept', { body: taken })).status).toBe(200);
  return sessionOf(await signIn({ ...account, password: taken.password }));
};

describe('an instance that begins to require a second factor', () => {
  it('holds every session without one to setting it up, and leaves the others alone, until it stops', async () => {
    const begun = await begin();
    const { byPassword, withLess, byFactor } = begun;
    const feeds = await Promise.all([byPassword, ...byFactor].map(openFeed));
    expect(feeds.map(({ status }) => status)).toEqual([200, 200, 200, 200]);

    await requireFactor(true);

    for (const session of [byPassword, ...withLess]) {
      expect(await companies(session)).toEqual(enrolFirst);
    }
    await until(() => feeds[0]?.isOver === true);
    expect(feeds.slice(1).map(({ isOver }) => isOver)).toEqual([false, false, false]);
    const allowed = await Promise.all(
      guarded.map(async (contract) => [
        contract.path,
        codeOf(await send(byPassword.api, contract)),
      ]),
    );
    expect(allowed.filter(([, code]) => String(code) !== String(enrolFirst))).toEqual([]);
    for (const session of byFactor) {
      expect(await companies(session)).toEqual([200, undefined]);
    }

    // An identity would be a way around it: what links one began before.
    const { location } = await begun.finishLinking();
    expect(new URL(location).searchParams.get('error')).toBe('second_factor_enrolment_required');
    for (const { api } of withLess) {
      expect(codeOf(await api('POST', '/api/auth/totp'))).toEqual([
        403,
        'reauthentication_required',
      ]);
    }
    const taken = await takeHandover(await newMember());
    expect(await companies(taken)).toEqual(enrolFirst);

    for (const session of [byPassword, taken]) {
      await setUpApp(session.api);
      expect(await companies(session)).toEqual([200, undefined]);
    }
    expect(codeOf(await byPassword.api('GET', '/api/auth/identities'))).toEqual([200, undefined]);

    await requireFactor(false);

    for (const session of [byPassword, ...withLess, ...byFactor, taken]) {
      expect(await companies(session)).toEqual([200, undefined]);
    }
  }, 120_000);
});
