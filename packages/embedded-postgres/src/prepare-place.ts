import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findBinaries, installationOf } from './find-binaries.ts';
import type { Binaries } from './find-binaries.ts';
import { findServerUser } from './find-server-user.ts';
import { isReachable } from './is-reachable.ts';
import { runProgram } from './run-program.ts';
import type { OsUser } from './run-program.ts';

/** Where the server's files are, and the user it runs as. */
export type Place = {
  /** The folder of the password and the log. */
  readonly dataDir: string;
  /** The folder of `pgdata`: `dataDir`, unless the server's user cannot enter it. */
  readonly home: string;
  readonly pgdata: string;
  readonly binaries: Binaries;
  readonly user: OsUser | null;
};

type Log = (line: string) => void;

/** For files that the user `postgres` needs, if it cannot enter the folder of the project. */
const openDirectory = '/var/lib/commonplace';

/**
 * Creates the data directory and finds the binaries and the user. For root the server runs as another user. If
 * that user cannot enter the folder, as in /root, binaries and data go to /var/lib/commonplace, and the symbolic
 * link `relocated` points there.
 */
export const preparePlace = async (path: string, log: Log): Promise<Place> => {
  const dataDir = await makeDirectory(resolve(path));
  const moved = await relocatedHome(dataDir);
  const user = await findServerUser(join(moved ?? dataDir, 'pgdata'));
  const binaries = await findBinaries();
  if (user === null) {
    return { dataDir, home: dataDir, pgdata: join(dataDir, 'pgdata'), binaries, user };
  }
  await chmod(dataDir, 0o711);
  const home =
    moved ?? ((await isReachable(dataDir, user)) ? dataDir : await relocate(dataDir, log));
  const pgdata = join(home, 'pgdata');
  await giveTo(user, pgdata);
  return { dataDir, home, pgdata, binaries: await reachableBinaries(binaries, user, log), user };
};

/** The server's user can enter new folders, independent of the umask. Existing folders keep their mode. */
const makeDirectory = async (path: string): Promise<string> => {
  if (!existsSync(path)) {
    await makeDirectory(dirname(path));
    await mkdir(path, { recursive: true });
    await chmod(path, 0o711);
  }
  return realpath(path);
};

const relocatedHome = async (dataDir: string): Promise<string | null> => {
  const link = join(dataDir, 'relocated');
  if ((await lstat(link).catch(() => null)) === null) {
    return null;
  }
  return realpath(link).catch(() => {
    throw new Error(
      `The link ${link} names the folder of the database, which is gone. Bring it back, or remove the link to start with an empty database.`,
    );
  });
};

const relocate = async (dataDir: string, log: Log): Promise<string> => {
  // Never replace an existing database by an empty one elsewhere.
  if (existsSync(join(dataDir, 'pgdata'))) {
    throw new Error(
      `The database in ${dataDir} is closed to the user "postgres", as which it runs. Let that user pass every folder above it (chmod o+x), or move the data directory to where it can.`,
    );
  }
  await makeDirectory(openDirectory);
  const home = await mkdtemp(join(openDirectory, 'data-'));
  await chmod(home, 0o711);
  await symlink(home, join(dataDir, 'relocated'));
  log(`${dataDir} is closed to the user "postgres"; the database goes to ${home}`);
  return home;
};

/** Data that root copied here, for example from a backup, belongs to root; the server must own it. */
const giveTo = async (user: OsUser, pgdata: string): Promise<void> => {
  const found = await stat(pgdata).catch(() => null);
  if (found !== null && found.uid !== user.uid) {
    await runProgram('chown', ['-R', `${user.uid}:${user.gid}`, pgdata]);
  }
};

const reachableBinaries = async (binaries: Binaries, user: OsUser, log: Log): Promise<Binaries> => {
  if (await isReachable(binaries.postgres, user)) {
    return binaries;
  }
  const source = installationOf(binaries);
  const name = createHash('sha256').update(source).digest('hex').slice(0, 12);
  const target = join(await makeDirectory(openDirectory), `postgresql-${name}`);
  if (!existsSync(target)) {
    log(`Copying PostgreSQL to ${target}, where the user "postgres" can run it`);
    await copyReadable(source, target);
  }
  const programs = join(target, 'bin');
  return {
    initdb: join(programs, 'initdb'),
    postgres: join(programs, 'postgres'),
    pgCtl: join(programs, 'pg_ctl'),
  };
};

/** The copy is renamed when it is complete, so that an interrupted one is never used. */
const copyReadable = async (source: string, target: string): Promise<void> => {
  const staging = await mkdtemp(`${target}-copying-`);
  await cp(source, staging, { recursive: true, verbatimSymlinks: true });
  await runProgram('chmod', ['-R', 'a+rX', staging]);
  await rename(staging, target).catch(() => rm(staging, { recursive: true }));
};
