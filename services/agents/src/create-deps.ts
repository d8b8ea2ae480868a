import { databaseOptions } from '@commonplace/config';
import { checkOperatorContract, issueRunTokenContract } from '@commonplace/contracts/internal';
import { createDb } from '@commonplace/db';
import { createLog, serviceClient } from '@commonplace/http';
import { identityMinter, identityVerifier, pepperKeys, signingKeys } from '@commonplace/identity';
import { createKeyUsageBuffer } from './commands/key-usage-buffer.ts';
import { createOperatorStates } from './commands/operator-states.ts';
import type { ServiceConfig } from './config.ts';
import type { Deps } from './deps.ts';

/**
 * Creates the dependencies from the configuration. Connects to nothing before the first request.
 */
export const createDeps = (config: ServiceConfig): Deps => {
  const log = createLog('agents', config.LOG_LEVEL);
  const identityKeys = signingKeys(config.INTERNAL_IDENTITY_SECRETS);
  const db = createDb({
    ...databaseOptions(config),
    onIdleError: (error) => log.warn({ err: error }, 'an idle connection broke'),
  });
  const callAuth = serviceClient({
    baseUrls: config.AUTH_URL,
    self: 'agents',
    mintIdentity: identityMinter(identityKeys, 'agents'),
    timeoutMs: 5_000,
  });
  return {
    db,
    clock: () => new Date(),
    log,
    verifyIdentity: identityVerifier(identityKeys),
    mode: config.DEPLOYMENT_MODE,
    baseUrl: config.PUBLIC_URL ?? config.GATEWAY_URL,
    peppers: pepperKeys(config.API_KEY_PEPPERS),
    runTokenTtlSeconds: config.RUN_TOKEN_TTL_SECONDS,
    runningRunsMax: config.RUNNING_RUNS_PER_AGENT,
    issueRunToken: (request, requestId) => callAuth(issueRunTokenContract, request, requestId),
    checkOperator: (operator) => callAuth(checkOperatorContract, operator),
    operatorStates: createOperatorStates(callAuth, log),
    keyUsage: createKeyUsageBuffer(db),
  };
};
