import type { Schema } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import { sleep } from '../retry.ts';
import { listReadyToPush } from './replica.ts';
import type { SyncContext, SyncOptions } from './sync-context.ts';
import { applyResults, markUnseen, type SyncEvent } from './apply-response.ts';
import { backgroundLimits, foregroundLimits, nextBatch, type Batch } from './next-batch.ts';
import { isTooSlow } from './upload-pace.ts';

/** The interval between two polls of a job; the server's `Retry-After` is similar. */
const pollMs = 500;

type BackgroundOptions = SyncOptions & {
  /** Receives the outcomes of every job, because a later one may fail. */
  readonly onEvents: (events: readonly SyncEvent[]) => void;
};

/**
 * Sends pending changes as background jobs while they exceed one request. The server stores a job before
 * it responds, and changes stay outstanding here until their results are known. So either side may be
 * killed: mutation ids identify what was applied.
 */
export const pushInBackground = async (
  context: SyncContext,
  options: BackgroundOptions,
): Promise<void> => {
  const { replica } = context;
  while (replica.progress().job || listReadyToPush(replica).length > foregroundLimits.changes) {
    const jobId = replica.progress().job?.jobId ?? (await tryToStartJob(context, options));
    if (jobId === null) {
      return;
    }
    const results = await waitForResults(context, jobId, options);
    const applied = applyResults(replica, results ?? []);
    if (replica.progress().isPullingAfresh) {
      // The pull brings what the job wrote, unless somebody has deleted it since: it leaves deletions out.
      markUnseen(
        replica,
        applied.map(({ id }) => replica.find(id)),
      );
    }
    replica.setProgress({ job: null });
    await replica.commit();
    options.onEvents(applied);
    if (applied.length === 0) {
      // Ordinary requests send what the job left undone.
      return;
    }
  }
};

/**
 * Null means that ordinary requests send everything: the connection is too slow for a job, or the server is of an earlier
 * release, which takes no jobs from credentials with grants.
 */
const tryToStartJob = async (
  context: SyncContext,
  { signal, onEvents }: BackgroundOptions,
): Promise<string | null> => {
  const { batch, refused } = nextBatch(context.replica, backgroundLimits);
  await context.replica.commit();
  onEvents(refused);
  if (batch.length === 0) {
    return null;
  }
  try {
    return await startJob(context, batch, signal);
  } catch (error) {
    if (signal?.aborted !== true && isTooSlow(error)) {
      context.pace.slowDown(error, batch);
      return null;
    }
    if (error instanceof ProblemError && error.code === 'folder_not_granted') {
      return null;
    }
    throw error;
  }
};

const startJob = async (
  { api, replica, proposals }: SyncContext,
  batch: Batch,
  signal: AbortSignal | undefined,
): Promise<string> => {
  const { clientId } = replica.progress();
  const { data } = await api.post('/api/sync', {
    body: {
      clientId,
      mode: 'background',
      changes: [...batch],
      ...(proposals ? { proposals } : {}),
    },
    ...(signal ? { signal } : {}),
  });
  const { jobId } = data as Schema<'SyncJobReceipt'>;
  replica.setProgress({ job: { jobId } });
  await replica.commit();
  return jobId;
};

/** Waits for a job's results; null when the job is gone or ended without any. */
const waitForResults = async (
  { api }: SyncContext,
  jobId: string,
  { signal = new AbortController().signal }: SyncOptions,
): Promise<Schema<'SyncResult'>['results'] | null> => {
  for (;;) {
    const job = await findJob(api, jobId, signal);
    if (!job || job.status === 'failed' || job.status === 'cancelled') {
      return null;
    }
    if (job.status === 'succeeded') {
      return job.result?.results ?? null;
    }
    await sleep(pollMs, signal);
  }
};

const findJob = async (
  api: SyncContext['api'],
  jobId: string,
  signal: AbortSignal,
): Promise<Schema<'SyncJob'> | null> => {
  try {
    return (await api.get('/api/sync/{jobId}', { params: { path: { jobId } }, signal })).data;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) {
      return null;
    }
    throw error;
  }
};
