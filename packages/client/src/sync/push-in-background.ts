import type { Schema } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import { sleep } from '../sleep.ts';
import { listToSend } from './replica.ts';
import type { SyncContext, SyncOptions } from './sync-context.ts';
import { takeResults, type SyncEvent } from './take-answer.ts';
import { backgroundLimits, foregroundLimits, takeBatch } from './take-batch.ts';

/** Between two looks at a job; the server's `Retry-After` says about the same. */
const pollMs = 500;

type BackgroundOptions = SyncOptions & { readonly onAnswer: () => void };

/**
 * Hands pending changes to the server as background jobs as long as they fill more than one request.
 * The server stores a job before it answers, and everything stays outstanding here until its outcome
 * is known, so either side may be killed: what was applied is then found again by its names.
 */
export const pushInBackground = async (
  context: SyncContext,
  options: BackgroundOptions,
): Promise<SyncEvent[]> => {
  const { replica } = context;
  const events: SyncEvent[] = [];
  while (replica.progress().job || listToSend(replica).length > foregroundLimits.changes) {
    const jobId = replica.progress().job?.jobId ?? (await begin(context, options.signal));
    const results = await outcomeOf(context, jobId, options);
    const told = takeResults(replica, results ?? []);
    events.push(...told);
    replica.setProgress({ job: null });
    await replica.commit();
    options.onAnswer();
    if (told.length === 0) {
      // What the job left undone goes on in ordinary requests.
      return events;
    }
  }
  return events;
};

const begin = async (
  { api, replica }: SyncContext,
  signal: AbortSignal | undefined,
): Promise<string> => {
  const batch = takeBatch(replica, backgroundLimits);
  await replica.commit();
  const { clientId } = replica.progress();
  const { data } = await api.post('/api/sync', {
    body: { clientId, mode: 'background', changes: [...batch] },
    ...(signal ? { signal } : {}),
  });
  const { jobId } = data as Schema<'SyncJobReceipt'>;
  replica.setProgress({ job: { jobId } });
  await replica.commit();
  return jobId;
};

/** Waits for a job; null when it is gone or ended without an outcome. */
const outcomeOf = async (
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
