import { readFileSync } from 'node:fs';
import { treeOf } from '../system/memory-of.ts';

/** Megabytes of the whole system, by what holds them. */
export type Holdings = Readonly<Record<Holder, number>>;

export const holders = [
  'supervisor',
  'gateway',
  'auth',
  'agents',
  'notes',
  'PostgreSQL',
  'its shared buffers',
] as const;
type Holder = (typeof holders)[number];

/**
 * The memory of a system by process, proportionally where it is shared. What the processes of PostgreSQL share is
 * told apart: its buffers fill with the data that was read until they are full, and no more. The pages of programs
 * and libraries are left out: their shares rise in all processes at once when others that run the same Node end (by
 * 5 MB each, seen with tests beside a soak), and they cannot leak.
 */
export const memoryByProcess = (supervisorPid: number): Holdings => {
  const kilobytes = Object.fromEntries(holders.map((holder) => [holder, 0])) as Record<
    Holder,
    number
  >;
  for (const pid of treeOf(supervisorPid)) {
    const holder = holderOf(pid, supervisorPid);
    const rollup = procFile(pid, 'smaps_rollup');
    kilobytes['its shared buffers'] += sizeOf(rollup, 'Pss_Shmem');
    kilobytes[holder] += sizeOf(rollup, 'Pss_Anon');
  }
  return Object.fromEntries(
    holders.map((holder) => [holder, Math.round(kilobytes[holder] / 1024)]),
  ) as Record<Holder, number>;
};

/** All of it. */
export const totalOf = (holdings: Holdings): number =>
  holders.reduce((sum, holder) => sum + holdings[holder], 0);

const holderOf = (pid: number, supervisorPid: number): Holder => {
  const name = /services\/(\w+)\/src\/main\.ts/.exec(procFile(pid, 'cmdline'))?.[1];
  if (name !== undefined) {
    return name as Holder;
  }
  return pid === supervisorPid ? 'supervisor' : 'PostgreSQL';
};

const sizeOf = (rollup: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);

const procFile = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};
