import { newId } from '@commonplace/contracts/core';
import { issueRunTokenContract } from '@commonplace/contracts/internal';
import { defineRoute, reply } from '@commonplace/http';
import { signRunToken } from '@commonplace/identity';
import type { Deps } from '../deps.ts';

/**
 * `POST /internal/run-tokens`. The gateway checks a token by the clock of its machine, so it is signed by that of this one:
 * between two machines that agree, one of PostgreSQL that differs refuses no run. What is stored of a run goes by the clock
 * of the database, and so does the end in the response.
 */
export const issueRunTokenRoute = ({ runTokenKeys, clock }: Pick<Deps, 'runTokenKeys' | 'clock'>) =>
  defineRoute(issueRunTokenContract, async ({ body }) => {
    const { agentId, companyId, runId, ttlSeconds } = body;
    const issuedAtSeconds = secondsOf(Date.now());
    const token = signRunToken(runTokenKeys, {
      agentId,
      companyId,
      runId,
      tokenId: newId(),
      issuedAtSeconds,
      expiresAtSeconds: issuedAtSeconds + ttlSeconds,
    });
    const expiresAt = new Date((secondsOf(clock().getTime()) + ttlSeconds) * 1000);
    return reply(201, { token, expiresAt: expiresAt.toISOString() });
  });

const secondsOf = (ms: number): number => Math.floor(ms / 1000);
