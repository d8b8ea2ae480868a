import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The signals in the order in which they are sent, and how long each may take. */
const steps = [
  { signal: 'SIGINT', waitSeconds: 30 },
  { signal: 'SIGQUIT', waitSeconds: 10 },
  { signal: 'SIGKILL', waitSeconds: 5 },
] as const;

/**
 * Stops a server by its process id. SIGINT ends its sessions and writes everything to disk ("fast" shutdown).
 * SIGQUIT and SIGKILL follow only if it hangs. They lose no data, but the next start needs a recovery.
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

/** Whether a process with this id exists, of any user, zombies included. */
export const processExists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * A zombie keeps its process id until its parent waits for it. In a container without an init nobody waits for
 * orphans, so the state in /proc decides.
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
  const deadline = performance.now() + waitSeconds * 1000;
  while (await isRunning(pid)) {
    if (performance.now() > deadline) {
      return false;
    }
    await sleep(20);
  }
  return true;
};
