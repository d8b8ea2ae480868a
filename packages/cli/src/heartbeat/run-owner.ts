import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasStartTime, processStartTime } from '@commonplace/file-lock';
import { z } from 'zod';

/** How the names of the folders of runs begin. */
export const runFolderPrefix = 'commonplace-run-';

/** A process. The start time distinguishes it from a later one with the same id. */
const processIdentity = z.object({ pid: z.int().min(2), startTime: z.string() });
export type ProcessIdentity = z.infer<typeof processIdentity>;

const runOwner = z.object({
  heartbeat: processIdentity.nullable(),
  command: processIdentity.nullish(),
});

/** The processes of a run: the heartbeat, and its command once it is started. */
export type RunOwner = z.infer<typeof runOwner>;

/** Null when there is no such process. */
export const identifyProcess = async (pid: number): Promise<ProcessIdentity | null> => {
  const startTime = await processStartTime(pid);
  return startTime === null ? null : { pid, startTime };
};

/** Whether a process still runs. */
export const isRunning = ({ pid, startTime }: ProcessIdentity): Promise<boolean> =>
  hasStartTime(pid, startTime);

/** Writes the processes of a run into its folder. */
export const writeOwner = async (folder: string, owner: RunOwner): Promise<void> => {
  const next = join(folder, 'owner.next');
  await writeFile(next, JSON.stringify(owner), { mode: 0o600 });
  await rename(next, join(folder, 'owner.json'));
};

/** Returns the processes of a run; null for a folder that says nothing about them. */
export const readOwner = async (folder: string): Promise<RunOwner | null> => {
  try {
    return runOwner.parse(JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8')));
  } catch {
    return null;
  }
};
