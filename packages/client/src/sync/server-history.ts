import type { Schema } from '../api-client.ts';
import { beginFullPull } from './apply-response.ts';
import type { Replica } from './replica.ts';

/** Begins a full pull, because the server does not accept the cursor. */
export const expireCursor = (replica: Replica): void => {
  if (replica.progress().epoch === undefined) {
    // A store of an earlier version cannot distinguish a restored server from purged deletions.
    replica.setProgress({ isRestored: true });
  }
  beginFullPull(replica);
};

/** Compares the history of a response with the known one. A restored backup has another. */
export const compareEpoch = (
  replica: Replica,
  { epoch }: Pick<Schema<'SyncResult'>, 'epoch'>,
): void => {
  const known = replica.progress().epoch;
  if (epoch !== undefined && epoch !== known) {
    replica.setProgress(known === undefined ? { epoch } : { epoch, isRestored: true });
  }
};

/** The clocks of the server's processes may differ by this much. */
const clockSkewMs = 5_000;

/**
 * Remembers when the replica had everything, by the server's clock. Of the last request only the time of its
 * response is known, so its duration is subtracted.
 */
export const recordCompletePull = (
  replica: Replica,
  { serverTime }: Pick<Schema<'SyncResult'>, 'serverTime'>,
  durationMs: number,
): void => {
  const completeAtMs = Date.parse(serverTime) - durationMs - clockSkewMs;
  replica.setProgress({ completeAt: new Date(completeAtMs).toISOString() });
};
