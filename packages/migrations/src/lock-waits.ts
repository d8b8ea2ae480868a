import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** The name of the connections that migrate, in `pg_stat_activity`. */
export const applicationName = 'commonplace migrations';

/** A connection besides the one that migrates. */
export type Observer = Pick<Client, 'query'>;

type LockWait = { readonly relations: string | null; readonly holders: readonly string[] };

/**
 * Calls `onWait` with what the migration of this database waits for, at every look that finds it waiting. Returns how to
 * end that.
 */
export const watchLockWaits = (
  observer: Observer,
  { everyMs, onWait }: { readonly everyMs: number; readonly onWait: (wait: string) => void },
): (() => void) => {
  const ended = new AbortController();
  const { signal } = ended;
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal });
      const { rows } = await observer.query<LockWait>(currentWait, [applicationName]);
      if (rows[0] && !signal.aborted) {
        onWait(describeWait(rows[0]));
      }
    }
  };
  // A lost connection is noticed by the statements of the migration.
  watch().catch(() => undefined);
  return () => ended.abort();
};

/** The end of "Waiting for". Without a relation it is what `create index concurrently` waits for. */
const describeWait = ({ relations, holders }: LockWait): string =>
  `${holders.join(' and ')} to ${relations === null ? 'end the transaction' : `release ${relations}`}`;

/**
 * The lock that a session with this name waits for, and the oldest three who have it. An administrator who is no superuser
 * does not see what sessions of others do. $1 name
 */
const currentWait = `
  select
    (select string_agg(distinct l.relation::regclass::text, ', ')
     from pg_locks l where l.pid = w.pid and not l.granted) as relations,
    array(
      select case when h.pid = 0 then 'a prepared transaction' else format('session %s (%s)', h.pid, concat_ws(', ',
          coalesce(s.usename, s.backend_type), nullif(s.application_name, ''), s.state,
          'since ' || to_char(s.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        )) end
      from unnest(pg_blocking_pids(w.pid)) as h (pid)
      left join pg_stat_activity s on s.pid = h.pid
      order by s.xact_start
      limit 3
    ) as holders
  from pg_stat_activity w
  where w.application_name = $1 and w.datname = current_database()
    and cardinality(pg_blocking_pids(w.pid)) > 0`;
