import { until } from '@commonplace/testkit';
import type { NotesWorld } from './notes-world.ts';

/** Waits until so many changes are queued or being written by the first instance. */
export const untilWaiting = ({ deps }: NotesWorld, count: number): Promise<void> =>
  until(() => (deps[0]?.writeCounters.waiting ?? 0) >= count);
