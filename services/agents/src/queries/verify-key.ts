import type { AgentId, AgentStatus, CompanyId, KeyId } from '@commonplace/contracts/core';
import type { AnyTx } from './tx.ts';

export type VerifiedKey = {
  /** The digest that found it, hex. */
  readonly digest: string;
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentStatus: AgentStatus;
  readonly expiresAt: Date | null;
};

/**
 * Finds the living key with one of these digests. One look-up joins everything that can kill a key:
 * revocation, expiry, a terminated agent, an archived company.
 */
export const verifyKey = async (
  tx: AnyTx,
  digests: readonly string[],
  now: Date,
): Promise<VerifiedKey | null> => {
  const bytes = digests.map((digest) => Buffer.from(digest, 'hex'));
  const [row] = await tx.query<VerifiedKey>(statement, [bytes, now], 'agents.verify-key');
  return row ?? null;
};

const statement = `
  select encode(digest, 'hex') as digest, key_id as "keyId", company_id as "companyId",
    agent_id as "agentId", agent_name as "agentName", agent_status as "agentStatus",
    expires_at as "expiresAt"
  from agents.verify_key($1::bytea[], $2)`;
