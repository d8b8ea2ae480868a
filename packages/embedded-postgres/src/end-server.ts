import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long each way of asking may take before the next, harder one. */
const steps = [
  { signal: 'SIGINT', waitSeconds: 30 },
  { signal: 'SIGQUIT', waitSeconds: 10 },
  { signal: 'SIGKILL', waitSeconds: 5 },
] as const;

/**
 * Ends a server by its process id: SIGINT ends its sessions and writes everything out ("fast").
 * SIGQUIT and SIGKILL only follow when it hangs, and cost a recovery at the next start, no data.
 */
export const endServer = async (pid: number): Promise<void> => {
  for (const { signal, waitSeconds } of steps) {
    sendSignal(pid, signal);
    if (await hasEnded(pid, waitSeconds)) {
      return;
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) could not be stopped.`);
};

/** Whether a process of this id exists, whoever it is, and even when it only waits to be buried. */
export const processExists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * A dead process keeps its id until its parent takes note. Where an orphan's new parent never does,
 * as in a container without an init, only the state in /proc tells.
 */
const isRunning = async (pid: number): Promise<boolean> => {
  if (!processExists(pid)) {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) Z /.test(stat);
};

const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
};

const hasEnded = async (pid: number, waitSeconds: number): Promise<boolean> => {
  const deadline = Date.now() + waitSeconds * 1000;
  while (await isRunning(pid)) {
    if (Date.now() > deadline) {
      return false;
    }
    await sleep(20);
  }
  return true;
};
