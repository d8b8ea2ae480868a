import type { KeyObject } from 'node:crypto';
import {
  AppError,
  verifyConnectionContract,
  type ConnectionResource,
} from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http/core';
import {
  apiKeyDigests,
  connectionTokenMarker,
  isWellFormedConnectionToken,
} from '@commonplace/identity';
import type { VerificationCache } from '../verification/cache.ts';
import type { Authenticator, Authentication } from './authenticator.ts';
import { createBearerVerifier } from './bearer.ts';

export type ConnectionOptions = {
  /** The current pepper, then older ones that tokens may still be hashed with. */
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
  readonly cache: VerificationCache<Authentication>;
  readonly agents: ServiceClient;
};

/**
 * Authenticates an agent by an access token of a connection, at the resource that the token was issued for: checks form
 * and checksum, then looks the digest up at the agents service. Where only connections are credentials, it rejects
 * every other one.
 */
export const createConnectionAuthenticator = (options: ConnectionOptions): Authenticator => {
  const { peppers, cache, agents } = options;

  const lookupConnection = async (token: string): Promise<Authentication | null> => {
    const { connection: whole, grantedConnection } = await agents(verifyConnectionContract, {
      digests: [...apiKeyDigests(peppers, token)],
    });
    const connection = whole ?? grantedConnection;
    if (!connection) {
      return null;
    }
    const { connectionId, client, resource, ...agent } = connection;
    return {
      method: 'bearer',
      credentialId: connectionId,
      principal: {
        ...agent,
        kind: 'agent',
        keyId: null,
        runId: null,
        connection: { id: connectionId, client },
      },
      resource,
      expiresAtMs: Date.parse(connection.expiresAt),
      ids: [connectionId, agent.agentId, agent.companyId],
    };
  };

  const verify = createBearerVerifier({
    cache,
    isWellFormed: isWellFormedConnectionToken,
    lookup: lookupConnection,
  });
  return (presented) => {
    const { bearer, resource } = presented;
    if (bearer?.text.startsWith(connectionTokenMarker)) {
      return resource ? verify(bearer, presented).then(issuedFor(resource.path)) : invalid();
    }
    if (resource?.isOnly) {
      return bearer ? otherCredential() : missing();
    }
    return null;
  };
};

/** A token of another resource is as invalid as none (RFC 8707). */
const issuedFor =
  (path: ConnectionResource) =>
  (authentication: Authentication): Authentication => {
    if (authentication.resource !== path) {
      throw new AppError('invalid_token');
    }
    return authentication;
  };

const invalid = () => Promise.reject<Authentication>(new AppError('invalid_token'));
const otherCredential = () =>
  Promise.reject<Authentication>(
    new AppError(
      'invalid_token',
      'Apps sign in here by OAuth; API keys and tokens of runs are for /mcp',
    ),
  );
const missing = () => Promise.reject<Authentication>(new AppError('credential_required'));
