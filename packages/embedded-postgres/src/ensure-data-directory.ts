import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './prepare-place.ts';
import { runProgram } from './run-program.ts';

type EnsureOptions = {
  readonly password: string | undefined;
  readonly fsync: boolean;
  readonly log: (line: string) => void;
};

const stagingPrefix = 'pgdata.making-';

/**
 * Creates the database cluster if there is none, and returns the superuser's password. initdb works in a
 * temporary folder that is renamed when it is complete: a kill at any moment leaves either no `pgdata` or a
 * complete one. An existing `pgdata` is never replaced.
 */
export const ensureDataDirectory = async (
  place: Place,
  options: EnsureOptions,
): Promise<string> => {
  await removeStaging(place.home);
  const passwordFile = join(place.dataDir, 'postgres-password');
  if (existsSync(place.pgdata) && isWhole(place.pgdata)) {
    return readPassword(passwordFile);
  }
  if (existsSync(place.pgdata) && (await readdir(place.pgdata)).length > 0) {
    throw new Error(
      `${place.pgdata} is no whole database: PG_VERSION or global/pg_control is missing, as in a copy that was cut. Bring it back whole, or move it away to start with an empty database.`,
    );
  }
  const password = options.password ?? randomBytes(24).toString('base64url');
  await writeSecret(passwordFile, password);
  options.log('Creating the database');
  await initialise(place, password, options.fsync);
  return password;
};

/** initdb writes PG_VERSION first and pg_control near the end. */
const isWhole = (pgdata: string): boolean =>
  existsSync(join(pgdata, 'PG_VERSION')) && existsSync(join(pgdata, 'global', 'pg_control'));

const removeStaging = async (home: string): Promise<void> => {
  const names = (await readdir(home)).filter((name) => name.startsWith(stagingPrefix));
  await Promise.all(names.map((name) => rm(join(home, name), { recursive: true, force: true })));
};

const readPassword = async (path: string): Promise<string> => {
  const password = await readFile(path, 'utf8').catch(() => {
    throw new Error(
      `The database is there, but its password file ${path} cannot be read. Bring it back from a backup.`,
    );
  });
  return password.trim();
};

/** Written to a temporary file and renamed, so that it is never incomplete. */
const writeSecret = async (path: string, secret: string): Promise<void> => {
  const staging = `${path}.new`;
  await rm(staging, { force: true });
  await writeFile(staging, `${secret}\n`, { mode: 0o600 });
  await rename(staging, path);
};

const initialise = async (place: Place, password: string, fsync: boolean): Promise<void> => {
  const staging = await mkdtemp(join(place.home, stagingPrefix));
  const passwordFile = join(staging, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user !== null) {
    await chown(staging, place.user.uid, place.user.gid);
    await chown(passwordFile, place.user.uid, place.user.gid);
  }
  const pgdata = join(staging, 'pgdata');
  const args = initdbArgs(pgdata, passwordFile, fsync);
  const { code, output } = await runProgram(place.binaries.initdb, args, place.user);
  if (code !== 0) {
    throw new Error(`initdb could not create the database in ${place.home}:\n${output}`);
  }
  await rename(pgdata, place.pgdata);
  await rm(staging, { recursive: true });
};

/** The built-in locale sorts and folds case in the same way on every platform. */
const initdbArgs = (pgdata: string, passwordFile: string, fsync: boolean): string[] => [
  `--pgdata=${pgdata}`,
  `--pwfile=${passwordFile}`,
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  ...(fsync ? [] : ['--no-sync']),
];
