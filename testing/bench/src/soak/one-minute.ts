import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import { runSyncTask } from '../load/tasks.ts';
import { noteOf } from '../system/texts.ts';
import type { Product } from '../system/product.ts';

export type SoakCompanies = {
  /** The company of 32 clients that read, list, write and call `GET /api/agents/me`. */
  readonly steady: CompanyWorld;
  /** The company that receives new notes in batches of 500 and serves full pulls. */
  readonly loud: CompanyWorld;
};

/** Requests per second; null means unlimited. */
export type Rate = number | null;

const batchNotesMax = 5_000;
const noteText = JSON.stringify(noteOf('soaked {{n}}'));

/** One minute of load in two companies. */
export const oneMinute = async (
  { url }: Pick<Product, 'url'>,
  { steady, loud }: SoakCompanies,
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
