import { AppError, roleAllows, type ConnectionId } from '@commonplace/contracts/core';
import type { ConnectionEndReason } from '@commonplace/contracts/internal';
import { write, type CompanyTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  findConnection,
  revokeConnections,
  type EndingConnections,
} from '../queries/connections.ts';
import type { ChangeTx } from '../queries/tx.ts';
import {
  recordActivity,
  systemActor,
  type AuditContext,
  type CallerAuditContext,
} from './audit.ts';
import { lockActiveCompany, trustChange } from './begin-change.ts';
import { findConnectionCompany } from './connection-tokens.ts';

/** Ends active connections with the change that ends them; `because` says why. Verification rejects their tokens. */
export const endConnections = async (
  tx: ChangeTx,
  ending: EndingConnections & { readonly because?: string },
  audit: AuditContext,
): Promise<void> => {
  const { because, ...which } = ending;
  const ended = await revokeConnections(tx, which, audit.at);
  await recordActivity(
    tx,
    audit,
    ended.map(({ id, agentId, client }) => ({
      action: 'connection.revoked',
      entity: ['connection', id],
      detail: { agentId, client, ...(because === undefined ? {} : { because }) },
    })),
  );
};

/** Revokes a connection on behalf of an operator; viewers only one that they consented to. */
export const revokeConnection = async (
  scope: CompanyTx,
  connectionId: ConnectionId,
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx, role } = await lockActiveCompany(scope, audit);
  const connection = await findConnection(tx, connectionId);
  if (!connection) {
    throw new AppError('not_found');
  }
  const isOwn = connection.createdBy === audit.actor.id;
  if (!isOwn && !(role && roleAllows(role, 'operator'))) {
    throw new AppError('role_insufficient');
  }
  await endConnections(tx, { connectionId }, audit);
};

/** Ends a connection that its client gave up, or whose refresh token was used twice. */
export const endConnection = async (
  deps: Pick<Deps, 'db' | 'lookups' | 'clock'>,
  connectionId: ConnectionId,
  reason: ConnectionEndReason,
): Promise<void> => {
  const companyId = await findConnectionCompany(deps, connectionId);
  if (companyId) {
    await write(deps.db, companyId, (scope) =>
      endConnections(
        trustChange(scope, 'the auth service ends it'),
        { connectionId, because: reason },
        { actor: systemActor, at: deps.clock() },
      ),
    );
  }
};
