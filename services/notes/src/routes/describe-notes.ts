import { describeNotesContract } from '@commonplace/contracts/internal';
import { newestMigration } from '@commonplace/checks';
import { read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { listCatalogsToBackfill } from '../queries/catalog.ts';
import { countJobs } from '../queries/job-queue.ts';
import { listSearchesToRebuild } from '../queries/search-index.ts';
import { pendingSum } from '../rules/pending-sum.ts';

/** Describes this service and its work, as its metrics do, for the page of the instance. */
export const describeNotesRoute = ({
  db,
  clock,
  feed,
  writeCounters,
}: Pick<Deps, 'db' | 'clock' | 'feed' | 'writeCounters'>) =>
  defineRoute(describeNotesContract, async () => {
    const [migration, syncJobs, searches, catalogs] = await Promise.all([
      newestMigration(db, 'notes'),
      read(db, 'global', (tx) => countJobs(tx, clock())),
      read(db, 'global', listSearchesToRebuild),
      read(db, 'global', listCatalogsToBackfill),
    ]);
    return reply(200, {
      migration,
      work: {
        eventStreams: feed.listenerCount(),
        writeQueue: writeCounters.waiting,
        syncJobs,
        searchRebuildChanges: pendingSum(searches),
        catalogBackfillChanges: pendingSum(catalogs),
      },
    });
  });
