import { AppError, codeOf } from '@commonplace/contracts/core';
import type { Db } from './create-db.ts';

type StorageFailure = { readonly since: unknown; probedAtMs: number };

/** The last storage error of a pool, until a write succeeds again. */
const storageFailures = new WeakMap<Db['pool'], StorageFailure>();

const probePauseMs = 2_000;

/** disk_full and io_error: the next write will most likely fail as well. */
const isStorageError = (error: unknown): boolean =>
  ['53100', '58030'].includes(codeOf(error) ?? '');

/** Records that PostgreSQL could not write. Ignores other errors. */
export const noteStorageError = ({ pool }: Pick<Db, 'pool'>, error: unknown): void => {
  if (isStorageError(error)) {
    storageFailures.set(pool, { since: error, probedAtMs: performance.now() });
  }
};

/**
 * For readiness: throws 503 `service_unavailable` from the moment PostgreSQL cannot write to its disk until it can
 * again. In that state it attempts a small write at most every two seconds; otherwise it does nothing.
 */
export const assertCanWrite = async (
  db: Pick<Db, 'pool'>,
  nowMs = performance.now(),
): Promise<void> => {
  const failure = storageFailures.get(db.pool);
  if (failure === undefined) {
    return;
  }
  if (nowMs - failure.probedAtMs >= probePauseMs) {
    failure.probedAtMs = nowMs;
    if (await canWrite(db.pool)) {
      storageFailures.delete(db.pool);
      return;
    }
  }
  throw new AppError(
    'service_unavailable',
    'PostgreSQL cannot write: its disk is full or does not work. Free some space on it.',
    { cause: failure.since },
  );
};

/**
 * Creates a temporary table with a row, which extends a file, and rolls it back. True where temporary tables are
 * forbidden: then only requests can find out.
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
