import type { CompanyTx } from '@commonplace/db';
import type { EndedRunRow } from './run-row.ts';

/** Releases the reservations of ended runs and books their costs, each in the month of its start. */
export const bookRuns = async (tx: CompanyTx, runs: readonly EndedRunRow[]): Promise<void> => {
  await tx.query(statement, [
    tx.companyId,
    runs.map((run) => run.agentId),
    runs.map((run) => run.budgetMonth),
    runs.map((run) => run.reservedCents),
    runs.map((run) => run.costCents),
  ]);
};

const statement = `
  update agents.budget_months b
  set reserved_cents = b.reserved_cents - ended.reserved_cents,
    spent_cents = b.spent_cents + ended.cost_cents
  from (
    select run.agent_id, run.month,
      sum(run.reserved_cents)::bigint as reserved_cents, sum(run.cost_cents)::bigint as cost_cents
    from unnest($2::uuid[], $3::date[], $4::bigint[], $5::bigint[])
      as run (agent_id, month, reserved_cents, cost_cents)
    group by run.agent_id, run.month
  ) ended
  where b.company_id = $1 and b.agent_id = ended.agent_id and b.month = ended.month`;
