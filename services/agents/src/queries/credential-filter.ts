import type { AgentId } from '@commonplace/contracts/core';
import type { SqlValue } from '@commonplace/db';

/** Which API keys or connections are listed, as the query of the list has it; absent: any. */
type CredentialFilter = {
  readonly agentId?: AgentId | undefined;
  readonly active?: boolean | undefined;
  /** Active ones that were neither created nor used since. */
  readonly unusedSince?: string | undefined;
  /** Active ones that expire before. */
  readonly expiresBefore?: string | undefined;
  readonly now: Date;
};

/** A page of a list of credentials, newest first. */
export type CredentialPage = {
  readonly filter: CredentialFilter;
  readonly after: readonly [createdAt: string, id: string] | null;
  readonly limit: number;
};

/** The parameters $2 to $9 of a list; $1 is the company. */
export const credentialPageValues = ({ filter, after, limit }: CredentialPage): SqlValue[] => {
  const { agentId = null, active = null, unusedSince = null, expiresBefore = null, now } = filter;
  const isOfActive = unusedSince !== null || expiresBefore !== null;
  return [
    ...(after ?? [null, null]),
    limit + 1,
    agentId,
    isOfActive || active,
    unusedSince,
    expiresBefore,
    now,
  ];
};

/** The conditions, order and limit of a list of credentials `n`. */
export const credentialPageSql = `
  where n.company_id = $1
    and ($2::timestamptz is null or (n.created_at, n.id) < ($2, $3::uuid))
    and ($5::uuid is null or n.agent_id = $5)
    and ($6::boolean is null
      or (n.revoked_at is null and (n.expires_at is null or n.expires_at > $9::timestamptz)) = $6)
    and ($7::timestamptz is null or coalesce(n.last_used_at, n.created_at) < $7)
    and ($8::timestamptz is null or n.expires_at < $8)
  order by n.created_at desc, n.id desc
  limit $4`;
