import { databaseOptions } from '@commonplace/config';
import { createDb, write } from '@commonplace/db';
import { createLog, serviceClient, serviceProbe } from '@commonplace/http';
import { identityMinter, signingKeys } from '@commonplace/identity';
import type { Config } from './config.ts';
import type { Deps, Oidc } from './deps.ts';
import { passkeySite } from './factors/passkey-site.ts';
import { createSecretBox } from './factors/secret-box.ts';
import type { AttemptOptions } from './oidc/attempts.ts';
import { createConnect, type Connect, type ConnectOptions } from './oauth/connect.ts';
import { bcryptCost, createPasswords } from './passwords/passwords.ts';
import { documentBucket, documentLimit } from './policy/connect-limits.ts';
import { countWindowAttempt } from './queries/login-attempts.ts';
import { createSessions } from './sessions/sessions.ts';

/** Short, because sign-ins wait for the agents service. */
const peerTimeoutMs = 2_000;

/** Creates the dependencies from the configuration. */
export const createDeps = async (config: Config): Promise<Deps> => {
  const log = createLog('auth', config.LOG_LEVEL);
  const db = createDb({
    ...databaseOptions(config),
    onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  const clock = db.clock.now;
  const isHttps = config.PUBLIC_URL?.startsWith('https:') ?? false;
  const origin = config.PUBLIC_URL ?? config.GATEWAY_URL;
  const peers = createPeers(config);
  return {
    db,
    clock,
    log,
    deploymentMode: config.DEPLOYMENT_MODE,
    passwords: createPasswords({ peppers: config.PASSWORD_PEPPERS, cost: bcryptCost }),
    sessions: createSessions({
      db,
      clock,
      secrets: config.SESSION_SECRETS,
      isHttps,
    }),
    secretBox: config.SECOND_FACTOR_SECRETS ? createSecretBox(config.SECOND_FACTOR_SECRETS) : null,
    requiresSecondFactor: config.REQUIRE_SECOND_FACTOR,
    requiredAmr: config.OIDC_REQUIRE_AMR,
    passkeySite: passkeySite(config),
    oidc: await createOidc(config, { isHttps, clock }),
    connect: connectOf(config, { db, callAgents: peers.callAgents, isHttps, origin }),
    consoleUrl: origin,
    isLocalLogin: config.LOCAL_LOGIN === 'on',
    runTokenKeys: signingKeys(config.RUN_TOKEN_SECRETS),
    ...peers,
  };
};

type Known = Pick<ConnectOptions, 'db' | 'callAgents' | 'isHttps' | 'origin'>;

const connectOf = (config: Config, known: Known): Connect =>
  createConnect({
    ...known,
    origin: new URL(known.origin).origin,
    clock: known.db.clock.now,
    secrets: config.SESSION_SECRETS,
    isAtMcp: config.OAUTH_AT_MCP,
    takesRegistrations: config.OAUTH_REGISTRATION,
    takesDocuments: config.OAUTH_CLIENT_DOCUMENTS,
    clientHosts: config.OAUTH_CLIENT_HOSTS,
    countDocument: (address) =>
      write(known.db, 'global', (tx) =>
        countWindowAttempt(tx, {
          bucket: documentBucket(address),
          now: known.db.clock.now(),
          ...documentLimit,
        }),
      ),
    allowsRemoteClients: config.DEPLOYMENT_MODE === 'authenticated',
  });

/** The other services: calls of their internal routes, and whether they are ready. */
const createPeers = (config: Config) => {
  const mintIdentity = identityMinter(signingKeys(config.INTERNAL_IDENTITY_SECRETS), 'auth');
  const clientOf = (baseUrls: readonly string[]) =>
    serviceClient({ baseUrls, self: 'auth', mintIdentity, timeoutMs: peerTimeoutMs });
  const { AGENTS_URL: agents, NOTES_URL: notes } = config;
  return {
    callAgents: clientOf(agents),
    callNotes: notes ? clientOf(notes) : null,
    probeAgents: serviceProbe(agents),
    probeNotes: notes ? serviceProbe(notes) : null,
  };
};

/** The libraries are loaded only where a provider is set. */
const createOidc = async (
  config: Config,
  { isHttps, clock }: Pick<AttemptOptions, 'isHttps' | 'clock'>,
): Promise<Oidc | null> => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) {
    return null;
  }
  const [{ createAttempts }, { createOidcProvider }] = await Promise.all([
    import('./oidc/attempts.ts'),
    import('./oidc/provider.ts'),
  ]);
  return {
    name: config.OIDC_NAME,
    allowedDomains: config.OIDC_ALLOWED_DOMAINS,
    attempts: createAttempts({ secrets: config.SESSION_SECRETS, isHttps, clock }),
    provider: createOidcProvider({
      issuer,
      clientId,
      clientSecret: config.OIDC_CLIENT_SECRET ?? null,
      scopes: config.OIDC_SCOPES,
      publicUrl: config.PUBLIC_URL ?? config.GATEWAY_URL,
    }),
  };
};
