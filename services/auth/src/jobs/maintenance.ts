import { runGlobal } from '@commonplace/db';
import { transferLocalMemberships } from '../commands/transfer-local-memberships.ts';
import type { Deps } from '../deps.ts';
import { deleteExpiredSessions } from '../queries/session-deletions.ts';
import { deleteExpiredBuckets } from '../queries/login-attempts.ts';
import { deleteOldSignIns } from '../queries/sign-ins.ts';
import { retryUntilDone } from './retry-until-done.ts';

const purgeEveryMs = 15 * 60 * 1000;
const transferEveryMs = 10 * 1000;
const historyDays = 90;

type MaintenanceDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'callAgents' | 'deploymentMode'>;

/** Runs the periodic tasks of every replica until the process stops. */
export const runMaintenance = async (deps: MaintenanceDeps, signal: AbortSignal): Promise<void> => {
  const purging = {
    name: 'purge expired rows',
    retryAfterMs: purgeEveryMs,
    run: async () => {
      await purgeExpired(deps);
      return false;
    },
  };
  // In local trusted mode the local operator keeps its memberships.
  const transferring = {
    name: 'transfer local memberships',
    retryAfterMs: transferEveryMs,
    run: async () => deps.deploymentMode === 'local_trusted' || transferLocalMemberships(deps),
  };
  await Promise.all([
    retryUntilDone(purging, deps.log, signal),
    retryUntilDone(transferring, deps.log, signal),
  ]);
};

/** Deletes expired sessions, expired login buckets and old history. */
export const purgeExpired = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> =>
  runGlobal(db, async (tx) => {
    const now = clock();
    await deleteExpiredSessions(tx, now);
    await deleteExpiredBuckets(tx, now);
    await deleteOldSignIns(tx, new Date(now.getTime() - historyDays * 86_400_000));
  });
