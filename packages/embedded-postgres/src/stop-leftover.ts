import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { endServer, processExists } from './end-server.ts';
import { postmasterFilePath, readPostmasterFile } from './postmaster-file.ts';
import type { Place } from './prepare-place.ts';
import { runProgram } from './run-program.ts';

/**
 * Stops a server that an earlier, killed start left running on this data directory. A
 * `postmaster.pid` whose process id now belongs to something else would keep the server from
 * starting, so it is removed; one of a dead process stays, because PostgreSQL itself checks with it
 * that no old session still writes.
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

/** Ends the server of this place; Windows has no SIGINT for other processes, but pg_ctl knows a way. */
export const stopServer = async (place: Place, pid: number): Promise<void> => {
  if (process.platform === 'win32') {
    await runProgram(place.binaries.pgCtl, ['stop', '--mode=fast', `--pgdata=${place.pgdata}`]);
    return;
  }
  await endServer(pid);
};

/** A server always works inside its data directory; elsewhere than on Linux its command line must do. */
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
