import { verifyRunContract } from '@commonplace/contracts';
import { assertSameTime, type ServiceClient } from '@commonplace/http/core';
import {
  findRunTokenClockDifference,
  verifyRunToken,
  type SigningKeys,
} from '@commonplace/identity';
import type { Clock } from '../../deps.ts';
import type { VerificationCache } from '../verification/cache.ts';
import type { Authenticator, Authentication } from './authenticator.ts';
import { createBearerVerifier } from './bearer.ts';

export type RunTokenOptions = {
  readonly keys: SigningKeys;
  readonly cache: VerificationCache<Authentication>;
  readonly agents: ServiceClient;
  readonly clock: Clock;
};

const looksLikeJwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Authenticates an agent by run JWT: checks the token, then looks up whether its run is active. Handles every
 * bearer that is no API key and no token of a connection.
 */
export const createRunTokenAuthenticator = (options: RunTokenOptions): Authenticator => {
  const { keys, cache, agents, clock } = options;

  const lookupRun = async (token: string): Promise<Authentication | null> => {
    const claims = verifyRunToken(keys, token, clock.nowMs());
    if (!claims) {
      return null;
    }
    const { run: unscoped, scopedRun } = await agents(verifyRunContract, { runId: claims.runId });
    const run = unscoped ? { ...unscoped, scopes: null } : scopedRun;
    if (!run || run.agentId !== claims.agentId || run.companyId !== claims.companyId) {
      return null;
    }
    const expiresAtMs = claims.expiresAtSeconds * 1000;
    const { agentId, agentName, agentStatus, companyId, runId, scopes } = run;
    return {
      method: 'bearer',
      credentialId: runId,
      principal: {
        kind: 'agent',
        agentId,
        agentName,
        agentStatus,
        companyId,
        keyId: null,
        runId,
        scopes,
        expiresAt: new Date(expiresAtMs).toISOString(),
      },
      expiresAtMs,
      ids: [runId, agentId, companyId],
    };
  };

  const isSigned = (token: string): boolean => {
    if (!looksLikeJwt.test(token)) {
      return false;
    }
    const nowMs = clock.nowMs();
    if (verifyRunToken(keys, token, nowMs)) {
      return true;
    }
    assertSameTime(findRunTokenClockDifference(keys, token, nowMs));
    return false;
  };
  const verify = createBearerVerifier({ cache, isWellFormed: isSigned, lookup: lookupRun });
  return (presented) => presented.bearer && verify(presented.bearer, presented);
};
