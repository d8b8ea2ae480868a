import { runGlobal } from '@commonplace/db';
import { addOldChanges } from '../catalog/catch-up-catalog.ts';
import type { Deps } from '../deps.ts';
import { listCatalogsToBackfill } from '../queries/catalog.ts';
import { listSearchesToRebuild } from '../queries/search-index.ts';
import { rebuildPart } from '../search/index-pending-notes.ts';
import { runBackfill } from './run-backfill.ts';

/** Makes the search documents of earlier releases anew. */
export const rebuildSearches = (
  { db, search, log }: Pick<Deps, 'db' | 'search' | 'log'>,
  stopping: AbortSignal,
): Promise<void> =>
  runBackfill(
    { log },
    {
      what: 'the search index',
      list: () => runGlobal(db, listSearchesToRebuild),
      addPart: (companyId) => rebuildPart({ db, ...search }, companyId),
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
      list: () => runGlobal(db, listCatalogsToBackfill),
      addPart: (companyId) => addOldChanges(db, companyId),
    },
    stopping,
  );
