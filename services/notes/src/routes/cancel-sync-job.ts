import { cancelSyncJobContract } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import { cancelJob } from '../commands/cancel-job.ts';
import type { Deps } from '../deps.ts';
import { assertJobAccess } from '../policy/assert-job-access.ts';
import { authorOf } from '../policy/author-of.ts';

/** Cancels what a synchronisation in the background has not applied yet. */
export const cancelSyncJobRoute = (deps: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(cancelSyncJobContract, async ({ params, caller, company }) => {
    await cancelJob(deps, {
      companyId: company.id,
      id: params.jobId,
      assertMay: (owner) => assertJobAccess(authorOf(caller), owner.author),
    });
    return reply(204);
  });
