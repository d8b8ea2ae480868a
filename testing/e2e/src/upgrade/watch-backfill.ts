import { setTimeout as sleep } from 'node:timers/promises';
import { metricOf, readMetrics } from '../metrics.ts';
import { bearer, createApi } from '../call-api.ts';

/** What is left to do in the background, and what clients find meanwhile. */
export type Progress = {
  readonly seconds: number;
  /** Changes whose search documents are of the previous release. */
  readonly searchChanges: number;
  /** Changes that are not in the catalog of folders, tags and links. */
  readonly catalogChanges: number;
  /** Notes that a search for a word finds, as it is written and in another form. */
  readonly found: { readonly exact: number; readonly otherForm: number };
  /** Whether the list of folders says that it is complete. */
  readonly hasAllFolders: boolean;
  /** Of two searches and a list of folders together. */
  readonly requestMs: number;
};

type WatchOptions = {
  readonly baseUrl: string;
  readonly key: string;
  readonly metricsPort: number;
  readonly pollMs: number;
  readonly secondsMax: number;
  readonly onProgress: (progress: Progress) => void;
};

/** Polls metrics and API until nothing is left, and returns what it saw. */
export const watchBackfill = async (options: WatchOptions): Promise<Progress[]> => {
  const { baseUrl, key, metricsPort, pollMs, secondsMax, onProgress } = options;
  const agent = createApi({ baseUrl, headers: bearer(key) });
  const startedAt = performance.now();
  const seen: Progress[] = [];
  for (;;) {
    const page = await readMetrics(metricsPort, 'notes');
    const requestedAt = performance.now();
    const exact = await agent('GET', '/api/notes?q=needle&limit=200');
    const otherForm = await agent('GET', '/api/notes?q=needles&limit=200');
    const folders = await agent('GET', '/api/notes/folders?limit=1');
    const progress: Progress = {
      seconds: (performance.now() - startedAt) / 1_000,
      searchChanges: metricOf(page, 'notes_search_rebuild_changes'),
      catalogChanges: metricOf(page, 'notes_catalog_backfill_changes'),
      found: { exact: itemsOf(exact.body), otherForm: itemsOf(otherForm.body) },
      hasAllFolders: (folders.body as { isComplete?: boolean }).isComplete === true,
      requestMs: performance.now() - requestedAt,
    };
    seen.push(progress);
    onProgress(progress);
    const { searchChanges, catalogChanges, hasAllFolders } = progress;
    if (searchChanges === 0 && catalogChanges === 0 && hasAllFolders) {
      return seen;
    }
    if (progress.seconds > secondsMax) {
      throw new Error(`The backfill is not complete after ${secondsMax} s`);
    }
    await sleep(pollMs);
  }
};

const itemsOf = (body: unknown): number => (body as { items?: unknown[] }).items?.length ?? -1;
