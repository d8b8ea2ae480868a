import type { ActivityAction } from '@commonplace/contracts/agents';
import { bookRuns } from '../queries/book-runs.ts';
import type { EndedRunRow } from '../queries/run-row.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { recordActivity, type Doing } from './record-activity.ts';

/** What every end of a run brings with it: its cost is booked, and the audit told. */
export const settleRuns = async (
  tx: ChangeTx,
  {
    runs,
    action,
    because,
  }: {
    readonly runs: readonly EndedRunRow[];
    readonly action: ActivityAction;
    readonly because?: string;
  },
  doing: Doing,
): Promise<void> => {
  if (runs.length === 0) {
    return;
  }
  await bookRuns(tx, runs);
  await recordActivity(
    tx,
    doing,
    runs.map((run) => ({
      action,
      entity: ['run', run.id],
      detail: {
        agentId: run.agentId,
        status: run.status,
        costCents: run.costCents,
        ...(because === undefined ? {} : { because }),
      },
    })),
  );
};
