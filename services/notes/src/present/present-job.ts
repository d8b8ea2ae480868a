import type { Author, NamedAuthor, SyncJob, SyncJobSummary } from '@commonplace/contracts/notes';
import type { JobRow, JobSummaryRow } from '../queries/jobs.ts';

type NameAuthor = (author: Author) => NamedAuthor;

/** A job without its result, in the format of the contract. */
export const presentJobSummary = (row: JobSummaryRow, named: NameAuthor): SyncJobSummary => ({
  jobId: row.id,
  status: row.status,
  progress: { done: row.done, total: row.total },
  error: row.error === null ? null : { code: row.error.code, detail: row.error.detail },
  createdBy: named(row.caller.author),
  clientId: row.caller.clientId ?? null,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});

/** A job in the format of the contract. */
export const presentJob = (row: JobRow, named: NameAuthor): SyncJob => ({
  ...presentJobSummary(row, named),
  result: row.result,
});
