import { AppError } from '@commonplace/contracts/core';
import { getSyncJobContract, cancelSyncJobContract } from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { assertJobAccess, assertReachesJob } from '../jobs/assert-job-access.ts';
import { authorOf } from '../rules/author-of.ts';
import { presentJob } from '../present/present-job.ts';
import { findJob } from '../queries/jobs.ts';
import { cancelJob } from '../jobs/cancel-job.ts';
import { showJob } from '../jobs/show-job.ts';

/** Reads a background sync job. */
export const getSyncJobRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getSyncJobContract, async ({ params, caller, company }) => {
    const job = await read(db, company.id, (tx) => findJob(tx, params.jobId));
    if (!job) {
      throw new AppError('not_found', 'No such job.');
    }
    assertJobAccess(authorOf(caller), job.caller.author);
    const shown = await showJob(db, company, job);
    return reply(200, presentJob(shown), job.finishedAt === null ? { 'Retry-After': '1' } : {});
  });

/** Cancels what a background sync job has not applied yet. */
export const cancelSyncJobRoute = (deps: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(cancelSyncJobContract, async ({ params, caller, company }) => {
    await cancelJob(deps, {
      companyId: company.id,
      id: params.jobId,
      assertAccess: (owner) => {
        assertJobAccess(authorOf(caller), owner.author);
        assertReachesJob(company.grants, owner.grants ?? null);
      },
    });
    return reply(204);
  });
