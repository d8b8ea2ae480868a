import type { AgentId, AgentStatus, CompanyId } from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import { budgetSumMax } from './sums.ts';
import { runColumns, type EndedRunRow } from './runs.ts';
import type { ChangeTx } from './tx.ts';

/** Sums of ended runs, and of what runs reported. */
export type UsageSums = {
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly costCents: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reports: number;
};

/**
 * Adds ended runs to the sums of the UTC days on which they started; one statement for any number of runs. What they
 * reported was added when it was booked. Rows are written in key order, so concurrent statements cannot deadlock.
 * Mark the runs as counted in the same transaction.
 */
export const recordUsage = async (tx: ChangeTx, runs: readonly EndedRunRow[]): Promise<void> => {
  await tx.query(recordUsageSql, [
    tx.companyId,
    runs.map((run) => run.agentId),
    runs.map((run) => run.startedAt.toISOString().slice(0, 10)),
    runs.map((run) => run.status),
    runs.map((run) => run.costCents - (run.reportedCents ?? 0)),
    budgetSumMax,
  ]);
};

const recordUsageSql = `
  insert into agents.usage_days as d (
    company_id, day, agent_id, succeeded_runs, failed_runs, cancelled_runs, expired_runs, cost_cents
  )
  select c.company_id, run.day, run.agent_id,
    count(*) filter (where run.status = 'succeeded'), count(*) filter (where run.status = 'failed'),
    count(*) filter (where run.status = 'cancelled'), count(*) filter (where run.status = 'expired'),
    least(sum(run.cost_cents), $6::bigint)
  from agents.companies c
  cross join unnest($2::uuid[], $3::date[], $4::text[], $5::bigint[])
    as run (agent_id, day, status, cost_cents)
  where c.company_id = $1
  group by c.company_id, run.day, run.agent_id
  order by run.day, run.agent_id
  on conflict (company_id, day, agent_id) do update
  set succeeded_runs = d.succeeded_runs + excluded.succeeded_runs,
    failed_runs = d.failed_runs + excluded.failed_runs,
    cancelled_runs = d.cancelled_runs + excluded.cancelled_runs,
    expired_runs = d.expired_runs + excluded.expired_runs,
    cost_cents = least(d.cost_cents + excluded.cost_cents, $6::bigint)`;

/** What a report adds to the sums of a day. */
export type ReportedUsage = {
  readonly day: string;
  readonly agentId: AgentId;
  /** Empty: none. */
  readonly model: string;
  readonly costCents: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** Adds reports to the sums of the UTC days on which their runs started. */
export const recordReportedUsage = async (
  tx: ChangeTx,
  reports: readonly ReportedUsage[],
): Promise<void> => {
  const values = [tx.companyId, JSON.stringify(reports), budgetSumMax];
  await Promise.all([
    tx.query(recordReportedDaysSql, values, 'agents.record-reported-days'),
    tx.query(recordReportedModelsSql, values, 'agents.record-reported-models'),
  ]);
};

const recordReportedDaysSql = `
  insert into agents.usage_days as d (
    company_id, day, agent_id, succeeded_runs, failed_runs, cancelled_runs, expired_runs, cost_cents,
    input_tokens, output_tokens, reports
  )
  select c.company_id, r.day, r."agentId", 0, 0, 0, 0, least(sum(r."costCents"), $3::bigint),
    least(sum(r."inputTokens"), $3::bigint), least(sum(r."outputTokens"), $3::bigint), count(*)
  from agents.companies c
  cross join jsonb_to_recordset($2::jsonb) as r (
    day date, "agentId" uuid, "costCents" bigint, "inputTokens" bigint, "outputTokens" bigint
  )
  where c.company_id = $1
  group by c.company_id, r.day, r."agentId"
  order by r.day, r."agentId"
  on conflict (company_id, day, agent_id) do update
  set cost_cents = least(d.cost_cents + excluded.cost_cents, $3::bigint),
    input_tokens = least(d.input_tokens + excluded.input_tokens, $3::bigint),
    output_tokens = least(d.output_tokens + excluded.output_tokens, $3::bigint),
    reports = d.reports + excluded.reports`;

const recordReportedModelsSql = `
  insert into agents.usage_models as m (
    company_id, day, model, cost_cents, input_tokens, output_tokens, reports
  )
  select c.company_id, r.day, r.model, least(sum(r."costCents"), $3::bigint),
    least(sum(r."inputTokens"), $3::bigint), least(sum(r."outputTokens"), $3::bigint), count(*)
  from agents.companies c
  cross join jsonb_to_recordset($2::jsonb) as r (
    day date, model text, "costCents" bigint, "inputTokens" bigint, "outputTokens" bigint
  )
  where c.company_id = $1
  group by c.company_id, r.day, r.model
  order by r.day, r.model
  on conflict (company_id, day, model) do update
  set cost_cents = least(m.cost_cents + excluded.cost_cents, $3::bigint),
    input_tokens = least(m.input_tokens + excluded.input_tokens, $3::bigint),
    output_tokens = least(m.output_tokens + excluded.output_tokens, $3::bigint),
    reports = m.reports + excluded.reports`;

/** The models that have sums of days: those on which runs started. */
export const listModelsOfRuns = (
  tx: CompanyTx,
  runIds: readonly string[],
): Promise<{ readonly day: string; readonly model: string }[]> =>
  tx.query(listModelsOfRunsSql, [tx.companyId, runIds], 'agents.list-models-of-runs');

const listModelsOfRunsSql = `
  select m.day, m.model
  from agents.usage_models m
  where m.company_id = $1 and m.day in (
    select (r.started_at at time zone 'UTC')::date
    from agents.runs r
    where r.company_id = $1 and r.id = any ($2::uuid[])
  )`;

/** Lists companies with ended runs that are in no sum. */
export const listCompaniesWithUncountedRuns = async (
  tx: GlobalTx,
  runsMax: number,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ companyId: CompanyId }>(listCompaniesWithUncountedRunsSql, [
    runsMax,
  ]);
  return rows.map((row) => row.companyId);
};

const listCompaniesWithUncountedRunsSql = `
  select company_id as "companyId" from agents.companies_with_uncounted_runs($1)`;

/**
 * Marks up to `limit` ended runs as counted, and returns them. Skips runs that another process is
 * counting.
 */
export const markUncountedRuns = (tx: ChangeTx, limit: number): Promise<EndedRunRow[]> =>
  tx.query<EndedRunRow>(markUncountedRunsSql, [tx.companyId, limit]);

const markUncountedRunsSql = `
  update agents.runs r
  set is_counted = true
  where r.company_id = $1 and r.id in (
    select uncounted.id
    from agents.runs uncounted
    where uncounted.company_id = $1 and not uncounted.is_counted and uncounted.status <> 'running'
    limit $2
    for update skip locked
  )
  returning ${runColumns}`;

export type DayRange = { readonly from: string; readonly to: string };

/**
 * The day on which a range reaches more than `rowsMax` sums of a day and an agent; null: it has at most so many. Reads no
 * more than that from the index.
 */
export const findDayBeyond = async (
  tx: CompanyTx,
  { from, to }: DayRange,
  rowsMax: number,
): Promise<string | null> => {
  const values = [tx.companyId, from, to, rowsMax];
  const [row] = await tx.query<{ day: string }>(findDayBeyondSql, values);
  return row?.day ?? null;
};

const findDayBeyondSql = `
  select d.day
  from agents.usage_days d
  where d.company_id = $1 and d.day between $2::date and $3::date
  order by d.day, d.agent_id
  offset $4
  limit 1`;

/** The days of a range with runs, in order. */
export const listUsageByDay = (
  tx: CompanyTx,
  { from, to }: DayRange,
): Promise<(UsageSums & { readonly day: string })[]> =>
  tx.query(listUsageByDaySql, [tx.companyId, from, to, budgetSumMax]);

const sums = `
  coalesce(sum(d.succeeded_runs), 0)::bigint as succeeded,
  coalesce(sum(d.failed_runs), 0)::bigint as failed,
  coalesce(sum(d.cancelled_runs), 0)::bigint as cancelled,
  coalesce(sum(d.expired_runs), 0)::bigint as expired,
  greatest(0, least(coalesce(sum(d.cost_cents), 0), $4::bigint))::bigint as "costCents",
  least(coalesce(sum(d.input_tokens), 0), $4::bigint)::bigint as "inputTokens",
  least(coalesce(sum(d.output_tokens), 0), $4::bigint)::bigint as "outputTokens",
  coalesce(sum(d.reports), 0)::bigint as reports`;

const listUsageByDaySql = `
  select d.day::text as day, ${sums}
  from agents.usage_days d
  where d.company_id = $1 and d.day between $2::date and $3::date
  group by d.day
  order by d.day`;

/** Those of the days on which an agent has runs, in order. */
export const listUsageOfAgent = (
  tx: CompanyTx,
  days: readonly string[],
  agentId: AgentId,
): Promise<(UsageSums & { readonly day: string })[]> =>
  tx.query(listUsageOfAgentSql, [tx.companyId, days, agentId, budgetSumMax]);

const listUsageOfAgentSql = `
  select d.day::text as day, ${sums}
  from agents.usage_days d
  where d.company_id = $1 and d.day = any ($2::date[]) and d.agent_id = $3
  group by d.day
  order by d.day`;

/** The sums of an agent. */
export type AgentUsageRow = UsageSums & {
  readonly agentId: AgentId;
  readonly name: string;
  readonly status: AgentStatus;
  readonly monthlyCents: number | null;
};

/** The sums of all agents, and how many have runs. */
export type UsageTotal = UsageSums & { readonly agents: number };

/**
 * Lists the agents with runs in a range, highest cost first, up to `limit`, and the total of all. One statement, so the
 * total includes exactly the runs of the list.
 */
export const listUsageByAgent = async (
  tx: CompanyTx,
  { from, to, limit }: DayRange & { readonly limit: number },
): Promise<{ readonly rows: AgentUsageRow[]; readonly total: UsageTotal }> => {
  const values = [tx.companyId, from, to, budgetSumMax, limit];
  const [total, ...rows] = await tx.query<AgentUsageRow & UsageTotal>(listUsageByAgentSql, values);
  return { rows, total: total as UsageTotal };
};

// Without `count(distinct)` and grouping sets, which sort the rows of all days: an agent has one a day.
const listUsageByAgentSql = `
  with by_agent as (
    select d.agent_id, sum(d.cost_cents) as cost_cents, ${sums}
    from agents.usage_days d
    where d.company_id = $1 and d.day between $2::date and $3::date
    group by d.agent_id
  ),
  top as (
    select 0 as rank, agent_id, cost_cents, 0 as agents, succeeded, failed, cancelled, expired, "costCents",
      "inputTokens", "outputTokens", reports
    from by_agent
    order by cost_cents desc, agent_id
    limit $5
  ),
  total as (
    select 1 as rank, null::uuid as agent_id, null::numeric as cost_cents, count(*)::integer as agents,
      coalesce(sum(succeeded), 0)::bigint as succeeded, coalesce(sum(failed), 0)::bigint as failed,
      coalesce(sum(cancelled), 0)::bigint as cancelled, coalesce(sum(expired), 0)::bigint as expired,
      greatest(0, least(coalesce(sum(cost_cents), 0), $4::bigint))::bigint as "costCents",
      least(coalesce(sum("inputTokens"), 0), $4::bigint)::bigint as "inputTokens",
      least(coalesce(sum("outputTokens"), 0), $4::bigint)::bigint as "outputTokens",
      coalesce(sum(reports), 0)::bigint as reports
    from by_agent
  )
  select listed.agent_id as "agentId", a.name, a.status, a.monthly_cents as "monthlyCents",
    listed.agents, listed.succeeded, listed.failed, listed.cancelled, listed.expired, listed."costCents",
    listed."inputTokens", listed."outputTokens", listed.reports
  from (select * from top union all select * from total) listed
  left join agents.agents a on a.company_id = $1 and a.id = listed.agent_id
  order by listed.rank desc, listed.cost_cents desc, listed.agent_id`;
