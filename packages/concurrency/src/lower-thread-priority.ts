import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Makes the calling worker thread yield to all other threads that want a processor, about ten to one. Linux only:
 * elsewhere a priority belongs to the whole process.
 */
export const lowerThreadPriority = (): void => {
  if (process.platform !== 'linux') {
    return;
  }
  try {
    // Linux gives each thread an id like that of a process, and a priority.
    const threadId = Number(basename(readlinkSync('/proc/thread-self')));
    // A process may run at a lower priority already, from which root could raise its threads.
    setPriority(threadId, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Without /proc, or where a container forbids it, the thread keeps its priority.
  }
};
