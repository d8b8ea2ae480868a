import type { AgentId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';
import type { EndedRunRow } from './runs.ts';

/**
 * The largest sum a budget row holds. Spent and reserved together stay below 2^53, so they are
 * exact in JSON and JavaScript. A larger sum is stored as this maximum.
 */
export const budgetSumMax = 2 ** 52;

/** Creates the budget row of an agent and month, if it does not exist. */
export const insertBudgetMonth = async (
  tx: ChangeTx,
  agentId: AgentId,
  month: string,
): Promise<void> => {
  await tx.query(insertBudgetMonthSql, [tx.companyId, agentId, month]);
};

const insertBudgetMonthSql = `
  insert into agents.budget_months (company_id, agent_id, month)
  values ($1, $2, $3::date)
  on conflict do nothing`;

export type Reservation = {
  readonly agentId: AgentId;
  readonly month: string;
  readonly cents: number;
  /** Null: unlimited. */
  readonly limitCents: number | null;
};

/**
 * Reserves budget. Returns false when the reservation would exceed the limit (`budgetSumMax`
 * without one) or nothing remains. Check and update are one statement on one row, so concurrent
 * reservations see each other.
 */
export const reserveBudget = async (tx: ChangeTx, reservation: Reservation): Promise<boolean> => {
  const { agentId, month, cents, limitCents } = reservation;
  const values = [tx.companyId, agentId, month, cents, limitCents, budgetSumMax];
  const rows = await tx.query(reserveBudgetSql, values);
  return rows.length === 1;
};

const reserveBudgetSql = `
  update agents.budget_months
  set reserved_cents = reserved_cents + $4
  where company_id = $1 and agent_id = $2 and month = $3::date
    and reserved_cents + $4 <= $6
    and (
      $5::bigint is null
      or (spent_cents + reserved_cents + $4 <= $5 and spent_cents + reserved_cents < $5)
    )
  returning month`;

/**
 * Releases the reservations of ended runs and records their costs, each in the month in which the
 * run started. Sums are capped at `budgetSumMax`.
 */
export const recordRunCosts = async (tx: ChangeTx, runs: readonly EndedRunRow[]): Promise<void> => {
  await tx.query(recordRunCostsSql, [
    tx.companyId,
    runs.map((run) => run.agentId),
    runs.map((run) => run.budgetMonth),
    runs.map((run) => run.reservedCents),
    runs.map((run) => run.costCents),
    budgetSumMax,
  ]);
};

// The sums are numeric and cannot overflow. Rows are locked in key order, so concurrent statements
// over several agents cannot deadlock.
const recordRunCostsSql = `
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
