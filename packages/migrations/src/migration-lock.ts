import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** An arbitrary number that nothing else in the database uses. */
const lockKey = 7_263_001;
const retryMs = 100;

/**
 * Takes the lock of migrations, and waits while another session has it: a migration or a restore `alone`, backups
 * `shared`. `log` gets one line if it waits. PostgreSQL releases it with the session. It is polled, because `create index concurrently` in a migration
 * waits for every running statement, and so would wait for one that waits for the lock.
 */
export const acquireMigrationLock = async (
  client: Pick<Client, 'query'>,
  mode: 'alone' | 'shared',
  log: (line: string) => void = () => undefined,
): Promise<void> => {
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query<{ isHeld: boolean }>(statements[mode], [lockKey]);
    if (rows[0]?.isHeld) {
      return;
    }
    if (isFirst) {
      log('Waiting until the migration, restore or backup that is under way has ended');
    }
    await sleep(retryMs);
  }
};

const statements = {
  alone: 'select pg_try_advisory_lock($1) as "isHeld"',
  shared: 'select pg_try_advisory_lock_shared($1) as "isHeld"',
} as const;
