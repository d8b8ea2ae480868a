import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { endServer, processExists } from './end-server.ts';
import { postmasterFilePath, readPostmasterFile } from './postmaster-file.ts';
import { preparePlace } from './prepare-place.ts';
import type { Place } from './prepare-place.ts';
import { runProgram } from './run-program.ts';

/**
 * Stops a server that a killed process left running on this data directory. A `postmaster.pid` whose process id
 * now belongs to another program would prevent the start, so it is removed. That of an ended process stays:
 * PostgreSQL uses it to check that no old session still writes.
 */
export const stopLeftover = async (place: Place, log: (line: string) => void): Promise<void> => {
  const file = await readPostmasterFile(place.pgdata);
  if (file === null || !processExists(file.pid)) {
    return;
  }
  if (!(await isServerOf(file.pid, place.pgdata))) {
    await rm(postmasterFilePath(place.pgdata), { force: true });
    return;
  }
  log(`Stopping the PostgreSQL an earlier start left behind (process ${file.pid})`);
  await stopServer(place, file.pid);
};

/** Stops the server that a killed process left running on a data directory, if one runs. */
export const stopLeftoverPostgres = async (
  dataDir: string,
  log: (line: string) => void,
): Promise<void> => stopLeftover(await preparePlace(dataDir, log), log);

/** Stops the server. Windows has no SIGINT for other processes, so pg_ctl does it there. */
export const stopServer = async (place: Place, pid: number): Promise<void> => {
  if (process.platform === 'win32') {
    await runProgram(place.binaries.pgCtl, ['stop', '--mode=fast', `--pgdata=${place.pgdata}`]);
    return;
  }
  await endServer(pid);
};

/** A server's working directory is its data directory. Outside Linux its command line is checked instead. */
const isServerOf = async (pid: number, pgdata: string): Promise<boolean> => {
  if (process.platform === 'win32') {
    return true;
  }
  if (process.platform !== 'linux') {
    const { output } = await runProgram('ps', ['-o', 'args=', '-p', String(pid)]);
    return output.includes('postgres') && output.includes(pgdata);
  }
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return name.trim() === 'postgres' && directory === (await realpath(pgdata));
};
