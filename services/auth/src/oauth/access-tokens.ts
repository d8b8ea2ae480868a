import { connectionId, connectionResource } from '@commonplace/contracts/core';
import { issueConnectionTokenContract } from '@commonplace/contracts/internal';
import { read, write } from '@commonplace/db';
import type { AdapterPayload } from 'oidc-provider';
import { deleteOauthRecord, findOauthRecord, upsertOauthRecord } from '../queries/oauth-records.ts';
import type { AdapterDeps, ModelAdapter } from './adapter-deps.ts';
import { endTokens, isConnectionOver } from './end-connection.ts';
import { oauthDigest } from './oauth-digest.ts';

/**
 * Access tokens belong to the agents service, which verifies them. This service keeps a record of each for its revocation
 * by the client.
 */
export const accessTokenAdapter = (deps: AdapterDeps): ModelAdapter => {
  const { db, clock } = deps;
  return {
    upsert: (id, payload, expiresIn) => issue(deps, id, { payload, expiresIn: expiresIn ?? 0 }),
    find: async (id) => {
      const key = { kind: 'AccessToken', digest: oauthDigest(id) } as const;
      const row = await read(db, 'global', (tx) => findOauthRecord(tx, { ...key, now: clock() }));
      return row ? ({ ...row.payload, jti: id } as AdapterPayload) : undefined;
    },
    destroy: async (id) => {
      const key = { kind: 'AccessToken', digest: oauthDigest(id) } as const;
      const row = await read(db, 'global', (tx) => findOauthRecord(tx, { ...key, now: clock() }));
      if (row) {
        await endTokens(deps, String(row.payload['grantId']), id);
        await write(db, 'global', (tx) => deleteOauthRecord(tx, key));
      }
    },
    // They end with their connection, and their records with its grant.
    revokeByGrantId: async () => undefined,
  };
};

type NewToken = { readonly payload: AdapterPayload; readonly expiresIn: number };

/**
 * Hands a token to the agents service. If its code or refresh token was exchanged again meanwhile, the token ends before
 * anybody has it.
 */
const issue = async (deps: AdapterDeps, id: string, { payload, expiresIn }: NewToken) => {
  const { jti: _jti, ...stored } = payload;
  const grantId = String(payload.grantId);
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + expiresIn * 1_000);
  try {
    const token = {
      connectionId: connectionId.parse(grantId),
      token: id,
      expiresAt: expiresAt.toISOString(),
      resource: connectionResource.parse(new URL(String(payload.aud)).pathname),
    };
    await deps.callAgents(issueConnectionTokenContract, token, deps.requestId());
  } catch (error) {
    throw isConnectionOver(error) ? deps.invalidGrant('the connection has ended') : error;
  }
  const isStored = await write(deps.db, 'global', (tx) =>
    upsertOauthRecord(tx, {
      kind: 'AccessToken',
      digest: oauthDigest(id),
      payload: stored,
      grantId,
      clientId: payload.clientId ?? null,
      now,
      expiresAt,
      source: deps.exchange().source,
    }),
  );
  if (!isStored) {
    await endTokens(deps, grantId, id);
    throw deps.invalidGrant('exchanged again meanwhile');
  }
};
