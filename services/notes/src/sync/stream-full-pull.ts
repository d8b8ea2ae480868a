import type { SyncResult } from '@commonplace/contracts/notes';
import type { StreamedBody, Work } from '@commonplace/http';
import type { PullRequest } from './pull-changes.ts';
import { openPullStream } from './pull-stream.ts';
import type { echoTo } from './synchronise.ts';
import { isKnownTo, type PullingClient } from './without-content.ts';
import type { Deps } from '../deps.ts';
import { writeCursor } from '../rules/sync-cursor.ts';
import { presentSyncEnd } from '../present/present-sync-result.ts';
import { writeChange } from '../present/write-change.ts';
import type { NoteRowInJson } from '../queries/note-rows.ts';

/**
 * A streamed page of a first pull. Notes are sent while later ones are read, so that database, service, gateway
 * and client work in parallel.
 */
export const streamFullPull = (
  {
    db,
    clock,
    work,
  }: Pick<Deps, 'db' | 'clock'> & { readonly work: Pick<Work<unknown>, 'stream'> },
  { withoutContentOf, ...request }: Omit<PullRequest, 'known'> & ReturnType<typeof echoTo>,
): StreamedBody<SyncResult, 'changes'> => {
  const { parts, end } = openPullStream(db, { ...request, known: [] });
  return {
    list: 'changes',
    parts: written(work.stream(parts), withoutContentOf),
    rest: () => {
      const page = end();
      return presentSyncEnd({
        ...page,
        results: [],
        cursor: writeCursor(page.cursor),
        isConfined: request.reach.folders !== null,
        at: clock(),
      });
    },
  };
};

async function* written(
  parts: AsyncIterable<readonly NoteRowInJson[]>,
  client: PullingClient | undefined,
) {
  for await (const notes of parts) {
    yield notes.map((note) =>
      writeChange(client && isKnownTo(note, client) ? { ...note, content: null } : note),
    );
  }
}
