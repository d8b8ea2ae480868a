import { relative, sep } from 'node:path';
import { stayInStep, type ApiClient } from '@commonplace/client';
import { watch } from 'chokidar';
import type { Tally } from './folder.ts';
import { ownFolder } from './folder-paths.ts';

/** What is watched, and what is done whenever something moved. */
export type WatchOptions = {
  readonly api: ApiClient;
  readonly root: string;
  readonly look: () => Promise<Tally>;
  readonly signal: AbortSignal;
  readonly onTrouble: (error: unknown) => void;
};

/** Editors write a file in several steps: a look waits until they have been quiet for so long. */
const quietMs = 100;
/** When files were being written or moved during a look, the next one follows after so long. */
const againMs = 1_000;

/** Looks at both sides at once and whenever a file or a note changes, until the signal. */
export const watchFolder = async (options: WatchOptions): Promise<void> => {
  const { api, root, look, signal, onTrouble } = options;
  let timer: NodeJS.Timeout | undefined;
  const kickIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stepper.kick(), ms);
  };
  const work = async (): Promise<void> => {
    const { busy } = await look();
    if (busy > 0) {
      kickIn(againMs);
    }
  };
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => isHidden(relative(root, path)),
  });
  watcher.on('all', () => kickIn(quietMs));
  // What came between the first look and the end of the watcher's own first look is news to nobody else.
  watcher.on('ready', () => kickIn(0));
  watcher.on('error', onTrouble);
  const stepper = stayInStep({ api, work, signal, onTrouble });
  try {
    await stepper.ended;
  } finally {
    clearTimeout(timer);
    await watcher.close();
  }
};

const isHidden = (path: string): boolean =>
  path.split(sep).some((segment) => segment === ownFolder || segment.startsWith('.'));
