import type { SyncJob } from '@commonplace/contracts/notes';
import type { JobRow } from '../queries/jobs.ts';

/** A job in the format of the contract. */
export const presentJob = (row: JobRow): SyncJob => ({
  jobId: row.id,
  status: row.status,
  progress: { done: row.done, total: row.total },
  result: row.result,
  error: row.error === null ? null : { code: row.error.code, detail: row.error.detail },
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});
