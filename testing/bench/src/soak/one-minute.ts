import { bearer } from '@commonplace/e2e';
import { runLoad } from '../load/run-load.ts';
import { runSyncTask } from '../load/tasks.ts';
import { endIdleTasks } from '../run-child.ts';
import type { Product } from '../system/product.ts';
import { listenForChanges } from './listen-for-changes.ts';
import { soakRequests } from './soak-requests.ts';
import type { SoakedCompanies } from './soaked-companies.ts';

/** Requests per second; null means unlimited. */
export type Rate = number | null;

const batchNotesMax = 5_000;
const listeners = 20;

/** One minute of load in two companies. */
export const oneMinute = async (
  { url }: Pick<Product, 'url'>,
  { steady, loud, refreshConnection }: SoakedCompanies,
  rate: Rate,
): Promise<void> => {
  const streams = listenForChanges(url, bearer(steady.key), listeners);
  const load = runLoad({
    url,
    requests: soakRequests(steady, await refreshConnection()),
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
  await streams.close();
  endIdleTasks();
};
