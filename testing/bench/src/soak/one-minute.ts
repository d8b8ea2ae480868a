import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/load.ts';
import { runSyncTask } from '../load/run-sync-task.ts';
import { noteOf } from '../system/note-of.ts';
import type { Product } from '../system/product.ts';

export type Inhabitants = {
  /** The company of 32 clients that read, list, write and ask who they are. */
  readonly steady: CompanyWorld;
  /** The company that gets new notes in batches of 500, and is pulled from the start. */
  readonly loud: CompanyWorld;
};

/** Requests a second, or as many as there can be. */
export type Rate = number | null;

const batchNotesMax = 5_000;
const noteText = JSON.stringify(noteOf('soaked {{n}}'));

/** What two companies of agents do in a minute when they do nothing else. */
export const oneMinute = async (
  { url }: Product,
  { steady, loud }: Inhabitants,
  rate: Rate,
): Promise<void> => {
  const headers = { ...bearer(steady.key), 'content-type': 'application/json' };
  const requests: LoadRequest[] = [
    { method: 'GET', path: `/api/notes/${steady.noteId}`, headers },
    { method: 'GET', path: '/api/notes?limit=50', headers },
    { method: 'PUT', path: `/api/notes/${steady.noteId}`, headers, body: noteText },
    { method: 'GET', path: '/api/agents/me', headers },
  ];
  const load = runLoad({
    url,
    requests,
    connections: 32,
    isCycled: true,
    seconds: 58,
    ...(rate === null ? {} : { perSecondMax: rate }),
  });
  const notes = rate === null ? batchNotesMax : Math.min(batchNotesMax, Math.ceil(rate / 25) * 500);
  const batch = { url, headers: bearer(loud.key), notes, batch: 500 } as const;
  await runSyncTask({ what: 'push', ...batch });
  await runSyncTask({ what: 'pull', ...batch });
  await load;
};
