import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, type CompanyWorld, bearer } from '@commonplace/e2e';
import { memoryOf } from './proc.ts';
import { noteOf } from './texts.ts';
import type { Product } from './product.ts';

/** Latencies of a company and peak memory of the notes process while some work ran. */
export type Watched<Result> = {
  readonly longestMs: number;
  readonly p99Ms: number;
  /** Responses other than 2xx. */
  readonly refused: number;
  readonly memoryMegabytes: number;
  readonly result: Result;
};

const pauseMs = 5;
const memoryEveryMs = 100;

/** Reads, writes and lists sequentially as one client of `company` while `work` runs. */
export const watchNeighbour = async <Result>(
  product: Product,
  company: CompanyWorld,
  work: () => Promise<Result>,
): Promise<Watched<Result>> => {
  const api = createApi({ baseUrl: product.url, headers: bearer(company.key) });
  const path = `/api/notes/${company.noteId}`;
  const requests = [
    () => api('GET', path),
    () => api('PUT', path, { body: noteOf('quiet') }),
    () => api('GET', path),
    () => api('GET', '/api/notes?limit=20'),
  ];
  const { pid } = product.services.notes;
  const timesMs: number[] = [];
  const over = new AbortController();
  let [refused, memoryMegabytes, sampledAt] = [0, 0, 0];
  const working = work().finally(() => over.abort());
  working.catch(() => undefined);
  // The last request is awaited even if the work ends first: it may take longest.
  for (let count = 0; !over.signal.aborted; count += 1) {
    const startedAt = performance.now();
    const { status } = (await requests[count % requests.length]?.()) ?? { status: 0 };
    timesMs.push(performance.now() - startedAt);
    refused += status >= 200 && status < 300 ? 0 : 1;
    if (performance.now() - sampledAt > memoryEveryMs) {
      memoryMegabytes = Math.max(memoryMegabytes, memoryOf(pid, { withChildren: false }));
      sampledAt = performance.now();
    }
    await sleep(pauseMs);
  }
  const sorted = timesMs.toSorted((a, b) => a - b);
  return {
    longestMs: sorted.at(-1) ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    refused,
    memoryMegabytes,
    result: await working,
  };
};
