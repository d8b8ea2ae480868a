import { databaseOptions } from '@commonplace/config';
import { createDb } from '@commonplace/db';
import { createLog, serviceClient } from '@commonplace/http';
import { identityMinter, signingKeys } from '@commonplace/identity';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { passkeySite } from './factors/passkey-site.ts';
import { createSecretBox } from './factors/secret-box.ts';
import { bcryptCost, createPasswords } from './passwords/passwords.ts';
import { createSessions } from './sessions/sessions.ts';

/** Short, because sign-ins wait for the agents service. */
const agentsTimeoutMs = 2_000;

const clock = (): Date => new Date();

/** Creates the dependencies from the configuration. */
export const createDeps = (config: Config): Deps => {
  const log = createLog('auth', config.LOG_LEVEL);
  const db = createDb({
    ...databaseOptions(config),
    onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
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
      isHttps: config.PUBLIC_URL?.startsWith('https:') ?? false,
    }),
    secretBox: config.SECOND_FACTOR_SECRETS ? createSecretBox(config.SECOND_FACTOR_SECRETS) : null,
    requiresSecondFactor: config.REQUIRE_SECOND_FACTOR,
    requiredAmr: config.OIDC_REQUIRE_AMR,
    passkeySite: passkeySite(config),
    runTokenKeys: signingKeys(config.RUN_TOKEN_SECRETS),
    callAgents: serviceClient({
      baseUrls: config.AGENTS_URL,
      self: 'auth',
      mintIdentity: identityMinter(signingKeys(config.INTERNAL_IDENTITY_SECRETS), 'auth'),
      timeoutMs: agentsTimeoutMs,
    }),
  };
};
