import type pg from 'pg';
import type { Db } from './create-db.ts';
import { sendScoped, type ScopedStatement } from './scoped-query.ts';

/** What has arrived and was not given yet; the driver adds to `rows`. */
type Arrivals = {
  result: { rows: object[] };
  isOver: boolean;
  error?: Error;
  /** Ends the wait for more. */
  wake?: () => void;
};

/**
 * Runs a reading statement in the scope of a company and gives its rows in parts, as they arrive: what is
 * done with the first ones is done while PostgreSQL still reads the others. Nothing holds PostgreSQL back
 * where a part takes long; its rows then wait here, and come in fewer and larger parts.
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
    // Also where nobody wants the rest: whoever has the connection next would wait for it.
    await settled;
  }
}

/** Waits for rows; false: there are no more. A failure that is known is worth more than the rows before it. */
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
