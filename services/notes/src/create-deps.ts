import { availableParallelism } from 'node:os';
import { createDb, type DbOptions } from '@commonplace/db';
import { createLog } from '@commonplace/http';
import { createNoteWriter } from './commands/create-note-writer.ts';
import { createSearchIndexer } from './commands/search-indexer.ts';
import { createTurns } from './commands/turns.ts';
import { createWriteTally } from './commands/write-tally.ts';
import type { Deps } from './deps.ts';
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
  return {
    db,
    clock,
    log,
    write: createNoteWriter({
      db,
      clock,
      tally,
      onCommit: (companyId, head) => {
        feed.announce(companyId, head);
        indexer.onCommit(companyId);
      },
    }),
    takeTurn: createTurns(heavyWork),
    tally,
    feed,
    checkJobCaller,
    jobBell: createBell(),
  };
};
