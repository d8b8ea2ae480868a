import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx, SqlValue } from '@commonplace/db';
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
  readonly agentId: AgentId | undefined;
  /** Only runs that started then or later, or before. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly now: Date;
};

/**
 * Lists the runs of the company, newest first; returns up to `limit + 1` rows. Only the given filters are in the statement,
 * so that each combination can use an index. An overdue run counts as expired, as the API shows it.
 */
export const listCompanyRuns = (tx: CompanyTx, page: RunsPage): Promise<RunRow[]> => {
  const { after, limit, status, agentId, since, until, now } = page;
  const values: SqlValue[] = [tx.companyId];
  const bind = (value: SqlValue): string => `$${values.push(value)}`;
  const conditions = [
    'r.company_id = $1',
    ...(after
      ? [`(r.started_at, r.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`]
      : []),
    ...(agentId ? [`r.agent_id = ${bind(agentId)}::uuid`] : []),
    ...(since ? [`r.started_at >= ${bind(since)}::timestamptz`] : []),
    ...(until ? [`r.started_at < ${bind(until)}::timestamptz`] : []),
    ...(status ? [statusCondition(status, now, bind)] : []),
  ];
  return tx.query<RunRow>(
    `select ${runColumns}
     from agents.runs r
     where ${conditions.join(' and ')}
     order by r.started_at desc, r.id desc
     limit ${bind(limit + 1)}`,
    values,
  );
};

const statusCondition = (
  status: RunStatus,
  now: Date,
  bind: (value: SqlValue) => string,
): string => {
  switch (status) {
    case 'running':
      return `r.status = 'running' and r.token_expires_at > ${bind(now)}`;
    case 'expired':
      return `(r.status = 'expired' or (r.status = 'running' and r.token_expires_at <= ${bind(now)}))`;
    default:
      return `r.status = ${bind(status)}`;
  }
};

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
