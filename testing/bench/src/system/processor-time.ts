import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Microseconds of processor time, user and system, that a process has taken so far. Linux only. */
export const processorTimeOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond;
};
