import { readProcFile, serviceNameOf, treeOf } from '../system/proc.ts';

/** Megabytes of the whole system, by process. */
export type ProcessMemory = Readonly<Record<ProcessName, number>>;

export const processNames = [
  'supervisor',
  'gateway',
  'auth',
  'agents',
  'notes',
  'PostgreSQL',
  'its shared buffers',
] as const;
type ProcessName = (typeof processNames)[number];

/**
 * The memory of a system by process; shared memory counts proportionally. PostgreSQL's shared buffers are separate:
 * they fill with data that is read, up to their size. Pages of programs and libraries are not counted: their shares
 * rise in all processes when other processes of the same Node end (by 5 MB each, seen with tests beside a soak),
 * and they cannot leak.
 */
export const memoryByProcess = (supervisorPid: number): ProcessMemory => {
  const kilobytes = Object.fromEntries(processNames.map((name) => [name, 0])) as Record<
    ProcessName,
    number
  >;
  for (const pid of treeOf(supervisorPid)) {
    const name = processNameOf(pid, supervisorPid);
    const rollup = readProcFile(pid, 'smaps_rollup');
    kilobytes['its shared buffers'] += sizeOf(rollup, 'Pss_Shmem');
    kilobytes[name] += sizeOf(rollup, 'Pss_Anon');
  }
  return Object.fromEntries(
    processNames.map((name) => [name, Math.round(kilobytes[name] / 1024)]),
  ) as Record<ProcessName, number>;
};

/** The sum over all processes. */
export const totalOf = (memory: ProcessMemory): number =>
  processNames.reduce((sum, name) => sum + memory[name], 0);

const processNameOf = (pid: number, supervisorPid: number): ProcessName => {
  const name = serviceNameOf(pid);
  if (name !== null) {
    return name as ProcessName;
  }
  return pid === supervisorPid ? 'supervisor' : 'PostgreSQL';
};

const sizeOf = (rollup: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
