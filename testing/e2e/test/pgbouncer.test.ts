import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, testPasswords, type TestDatabase } from '@commonplace/testkit';
import { bearer, createApi } from '../src/call-api.ts';
import { runDemo } from '../src/demo/run-demo.ts';
import { startLoad } from '../src/load.ts';
import { missingNotes } from '../src/missing-notes.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany } from '../src/world.ts';

/*
 * Everything through PgBouncer in transaction mode, configured by infra/scale, with far fewer connections to
 * PostgreSQL than the services request: code that relied on the state of a session would find that of
 * somebody else.
 */
const example = join(import.meta.dirname, '../../../infra/scale/pgbouncer/pgbouncer.ini');

let folder: string;
let database: TestDatabase;
let pooler: ChildProcess;
let log = '';
let system: TestSystem;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-pgbouncer-'));
  database = await createTestDatabase();
  const port = await startPooler(new URL(database.adminUrl));
  const throughPooler = (service: 'auth' | 'agents' | 'notes') => {
    const url = new URL(database.appUrl(service));
    url.port = String(port);
    return { DATABASE_URL: url.href, DATABASE_NAMED_STATEMENTS: 'off' };
  };
  system = await startTestSystem('local_trusted', {
    databaseUrl: database.adminUrl,
    env: {
      RATE_LIMIT_PER_SECOND: '0',
      AUTH_DATABASE_PASSWORD: testPasswords.auth,
      AGENTS_DATABASE_PASSWORD: testPasswords.agents,
      NOTES_DATABASE_PASSWORD: testPasswords.notes,
    },
    serviceEnv: {
      auth: throughPooler('auth'),
      agents: throughPooler('agents'),
      notes: throughPooler('notes'),
    },
  });
}, 120_000);

afterAll(async () => {
  await system.stop();
  pooler.kill('SIGINT');
  await once(pooler, 'exit');
  await database.drop();
  await rm(folder, { recursive: true });
});

it('the demo returns the documented responses', async () => {
  const lines: string[] = [];
  await runDemo({
    baseUrl: system.baseUrl,
    operatorHeaders: {},
    print: (line) => void lines.push(line),
  });
  expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
  expect(log).not.toMatch(/unsupported|error/i);
}, 60_000);

it('concurrent companies lose nothing and see nothing of each other', async () => {
  const { baseUrl } = system;
  const board = system.as({});
  const names = ['Alder', 'Birch', 'Cedar'];
  const companies = [];
  for (const name of names) {
    companies.push(await makeCompany(board, name, { baseUrl, withInvite: false }));
  }
  const loads = companies.map(({ key }) => startLoad({ baseUrl, key, clients: 8, pauseMs: 0 }));
  await sleep(3_000);
  await Promise.all(loads.map((load) => load.stop()));
  for (const [index, load] of loads.entries()) {
    expect(load.failures).toEqual([]);
    expect(load.acknowledged.length).toBeGreaterThan(20);
    const agent = createApi({ baseUrl, headers: bearer(companies[index]?.key ?? '') });
    expect(await missingNotes(agent, load.acknowledged)).toEqual([]);
    const outsider = createApi({ baseUrl, headers: bearer(companies[(index + 1) % 3]?.key ?? '') });
    const foreign = await outsider('GET', `/api/notes/${load.acknowledged[0]}`);
    expect(foreign.status).toBe(403);
    const listed = await outsider('GET', '/api/notes?limit=200');
    const { items } = listed.body as { readonly items: readonly { readonly id: string }[] };
    const ownIds = new Set(load.acknowledged);
    expect(items.filter(({ id }) => ownIds.has(id))).toEqual([]);
  }
}, 60_000);

/** Starts PgBouncer with the example's settings, but for addresses, and three connections a role. */
const startPooler = async (postgres: URL): Promise<number> => {
  const port = await findFreePort();
  const name = postgres.pathname.slice(1);
  const userList = join(folder, 'userlist.txt');
  const ini = (await readFile(example, 'utf8'))
    .replace(/^commonplace = .*/m, `${name} = host=127.0.0.1 port=${postgres.port} dbname=${name}`)
    .replace(/^listen_addr = .*/m, 'listen_addr = 127.0.0.1')
    .replace(/^listen_port = .*/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*/m, `auth_file = ${userList}`)
    .replace(/^default_pool_size = .*/m, 'default_pool_size = 3');
  const users = Object.entries(testPasswords);
  await writeFile(userList, users.map(([role, text]) => `"${role}_app" "${text}"\n`).join(''));
  await writeFile(join(folder, 'pgbouncer.ini'), ini);
  // PgBouncer does not run as root; test machines often do.
  const isRoot = process.getuid?.() === 0;
  await chmod(folder, 0o755);
  const args = [...(isRoot ? ['--user=postgres'] : []), join(folder, 'pgbouncer.ini')];
  pooler = spawn('pgbouncer', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  pooler.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
  pooler.once('error', (error) => (log += error.message));
  await untilListening(port);
  return port;
};

const untilListening = async (port: number): Promise<void> => {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const socket = createConnection(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) {
      return;
    }
    if (pooler.exitCode !== null || pooler.pid === undefined) {
      break;
    }
    await sleep(50);
  }
  throw new Error(
    `PgBouncer is needed for this test and did not start (Debian: apt-get install pgbouncer):\n${log}`,
  );
};
