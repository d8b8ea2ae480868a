import type { KeyObject } from 'node:crypto';
import { AppError, verifySessionContract } from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http/core';
import { readSessionId, sessionCookieName, sessionDigest } from '@commonplace/identity';
import type { VerificationCache } from '../verification/cache.ts';
import type { Authenticator, PresentedCredentials, Authentication } from './authenticator.ts';

export type SessionOptions = {
  readonly keys: readonly KeyObject[];
  readonly isHttps: boolean;
  readonly cache: VerificationCache<Authentication>;
  readonly auth: ServiceClient;
};

/** Authenticates an operator by session cookie: checks the signature, then looks the digest up at the auth service. */
export const createSessionAuthenticator = (options: SessionOptions): Authenticator => {
  const { keys, isHttps, cache, auth } = options;
  const cookieName = sessionCookieName(isHttps);

  const lookupSession = async (digest: string, touch: boolean): Promise<Authentication | null> => {
    const { session } = await auth(verifySessionContract, { sessionDigest: digest, touch });
    if (!session) {
      return null;
    }
    const { sessionId, operatorId, name, email, isAdmin, expiresAt, mustEnrol = false } = session;
    return {
      method: 'cookie',
      credentialId: sessionId,
      principal: { kind: 'operator', operatorId, name, email, isAdmin, isLocal: false, sessionId },
      expiresAtMs: Date.parse(expiresAt),
      ids: [sessionId, operatorId],
      mustEnrol,
    };
  };

  const verify = async (
    sid: string | null,
    presented: PresentedCredentials,
  ): Promise<Authentication> => {
    const { address, isStream, maxAgeMs } = presented;
    const digest = sid === null ? null : sessionDigest(sid);
    // Streams have their own entry, because their lookups do not extend the session and others must.
    const key = `${isStream ? 'stream' : 'session'} ${digest}`;
    const found =
      digest === null
        ? null
        : await cache.find({
            key,
            address,
            maxAgeMs,
            send: () => lookupSession(digest, !isStream),
          });
    if (!found) {
      // The cookie stays: a request may cross a confirmation, and the browser has the session's next cookie by now.
      throw new AppError('session_expired');
    }
    return found;
  };

  return (presented) => {
    const read =
      presented.bearer === null ? readSessionId(keys, presented.cookie, cookieName) : null;
    return read && verify(read === 'bad signature' ? null : read.sid, presented);
  };
};
