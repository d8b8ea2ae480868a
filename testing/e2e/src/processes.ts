import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningSystem, SystemProcess } from '@commonplace/standalone';

/** The process ids of a service, one per replica. */
export const pidsOf = (system: RunningSystem, name: SystemProcess['name']): number[] => {
  const pids = system.processes
    .filter((process) => process.name === name)
    .map(({ pid }) => pid)
    .filter((pid) => pid !== null);
  if (pids.length === 0) {
    throw new Error(`${name} is not running`);
  }
  return pids;
};

/** Restarts the processes of services, one after the other; the next one only when this one is back. */
export const restartEach = async (
  system: RunningSystem,
  names: readonly SystemProcess['name'][],
): Promise<void> => {
  for (const { name, port, pid } of system.processes) {
    if (pid === null || !names.includes(name)) {
      continue;
    }
    process.kill(pid, 'SIGTERM');
    const now = () => system.processes.find((each) => each.port === port)?.pid ?? pid;
    for (let waits = 0; now() === pid; waits += 1) {
      if (waits > 600) {
        throw new Error(`${name} did not come back`);
      }
      await sleep(100);
    }
  }
};

/** Suspends a process and its children, as on an overloaded machine; the result resumes them. */
export const freeze = (pid: number): (() => void) => {
  const frozen = [pid, ...childrenOf(pid)];
  frozen.forEach((each) => process.kill(each, 'SIGSTOP'));
  return () => frozen.forEach((each) => process.kill(each, 'SIGCONT'));
};

/** PostgreSQL's backends lead process groups of their own, so only their parent identifies them. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);

const parentOf = (pid: number): number | null => {
  try {
    // "pid (name) state parent …"; the name may contain any character.
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Za-z] \d)/);
    return Number(rest.split(' ')[1]);
  } catch {
    return null;
  }
};
