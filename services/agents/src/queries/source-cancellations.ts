import type { CompanyId, KeyId, OperatorId } from '@commonplace/contracts/core';
import type { ActivityActor } from '@commonplace/contracts/agents';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import type { ChangeTx } from './tx.ts';
import { costWithoutOutcome, runColumns, type EndedRunRow } from './runs.ts';

/** The runs of a key or of an operator are to be cancelled; exactly one of the two is set. */
export type SourceCancellation = {
  readonly id: string;
  readonly keyId: KeyId | null;
  readonly operatorId: OperatorId | null;
  /** Only the runs of earlier access epochs of the operator; null: all. */
  readonly beforeEpoch: number | null;
  readonly reason: string;
  readonly actor: ActivityActor;
  readonly at: Date;
};

/** Queues the cancellation of the runs of a source, in the transaction that ends the source. */
export const insertSourceCancellation = async (
  tx: ChangeTx,
  { id, keyId, operatorId, beforeEpoch, reason, actor, at }: SourceCancellation,
): Promise<void> => {
  const values = [id, keyId, operatorId, reason, actor, at, beforeEpoch];
  await tx.query(insertSourceCancellationSql, [tx.companyId, ...values]);
};

const insertSourceCancellationSql = `
  insert into agents.source_cancellations (
    company_id, id, key_id, operator_id, because, actor, at, before_epoch
  )
  values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8)`;

/**
 * The latest start of a running run of a source; null: none runs. It can be later than the clock of the caller, if that
 * was read before it waited for a lock, or another process's clock is ahead.
 */
export const findLastStart = async (
  tx: CompanyTx,
  { keyId, operatorId }: Pick<SourceCancellation, 'keyId' | 'operatorId'>,
): Promise<Date | null> => {
  const values = [tx.companyId, keyId, operatorId];
  const [row] = await tx.query<{ startedAt: Date | null }>(findLastStartSql, values);
  return row?.startedAt ?? null;
};

const findLastStartSql = `
  select max(started_at) as "startedAt"
  from agents.runs
  where company_id = $1 and status = 'running'
    and (source_key_id = $2::uuid or source_operator_id = $3::uuid)`;

/** Whether the runs of an operator are being cancelled. */
export const hasOperatorCancellation = async (
  tx: CompanyTx,
  { operatorId }: Pick<SourceCancellation, 'operatorId'>,
): Promise<boolean> =>
  (await tx.query(hasOperatorCancellationSql, [tx.companyId, operatorId])).length > 0;

const hasOperatorCancellationSql = `
  select 1 from agents.source_cancellations where company_id = $1 and operator_id = $2 limit 1`;

/** Lists companies with pending cancellations, starting with the oldest cancellations. */
export const listCompaniesWithSourceCancellations = async (
  tx: GlobalTx,
  rowsMax: number,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ companyId: CompanyId }>(listCompaniesWithSourceCancellationsSql, [
    rowsMax,
  ]);
  return rows.map((row) => row.companyId);
};

const listCompaniesWithSourceCancellationsSql = `
  select company_id as "companyId" from agents.companies_with_source_cancellations($1)`;

/** Locks the oldest pending cancellation of the company that no other process holds; null: none. */
export const lockSourceCancellation = async (tx: CompanyTx): Promise<SourceCancellation | null> => {
  const [row] = await tx.query<SourceCancellation>(lockSourceCancellationSql, [tx.companyId]);
  return row ?? null;
};

const lockSourceCancellationSql = `
  select id, key_id as "keyId", operator_id as "operatorId", before_epoch as "beforeEpoch", because as "reason", actor, at
  from agents.source_cancellations
  where company_id = $1
  order by at, id
  limit 1
  for update skip locked`;

/** True for the runs of a cancellation: `$2` and `$3` are its key and operator, `$4` its time, `$5` its epoch. */
const isOfSource = `
  running.company_id = $1 and running.status = 'running' and running.started_at <= $4
  and running.token_expires_at > $4
  and (running.source_key_id = $2::uuid or running.source_operator_id = $3::uuid)
  and ($5::integer is null or coalesce(running.source_epoch, 0) < $5)`;

/**
 * Cancels up to `limit` runs of a source that were running when it ended; their cost is what they reserved, or
 * reported if that is more. Skips runs that another transaction is ending.
 */
export const cancelRunsOfSource = (
  tx: ChangeTx,
  { keyId, operatorId, beforeEpoch, at, reason }: SourceCancellation,
  limit: number,
): Promise<EndedRunRow[]> =>
  tx.query<EndedRunRow>(cancelRunsOfSourceSql, [
    tx.companyId,
    keyId,
    operatorId,
    at,
    beforeEpoch,
    limit,
    reason,
  ]);

const cancelRunsOfSourceSql = `
  update agents.runs r
  set status = 'cancelled', finished_at = $4, cost_cents = ${costWithoutOutcome}, end_reason = $7,
    is_counted = true
  where r.company_id = $1 and r.id in (
    select running.id from agents.runs running
    where ${isOfSource}
    limit $6
    for update skip locked
  )
  returning ${runColumns}`;

/** Deletes a cancellation unless a run remains for it. Returns whether it was deleted. */
export const deleteSourceCancellation = async (
  tx: ChangeTx,
  { id, keyId, operatorId, beforeEpoch, at }: SourceCancellation,
): Promise<boolean> => {
  const values = [tx.companyId, keyId, operatorId, at, beforeEpoch, id];
  return (await tx.query(deleteSourceCancellationSql, values)).length > 0;
};

const deleteSourceCancellationSql = `
  delete from agents.source_cancellations c
  where c.company_id = $1 and c.id = $6
    and not exists (select from agents.runs running where ${isOfSource})
  returning c.id`;

/** Lists operators who are responsible for running runs of any company, by id, from the one after `after`. */
export const listOperatorsWithRunningRuns = async (
  tx: GlobalTx,
  after: string,
  limit: number,
): Promise<OperatorId[]> => {
  const rows = await tx.query<{ operatorId: OperatorId }>(listOperatorsWithRunningRunsSql, [
    after,
    limit,
  ]);
  return rows.map((row) => row.operatorId);
};

const listOperatorsWithRunningRunsSql = `
  select operator_id as "operatorId" from agents.operators_with_running_runs($1, $2)`;

/** Lists companies with running runs of an operator, those of earlier access epochs only if an epoch is given. */
export const listCompaniesWithRunsOfOperator = async (
  tx: GlobalTx,
  { operatorId, beforeEpoch }: Pick<SourceCancellation, 'operatorId' | 'beforeEpoch'>,
  limit: number,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ companyId: CompanyId }>(listCompaniesWithRunsOfOperatorSql, [
    operatorId,
    beforeEpoch,
    limit,
  ]);
  return rows.map((row) => row.companyId);
};

const listCompaniesWithRunsOfOperatorSql = `
  select company_id as "companyId" from agents.companies_with_runs_before_epoch($1, $2, $3)`;
