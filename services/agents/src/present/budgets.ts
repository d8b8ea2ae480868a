import {
  remainingCents,
  remainingTokens,
  type AgentBudget,
  type ExceededLimit,
} from '@commonplace/contracts/agents';
import { AppError } from '@commonplace/contracts/core';

/** The limits of an agent or a company, and its spending in a month (`2026-11-01`). */
type BudgetRow = {
  readonly month: string;
  readonly monthlyCents: number | null;
  readonly monthlyTokens: number | null;
  readonly spentCents: number;
  readonly reservedCents: number;
  readonly spentTokens: number;
};

/** The budget of an agent or a company as the API returns it. */
export const presentBudget = (row: BudgetRow): AgentBudget => {
  const { monthlyCents, spentCents, reservedCents, monthlyTokens, spentTokens } = row;
  const start = new Date(`${row.month}T00:00:00.000Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return {
    monthlyCents,
    spentCents,
    reservedCents,
    remainingCents: remainingCents(row),
    monthlyTokens,
    spentTokens,
    remainingTokens: remainingTokens(row),
    periodStart: start.toISOString(),
    periodEnd: end.toISOString(),
  };
};

/** A limit that a report exceeded, with the currency that the company had. */
export type StoredLimit = ExceededLimit & { readonly currency: string };

/** The 409 of a report beyond a limit. It is the same whenever the report is repeated. */
export const presentExceeded = (
  { currency, ...limit }: StoredLimit,
  outcome: 'exceeded' | 'refused',
): AppError => {
  const { of, unit, month, limit: monthly, used } = limit;
  const units = unit === 'cents' ? `cents (${currency})` : unit;
  const isBooked =
    outcome === 'exceeded'
      ? 'this report was booked'
      : 'this report was not booked, because the limit was exceeded before';
  const detail = `The ${of} may use ${monthly} ${units} in ${month}, and has used or reserved ${used}. The run has ended; ${isBooked}.`;
  return new AppError('budget_exhausted', detail, {
    extensions: { booked: outcome === 'exceeded', limit },
  });
};
