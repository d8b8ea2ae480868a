import type {
  AgentId,
  CompanyId,
  HeldGrants,
  HeldScopes,
  KeyId,
  OperatorId,
  RunId,
  AgentStatus,
} from '@commonplace/contracts/core';
import type { RunStatus, RunTrigger } from '@commonplace/contracts/agents';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import { jsonOfGrants } from './grants.ts';
import type { ChangeTx } from './tx.ts';

/** A row of `agents.runs`. */
export type RunRow = {
  readonly id: RunId;
  readonly agentId: AgentId;
  readonly companyId: CompanyId;
  readonly status: RunStatus;
  readonly trigger: RunTrigger;
  readonly ttlSeconds: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly tokenExpiresAt: Date;
  /** The month whose budget pays for the run: `2026-11-01`. */
  readonly budgetMonth: string;
  readonly reservedCents: number;
  readonly costCents: number | null;
  /** The sum of the costs it reported; null: it reported none. */
  readonly reportedCents: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Why the run ended so. */
  readonly endReason: string | null;
  /** Null means all. */
  readonly scopes: HeldScopes;
  /** The notes it reaches, within those of its agent; null: all. */
  readonly grants: HeldGrants;
  /** The key or the operator that is responsible for the run; both null for runs of earlier releases. */
  readonly sourceKeyId: KeyId | null;
  readonly sourceOperatorId: OperatorId | null;
  /** The access epoch of that operator; null, of earlier releases: the first one. */
  readonly sourceEpoch: number | null;
};

/** Who is responsible for a run: whose end ends it. */
export type RunSource = Pick<RunRow, 'sourceKeyId' | 'sourceOperatorId' | 'sourceEpoch'>;

/** A run that has ended and has a cost. */
export type EndedRunRow = RunRow & { readonly finishedAt: Date; readonly costCents: number };

/** The columns of `RunRow`; the table alias is `r`. Citus returns no values of casts that depend on settings. */
export const runColumns = `
  r.id, r.agent_id as "agentId", r.company_id as "companyId", r.status, r.trigger,
  r.ttl_seconds as "ttlSeconds", r.started_at as "startedAt", r.finished_at as "finishedAt",
  r.token_expires_at as "tokenExpiresAt", r.budget_month as "budgetMonth",
  r.reserved_cents as "reservedCents", r.cost_cents as "costCents",
  r.reported_cents as "reportedCents", r.input_tokens as "inputTokens", r.output_tokens as "outputTokens",
  r.end_reason as "endReason", r.scopes, r.grants, r.source_key_id as "sourceKeyId",
  r.source_operator_id as "sourceOperatorId", r.source_epoch as "sourceEpoch"`;

/** The cost of a run that ends without stating one: what it reserved, or reported if that is more. */
export const costWithoutOutcome = 'greatest(r.reserved_cents, coalesce(r.reported_cents, 0))';

/** Reads a run. */
export const findRun = async (tx: CompanyTx, runId: RunId): Promise<RunRow | null> => {
  const [row] = await tx.query<RunRow>(findRunSql, [tx.companyId, runId]);
  return row ?? null;
};

const findRunSql = `select ${runColumns} from agents.runs r where r.company_id = $1 and r.id = $2`;

export type VerifiedRun = {
  readonly runId: RunId;
  readonly companyId: CompanyId;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentStatus: AgentStatus;
  readonly tokenExpiresAt: Date;
  readonly scopes: HeldScopes;
  /** Those of the run and of its agent; null: all notes. */
  readonly grants: HeldGrants;
  readonly agentGrants: HeldGrants;
  readonly sourceOperatorId: OperatorId | null;
  readonly sourceEpoch: number;
};

/**
 * Finds a running run. One lookup checks everything in this schema that invalidates its token: its end, its
 * expiry, a paused or terminated agent, an archived company, a revoked key, and an operator who may no longer
 * start runs. `localOperatorId` is an operator who needs no membership.
 */
export const findRunningRun = async (
  tx: GlobalTx,
  runId: RunId,
  { now, localOperatorId }: { readonly now: Date; readonly localOperatorId: OperatorId | null },
): Promise<VerifiedRun | null> => {
  const values = [runId, now, localOperatorId];
  const [row] = await tx.query<VerifiedRun>(findRunningRunSql, values, 'agents.find-granted-run');
  return row ?? null;
};

const findRunningRunSql = `
  select run_id as "runId", company_id as "companyId", agent_id as "agentId",
    agent_name as "agentName", agent_status as "agentStatus", token_expires_at as "tokenExpiresAt",
    scopes, grants, agent_grants as "agentGrants", source_operator_id as "sourceOperatorId",
    source_epoch as "sourceEpoch"
  from agents.verify_granted_run($1, $2, $3)`;

/** Reads and locks a run, so that it ends only once. */
export const lockRun = async (tx: CompanyTx, runId: RunId): Promise<RunRow | null> => {
  const [row] = await tx.query<RunRow>(lockRunSql, [tx.companyId, runId]);
  return row ?? null;
};

const lockRunSql = `
  select ${runColumns} from agents.runs r
  where r.company_id = $1 and r.id = $2
  for no key update`;

export type NewRun = Omit<
  RunRow,
  | 'companyId'
  | 'status'
  | 'finishedAt'
  | 'costCents'
  | 'reportedCents'
  | 'inputTokens'
  | 'outputTokens'
  | 'endReason'
>;

/** Inserts a running run. */
export const insertRun = async (tx: ChangeTx, run: NewRun): Promise<RunRow> => {
  const [row] = await tx.query<RunRow>(insertRunSql, [
    tx.companyId,
    run.id,
    run.agentId,
    run.trigger,
    run.ttlSeconds,
    run.startedAt,
    run.tokenExpiresAt,
    run.budgetMonth,
    run.reservedCents,
    run.scopes,
    run.sourceKeyId,
    run.sourceOperatorId,
    run.sourceEpoch,
    jsonOfGrants(run.grants),
  ]);
  return row as RunRow;
};

const insertRunSql = `
  insert into agents.runs as r (
    company_id, id, agent_id, status, trigger, ttl_seconds, started_at, token_expires_at,
    budget_month, reserved_cents, scopes, source_key_id, source_operator_id,
    source_epoch, grants
  )
  values ($1, $2, $3, 'running', $4, $5, $6, $7, $8::date, $9, $10, $11, $12, $13, $14)
  returning ${runColumns}`;

export type RunRenewal = RunSource & {
  readonly now: Date;
  readonly tokenExpiresAt: Date;
  readonly scopes: HeldScopes;
};

/**
 * Extends a running run, never shortens it, and sets its scopes and its source. Returns false if the run has
 * ended.
 */
export const renewRunRow = async (
  tx: ChangeTx,
  runId: RunId,
  renewal: RunRenewal,
): Promise<boolean> => {
  const { now, tokenExpiresAt, scopes, sourceKeyId, sourceOperatorId, sourceEpoch } = renewal;
  const values = [runId, now, tokenExpiresAt, scopes, sourceKeyId, sourceOperatorId, sourceEpoch];
  return (await tx.query(renewRunRowSql, [tx.companyId, ...values])).length === 1;
};

const renewRunRowSql = `
  update agents.runs
  set token_expires_at = greatest(token_expires_at, $4), scopes = $5, source_key_id = $6,
    source_operator_id = $7, source_epoch = $8
  where company_id = $1 and id = $2 and status = 'running' and token_expires_at > $3
  returning id`;

export type RunEnd = {
  readonly status: Exclude<RunStatus, 'running' | 'expired'>;
  readonly at: Date;
  readonly costCents: number;
  readonly reason: string | null;
};

/** Ends a run. Lock it first, and add it to the sums in the same transaction. */
export const endRun = async (tx: ChangeTx, runId: RunId, end: RunEnd): Promise<EndedRunRow> => {
  const values = [tx.companyId, runId, end.status, end.at, end.costCents, end.reason];
  const [row] = await tx.query<EndedRunRow>(endRunSql, values);
  return row as EndedRunRow;
};

const endRunSql = `
  update agents.runs r
  set status = $3, finished_at = $4, cost_cents = $5, end_reason = $6, is_counted = true
  where r.company_id = $1 and r.id = $2
  returning ${runColumns}`;

/**
 * Ends the runs whose token expired without a renewal, as of the expiry; their cost is what they
 * reserved, or reported if that is more. Skips runs that another process is ending.
 */
export const expireOverdueRuns = (tx: ChangeTx, now: Date, limit: number): Promise<EndedRunRow[]> =>
  tx.query<EndedRunRow>(expireOverdueRunsSql, [tx.companyId, now, limit]);

const expireOverdueRunsSql = `
  update agents.runs r
  set status = 'expired', finished_at = r.token_expires_at, cost_cents = ${costWithoutOutcome},
    is_counted = true
  where r.company_id = $1 and r.id in (
    select overdue.id
    from agents.runs overdue
    where overdue.company_id = $1 and overdue.status = 'running' and overdue.token_expires_at <= $2
    order by overdue.token_expires_at
    limit $3
    for update skip locked
  )
  returning ${runColumns}`;

/** Reads and locks runs in the order of their ids; those of other companies are missing. */
export const lockRuns = (tx: CompanyTx, runIds: readonly RunId[]): Promise<RunRow[]> =>
  tx.query<RunRow>(lockRunsSql, [tx.companyId, runIds], 'agents.lock-runs');

const lockRunsSql = `
  select ${runColumns} from agents.runs r
  where r.company_id = $1 and r.id = any ($2::uuid[])
  order by r.id
  for no key update`;

export type RunTotals = Pick<RunRow, 'id' | 'reportedCents' | 'inputTokens' | 'outputTokens'> & {
  /** The number of reports that were booked since the totals before. */
  readonly reports: number;
};

/** Writes what runs have reported so far. Lock them first. */
export const updateRunTotals = async (tx: ChangeTx, runs: readonly RunTotals[]): Promise<void> => {
  await tx.query(updateRunTotalsSql, [tx.companyId, JSON.stringify(runs)], 'agents.run-totals');
};

const updateRunTotalsSql = `
  update agents.runs r
  set reported_cents = total."reportedCents", input_tokens = total."inputTokens",
    output_tokens = total."outputTokens", reports = r.reports + total.reports
  from jsonb_to_recordset($2::jsonb) as total (
    id uuid, "reportedCents" bigint, "inputTokens" bigint, "outputTokens" bigint, reports integer
  )
  where r.company_id = $1 and r.id = total.id`;

export type EndedRun = {
  readonly runId: RunId;
  readonly companyId: CompanyId;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentStatus: AgentStatus;
  readonly tokenExpiresAt: Date;
  readonly scopes: HeldScopes;
  readonly endedAt: Date;
};

/** Finds a run of an active company that has ended since a time. */
export const findEndedRun = async (
  tx: GlobalTx,
  runId: RunId,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<EndedRun | null> => {
  const [row] = await tx.query<EndedRun>(findEndedRunSql, [runId, since, now]);
  return row ?? null;
};

const findEndedRunSql = `
  select run_id as "runId", company_id as "companyId", agent_id as "agentId",
    agent_name as "agentName", agent_status as "agentStatus", token_expires_at as "tokenExpiresAt",
    scopes, ended_at as "endedAt"
  from agents.find_ended_run($1, $2, $3)`;

/** Lists companies with running runs whose token has expired. */
export const listCompaniesWithOverdueRuns = async (
  tx: GlobalTx,
  now: Date,
  runsMax: number,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ companyId: CompanyId }>(listCompaniesWithOverdueRunsSql, [
    now,
    runsMax,
  ]);
  return rows.map((row) => row.companyId);
};

const listCompaniesWithOverdueRunsSql = `
  select company_id as "companyId" from agents.companies_with_lapsed_runs($1, $2)`;
