import { runColumns, type RunRow } from './run-row.ts';
import type { ChangeTx } from './tx.ts';

export type NewRun = Omit<RunRow, 'companyId' | 'status' | 'finishedAt' | 'costCents'>;

/** Inserts a run that goes on. */
export const insertRun = async (tx: ChangeTx, run: NewRun): Promise<RunRow> => {
  const [row] = await tx.query<RunRow>(statement, [
    tx.companyId,
    run.id,
    run.agentId,
    run.trigger,
    run.ttlSeconds,
    run.startedAt,
    run.tokenExpiresAt,
    run.budgetMonth,
    run.reservedCents,
  ]);
  return row as RunRow;
};

const statement = `
  insert into agents.runs as r (
    company_id, id, agent_id, status, trigger, ttl_seconds, started_at, token_expires_at,
    budget_month, reserved_cents
  )
  values ($1, $2, $3, 'running', $4, $5, $6, $7, $8::date, $9)
  returning ${runColumns}`;
