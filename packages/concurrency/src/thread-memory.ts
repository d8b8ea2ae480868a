import { setTimeout as sleep } from 'node:timers/promises';

/** What threads of a process share: when memory is scarce, idle ones end before another one starts. */
export type ThreadMemory = {
  /** `endIfIdle` is called when another thread needs the memory. Returns what to call before each start of the thread. */
  readonly join: (endIfIdle: () => Promise<void>) => () => Promise<void>;
};

const scarceMegabytes = 320;
/** A thread of low priority may take long to end on busy processors; the other one does not wait for that. */
const waitMsMax = 100;

/**
 * An idle thread keeps its heap for the next task, which spares that task a start. Beside a thread that is about to work
 * the heap is worth more than the start: V8 gives the pages of an ended thread to the next one.
 */
export const createThreadMemory = (
  isScarce: () => boolean = () => process.memoryUsage.rss() > scarceMegabytes * 1024 * 1024,
): ThreadMemory => {
  const members = new Set<() => Promise<void>>();
  return {
    join: (endIfIdle) => {
      members.add(endIfIdle);
      return async () => {
        if (isScarce()) {
          const others = [...members].filter((each) => each !== endIfIdle);
          const ended = Promise.all(others.map((endOther) => endOther()));
          await Promise.race([ended, sleep(waitMsMax, undefined, { ref: false })]);
        }
      };
    },
  };
};
