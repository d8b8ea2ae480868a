import type { Schema } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import { pushInBackground } from './push-in-background.ts';
import { listReadyToPush } from './replica.ts';
import type { SyncContext, SyncOptions } from './sync-context.ts';
import {
  beginFullPull,
  finishFullPull,
  applyChanges,
  applyResults,
  type SyncEvent,
} from './apply-response.ts';
import { compareEpoch, expireCursor, recordCompletePull } from './server-history.ts';
import { foregroundLimits, nextBatch, type Batch } from './next-batch.ts';

/** The outcome of a synchronisation. */
export type SyncReport = {
  readonly events: readonly SyncEvent[];
  /** Notes received from the server, including deleted ones. */
  readonly pulledIds: readonly string[];
  /** False when the server's digest still differs after a full pull, which is a fault of the server. */
  readonly isComplete: boolean;
  /** Whether the server was restored from a backup. What it had lost was sent again. */
  readonly isServerRestored: boolean;
};

type MutableReport = {
  events: SyncEvent[];
  readonly pulledIds: string[];
  isServerRestored: boolean;
};

/** Pushes and pulls until nothing is left on either side, then verifies the digest. */
export const synchronise = async (
  context: SyncContext,
  options: SyncOptions,
): Promise<SyncReport> => {
  const { replica } = context;
  const report: MutableReport = { events: [], pulledIds: [], isServerRestored: false };
  const reportProgress = (): void =>
    options.onProgress?.({
      pushed: report.events.length,
      toPush: listReadyToPush(replica).length,
      pulled: report.pulledIds.length,
    });
  if (options.inBackground || replica.progress().job) {
    report.events = await pushInBackground(context, { ...options, onResponse: reportProgress });
  }
  for (let canRepeatFullPull = true; ;) {
    // A full pull omits earlier deletions, so the result of a resent change could restore a deleted note
    // permanently. Nothing is sent until the pull is complete.
    const batch = replica.progress().isPullingAfresh ? [] : nextBatch(replica, foregroundLimits);
    await replica.commit();
    const startedAtMs = performance.now();
    const response = await postSync(context, batch, options.signal);
    if (response === 'expired') {
      expireCursor(replica);
      continue;
    }
    applyResponse(context, response, { report, sent: batch.length });
    reportProgress();
    const isPulled = !response.hasMore;
    const removedIds = isPulled ? await verifyIntegrity(context, response) : [];
    if (isPulled && removedIds !== 'incomplete') {
      recordCompletePull(replica, response, performance.now() - startedAtMs);
    }
    await replica.commit();
    if (removedIds !== 'incomplete') {
      // Not spread into one call: the ids of a large company exceed the stack.
      removedIds.forEach((id) => report.pulledIds.push(id));
      if (isPulled && listReadyToPush(replica).length === 0) {
        return { ...report, isComplete: true };
      }
      continue;
    }
    if (!canRepeatFullPull) {
      return { ...report, isComplete: false };
    }
    canRepeatFullPull = false;
    beginFullPull(replica);
  }
};

const applyResponse = (
  context: SyncContext,
  response: Schema<'SyncResult'>,
  { report, sent }: { readonly report: MutableReport; readonly sent: number },
): void => {
  const { replica } = context;
  compareEpoch(replica, response);
  report.isServerRestored ||= replica.progress().isRestored === true;
  const events = applyResults(replica, response.results);
  assertProgress(context, response, { sent, applied: events.length });
  report.events.push(...events);
  report.pulledIds.push(...applyChanges(replica, response.changes));
  replica.setProgress({ cursor: response.cursor });
};

/**
 * Every round must make progress, or the loop would repeat the same request forever. Throws when the
 * server returned no result for any change, or a page whose cursor does not advance.
 */
const assertProgress = (
  { replica }: SyncContext,
  { cursor, hasMore }: Schema<'SyncResult'>,
  { sent, applied }: { readonly sent: number; readonly applied: number },
): void => {
  if (sent > 0 && applied === 0) {
    throw new Error(`The server returned no result for any of ${sent} changes.`);
  }
  if (sent === 0 && hasMore && cursor === replica.progress().cursor) {
    throw new Error('The server reports more changes, but its cursor does not advance.');
  }
};

const postSync = async (
  { api, replica }: SyncContext,
  batch: Batch,
  signal: AbortSignal | undefined,
): Promise<Schema<'SyncResult'> | 'expired'> => {
  const { clientId, cursor } = replica.progress();
  try {
    const { data } = await api.post('/api/sync', {
      body: { clientId, cursor, limit: 500, changes: [...batch] },
      ...(signal ? { signal } : {}),
    });
    return data as Schema<'SyncResult'>;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'cursor_expired' && cursor !== null) {
      return 'expired';
    }
    throw error;
  }
};

/**
 * Compares the replica with the server's integrity data. Only a full pull that is verified as complete
 * may conclude that a note it did not bring is deleted. Returns the ids of those notes.
 */
const verifyIntegrity = async (
  { replica, digest }: SyncContext,
  { integrity }: Schema<'SyncResult'>,
): Promise<string[] | 'incomplete'> => {
  const active = [...replica.all()].flatMap(({ id, server, isUnseen }) =>
    server && !isUnseen ? [{ id, revision: server.revision }] : [],
  );
  const isVerified =
    integrity !== undefined &&
    integrity.count === active.length &&
    integrity.digest === (await digest(active));
  if (!isVerified) {
    return 'incomplete';
  }
  return replica.progress().isPullingAfresh ? finishFullPull(replica) : [];
};
