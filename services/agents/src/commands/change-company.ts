import { newId, type CompanyStatus } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertCompanyActive } from '../policy/assert-company-active.ts';
import type { CompanyRow } from '../queries/company-row.ts';
import { insertRunCancellation } from '../queries/insert-run-cancellation.ts';
import { updateCompany } from '../queries/update-company.ts';
import type { CallerDoing } from './actor-of.ts';
import { beginChange } from './begin-change.ts';
import { assertRunsCancelled } from './finish-cancellations.ts';
import { recordActivity, type Deed } from './record-activity.ts';

export type CompanyChange = {
  readonly name?: string | undefined;
  readonly status?: CompanyStatus | undefined;
};

/** Renames, archives or wakes up a company. Archiving queues its runs to be cancelled;
 * waking it up waits for that, so that it revives none. */
export const changeCompany = async (
  scope: CompanyTx,
  change: CompanyChange,
  doing: CallerDoing,
): Promise<CompanyRow> => {
  const { tx, company: before } = await beginChange(scope, doing, 'no key update');
  const { name = before.name, status = before.status } = change;
  const deeds = deedsOf(before, { name, status });
  if (deeds.length === 0) {
    return before;
  }
  // Of an archived company nothing but the way back may be written.
  assertCompanyActive(status === 'active' ? 'active' : before.status);
  if (status === 'active' && before.status === 'archived') {
    await assertRunsCancelled(tx, null);
  }
  const after = await updateCompany(tx, { name, status, at: doing.at });
  await recordActivity(tx, doing, deeds);
  if (status === 'archived') {
    await insertRunCancellation(tx, {
      id: newId(),
      agentId: null,
      because: 'company archived',
      ...doing,
    });
  }
  return after;
};

const deedsOf = (before: CompanyRow, after: Required<CompanyChange>): Deed[] => {
  const deeds: Deed[] = [];
  if (after.name !== before.name) {
    const detail = { from: before.name, to: after.name };
    deeds.push({ action: 'company.renamed', entity: ['company', before.id], detail });
  }
  if (after.status !== before.status) {
    const action = after.status === 'archived' ? 'company.archived' : 'company.activated';
    deeds.push({ action, entity: ['company', before.id] });
  }
  return deeds;
};
