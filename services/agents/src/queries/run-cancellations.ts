import type { AgentId, CompanyId } from '@commonplace/contracts/core';
import type { ActivityActor } from '@commonplace/contracts/agents';
import type { ChangeTx } from './tx.ts';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import { costWithoutOutcome, runColumns, type EndedRunRow } from './runs.ts';

export type RunCancellation = {
  readonly id: string;
  /** Null means every agent of the company. */
  readonly agentId: AgentId | null;
  readonly reason: string;
  readonly actor: ActivityActor;
  readonly at: Date;
};

/** Queues the cancellation of running runs, in the transaction that changes the status. */
export const insertRunCancellation = async (
  tx: ChangeTx,
  { id, agentId, reason, actor, at }: RunCancellation,
): Promise<void> => {
  await tx.query(insertRunCancellationSql, [tx.companyId, id, agentId, reason, actor, at]);
};

const insertRunCancellationSql = `
  insert into agents.run_cancellations (company_id, id, agent_id, because, actor, at)
  values ($1, $2, $3, $4, $5::jsonb, $6)`;

/** Whether a cancellation for an agent, or (null) for the whole company, is pending. */
export const hasRunCancellation = async (
  tx: CompanyTx,
  agentId: AgentId | null,
): Promise<boolean> => (await tx.query(hasRunCancellationSql, [tx.companyId, agentId])).length > 0;

const hasRunCancellationSql = `
  select 1
  from agents.run_cancellations
  where company_id = $1 and agent_id is not distinct from $2::uuid
  limit 1`;

/** Lists companies with pending cancellations, starting with the oldest cancellations. */
export const listCompaniesWithRunCancellations = async (
  tx: GlobalTx,
  rowsMax: number,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ companyId: CompanyId }>(listCompaniesWithRunCancellationsSql, [
    rowsMax,
  ]);
  return rows.map((row) => row.companyId);
};

const listCompaniesWithRunCancellationsSql = `
  select company_id as "companyId" from agents.companies_with_run_cancellations($1)`;

/** Locks the oldest pending cancellation of the company that no other process holds; null: none. */
export const lockRunCancellation = async (tx: CompanyTx): Promise<RunCancellation | null> => {
  const [row] = await tx.query<RunCancellation>(lockRunCancellationSql, [tx.companyId]);
  return row ?? null;
};

const lockRunCancellationSql = `
  select id, agent_id as "agentId", because as "reason", actor, at
  from agents.run_cancellations
  where company_id = $1
  order by at, id
  limit 1
  for update skip locked`;

/**
 * Cancels up to `limit` runs that were running at a time; their cost is what they reserved, or reported if that is more. Skips
 * runs that another transaction is ending.
 */
export const cancelRunningRuns = (
  tx: ChangeTx,
  { agentId, at, reason }: RunCancellation,
  limit: number,
): Promise<EndedRunRow[]> =>
  tx.query<EndedRunRow>(cancelRunningRunsSql, [tx.companyId, agentId, at, limit, reason]);

const cancelRunningRunsSql = `
  update agents.runs r
  set status = 'cancelled', finished_at = $3, cost_cents = ${costWithoutOutcome}, end_reason = $5,
    is_counted = true
  where r.company_id = $1 and r.id in (
    select running.id
    from agents.runs running
    where running.company_id = $1 and ($2::uuid is null or running.agent_id = $2)
      and running.status = 'running' and running.token_expires_at > $3
    limit $4
    for update skip locked
  )
  returning ${runColumns}`;

/**
 * Deletes a cancellation unless a run remains for it: a run that another transaction has locked may
 * still turn out to be running. Returns whether it was deleted.
 */
export const deleteRunCancellation = async (
  tx: ChangeTx,
  { id }: RunCancellation,
): Promise<boolean> => (await tx.query(deleteRunCancellationSql, [tx.companyId, id])).length === 1;

const deleteRunCancellationSql = `
  delete from agents.run_cancellations c
  where c.company_id = $1 and c.id = $2
    and not exists (
      select from agents.runs r
      where r.company_id = $1 and (c.agent_id is null or r.agent_id = c.agent_id)
        and r.status = 'running' and r.token_expires_at > c.at
    )
  returning c.id`;
