import type { Db } from '@commonplace/db';
import type pg from 'pg';

type Connected = pg.PoolClient & {
  readonly connection: { readonly stream: { readonly bytesRead: number } };
};

const bytesOf = (client: pg.PoolClient): number =>
  (client as Connected).connection.stream.bytesRead;

/**
 * Counts what PostgreSQL sends over the connections of a pool while something is done: that is what the service
 * has loaded, in all, and at most between taking a connection and giving it back.
 */
export const bytesReadDuring = async <Result>(
  { pool }: Pick<Db, 'pool'>,
  work: () => Promise<Result>,
) => {
  const since = new Map<pg.PoolClient, number>();
  let [bytes, bytesAtOnce] = [0, 0];
  const take = (client: pg.PoolClient) => void since.set(client, bytesOf(client));
  const giveBack = (_error: Error, client: pg.PoolClient) => {
    const read = bytesOf(client) - (since.get(client) ?? bytesOf(client));
    bytes += read;
    bytesAtOnce = Math.max(bytesAtOnce, read);
  };
  pool.on('acquire', take);
  pool.on('release', giveBack);
  try {
    return { result: await work(), bytes, bytesAtOnce };
  } finally {
    pool.off('acquire', take);
    pool.off('release', giveBack);
  }
};
