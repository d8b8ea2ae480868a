import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The connection broke during COMMIT, and PostgreSQL could not be reached to find out the outcome. */
export class UnknownOutcomeError extends Error {
  constructor(cause: unknown) {
    super('PostgreSQL became unavailable during COMMIT', { cause });
    this.name = 'UnknownOutcomeError';
  }
}

/** Attempts to find out the outcome; the server may be restarting. */
type RetryOptions = { readonly attempts: number; readonly pauseMs: number };

/** Records the id of the transaction; called as its last statement. */
type BeforeCommit = (connection: pg.Client) => Promise<void>;

/**
 * Runs work in one transaction. If the connection breaks during COMMIT, a new connection finds out the outcome:
 * resolves if the transaction is committed, and throws the error if not.
 */
export const commitForSure = async (
  adminUrl: string,
  work: (beforeCommit: BeforeCommit) => Promise<void>,
  retry: RetryOptions = { attempts: 20, pauseMs: 500 },
): Promise<void> => {
  let transaction: string | undefined;
  try {
    await work(async (connection) => {
      const { rows } = await connection.query<{ id: string }>(currentTransaction);
      transaction = rows[0]?.id;
    });
  } catch (error) {
    if (transaction === undefined) {
      throw error;
    }
    const status = await outcomeOf(adminUrl, transaction, retry);
    if (status === null) {
      throw new UnknownOutcomeError(error);
    }
    if (status === 'aborted') {
      throw error;
    }
  }
};

const outcomeOf = async (
  adminUrl: string,
  transaction: string,
  { attempts, pauseMs }: RetryOptions,
): Promise<'committed' | 'aborted' | null> => {
  for (let count = 0; count < attempts; count += 1) {
    const status = await statusOf(adminUrl, transaction).catch(() => null);
    if (status === 'committed' || status === 'aborted') {
      return status;
    }
    await sleep(pauseMs);
  }
  return null;
};

const statusOf = async (adminUrl: string, transaction: string): Promise<string | null> => {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ status: string | null }>(transactionStatus, [
      transaction,
    ]);
    return rows[0]?.status ?? null;
  } finally {
    await client.end();
  }
};

const currentTransaction = 'select pg_current_xact_id()::text as id';
const transactionStatus = 'select pg_xact_status($1::xid8) as status';
