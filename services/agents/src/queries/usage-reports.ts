import type { CompanyId, RunId } from '@commonplace/contracts/core';
import type { ReportOutcome } from '@commonplace/contracts/agents';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import type { ChangeTx } from './tx.ts';

/** A row of `agents.usage_reports`. */
export type ReportRow = {
  readonly runId: RunId;
  readonly mutationId: string;
  readonly at: Date;
  /** Null when it said nothing of a cost. */
  readonly costCents: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly model: string | null;
  readonly outcome: ReportOutcome;
  /** The limit that it exceeded, as its response names it; null if it exceeded none. */
  readonly exceeded: Record<string, unknown> | null;
  /** The sums of the run after it. */
  readonly totalCents: number | null;
  readonly totalInputTokens: number;
  readonly totalOutputTokens: number;
};

/** The columns of `ReportRow`; the table alias is `u`. */
const reportColumns = `
  u.run_id as "runId", u.mutation_id as "mutationId", u.at, u.cost_cents as "costCents",
  u.input_tokens as "inputTokens", u.output_tokens as "outputTokens", u.model, u.outcome, u.exceeded,
  u.total_cents as "totalCents", u.total_input_tokens as "totalInputTokens",
  u.total_output_tokens as "totalOutputTokens"`;

/**
 * Reads the reports with these pairs of a run and a mutation id. For transactions in index order: otherwise the plan of a
 * young table, which is kept, reads all reports of the company.
 */
export const findReports = (
  tx: CompanyTx,
  keys: readonly Pick<ReportRow, 'runId' | 'mutationId'>[],
): Promise<ReportRow[]> =>
  tx.query<ReportRow>(
    findReportsSql,
    [tx.companyId, keys.map(({ runId }) => runId), keys.map(({ mutationId }) => mutationId)],
    'agents.find-usage-reports',
  );

const findReportsSql = `
  select u.*
  from unnest($2::uuid[], $3::text[]) as wanted (run_id, mutation_id)
  cross join lateral (
    select ${reportColumns}
    from agents.usage_reports u
    where u.company_id = $1 and u.run_id = any (array[wanted.run_id])
      and u.mutation_id = any (array[wanted.mutation_id])
    order by u.run_id, u.mutation_id
  ) u`;

/** Inserts reports. Lock their runs first. */
export const insertReports = async (tx: ChangeTx, reports: readonly ReportRow[]): Promise<void> => {
  await tx.query(
    insertReportsSql,
    [tx.companyId, JSON.stringify(reports)],
    'agents.insert-usage-reports',
  );
};

/** With the row of the company, so that Citus inserts where it is. */
const insertReportsSql = `
  insert into agents.usage_reports (
    company_id, run_id, mutation_id, at, cost_cents, input_tokens, output_tokens, model, outcome,
    exceeded, total_cents, total_input_tokens, total_output_tokens
  )
  select c.company_id, u.*
  from agents.companies c
  cross join jsonb_to_recordset($2::jsonb) as u (
    "runId" uuid, "mutationId" text, at timestamptz, "costCents" bigint, "inputTokens" bigint,
    "outputTokens" bigint, model text, outcome text, exceeded jsonb, "totalCents" bigint,
    "totalInputTokens" bigint, "totalOutputTokens" bigint
  )
  where c.company_id = $1`;

/** Lists the reports of a run, newest first; returns up to `limit + 1` rows. */
export const listReports = (
  tx: CompanyTx,
  runId: RunId,
  page: { readonly after: readonly [at: string, id: string] | null; readonly limit: number },
): Promise<ReportRow[]> =>
  tx.query<ReportRow>(listReportsSql, [
    tx.companyId,
    runId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const listReportsSql = `
  select ${reportColumns}
  from agents.usage_reports u
  where u.company_id = $1 and u.run_id = $2
    and ($3::timestamptz is null or (u.at, u.mutation_id) < ($3, $4::text))
  order by u.at desc, u.mutation_id desc
  limit $5`;

/** Lists companies with reports from before a time. */
export const listCompaniesWithOldReports = async (
  tx: GlobalTx,
  before: Date,
  rowsMax: number,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ companyId: CompanyId }>(listCompaniesWithOldReportsSql, [
    before,
    rowsMax,
  ]);
  return rows.map((row) => row.companyId);
};

const listCompaniesWithOldReportsSql = `
  select company_id as "companyId" from agents.companies_with_old_usage_reports($1, $2)`;

/** Deletes up to `limit` reports from before a time; returns how many. */
export const deleteOldReports = async (
  tx: ChangeTx,
  before: Date,
  limit: number,
): Promise<number> => (await tx.query(deleteOldReportsSql, [tx.companyId, before, limit])).length;

const deleteOldReportsSql = `
  delete from agents.usage_reports u
  where u.company_id = $1 and (u.run_id, u.mutation_id) in (
    select old.run_id, old.mutation_id
    from agents.usage_reports old
    where old.company_id = $1 and old.at < $2
    order by old.at
    limit $3
    for update skip locked
  )
  returning u.mutation_id`;
