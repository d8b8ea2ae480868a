import { newId } from '@commonplace/contracts/core';
import { issueRunTokenContract } from '@commonplace/contracts/internal';
import { defineRoute, reply } from '@commonplace/http';
import { signRunToken } from '@commonplace/identity';
import type { Deps } from '../deps.ts';

/** `POST /internal/run-tokens` */
export const issueRunTokenRoute = ({ runTokenKeys, clock }: Pick<Deps, 'runTokenKeys' | 'clock'>) =>
  defineRoute(issueRunTokenContract, async ({ body }) => {
    const { agentId, companyId, runId, ttlSeconds } = body;
    const issuedAtSeconds = Math.floor(clock().getTime() / 1000);
    const expiresAtSeconds = issuedAtSeconds + ttlSeconds;
    const token = signRunToken(runTokenKeys, {
      agentId,
      companyId,
      runId,
      tokenId: newId(),
      issuedAtSeconds,
      expiresAtSeconds,
    });
    return reply(201, { token, expiresAt: new Date(expiresAtSeconds * 1000).toISOString() });
  });
