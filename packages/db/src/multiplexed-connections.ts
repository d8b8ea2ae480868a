import type pg from 'pg';
import { isConnectionFatal } from './pg-error-codes.ts';

type Shared = {
  readonly client: Promise<pg.PoolClient>;
  /** No newcomers from now on. */
  readonly close: () => void;
  userCount: number;
  /** The server ends it, and said so to one of its users. */
  isEnded: boolean;
};

/** Beyond so many users another connection is taken, and with it another process of PostgreSQL. */
const usersMax = 8;

const connections = new WeakMap<pg.Pool, Shared[]>();

/**
 * Runs work on a connection that others use at the same time. What they send in one turn of the event loop
 * leaves together, and PostgreSQL answers it without being woken in between: with 32 readers that waking
 * was a third of what a read cost. Whoever leaves last gives the connection back to the pool.
 */
export const onMultiplexedConnection = async <Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const open = connections.get(pool) ?? [];
  connections.set(pool, open);
  const shared = open.find(({ userCount }) => userCount < usersMax) ?? share(pool, open);
  shared.userCount += 1;
  try {
    return await work(await shared.client);
  } catch (error) {
    if (isConnectionFatal(error)) {
      shared.isEnded = true;
      shared.close();
    }
    throw error;
  } finally {
    shared.userCount -= 1;
    if (shared.userCount === 0) {
      shared.close();
      giveBack(shared);
    }
  }
};

/** Takes a connection. One that breaks takes nobody in any more; its users hear of it by their statements. */
const share = (pool: pg.Pool, open: Shared[]): Shared => {
  const close = () => {
    const at = open.indexOf(shared);
    if (at >= 0) {
      open.splice(at, 1);
    }
  };
  const shared: Shared = { client: pool.connect(), close, userCount: 0, isEnded: false };
  open.push(shared);
  shared.client.then((client) => client.once('end', close), close);
  return shared;
};

const giveBack = ({ client, close, isEnded }: Shared): void => {
  client.then(
    (connected) => {
      connected.off('end', close);
      connected.release(isEnded);
    },
    // Nothing was taken; who asked for it was told.
    () => undefined,
  );
};
