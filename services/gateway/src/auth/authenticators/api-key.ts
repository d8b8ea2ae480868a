import type { KeyObject } from 'node:crypto';
import { verifyKeyContract } from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http/core';
import { apiKeyDigests, isWellFormedApiKey } from '@commonplace/identity';
import type { VerificationCache } from '../verification/cache.ts';
import type { Authenticator, Authentication } from './authenticator.ts';
import { createBearerVerifier } from './bearer.ts';

export type ApiKeyOptions = {
  /** The current pepper, then older ones that keys may still be hashed with. */
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
  readonly cache: VerificationCache<Authentication>;
  readonly agents: ServiceClient;
};

/** Authenticates an agent by API key: checks form and checksum, then looks the digest up at the agents service. */
export const createApiKeyAuthenticator = (options: ApiKeyOptions): Authenticator => {
  const { peppers, cache, agents } = options;

  const lookupKey = async (bearer: string): Promise<Authentication | null> => {
    const {
      key: unscoped,
      scopedKey,
      grantedKey,
    } = await agents(verifyKeyContract, {
      digests: [...apiKeyDigests(peppers, bearer)],
    });
    const key = unscoped ? { ...unscoped, scopes: null } : (scopedKey ?? grantedKey);
    if (!key) {
      return null;
    }
    return {
      method: 'bearer',
      credentialId: key.keyId,
      principal: { ...key, kind: 'agent', runId: null },
      expiresAtMs: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt),
      ids: [key.keyId, key.agentId, key.companyId],
    };
  };

  const verify = createBearerVerifier({
    cache,
    isWellFormed: isWellFormedApiKey,
    lookup: lookupKey,
  });
  return (presented) =>
    presented.bearer?.text.startsWith('cpk_') ? verify(presented.bearer, presented) : null;
};
