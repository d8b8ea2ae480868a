import type { AgentId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';
import { budgetSumMax } from './sums.ts';
import type { EndedRunRow } from './runs.ts';
import type { CompanyTx } from '@commonplace/db';

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
  /** Null means unlimited. */
  readonly limitCents: number | null;
  readonly limitTokens: number | null;
};

/**
 * Reserves budget. Returns false when the reservation would exceed the limit (`budgetSumMax`
 * without one) or nothing remains. Check and update are one statement on one row, so concurrent
 * reservations see each other.
 */
export const reserveBudget = async (tx: ChangeTx, reservation: Reservation): Promise<boolean> => {
  const { agentId, month, cents, limitCents, limitTokens } = reservation;
  const values = [tx.companyId, agentId, month, cents, limitCents, budgetSumMax, limitTokens];
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
    and ($7::bigint is null or spent_tokens < $7)
  returning month`;

/** An ended run, and what its end adds to what is spent: reports were added when they were booked. */
export type ChargedRun = EndedRunRow & { readonly addedCents: number };

/**
 * Releases the reservations of ended runs and records their costs, each in the month in which the
 * run started. Sums are capped at `budgetSumMax`.
 */
export const recordRunCosts = async (tx: ChangeTx, runs: readonly ChargedRun[]): Promise<void> => {
  await tx.query(recordRunCostsSql, [
    tx.companyId,
    runs.map((run) => run.agentId),
    runs.map((run) => run.budgetMonth),
    runs.map((run) => run.reservedCents),
    runs.map((run) => run.addedCents),
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
    spent_cents = greatest(0, least(b.spent_cents + locked.cost_cents, $6::bigint))
  from locked
  where b.company_id = $1 and b.agent_id = locked.agent_id and b.month = locked.month`;

/** The sums of an agent in a month, and the limits whose warnings are in the audit log. */
export type BudgetMonthRow = {
  readonly agentId: AgentId;
  readonly month: string;
  readonly spentCents: number;
  readonly reservedCents: number;
  readonly spentTokens: number;
  readonly carriedCents: number;
  readonly carriedTokens: number;
  readonly warnedCents: number | null;
  readonly warnedTokens: number | null;
};

/** The columns of `BudgetMonthRow`, without the agent; the table alias is `b`. */
export const monthColumns = `
  b.month, b.spent_cents as "spentCents", b.reserved_cents as "reservedCents",
  b.spent_tokens as "spentTokens", b.carried_cents as "carriedCents",
  b.carried_tokens as "carriedTokens", b.warned_cents as "warnedCents",
  b.warned_tokens as "warnedTokens"`;

/** Reads and locks the sums of the agents of runs: of the months in which the runs started, and of another one. */
export const lockMonthsOfRuns = (
  tx: CompanyTx,
  runIds: readonly string[],
  month: string,
): Promise<BudgetMonthRow[]> =>
  tx.query<BudgetMonthRow>(
    lockMonthsOfRunsSql,
    [tx.companyId, runIds, month],
    'agents.lock-months-of-runs',
  );

const lockMonthsOfRunsSql = `
  select b.agent_id as "agentId", ${monthColumns}
  from agents.budget_months b
  where b.company_id = $1
    and b.agent_id in (
      select r.agent_id from agents.runs r where r.company_id = $1 and r.id = any ($2::uuid[])
    )
    and (
      b.month = $3::date
      or b.month in (
        select r.budget_month from agents.runs r where r.company_id = $1 and r.id = any ($2::uuid[])
      )
    )
  order by b.agent_id, b.month
  for no key update`;

/** What reports add to the sums of a month. */
export type MonthDelta = {
  readonly month: string;
  readonly spentCents: number;
  readonly spentTokens: number;
  readonly carriedCents: number;
  readonly carriedTokens: number;
};

/** Adds to the sums of agents. Lock them first, where they exist. Sums are capped at `budgetSumMax`. */
export const addToBudgetMonths = async (
  tx: ChangeTx,
  deltas: readonly (MonthDelta & { readonly agentId: AgentId })[],
): Promise<void> => {
  const values = [tx.companyId, JSON.stringify(deltas), budgetSumMax];
  await tx.query(addToBudgetMonthsSql, values, 'agents.add-to-budget-months');
};

const addToBudgetMonthsSql = `
  insert into agents.budget_months as b (
    company_id, agent_id, month, spent_cents, spent_tokens, carried_cents, carried_tokens
  )
  select c.company_id, d."agentId", d.month, least(sum(d."spentCents"), $3::bigint),
    least(sum(d."spentTokens"), $3::bigint), least(sum(d."carriedCents"), $3::bigint),
    least(sum(d."carriedTokens"), $3::bigint)
  from agents.companies c
  cross join jsonb_to_recordset($2::jsonb) as d (
    "agentId" uuid, month date, "spentCents" bigint, "spentTokens" bigint, "carriedCents" bigint,
    "carriedTokens" bigint
  )
  where c.company_id = $1
  group by c.company_id, d."agentId", d.month
  order by d."agentId", d.month
  on conflict (company_id, agent_id, month) do update
  set spent_cents = least(b.spent_cents + excluded.spent_cents, $3::bigint),
    spent_tokens = least(b.spent_tokens + excluded.spent_tokens, $3::bigint),
    carried_cents = least(b.carried_cents + excluded.carried_cents, $3::bigint),
    carried_tokens = least(b.carried_tokens + excluded.carried_tokens, $3::bigint)`;

/** Records the limits whose warnings are in the audit log. */
export const markAgentWarned = async (
  tx: ChangeTx,
  agentId: AgentId,
  warned: Pick<BudgetMonthRow, 'month' | 'warnedCents' | 'warnedTokens'>,
): Promise<void> => {
  const { month, warnedCents, warnedTokens } = warned;
  await tx.query(markAgentWarnedSql, [tx.companyId, agentId, month, warnedCents, warnedTokens]);
};

const markAgentWarnedSql = `
  update agents.budget_months
  set warned_cents = $4, warned_tokens = $5
  where company_id = $1 and agent_id = $2 and month = $3::date`;

/** Reads the sums of an agent in a month; null: none. */
export const findBudgetMonth = async (
  tx: CompanyTx,
  agentId: AgentId,
  month: string,
): Promise<BudgetMonthRow | null> => {
  const values = [tx.companyId, agentId, month];
  const [row] = await tx.query<BudgetMonthRow>(findBudgetMonthSql, values);
  return row ?? null;
};

const findBudgetMonthSql = `
  select b.agent_id as "agentId", ${monthColumns}
  from agents.budget_months b
  where b.company_id = $1 and b.agent_id = $2 and b.month = $3::date`;
