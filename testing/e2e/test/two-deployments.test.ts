import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem, type RunningSystem } from '@commonplace/standalone';
import { startPostgres, type RunningPostgres } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { makeCompany } from '../src/world.ts';

/** One PostgreSQL server with two databases, each for a system of its own with its own DATA_DIR. */
let folder: string;
let postgres: RunningPostgres;
let first: RunningSystem;
let agent: Api;
const systems: RunningSystem[] = [];

const asAdministrator = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(sql);
  await client.end();
};

const start = async (name: string, env: Record<string, string> = {}): Promise<RunningSystem> => {
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  const system = await startSystem({
    dataDir: join(folder, name),
    databaseUrl: url.href,
    output: () => undefined,
    env,
  });
  systems.push(system);
  return system;
};

/** What is open stays open with the old password: whether a role is locked out shows at its next connection. */
const endSessions = () =>
  asAdministrator(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename like '%_app'`,
  );

const statusWithNewSessions = async (): Promise<number> => {
  await endSessions();
  const write = () => agent('PUT', `/api/notes/${crypto.randomUUID()}`, { body: { title: 'on' } });
  // The connections that ended under it may cost the first requests of each service a 503.
  const deadlineMs = performance.now() + 20_000;
  let status = 503;
  while (status === 503 && performance.now() < deadlineMs) {
    await sleep(50);
    const read = await agent('GET', '/api/agents/me');
    ({ status } = read.status === 200 ? await write() : read);
  }
  return status;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-two-'));
  postgres = await startPostgres({ dataDir: join(folder, 'server'), fsync: false });
  await asAdministrator('create database first');
  await asAdministrator('create database second');
  first = await start('first');
  const { baseUrl } = first;
  const { key } = await makeCompany(createApi({ baseUrl }), 'First', {
    baseUrl,
    withInvite: false,
  });
  agent = createApi({ baseUrl, headers: bearer(key) });
}, 180_000);

afterAll(async () => {
  await Promise.all(systems.map((system) => system.stop()));
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

it('a second deployment with other passwords is refused with the reason, and the first continues', async () => {
  await expect(start('second')).rejects.toThrow(
    /Another deployment uses this PostgreSQL server \(databases: first\)[^]*Nothing was changed/,
  );
  expect(await statusWithNewSessions()).toBe(201);
}, 120_000);

it('with the passwords of the first both work side by side, each with its own data', async () => {
  const secrets = JSON.parse(
    await readFile(join(folder, 'first', 'secrets.json'), 'utf8'),
  ) as Record<string, string>;
  const passwords = Object.fromEntries(
    Object.entries(secrets).filter(([name]) => name.endsWith('_DATABASE_PASSWORD')),
  );
  expect(Object.keys(passwords)).toHaveLength(3);
  const second = await start('second', passwords);
  const { body } = await createApi({ baseUrl: second.baseUrl })('GET', '/api/companies');
  expect((body as { items: unknown[] }).items).toEqual([]);
  expect(await statusWithNewSessions()).toBe(201);
}, 120_000);
