import { AppError, codeOf } from '@commonplace/contracts/core';
import type { Db } from './create-db.ts';

type Trouble = { readonly since: unknown; probedAtMs: number };

/** What a pool last failed to write for want of room or of a working disk; forgotten when a write works again. */
const troubles = new WeakMap<Db['pool'], Trouble>();

const probePauseMs = 2_000;

/** disk_full and io_error: the next write will most likely fail as well. */
const isStorageError = (error: unknown): boolean =>
  ['53100', '58030'].includes(codeOf(error) ?? '');

/** Remembers that PostgreSQL could not write. Other errors are none of its business. */
export const noteStorageError = ({ pool }: Pick<Db, 'pool'>, error: unknown): void => {
  if (isStorageError(error)) {
    troubles.set(pool, { since: error, probedAtMs: performance.now() });
  }
};

/**
 * For readiness: throws 503 `service_unavailable` from the moment PostgreSQL could not write to its disk until it
 * can again. While that is so, it tries a small write every two seconds at most; otherwise it does nothing.
 */
export const assertCanWrite = async (
  db: Pick<Db, 'pool'>,
  nowMs = performance.now(),
): Promise<void> => {
  const trouble = troubles.get(db.pool);
  if (trouble === undefined) {
    return;
  }
  if (nowMs - trouble.probedAtMs >= probePauseMs) {
    trouble.probedAtMs = nowMs;
    if (await canWrite(db.pool)) {
      troubles.delete(db.pool);
      return;
    }
  }
  throw new AppError(
    'service_unavailable',
    'PostgreSQL cannot write: its disk is full or does not work.',
    { cause: trouble.since },
  );
};

/**
 * Makes a temporary table with a row, which makes a file grow, and takes it back. Where temporary tables are
 * forbidden nothing is known, and requests have to find out.
 */
const canWrite = async (pool: Db['pool']): Promise<boolean> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      "create temporary table write_probe on commit drop as select repeat('x', 1000) as filler",
    );
    return true;
  } catch (error) {
    if (isStorageError(error)) {
      return false;
    }
    if (codeOf(error) === insufficientPrivilege) {
      return true;
    }
    throw error;
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
  }
};

const insufficientPrivilege = '42501';
