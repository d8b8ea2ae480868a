import { AppError } from '@commonplace/contracts/core';
import { getSyncJobContract } from '@commonplace/contracts/notes';
import { readInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { assertJobAccess } from '../policy/assert-job-access.ts';
import { authorOf } from '../policy/author-of.ts';
import { presentJob } from '../present/present-job.ts';
import { findJob } from '../queries/find-job.ts';

/** Reads a synchronisation in the background. */
export const getSyncJobRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getSyncJobContract, async ({ params, caller, company }) => {
    const job = await readInCompany(db, company.id, (tx) => findJob(tx, params.jobId));
    if (!job) {
      throw new AppError('not_found', 'No such job.');
    }
    assertJobAccess(authorOf(caller), job.caller.author);
    return reply(200, presentJob(job), job.finishedAt === null ? { 'Retry-After': '1' } : {});
  });
