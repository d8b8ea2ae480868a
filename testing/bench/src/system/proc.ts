import { readdirSync, readFileSync } from 'node:fs';

/** A file of /proc/PID; empty if the process has ended. */
export const readProcFile = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};

/** A process and all its descendants; PostgreSQL has one process per connection. */
export const treeOf = (root: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .map((pid) => ({
      pid,
      parent: Number(/^PPid:\s+(\d+)/m.exec(readProcFile(pid, 'status'))?.[1]),
    }));
  const children = parents
    .filter(({ parent }) => parent === root)
    .flatMap(({ pid }) => treeOf(pid));
  return [root, ...children];
};

/** The service that a process runs, from its sources or as a bundle; null: none. */
export const serviceNameOf = (pid: number): string | null =>
  /services\/(\w+)\/(?:src|dist\/[\w-]+)\/main\.[jt]s/.exec(readProcFile(pid, 'cmdline'))?.[1] ??
  null;

const pssKilobytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readProcFile(pid, 'smaps_rollup'))?.[1] ?? 0);

/**
 * Proportional set size of a process and its descendants, in megabytes: shared memory is divided
 * among its users. Linux only.
 */
export const memoryOf = (pid: number, options: { readonly withChildren: boolean }): number => {
  const pids = options.withChildren ? treeOf(pid) : [pid];
  return Math.round((pids.reduce((sum, one) => sum + pssKilobytes(one), 0) / 1024) * 10) / 10;
};

const ticksPerSecond = 100;

/** Processor time of a process so far, user and system, in microseconds. Linux only. */
export const processorTimeOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond;
};
