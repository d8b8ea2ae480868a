import type { AgentId } from '@commonplace/contracts/core';
import { dueWarnings, type Limits, type MonthSums, type Warned } from '../policy/book-usage.ts';
import { findBudgetMonth, markAgentWarned } from '../queries/budgets.ts';
import { findCompanyMonth, markCompanyWarned } from '../queries/company-months.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { recordActivity, type AuditContext } from './audit.ts';

type Budgets = {
  /** Null: only the budget of the company. */
  readonly agent: (Limits & { readonly id: AgentId }) | null;
  readonly company: Limits | null;
  /** `2026-11-01`. */
  readonly month: string;
};

const isLimited = (limits: Limits | null): limits is Limits =>
  limits !== null && (limits.monthlyCents !== null || limits.monthlyTokens !== null);

/** Writes the warnings that are due into the audit log. Call it after a change of sums or limits, under their locks. */
export const warnOfBudgets = async (
  tx: ChangeTx,
  audit: AuditContext,
  { agent, company, month }: Budgets,
): Promise<void> => {
  if (isLimited(agent)) {
    const sums = await findBudgetMonth(tx, agent.id, month);
    await (sums && warnOfAgent(tx, audit, { agent, sums }));
  }
  if (isLimited(company)) {
    const sums = await findCompanyMonth(tx, month);
    await (sums && warnOfCompany(tx, audit, { company, sums }));
  }
};

type MonthRow = MonthSums & Warned & { readonly month: string };

/** The same for an agent whose sums are known. */
export const warnOfAgent = async (
  tx: ChangeTx,
  audit: AuditContext,
  { agent, sums }: { readonly agent: Limits & { readonly id: AgentId }; readonly sums: MonthRow },
): Promise<void> => {
  const warnings = dueWarnings(agent, sums, sums);
  if (warnings.length === 0) {
    return;
  }
  await markAgentWarned(tx, agent.id, { ...afterWarning(sums, warnings), month: sums.month });
  await recordActivity(
    tx,
    audit,
    warnings.map((warning) => ({
      action: 'budget.warned',
      entity: ['agent', agent.id],
      detail: { ...warning, month: sums.month.slice(0, 7) },
    })),
  );
};

/** The same for the company. */
export const warnOfCompany = async (
  tx: ChangeTx,
  audit: AuditContext,
  { company, sums }: { readonly company: Limits; readonly sums: MonthRow },
): Promise<void> => {
  const warnings = dueWarnings(company, sums, sums);
  if (warnings.length === 0) {
    return;
  }
  await markCompanyWarned(tx, { ...afterWarning(sums, warnings), month: sums.month });
  await recordActivity(
    tx,
    audit,
    warnings.map((warning) => ({
      action: 'budget.warned',
      entity: ['company', tx.companyId],
      detail: { ...warning, month: sums.month.slice(0, 7) },
    })),
  );
};

const afterWarning = (
  { warnedCents, warnedTokens }: Warned,
  warnings: ReturnType<typeof dueWarnings>,
): Warned => {
  const limitOf = (unit: 'cents' | 'tokens') => warnings.find((each) => each.unit === unit)?.limit;
  return {
    warnedCents: limitOf('cents') ?? warnedCents,
    warnedTokens: limitOf('tokens') ?? warnedTokens,
  };
};
