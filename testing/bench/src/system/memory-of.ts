import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** A process and everything it started: PostgreSQL is one process a connection. */
export const treeOf = (root: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      parent: Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1]),
    }));
  const children = parents
    .filter(({ parent }) => parent === root)
    .flatMap(({ pid }) => treeOf(pid));
  return [root, ...children];
};

const pssKilobytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

/**
 * Proportional set size of a process and its children, in megabytes: memory that is shared counts
 * once among those who share it. Linux only.
 */
export const memoryOf = (pid: number, options: { readonly withChildren: boolean }): number => {
  const pids = options.withChildren ? treeOf(pid) : [pid];
  return Math.round((pids.reduce((sum, one) => sum + pssKilobytes(one), 0) / 1024) * 10) / 10;
};
