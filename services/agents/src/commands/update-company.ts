import { newId, type CompanyStatus } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertCompanyActive } from '../policy/state.ts';
import { type CompanyRow, updateCompanyRow } from '../queries/companies.ts';
import { insertRunCancellation } from '../queries/run-cancellations.ts';
import { type CallerAuditContext, recordActivity, type AuditEvent } from './audit.ts';
import { beginChange } from './begin-change.ts';
import { endConnections } from './revoke-connections.ts';
import { assertRunsCancelled } from './finish-cancellations.ts';

export type CompanyChange = {
  readonly name?: string | undefined;
  readonly status?: CompanyStatus | undefined;
  readonly currency?: string | undefined;
};

/**
 * Renames, archives or activates a company, or sets its currency. Archiving queues the cancellation of its runs, and ends its
 * connections.
 * Activating waits for that, so that no run resumes.
 */
export const updateCompany = async (
  scope: CompanyTx,
  change: CompanyChange,
  audit: CallerAuditContext,
): Promise<CompanyRow> => {
  const { tx, company: before } = await beginChange(scope, audit, 'no key update');
  const { name = before.name, status = before.status, currency = before.currency } = change;
  const events = eventsOf(before, { name, status, currency });
  if (events.length === 0) {
    return before;
  }
  // An archived company accepts no change other than its activation.
  assertCompanyActive(status === 'active' ? 'active' : before.status);
  if (status === 'active' && before.status === 'archived') {
    await assertRunsCancelled(tx, null);
  }
  const after = await updateCompanyRow(tx, { name, status, currency, at: audit.at });
  await recordActivity(tx, audit, events);
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

const eventsOf = (before: CompanyRow, after: Required<CompanyChange>): AuditEvent[] => {
  const events: AuditEvent[] = [];
  if (after.name !== before.name) {
    const detail = { from: before.name, to: after.name };
    events.push({ action: 'company.renamed', entity: ['company', before.id], detail });
  }
  if (after.currency !== before.currency) {
    const detail = { from: before.currency, to: after.currency };
    events.push({ action: 'company.currency_changed', entity: ['company', before.id], detail });
  }
  if (after.status !== before.status) {
    const action = after.status === 'archived' ? 'company.archived' : 'company.activated';
    events.push({ action, entity: ['company', before.id] });
  }
  return events;
};
