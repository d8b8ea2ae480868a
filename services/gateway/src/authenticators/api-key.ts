import type { KeyObject } from 'node:crypto';
import { AppError, verifyKey } from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http/core';
import { apiKeyDigests, isWellFormedApiKey } from '@commonplace/identity';
import type { VerificationCache } from '../verification-cache.ts';
import type { Authenticator, Presented, Verified } from './authenticator.ts';
import type { Bearer } from './bearer.ts';

export type ApiKeyOptions = {
  /** The current pepper first; keys hashed under an older one are still found. */
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
  readonly cache: VerificationCache<Verified>;
  readonly agents: ServiceClient;
};

/** An agent by API key: form and checksum first, then the agents service is asked by digest. */
export const apiKeyAuthenticator = (options: ApiKeyOptions): Authenticator => {
  const { peppers, cache, agents } = options;

  const ask = async (bearer: string): Promise<Verified | null> => {
    const { key } = await agents(verifyKey, { digests: [...apiKeyDigests(peppers, bearer)] });
    return (
      key && {
        via: 'bearer',
        credentialId: key.keyId,
        holder: { ...key, kind: 'agent', runId: null },
        expiresAtMs: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt),
        ids: [key.keyId, key.agentId, key.companyId],
      }
    );
  };

  const verify = async (
    { text, digest: key }: Bearer,
    { address, maxAgeMs }: Presented,
  ): Promise<Verified> => {
    const isGood = cache.isKnown(key) || isWellFormedApiKey(text);
    const found = isGood
      ? await cache.find({ key, address, maxAgeMs, send: () => ask(text) })
      : null;
    if (!found) {
      throw new AppError('invalid_token');
    }
    return found;
  };

  return (presented) =>
    presented.bearer?.text.startsWith('cpk_') ? verify(presented.bearer, presented) : null;
};
