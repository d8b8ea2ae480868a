import { fileURLToPath } from 'node:url';
import { runTask } from '../run-child.ts';

export type StoredRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
};

/** Small requests whose effect is as large as what is stored; `atOnce` of them are under way. */
export type StoredTask = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly StoredRequest[];
  readonly atOnce: number;
};

const file = fileURLToPath(import.meta.resolve('./stored-process.ts'));

/** Sends them from a process of its own; gives how many responses had which status. */
export const runStoredTask = (task: StoredTask): Promise<Readonly<Record<number, number>>> =>
  runTask({ file, input: task });
