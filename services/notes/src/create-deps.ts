import { availableParallelism } from 'node:os';
import { createDb, type DbOptions } from '@commonplace/db';
import { createLog } from '@commonplace/http';
import { createByteBudget } from './commands/byte-budget.ts';
import { createNoteWriter } from './commands/create-note-writer.ts';
import { createSearchIndexer } from './commands/search-indexer.ts';
import { createTurns } from './commands/turns.ts';
import { createWriteTally } from './commands/write-tally.ts';
import type { Deps } from './deps.ts';
import { createMergeThread } from './merge/merge-thread.ts';
import { createMerger } from './merge/create-merger.ts';
import { storedBudget } from './policy/stored-budget.ts';
import { createFeed } from './feed/create-feed.ts';
import { createBell } from './jobs/bell.ts';
import type { CheckJobCaller } from './jobs/check-job-caller.ts';

export type DepsOptions = {
  readonly database: Omit<DbOptions, 'onIdleError'>;
  readonly logLevel: string;
  readonly clock?: () => Date;
  readonly checkJobCaller: CheckJobCaller;
};

/** One company may have half of the processors busy, so that others find one free. A hundred wait for seconds. */
const heavyWork = {
  runningMax: Math.max(1, Math.floor(availableParallelism() / 2)),
  waitingMax: 100,
};

/** Opens what the service works with: the database, its log, and the one writer of notes. */
export const createDeps = ({
  database,
  logLevel,
  clock = () => new Date(),
  checkJobCaller,
}: DepsOptions): Deps => {
  const log = createLog('notes', logLevel);
  const db = createDb({
    ...database,
    onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  });
  const feed = createFeed();
  const tally = createWriteTally();
  const indexer = createSearchIndexer({
    db,
    onError: (error) => log.warn({ err: error }, 'indexing failed; the next search does it'),
  });
  const thread = createMergeThread({
    onError: (error) => log.warn({ err: error }, 'a merge was given up; both sides are kept'),
  });
  const { hold: holdBytes } = createByteBudget(storedBudget.processBytes);
  return {
    db,
    clock,
    log,
    write: createNoteWriter({
      db,
      clock,
      tally,
      merger: createMerger(thread, tally.merges),
      holdBytes,
      onCommit: (companyId, head) => {
        feed.announce(companyId, head);
        indexer.onCommit(companyId);
      },
    }),
    takeTurn: createTurns(heavyWork),
    holdBytes,
    tally,
    feed,
    checkJobCaller,
    jobBell: createBell(),
  };
};
