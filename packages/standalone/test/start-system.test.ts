import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { startPostgres } from '@commonplace/embedded-postgres';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { startSystem } from '../src/index.ts';
import type { RunningSystem, SystemOptions } from '../src/index.ts';
import { readFixture, eventually, isAlive, newDataDir, servicesDir } from './helpers.ts';

// Every test makes a database and starts five processes, on machines that may be busy.
jest.setTimeout(90_000);

let dataDir: string;
let system: RunningSystem | undefined;
let written: string[];

const start = async (options: Partial<SystemOptions> = {}): Promise<RunningSystem> => {
  system = await startSystem({
    dataDir,
    servicesDir,
    fsync: false,
    output: (text) => written.push(text),
    log: (line) => written.push(line),
    ...options,
  });
  return system;
};

const processOf = (running: RunningSystem, name: string) => {
  const found = running.processes.find((process) => process.name === name);
  if (found?.pid === null || found === undefined) {
    throw new Error(`${name} does not run`);
  }
  return { pid: found.pid, port: found.port };
};

const query = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

beforeEach(async () => {
  dataDir = await newDataDir();
  written = [];
  system = undefined;
});

afterEach(async () => {
  await system?.stop();
  await rm(dirname(dataDir), { recursive: true });
});

describe('starting', () => {
  test('every process gets its own variables and secrets, and nothing else', async () => {
    const running = await start({
      env: { RATE_LIMIT_PER_SECOND: '5', TOMBSTONE_DAYS: '7', LOG_LEVEL: 'warn' },
      serviceEnv: { notes: { EXTRA: 'yes' } },
    });
    const envOf = async (name: string) => (await readFixture(processOf(running, name).port)).env;
    const [auth, agents, notes, gateway] = await Promise.all(
      ['auth', 'agents', 'notes', 'gateway'].map(envOf),
    );
    const ofAll =
      /^(DEPLOYMENT_MODE|HOST|PORT|LOG_LEVEL|INTERNAL_IDENTITY_SECRETS|NODE_.*|MALLOC_.*)$/;
    const names = (env: object = {}) => Object.keys(env).filter((name) => !ofAll.test(name));
    expect(names(auth).toSorted()).toEqual([
      'AGENTS_URL',
      'DATABASE_URL',
      'GATEWAY_URL',
      'NOTES_URL',
      'PASSWORD_PEPPERS',
      'RUN_TOKEN_SECRETS',
      'SECOND_FACTOR_SECRETS',
      'SESSION_SECRETS',
    ]);
    expect(names(agents).toSorted()).toEqual([
      'API_KEY_PEPPERS',
      'AUTH_URL',
      'DATABASE_URL',
      'GATEWAY_URL',
    ]);
    expect(names(notes).toSorted()).toEqual([
      'AGENTS_URL',
      'DATABASE_URL',
      'EXTRA',
      'TOMBSTONE_DAYS',
    ]);
    expect(names(gateway).toSorted()).toEqual([
      'AGENTS_URL',
      'API_KEY_PEPPERS',
      'AUTH_URL',
      'GATEWAY_URL',
      'NOTES_URL',
      'RATE_LIMIT_PER_SECOND',
      'RUN_TOKEN_SECRETS',
      'SESSION_SECRETS',
    ]);
    expect(gateway?.['NOTES_URL']).toBe(`http://127.0.0.1:${processOf(running, 'notes').port}`);
    expect(await query(notes?.['DATABASE_URL'] ?? '', 'select current_user::text as role')).toEqual(
      [{ role: 'notes_app' }],
    );
  });

  test('a second start finds the data and the secrets of the first', async () => {
    const first = await start();
    await query(first.databaseUrl, 'create table kept as select 42 as value');
    const { env } = await readFixture(processOf(first, 'gateway').port);
    await first.stop();
    const second = await start();
    expect(await query(second.databaseUrl, 'select value from kept')).toEqual([{ value: 42 }]);
    const again = await readFixture(processOf(second, 'gateway').port);
    expect(again.env['API_KEY_PEPPERS']).toBe(env['API_KEY_PEPPERS']);
    const { mode } = await stat(join(dataDir, 'secrets.json'));
    expect(mode & 0o777).toBe(0o600);
  });

  test('a secret given from outside is used and not written down', async () => {
    const secret = 'a'.repeat(40);
    const running = await start({ env: { API_KEY_PEPPERS: secret } });
    const { env } = await readFixture(processOf(running, 'agents').port);
    expect(env['API_KEY_PEPPERS']).toBe(secret);
    expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(secret);
  });

  test('damaged secrets are an error and stay as they are', async () => {
    await (await start()).stop();
    const path = join(dataDir, 'secrets.json');
    await writeFile(path, '{"API_KEY');
    await expect(start()).rejects.toThrow(`The secrets in ${path} cannot be read.`);
    expect(await readFile(path, 'utf8')).toBe('{"API_KEY');
  });

  test('an existing PostgreSQL is used instead of the embedded one', async () => {
    const own = await startPostgres({ dataDir: join(dirname(dataDir), 'own'), fsync: false });
    try {
      const running = await start({ databaseUrl: own.url });
      expect(running.databaseUrl).toBe(own.url);
      expect(running.processes.map(({ name }) => name)).not.toContain('postgres');
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
      await running.stop();
    } finally {
      await own.stop();
    }
  });

  test('a taken port is an error that names it, before anything is started', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await expect(start({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    expect(existsSync(dataDir)).toBe(false);
    server.close();
  });

  test('a service that cannot start is an error, and what did start is stopped', async () => {
    await expect(start({ serviceEnv: { notes: { FIXTURE: 'fails' } } })).rejects.toThrow(
      'notes could not be started: it ended (exit code 3) before it was ready',
    );
    expect(written.join('')).toContain('this fixture always fails');
    expect(existsSync(join(dataDir, 'postgres/pgdata/postmaster.pid'))).toBe(false);
    expect(existsSync(join(dataDir, 'supervisor.lock'))).toBe(false);
  });

  test('a database that cannot be migrated is an error that says so, and no service begins', async () => {
    const databaseUrl = 'postgres://nobody@127.0.0.1:1/nothing';
    await expect(start({ databaseUrl })).rejects.toThrow('The database could not be migrated');
    expect(written.join('')).not.toContain('fixture on');
    expect(written.join('')).not.toContain('starting it again');
  });

  test('a second supervisor of the same data directory is refused', async () => {
    const first = await start();
    await expect(startSystem({ dataDir, servicesDir })).rejects.toThrow(
      `Another Commonplace (process ${process.pid}) uses ${dataDir}`,
    );
    expect(isAlive(processOf(first, 'postgres').pid)).toBe(true);
  });

  test('the lock of a process whose id another one has by now is taken over', async () => {
    await (await start()).stop();
    const lock = { pid: process.ppid, birth: 'another boot:1' };
    await writeFile(join(dataDir, 'supervisor.lock'), JSON.stringify(lock));
    expect((await start()).processes).toHaveLength(5);
  });

  test('replicas talk to replicas, and the setup link reaches us', async () => {
    const links: string[] = [];
    const running = await start({
      replicas: { gateway: 2, notes: 2 },
      serviceEnv: { auth: { FIXTURE: 'setup' } },
      onSetupLink: (url) => links.push(url),
    });
    const portsOf = (wanted: string) =>
      running.processes.filter(({ name }) => name === wanted).map(({ port }) => port);
    const gateways = await Promise.all(portsOf('gateway').map(readFixture));
    expect(gateways.map(({ env }) => env['NOTES_URL'])).toEqual(
      portsOf('notes').map((port) => `http://127.0.0.1:${port}`),
    );
    expect(links).toEqual(['http://127.0.0.1/setup#token']);
  });
});

describe('running', () => {
  test('a killed service comes back on its port', async () => {
    const running = await start();
    const before = processOf(running, 'notes');
    process.kill(before.pid, 'SIGKILL');
    await eventually('notes runs again', async () => {
      const fixture = await readFixture(before.port).catch(() => undefined);
      return fixture !== undefined && fixture.pid !== before.pid;
    });
    await eventually('its new process is known', () => {
      const found = running.processes.find(({ name }) => name === 'notes');
      return found?.pid !== null && found?.pid !== before.pid;
    });
    expect(processOf(running, 'notes').port).toBe(before.port);
    expect(written.join('\n')).toContain('notes ended (SIGKILL); starting it again');
  });

  test('a killed PostgreSQL comes back at its URL with its data', async () => {
    const running = await start();
    await query(running.databaseUrl, 'create table kept as select 42 as value');
    process.kill(processOf(running, 'postgres').pid, 'SIGKILL');
    const readBack = () =>
      query(running.databaseUrl, 'select value from kept').catch(() => undefined);
    await eventually('the data is back', readBack);
    expect(await readBack()).toEqual([{ value: 42 }]);
  });

  test('stop leaves no process, no port and no lock, and may be called twice', async () => {
    const running = await start();
    const processes = running.processes.map(({ name }) => processOf(running, name));
    await Promise.all([running.stop(), running.stop()]);
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
    for (const { port } of processes) {
      await expect(readFixture(port)).rejects.toThrow(/ECONNREFUSED/);
    }
    expect(existsSync(join(dataDir, 'supervisor.lock'))).toBe(false);
  });
});
