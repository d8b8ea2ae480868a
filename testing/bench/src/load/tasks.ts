import { join } from 'node:path';
import { runRepeatedTask, runTask } from '../run-child.ts';

const fileOf = (name: string): string => join(import.meta.dirname, name);

/** One client that pushes or pulls many notes. */
export type SyncTask = {
  readonly what: 'push' | 'pull';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly notes: number;
  readonly batch: number;
};

/** Returns notes per second. */
export const runSyncTask = (task: SyncTask): Promise<number> =>
  runRepeatedTask({ file: fileOf('sync-process.ts'), input: task });

/** Large notes to create, each with two revisions. */
export type FillTask = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  /** Notes in one request. */
  readonly atOnce: number;
  /** Content of a note. */
  readonly bytes: number;
};

/** Creates the notes; returns their number. */
export const runFillTask = (task: FillTask): Promise<number> =>
  runTask({ file: fileOf('fill-process.ts'), input: task });

export type StoredRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: string;
};

/** Small requests on large stored data, `atOnce` of them concurrent. */
export type StoredTask = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly StoredRequest[];
  readonly atOnce: number;
};

/** Sends the requests from a child process; returns the number of responses by status. */
export const runStoredTask = (task: StoredTask): Promise<Readonly<Record<number, number>>> =>
  runTask({ file: fileOf('stored-process.ts'), input: task });
