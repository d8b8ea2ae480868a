import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { keyColumns, type KeyRow } from './key-row.ts';

/** The keys of an agent, newest first: one more than `limit`, if there are. */
export const listKeys = (
  tx: CompanyTx,
  agentId: AgentId,
  page: { readonly after: readonly [createdAt: string, id: string] | null; readonly limit: number },
): Promise<KeyRow[]> =>
  tx.query<KeyRow>(statement, [
    tx.companyId,
    agentId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const statement = `
  select ${keyColumns}
  from agents.keys
  where company_id = $1 and agent_id = $2
    and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
  order by created_at desc, id desc
  limit $5`;
