import type {
  AgentId,
  AgentStatus,
  CompanyId,
  HeldGrants,
  HeldScopes,
  KeyId,
} from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { ChangeTx } from './tx.ts';

export type VerifiedKey = {
  /** The digest that matched, in hex. */
  readonly digest: string;
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentStatus: AgentStatus;
  readonly expiresAt: Date | null;
  /** Null means all. */
  readonly scopes: HeldScopes;
  /** Those of the key and of its agent; null: all notes. */
  readonly grants: HeldGrants;
  readonly agentGrants: HeldGrants;
};

/**
 * Finds the active key with one of these digests. One lookup checks everything that invalidates a
 * key: revocation, expiry, a terminated agent, an archived company.
 */
export const verifyKey = async (
  tx: GlobalTx,
  digests: readonly string[],
  now: Date,
): Promise<VerifiedKey | null> => {
  const bytes = digests.map((digest) => Buffer.from(digest, 'hex'));
  const [row] = await tx.query<VerifiedKey>(
    verifyKeySql,
    [bytes, now],
    'agents.verify-granted-key',
  );
  return row ?? null;
};

const verifyKeySql = `
  select encode(digest, 'hex') as digest, key_id as "keyId", company_id as "companyId",
    agent_id as "agentId", agent_name as "agentName", agent_status as "agentStatus",
    expires_at as "expiresAt", scopes, grants, agent_grants as "agentGrants"
  from agents.verify_granted_key($1::bytea[], $2)`;

/** Indexes a key by the HMAC of its value, in hex (global table). */
export const insertKeyDigest = async (
  tx: ChangeTx,
  keyId: KeyId,
  digest: string,
): Promise<void> => {
  await tx.query(insertKeyDigestSql, [digest, tx.companyId, keyId]);
};

const insertKeyDigestSql = `
  insert into agents.key_digests (digest, company_id, key_id) values (decode($1, 'hex'), $2, $3)`;

/** Replaces the digest of a key by one with a newer pepper. */
export const replaceKeyDigest = async (
  tx: GlobalTx,
  oldDigest: string,
  newDigest: string,
): Promise<void> => {
  await tx.query(replaceKeyDigestSql, [oldDigest, newDigest]);
};

const replaceKeyDigestSql = `
  update agents.key_digests set digest = decode($2, 'hex') where digest = decode($1, 'hex')`;
