import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, createApi, type Api, type ApiResponse } from '../src/call-api.ts';
import {
  connectByScript,
  refreshByScript,
  sendTo,
  type ScriptedConnection,
  type ScriptedTokens,
} from '../src/connect-by-script.ts';
import { setUpApp, signInWithCode } from '../src/factors/authenticator-app.ts';
import { createBrowser } from '../src/oidc/browser-of-person.ts';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '../src/oidc/identity-provider.ts';
import { restartEach } from '../src/processes.ts';
import { ping } from '../src/repeat-request.ts';
import { makeSecretFiles, type SecretFiles } from '../src/secret-files.ts';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, memberPassword, type CompanyWorld } from '../src/world.ts';

/** The steps of docs/secret-rotation.md, for every list of secrets at once, under traffic. */
let directory: string;
let secrets: SecretFiles;
let provider: IdentityProvider;
let system: TestSystem;
let gateways: readonly string[];
let company: CompanyWorld;

type Headers = Readonly<Record<string, string>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'commonplace-secrets-'));
  secrets = await makeSecretFiles(directory);
  provider = await startIdentityProvider();
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 2, auth: 2, agents: 2, notes: 2 },
    isMeshed: true,
    serviceEnv: secrets.serviceEnv,
    env: {
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'warn',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ALLOWED_DOMAINS: 'staff.example.org',
    },
  });
  provider.admit(system.baseUrl);
  gateways = system.system.processes
    .filter(({ name }) => name === 'gateway')
    .map(({ port }) => `http://127.0.0.1:${port}`);
  const board = system.as(await session());
  company = await makeCompany(board, 'Rotating', { baseUrl: system.baseUrl, withInvite: false });
}, 120_000);
afterAll(async () => {
  await system.stop();
  await provider.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Gateways that said that they end, and until when they are passed over. */
const passedOverUntilMs = new Map<string, number>();

/** As a load balancer does: one that shuts down, or takes no connection, gets no request. */
const anyGateway =
  (headers: Headers): Api =>
  async (method, path, call) => {
    for (let turn = 0; ; turn += 1) {
      const nowMs = performance.now();
      const open = gateways.filter((url) => (passedOverUntilMs.get(url) ?? 0) <= nowMs);
      const choice = open.length > 0 ? open : gateways;
      const baseUrl = choice[Math.floor(Math.random() * choice.length)] ?? '';
      try {
        const response = await createApi({ baseUrl, headers })(method, path, call);
        if (response.headers.get('connection') === 'close') {
          passedOverUntilMs.set(baseUrl, nowMs + 3_000);
        }
        if (turn === 50 || !(await wasLate(response))) {
          return response;
        }
      } catch (error) {
        const { code = '' } = (error as { cause?: { code?: string } }).cause ?? {};
        const isSafe = code === 'ECONNREFUSED' || (method === 'GET' && wentAway.has(code));
        if (!isSafe || turn === 50) {
          throw error;
        }
        await sleep(100);
      }
    }
  };

/**
 * Whether a machine was so busy that the credential could not be looked up in time: that neither allows nor refuses, and
 * reached no service. The gateway logs it; a 503 for any other reason is a failure.
 */
const wasLate = async ({ status, body }: ApiResponse): Promise<boolean> => {
  if (status !== 503) {
    return false;
  }
  const { requestId } = body as { readonly requestId: string };
  // The log comes through a pipe. By then the client may send the request again.
  await sleep(1_000);
  return system
    .output()
    .split('\n')
    .some((line) => line.includes(requestId) && line.includes('did not respond within 600 ms'));
};

/** How it looks when the other end closes a connection under a request. */
const wentAway: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Signs the board in, at whichever gateway, as a page of ours would. */
const session = async (): Promise<Headers> => {
  const login = anyGateway({ 'sec-fetch-site': 'same-origin' });
  const response = await login('POST', '/api/auth/login', { body: administrator });
  if (response.status !== 200) {
    throw new Error(`Signing in returned ${response.status}: ${JSON.stringify(response.body)}`);
  }
  const [cookie = ''] = response.headers.getSetCookie();
  return { cookie: cookie.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' };
};

type Caller = { readonly headers: Headers; readonly path: string; readonly body?: object };

/** Sends requests with every kind of credential, old and new; returns unexpected responses. */
const startTraffic = (callers: Readonly<Record<string, Caller>>) => {
  const over = new AbortController();
  const failures: string[] = [];
  let sent = 0;
  const note = (name: string, { status, body }: ApiResponse, expected: number) => {
    sent += 1;
    if (status !== expected) {
      failures.push(`${name}: ${status} ${(body as { code: string }).code}`);
    }
  };
  const insist = async (name: string, pauseMs: number, once: () => Promise<void>) => {
    while (!over.signal.aborted) {
      await once().catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
      await sleep(pauseMs);
    }
  };
  const byKey = anyGateway(bearer(company.key));
  const workers = [
    ...Object.entries(callers).map(([name, { headers, path, body }]) =>
      insist(name, 10, async () => {
        const send = anyGateway(headers);
        note(name, await (body ? send('POST', path, { body }) : send('GET', path)), 200);
      }),
    ),
    insist('a new run', 50, async () => {
      const started = await byKey('POST', `/api/agents/${company.agentId}/runs`, { body: {} });
      note('a new run', started, 201);
      const { token, run } = started.body as { token: string; run: { id: string } };
      const byRun = anyGateway(bearer(token));
      note('its token', await byRun('GET', '/api/agents/me'), 200);
      note('a note', await byRun('PUT', `/api/notes/${run.id}`, { body: { title: 'x' } }), 201);
      const finish = { body: { status: 'succeeded' } };
      note('its end', await byRun('POST', `/api/runs/${run.id}/finish`, finish), 200);
    }),
    // An account may sign in 30 times a minute.
    insist('a new session', 2_500, async () => {
      const bySession = anyGateway(await session());
      note('a new session', await bySession('GET', '/api/companies'), 200);
      note('its end', await bySession('POST', '/api/auth/logout'), 204);
    }),
  ];
  return {
    failures,
    sent: () => sent,
    stop: async () => {
      over.abort();
      await Promise.all(workers);
    },
  };
};

/** Every process, one after the other. */
const restartAll = (): Promise<void> =>
  restartEach(system.system, ['auth', 'agents', 'notes', 'gateway']);

/** An operator with an authenticator app, at the first gateway. */
const member = () => ({
  baseUrl: gateways[0] ?? '',
  email: 'app@example.org',
  password: memberPassword,
  role: 'viewer' as const,
});

const isReady = async (): Promise<void> => {
  for (let waits = 0; waits < 100; waits += 1) {
    const response = await fetch(`${gateways[0]}/readyz`).catch(() => null);
    if (response?.status === 200) {
      return;
    }
    await sleep(200);
  }
  throw new Error('The first gateway is not ready');
};

/** The caller that a host is with an access token. */
const hostWith = ({ access_token: token }: ScriptedTokens): Caller => ({
  headers: bearer(token),
  path: '/connect/mcp',
  body: ping,
});

/** What a host gets for its refresh token. */
const refreshed = async (
  connection: ScriptedConnection,
  { refresh_token: refreshToken }: ScriptedTokens,
): Promise<ScriptedTokens> => {
  const { status, text } = await refreshByScript(sendTo(system.baseUrl), connection, refreshToken);
  expect([status, text]).toEqual([200, expect.stringContaining('access_token')]);
  return JSON.parse(text) as ScriptedTokens;
};

/** Begins a sign-in through the provider; the result completes it, and returns the status of its session. */
const beginSignIn = async (sub: string): Promise<() => Promise<number>> => {
  const browser = createBrowser();
  const { location } = await browser.visit(`${system.baseUrl}/api/auth/oidc/start`);
  return async () => {
    provider.state.person = { sub, email: `${sub}@staff.example.org`, email_verified: true };
    await browser.visit(await browser.toCallback(location));
    const headers = { cookie: browser.cookies(system.baseUrl), origin: system.baseUrl };
    return statusOf(headers, '/api/auth/session');
  };
};

const statusOf = async (headers: Headers, path: string): Promise<number> =>
  (await anyGateway(headers)('GET', path)).status;

it('every list is rotated one process at a time, and no request of any caller fails', async () => {
  const board = await session();
  const headers = await inviteMember(anyGateway(board), company, member());
  const app = await setUpApp(createApi({ baseUrl: member().baseUrl, headers }));
  const renewing = anyGateway(bearer(company.runToken));
  const unused = await anyGateway(board)('POST', `/api/agents/${company.agentId}/keys`, {
    body: { name: 'never used in between' },
  });
  const connection = await connectByScript(sendTo(system.baseUrl), {
    headers: board,
    companyId: company.companyId,
    agentId: company.agentId,
    origin: system.baseUrl,
  });
  const [begun, abandoned] = [await beginSignIn('early'), await beginSignIn('late')];
  const callers = {
    connection: hostWith(connection.tokens),
    key: { headers: bearer(company.key), path: '/api/agents/me' },
    run: { headers: bearer(company.runToken), path: '/api/notes' },
    session: { headers: board, path: '/api/auth/session' },
  };
  const traffic = startTraffic(callers);
  await secrets.write((former, fresh) => [former, fresh]);
  await restartAll();
  await secrets.write((former, fresh) => [fresh, former]);
  await restartAll();
  await traffic.stop();
  expect(traffic.failures).toEqual([]);

  // The steps say to wait: here, every credential still in use sends one request.
  const renewed = await renewing('POST', `/api/runs/${company.runId}/renew`);
  const fresh = bearer((renewed.body as { token: string }).token);
  const again = await session();
  await isReady();
  expect(await begun()).toBe(200);
  const tokens = await refreshed(connection, connection.tokens);
  // This hashes the password with the new pepper.
  await signInWithCode(member(), app);
  const late = startTraffic({
    connection: hostWith(tokens),
    key: callers.key,
    run: { headers: fresh, path: '/api/notes' },
    session: { headers: again, path: '/api/auth/session' },
  });
  await sleep(500);
  await secrets.write((_former, newSecret) => [newSecret]);
  await restartAll();
  await late.stop();
  expect(late.failures).toEqual([]);
  expect(traffic.sent() + late.sent()).toBeGreaterThan(300);

  // The secret of the app was encrypted again.
  await isReady();
  expect(await statusOf(await signInWithCode(member(), app), '/api/auth/session')).toBe(200);

  // And what was not waited for is over, not open.
  const forgotten = bearer((unused.body as { key: string }).key);
  expect(await statusOf(forgotten, '/api/agents/me')).toBe(401);
  expect(await statusOf(bearer(company.runToken), '/api/agents/me')).toBe(401);
  expect(await statusOf(board, '/api/auth/session')).toBe(401);

  expect(await abandoned()).toBe(401);

  // A connection depends on no secret: its host goes on, with tokens that do.
  const host = hostWith(await refreshed(connection, tokens));
  const { status } = await anyGateway(host.headers)('POST', host.path, { body: ping });
  expect(status).toBe(200);
}, 300_000);
