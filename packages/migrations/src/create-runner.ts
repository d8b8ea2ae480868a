import type { Knex } from 'knex';
import type { MigrationRunner } from './apply-migration.ts';
import { watchLockWaits } from './lock-waits.ts';
import { withBoundedLocks } from './with-bounded-locks.ts';
import type { BoundedLocks } from './with-bounded-locks.ts';

/**
 * Runs migrations beside services at work. Each statement of those without a transaction has one of its own, in which it
 * waits for locks as briefly, but for those that build an index `concurrently`: nobody waits for them, so that they may wait
 * until transactions of before have ended.
 */
export const createRunner = (locks: BoundedLocks): MigrationRunner => {
  const inTransaction = (work: (trx: Knex) => Promise<void>) => withBoundedLocks(locks, work);
  const oneByOne = {
    raw: (statement: string) =>
      isConcurrent.test(statement)
        ? runWatched(locks, statement)
        : inTransaction(async (trx) => {
            await trx.raw(statement);
          }),
  };
  return { db: locks.db, inTransaction, oneByOne };
};

const isConcurrent = /^\s*(?:create (?:unique )?|drop |re)index\s+concurrently\b/i;

const watchEveryMs = 5_000;

/** Logs what a statement waits for that may wait. */
const runWatched = async (
  { db, observer, log }: BoundedLocks,
  statement: string,
): Promise<void> => {
  let logged = '';
  const onWait = (wait: string): void => {
    if (wait !== logged) {
      log(`Waiting for ${wait}, to build an index. Requests go on meanwhile`);
      logged = wait;
    }
  };
  const stop = watchLockWaits(observer, { everyMs: watchEveryMs, onWait });
  try {
    await db.raw(statement);
  } finally {
    stop();
  }
};
