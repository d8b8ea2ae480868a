import {
  AppError,
  runSync,
  syncBytesMax,
  syncChangesMax,
  type SyncRequest,
} from '@commonplace/contracts';
import { assertWritable, defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { authorOf } from '../policy/author-of.ts';
import { readCursor } from '../policy/sync-cursor.ts';
import { assertCursorCurrent } from '../commands/assert-cursor-current.ts';
import { synchronise } from './synchronise.ts';

/** Pushes changes and pulls what changed, in one round trip. */
export const runSyncRoute = (deps: Pick<Deps, 'db' | 'clock' | 'write'>) =>
  defineRoute(runSync, async ({ body, caller, company, raw }) => {
    const hasChanges = body.changes.length > 0;
    assertForeground(body, raw.req.headers['content-length']);
    if (hasChanges && company.role === 'viewer') {
      throw new AppError('role_insufficient');
    }
    const cursor = body.cursor === null ? null : readCursor(body.cursor, company.id);
    if (hasChanges) {
      await assertCursorCurrent(deps.db, company.id, cursor);
      assertWritable({ caller, company });
    }
    const request = { companyId: company.id, author: authorOf(caller), body, cursor };
    return reply(200, await synchronise(deps, request));
  });

/** What is answered at once is smaller than what may be left to the background. */
const assertForeground = (body: SyncRequest, contentLength: string | undefined): void => {
  const bytes = contentLength === undefined ? JSON.stringify(body).length : Number(contentLength);
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
