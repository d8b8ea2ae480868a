import { endedRunHours, verifyRunContract } from '@commonplace/contracts';
import { assertSameTime, type ServiceClient } from '@commonplace/http/core';
import {
  findRunTokenClockDifference,
  verifyAgedRunToken,
  verifyRunToken,
  type AgentCaller,
  type RunTokenClaims,
  type SigningKeys,
} from '@commonplace/identity';
import type { z } from 'zod';
import type { Clock } from '../../deps.ts';
import type { VerificationCache } from '../verification/cache.ts';
import type { Authenticator, Authentication, PresentedCredentials } from './authenticator.ts';
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
    const run = runningOf(await agents(verifyRunContract, { runId: claims.runId }));
    return run ? authenticationOf(claims, run) : null;
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
  const verifyEnded = createEndedRunVerifier(options);
  return (presented) =>
    presented.bearer && (verifyEnded(presented) ?? verify(presented.bearer, presented));
};

const endedRunSeconds = endedRunHours * 3_600;

/**
 * Creates the authenticator for the route on which the token of a run is accepted for an hour after the end of that run.
 * Returns null for other routes and for tokens of other runs. An expired token of a running run is still invalid.
 */
const createEndedRunVerifier = ({ keys, cache, agents, clock }: RunTokenOptions): Authenticator => {
  const claimsOf = (token: string): RunTokenClaims | null =>
    looksLikeJwt.test(token)
      ? verifyAgedRunToken(keys, token, { nowMs: clock.nowMs(), agedMaxSeconds: endedRunSeconds })
      : null;

  const lookupRun = async (token: string): Promise<Authentication | null> => {
    const claims = claimsOf(token);
    if (!claims) {
      return null;
    }
    const { runId } = claims;
    const found = await agents(verifyRunContract, { runId, includeEnded: true });
    const running = runningOf(found);
    if (running) {
      return authenticationOf(claims, running);
    }
    const { endedRun } = found;
    const untilMs = endedRun ? Date.parse(endedRun.endedAt) + endedRunSeconds * 1000 : 0;
    return endedRun ? authenticationOf(claims, endedRun, untilMs) : null;
  };

  const verify = createBearerVerifier({
    cache,
    isWellFormed: (token) => claimsOf(token) !== null,
    lookup: lookupRun,
  });
  return (presented: PresentedCredentials) => {
    const { bearer, endedRunId } = presented;
    if (!bearer || endedRunId === undefined) {
      return null;
    }
    const digest = `ended run ${endedRunId} ${bearer.digest}`;
    const isOfRun = cache.isKnown(digest) || claimsOf(bearer.text)?.runId === endedRunId;
    return isOfRun ? verify({ ...bearer, digest }, presented) : null;
  };
};

/** The running run of a response, however it is limited. */
const runningOf = ({
  run,
  scopedRun,
  grantedRun,
}: z.output<(typeof verifyRunContract)['responses'][200]['schema']>) =>
  run ? { ...run, scopes: null } : (scopedRun ?? grantedRun);

type VerifiedRun = Pick<
  AgentCaller,
  'agentId' | 'agentName' | 'agentStatus' | 'companyId' | 'scopes' | 'grants'
> & { readonly runId: RunTokenClaims['runId'] };

/** Null if the run is not that of the token. */
const authenticationOf = (
  claims: RunTokenClaims,
  run: VerifiedRun,
  expiresAtMs = claims.expiresAtSeconds * 1000,
): Authentication | null => {
  if (run.agentId !== claims.agentId || run.companyId !== claims.companyId) {
    return null;
  }
  const { agentId, agentName, agentStatus, companyId, runId, scopes, grants } = run;
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
      ...(grants ? { grants } : {}),
      expiresAt: new Date(expiresAtMs).toISOString(),
    },
    expiresAtMs,
    ids: [runId, agentId, companyId],
  };
};
