import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { chmod, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { startPostgres } from '@commonplace/embedded-postgres';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { eventually, isAlive, newDataDir } from './helpers.ts';

/** The advisory lock of migrations (packages/migrations/src/migrate-all.ts). */
const lockKey = 7_263_001;
const main = join(import.meta.dirname, 'fixtures', 'main.ts');

type Supervisor = {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly stdout: () => string;
  readonly stderr: () => string;
};

// Every test makes a database and starts five processes, on machines that may be busy.
jest.setTimeout(90_000);

let dataDir: string;
let started: Supervisor[];

const watch = (child: ChildProcess): Supervisor => {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const supervisor = { child, ended, stdout: () => stdout, stderr: () => stderr };
  started.push(supervisor);
  return supervisor;
};

const supervise = (env: Record<string, string> = {}, user: { uid?: number } = {}): Supervisor =>
  watch(
    spawn(process.execPath, [main], {
      env: { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    }),
  );

const untilReady = async (supervisor: Supervisor) => {
  const isReady = () => supervisor.stdout().includes('is ready');
  await eventually('it is ready', isReady, 40).catch((cause: unknown) => {
    throw new Error(`It said: ${supervisor.stderr()}`, { cause });
  });
};

/** All processes on this machine whose parent is the given one. */
const childrenOf = async (pid: number): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(
    pids.map((each) => readFile(`/proc/${each}/stat`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => stats[index]?.split(') ')[1]?.split(' ')[1] === String(pid));
};

const pidOf = ({ child }: Supervisor): number => child.pid ?? 0;

beforeEach(async () => {
  dataDir = await newDataDir();
  started = [];
});

afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGTERM');
    await ended;
  }
  await rm(dirname(dataDir), { recursive: true });
});

describe('standard output', () => {
  test('is one line with the URL, the mode and what to try next, and a lost session does not end the system', async () => {
    const supervisor = supervise();
    await untilReady(supervisor);
    expect(supervisor.stdout()).toMatch(
      /^Commonplace is ready at http:\/\/127\.0\.0\.1:\d+ in local_trusted mode\. Console: http:\/\/127\.0\.0\.1:\d+\/\. Try: curl .*\n$/,
    );
    expect(supervisor.stderr()).toContain('Starting PostgreSQL');

    // Without a terminal, as with nohup, the end of a session is no reason to stop.
    supervisor.child.kill('SIGHUP');
    await eventually('it says so', () => supervisor.stderr().includes('running on, as with nohup'));
    expect(await childrenOf(pidOf(supervisor))).toHaveLength(5);
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.ended).toBe(0);
  });
});

describe('a gateway that others reach', () => {
  const reachable = { HOST: '0.0.0.0', DEPLOYMENT_MODE: 'authenticated' };

  test('says at start that signing in needs PUBLIC_URL, and where it works without', async () => {
    const supervisor = supervise(reachable);
    await untilReady(supervisor);
    await eventually('it says so', () => supervisor.stderr().includes('PUBLIC_URL'));
    expect(supervisor.stderr()).toMatch(
      /PUBLIC_URL is not set: operators can sign in at http:\/\/\S+:\d+ on this machine only\. Set it to the address that browsers use/,
    );
  });

  test('has nothing to say with PUBLIC_URL', async () => {
    const supervisor = supervise({ ...reachable, PUBLIC_URL: 'https://notes.example.org' });
    await untilReady(supervisor);
    expect(supervisor.stdout()).toContain('Console: https://notes.example.org/. Sign in there');
    expect(supervisor.stderr()).not.toContain('PUBLIC_URL');
  });
});

describe('a wrong start', () => {
  test('names every variable that is wrong and exits with 1', async () => {
    const supervisor = supervise({ PORT: 'x', LOG_LEVEL: 'loud', DEPLOYMENT_MODE: 'trusted' });
    expect(await supervisor.ended).toBe(1);
    for (const name of ['PORT', 'LOG_LEVEL', 'DEPLOYMENT_MODE']) {
      expect(supervisor.stderr()).toContain(`- ${name}: `);
    }
    expect(supervisor.stdout()).toBe('');
  });

  test('takes no empty mode and no empty secret for one that was left out', async () => {
    const supervisor = supervise({ DEPLOYMENT_MODE: '', SESSION_SECRETS: '' });
    expect(await supervisor.ended).toBe(1);
    for (const name of ['DEPLOYMENT_MODE', 'SESSION_SECRETS']) {
      expect(supervisor.stderr()).toContain(`- ${name}: `);
    }
  });

  test('refuses a public address in local_trusted mode, where every client is the operator', async () => {
    const supervisor = supervise({ HOST: '0.0.0.0' });
    expect(await supervisor.ended).toBe(1);
    expect(supervisor.stderr()).toContain('- HOST: must be a loopback address');
  });

  test('with metrics ports that meet the port, or pass the last one, names the setting', async () => {
    for (const ports of [
      { PORT: '9103', METRICS_PORT: '9100' },
      { PORT: '9200', METRICS_PORT: '65533' },
    ]) {
      const supervisor = supervise(ports);
      expect(await supervisor.ended).toBe(1);
      expect(supervisor.stderr()).toContain('- METRICS_PORT: ');
    }
  });

  test('with a taken metrics port exits with 1 and names the setting', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const supervisor = supervise({ METRICS_PORT: String(port - 3) });
    expect(await supervisor.ended).toBe(1);
    expect(supervisor.stderr()).toMatch(/Port \d+ on 127\.0\.0\.1 .*METRICS_PORT/);
    server.close();
  });

  test('with a DATABASE_URL that names no database is refused', async () => {
    const supervisor = supervise({ DATABASE_URL: 'postgres://admin@127.0.0.1:5432' });
    expect(await supervisor.ended).toBe(1);
    expect(supervisor.stderr()).toContain('- DATABASE_URL: must name the database');
  });

  // Root may use every folder, so as root another user starts it, if that one can read this checkout.
  const another = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  const isReadable = spawnSync(process.execPath, ['--check', main], another).status === 0;
  const describeIfReadable = isReadable ? describe : describe.skip;
  const unreadable = ' (skipped: another user cannot read this checkout)';

  describeIfReadable(`on the data directory of another user${isReadable ? '' : unreadable}`, () => {
    test('exits with 1 and names the ways out', async () => {
      const supervisor = supervise({ DATA_DIR: '/etc/commonplace' }, another);
      expect(await supervisor.ended).toBe(1);
      expect(supervisor.stderr()).toMatch(
        /^The data directory \/etc\/commonplace cannot be used: EACCES.*Start as the user who owns it, or set DATA_DIR to a folder of your own\.\n$/,
      );
    });
  });

  test('on a taken port exits with 1 and names it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const supervisor = supervise({ PORT: String(port) });
    expect(await supervisor.ended).toBe(1);
    expect(supervisor.stderr()).toContain(`Port ${port} on 127.0.0.1 is taken`);
    server.close();
  });
});

describe('the end', () => {
  test('after SIGTERM and SIGINT at once everything is gone and the exit code is 0', async () => {
    const supervisor = supervise();
    await untilReady(supervisor);
    const children = await childrenOf(pidOf(supervisor));
    expect(children).toHaveLength(5);
    supervisor.child.kill('SIGTERM');
    supervisor.child.kill('SIGINT');
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.ended).toBe(0);
    expect(children.filter(isAlive)).toEqual([]);
    expect(existsSync(join(dataDir, 'supervisor.lock'))).toBe(false);
  });

  test('a signal in the middle of the start leaves nothing behind', async () => {
    const supervisor = supervise();
    await eventually('PostgreSQL is being made', () => supervisor.stderr().includes('Creating'));
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.ended).toBe(0);
    expect(supervisor.stdout()).toBe('');
    expect(existsSync(join(dataDir, 'postgres/pgdata/postmaster.pid'))).toBe(false);
    expect(existsSync(join(dataDir, 'supervisor.lock'))).toBe(false);
  });

  test('a signal while the database is migrated ends the start', async () => {
    const folder = await newDataDir();
    const postgres = await startPostgres({ dataDir: folder, fsync: false });
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    try {
      await holder.query('select pg_advisory_lock($1)', [lockKey]);
      const supervisor = supervise({ DATABASE_URL: postgres.url });
      await eventually('it migrates', () => supervisor.stderr().includes('Migrating the database'));
      supervisor.child.kill('SIGTERM');
      expect(await supervisor.ended).toBe(0);
      expect(supervisor.stdout()).toBe('');
    } finally {
      await holder.end();
      await postgres.stop();
      await rm(dirname(folder), { recursive: true });
    }
  });

  test('after a SIGKILL the services end by themselves and the next start recovers, on the same port', async () => {
    const first = supervise();
    await untilReady(first);
    const port = /127\.0\.0\.1:(\d+)/.exec(first.stdout())?.[1] ?? '';
    const children = await childrenOf(pidOf(first));
    first.child.kill('SIGKILL');
    const second = supervise({ PORT: port });
    await untilReady(second);
    expect(second.stdout()).toContain(`127.0.0.1:${port} `);
    expect(second.stderr()).toContain('Stopping the PostgreSQL an earlier start left behind');
    await eventually('the old ones are gone', () => !children.some(isAlive));
  });

  test('after a SIGKILL of everything the next start recovers', async () => {
    const first = supervise();
    await untilReady(first);
    const pids = [pidOf(first), ...(await childrenOf(pidOf(first)))];
    pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
    await first.ended;
    const second = supervise();
    await untilReady(second);
    expect(second.stdout()).toContain('is ready');
    await eventually('the old ones are gone', () => !pids.some(isAlive));
  });

  test('when the package manager that runs us is killed, everything ends', async () => {
    const pnpm = join(dirname(dataDir), 'pnpm');
    await writeFile(
      pnpm,
      `#!/bin/sh\nsh -c '"$0" "$1"; true' "${process.execPath}" "${main}"; true\n`,
    );
    await chmod(pnpm, 0o755);
    const manager = watch(
      spawn(pnpm, [], {
        env: { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    await untilReady(manager);
    const lock = await readFile(join(dataDir, 'supervisor.lock'), 'utf8');
    const { pid } = JSON.parse(lock) as { pid: number };
    const children = await childrenOf(pid);
    manager.child.kill('SIGKILL');
    await eventually('all are gone', () => ![pid, ...children].some(isAlive));
    expect(manager.stderr()).toContain('The package manager that started this is gone');
  });
});
