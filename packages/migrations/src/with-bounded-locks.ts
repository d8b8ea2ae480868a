import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { watchLockWaits } from './lock-waits.ts';
import type { Observer } from './lock-waits.ts';

/** How long a migration waits for locks. */
export type LockBounds = {
  /** For one lock. Requests to its table wait behind the migration meanwhile. */
  readonly timeoutMs: number;
  /** Between two attempts, in which those requests run. */
  readonly pauseMs: number;
  /** For all attempts. */
  readonly patienceMs: number;
};

/**
 * A wait is longer than PostgreSQL's `deadlock_timeout` of one second: only after that does it cancel an autovacuum that
 * holds the lock. A pause is longer than what it makes up for.
 */
export const lockBounds: LockBounds = { timeoutMs: 2_000, pauseMs: 6_000, patienceMs: 600_000 };

export type BoundedLocks = {
  readonly db: Knex;
  readonly observer: Observer;
  readonly bounds: LockBounds;
  readonly log: (line: string) => void;
};

/**
 * Runs work in a transaction that waits for each lock for a short time only, and runs it again after a pause as long as it
 * does not get one, or is the victim of a deadlock: a statement that waits for the lock of a table stops every later
 * reader of it. `log` gets what it waits for, once.
 */
export const withBoundedLocks = async (
  { db, observer, bounds, log }: BoundedLocks,
  work: (trx: Knex) => Promise<void>,
): Promise<void> => {
  const { timeoutMs, pauseMs, patienceMs } = bounds;
  const endMs = performance.now() + patienceMs;
  let wait = 'another session to release a lock';
  let logged = '';
  for (;;) {
    const stop = watchLockWaits(observer, {
      everyMs: timeoutMs / 4,
      onWait: (seen) => {
        wait = seen;
      },
    });
    try {
      await db.transaction(async (trx) => {
        await boundWaits(trx, timeoutMs);
        await work(trx);
      });
      return;
    } catch (error) {
      if (!isLockConflict(error)) {
        throw error;
      }
      if (performance.now() + pauseMs > endMs) {
        throw new Error(refusal(wait, patienceMs), { cause: error });
      }
    } finally {
      stop();
    }
    if (wait !== logged) {
      log(`Waiting for ${wait}. Requests go on meanwhile`);
      logged = wait;
    }
    await sleep(pauseMs);
  }
};

/** On Citus the nodes get the bound too. */
const boundWaits = async (trx: Knex, timeoutMs: number): Promise<void> => {
  await trx.raw(`set local citus.propagate_set_commands = 'local'`);
  await trx.raw(`set local lock_timeout = ${timeoutMs}`);
};

/** SQLSTATE of a wait that took too long, and of the victim of a deadlock. */
const conflictCodes = new Set(['55P03', '40P01']);

const isLockConflict = (error: unknown): boolean =>
  conflictCodes.has((error as { readonly code?: string }).code ?? '');

const refusal = (wait: string, patienceMs: number): string =>
  `it waited in vain for ${patienceMs / 1_000} s for ${wait}. The schema still fits the release that runs. End that session or let it end, and migrate again`;
