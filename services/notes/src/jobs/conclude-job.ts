import { withCompany } from '@commonplace/db';
import { addHiddenDeletions } from '../commands/add-hidden-deletions.ts';
import { pullChanges } from '../commands/pull-changes.ts';
import type { Deps } from '../deps.ts';
import { writeCursor } from '../policy/sync-cursor.ts';
import { presentSyncResult } from '../present/present-sync-result.ts';
import { finishJob, type JobEnd } from '../queries/finish-job.ts';
import { lockJob } from '../queries/lock-job.ts';
import type { Work, WorkState } from './apply-chunk.ts';

/** Pulls what changed since the cursor of the request, and ends the job with the whole result. */
export const concludeJob = async (
  deps: Pick<Deps, 'db' | 'clock'>,
  work: Work,
  { progress }: WorkState,
): Promise<void> => {
  const { companyId, cursor, request } = work;
  const { results, known } = progress;
  const { limit } = request;
  const pulled = await pullChanges(deps.db, { companyId, cursor, limit, known });
  const answering = { companyId, cursor, results, known, page: pulled };
  const { notes, ...page } = await addHiddenDeletions(deps.db, answering);
  const at = deps.clock();
  const end = { ...page, results, cursor: writeCursor(page.cursor), at };
  const result = presentSyncResult(notes, end);
  await endJob(deps, work, { status: 'succeeded', result, error: null, at });
};

/** Ends a job, unless it has ended already. */
export const endJob = (
  { db }: Pick<Deps, 'db'>,
  { companyId, id }: Pick<Work, 'companyId' | 'id'>,
  end: JobEnd,
): Promise<void> =>
  withCompany(db, companyId, async (tx) => {
    const job = await lockJob(tx, id);
    if (job?.status === 'queued' || job?.status === 'running') {
      await finishJob(tx, id, end);
    }
  });
