import type pg from 'pg';
import type { Db } from './create-db.ts';
import { sendScoped, type ScopedStatement } from './scoped-query.ts';

/** Rows that have arrived and were not yielded yet; the driver appends to `rows`. */
type Arrivals = {
  result: { rows: object[] };
  isOver: boolean;
  error?: Error;
  /** Ends the wait for more. */
  wake?: () => void;
};

/**
 * Runs a reading statement in the scope of a company and streams its rows in batches, as they arrive: the caller
 * processes the first while PostgreSQL reads the others. There is no back-pressure: with a slow caller, rows
 * are buffered here and come in fewer and larger batches.
 */
export async function* scopedRowStream<Row extends object>(
  db: Db,
  client: pg.PoolClient,
  sending: Omit<ScopedStatement, 'callback'>,
): AsyncGenerator<Row[], void> {
  const arrivals: Arrivals = { result: { rows: [] }, isOver: false };
  const over = new Promise<void>((resolve, reject) => {
    const callback = (error: Error | null) => {
      if (error) {
        arrivals.error = error;
        reject(error);
      }
      resolve();
    };
    const query = sendScoped(db, client, { ...sending, callback });
    query.on('row', (_row, result) => {
      arrivals.result = result ?? arrivals.result;
      arrivals.wake?.();
    });
  });
  const settled = over
    .catch(() => undefined)
    .then(() => {
      arrivals.isOver = true;
      arrivals.wake?.();
    });
  try {
    while (await hasMore(arrivals)) {
      const { result } = arrivals;
      const part = result.rows;
      result.rows = [];
      yield part as Row[];
    }
    await over;
  } finally {
    // Drain fully, also when the reader stops early, so that the connection is reusable.
    await settled;
  }
}

/** Waits for rows; false: there are no more. Throws an error before it yields the rows that arrived with it. */
const hasMore = async (arrivals: Arrivals): Promise<boolean> => {
  while (arrivals.error || arrivals.result.rows.length === 0) {
    if (arrivals.error) {
      throw arrivals.error;
    }
    if (arrivals.isOver) {
      return false;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    arrivals.wake = resolve;
    await promise;
  }
  return true;
};
