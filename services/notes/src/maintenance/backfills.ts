import { read } from '@commonplace/db';
import { addOldChanges } from '../catalog/catch-up-catalog.ts';
import type { Deps } from '../deps.ts';
import { listCatalogsToBackfill } from '../queries/catalog.ts';
import { listSearchesToRebuild } from '../queries/search-index.ts';
import { listStatisticsToMake } from '../queries/search-statistics.ts';
import { rebuildPart } from '../search/index-pending-notes.ts';
import { makeStatistics, notesWithStatisticsMin } from '../search/make-statistics.ts';
import { removeUnusedWords } from '../search/remove-words.ts';
import { runBackfill } from './run-backfill.ts';

/** Makes the search documents of earlier releases again. */
export const rebuildSearches = (
  { db, search, log }: Pick<Deps, 'db' | 'search' | 'log'>,
  stopping: AbortSignal,
): Promise<void> =>
  runBackfill(
    { log },
    {
      what: 'the search index',
      list: () => read(db, 'global', listSearchesToRebuild),
      addPart: (companyId) => rebuildPart({ db, ...search }, companyId, stopping),
    },
    stopping,
  );

/**
 * Makes the statistics of words that searches rank by, of companies that have none or whose notes have become more or
 * fewer by a tenth. Words that no note has any more are removed with it.
 */
export const makeSearchStatistics = (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  stopping: AbortSignal,
): Promise<void> =>
  runBackfill(
    { log },
    {
      what: 'the search statistics',
      list: () => read(db, 'global', (tx) => listStatisticsToMake(tx, notesWithStatisticsMin)),
      addPart: async (companyId) => {
        await makeStatistics(db, companyId);
        await removeUnusedWords(db, companyId, stopping);
        return false;
      },
    },
    stopping,
  );

/** Adds the notes of earlier releases to the catalogs of folders, tags and links. */
export const backfillCatalogs = (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  stopping: AbortSignal,
): Promise<void> =>
  runBackfill(
    { log },
    {
      what: 'the catalog',
      list: () => read(db, 'global', listCatalogsToBackfill),
      addPart: (companyId) => addOldChanges(db, companyId),
    },
    stopping,
  );
