import { write, type GlobalTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { knownDeviceDays } from '../policy/session-limits.ts';
import { deleteExpiredChallenges } from '../queries/challenges.ts';
import { deleteExpiredHandovers } from '../queries/handovers.ts';
import { deleteOldInstanceActivity } from '../queries/instance-activity.ts';
import { deleteUnusedDevices } from '../queries/known-devices.ts';
import { deleteExpiredBuckets } from '../queries/login-attempts.ts';
import {
  deleteExpiredOauthRecords,
  deleteSpentGrants,
  deleteUnusedClients,
} from '../queries/oauth-records.ts';
import { deleteExpiredSessions } from '../queries/session-deletions.ts';
import { deleteOldSignIns } from '../queries/sign-ins.ts';
import { deleteExpiredTokens } from '../queries/used-tokens.ts';

const historyDays = 90;
const activityDays = 365;
const unusedClientDays = 30;
/** A grant has no code until the browser has gone back to its app, at most an hour after the consent. */
const spentGrantDays = 1;

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
    (tx) => deleteSpentGrants(tx, daysBefore(now, spentGrantDays)),
    (tx) => deleteUnusedClients(tx, daysBefore(now, unusedClientDays)),
    (tx) => deleteUnusedDevices(tx, daysBefore(now, knownDeviceDays)),
    (tx) => deleteOldSignIns(tx, daysBefore(now, historyDays)),
    (tx) => deleteOldInstanceActivity(tx, daysBefore(now, activityDays)),
  ];
  for (const deletion of deletions) {
    await write(db, 'global', deletion);
  }
};
