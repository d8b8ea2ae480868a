import { budgetSumMax } from './budget-sum-max.ts';
import type { EndedRunRow } from './run-row.ts';
import type { ChangeTx } from './tx.ts';

/**
 * Releases the reservations of ended runs and books their costs, each in the month of its start.
 * A sum that would pass `budgetSumMax` stays there.
 */
export const bookRuns = async (tx: ChangeTx, runs: readonly EndedRunRow[]): Promise<void> => {
  await tx.query(statement, [
    tx.companyId,
    runs.map((run) => run.agentId),
    runs.map((run) => run.budgetMonth),
    runs.map((run) => run.reservedCents),
    runs.map((run) => run.costCents),
    budgetSumMax,
  ]);
};

// The sums are numeric and cannot overflow. Rows are locked in the order of their key: two bookings at once of
// several agents each cannot deadlock.
const statement = `
  with ended as (
    select run.agent_id, run.month,
      sum(run.reserved_cents) as reserved_cents, sum(run.cost_cents) as cost_cents
    from unnest($2::uuid[], $3::date[], $4::bigint[], $5::bigint[])
      as run (agent_id, month, reserved_cents, cost_cents)
    group by run.agent_id, run.month
  ), locked as (
    select m.agent_id, m.month, ended.reserved_cents, ended.cost_cents
    from agents.budget_months m
    join ended on ended.agent_id = m.agent_id and ended.month = m.month
    where m.company_id = $1
    order by m.agent_id, m.month
    for no key update of m
  )
  update agents.budget_months b
  set reserved_cents = b.reserved_cents - locked.reserved_cents,
    spent_cents = least(b.spent_cents + locked.cost_cents, $6::bigint)
  from locked
  where b.company_id = $1 and b.agent_id = locked.agent_id and b.month = locked.month`;
