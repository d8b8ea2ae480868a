import { fileURLToPath } from 'node:url';
import { runTask } from '../run-child.ts';

/** Large notes to be made, each with two revisions. */
export type FillTask = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  /** Notes in one request. */
  readonly atOnce: number;
  /** Content of a note. */
  readonly bytes: number;
};

const file = fileURLToPath(import.meta.resolve('./fill-process.ts'));

/** Makes them; gives how many. */
export const runFillTask = (task: FillTask): Promise<number> => runTask({ file, input: task });
