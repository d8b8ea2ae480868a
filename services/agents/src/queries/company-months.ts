import type { CompanyTx } from '@commonplace/db';
import { monthColumns, type BudgetMonthRow, type ChargedRun, type MonthDelta } from './budgets.ts';
import { budgetSumMax } from './sums.ts';
import type { ChangeTx } from './tx.ts';

/** The sums of the company in a month. */
export type CompanyMonthRow = Omit<BudgetMonthRow, 'agentId'>;

/**
 * Creates the sums of the company for months, from those of its agents, where they do not exist. Run it before the
 * transaction changes the sums of an agent, so that no change is counted twice.
 */
export const insertCompanyMonths = async (
  tx: ChangeTx,
  months: readonly string[],
): Promise<void> => {
  const values = [tx.companyId, [...new Set(months)].toSorted(), budgetSumMax];
  await tx.query(insertCompanyMonthsSql, values, 'agents.insert-company-months');
};

const insertCompanyMonthsSql = `
  insert into agents.company_months (
    company_id, month, spent_cents, reserved_cents, spent_tokens
  )
  select c.company_id, wanted.month, least(coalesce(sum(b.spent_cents), 0), $3::bigint),
    least(coalesce(sum(b.reserved_cents), 0), $3::bigint),
    least(coalesce(sum(b.spent_tokens), 0), $3::bigint)
  from agents.companies c
  cross join unnest($2::date[]) as wanted (month)
  left join agents.budget_months b on b.company_id = $1 and b.month = wanted.month
  where c.company_id = $1
    and not exists (
      select from agents.company_months m where m.company_id = $1 and m.month = wanted.month
    )
  group by c.company_id, wanted.month
  order by wanted.month
  on conflict (company_id, month) do nothing`;

/**
 * Sets the sums of the company to those of its agents. Lock the company (`no key update`) and its month first, in statements
 * of their own: a statement that waits for the month itself has read the sums of the agents before it waited.
 */
export const recountCompanyMonths = async (tx: ChangeTx, month: string): Promise<void> => {
  await tx.query(recountCompanyMonthsSql, [tx.companyId, month, budgetSumMax]);
};

const recountCompanyMonthsSql = `
  update agents.company_months m
  set spent_cents = least(s.spent_cents, $3::bigint), reserved_cents = least(s.reserved_cents, $3::bigint),
    spent_tokens = least(s.spent_tokens, $3::bigint)
  from (
    select coalesce(sum(b.spent_cents), 0) as spent_cents,
      coalesce(sum(b.reserved_cents), 0) as reserved_cents,
      coalesce(sum(b.spent_tokens), 0) as spent_tokens
    from agents.budget_months b
    where b.company_id = $1 and b.month = $2::date
  ) s
  where m.company_id = $1 and m.month = $2::date`;

/** Reads and locks the sums of the company for the months in which runs started, and for another one. */
export const lockCompanyMonthsOfRuns = (
  tx: CompanyTx,
  runIds: readonly string[],
  month: string,
): Promise<CompanyMonthRow[]> =>
  tx.query<CompanyMonthRow>(
    lockCompanyMonthsOfRunsSql,
    [tx.companyId, runIds, month],
    'agents.lock-company-months-of-runs',
  );

const lockCompanyMonthsOfRunsSql = `
  select ${monthColumns}
  from agents.company_months b
  where b.company_id = $1
    and (
      b.month = $3::date
      or b.month in (
        select r.budget_month from agents.runs r where r.company_id = $1 and r.id = any ($2::uuid[])
      )
    )
  order by b.month
  for no key update`;

/** Reads the sums of the company in a month; null: none. */
export const findCompanyMonth = async (
  tx: CompanyTx,
  month: string,
): Promise<CompanyMonthRow | null> => {
  const [row] = await tx.query<CompanyMonthRow>(findCompanyMonthSql, [tx.companyId, month]);
  return row ?? null;
};

const findCompanyMonthSql = `
  select ${monthColumns}
  from agents.company_months b
  where b.company_id = $1 and b.month = $2::date`;

/**
 * Reserves budget of the company. Returns false when the reservation would exceed a limit or nothing remains. Insert
 * the month first.
 */
export const reserveCompanyBudget = async (
  tx: ChangeTx,
  reservation: {
    readonly month: string;
    readonly cents: number;
    /** Null means unlimited. */
    readonly limitCents: number | null;
    readonly limitTokens: number | null;
  },
): Promise<boolean> => {
  const { month, cents, limitCents, limitTokens } = reservation;
  const values = [tx.companyId, month, cents, limitCents, limitTokens, budgetSumMax];
  return (await tx.query(reserveCompanyBudgetSql, values)).length === 1;
};

const reserveCompanyBudgetSql = `
  update agents.company_months
  set reserved_cents = least(reserved_cents + $3, $6::bigint)
  where company_id = $1 and month = $2::date
    and (
      $4::bigint is null
      or (spent_cents + reserved_cents + $3 <= $4 and spent_cents + reserved_cents < $4)
    )
    and ($5::bigint is null or spent_tokens < $5)
  returning month`;

/** Releases the reservations of ended runs and records their costs in the sums of the company. */
export const recordCompanyCosts = async (
  tx: ChangeTx,
  runs: readonly ChargedRun[],
): Promise<void> => {
  await tx.query(recordCompanyCostsSql, [
    tx.companyId,
    runs.map((run) => run.budgetMonth),
    runs.map((run) => run.reservedCents),
    runs.map((run) => run.addedCents),
    budgetSumMax,
  ]);
};

// Locked in the order of the months, so that concurrent statements cannot deadlock.
const recordCompanyCostsSql = `
  with ended as (
    select run.month, sum(run.reserved_cents) as reserved_cents, sum(run.cost_cents) as cost_cents
    from unnest($2::date[], $3::bigint[], $4::bigint[]) as run (month, reserved_cents, cost_cents)
    group by run.month
  ), locked as (
    select m.month, ended.reserved_cents, ended.cost_cents
    from agents.company_months m
    join ended on ended.month = m.month
    where m.company_id = $1
    order by m.month
    for no key update of m
  )
  update agents.company_months b
  set reserved_cents = greatest(0, b.reserved_cents - locked.reserved_cents),
    spent_cents = greatest(0, least(b.spent_cents + locked.cost_cents, $5::bigint))
  from locked
  where b.company_id = $1 and b.month = locked.month`;

/** Adds to the sums of the company. Lock them first. Sums are capped at `budgetSumMax`. */
export const addToCompanyMonths = async (
  tx: ChangeTx,
  deltas: readonly MonthDelta[],
): Promise<void> => {
  const values = [tx.companyId, JSON.stringify(deltas), budgetSumMax];
  await tx.query(addToCompanyMonthsSql, values, 'agents.add-to-company-months');
};

const addToCompanyMonthsSql = `
  update agents.company_months m
  set spent_cents = least(m.spent_cents + d."spentCents", $3::bigint),
    spent_tokens = least(m.spent_tokens + d."spentTokens", $3::bigint),
    carried_cents = least(m.carried_cents + d."carriedCents", $3::bigint),
    carried_tokens = least(m.carried_tokens + d."carriedTokens", $3::bigint)
  from (
    select each.month, sum(each."spentCents") as "spentCents", sum(each."spentTokens") as "spentTokens",
      sum(each."carriedCents") as "carriedCents", sum(each."carriedTokens") as "carriedTokens"
    from jsonb_to_recordset($2::jsonb) as each (
      month date, "spentCents" bigint, "spentTokens" bigint, "carriedCents" bigint,
      "carriedTokens" bigint
    )
    group by each.month
  ) d
  where m.company_id = $1 and m.month = d.month`;

/** Records the limits whose warnings are in the audit log. */
export const markCompanyWarned = async (
  tx: ChangeTx,
  warned: Pick<CompanyMonthRow, 'month' | 'warnedCents' | 'warnedTokens'>,
): Promise<void> => {
  const { month, warnedCents, warnedTokens } = warned;
  await tx.query(markCompanyWarnedSql, [tx.companyId, month, warnedCents, warnedTokens]);
};

const markCompanyWarnedSql = `
  update agents.company_months
  set warned_cents = $3, warned_tokens = $4
  where company_id = $1 and month = $2::date`;
