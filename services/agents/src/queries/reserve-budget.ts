import type { AgentId } from '@commonplace/contracts/core';
import { budgetSumMax } from './budget-sum-max.ts';
import type { ChangeTx } from './tx.ts';

export type Reservation = {
  readonly agentId: AgentId;
  readonly month: string;
  readonly cents: number;
  /** Null: no limit. */
  readonly limitCents: number | null;
};

/**
 * Reserves budget, or says false when it would pass the limit (without one, what a sum can hold) or
 * nothing remains. Check and booking
 * are one statement on one row: however many come at once, each sees what the one before it booked.
 */
export const reserveBudget = async (tx: ChangeTx, reservation: Reservation): Promise<boolean> => {
  const { agentId, month, cents, limitCents } = reservation;
  const values = [tx.companyId, agentId, month, cents, limitCents, budgetSumMax];
  const rows = await tx.query(statement, values);
  return rows.length === 1;
};

const statement = `
  update agents.budget_months
  set reserved_cents = reserved_cents + $4
  where company_id = $1 and agent_id = $2 and month = $3::date
    and reserved_cents + $4 <= $6
    and (
      $5::bigint is null
      or (spent_cents + reserved_cents + $4 <= $5 and spent_cents + reserved_cents < $5)
    )
  returning month`;
