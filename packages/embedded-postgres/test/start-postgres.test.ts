import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { startPostgres } from '../src/index.ts';
import type { PostgresOptions, RunningPostgres } from '../src/index.ts';

let dataDir: string;
let log: string[];
let servers: RunningPostgres[];

const start = async (options: Partial<PostgresOptions> = {}): Promise<RunningPostgres> => {
  const server = await startPostgres({
    dataDir,
    fsync: false,
    log: (line) => log.push(line),
    ...options,
  });
  servers.push(server);
  return server;
};

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const pidFile = () => join(dataDir, 'pgdata', 'postmaster.pid');

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'commonplace-postgres-'));
  log = [];
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(dataDir, { recursive: true });
});

describe('a new database', () => {
  test('is PostgreSQL 18 with UTF-8, reachable over loopback only', async () => {
    const { url, port } = await start();
    const [found] = await query(
      url,
      `select current_setting('server_version_num')::int / 10000 as version,
              current_setting('server_encoding') as encoding,
              current_setting('listen_addresses') as addresses,
              current_setting('unix_socket_directories') as sockets,
              current_setting('port')::int as port`,
    );
    expect(found).toEqual({
      version: 18,
      encoding: 'UTF8',
      addresses: '127.0.0.1',
      sockets: '',
      port,
    });
  });

  test('lets nobody in without the password, which only its owner can read', async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    const path = join(dataDir, 'postgres-password');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim()).toBe(new URL(url).password);
    const hba = await query(url, 'select distinct auth_method from pg_hba_file_rules');
    expect(hba).toEqual([{ auth_method: 'scram-sha-256' }]);
  });

  test('folds the case of every letter, whatever locales the machine has', async () => {
    const { url } = await start();
    expect(await query(url, "select lower('ÄÉΩ') as lower")).toEqual([{ lower: 'äéω' }]);
  });

  test('takes the port, password and settings it is given', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => {
      server.close(resolve);
    });
    const { url } = await start({ port, password: 'p@ss:w/rd', settings: { work_mem: '5MB' } });
    expect(new URL(url).port).toBe(String(port));
    expect(await query(url, 'show work_mem')).toEqual([{ work_mem: '5MB' }]);
  });
});

describe('a database that is there', () => {
  test('keeps its data and password over a stop and a start', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 42 as value');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await start({ password: 'another' });
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }]);
  });

  test('survives a SIGKILL of the server, whose id may be that of another process when it is stopped', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 42 as value');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const kill = jest.spyOn(process, 'kill');
    await first.stop();
    expect(kill).not.toHaveBeenCalled();
    kill.mockRestore();
    const second = await start();
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }]);
  });

  test('is taken over from a server that an earlier, killed process left running', async () => {
    const leftover = await start();
    await query(leftover.url, 'create table kept as select 42 as value');
    const next = await start();
    expect(isAlive(leftover.pid)).toBe(false);
    expect(await query(next.url, 'select value from kept')).toEqual([{ value: 42 }]);
    expect(log.join('\n')).toContain(`left behind (process ${leftover.pid})`);
  });

  test('starts although its postmaster.pid names a running process that is not PostgreSQL', async () => {
    await (await start()).stop();
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await writeFile(pidFile(), `${other.pid}\n${join(dataDir, 'pgdata')}\n1\n5432\n\n127.0.0.1\n`);
    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(other.pid ?? 0)).toBe(true);
    other.kill();
  });

  test('is not opened without its password, and says so', async () => {
    await (await start()).stop();
    await rm(join(dataDir, 'postgres-password'));
    await expect(start()).rejects.toThrow(/password file .* cannot be read/);
  });
});

describe('a start that was interrupted', () => {
  test('while the database was being created is started from scratch', async () => {
    const staging = join(dataDir, 'pgdata.making-abc');
    await mkdir(join(staging, 'pgdata', 'base'), { recursive: true });
    await writeFile(join(dataDir, 'postgres-password'), 'from the interrupted start\n');
    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(staging)).toBe(false);
  });
});

describe('a folder with something that is no whole database', () => {
  test('is refused with the reason, and is left as it is', async () => {
    await mkdir(join(dataDir, 'pgdata', 'base'), { recursive: true });
    await writeFile(join(dataDir, 'pgdata', 'PG_VERSION'), '18\n');
    await writeFile(join(dataDir, 'postgres-password'), 'of the copy\n');
    await expect(start()).rejects.toThrow(/is no whole database: .*pg_control is missing/);
    expect(await readdir(join(dataDir, 'pgdata'))).toEqual(['PG_VERSION', 'base']);
    expect(await readFile(join(dataDir, 'postgres-password'), 'utf8')).toBe('of the copy\n');
  });

  test('is filled when it is empty, as a fresh volume is', async () => {
    await mkdir(join(dataDir, 'pgdata'));
    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a start that fails', () => {
  test("ends with the server's own words", async () => {
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      /PostgreSQL ended while starting:[^]*shared_buffers/,
    );
    expect(existsSync(pidFile())).toBe(false);
  });
});

const isRoot = process.getuid?.() === 0;
const describeAsRoot = isRoot ? describe : describe.skip;

describeAsRoot(isRoot ? 'as root' : 'as root (skipped: this user is not root)', () => {
  test('the server runs as another user', async () => {
    const { pid } = await start();
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0');
  });

  test('a folder closed to that user is left for one that is open', async () => {
    const closed = await mkdtemp(join(homedir(), '.commonplace-test-'));
    await chmod(closed, 0o700);
    const inner = join(closed, 'data');
    let moved = '';
    try {
      const first = await start({ dataDir: inner });
      moved = (await query(first.url, 'show data_directory'))[0]?.['data_directory'] as string;
      await query(first.url, 'create table kept as select 42 as value');
      await first.stop();
      const second = await start({ dataDir: inner });
      expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }]);
      expect(moved.startsWith('/var/lib/commonplace/data-')).toBe(true);
      await second.stop();
    } finally {
      await rm(closed, { recursive: true });
      await rm(join(moved, '..'), { recursive: true, force: true });
    }
  });

  test('a database whose folder was closed to that user since is refused, never replaced by an empty one', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'commonplace-closed-'));
    await chmod(parent, 0o755);
    const inner = join(parent, 'data');
    try {
      const first = await start({ dataDir: inner });
      await query(first.url, 'create table kept as select 42 as value');
      await first.stop();
      const password = await readFile(join(inner, 'postgres-password'), 'utf8');
      await chmod(parent, 0o700);
      await expect(start({ dataDir: inner })).rejects.toThrow(/is closed to the user "postgres"/);
      expect(await readFile(join(inner, 'postgres-password'), 'utf8')).toBe(password);
      expect(existsSync(join(inner, 'relocated'))).toBe(false);
      await chmod(parent, 0o755);
      const second = await start({ dataDir: inner });
      expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }]);
      await second.stop();
    } finally {
      await rm(parent, { recursive: true });
    }
  });
});
