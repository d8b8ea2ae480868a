import type { CompanyId, ErrorCode, JobId } from '@commonplace/contracts/core';
import type {
  Author,
  SyncChangeResult,
  SyncJobStatus,
  SyncRequest,
  SyncResult,
} from '@commonplace/contracts/notes';

/** Who asked for a job: what is needed to ask again whether it may still write. */
export type JobCaller = { readonly author: Author; readonly isLocal: boolean };

/** What is kept of the request of a job. */
export type JobRequest = Pick<
  SyncRequest,
  'clientId' | 'cursor' | 'limit' | 'onConflict' | 'changes'
>;

/** What became of the changes done so far. */
export type JobProgress = {
  readonly results: readonly SyncChangeResult[];
  /** Change numbers that the results make known, so that the pull need not repeat them. */
  readonly known: readonly number[];
  /** Bytes of the notes that the results show, about. */
  readonly bytesShown: number;
};

export type JobError = { readonly code: ErrorCode; readonly detail: string };

/** A job as it is shown. */
export type JobRow = {
  readonly id: JobId;
  readonly status: SyncJobStatus;
  readonly caller: JobCaller;
  readonly done: number;
  readonly total: number;
  readonly result: SyncResult | null;
  readonly error: JobError | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** A job with what its worker needs. */
export type JobTaskRow = Pick<JobRow, 'id' | 'status' | 'caller' | 'done' | 'total'> & {
  readonly request: JobRequest;
  readonly progress: JobProgress | null;
};

/** A job of the queue, held by this worker until its lease runs out. */
export type LeasedJob = {
  readonly id: JobId;
  readonly companyId: CompanyId;
  readonly leaseToken: string;
  /** How often it was begun since it last got on, this time included. */
  readonly attempts: number;
};
