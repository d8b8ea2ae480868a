import { coalesceFresh } from '@commonplace/concurrency';
import { databaseOptions } from '@commonplace/config';
import { checkOperatorContract, issueRunTokenContract } from '@commonplace/contracts/internal';
import { createDb } from '@commonplace/db';
import { createLog, serviceClient, type Logger } from '@commonplace/http';
import { identityMinter, identityVerifier, pepperKeys, signingKeys } from '@commonplace/identity';
import { createLimits } from './create-limits.ts';
import { createReportQueue } from './commands/report-queue.ts';
import { createUsageBuffer } from './commands/usage-buffer.ts';
import { createOperatorStates } from './commands/operator-states.ts';
import type { ServiceConfig } from './config.ts';
import type { CheckedOperator, Deps } from './deps.ts';
import { recordConnectionUses } from './queries/connection-tokens.ts';
import { recordKeyUses } from './queries/keys.ts';

/**
 * Creates the dependencies from the configuration. Connects to nothing before the first request.
 */
export const createDeps = (config: ServiceConfig): Deps => {
  const log = createLog('agents', config.LOG_LEVEL);
  const identityKeys = signingKeys(config.INTERNAL_IDENTITY_SECRETS);
  const { db, lookups } = openDatabase(config, log);
  const callAuth = serviceClient({
    baseUrls: config.AUTH_URL,
    self: 'agents',
    mintIdentity: identityMinter(identityKeys, 'agents'),
    timeoutMs: 5_000,
  });
  const checkOperator = coalesceFresh(
    ({ operator }: { readonly key: string; readonly operator: CheckedOperator }) =>
      callAuth(checkOperatorContract, operator),
  );
  return {
    db,
    lookups,
    ...createLimits(),
    clock: db.clock.now,
    log,
    verifyIdentity: identityVerifier(identityKeys),
    mode: config.DEPLOYMENT_MODE,
    baseUrl: config.PUBLIC_URL ?? config.GATEWAY_URL,
    peppers: pepperKeys(config.API_KEY_PEPPERS),
    runTokenTtlSeconds: config.RUN_TOKEN_TTL_SECONDS,
    runningRunsMax: config.RUNNING_RUNS_PER_AGENT,
    agentsMax: config.AGENTS_PER_COMPANY,
    issueRunToken: (request, requestId) => callAuth(issueRunTokenContract, request, requestId),
    checkOperator: (operator) =>
      checkOperator({ key: `${operator.operatorId} ${operator.sessionId ?? ''}`, operator }),
    operatorStates: createOperatorStates(callAuth, log),
    keyUsage: createUsageBuffer(db, recordKeyUses),
    connectionUsage: createUsageBuffer(db, recordConnectionUses),
    bookReport: createReportQueue({ db, clock: db.clock.now }),
  };
};

/** The share of the connections that is for lookups; one at least. */
const lookupShare = 0.3;

/** Opens the database twice: most connections for lists and changes, the others for lookups. */
const openDatabase = (config: ServiceConfig, log: Logger): Pick<Deps, 'db' | 'lookups'> => {
  const { connectionsMax, ...options } = databaseOptions(config);
  const lookupConnections = Math.max(1, Math.floor(connectionsMax * lookupShare));
  const open = (connections: number) =>
    createDb({
      ...options,
      connectionsMax: connections,
      onIdleError: (error) => log.warn({ err: error }, 'an idle connection broke'),
    });
  return { db: open(connectionsMax - lookupConnections), lookups: open(lookupConnections) };
};
