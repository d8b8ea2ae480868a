import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { runColumns, type RunRow } from './runs.ts';
import type { RunStatus } from '@commonplace/contracts/agents';

/** Lists the runs of an agent, newest first; returns up to `limit + 1` rows. */
export const listRuns = (
  tx: CompanyTx,
  agentId: AgentId,
  page: { readonly after: readonly [startedAt: string, id: string] | null; readonly limit: number },
): Promise<RunRow[]> =>
  tx.query<RunRow>(listRunsSql, [
    tx.companyId,
    agentId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const listRunsSql = `
  select ${runColumns}
  from agents.runs r
  where r.company_id = $1 and r.agent_id = $2
    and ($3::timestamptz is null or (r.started_at, r.id) < ($3, $4::uuid))
  order by r.started_at desc, r.id desc
  limit $5`;

type RunsPage = {
  readonly after: readonly [startedAt: string, id: string] | null;
  readonly limit: number;
  /** Only runs with this status at the time `now`. */
  readonly status: RunStatus | undefined;
  readonly now: Date;
};

/** Lists the runs of the company, newest first; returns up to `limit + 1` rows. */
export const listCompanyRuns = (
  tx: CompanyTx,
  { after, limit, status, now }: RunsPage,
): Promise<RunRow[]> => {
  const values = [tx.companyId, ...(after ?? [null, null]), limit + 1];
  switch (status) {
    case undefined:
      return tx.query<RunRow>(listCompanyRunsSql(''), values);
    case 'running':
      return tx.query<RunRow>(listCompanyRunsSql(running), [...values, now]);
    case 'expired':
      return tx.query<RunRow>(listCompanyRunsSql(expired), [...values, now]);
    default:
      return tx.query<RunRow>(listCompanyRunsSql('and r.status = $5'), [...values, status]);
  }
};

/**
 * Each status has a statement of its own, so that each can use an index. An overdue run counts as
 * expired, as the API shows it.
 */
const running = "and r.status = 'running' and r.token_expires_at > $5";
const expired = "and (r.status = 'expired' or (r.status = 'running' and r.token_expires_at <= $5))";

const listCompanyRunsSql = (condition: string): string => `
  select ${runColumns}
  from agents.runs r
  where r.company_id = $1
    and ($2::timestamptz is null or (r.started_at, r.id) < ($2, $3::uuid))
    ${condition}
  order by r.started_at desc, r.id desc
  limit $4`;

/** Counts the running runs of the company. */
export const countCompanyRuns = async (tx: CompanyTx, now: Date): Promise<number> => {
  const [row] = await tx.query<{ runs: number }>(countCompanyRunsSql, [tx.companyId, now]);
  return row?.runs ?? 0;
};

const countCompanyRunsSql = `
  select count(*)::integer as runs
  from agents.runs
  where company_id = $1 and status = 'running' and token_expires_at > $2`;

/** Counts the running runs of an agent, up to `max`, which bounds the cost of the query. */
export const countRunningRuns = async (
  tx: CompanyTx,
  { agentId, now, max }: { readonly agentId: AgentId; readonly now: Date; readonly max: number },
): Promise<number> => {
  const [row] = await tx.query<{ runs: number }>(countRunningRunsSql, [
    tx.companyId,
    agentId,
    now,
    max,
  ]);
  return row?.runs ?? 0;
};

const countRunningRunsSql = `
  select count(*)::integer as runs
  from (
    select 1
    from agents.runs
    where company_id = $1 and agent_id = $2 and status = 'running' and token_expires_at > $3
    limit $4
  ) running`;
