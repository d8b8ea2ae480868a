import type pg from 'pg';
import { isConnectionFatal } from './pg-error-codes.ts';

type SharedConnection = {
  readonly client: Promise<pg.PoolClient>;
  /** Accepts no new users. */
  readonly close: () => void;
  userCount: number;
  /** A user got an error that ends the connection. */
  isEnded: boolean;
};

/** Above this number of users, another connection is taken, and with it another process of PostgreSQL. */
const usersMax = 8;

const connections = new WeakMap<pg.Pool, SharedConnection[]>();

/**
 * Runs work on a connection that is multiplexed with other users. Their statements of one iteration of the event
 * loop leave in one write, so PostgreSQL is woken once: with 32 readers, waking it took a third of the time of a
 * read. The last user releases the connection to the pool.
 */
export const onMultiplexedConnection = async <Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const open = connections.get(pool) ?? [];
  connections.set(pool, open);
  const shared = open.find(({ userCount }) => userCount < usersMax) ?? openShared(pool, open);
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
      release(shared);
    }
  }
};

/** Takes a connection. A broken one accepts no new users; its users get the error from their statements. */
const openShared = (pool: pg.Pool, open: SharedConnection[]): SharedConnection => {
  const close = () => {
    const at = open.indexOf(shared);
    if (at >= 0) {
      open.splice(at, 1);
    }
  };
  const shared: SharedConnection = { client: pool.connect(), close, userCount: 0, isEnded: false };
  open.push(shared);
  shared.client.then((client) => client.once('end', close), close);
  return shared;
};

const release = ({ client, close, isEnded }: SharedConnection): void => {
  client.then(
    (connected) => {
      connected.off('end', close);
      connected.release(isEnded);
    },
    // No connection was taken; its users got the error.
    () => undefined,
  );
};
