import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, createMemoryStore, openSyncClient } from '@commonplace/client';
import type { SyncClient } from '@commonplace/client';
import { testPasswords, testPasswordVariables } from '@commonplace/testkit';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { bearer, createApi, type Api } from '../../src/call-api.ts';
import type { PlacedCompany } from '../../src/citus/companies-by-node.ts';
import { startOnCluster, type SystemOnCluster } from '../../src/citus/start-on-cluster.ts';
import { writeAndRead, type Clients } from '../../src/citus/write-and-read.ts';
import { runAdmin } from '../../src/run-script.ts';
import { signIn } from '../../src/sign-in.ts';
import { administrator } from '../../src/test-system.ts';
import { makeCompanyKey } from '../../src/world.ts';

const companiesCount = 4;
const writingMs = 2_000;

/** One story: a cluster with notes and a session, which is adopted, and then replaced by a backup of its own. */
describeOnCitus('a restore', () => {
  let folder: string;
  let cluster: CitusCluster;
  let running: SystemOnCluster;
  let clients: Clients;
  let replica: SyncClient;
  let session: Record<string, string>;
  const companies: PlacedCompany[] = [];
  const environment = () => ({
    DATABASE_URL: cluster.url,
    DATA_DIR: join(folder, 'data'),
    ...testPasswordVariables,
  });
  const backup = () => join(folder, 'cluster.backup');
  const start = async (): Promise<void> => {
    running = await startOnCluster(cluster, {
      dataDir: join(folder, 'data'),
      mode: 'authenticated',
      env: {
        ...testPasswordVariables,
        BOOTSTRAP_OPERATOR_EMAIL: administrator.email,
        BOOTSTRAP_OPERATOR_PASSWORD: administrator.password,
      },
    });
  };
  const baseUrl = () => running.system.baseUrl;
  const agents = (): Api[] =>
    companies.map(({ key }) => createApi({ baseUrl: baseUrl(), headers: bearer(key) }));
  const sync = (agent: Api, cursor: string | null) =>
    agent('POST', '/api/sync', { body: { clientId: 'curl', cursor } });
  const cursorNow = async (agent: Api): Promise<string> =>
    ((await sync(agent, null)).body as { cursor: string }).cursor;
  const epochs = async () =>
    (await cluster.sql('select epoch from notes.company_feed')).map(({ epoch }) => epoch);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commonplace-restore-'));
    cluster = await startCitusCluster();
    await start();
    session = await signIn({ baseUrl: baseUrl(), ...administrator });
    const operator = createApi({ baseUrl: baseUrl(), headers: session });
    for (let count = 0; count < companiesCount; count += 1) {
      companies.push({ ...(await makeCompanyKey(operator, `Company ${count}`)), port: 0 });
    }
    clients = writeAndRead(baseUrl, companies);
    await sleep(writingMs);
    await clients.stop();
    const api = createClient({
      baseUrl: 'http://system.invalid',
      credential: companies[0]?.key ?? '',
      fetch: (request) =>
        fetch(new Request(request.url.replace('http://system.invalid', baseUrl()), request)),
    });
    replica = await openSyncClient({ api, store: createMemoryStore() });
    await replica.synchronise();
  }, 240_000);
  afterAll(async () => {
    await running?.stop();
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('by other means is adopted: every note is there, no old cursor or ETag matches, and sessions end', async () => {
    const cursors = await Promise.all(agents().map(cursorNow));
    const [noteId] = ids(replica);
    const path = `/api/notes/${noteId}`;
    const etag = (await agents()[0]?.('GET', path))?.headers.get('etag') ?? '';
    const before = await epochs();
    const known = ids(replica);
    await running.stop();

    const adopted = await runAdmin('restore', ['--adopt'], environment());
    expect(adopted).toMatchObject({ exitCode: 0, stderr: '' });
    expect(new Set([...before, ...(await epochs())]).size).toBe(2 * before.length);
    await start();

    for (const [index, agent] of agents().entries()) {
      const response = await sync(agent, cursors[index] ?? '');
      expect(response).toMatchObject({ status: 410, body: { code: 'cursor_expired' } });
    }
    const body = { title: 'Over it', content: '' };
    const headers = { 'if-match': etag };
    expect((await agents()[0]?.('PUT', path, { body, headers }))?.status).toBe(412);
    const visitor = createApi({ baseUrl: baseUrl(), headers: session });
    expect((await visitor('GET', '/api/auth/session')).status).toBe(401);
    expect(await clients.verify()).toEqual([]);
    // It compares the digest of the new revisions.
    expect((await replica.synchronise()).isComplete).toBe(true);
    expect(ids(replica)).toEqual(known);
  }, 240_000);

  it('that is killed while it distributes is continued by a migration, which leaves no copy on the coordinator', async () => {
    const saved = await runAdmin('backup', [backup()], environment());
    expect(saved).toMatchObject({ exitCode: 0 });
    await running.stop();
    await killAt('Distributed: notes.notes', ['restore', backup(), '--force'], environment());
    expect(await originals(cluster)).toContain('notes.notes');

    const migrated = await runAdmin('migrate', [], environment());
    expect(migrated).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await originals(cluster)).toEqual([]);
    await start();
    expect(await clients.verify()).toEqual([]);
  }, 240_000);

  it('is refused while a service is connected to a worker', async () => {
    await running.stop();
    const url = new URL(cluster.workers[0]?.url('commonplace') ?? '');
    url.username = 'notes_app';
    url.password = testPasswords.notes;
    const service = new pg.Client({ connectionString: url.href });
    await service.connect();
    try {
      for (const args of [['--adopt'], [backup(), '--force']]) {
        const ended = await runAdmin('restore', args, environment());
        expect(ended.exitCode).toBe(1);
        expect(ended.stderr).toMatch(/Services are connected to the database \(notes_app\)/);
      }
    } finally {
      await service.end();
    }
  }, 120_000);
});

const ids = (replica: SyncClient): string[] =>
  replica
    .notes()
    .map(({ id }) => id)
    .toSorted();

/** The distributed tables whose rows from before are still on the coordinator. */
const originals = async ({ sql }: Pick<CitusCluster, 'sql'>): Promise<unknown[]> => {
  const rows = await sql(
    `select logicalrelid::text as name from pg_dist_partition
     where partmethod = 'h' and pg_relation_size(logicalrelid) > 0`,
  );
  return rows.map(({ name }) => name);
};

/** Runs a command of the admin CLI and kills it when it has printed the text. */
const killAt = async (
  text: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> => {
  const child = spawn(process.execPath, ['packages/admin/src/main.ts', ...args], {
    cwd: join(import.meta.dirname, '../../../..'),
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes(text)) {
      child.kill('SIGKILL');
      break;
    }
  }
  expect(output).toContain(text);
  await ended;
};
