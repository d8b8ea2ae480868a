import type { Schema } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import { pushInBackground } from './push-in-background.ts';
import { listReadyToPush } from './replica.ts';
import { nothingUnreported, type Unreported } from './unreported.ts';
import type { SyncContext, SyncOptions } from './sync-context.ts';
import {
  beginFullPull,
  finishFullPull,
  applyChanges,
  applyResults,
  type SyncEvent,
} from './apply-response.ts';
import { compareEpoch, expireCursor, recordCompletePull } from './server-history.ts';
import { nextBatch, type Batch } from './next-batch.ts';

/** The outcome of a synchronisation, and of those before it that failed. */
export type SyncReport = {
  readonly events: readonly SyncEvent[];
  /** Notes received from the server, including deleted ones. */
  readonly pulledIds: readonly string[];
  /** False when the server's digest still differs after a full pull, which is a fault of the server. */
  readonly isComplete: boolean;
  /** Whether the server was restored from a backup. What it had lost was sent again. */
  readonly isServerRestored: boolean;
  /** Why nothing was sent: the credential may only read, or its agent is paused. Edits stay, and are sent when one may write. */
  readonly sendRefusal: string | null;
};

type MutableReport = Unreported & { sendRefusal: string | null };

/**
 * Pushes and pulls until nothing is left on either side, then verifies the digest. What a synchronisation received that
 * failed is in the report of the next one, because no later pull brings it again.
 */
export const synchronise = async (
  context: SyncContext,
  options: SyncOptions,
): Promise<SyncReport> => {
  const report: MutableReport = { ...context.unreported, sendRefusal: null };
  try {
    const isComplete = await synchroniseInto(report, context, options);
    context.unreported = nothingUnreported();
    return { ...report, isComplete };
  } catch (error) {
    const { events, pulledIds, isServerRestored } = report;
    // A full pull that fails again and again brings the same ids each time.
    context.unreported = { events, pulledIds: [...new Set(pulledIds)], isServerRestored };
    throw error;
  }
};

const createProgressReporter = (
  { replica }: SyncContext,
  { events, pulledIds }: MutableReport,
  { onProgress }: SyncOptions,
): (() => void) => {
  const [pushedBefore, pulledBefore] = [events.length, pulledIds.length];
  return () =>
    onProgress?.({
      pushed: events.length - pushedBefore,
      toPush: listReadyToPush(replica).length,
      pulled: pulledIds.length - pulledBefore,
    });
};

/** Returns whether the replica is complete. */
const synchroniseInto = async (
  report: MutableReport,
  context: SyncContext,
  options: SyncOptions,
): Promise<boolean> => {
  const { replica } = context;
  const reportProgress = createProgressReporter(context, report, options);
  if (options.inBackground || replica.progress().job) {
    const onEvents = (events: readonly SyncEvent[]): void => {
      report.events.push(...events);
      reportProgress();
    };
    await refusing(report, () => pushInBackground(context, { ...options, onEvents }));
  }
  for (let canRepeatFullPull = true; ;) {
    const exchanged = await exchange(context, report, options.signal);
    if (!exchanged) {
      continue;
    }
    const { response, durationMs } = exchanged;
    reportProgress();
    const isPulled = !response.hasMore;
    const removedIds = isPulled ? await verifyIntegrity(context, response) : [];
    if (isPulled && removedIds !== 'incomplete') {
      recordCompletePull(replica, response, durationMs);
    }
    await replica.commit();
    if (removedIds !== 'incomplete') {
      // Not spread into one call: the ids of a large company exceed the stack.
      removedIds.forEach((id) => report.pulledIds.push(id));
      if (isPulled && (report.sendRefusal !== null || listReadyToPush(replica).length === 0)) {
        await context.followProposals(context, report, options.signal);
        await replica.commit();
        return true;
      }
      continue;
    }
    if (!canRepeatFullPull) {
      return false;
    }
    canRepeatFullPull = false;
    beginFullPull(replica);
  }
};

type Exchange = { readonly response: Schema<'SyncResult'>; readonly durationMs: number };

/** One round trip. Null when another one must follow: with fewer changes, without any, for a smaller page, or without a cursor. */
const exchange = async (
  context: SyncContext,
  report: MutableReport,
  signal: AbortSignal | undefined,
): Promise<Exchange | null> => {
  const { replica, pace, pages } = context;
  // A full pull omits earlier deletions, so the result of a resent change could restore a deleted note
  // permanently. Nothing is sent until the pull is complete.
  const mayPush =
    report.sendRefusal === null && !replica.progress().isPullingAfresh && !pages.next().isProbe;
  const { batch, refused } = mayPush
    ? nextBatch(replica, pace.limits())
    : { batch: [], refused: [] };
  report.events.push(...refused);
  await replica.commit();
  const startedAtMs = performance.now();
  const response = await refusing(report, () => postSync(context, batch, signal));
  if (response === 'expired') {
    expireCursor(replica);
  }
  if (response === 'expired' || response === 'refused' || response === 'too slow') {
    return null;
  }
  applyResponse(context, response, { report, sent: batch.length });
  return { response, durationMs: performance.now() - startedAtMs };
};

/** A push that the credential may not make must not keep the replica from pulling. */
const refusing = async <Result>(
  report: MutableReport,
  request: () => Promise<Result>,
): Promise<Result | 'refused'> => {
  try {
    return await request();
  } catch (error) {
    const isReadOnly = error instanceof ProblemError && sendRefusedCodes.has(error.code);
    if (!isReadOnly || report.sendRefusal !== null) {
      throw error;
    }
    report.sendRefusal = error.detail;
    return 'refused';
  }
};

const sendRefusedCodes: ReadonlySet<string> = new Set([
  'agent_paused',
  'insufficient_scope',
  'role_insufficient',
]);

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
  { api, replica, proposals, pace, pages }: SyncContext,
  batch: Batch,
  signal: AbortSignal | undefined,
): Promise<Schema<'SyncResult'> | 'expired' | 'too slow'> => {
  const { clientId, cursor } = replica.progress();
  const { limit, isProbe } = pages.next();
  try {
    const { data } = await api.post('/api/sync', {
      ...(isProbe ? { attempts: 1 } : {}),
      body: {
        clientId,
        cursor,
        limit,
        changes: [...batch],
        ...(proposals ? { proposals } : {}),
      },
      ...(signal ? { signal } : {}),
    });
    const result = data as Schema<'SyncResult'>;
    pace.speedUp(batch);
    pages.speedUp({ isFull: result.hasMore });
    return result;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'cursor_expired' && cursor !== null) {
      return 'expired';
    }
    const sendsLess = signal?.aborted !== true && pace.slowDown(error, batch);
    if (signal?.aborted !== true && pages.slowDown(error, { sendsLess })) {
      return 'too slow';
    }
    throw error;
  }
};

/**
 * Compares the replica with the server's integrity data. Only a full pull that is verified as complete
 * may conclude that a note it did not bring is deleted; without such data, that it is hidden. Returns the ids of those notes.
 */
const verifyIntegrity = async (
  { replica, digest }: SyncContext,
  { integrity }: Schema<'SyncResult'>,
): Promise<string[] | 'incomplete'> => {
  if (integrity === undefined) {
    // The server hides part of the notes from this credential, so there is nothing to compare with.
    return finishIfFull(replica, false);
  }
  const active = [...replica.all()].flatMap(({ id, server, isUnseen }) =>
    server && !isUnseen ? [{ id, revision: server.revision }] : [],
  );
  const isVerified =
    integrity.count === active.length && integrity.digest === (await digest(active));
  return isVerified ? finishIfFull(replica, true) : 'incomplete';
};

const finishIfFull = (replica: SyncContext['replica'], isVerified: boolean): string[] =>
  replica.progress().isPullingAfresh ? finishFullPull(replica, { isVerified }) : [];
