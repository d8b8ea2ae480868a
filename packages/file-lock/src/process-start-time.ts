import { execFile, type ExecFileOptions } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The start time of a process, as the system reports it. It distinguishes the process from a later one with the
 * same id. Null if there is no such process.
 */
export const processStartTime = async (pid: number): Promise<string | null> => {
  if (process.platform === 'linux') {
    return startTimeOnLinux(pid);
  }
  if (process.platform === 'win32') {
    return exists(pid) ? 'unknown' : null;
  }
  return startTimeByPs(pid);
};

/** Whether a process runs that has this start time. */
export const hasStartTime = async (pid: number, startTime: string): Promise<boolean> =>
  ['linux', 'win32'].includes(process.platform)
    ? (await processStartTime(pid)) === startTime
    : hasStartTimeByPs(pid, startTime);

/** What is not in UTC is of an earlier release, in the time zone and the language that this process has, too. */
export const hasStartTimeByPs = async (pid: number, startTime: string): Promise<boolean> => {
  const isInUtc = startTime.startsWith(utcMark);
  return (await (isInUtc ? startTimeByPs(pid) : readByPs(pid))) === startTime;
};

const utcMark = 'utc:';

/**
 * The start time in UTC and the language of POSIX, whatever the environment of this process has: another process, with
 * another time zone, compares it. Null if there is no such process.
 */
export const startTimeByPs = async (pid: number): Promise<string | null> => {
  const startTime = await readByPs(pid, { env: { LC_ALL: 'C', TZ: 'UTC' } });
  return startTime === null ? null : `${utcMark}${startTime}`;
};

const readByPs = async (pid: number, options: ExecFileOptions = {}): Promise<string | null> => {
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], {
    ...options,
    encoding: 'utf8',
  }).catch(() => ({ stdout: '' }));
  return stdout.trim() || null;
};

/** Field 22 of `stat` counts from the boot, so the id of the boot is added. The name before it may have spaces. */
const startTimeOnLinux = async (pid: number): Promise<string | null> => {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
  ]);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  return ticks === undefined || state === 'Z' ? null : `${boot.trim()}:${ticks}`;
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, for another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
