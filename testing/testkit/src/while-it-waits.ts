import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { isCitusRun } from './test-database.ts';

export type Holding = {
  /** URL of a superuser. */
  readonly adminUrl: string;
  /** The statement of the other transaction, which takes the lock. */
  readonly lock: string;
  readonly end: 'commit' | 'rollback';
};

/** Sends a request while another transaction holds a lock, and ends the transaction when the request waits for it. */
export const whileItWaits = async <Response>(
  { adminUrl, lock, end }: Holding,
  send: () => PromiseLike<Response>,
): Promise<Response> => {
  const [holder, observer] = [1, 2].map(() => new pg.Client({ connectionString: adminUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([holder.connect(), observer.connect()]);
  try {
    await holder.query('begin');
    await holder.query(lock);
    const sent = { isSettled: false };
    const response = Promise.resolve(send()).finally(() => {
      sent.isSettled = true;
    });
    while (!sent.isSettled && !(await isSomebodyWaiting(observer))) {
      await nextTurn();
    }
    await holder.query(end);
    return await response;
  } finally {
    await Promise.all([holder.end(), observer.end()]);
  }
};

const isSomebodyWaiting = async (observer: Observer): Promise<boolean> =>
  (await countOnNodes(observer, waiting)) > 0;

const waiting =
  'pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0';

/** The number of locks that sessions wait for, on all nodes; `condition` is one on pg_locks. */
export const countAwaitedLocks = (observer: Observer, condition: string): Promise<number> =>
  countOnNodes(observer, `pg_locks where not granted and ${condition}`);

type Observer = Pick<pg.Client, 'query'>;

/** Counts rows on every node: on Citus, locks of tenant tables are on the workers. */
const countOnNodes = async (observer: Observer, rowsOf: string): Promise<number> => {
  const counting = `select count(*)::integer as count from ${rowsOf}`;
  const { rows } = await observer.query<{ count: number }>(
    isCitusRun()
      ? `select sum(result::integer)::integer as count from run_command_on_all_nodes($$${counting}$$)`
      : counting,
  );
  return rows[0]?.count ?? 0;
};
