import { read, write } from '@commonplace/db';
import type { AdapterPayload } from 'oidc-provider';
import {
  consumeOauthRecord,
  deleteIssuedBy,
  findOauthRecord,
  lockIssuedTokens,
  upsertOauthRecord,
  type OauthRow,
} from '../queries/oauth-records.ts';
import type { AdapterDeps, ModelAdapter } from './adapter-deps.ts';
import { endConnection, endTokens } from './end-connection.ts';
import { oauthDigest } from './oauth-digest.ts';

type Kind = 'AuthorizationCode' | 'RefreshToken';

/** How long a client may send a refresh token again whose response it did not get. */
const retryMs = 10_000;

/**
 * Codes and refresh tokens: each is exchanged once. Of several exchanges at once one succeeds. A refresh token whose
 * response was lost may be sent again for 10 s, as long as nobody used what came of it: that ends then. The library treats
 * any other reuse as theft and revokes the grant.
 */
export const consumableAdapter = (deps: AdapterDeps, kind: Kind): ModelAdapter => ({
  upsert: (id, payload, expiresIn) =>
    insert(deps, kind, { id, payload, expiresIn: expiresIn ?? 0 }),
  find: (id) => find(deps, kind, id),
  consume: (id) => consume(deps, kind, id),
  // They stay until their grant has ended, so that a revocation that failed is made up for when they are sent again.
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
});

const find = async (deps: AdapterDeps, kind: Kind, id: string) => {
  const now = deps.clock();
  const digest = oauthDigest(id);
  const row = await read(deps.db, 'global', (tx) => findOauthRecord(tx, { kind, digest, now }));
  if (!row) {
    return undefined;
  }
  deps.exchange().found.set(digest, row.uses);
  return {
    ...row.payload,
    jti: id,
    ...(row.consumedAt && !isRetry(kind, row, now)
      ? { consumed: Math.floor(row.consumedAt.getTime() / 1_000) }
      : {}),
  } as AdapterPayload;
};

const isRetry = (kind: Kind, row: OauthRow, now: Date): boolean =>
  kind === 'RefreshToken' &&
  row.consumedAt !== null &&
  row.consumedAt.getTime() > now.getTime() - retryMs &&
  !row.hasUsedSuccessor;

const consume = async (deps: AdapterDeps, kind: Kind, id: string): Promise<void> => {
  const digest = oauthDigest(id);
  const exchange = deps.exchange();
  const uses = exchange.found.get(digest) ?? 0;
  const now = deps.clock();
  const reusableSince = new Date(now.getTime() - retryMs);
  const record = await write(deps.db, 'global', async (tx) => {
    // A request that uses a successor at the same time waits, and then finds it gone.
    await lockIssuedTokens(tx, digest);
    const grantId = await consumeOauthRecord(tx, { kind, digest, uses, now, reusableSince });
    if (grantId !== null && uses > 0) {
      await deleteIssuedBy(tx, digest);
    }
    return grantId;
  });
  if (record === null) {
    if (kind === 'AuthorizationCode') {
      await endConnectionOf(deps, digest);
    }
    throw deps.invalidGrant('exchanged at the same time');
  }
  exchange.source = { digest, uses: uses + 1 };
  if (uses > 0) {
    await endTokens(deps, record);
  }
};

/** Two concurrent exchanges of a code mean that it was intercepted: the connection ends. */
const endConnectionOf = async (deps: AdapterDeps, digest: string): Promise<void> => {
  const key = { kind: 'AuthorizationCode', digest, now: deps.clock() } as const;
  const row = await read(deps.db, 'global', (tx) => findOauthRecord(tx, key));
  if (row) {
    await endConnection(deps, String(row.payload['grantId']), 'code_reused');
  }
};

type NewToken = {
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly expiresIn: number;
};

const insert = async (deps: AdapterDeps, kind: Kind, { id, payload, expiresIn }: NewToken) => {
  const { jti: _jti, ...stored } = payload;
  const now = deps.clock();
  const isStored = await write(deps.db, 'global', (tx) =>
    upsertOauthRecord(tx, {
      kind,
      digest: oauthDigest(id),
      payload: stored,
      grantId: payload.grantId ?? null,
      clientId: payload.clientId ?? null,
      now,
      expiresAt: new Date(now.getTime() + expiresIn * 1_000),
      source: deps.exchange().source,
    }),
  );
  if (!isStored) {
    throw deps.invalidGrant('exchanged again meanwhile');
  }
};
