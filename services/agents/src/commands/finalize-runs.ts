import type { ActivityAction } from '@commonplace/contracts/agents';
import { unreservedCents } from '../policy/runs.ts';
import { recordRunCosts } from '../queries/budgets.ts';
import { insertCompanyMonths, recordCompanyCosts } from '../queries/company-months.ts';
import { recordUsage } from '../queries/usage.ts';
import type { EndedRunRow } from '../queries/runs.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { recordActivity, type AuditContext } from './audit.ts';

/** Records the costs of ended runs, adds them to the sums of their days, and writes the audit log. */
export const finalizeRuns = async (
  tx: ChangeTx,
  {
    runs,
    action,
    reason,
  }: {
    readonly runs: readonly EndedRunRow[];
    readonly action: ActivityAction;
    readonly reason?: string;
  },
  audit: AuditContext,
): Promise<void> => {
  if (runs.length === 0) {
    return;
  }
  const charged = runs.map((run) => ({ ...run, addedCents: run.costCents - unreservedCents(run) }));
  await insertCompanyMonths(
    tx,
    runs.map((run) => run.budgetMonth),
  );
  await Promise.all([recordRunCosts(tx, charged), recordCompanyCosts(tx, charged)]);
  await recordUsage(tx, runs);
  await recordActivity(
    tx,
    audit,
    runs.map((run) => ({
      action,
      entity: ['run', run.id],
      detail: {
        agentId: run.agentId,
        status: run.status,
        costCents: run.costCents,
        ...(reason === undefined ? {} : { because: reason }),
      },
    })),
  );
};
