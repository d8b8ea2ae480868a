import type { AgentId, AgentStatus } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { fullAgents, type FullAgentRow } from './agent-row.ts';

export type AgentFilter = {
  readonly month: string;
  readonly status?: AgentStatus | undefined;
  readonly q?: string | undefined;
  readonly reportsTo?: AgentId | undefined;
};

/** The agents of the company by name, then id: one more than `limit`, if there are. */
export const listAgents = (
  tx: CompanyTx,
  filter: AgentFilter,
  page: { readonly after: readonly [name: string, id: string] | null; readonly limit: number },
): Promise<FullAgentRow[]> =>
  tx.query<FullAgentRow>(statement, [
    tx.companyId,
    filter.month,
    filter.status ?? null,
    filter.q ?? null,
    filter.reportsTo ?? null,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

// strpos and not LIKE, so that % and _ in what people type mean themselves.
const statement = fullAgents(`
  where a.company_id = $1
    and ($3::text is null or a.status = $3)
    and ($4::text is null
      or strpos(lower(a.name), lower($4)) > 0
      or strpos(lower(a.title), lower($4)) > 0
      or strpos(lower(a.role), lower($4)) > 0)
    and ($5::uuid is null or a.reports_to = $5)
    and ($6::text is null or (a.name, a.id) > ($6, $7::uuid))
  order by a.name, a.id
  limit $8`);
