import { createHmac } from 'node:crypto';
import {
  agentId,
  companyId,
  keyId,
  localOperatorId,
  newId,
  operatorId,
  runId,
  sessionId,
  type CompanyId,
} from '@commonplace/contracts';
import { createLog, serve } from '@commonplace/http/core';
import {
  apiKeyDigests,
  makeApiKey,
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
import { emptyKnowledge, startFakeServices, type Knowledge } from './fake-services.ts';

const secrets = {
  sessions: 'test-only-session-cookie-key-00000001',
  runTokens: 'test-only-run-token-signing-key-00001',
  peppers: ['test-only-api-key-pepper-new-00000001', 'test-only-api-key-pepper-old-00000001'],
} as const;

const peppers = pepperKeys([secrets.peppers[0], secrets.peppers[1]]);
const runTokenKeys = signingKeys([secrets.runTokens]);

type Observed = Partial<Pick<Deps, 'clock' | 'log' | 'onAnswered' | 'counters'>> & {
  /** In place of the limits of the server that are no settings. */
  readonly limits?: Partial<Pick<ServerConfiguration, 'connectionsMax' | 'unreadMaxMs' | 'log'>>;
};

/** A gateway over fake services on free ports; `env` overrides its environment. */
export const startWorld = async (
  env: Readonly<Record<string, string>> = {},
  observed: Observed = {},
) => {
  const { limits = {}, ...seen } = observed;
  const knowledge = emptyKnowledge();
  const services = await startFakeServices(knowledge);
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
    // Whether somebody has built the console here makes no difference to a test.
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
  // A supervisor waits for readiness too; it opens the first connections to the services.
  await fetch(`http://127.0.0.1:${running.port}/readyz`, {
    headers: { connection: 'close' },
  }).catch(() => undefined);
  const stopServices = () => Promise.all(Object.values(services).map((service) => service.stop()));
  return {
    port: running.port,
    server: running.server,
    knowledge,
    services,
    /** Shuts the gateway down as SIGTERM does. */
    shutDown: running.stop,
    /** Ends everything at once. */
    stop: async () => {
      running.server.close();
      running.server.closeAllConnections();
      await stopServices();
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A key that the agents service knows, by the current pepper or the one before. */
export const giveKey = (
  knowledge: Knowledge,
  { pepper = 0, expiresAt = null as string | null } = {},
) => {
  const key = makeApiKey();
  const holder = {
    keyId: keyId.parse(newId()),
    agentId: agentId.parse(newId()),
    companyId: companyId.parse(newId()),
    agentName: 'Ada',
    agentStatus: 'active' as const,
    expiresAt,
  };
  const digest = apiKeyDigests(peppers, key)[pepper] ?? '';
  knowledge.keys.set(digest, holder);
  return { ...holder, bearer: `Bearer ${key}`, revoke: () => knowledge.keys.delete(digest) };
};

/** The token of a run that the agents service calls alive; `claims` make it say something else. */
export const giveRun = (knowledge: Knowledge, claims: Partial<RunTokenClaims> = {}) => {
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
  knowledge.runs.set(run.runId, {
    ...run,
    agentName: 'Ada',
    agentStatus: 'active',
    tokenExpiresAt: new Date(Date.now() + 900_000).toISOString(),
  });
  return { ...run, token, bearer: `Bearer ${token}`, end: () => knowledge.runs.delete(run.runId) };
};

/** An operator with a session, a member of these companies. */
export const giveSession = (knowledge: Knowledge, memberships: readonly CompanyId[] = []) => {
  const sid = newId();
  const operator = { operatorId: operatorId.parse(newId()), sessionId: sessionId.parse(newId()) };
  knowledge.sessions.set(sessionDigest(sid), {
    ...operator,
    email: 'olga@example.org',
    name: 'Olga',
    isAdmin: false,
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  join(knowledge, operator.operatorId, memberships);
  return {
    ...operator,
    cookie: `commonplace.sid=${signedSid(sid)}`,
    end: () => knowledge.sessions.delete(sessionDigest(sid)),
  };
};

/** Makes an operator a member of companies, in place of what it was. */
export const join = (
  knowledge: Knowledge,
  operator: string,
  companies: readonly CompanyId[],
): void => {
  knowledge.memberships.set(
    operator,
    companies.map((companyId) => ({
      companyId,
      companyName: 'Acme',
      role: 'owner',
      companyStatus: 'active',
    })),
  );
};

export const joinLocally = (knowledge: Knowledge, companies: readonly CompanyId[]): void =>
  join(knowledge, localOperatorId, companies);

export const newCompany = (): CompanyId => companyId.parse(newId());

const signedSid = (sid: string): string => {
  const signature = createHmac('sha256', secrets.sessions).update(sid).digest('base64');
  return encodeURIComponent(`s:${sid}.${signature.replace(/=+$/, '')}`);
};
