import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, createMemoryStore, openSyncClient } from '@commonplace/client';
import type { SyncClient } from '@commonplace/client';
import { startSystem, type RunningSystem } from '@commonplace/standalone';
import { startPostgres } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { runAdmin } from '../src/run-script.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

/** A backup with two notes of Monday; since then one has changed and a third has come. */
let folder: string;
let backup: string;
let system: RunningSystem;
let company: CompanyWorld;
let agent: Api;
let replica: SyncClient;
const first = '0190a000-0000-7000-8000-000000000001';
const second = '0190a000-0000-7000-8000-000000000002';
const third = '0190a000-0000-7000-8000-000000000003';

const dataDir = () => join(folder, 'data');

const start = async (): Promise<void> => {
  system = await startSystem({ dataDir: dataDir(), output: () => undefined, fsync: false });
};

const connect = (): void => {
  agent = createApi({ baseUrl: system.baseUrl, headers: bearer(company.key) });
};

const put = (id: string, title: string) =>
  agent('PUT', `/api/notes/${id}`, { body: { title, content: `${title}\n` } });

const titlesOnServer = async (): Promise<string[]> => {
  const { body } = await agent('GET', '/api/notes');
  return (body as { items: { title: string }[] }).items.map(({ title }) => title).toSorted();
};

const revisionOf = async (id: string): Promise<number> =>
  ((await agent('GET', `/api/notes/${id}`)).body as { revision: number }).revision;

const restore = () => runAdmin('restore', [backup, '--force'], { DATA_DIR: dataDir() });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-restore-'));
  await chmod(folder, 0o711);
  backup = join(folder, 'monday.backup');
  await start();
  company = await makeCompany(createApi({ baseUrl: system.baseUrl }), 'Restored', {
    ...system,
    withInvite: false,
  });
  connect();
  const api = createClient({
    baseUrl: 'http://system.invalid',
    credential: company.key,
    fetch: (request) =>
      fetch(new Request(request.url.replace('http://system.invalid', system.baseUrl), request)),
  });
  replica = await openSyncClient({ api, store: createMemoryStore() });
  await put(first, 'Monday');
  await put(second, 'Monday too');
  await runAdmin('backup', [backup], { DATA_DIR: dataDir() });
  await put(first, 'Tuesday');
  await put(third, 'Tuesday too');
  await system.stop();
}, 180_000);

afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a restore that is killed', () => {
  const old = ['Monday too', 'Note of Restored', 'Tuesday', 'Tuesday too'];
  const restored = ['Monday', 'Monday too', 'Note of Restored'];

  /** Kills the restore, all of its processes, `afterMs` after it has printed the text. */
  const kill = async (text: string, afterMs: number): Promise<string> => {
    const child = spawn(
      process.execPath,
      ['packages/admin/src/main.ts', 'restore', backup, '--force'],
      {
        cwd: join(import.meta.dirname, '../../..'),
        env: { ...process.env, DATA_DIR: dataDir() },
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const ended = once(child, 'exit');
    let output = '';
    const printed = (async () => {
      for await (const chunk of child.stdout) {
        output += String(chunk);
        if (output.includes(text)) {
          return;
        }
      }
    })();
    await printed;
    await sleep(afterMs);
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    await ended;
    return output;
  };

  /** The titles in the database, read by PostgreSQL alone. */
  const titles = async (): Promise<string[]> => {
    const postgres = await startPostgres({ dataDir: join(dataDir(), 'postgres'), fsync: false });
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ title: string }>('select title from notes.notes');
      return rows.map(({ title }) => title).toSorted();
    } finally {
      await client.end();
      await postgres.stop();
    }
  };

  it('leaves the database either unchanged or restored at any time', async () => {
    const moments: [string, number][] = [
      ['is whole', 0],
      ['stays as it is', 0],
      ['stays as it is', 100],
      ['stays as it is', 250],
      ['stays as it is', 500],
      ['stays as it is', 1_000],
      ['All tables are loaded', 0],
    ];
    const found: string[][] = [];
    for (const [text, afterMs] of moments) {
      await kill(text, afterMs);
      const now = await titles();
      expect([old, restored]).toContainEqual(now);
      found.push(now);
    }
    expect(found[0]).toEqual(old);
    expect(found.at(-1)).toEqual(restored);
  }, 240_000);
});

describe('the same backup restored twice', () => {
  it('reuses no revision, so that a client in between converges with the server', async () => {
    await start();
    connect();
    await replica.synchronise();
    const before = await revisionOf(first);
    await put(first, 'Written after the first restore');
    await put(first, 'Written once more after the first restore');
    await replica.synchronise();
    const seen = await revisionOf(first);
    expect(seen).toBe(before + 2);
    await system.stop();
    expect(await restore()).toMatchObject({ exitCode: 0, stderr: '' });
    await start();
    connect();
    expect(await revisionOf(first)).toBeGreaterThan(seen);
    // With a constant raise this one would have a revision that the client knows with another text.
    await put(first, 'Written after the second restore');
    const report = await replica.synchronise();
    expect(report.isComplete).toBe(true);
    const known = replica.notes().map(({ text }) => text.title);
    expect(known.toSorted()).toEqual(await titlesOnServer());
    expect(known).toContain('Written after the second restore');
  }, 180_000);

  it('restores notes whose revisions a client has set far ahead', async () => {
    const body = {
      clientId: 'far-ahead',
      cursor: null,
      changes: [1, 999_999, 1_999_999_999].map((baseRevision, index) => ({
        mutationId: `m${index}`,
        id: `0190a000-0000-7000-8000-00000000010${index}`,
        op: 'put',
        baseRevision,
        note: { title: `ahead ${index}`, content: 'x' },
      })),
    };
    expect((await agent('POST', '/api/sync', { body })).status).toBe(200);
    await runAdmin('backup', [`${backup}.2`], { DATA_DIR: dataDir() });
    await system.stop();
    for (let round = 0; round < 2; round += 1) {
      const ended = await runAdmin('restore', [`${backup}.2`, '--force'], {
        DATA_DIR: dataDir(),
      });
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    }
    await start();
    connect();
    const known = await replica.synchronise();
    expect(known.isComplete).toBe(true);
    expect(replica.notes().map(({ text }) => text.title)).toContain('ahead 2');
  }, 180_000);
});
