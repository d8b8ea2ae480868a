import { spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, programOptions, runProgram } from '@commonplace/embedded-postgres';
import type { OsUser } from '@commonplace/embedded-postgres';
import pg from 'pg';

/** The programs of a PostgreSQL, and the user that runs them; null means the user of this process. */
export type Programs = { readonly folder: string; readonly user: OsUser | null };

/** Where a server is to run: `folder` holds its data directory and what belongs to it. */
export type NodeHome = {
  readonly programs: Programs;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
};

/** A PostgreSQL that tests may stop and start again. */
export type LocalNode = {
  readonly port: number;
  /** Connects the superuser to a database. */
  readonly url: (database: string) => string;
  /** Ends all processes at once, without a checkpoint. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
};

const readySecondsMax = 60;

/** Creates a data directory and starts a server on it that trusts everybody on this machine. */
export const startLocalNode = async (home: NodeHome): Promise<LocalNode> => {
  const pgdata = await makeHome(home);
  await initialize(home.programs, pgdata);
  const node = nodeOn(home, pgdata, await findFreePort());
  await node.start();
  return node;
};

/** Makes the folder, and returns the path of the data directory to be. */
export const makeHome = async ({ programs: { user }, folder }: NodeHome): Promise<string> => {
  await mkdir(folder);
  if (user !== null) {
    await chown(folder, user.uid, user.gid);
  }
  return join(folder, 'pgdata');
};

/** A server on a data directory that exists. It does not run yet. */
export const nodeOn = (
  { programs, settings }: Omit<NodeHome, 'folder'>,
  pgdata: string,
  port: number,
): LocalNode => {
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | null = null;
  return {
    port,
    url,
    start: async () => {
      server = runServer(programs, pgdata, { ...settings, port: String(port) });
      await waitUntilReady(server, url('postgres'));
    },
    kill: async () => {
      if (server !== null && server.exitCode === null) {
        const exited = new Promise((resolve) => server?.once('exit', resolve));
        server.kill('SIGQUIT');
        await exited;
      }
    },
  };
};

const initialize = async ({ folder, user }: Programs, pgdata: string): Promise<void> => {
  const how = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8'];
  const args = ['--pgdata', pgdata, '--no-sync', ...how];
  const { code, output } = await runProgram(join(folder, 'initdb'), args, user);
  if (code !== 0) {
    throw new Error(`initdb failed: ${output}`);
  }
};

const runServer = (
  { folder, user }: Programs,
  pgdata: string,
  settings: Readonly<Record<string, string>>,
): ChildProcess => {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(join(folder, 'postgres'), ['-D', pgdata, ...args], {
    ...programOptions(user),
    cwd: '/',
    stdio: 'ignore',
  });
};

const waitUntilReady = async (server: ChildProcess, url: string): Promise<void> => {
  const deadline = Date.now() + readySecondsMax * 1_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > deadline || server.exitCode !== null) {
        throw error;
      }
      await sleep(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
};
