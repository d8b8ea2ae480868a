import { z } from 'zod';
import { timestamp } from '../common.ts';
import { errorCodes, type ErrorCode } from '../error-codes.ts';
import { jobId } from '../ids.ts';
import { syncResult } from './sync-result.ts';

export const syncJobStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']);
export type SyncJobStatus = z.infer<typeof syncJobStatus>;

/** The receipt of a background synchronisation. */
export const syncJobReceipt = z
  .object({ jobId, status: z.literal('queued') })
  .meta({ id: 'SyncJobReceipt', description: 'The request is stored and will be processed' });

/** A background synchronisation. */
export const syncJob = z
  .object({
    jobId,
    status: syncJobStatus,
    progress: z.object({ done: z.int(), total: z.int() }).meta({ description: 'In changes' }),
    result: syncResult.nullable(),
    error: z
      .object({
        code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
        detail: z.string(),
      })
      .nullable(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'SyncJob', description: 'A background synchronisation; kept for 7 days' });
export type SyncJob = z.infer<typeof syncJob>;

export const syncJobParams = z.object({ jobId });
