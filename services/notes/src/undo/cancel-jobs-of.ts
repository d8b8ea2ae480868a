import { AppError, type CompanyId } from '@commonplace/contracts/core';
import type { UndoSource } from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { cancelJob } from '../jobs/cancel-job.ts';
import type { JobCaller } from '../queries/job-caller.ts';
import { listUnfinishedJobs } from '../queries/jobs.ts';

/**
 * Cancels the background synchronisations of a source; waits for what they are writing. One that began after the end of the
 * source is no part of it, and goes on.
 */
export const cancelJobsOf = async (
  deps: Pick<Deps, 'db' | 'clock'>,
  companyId: CompanyId,
  source: UndoSource,
): Promise<void> => {
  const jobs = await read(deps.db, companyId, listUnfinishedJobs);
  const end = source.until === undefined ? Infinity : Date.parse(source.until);
  const own = jobs.filter(
    ({ caller, createdAt }) => isOfSource(caller, source) && createdAt.getTime() < end,
  );
  for (const { id } of own) {
    await cancelJob(deps, { companyId, id, assertAccess: () => undefined }).catch(unlessFinished);
  }
};

const isOfSource = (
  { author }: JobCaller,
  { runId, keyId, connectionId, agentId }: UndoSource,
): boolean =>
  author.kind === 'agent' &&
  ((runId !== undefined && author.runId === runId) ||
    (keyId !== undefined && author.keyId === keyId) ||
    (connectionId !== undefined && author.connectionId === connectionId) ||
    (agentId !== undefined && author.id === agentId));

const unlessFinished = (error: unknown): void => {
  if (!(error instanceof AppError && ['job_finished', 'not_found'].includes(error.code))) {
    throw error;
  }
};
