import type { AgentId } from '@commonplace/contracts/core';
import { dueWarnings, type Limits, type MonthSums, type Warned } from '../policy/book-usage.ts';
import { findBudgetMonth, markAgentWarned } from '../queries/budgets.ts';
import { findCompanyMonth, markCompanyWarned } from '../queries/company-months.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { recordActivity, type AuditContext, type AuditEvent } from './audit.ts';

type Budgets = {
  /** Null means only the budget of the company. */
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
export const warnOfAgent = (
  tx: ChangeTx,
  audit: AuditContext,
  { agent, sums }: { readonly agent: Limits & { readonly id: AgentId }; readonly sums: MonthRow },
): Promise<void> =>
  warn(tx, audit, {
    limits: agent,
    sums,
    entity: ['agent', agent.id],
    mark: (warned) => markAgentWarned(tx, agent.id, warned),
  });

/** The same for the company. */
export const warnOfCompany = (
  tx: ChangeTx,
  audit: AuditContext,
  { company, sums }: { readonly company: Limits; readonly sums: MonthRow },
): Promise<void> =>
  warn(tx, audit, {
    limits: company,
    sums,
    entity: ['company', tx.companyId],
    mark: (warned) => markCompanyWarned(tx, warned),
  });

type Warning = {
  readonly limits: Limits;
  readonly sums: MonthRow;
  readonly entity: AuditEvent['entity'];
  readonly mark: (warned: Warned & { readonly month: string }) => Promise<void>;
};

const warn = async (
  tx: ChangeTx,
  audit: AuditContext,
  { limits, sums, entity, mark }: Warning,
): Promise<void> => {
  const warnings = dueWarnings(limits, sums, sums);
  if (warnings.length === 0) {
    return;
  }
  await mark({ ...afterWarning(sums, warnings), month: sums.month });
  await recordActivity(
    tx,
    audit,
    warnings.map((warning) => ({
      action: 'budget.warned',
      entity,
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
