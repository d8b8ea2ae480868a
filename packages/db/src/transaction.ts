import { AppError } from '@commonplace/contracts/core';
import { inSpan, SpanKind } from '@commonplace/tracing';
import type pg from 'pg';
import { noteStorageError } from './assert-can-write.ts';
import type { Db } from './create-db.ts';
import {
  isAborted,
  isCommitRefusal,
  isInternalError,
  isReadOnlyServer,
  isRetryable,
} from './pg-error-codes.ts';
import { corkWrites, streamOf } from './cork-writes.ts';

/** A value of a parameter `$n`. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Date
  | Buffer
  | readonly SqlValue[]
  | object;

/**
 * Runs one statement and returns its rows. Columns have the names that the statement gives them.
 *
 * A statement with a `name` is parsed once per connection, and planned again with each run where a plan for its values
 * looks cheaper (`plannedOnce` prevents that). This pays for large and frequent statements: on a busy machine with two
 * cores, reading an agent took 0.7 ms with a name and 2.1 ms without. A name must stand for one text.
 */
export type RunQuery = <Row extends object>(
  text: string,
  values?: readonly SqlValue[],
  name?: string,
) => Promise<Row[]>;

/** The server rolled back although COMMIT succeeded, as it does after a failed pipelined statement. */
class RolledBackError extends Error {
  constructor() {
    super('The transaction was rolled back because a statement failed');
    this.name = 'RolledBackError';
  }
}

/** Errors of transactions after their COMMIT was sent, unless they say that it was rejected. */
const uncertain = new WeakSet<Error>();

/**
 * Whether a transaction that failed with this error may have been committed: its COMMIT was sent, and nothing says that it
 * was rejected. With any other error the transaction has had no effect.
 */
export const mayBeCommitted = (error: unknown): boolean =>
  error instanceof Error && uncertain.has(error);

/** The statement that sets the scope of a transaction; its name lets a connection parse it once. */
export type Preparation = {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly SqlValue[];
};

const attemptsMax = 3;

/**
 * Runs `work` in one transaction. `prepare` is sent in the same round trip as BEGIN and the first
 * statement of `work`. Serialization failures and deadlocks are retried, so `work` may run more than once and must
 * not have effects outside the transaction.
 */
export const inTransaction = <Result>(
  db: Db,
  prepare: Preparation | null,
  work: (query: RunQuery) => Promise<Result>,
): Promise<Result> =>
  inSpan('transaction', () => retryTransaction(db, prepare, work), databaseSpan);

/** The span of work of the database. It names no statement. */
export const databaseSpan = {
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'postgresql' },
};

const retryTransaction = async <Result>(
  db: Db,
  prepare: Preparation | null,
  work: (query: RunQuery) => Promise<Result>,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(db, prepare, work);
    } catch (error) {
      if (attempt >= attemptsMax || !isRetryable(error)) {
        throw error;
      }
    }
  }
};

const attemptTransaction = async <Result>(
  db: Db,
  prepare: Preparation | null,
  work: (query: RunQuery) => Promise<Result>,
): Promise<Result> => {
  const client = await db.pool.connect();
  const run = corkedRunner(db, client);
  let isOver = false;
  let cause: unknown;
  const remember = (error: unknown): never => {
    cause ??= error;
    throw error;
  };
  // A late statement would run in the next transaction of the connection.
  const query: RunQuery = <Row extends object>(...statement: Parameters<RunQuery>) =>
    isOver
      ? Promise.reject(new Error('The transaction is over'))
      : run<Row>(...statement).catch(remember);
  try {
    corkWrites(streamOf(client));
    const opening = [client.query('begin').catch(remember)];
    if (prepare) {
      opening.push(client.query(statementFor(db, prepare)).catch(remember));
    }
    // Their failures reach the caller through the statements of `work`, or through the checked COMMIT.
    const opened = Promise.all(opening);
    opened.catch(() => undefined);
    const result = await work(query);
    isOver = true;
    await opened;
    await commit(db, client);
    client.release();
    return result;
  } catch (error) {
    isOver = true;
    noteStorageError(db, error);
    await rollBack(client);
    // Statements behind the one that failed report only that the transaction is aborted.
    throw unavailableIfReadOnly(isAborted(error) ? (cause ?? error) : error);
  }
};

/** A write that a standby refused, which nobody has promoted yet: no bug of its statement. */
const unavailableIfReadOnly = (error: unknown): unknown =>
  isReadOnlyServer(error) ? unavailable(error) : error;

const unavailable = (cause: unknown): AppError =>
  new AppError('service_unavailable', undefined, { cause });

const commit = async (db: Db, client: pg.PoolClient): Promise<void> => {
  const committed = await client.query('commit').catch((reason: unknown) => {
    throw isCommitRefusal(reason) ? reason : uncertainCommit(db, reason);
  });
  if (committed.command !== 'COMMIT') {
    throw new RolledBackError();
  }
};

/** The error of a COMMIT whose outcome is unknown. That of a coordinator which lost its worker is 503, and not a bug. */
const uncertainCommit = ({ isCitus }: Db, reason: unknown): Error => {
  const isWorkerLost = isCitus && isInternalError(reason);
  const error = isWorkerLost ? unavailable(reason) : asError(reason);
  uncertain.add(error);
  return error;
};

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('COMMIT failed', { cause: reason });

/** Rolls back a failed transaction; destroys the connection when that fails. */
const rollBack = async (client: pg.PoolClient): Promise<void> => {
  try {
    await client.query('rollback');
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
};

/** As `queryRunner`; sends all statements of one iteration of the event loop in one write. */
const corkedRunner = (db: Db, client: pg.PoolClient): RunQuery => {
  const run = queryRunner(db, client);
  return (...statement) => {
    corkWrites(streamOf(client));
    return run(...statement);
  };
};

/** Returns the function that runs statements on a connection; default: on any connection of the pool. */
export const queryRunner =
  (db: Db, client: Pick<pg.PoolClient, 'query'> | pg.Pool = db.pool): RunQuery =>
  async <Row extends object>(text: string, values: readonly SqlValue[] = [], name?: string) => {
    try {
      const { rows } = await client.query<Row>(statementFor(db, { text, values, name }));
      return rows;
    } catch (error) {
      noteStorageError(db, error);
      throw error;
    }
  };

/** The configuration of the driver: with a name only where names are supported. */
export const statementFor = (
  { hasNamedStatements, types }: Pick<Db, 'hasNamedStatements' | 'types'>,
  { text, values, name }: Preparation,
) => ({
  text,
  values: [...values],
  ...(hasNamedStatements && name !== undefined ? { name } : {}),
  ...(types ? { types } : {}),
});
