import { runGlobal } from '@commonplace/db';
import { adoptLocalMemberships } from '../commands/adopt-local-memberships.ts';
import type { Deps } from '../deps.ts';
import { deleteEndedSessions } from '../queries/delete-ended-sessions.ts';
import { deleteForgottenBuckets } from '../queries/delete-forgotten-buckets.ts';
import { forgetSignIns } from '../queries/forget-sign-ins.ts';
import { untilDone } from './until-done.ts';

const sweepEveryMs = 15 * 60 * 1000;
const adoptEveryMs = 10 * 1000;
const historyDays = 90;

type HouseDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'callAgents' | 'deploymentMode'>;

/** What has to be done from time to time, by every replica, until the process stops. */
export const keepHouse = async (deps: HouseDeps, signal: AbortSignal): Promise<void> => {
  const sweeping = {
    name: 'sweep',
    pauseMs: sweepEveryMs,
    attempt: async () => {
      await sweep(deps);
      return false;
    },
  };
  // The local operator keeps what it has while it is in office.
  const adopting = {
    name: 'adopt local memberships',
    pauseMs: adoptEveryMs,
    attempt: async () => deps.deploymentMode === 'local_trusted' || adoptLocalMemberships(deps),
  };
  await Promise.all([untilDone(sweeping, deps.log, signal), untilDone(adopting, deps.log, signal)]);
};

/** Removes what has been dead for a while: sessions, counts of tries, old history. */
export const sweep = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> =>
  runGlobal(db, async (tx) => {
    const now = clock();
    await deleteEndedSessions(tx, now);
    await deleteForgottenBuckets(tx, now);
    await forgetSignIns(tx, new Date(now.getTime() - historyDays * 86_400_000));
  });
