import type { ConnectionClient } from '@commonplace/contracts/agents';
import type {
  AgentId,
  CompanyId,
  ConnectionId,
  HeldGrants,
  OperatorId,
  Role,
  Scope,
} from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import {
  credentialPageSql,
  credentialPageValues,
  type CredentialPage,
} from './credential-filter.ts';
import { jsonOfGrants } from './grants.ts';
import { memberGrants, memberRole } from './member-role.ts';
import type { ChangeTx } from './tx.ts';

/** A row of `agents.connections`; the digests of its access tokens are in a table of their own. */
export type ConnectionRow = {
  readonly id: ConnectionId;
  readonly companyId: CompanyId;
  readonly agentId: AgentId;
  readonly client: ConnectionClient;
  readonly scopes: readonly Scope[];
  /** The notes it reaches, within those of its agent; null: all. */
  readonly grants: HeldGrants;
  readonly createdBy: OperatorId;
  /** The access epoch of the operator's account at the consent. */
  readonly accessEpoch: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

/** The columns of `ConnectionRow`; the table alias is `n`. */
const connectionColumns = `
  n.id, n.company_id as "companyId", n.agent_id as "agentId",
  json_build_object('id', n.client_id, 'name', n.client_name, 'host', n.client_host) as client,
  n.scopes, n.grants, n.created_by as "createdBy", coalesce(n.access_epoch, 0) as "accessEpoch",
  n.created_at as "createdAt", n.expires_at as "expiresAt", n.last_used_at as "lastUsedAt",
  n.revoked_at as "revokedAt"`;

/**
 * A connection with the role that its operator has now, and the notes that it reaches. Without a role it is no longer a member,
 * or never was one.
 */
export type ConnectionWithRole = ConnectionRow & {
  readonly role: Role | null;
  readonly memberGrants: HeldGrants;
};

/** Reads a connection with the role of its operator. */
export const findConnection = async (
  tx: CompanyTx,
  connectionId: ConnectionId,
): Promise<ConnectionWithRole | null> => {
  const [row] = await tx.query<ConnectionWithRole>(findConnectionSql, [tx.companyId, connectionId]);
  return row ?? null;
};

const findConnectionSql = `
  select ${connectionColumns}, ${memberRole} as role, ${memberGrants} as "memberGrants"
  from agents.connections n
  left join agents.memberships m on m.company_id = $1 and m.operator_id = n.created_by
  where n.company_id = $1 and n.id = $2`;

/** Reads a connection and prevents that it ends until the transaction does. */
export const lockConnection = async (
  tx: CompanyTx,
  connectionId: ConnectionId,
): Promise<ConnectionRow | null> => {
  const [row] = await tx.query<ConnectionRow>(lockConnectionSql, [tx.companyId, connectionId]);
  return row ?? null;
};

const lockConnectionSql = `
  select ${connectionColumns} from agents.connections n
  where n.company_id = $1 and n.id = $2
  for share`;

/** Lists the connections of the company, newest first; returns up to `limit + 1` rows. */
export const listConnections = (tx: CompanyTx, page: CredentialPage): Promise<ConnectionRow[]> =>
  tx.query<ConnectionRow>(listConnectionsSql, [tx.companyId, ...credentialPageValues(page)]);

const listConnectionsSql = `
  select ${connectionColumns} from agents.connections n ${credentialPageSql}`;

/** Counts the active connections of an agent, all and those of an operator. Lock the agent first. */
export const countActiveConnections = async (
  tx: CompanyTx,
  { agentId, operatorId, now }: { agentId: AgentId; operatorId: OperatorId; now: Date },
): Promise<ActiveConnections> => {
  const values = [tx.companyId, agentId, now, operatorId];
  const [row] = await tx.query<ActiveConnections>(countActiveConnectionsSql, values);
  return row ?? { all: 0, own: 0 };
};

type ActiveConnections = { readonly all: number; readonly own: number };

const countActiveConnectionsSql = `
  select count(*)::integer as "all", count(*) filter (where created_by = $4)::integer as own
  from agents.connections
  where company_id = $1 and agent_id = $2
    and revoked_at is null and (expires_at is null or expires_at > $3)`;

/** Whether a company has an active connection with all these scopes, and no grants of its own. */
export const hasConnectionWith = async (
  tx: CompanyTx,
  scopes: readonly Scope[],
  now: Date,
): Promise<boolean> => {
  const values = [tx.companyId, now, [...scopes]];
  const [row] = await tx.query<{ found: boolean }>(hasConnectionWithSql, values);
  return row?.found === true;
};

const hasConnectionWithSql = `
  select exists (
    select from agents.connections
    where company_id = $1 and scopes @> $3::text[] and grants is null
      and revoked_at is null and (expires_at is null or expires_at > $2)
  ) as found`;

export type NewConnection = Omit<ConnectionRow, 'companyId' | 'lastUsedAt' | 'revokedAt'>;

/** Inserts a connection, without tokens. */
export const insertConnection = async (tx: ChangeTx, connection: NewConnection): Promise<void> => {
  const { id, agentId, client, scopes, createdBy, accessEpoch, createdAt, expiresAt, grants } =
    connection;
  await tx.query(insertConnectionSql, [
    tx.companyId,
    id,
    agentId,
    client.id,
    client.name,
    client.host,
    [...scopes],
    createdBy,
    accessEpoch,
    createdAt,
    expiresAt,
    jsonOfGrants(grants),
  ]);
};

const insertConnectionSql = `
  insert into agents.connections (
    company_id, id, agent_id, client_id, client_name, client_host, scopes, created_by, access_epoch,
    created_at, expires_at, grants
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** Which active connections end: one, those of an agent, those of an operator, or all of the company. */
export type EndingConnections = {
  readonly connectionId?: ConnectionId;
  readonly agentId?: AgentId;
  readonly operatorId?: OperatorId;
  /** Only those of earlier access epochs of the operator. */
  readonly beforeEpoch?: number | null;
};

export type EndedConnection = Pick<ConnectionRow, 'id' | 'agentId' | 'client'>;

/** Revokes active connections; returns them. Those that have expired stay as they are. */
export const revokeConnections = async (
  tx: ChangeTx,
  { connectionId, agentId, operatorId, beforeEpoch }: EndingConnections,
  at: Date,
): Promise<EndedConnection[]> => {
  const filters = [connectionId ?? null, agentId ?? null, operatorId ?? null, beforeEpoch ?? null];
  const rows = await tx.query<EndedConnectionRow>(revokeConnectionsSql, [
    tx.companyId,
    at,
    ...filters,
  ]);
  return rows.map(({ id, agentId, clientId, clientName, clientHost }) => ({
    id,
    agentId,
    client: { id: clientId, name: clientName, host: clientHost },
  }));
};

/** Citus returns no values of functions that are not immutable, such as those that build JSON. */
type EndedConnectionRow = Pick<ConnectionRow, 'id' | 'agentId'> & {
  readonly clientId: string;
  readonly clientName: string;
  readonly clientHost: string;
};

const revokeConnectionsSql = `
  update agents.connections n
  set revoked_at = $2
  where n.company_id = $1 and n.revoked_at is null and (n.expires_at is null or n.expires_at > $2)
    and ($3::uuid is null or n.id = $3)
    and ($4::uuid is null or n.agent_id = $4)
    and ($5::uuid is null or n.created_by = $5)
    and ($6::integer is null or coalesce(n.access_epoch, 0) < $6)
  returning n.id, n.agent_id as "agentId", n.client_id as "clientId",
    n.client_name as "clientName", n.client_host as "clientHost"`;

/** Lists operators with active connections, by id, from the one after `after`. */
export const listOperatorsWithConnections = async (
  tx: GlobalTx,
  { after, now, limit }: { readonly after: string; readonly now: Date; readonly limit: number },
): Promise<OperatorId[]> => {
  const rows = await tx.query<{ operatorId: OperatorId }>(listOperatorsSql, [after, now, limit]);
  return rows.map((row) => row.operatorId);
};

const listOperatorsSql = `
  select operator_id as "operatorId" from agents.operators_with_active_connections($1, $2, $3)`;

/** Lists companies with active connections of an operator, those of earlier access epochs only if an epoch is given. */
export const listCompaniesWithConnectionsOf = async (
  tx: GlobalTx,
  operator: {
    readonly operatorId: OperatorId;
    readonly beforeEpoch: number | null;
    readonly now: Date;
  },
  limit: number,
): Promise<CompanyId[]> => {
  const values = [operator.operatorId, operator.beforeEpoch, operator.now, limit];
  const rows = await tx.query<{ companyId: CompanyId }>(listCompaniesOfOperatorSql, values);
  return rows.map((row) => row.companyId);
};

const listCompaniesOfOperatorSql = `
  select company_id as "companyId"
  from agents.companies_with_active_connections_of_operator($1, $2, $3, $4)`;
