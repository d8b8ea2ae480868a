import type { JobId } from '@commonplace/contracts/core';
import type { SyncJobStatus } from '@commonplace/contracts/notes';
import type { CompanyTx } from '@commonplace/db';
import type { JobCaller } from './job-row.ts';

export type LockedJob = {
  readonly status: SyncJobStatus;
  readonly done: number;
  readonly caller: JobCaller;
};

/**
 * Holds a job until COMMIT. A worker holds it while it applies a chunk, so that whoever cancels it
 * waits for that chunk and knows that no other follows.
 */
export const lockJob = async (tx: CompanyTx, id: JobId): Promise<LockedJob | null> => {
  const [row] = await tx.query<LockedJob>(
    `select j.status, j.done, j.caller from notes.jobs j
     where j.company_id = $1 and j.id = $2 for no key update`,
    [tx.companyId, id],
  );
  return row ?? null;
};
