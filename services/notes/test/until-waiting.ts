import { setTimeout as sleep } from 'node:timers/promises';
import type { NotesWorld } from './notes-world.ts';

/** Waits until so many changes are queued or being written by the first instance; throws if they never are. */
export const untilWaiting = async ({ deps }: NotesWorld, count: number): Promise<void> => {
  const deadline = AbortSignal.timeout(30_000);
  while ((deps[0]?.writeCounters.waiting ?? 0) < count) {
    deadline.throwIfAborted();
    await sleep(5);
  }
};
