import { runWorkers } from '../src/jobs/run-workers.ts';
import type { NotesWorld } from './notes-world.ts';

/** Runs the workers of background jobs on every instance. Returns what stops them, and waits for their end. */
export const startWorkers = ({ deps }: Pick<NotesWorld, 'deps'>): (() => Promise<void>) => {
  const stopping = new AbortController();
  const working = Promise.all(deps.map((each) => runWorkers(each, stopping.signal)));
  return async () => {
    stopping.abort();
    await working;
  };
};
