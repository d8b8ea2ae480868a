import type {
  AgentId,
  AgentStatus,
  CompanyId,
  ConnectionId,
  ConnectionResource,
  HeldGrants,
  OperatorId,
  Role,
  Scope,
} from '@commonplace/contracts/core';
import type { CredentialUse } from './keys.ts';
import type { GlobalTx } from '@commonplace/db';
import type { ChangeTx } from './tx.ts';

export type VerifiedConnection = {
  readonly connectionId: ConnectionId;
  readonly companyId: CompanyId;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentStatus: AgentStatus;
  /** When the token or the connection ends, whichever is first. */
  readonly expiresAt: Date;
  readonly scopes: readonly Scope[];
  readonly clientName: string;
  readonly clientHost: string;
  readonly createdBy: OperatorId;
  readonly accessEpoch: number;
  /** The role of the operator now; null: not a member. */
  readonly role: Role | null;
  /** The path that the token is for. */
  readonly resource: ConnectionResource;
  /** Those of the connection, of its agent, and of the operator as a member; null: all notes. */
  readonly grants: HeldGrants;
  readonly agentGrants: HeldGrants;
  readonly memberGrants: HeldGrants;
};

/**
 * Finds the connection of an access token with one of these digests. One lookup checks everything of the database that
 * ends it: the expiry of token and connection, revocation, a terminated agent, an archived company.
 */
export const findConnectionOfToken = async (
  tx: GlobalTx,
  digests: readonly string[],
  now: Date,
): Promise<VerifiedConnection | null> => {
  const bytes = digests.map((digest) => Buffer.from(digest, 'hex'));
  const values = [bytes, now];
  const [row] = await tx.query<VerifiedConnection>(
    verifySql,
    values,
    'agents.verify-member-connection',
  );
  return row ?? null;
};

const verifySql = `
  select connection_id as "connectionId", company_id as "companyId", agent_id as "agentId",
    agent_name as "agentName", agent_status as "agentStatus", expires_at as "expiresAt", scopes,
    client_name as "clientName", client_host as "clientHost", created_by as "createdBy",
    access_epoch as "accessEpoch", role, resource, grants,
    agent_grants as "agentGrants", member_grants as "memberGrants"
  from agents.verify_member_connection($1::bytea[], $2)`;

type NewConnectionToken = {
  readonly connectionId: ConnectionId;
  /** The HMAC of the token, in hex. */
  readonly digest: string;
  readonly expiresAt: Date;
  readonly resource: ConnectionResource;
};

/** Indexes an access token by its HMAC (global table). A retry changes nothing. */
export const insertConnectionToken = async (
  tx: ChangeTx,
  { connectionId, digest, expiresAt, resource }: NewConnectionToken,
): Promise<void> => {
  await tx.query(insertConnectionTokenSql, [
    digest,
    tx.companyId,
    connectionId,
    expiresAt,
    resource,
  ]);
};

const insertConnectionTokenSql = `
  insert into agents.connection_tokens (digest, company_id, connection_id, expires_at, resource)
  values (decode($1, 'hex'), $2, $3, $4, $5)
  on conflict (digest) do nothing`;

/** Deletes the access tokens of a connection: those with the given digests, or, with null, all. */
export const deleteConnectionTokens = async (
  tx: GlobalTx,
  connectionId: ConnectionId,
  digests: readonly string[] | null,
): Promise<void> => {
  const bytes = digests && digests.map((digest) => Buffer.from(digest, 'hex'));
  await tx.query(deleteConnectionTokensSql, [connectionId, bytes]);
};

const deleteConnectionTokensSql = `
  delete from agents.connection_tokens
  where connection_id = $1 and ($2::bytea[] is null or digest = any ($2))`;

/** Deletes up to `limit` access tokens that have expired; returns how many. */
export const deleteExpiredTokens = async (
  tx: GlobalTx,
  now: Date,
  limit: number,
): Promise<number> => (await tx.query(deleteExpiredTokensSql, [now, limit])).length;

const deleteExpiredTokensSql = `
  delete from agents.connection_tokens
  where digest in (select digest from agents.connection_tokens where expires_at <= $1 limit $2)
  returning 1`;

/** Writes when connections were last used, at most once every `everySeconds` each over all processes. */
export const recordConnectionUses = async (
  tx: GlobalTx,
  uses: readonly CredentialUse[],
  everySeconds: number,
): Promise<void> => {
  await tx.query(recordConnectionUsesSql, [
    uses.map((use) => use.companyId),
    uses.map((use) => use.id),
    uses.map((use) => use.at),
    everySeconds,
  ]);
};

const recordConnectionUsesSql = `
  select agents.touch_connections(
    $1::uuid[], $2::uuid[], $3::timestamptz[], make_interval(secs => $4)
  )`;
