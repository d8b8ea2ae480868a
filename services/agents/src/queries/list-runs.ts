import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { runColumns, type RunRow } from './run-row.ts';

/** The runs of an agent, newest first: one more than `limit`, if there are. */
export const listRuns = (
  tx: CompanyTx,
  agentId: AgentId,
  page: { readonly after: readonly [startedAt: string, id: string] | null; readonly limit: number },
): Promise<RunRow[]> =>
  tx.query<RunRow>(statement, [
    tx.companyId,
    agentId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const statement = `
  select ${runColumns}
  from agents.runs r
  where r.company_id = $1 and r.agent_id = $2
    and ($3::timestamptz is null or (r.started_at, r.id) < ($3, $4::uuid))
  order by r.started_at desc, r.id desc
  limit $5`;
