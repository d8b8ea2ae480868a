import type pg from 'pg';
import { isConnectionFatal } from './pg-error-codes.ts';

/** Runs work on a connection of the pool. Releases it, or destroys it when the server ends it. */
export const onConnection = async <Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(isConnectionFatal(error));
    throw error;
  }
};

/** As `onConnection`, for work that streams parts; the reader may stop early. */
export async function* streamOnConnection<Part>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => AsyncIterable<Part>,
): AsyncGenerator<Part, void> {
  const client = await pool.connect();
  let isEnded = false;
  try {
    yield* work(client);
  } catch (error) {
    isEnded = isConnectionFatal(error);
    throw error;
  } finally {
    client.release(isEnded);
  }
}
