import type { Schema } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import { pushInBackground } from './push-in-background.ts';
import { listToSend } from './replica.ts';
import type { SyncContext, SyncOptions } from './sync-context.ts';
import { beginAfresh, endAfresh, takeChanges, takeResults, type SyncEvent } from './take-answer.ts';
import { foregroundLimits, takeBatch, type Batch } from './take-batch.ts';

/** What a synchronisation did. */
export type SyncReport = {
  readonly events: readonly SyncEvent[];
  /** Notes that came from the server, deleted ones included. */
  readonly pulledIds: readonly string[];
  /** False when the server's digest still differs after a full pull: then something is wrong there. */
  readonly isComplete: boolean;
};

type Mutable = { events: SyncEvent[]; readonly pulledIds: string[] };

/** Pushes and pulls until nothing is left on either side, then proves it by the digest. */
export const synchronise = async (
  context: SyncContext,
  options: SyncOptions,
): Promise<SyncReport> => {
  const { replica } = context;
  const report: Mutable = { events: [], pulledIds: [] };
  const tell = (): void =>
    options.onProgress?.({
      pushed: report.events.length,
      toPush: listToSend(replica).length,
      pulled: report.pulledIds.length,
    });
  if (options.inBackground || replica.progress().job) {
    report.events = await pushInBackground(context, { ...options, onAnswer: tell });
  }
  for (let canPullAfresh = true; ;) {
    // A full pull leaves out what was deleted before it began, so the answer to a change that is sent
    // again could bring back a note for good: nothing is sent before the pull is through.
    const batch = replica.progress().isPullingAfresh ? [] : takeBatch(replica, foregroundLimits);
    await replica.commit();
    const answer = await exchange(context, batch, options.signal);
    if (answer === 'expired') {
      beginAfresh(replica);
      continue;
    }
    const events = takeResults(replica, answer.results);
    assertProgress(context, answer, { sent: batch.length, answered: events.length });
    report.events.push(...events);
    report.pulledIds.push(...takeChanges(replica, answer.changes));
    replica.setProgress({ cursor: answer.cursor });
    tell();
    const isPulled = !answer.hasMore;
    const gone = isPulled ? await settle(context, answer) : [];
    await replica.commit();
    if (gone !== 'incomplete') {
      // Not as arguments of one call: of a large company there are more than the stack holds.
      gone.forEach((id) => report.pulledIds.push(id));
      if (isPulled && listToSend(replica).length === 0) {
        return { ...report, isComplete: true };
      }
      continue;
    }
    if (!canPullAfresh) {
      return { ...report, isComplete: false };
    }
    canPullAfresh = false;
    beginAfresh(replica);
  }
};

/**
 * Every round must bring something to its end, or the next one would be the same request again, for
 * good. Throws when the server answered none of the changes, or a page that leads back to itself.
 */
const assertProgress = (
  { replica }: SyncContext,
  { cursor, hasMore }: Schema<'SyncResult'>,
  { sent, answered }: { readonly sent: number; readonly answered: number },
): void => {
  if (sent > 0 && answered === 0) {
    throw new Error(`The server answered none of ${sent} changes.`);
  }
  if (sent === 0 && hasMore && cursor === replica.progress().cursor) {
    throw new Error('The server has more changes and gives no way to them.');
  }
};

const exchange = async (
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
 * Compares what we have with what the server says it has. Only a full pull that is proved complete
 * may conclude that a note it did not bring is gone. Gives the ids of those notes.
 */
const settle = async (
  { replica, digest }: SyncContext,
  { integrity }: Schema<'SyncResult'>,
): Promise<string[] | 'incomplete'> => {
  const living = [...replica.all()].flatMap(({ id, server, isUnseen }) =>
    server && !isUnseen ? [{ id, revision: server.revision }] : [],
  );
  const isEqual =
    integrity !== undefined &&
    integrity.count === living.length &&
    integrity.digest === (await digest(living));
  if (!isEqual) {
    return 'incomplete';
  }
  return replica.progress().isPullingAfresh ? endAfresh(replica) : [];
};
