import { createHmac } from 'node:crypto';
import {
  agentId,
  companyId,
  connectionId,
  keyId,
  localOperatorId,
  newId,
  operatorId,
  runId,
  sessionId,
  type CompanyId,
  type ConnectionResource,
} from '@commonplace/contracts';
import { createLog, serve } from '@commonplace/http/core';
import {
  apiKeyDigests,
  makeApiKey,
  makeConnectionToken,
  pepperKeys,
  sessionDigest,
  signRunToken,
  signingKeys,
  type RunTokenClaims,
} from '@commonplace/identity';
import { testIdentitySecrets } from '@commonplace/testkit';
import { createApp } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import { systemClock, type Deps } from '../src/deps.ts';
import {
  configureServer,
  serverOptions,
  type ServerConfiguration,
} from '../src/http/server-options.ts';
import { createCounters } from '../src/observability/counters.ts';
import { testContracts } from './contracts.ts';
import { emptyServiceData, startFakeServices, type ServiceData } from './fake-services.ts';

const secrets = {
  sessions: 'test-only-session-cookie-key-00000001',
  runTokens: 'test-only-run-token-signing-key-00001',
  peppers: ['test-only-api-key-pepper-new-00000001', 'test-only-api-key-pepper-old-00000001'],
} as const;

const peppers = pepperKeys([secrets.peppers[0], secrets.peppers[1]]);
const runTokenKeys = signingKeys([secrets.runTokens]);

type Overrides = Partial<
  Pick<Deps, 'clock' | 'log' | 'onResponse' | 'counters' | 'packagesDir'>
> & {
  /** Replaces server limits that cannot be configured. */
  readonly limits?: Partial<Pick<ServerConfiguration, 'connectionsMax' | 'unreadMaxMs' | 'log'>>;
};

/** Starts a gateway over fake services, on free ports. `env` overrides its environment. */
export const startGateway = async (
  env: Readonly<Record<string, string>> = {},
  observed: Overrides = {},
) => {
  const { limits = {}, ...seen } = observed;
  const data = emptyServiceData();
  const services = await startFakeServices(data);
  const draining = new AbortController();
  const log = createLog('gateway', 'silent');
  const config = configSchema.parse({
    PORT: '0',
    DEPLOYMENT_MODE: 'authenticated',
    AUTH_URL: services.auth.url,
    AGENTS_URL: services.agents.url,
    NOTES_URL: services.notes.url,
    INTERNAL_IDENTITY_SECRETS: testIdentitySecrets.join(),
    SESSION_SECRETS: secrets.sessions,
    RUN_TOKEN_SECRETS: secrets.runTokens,
    API_KEY_PEPPERS: secrets.peppers.join(),
    // Tests do not depend on a built console.
    CONSOLE_DIR: '/nonexistent/console',
    ...env,
  });
  const running = await serve({
    app: createApp({
      config,
      contracts: testContracts,
      log,
      clock: systemClock,
      draining: draining.signal,
      // Nor on built packages.
      packagesDir: '/nonexistent/packages',
      ...seen,
    }),
    host: '127.0.0.1',
    port: 0,
    log,
    serverOptions,
    configure: configureServer({
      config,
      log: observed.log ?? log,
      counters: observed.counters ?? createCounters(),
      ...limits,
    }),
    onDrain: () => draining.abort(),
  });
  // Opens the first connections to the services, as the readiness check of a supervisor does.
  await fetch(`http://127.0.0.1:${running.port}/readyz`, {
    headers: { connection: 'close' },
  }).catch(() => undefined);
  const stopServices = () => Promise.all(Object.values(services).map((service) => service.stop()));
  return {
    port: running.port,
    server: running.server,
    data,
    services,
    /** Shuts the gateway down, as SIGTERM does. */
    shutDown: running.stop,
    /** Stops the gateway and the services at once. */
    stop: async () => {
      running.server.close();
      running.server.closeAllConnections();
      await stopServices();
    },
  };
};

export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

/** Adds a key to the agents service, hashed with the current pepper or the one before. */
export const addKey = (
  data: ServiceData,
  { pepper = 0, expiresAt = null as string | null } = {},
) => {
  const key = makeApiKey();
  const owner = {
    keyId: keyId.parse(newId()),
    agentId: agentId.parse(newId()),
    companyId: companyId.parse(newId()),
    agentName: 'Ada',
    agentStatus: 'active' as const,
    expiresAt,
  };
  const digest = apiKeyDigests(peppers, key)[pepper] ?? '';
  data.keys.set(digest, owner);
  return { ...owner, bearer: `Bearer ${key}`, revoke: () => data.keys.delete(digest) };
};

/** Adds a connection to the agents service, with an access token for a resource. */
export const addConnection = (
  data: ServiceData,
  {
    resource = '/connect/mcp' as ConnectionResource,
    expiresAt = new Date(Date.now() + 3_600_000).toISOString(),
  } = {},
) => {
  const token = makeConnectionToken();
  const connection = {
    connectionId: connectionId.parse(newId()),
    agentId: agentId.parse(newId()),
    companyId: companyId.parse(newId()),
    agentName: 'Ada',
    agentStatus: 'active' as const,
    expiresAt,
    scopes: ['notes:read' as const],
    resource,
    client: { name: 'Claude', host: 'claude.ai' },
  };
  const [digest] = apiKeyDigests(peppers, token);
  data.connections.set(digest, connection);
  return {
    ...connection,
    bearer: `Bearer ${token}`,
    revoke: () => data.connections.delete(digest),
  };
};

/** Adds an active run to the agents service and returns its token; `claims` overrides claims of the token. */
export const addRun = (data: ServiceData, claims: Partial<RunTokenClaims> = {}) => {
  const issuedAtSeconds = Math.floor(Date.now() / 1000);
  const run = {
    runId: runId.parse(newId()),
    agentId: agentId.parse(newId()),
    companyId: companyId.parse(newId()),
  };
  const token = signRunToken(runTokenKeys, {
    ...run,
    tokenId: newId(),
    issuedAtSeconds,
    expiresAtSeconds: issuedAtSeconds + 900,
    ...claims,
  });
  data.runs.set(run.runId, {
    ...run,
    agentName: 'Ada',
    agentStatus: 'active',
    tokenExpiresAt: new Date(Date.now() + 900_000).toISOString(),
  });
  return { ...run, token, bearer: `Bearer ${token}`, end: () => data.runs.delete(run.runId) };
};

/** Adds an operator with a session and these memberships. */
export const addSession = (data: ServiceData, memberships: readonly CompanyId[] = []) => {
  const sid = newId();
  const operator = { operatorId: operatorId.parse(newId()), sessionId: sessionId.parse(newId()) };
  data.sessions.set(sessionDigest(sid), {
    ...operator,
    email: 'olga@example.org',
    name: 'Olga',
    isAdmin: false,
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  setMemberships(data, operator.operatorId, memberships);
  return {
    ...operator,
    cookie: `commonplace.sid=${signedSid(sid)}`,
    end: () => data.sessions.delete(sessionDigest(sid)),
  };
};

/** Replaces the memberships of an operator. */
export const setMemberships = (
  data: ServiceData,
  operator: string,
  companies: readonly CompanyId[],
): void => {
  data.memberships.set(
    operator,
    companies.map((companyId) => ({
      companyId,
      companyName: 'Acme',
      role: 'owner',
      companyStatus: 'active',
    })),
  );
};

export const setLocalMemberships = (data: ServiceData, companies: readonly CompanyId[]): void =>
  setMemberships(data, localOperatorId, companies);

export const newCompany = (): CompanyId => companyId.parse(newId());

const signedSid = (sid: string): string => {
  const signature = createHmac('sha256', secrets.sessions).update(sid).digest('base64');
  return encodeURIComponent(`s:${sid}.${signature.replace(/=+$/, '')}`);
};
