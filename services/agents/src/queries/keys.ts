import type {
  AgentId,
  CompanyId,
  ConnectionId,
  HeldGrants,
  HeldScopes,
  KeyId,
  OperatorId,
} from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import {
  credentialPageSql,
  credentialPageValues,
  type CredentialPage,
} from './credential-filter.ts';
import { jsonOfGrants } from './grants.ts';
import type { ChangeTx } from './tx.ts';

/** A row of `agents.keys`; the digest of the key is in a table of its own. */
export type KeyRow = {
  readonly id: KeyId;
  readonly agentId: AgentId;
  readonly companyId: CompanyId;
  readonly name: string;
  readonly prefix: string;
  /** Null means all. */
  readonly scopes: HeldScopes;
  /** The notes it reaches, within those of its agent; null: all. */
  readonly grants: HeldGrants;
  readonly createdBy: OperatorId;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** The key that a rotation made in its place. */
  readonly replacedBy: KeyId | null;
};

/** The columns of `KeyRow`. */
const keyColumns = `
  id, agent_id as "agentId", company_id as "companyId", name, prefix, scopes, grants,
  created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
  revoked_at as "revokedAt", replaced_by as "replacedBy"`;

/** Reads a key of an agent. */
export const findKey = async (
  tx: CompanyTx,
  agentId: AgentId,
  keyId: KeyId,
): Promise<KeyRow | null> => {
  const [row] = await tx.query<KeyRow>(findKeySql, [tx.companyId, agentId, keyId]);
  return row ?? null;
};

const findKeySql = `
  select ${keyColumns} from agents.keys where company_id = $1 and agent_id = $2 and id = $3`;

/** The agent of a key; null: the company has no such key. */
export const findAgentOfKey = async (tx: CompanyTx, keyId: KeyId): Promise<AgentId | null> => {
  const [row] = await tx.query<{ agentId: AgentId }>(
    'select agent_id as "agentId" from agents.keys where company_id = $1 and id = $2',
    [tx.companyId, keyId],
  );
  return row?.agentId ?? null;
};

/**
 * Reads a key of an agent and prevents its revocation until the transaction ends. Lock the agent
 * first.
 */
export const lockKey = async (
  tx: CompanyTx,
  agentId: AgentId,
  keyId: KeyId,
): Promise<KeyRow | null> => {
  const [row] = await tx.query<KeyRow>(lockKeySql, [tx.companyId, agentId, keyId]);
  return row ?? null;
};

const lockKeySql = `
  select ${keyColumns} from agents.keys
  where company_id = $1 and agent_id = $2 and id = $3
  for share`;

export type KeyState = Pick<KeyRow, 'id' | 'agentId' | 'revokedAt' | 'expiresAt'>;

/** Reads the states of keys. Lock the company first (`no key update`), so that none is revoked meanwhile. */
export const listKeyStates = (tx: CompanyTx, keyIds: readonly KeyId[]): Promise<KeyState[]> =>
  tx.query<KeyState>(listKeyStatesSql, [tx.companyId, keyIds], 'agents.list-key-states');

const listKeyStatesSql = `
  select id, agent_id as "agentId", revoked_at as "revokedAt", expires_at as "expiresAt"
  from agents.keys
  where company_id = $1 and id = any ($2::uuid[])`;

/** Lists the keys of an agent, newest first; returns up to `limit + 1` rows. */
export const listKeys = (
  tx: CompanyTx,
  agentId: AgentId,
  page: { readonly after: readonly [createdAt: string, id: string] | null; readonly limit: number },
): Promise<KeyRow[]> =>
  tx.query<KeyRow>(listKeysSql, [
    tx.companyId,
    agentId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const listKeysSql = `
  select ${keyColumns}
  from agents.keys
  where company_id = $1 and agent_id = $2
    and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
  order by created_at desc, id desc
  limit $5`;

/** Lists the keys of a company, newest first; returns up to `limit + 1` rows. */
export const listCompanyKeys = (tx: CompanyTx, page: CredentialPage): Promise<KeyRow[]> =>
  tx.query<KeyRow>(listCompanyKeysSql, [tx.companyId, ...credentialPageValues(page)]);

const listCompanyKeysSql = `select ${keyColumns} from agents.keys n ${credentialPageSql}`;

/** Counts the active keys of an agent. Lock the agent first. */
export const countActiveKeys = async (
  tx: CompanyTx,
  agentId: AgentId,
  now: Date,
): Promise<number> => {
  const [row] = await tx.query<{ keys: number }>(countActiveKeysSql, [tx.companyId, agentId, now]);
  return row?.keys ?? 0;
};

const countActiveKeysSql = `
  select count(*)::integer as keys
  from agents.keys
  where company_id = $1 and agent_id = $2
    and revoked_at is null and (expires_at is null or expires_at > $3)`;

/** Whether a company has an active key with all scopes. */
export const hasFullKey = async (tx: CompanyTx, now: Date): Promise<boolean> => {
  const [row] = await tx.query<{ found: boolean }>(hasFullKeySql, [tx.companyId, now]);
  return row?.found === true;
};

const hasFullKeySql = `
  select exists (
    select from agents.keys
    where company_id = $1 and scopes is null and grants is null
      and revoked_at is null and (expires_at is null or expires_at > $2)
  ) as found`;

export type NewKey = Omit<KeyRow, 'companyId' | 'lastUsedAt' | 'revokedAt' | 'replacedBy'>;

/** Inserts a key, without its value. */
export const insertKey = async (tx: ChangeTx, key: NewKey): Promise<KeyRow> => {
  const { id, agentId, name, prefix, scopes, createdBy, createdAt, expiresAt } = key;
  const fields = [id, agentId, name, prefix, scopes, createdBy, createdAt, expiresAt];
  const values = [tx.companyId, ...fields, jsonOfGrants(key.grants)];
  const [row] = await tx.query<KeyRow>(insertKeySql, values);
  return row as KeyRow;
};

const insertKeySql = `
  insert into agents.keys (
    company_id, id, agent_id, name, prefix, scopes, created_by, created_at, expires_at,
    grants
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  returning ${keyColumns}`;

/** Sets the expiry of a key, unless it expires earlier. */
export const setKeyExpiry = async (tx: ChangeTx, keyId: KeyId, expiresAt: Date): Promise<void> => {
  await tx.query(setKeyExpirySql, [tx.companyId, keyId, expiresAt]);
};

const setKeyExpirySql = `
  update agents.keys set expires_at = least(expires_at, $3::timestamptz)
  where company_id = $1 and id = $2`;

/** Records which key a rotation made in place of another. */
export const setKeyReplacement = async (
  tx: ChangeTx,
  keyId: KeyId,
  replacedBy: KeyId,
): Promise<void> => {
  await tx.query(setKeyReplacementSql, [tx.companyId, keyId, replacedBy]);
};

const setKeyReplacementSql = `
  update agents.keys set replaced_by = $3 where company_id = $1 and id = $2`;

/**
 * Revokes a key and thereby its runs. Returns false, and changes nothing, if it is already revoked, unless a
 * rotation did that: then the time is kept, and the runs end.
 */
export const revokeKeyRow = async (tx: ChangeTx, keyId: KeyId, at: Date): Promise<boolean> => {
  const rows = await tx.query(revokeKeyRowSql, [tx.companyId, keyId, at]);
  return rows.length === 1;
};

const revokeKeyRowSql = `
  update agents.keys set revoked_at = coalesce(revoked_at, $3), keeps_runs = false
  where company_id = $1 and id = $2 and (revoked_at is null or keeps_runs)
  returning id`;

/** Revokes an active key whose runs go on, because another key replaces it. */
export const replaceKeyRow = async (tx: ChangeTx, keyId: KeyId, at: Date): Promise<void> => {
  await tx.query(replaceKeyRowSql, [tx.companyId, keyId, at]);
};

const replaceKeyRowSql = `
  update agents.keys set revoked_at = $3, keeps_runs = true
  where company_id = $1 and id = $2 and revoked_at is null`;

/** Revokes every active key of an agent, at most ten; returns their ids. */
export const revokeKeysOfAgent = async (
  tx: ChangeTx,
  agentId: AgentId,
  at: Date,
): Promise<KeyId[]> => {
  const rows = await tx.query<{ id: KeyId }>(revokeKeysOfAgentSql, [tx.companyId, agentId, at]);
  return rows.map((row) => row.id);
};

const revokeKeysOfAgentSql = `
  update agents.keys set revoked_at = $3
  where company_id = $1 and agent_id = $2 and revoked_at is null
    and (expires_at is null or expires_at > $3)
  returning id`;

/** One use of a key or a connection. */
export type CredentialUse = {
  readonly id: KeyId | ConnectionId;
  readonly companyId: CompanyId;
  readonly at: Date;
};

/**
 * Writes when keys were last used, at most once every `everySeconds` per key over all processes.
 */
export const recordKeyUses = async (
  tx: GlobalTx,
  uses: readonly CredentialUse[],
  everySeconds: number,
): Promise<void> => {
  await tx.query(recordKeyUsesSql, [
    uses.map((use) => use.companyId),
    uses.map((use) => use.id),
    uses.map((use) => use.at),
    everySeconds,
  ]);
};

const recordKeyUsesSql = `
  select agents.touch_keys(
    $1::uuid[], $2::uuid[], $3::timestamptz[], make_interval(secs => $4)
  )`;
