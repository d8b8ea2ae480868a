import {
  AppError,
  type CompanyId,
  type ConnectionId,
  type ConnectionResource,
} from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import { apiKeyDigests } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { isActiveKey } from '../policy/state.ts';
import { deleteConnectionTokens, insertConnectionToken } from '../queries/connection-tokens.ts';
import { lockConnection } from '../queries/connections.ts';
import { findEntityOwner } from '../queries/entity-owners.ts';
import { trustChange } from './begin-change.ts';

/** The company of a connection; null: there is no such connection. */
export const findConnectionCompany = (
  { lookups }: Pick<Deps, 'lookups'>,
  connectionId: ConnectionId,
): Promise<CompanyId | null> =>
  read(lookups, 'global', (tx) => findEntityOwner(tx, 'connection', connectionId));

export type NewToken = {
  readonly connectionId: ConnectionId;
  readonly token: string;
  readonly expiresAt: Date;
  readonly resource: ConnectionResource;
};

/** Stores an access token of an active connection, under a lock with which it cannot end meanwhile. */
export const issueConnectionToken = async (
  deps: Pick<Deps, 'db' | 'lookups' | 'clock' | 'peppers'>,
  { connectionId, token, expiresAt, resource }: NewToken,
): Promise<void> => {
  const companyId = await findConnectionCompany(deps, connectionId);
  if (!companyId) {
    throw new AppError('not_found');
  }
  const [digest] = apiKeyDigests(deps.peppers, token);
  await write(deps.db, companyId, async (scope) => {
    const connection = await lockConnection(scope, connectionId);
    if (!connection || !isActiveKey(connection, deps.clock())) {
      throw new AppError('connection_ended');
    }
    const tx = trustChange(scope, 'the auth service exchanged a code or a refresh token for it');
    await insertConnectionToken(tx, { connectionId, digest, expiresAt, resource });
  });
};

/** Ends one access token of a connection, found by any pepper, or all. */
export const endConnectionTokens = async (
  { db, peppers }: Pick<Deps, 'db' | 'peppers'>,
  connectionId: ConnectionId,
  token: string | undefined,
): Promise<void> => {
  const digests = token === undefined ? null : apiKeyDigests(peppers, token);
  await write(db, 'global', (tx) => deleteConnectionTokens(tx, connectionId, digests));
};
