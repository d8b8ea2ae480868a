import type { RequestListener } from 'node:http';
import { verifySessionContract, type DeploymentMode } from '@commonplace/contracts';
import { createDb } from '@commonplace/db';
import { createLog } from '@commonplace/http';
import {
  readSessionId,
  sessionCookieKeys,
  sessionCookieName,
  sessionDigest,
  signingKeys,
  type OperatorCaller,
} from '@commonplace/identity';
import {
  as,
  createTestDatabase,
  identityHeaders,
  operatorCaller,
  serviceCaller,
  testIdentity,
} from '@commonplace/testkit';
import pg from 'pg';
import type request from 'supertest';
import { createApp } from '../../src/app.ts';
import { createOperator } from '../../src/commands/create-operator.ts';
import type { Deps } from '../../src/deps.ts';
import { createSecretBox } from '../../src/factors/secret-box.ts';
import type { DocumentOptions } from '../../src/oauth/fetch-client-document.ts';
import { createConnect } from '../../src/oauth/connect.ts';
import { createPasswords, type PasswordOptions } from '../../src/passwords/passwords.ts';
import { createSessions } from '../../src/sessions/sessions.ts';
import { startAgentsService } from './agents-service.ts';

export const password = 'tall ships in the fog';
export const pepper = 'test-only-password-pepper-of-32-bytes';
export const secondFactorSecret = 'test-only-second-factor-secret-32-bytes';
export const runTokenSecret = 'test-only-run-token-secret-of-32-bytes';
export const sessionSecret = 'test-only-session-secret-of-32-bytes..';

export type WorldOptions = {
  readonly mode?: DeploymentMode;
  readonly isHttps?: boolean;
  readonly passwords?: Partial<PasswordOptions>;
  readonly sessionSecrets?: readonly [string, ...string[]];
  readonly secondFactorSecrets?: readonly [string, ...string[]];
  readonly requiresSecondFactor?: boolean;
  readonly takesRegistrations?: boolean;
  readonly takesDocuments?: boolean;
  readonly isAtMcp?: boolean;
  readonly network?: DocumentOptions['network'];
};

/** The auth service with its own database, a fake agents service, and a clock of the test. */
export const createWorld = async () => {
  const database = await createTestDatabase();
  const agents = await startAgentsService();
  const db = createDb({ url: database.appUrl('auth'), onIdleError: () => undefined });
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const time = { nowMs: Date.now() };
  const clock = () => new Date(time.nowMs);

  /** The dependencies, with a low hashing cost. */
  const depsWith = ({
    mode,
    isHttps = false,
    passwords,
    sessionSecrets = [sessionSecret],
    secondFactorSecrets = [secondFactorSecret],
    requiresSecondFactor = false,
    takesRegistrations = true,
    takesDocuments = true,
    isAtMcp = false,
    network,
  }: WorldOptions = {}): Deps => ({
    db,
    clock,
    log: createLog('auth', 'silent'),
    deploymentMode: mode ?? 'authenticated',
    passwords: createPasswords({ peppers: [pepper], cost: 4, ...passwords }),
    sessions: createSessions({ db, clock, secrets: sessionSecrets, isHttps }),
    secretBox: createSecretBox(secondFactorSecrets),
    requiresSecondFactor,
    requiredAmr: [],
    passkeySite: { rpId: 'localhost', origin: 'http://localhost' },
    oidc: null,
    connect: createConnect({
      db,
      clock,
      callAgents: agents.call,
      origin: isHttps ? 'https://notes.example.org' : 'http://localhost',
      secrets: sessionSecrets,
      isHttps,
      takesRegistrations,
      takesDocuments,
      isAtMcp,
      clientHosts: [],
      countDocument: async () => true,
      ...(network ? { network } : {}),
      allowsRemoteClients: mode !== 'local_trusted',
    }),
    consoleUrl: 'http://localhost',
    isLocalLogin: true,
    runTokenKeys: signingKeys([runTokenSecret]),
    callAgents: agents.call,
    callNotes: null,
    probeAgents: async () => null,
    probeNotes: null,
  });
  const appWith = (options?: WorldOptions): RequestListener =>
    createApp({ ...depsWith(options), verifyIdentity: testIdentity.verifyIdentity });
  const deps = depsWith();
  const app = appWith();

  return {
    adminUrl: database.adminUrl,
    agents,
    app,
    appWith,
    database,
    deps,
    clock,
    depsWith,
    /** Runs a statement as superuser, for what no route returns. */
    sql: async (text: string, values: readonly unknown[] = []) =>
      (await admin.query<Record<string, unknown>>(text, [...values])).rows,
    passSeconds: (seconds: number) => {
      time.nowMs += seconds * 1000;
    },
    /** Creates an account with the password of all tests. */
    operator: (email: string) =>
      createOperator(deps, { email, name: 'Olga', password }, { kind: 'any' }),
    close: async () => {
      await admin.end();
      await db.close();
      await agents.stop();
      await database.drop();
    },
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Attempts to sign in. */
export const logIn = (app: RequestListener, body: object, address = '192.0.2.1'): request.Test =>
  as(app, null).post('/api/auth/login').set('x-client-address', address).send(body);

/** The `name=value` of the session cookie that a response sets, or undefined. */
export const cookieOf = (response: request.Response): string | undefined =>
  setCookiesOf(response)
    .map((cookie) => cookie.split(';')[0])
    .find((pair) => pair?.includes('.sid=s%3A'));

export const setCookiesOf = (response: request.Response): string[] =>
  (response.headers['set-cookie'] as string[] | undefined) ?? [];

/** The id in a signed cookie. */
export const sessionIdIn = (cookie: string): string => {
  const keys = sessionCookieKeys([sessionSecret]);
  const read = [false, true].map((isHttps) =>
    readSessionId(keys, cookie, sessionCookieName(isHttps)),
  );
  const found = read.find((result) => result !== null);
  if (typeof found !== 'object' || found === null) {
    throw new Error('The signature of the cookie is not valid');
  }
  return found.sid;
};

/** Verifies a cookie as the gateway does. */
export const verify = async (app: RequestListener, cookie: string, touch = true) => {
  const response = await as(app, serviceCaller('gateway'))
    .post(verifySessionContract.path)
    .send({ sessionDigest: sessionDigest(sessionIdIn(cookie)), touch });
  return verifySessionContract.responses[200].schema.parse(response.body).session;
};

/** Calls as the operator of a cookie, as the gateway would; throws if the session has ended. */
export const withCookie = async (
  app: RequestListener,
  cookie: string,
): Promise<{ caller: OperatorCaller; call: ReturnType<typeof as> }> => {
  const caller = await callerOf(app, cookie);
  if (!caller) {
    throw new Error('The session has ended');
  }
  return { caller, call: withHeader(as(behindGateway(app, cookie), caller), cookie) };
};

/** Who sends a cookie; null if its session has ended. */
export const callerOf = async (
  app: RequestListener,
  cookie: string,
): Promise<OperatorCaller | null> => {
  const session = await verify(app, cookie);
  if (!session) {
    return null;
  }
  const { sessionId, operatorId, name, email, isAdmin } = session;
  return operatorCaller({ sessionId, operatorId, name, email, isAdmin });
};

/** The application with the identity of the cookie that a request has, once it is not the first one. */
const behindGateway =
  (app: RequestListener, first: string): RequestListener =>
  (req, res) => {
    const { cookie = first } = req.headers;
    const found = cookie === first ? Promise.resolve(null) : callerOf(app, cookie);
    void found.then((caller) => {
      Object.assign(req.headers, caller && identityHeaders(caller));
      app(req, res);
    });
  };

type Call = ReturnType<typeof as>;

/** The same requests with the cookies that the gateway forwards, as a browser keeps them. */
const withHeader = (call: Call, cookie: string): Call => {
  let current = cookie;
  const send = (request: request.Test): request.Test =>
    request.set('cookie', current).expect((response) => {
      current = cookieOf(response) ?? current;
    });
  return {
    get: (path) => send(call.get(path)),
    put: (path) => send(call.put(path)),
    post: (path) => send(call.post(path)),
    patch: (path) => send(call.patch(path)),
    delete: (path) => send(call.delete(path)),
  };
};

/** Signs in with the password of all tests and returns the cookie. */
export const cookieFor = async (
  app: RequestListener,
  email: string,
  address?: string,
): Promise<string> => {
  const cookie = cookieOf(await logIn(app, { email, password }, address).expect(200));
  if (cookie === undefined) {
    throw new Error('Signing in set no cookie');
  }
  return cookie;
};
