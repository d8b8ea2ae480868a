import { stat } from 'node:fs/promises';
import { runProgram } from './run-program.ts';
import type { OsUser } from './run-program.ts';

const userName = 'postgres';

/**
 * The user that the server runs as: null means the user of this process. PostgreSQL refuses to run as root. Root
 * uses the owner of the existing data directory, or else the user `postgres`, which is created if it is missing.
 */
export const findServerUser = async (pgdata: string): Promise<OsUser | null> => {
  if (process.getuid?.() !== 0) {
    await refuseForeignData(pgdata);
    return null;
  }
  const owner = await ownerOf(pgdata);
  if (owner !== null && owner.uid !== 0) {
    return owner;
  }
  return (await findUser()) ?? (await createUser());
};

const ownerOf = async (path: string): Promise<OsUser | null> => {
  const found = await stat(path).catch(() => null);
  return found === null ? null : { uid: found.uid, gid: found.gid };
};

const refuseForeignData = async (pgdata: string): Promise<void> => {
  const owner = await ownerOf(pgdata);
  if (owner !== null && process.getuid !== undefined && owner.uid !== process.getuid()) {
    throw new Error(
      `The database in ${pgdata} belongs to the user with id ${owner.uid}; it was made by another user or as root. Start as that user, or choose another DATA_DIR.`,
    );
  }
};

const findUser = async (): Promise<OsUser | null> => {
  const [uid, gid] = await Promise.all([
    runProgram('id', ['-u', userName]),
    runProgram('id', ['-g', userName]),
  ]);
  return uid.code === 0 && gid.code === 0
    ? { uid: Number(uid.output), gid: Number(gid.output) }
    : null;
};

const createUser = async (): Promise<OsUser> => {
  const shell = ['--shell', '/usr/sbin/nologin'];
  const made = await runProgram('useradd', ['--system', '--user-group', ...shell, userName]);
  const user = await findUser();
  if (user === null) {
    throw new Error(
      `PostgreSQL does not run as root, and the user "${userName}" could not be created (${made.output}). Create it, start as another user, or set DATABASE_URL.`,
    );
  }
  return user;
};
