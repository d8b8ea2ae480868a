import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** PostgreSQL went away at the commit and did not come back to tell what became of it. */
export class UnknownOutcomeError extends Error {
  constructor(cause: unknown) {
    super('PostgreSQL went away while it committed', { cause });
    this.name = 'UnknownOutcomeError';
  }
}

/** How often the server is asked, which may be about to start again. */
type Patience = { readonly tries: number; readonly pauseMs: number };

/** Notes which transaction is about to be committed; called last within it. */
type BeforeCommit = (connection: pg.Client) => Promise<void>;

/**
 * Runs work that is one transaction. When the answer to its COMMIT is lost, the server is asked over a new
 * connection what became of it: it resolves if the transaction is committed, and throws the error if not.
 */
export const commitForSure = async (
  adminUrl: string,
  work: (beforeCommit: BeforeCommit) => Promise<void>,
  patience: Patience = { tries: 20, pauseMs: 500 },
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
    const status = await outcomeOf(adminUrl, transaction, patience);
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
  { tries, pauseMs }: Patience,
): Promise<'committed' | 'aborted' | null> => {
  for (let count = 0; count < tries; count += 1) {
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
