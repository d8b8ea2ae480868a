import type { ProposalDeciders } from '@commonplace/contracts/agents';
import { newId, type CompanyStatus } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { limitsAfter, type Limits } from '../policy/book-usage.ts';
import { budgetMonth } from '../policy/runs.ts';
import { assertCompanyActive } from '../policy/state.ts';
import { type CompanyRow, type CompanyWithLimits, updateCompanyRow } from '../queries/companies.ts';
import {
  insertCompanyMonths,
  lockCompanyMonthsOfRuns,
  recountCompanyMonths,
} from '../queries/company-months.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { insertRunCancellation } from '../queries/run-cancellations.ts';
import { type CallerAuditContext, recordActivity, type AuditEvent } from './audit.ts';
import { beginChange } from './begin-change.ts';
import { endConnections } from './revoke-connections.ts';
import { assertRunsCancelled } from './finish-cancellations.ts';
import { warnOfBudgets } from './warn-of-budgets.ts';

export type CompanyChange = {
  readonly name?: string | undefined;
  readonly status?: CompanyStatus | undefined;
  readonly currency?: string | undefined;
  readonly proposalsDecidedBy?: ProposalDeciders | undefined;
  readonly budget?: Parameters<typeof limitsAfter>[1];
};

/**
 * Renames, archives or activates a company, or sets its currency, budget or who decides proposals. Archiving queues
 * the cancellation of its runs, and ends its connections. Activating waits for that, so that no run resumes.
 */
export const updateCompany = async (
  scope: CompanyTx,
  change: CompanyChange,
  audit: CallerAuditContext,
): Promise<CompanyRow> => {
  const { tx, company: before } = await beginChange(scope, audit, 'no key update');
  const { name = before.name, status = before.status, currency = before.currency } = change;
  const { proposalsDecidedBy = before.proposalsDecidedBy } = change;
  const limits = limitsAfter(before, change.budget);
  const events = eventsOf(before, { name, status, currency, proposalsDecidedBy, ...limits });
  if (events.length === 0) {
    return before;
  }
  // An archived company accepts no change other than its activation.
  assertCompanyActive(status === 'active' ? 'active' : before.status);
  if (status === 'active' && before.status === 'archived') {
    await assertRunsCancelled(tx, null);
  }
  const after = await updateCompanyRow(tx, {
    name,
    status,
    currency,
    proposalsDecidedBy,
    ...limits,
    at: audit.at,
  });
  await recordActivity(tx, audit, events);
  if (events.some(({ action }) => action === 'company.budget_changed')) {
    await applyLimits(tx, audit, limits);
  }
  if (status === 'archived') {
    await insertRunCancellation(tx, {
      id: newId(),
      agentId: null,
      reason: 'company archived',
      ...audit,
    });
    await endConnections(tx, { because: 'company archived' }, audit);
  }
  return after;
};

/** Processes of the release before change only the sums of agents, so those of the company are added up again. */
const applyLimits = async (
  tx: ChangeTx,
  audit: CallerAuditContext,
  limits: Limits,
): Promise<void> => {
  const month = budgetMonth(audit.at);
  await insertCompanyMonths(tx, [month]);
  // What ends runs changes these sums without the lock of the company.
  await lockCompanyMonthsOfRuns(tx, [], month);
  await recountCompanyMonths(tx, month);
  await warnOfBudgets(tx, audit, { agent: null, company: limits, month });
};

type CompanyState = Pick<CompanyWithLimits, 'name' | 'status' | 'currency' | 'proposalsDecidedBy'> &
  Limits;

const eventsOf = (before: CompanyWithLimits, after: CompanyState): AuditEvent[] => {
  const events: AuditEvent[] = [];
  if (after.name !== before.name) {
    const detail = { from: before.name, to: after.name };
    events.push({ action: 'company.renamed', entity: ['company', before.id], detail });
  }
  if (after.currency !== before.currency) {
    const detail = { from: before.currency, to: after.currency };
    events.push({ action: 'company.currency_changed', entity: ['company', before.id], detail });
  }
  if (after.proposalsDecidedBy !== before.proposalsDecidedBy) {
    const detail = { from: before.proposalsDecidedBy, to: after.proposalsDecidedBy };
    const action = 'company.proposal_deciders_changed';
    events.push({ action, entity: ['company', before.id], detail });
  }
  const budget = Object.fromEntries(
    limitNames
      .filter((limit) => after[limit] !== before[limit])
      .map((limit) => [limit, { from: before[limit], to: after[limit] }]),
  );
  if (Object.keys(budget).length > 0) {
    events.push({
      action: 'company.budget_changed',
      entity: ['company', before.id],
      detail: budget,
    });
  }
  if (after.status !== before.status) {
    const action = after.status === 'archived' ? 'company.archived' : 'company.activated';
    events.push({ action, entity: ['company', before.id] });
  }
  return events;
};

const limitNames = ['monthlyCents', 'monthlyTokens'] as const;
