import { runPeriodically } from '@commonplace/concurrency';
import { isAppError } from '@commonplace/contracts/core';
import { write, type GlobalTx } from '@commonplace/db';
import { transferLocalMemberships } from '../commands/transfer-local-memberships.ts';
import type { Deps } from '../deps.ts';
import { resealFactors } from '../commands/reseal-factors.ts';
import { deleteExpiredChallenges } from '../queries/challenges.ts';
import { deleteExpiredSessions } from '../queries/session-deletions.ts';
import { deleteExpiredBuckets } from '../queries/login-attempts.ts';
import { deleteExpiredHandovers } from '../queries/handovers.ts';
import { deleteOldInstanceActivity } from '../queries/instance-activity.ts';
import { deleteUnusedDevices } from '../queries/known-devices.ts';
import { knownDeviceDays } from '../policy/session-limits.ts';
import { deleteExpiredOauthRecords, deleteUnusedClients } from '../queries/oauth-records.ts';
import { deleteExpiredTokens } from '../queries/used-tokens.ts';
import { deleteOldSignIns } from '../queries/sign-ins.ts';

const purgeEveryMs = 15 * 60 * 1000;
const transferEveryMs = 10 * 1000;
const historyDays = 90;
const activityDays = 365;
const unusedClientDays = 30;

type MaintenanceDeps = Pick<
  Deps,
  'db' | 'clock' | 'log' | 'callAgents' | 'deploymentMode' | 'secretBox'
>;

/** Runs the periodic tasks of every replica until the process stops. */
export const runMaintenance = async (deps: MaintenanceDeps, signal: AbortSignal): Promise<void> => {
  const onError = (error: unknown) => logFailedTask(deps.log, error);
  const purge = () => purgeExpired(deps);
  // In local trusted mode the local operator keeps its memberships.
  const transfer = async () =>
    deps.deploymentMode === 'local_trusted' || transferLocalMemberships(deps);
  await Promise.all([
    runPeriodically({ run: purge, pauseMs: purgeEveryMs, onError }, signal),
    runPeriodically({ run: () => resealFactors(deps), pauseMs: purgeEveryMs, onError }, signal),
    runPeriodically({ run: transfer, pauseMs: transferEveryMs, onError }, signal),
  ]);
};

/**
 * Agents may start after auth, and restarts: that is not a failure of this process, and each request that needs agents meanwhile
 * is logged as failed.
 */
const logFailedTask = (log: Pick<Deps['log'], 'info' | 'warn'>, error: unknown): void => {
  if (isAppError(error) && error.status === 503) {
    log.info(
      { reason: error.code },
      'a maintenance task waits for another service; a retry follows',
    );
  } else {
    log.warn({ err: error }, 'a maintenance task failed; a retry follows');
  }
};

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000);

/**
 * Deletes expired sessions, challenges, login buckets, used tokens and handovers, unused devices and OAuth clients, and old
 * history; each in a transaction of its own, so that none holds the locks of another.
 */
export const purgeExpired = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const now = clock();
  const deletions: readonly ((tx: GlobalTx) => Promise<unknown>)[] = [
    (tx) => deleteExpiredSessions(tx, now),
    (tx) => deleteExpiredBuckets(tx, now),
    (tx) => deleteExpiredChallenges(tx, now),
    (tx) => deleteExpiredTokens(tx, now),
    (tx) => deleteExpiredHandovers(tx, now),
    (tx) => deleteExpiredOauthRecords(tx, now),
    (tx) => deleteUnusedClients(tx, daysBefore(now, unusedClientDays)),
    (tx) => deleteUnusedDevices(tx, daysBefore(now, knownDeviceDays)),
    (tx) => deleteOldSignIns(tx, daysBefore(now, historyDays)),
    (tx) => deleteOldInstanceActivity(tx, daysBefore(now, activityDays)),
  ];
  for (const deletion of deletions) {
    await write(db, 'global', deletion);
  }
};
