import { fileURLToPath } from 'node:url';
import { runTask } from '../run-child.ts';

/** One client that pushes or pulls many notes. */
export type SyncTask = {
  readonly what: 'push' | 'pull';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly notes: number;
  readonly batch: number;
};

const file = fileURLToPath(import.meta.resolve('./sync-process.ts'));

/** Gives notes a second. */
export const runSyncTask = (task: SyncTask): Promise<number> => runTask({ file, input: task });
