import { newId, type CompanyId, type UndoId } from '@commonplace/contracts';
import { read } from '@commonplace/db';
import type { Deps } from '../src/deps.ts';
import { claimJob } from '../src/queries/job-queue.ts';
import type { RunningUndo } from '../src/undo/run-undo.ts';

type Claimed = { readonly companyId: CompanyId; readonly id: UndoId };

/** Claims an undo that waits, as a worker does. No other job may wait. */
export const claimUndo = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { companyId, id }: Claimed,
): Promise<RunningUndo> => {
  const from = clock();
  const lease = { token: newId(), from, until: new Date(from.getTime() + 60_000) };
  const job = await read(db, 'global', (tx) => claimJob(tx, lease));
  if (String(job?.id) !== String(id)) {
    throw new Error('Another job waits');
  }
  return { companyId, id, leaseToken: lease.token, mayGoOn: async () => true };
};
