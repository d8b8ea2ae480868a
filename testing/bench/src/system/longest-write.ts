import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApi } from '@commonplace/e2e';
import { noteOf } from './texts.ts';

const pauseMs = 5;

/** Writes notes sequentially as one client while `work` runs; returns the longest time of a write. */
export const longestWrite = async (
  { url, key }: { readonly url: string; readonly key: string },
  work: () => Promise<unknown>,
): Promise<number> => {
  const api = createApi({ baseUrl: url, headers: bearer(key) });
  const path = `/api/notes/${randomUUID()}`;
  const over = new AbortController();
  let [longestMs, count] = [0, 0];
  const working = work().finally(() => over.abort());
  working.catch(() => undefined);
  while (!over.signal.aborted) {
    const startedAt = performance.now();
    const { status } = await api('PUT', path, { body: noteOf(`written ${count}`) });
    if (status !== 200 && status !== 201) {
      throw new Error(`A write beside the work got ${status}`);
    }
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    count += 1;
    await sleep(pauseMs);
  }
  await working;
  return longestMs;
};
