import { AppError, jobId } from '@commonplace/contracts/core';
import {
  cancelSyncJobContract,
  getSyncJobContract,
  listSyncJobsContract,
} from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { nameAuthors } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { largePageBytes } from '../limits/work-limits.ts';
import { assertJobAccess, assertReachesJob } from '../jobs/assert-job-access.ts';
import { authorOf } from '../rules/author-of.ts';
import { presentJob, presentJobSummary } from '../present/present-job.ts';
import { findJob, findJobSize, listJobs } from '../queries/jobs.ts';
import { cancelJob } from '../jobs/cancel-job.ts';
import { showJob } from '../jobs/show-job.ts';

type ReadDeps = Pick<Deps, 'db' | 'describeRecent' | 'log'>;

const jobsCursor = pageCursor('sync jobs', jobId);

/** Lists the background sync jobs of a company. */
export const listSyncJobsRoute = ({ db, describeRecent, log }: ReadDeps) =>
  defineRoute(listSyncJobsContract, async ({ query, company }) => {
    const before = jobsCursor.read(query);
    const rows = await read(db, company.id, (tx) =>
      listJobs(tx, { before, limit: query.limit + 1 }),
    );
    const { items, nextCursor } = jobsCursor.page(query, rows, (row) => row.id);
    const authors = items.map(({ caller }) => caller.author);
    const named = await nameAuthors({ describeAuthors: describeRecent, log }, company.id, authors);
    return reply(200, { items: items.map((row) => presentJobSummary(row, named)), nextCursor });
  });

/** Reads a background sync job. */
export const getSyncJobRoute = ({ db, describeRecent, log }: ReadDeps) =>
  defineRoute(getSyncJobContract, async ({ params, caller, company, work }) => {
    const found = await read(db, company.id, (tx) => findJobSize(tx, params.jobId));
    if (!found) {
      throw noSuchJob();
    }
    assertJobAccess(authorOf(caller), found.caller.author);
    const readJob = () => read(db, company.id, (tx) => findJob(tx, params.jobId));
    const job = await work.read(found.resultBytes, readJob, largePageBytes);
    if (!job) {
      throw noSuchJob();
    }
    const naming = { describeAuthors: describeRecent, log };
    const [shown, named] = await Promise.all([
      showJob(db, company, job),
      nameAuthors(naming, company.id, [job.caller.author]),
    ]);
    return reply(
      200,
      presentJob(shown, named),
      job.finishedAt === null ? { 'Retry-After': '1' } : {},
    );
  });

const noSuchJob = (): AppError => new AppError('not_found', 'No such job.');

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
