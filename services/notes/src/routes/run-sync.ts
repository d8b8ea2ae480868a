import { AppError } from '@commonplace/contracts/core';
import {
  runSyncContract,
  syncBytesMax,
  syncChangesMax,
  type SyncRequest,
} from '@commonplace/contracts/notes';
import {
  assertWritable,
  bodyBytesOf,
  defineRoute,
  inParts,
  isWritable,
  reply,
  type CompanyScope,
} from '@commonplace/http';
import type { WriteNotes } from '../commands/create-note-writer.ts';
import type { TakeTurn } from '../commands/turns.ts';
import type { Deps } from '../deps.ts';
import { authorOf } from '../policy/author-of.ts';
import { readCursor, type SyncCursor } from '../policy/sync-cursor.ts';
import { assertCursorCurrent } from '../commands/assert-cursor-current.ts';
import { enqueueSyncJob } from '../commands/enqueue-sync-job.ts';
import { pullEverything } from './pull-everything.ts';
import { synchronise } from './synchronise.ts';

/** Pushes changes and pulls what changed, in one round trip. */
export const runSyncRoute = (deps: Pick<Deps, 'db' | 'clock' | 'write' | 'jobBell' | 'takeTurn'>) =>
  defineRoute(runSyncContract, async ({ body, caller, company, header, raw, stillAllowed }) => {
    const hasChanges = body.changes.length > 0;
    const isBackground = body.mode === 'background' || prefersAsync(header('Prefer'));
    if (hasChanges || isBackground) {
      assertMayWrite(company);
    }
    if (!isBackground) {
      assertForeground(body, bodyBytesOf(raw.res));
    }
    const cursor = body.cursor === null ? null : readCursor(body.cursor, company.id);
    const isRefused = hasChanges && !isWritable({ caller, company });
    // A push that is answered at once looks under the lock of its company.
    if (isRefused || isBackground) {
      await assertCursorCurrent(deps.db, company.id, cursor);
    }
    if (hasChanges) {
      assertWritable({ caller, company });
    }
    const author = authorOf(caller);
    const companyId = company.id;
    if (isBackground) {
      const jobCaller = { author, isLocal: caller.kind === 'operator' && caller.isLocal };
      const jobId = await enqueueSyncJob(deps, { companyId, caller: jobCaller, body });
      return reply(202, { jobId, status: 'queued' as const }, { Location: `/api/sync/${jobId}` });
    }
    /** What waits for its turn is judged again when that has come. */
    const assertStill = async () => {
      const now = await stillAllowed();
      if (hasChanges) {
        assertMayWrite(now.company);
        assertWritable(now);
      }
    };
    const takeTurn: TakeTurn = (companyId, work) =>
      deps.takeTurn(companyId, async () => {
        await assertStill();
        return work();
      });
    const write: WriteNotes = (companyId, submission) =>
      deps.write(companyId, { ...submission, stillAllowed: assertStill });
    const { limit } = body;
    const isLargePull = isPullOfEverything(cursor) && limit > lightMax;
    if (isLargePull && !hasChanges) {
      return inParts(200, pullEverything({ ...deps, takeTurn }, { companyId, cursor, limit }));
    }
    const request = { companyId, author, body, cursor };
    const work = () => synchronise({ ...deps, write }, request);
    const isHeavy = isLargePull || body.changes.length > lightMax;
    return reply(200, await (isHeavy ? takeTurn(companyId, work) : work()));
  });

const assertMayWrite = ({ role }: CompanyScope): void => {
  if (role === 'viewer') {
    throw new AppError('role_insufficient');
  }
};

/** So many notes one edits, or looks at, in a minute; beyond it is the outbox of days, or a flood. */
const lightMax = 50;

/** A client that has not seen everything yet gets page after page, as large as they may be. */
const isPullOfEverything = (cursor: SyncCursor | null): boolean =>
  cursor?.snapshotHead !== undefined || cursor === null;

/** RFC 7240: the client would rather have a receipt than wait. */
const prefersAsync = (prefer: string | undefined): boolean =>
  prefer?.split(/[,;]/).some((preference) => preference.trim().toLowerCase() === 'respond-async') ??
  false;

/** What is answered at once is smaller than what may be left to the background. */
const assertForeground = (body: SyncRequest, bytes: number): void => {
  if (bytes > syncBytesMax.foreground) {
    throw new AppError('body_too_large', 'Send at most 8 MiB, or ask for the background.');
  }
  if (body.changes.length > syncChangesMax.foreground) {
    const message = `at most ${syncChangesMax.foreground} are answered at once; ask for the background`;
    throw new AppError('validation_failed', 'The body is not valid.', {
      errors: [{ path: '/changes', message }],
    });
  }
};
