import type { AgentId, AgentStatus, RunId } from '@commonplace/contracts/core';
import type { RunStatus } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { budgetSumMax } from './sums.ts';
import type { DayRange, UsageSums } from './usage.ts';

/** What reports said of a model. */
export type ModelUsageRow = Pick<
  UsageSums,
  'costCents' | 'inputTokens' | 'outputTokens' | 'reports'
> & {
  /** Empty: none was reported. */
  readonly model: string;
};

/** Lists the sums of all models in a range, highest cost first. A day has a bounded number of them. */
export const listUsageByModel = (tx: CompanyTx, { from, to }: DayRange): Promise<ModelUsageRow[]> =>
  tx.query<ModelUsageRow>(listUsageByModelSql, [tx.companyId, from, to, budgetSumMax]);

const listUsageByModelSql = `
  select m.model, least(sum(m.cost_cents), $4::bigint)::bigint as "costCents",
    least(sum(m.input_tokens), $4::bigint)::bigint as "inputTokens",
    least(sum(m.output_tokens), $4::bigint)::bigint as "outputTokens",
    sum(m.reports)::bigint as reports
  from agents.usage_models m
  where m.company_id = $1 and m.day between $2::date and $3::date
  group by m.model
  order by sum(m.cost_cents) desc, sum(m.input_tokens + m.output_tokens) desc, m.model`;

/** A run with its agent and what it used. */
export type RunUsageRow = {
  readonly id: RunId;
  readonly agentId: AgentId;
  readonly name: string;
  readonly agentStatus: AgentStatus;
  readonly monthlyCents: number | null;
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly costCents: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reports: number;
};

/** Lists the runs that started in a range, newest first; returns up to `limit + 1` rows. */
export const listUsageByRun = (
  tx: CompanyTx,
  { from, to }: DayRange,
  page: {
    readonly now: Date;
    /** Null: of all agents. */
    readonly agentId: AgentId | null;
    readonly after: readonly [startedAt: string, id: string] | null;
    readonly limit: number;
  },
): Promise<RunUsageRow[]> =>
  tx.query<RunUsageRow>(listUsageByRunSql, [
    tx.companyId,
    `${from}T00:00:00.000Z`,
    `${to}T00:00:00.000Z`,
    page.now,
    ...(page.after ?? [null, null]),
    page.limit + 1,
    page.agentId,
  ]);

// A run whose token has expired is shown as expired, before that is stored. 24 hours: a day of the session's time zone
// can have 23 or 25.
const listUsageByRunSql = `
  select r.id, r.agent_id as "agentId", a.name, a.status as "agentStatus",
    a.monthly_cents as "monthlyCents", r.started_at as "startedAt",
    case when r.status = 'running' and r.token_expires_at <= $4 then 'expired' else r.status end as status,
    case
      when r.status = 'running' and r.token_expires_at <= $4
        then greatest(r.reserved_cents, coalesce(r.reported_cents, 0))
      else coalesce(r.cost_cents, r.reported_cents, 0)
    end as "costCents",
    r.input_tokens as "inputTokens", r.output_tokens as "outputTokens", r.reports
  from agents.runs r
  join agents.agents a on a.company_id = $1 and a.id = r.agent_id
  where r.company_id = $1 and r.started_at >= $2::timestamptz
    and r.started_at < $3::timestamptz + interval '24 hours'
    and ($5::timestamptz is null or (r.started_at, r.id) < ($5, $6::uuid))
    and ($8::uuid is null or r.agent_id = $8)
  order by r.started_at desc, r.id desc
  limit $7`;
