import { AppError, type Reach } from '@commonplace/contracts/core';
import {
  runSyncContract,
  syncBytesMax,
  syncChangesMax,
  type SyncRequest,
} from '@commonplace/contracts/notes';
import {
  assertScope,
  assertWritable,
  bodyBytesOf,
  defineRoute,
  isWritable,
  prefers,
  reply,
  streamed,
  type CompanyScope,
  type Reader,
} from '@commonplace/http';
import { inIndexOrder, read } from '@commonplace/db';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { findHeadWithoutDepartures } from '../queries/departures.ts';
import type { JobCaller } from '../queries/job-caller.ts';
import { authorOf } from '../rules/author-of.ts';
import { readCursor, type SyncCursor } from '../rules/sync-cursor.ts';
import { assertCursorCurrent } from '../feed/ensure-feed.ts';
import { enqueueSyncJob } from '../jobs/enqueue-sync-job.ts';
import { streamFullPull } from '../sync/stream-full-pull.ts';
import { echoTo, synchronise } from '../sync/synchronise.ts';

type SyncDeps = Pick<Deps, 'db' | 'clock' | 'writeNotes' | 'jobSignal' | 'readCallerAccess'>;

/** Pushes changes and pulls what changed, in one round trip or as a job in the background. */
export const runSyncRoute = (deps: SyncDeps) =>
  defineRoute(runSyncContract, async ({ body, caller, company, header, raw, work }) => {
    const hasChanges = body.changes.length > 0;
    const isBackground = body.mode === 'background' || prefers(header('Prefer'), 'respond-async');
    if (hasChanges || isBackground) {
      assertMayWrite({ caller, company });
    }
    const bytes = bodyBytesOf(raw.res);
    if (!isBackground) {
      assertForeground(body, bytes);
    }
    const cursor = body.cursor === null ? null : readCursor(body.cursor, company.reach);
    const isRejected = hasChanges && !isWritable({ caller, company });
    // A push in the foreground checks the cursor under the lock of its company.
    if (isRejected || isBackground) {
      await assertCursorCurrent(deps.db, company.id, cursor);
    }
    if (hasChanges) {
      assertWritable({ caller, company });
    }
    const author = authorOf(caller);
    const { id: companyId, reach, grants } = company;
    if (isBackground) {
      const jobCaller = await jobCallerOf(deps, caller, company);
      const order = { companyId, caller: jobCaller, body, bytes };
      const jobId = await enqueueSyncJob(deps, order);
      return reply(202, { jobId, status: 'queued' as const }, { Location: `/api/sync/${jobId}` });
    }
    const { limit } = body;
    const isBulkPull = body.pull === 'all' && isFullPull(cursor) && limit > bulkThreshold;
    const streaming = isBulkPull && !hasChanges ? await streamingOf(deps, reach, cursor) : null;
    if (streaming) {
      const pull = { reach, cursor, limit, ...streaming, ...echoTo(author, body) };
      return streamed(200, streamFullPull({ ...deps, work }, pull));
    }
    const isBulk = isBulkPull || body.changes.length > bulkThreshold;
    const recheck = async () => assertMayPush(await work.recheck());
    const run = (reader: Reader) =>
      synchronise({ ...deps, reader }, { reach, grants, author, body, cursor, recheck });
    const runInSlot = async (inSlot: Reader) => {
      if (hasChanges) {
        await recheck();
      }
      return run(inSlot);
    };
    return reply(200, await (isBulk ? work.heavy(runInSlot) : run(work)));
  });

const jobCallerOf = async (
  { readCallerAccess }: Pick<Deps, 'readCallerAccess'>,
  caller: AgentCaller | OperatorCaller,
  { id, grants }: Pick<CompanyScope, 'id' | 'grants'>,
): Promise<JobCaller> => ({
  author: authorOf(caller),
  isLocal: caller.kind === 'operator' && caller.isLocal,
  ...(grants ? { grants } : {}),
  ...(await readCallerAccess(caller, id)),
});

const assertMayPush = (scope: Parameters<typeof assertWritable>[0]): void => {
  assertMayWrite(scope);
  assertWritable(scope);
};

/** Pulling needs the role of a viewer and `notes:read`; pushing needs more. */
const assertMayWrite = ({ caller, company }: Parameters<typeof assertWritable>[0]): void => {
  assertScope(caller, 'notes:write');
  if (company.role === 'viewer') {
    throw new AppError('role_insufficient');
  }
};

/**
 * How far a page may be streamed; null: not at all, because notes have left the folders that are seen since the pull began, and
 * their removals come between the notes. Its first page has none.
 */
const streamingOf = async (
  { db }: Pick<Deps, 'db'>,
  reach: Reach,
  cursor: SyncCursor | null,
): Promise<{ readonly upTo?: number } | null> => {
  if (reach.folders === null || cursor === null) {
    return {};
  }
  const after = Math.max(cursor.changeNo, cursor.snapshotHead ?? 0);
  const upTo = await read(db, inIndexOrder(reach), (tx) => findHeadWithoutDepartures(tx, after));
  return upTo === null ? null : { upTo };
};

/** More notes than somebody edits or reads in a minute: the outbox of days, or a flood. */
const bulkThreshold = 50;

/** The client has not pulled everything yet, so it gets page after page. */
const isFullPull = (cursor: SyncCursor | null): boolean =>
  cursor?.snapshotHead !== undefined || cursor === null;

/** The foreground takes less than the background. */
const assertForeground = (body: SyncRequest, bytes: number): void => {
  if (bytes > syncBytesMax.foreground) {
    throw new AppError('body_too_large', 'Send at most 8 MiB, or use the background.');
  }
  if (body.changes.length > syncChangesMax.foreground) {
    const message = `at most ${syncChangesMax.foreground} are accepted in the foreground; use the background`;
    throw new AppError('validation_failed', 'The body is not valid.', {
      errors: [{ path: '/changes', message }],
    });
  }
};
