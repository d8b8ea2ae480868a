import { relative, sep } from 'node:path';
import { startSyncLoop, type ApiClient } from '@commonplace/client';
import { watch } from 'chokidar';
import type { SyncSummary } from './sync-summary.ts';
import { stateFolder } from './folder-paths.ts';

/** What to watch, and the callbacks. */
export type WatchOptions = {
  readonly api: ApiClient;
  readonly root: string;
  readonly syncOnce: () => Promise<SyncSummary>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
};

/** Editors write a file in several steps: a synchronisation starts after this long without an event. */
const debounceMs = 100;
/** The delay of the next synchronisation when files were changing during the previous one. */
const busyRetryMs = 1_000;

/** Synchronises at once and whenever a file or a note changes, until the signal. */
export const watchFolder = async (options: WatchOptions): Promise<void> => {
  const { api, root, syncOnce, signal, onError } = options;
  let timer: NodeJS.Timeout | undefined;
  const scheduleSync = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => loop.trigger(), ms);
  };
  const syncAndReschedule = async (): Promise<void> => {
    const { busy } = await syncOnce();
    if (busy > 0) {
      scheduleSync(busyRetryMs);
    }
  };
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => isHidden(relative(root, path)),
  });
  watcher.on('all', () => scheduleSync(debounceMs));
  // The watcher reports no events for changes made before it is ready.
  watcher.on('ready', () => scheduleSync(0));
  watcher.on('error', onError);
  const loop = startSyncLoop({ api, syncOnce: syncAndReschedule, signal, onError });
  try {
    await loop.ended;
  } finally {
    clearTimeout(timer);
    await watcher.close();
  }
};

const isHidden = (path: string): boolean =>
  path.split(sep).some((segment) => segment === stateFolder || segment.startsWith('.'));
