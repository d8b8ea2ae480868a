import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSystem, type RunningSystem } from '@commonplace/standalone';
import { startPostgres, type RunningPostgres } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testPasswordVariables, until } from '@commonplace/testkit';
import { describeIf } from '@commonplace/testkit/describe-if';
import pg from 'pg';
import { bearer, createApi, type Api, type ApiResponse } from '../src/call-api.ts';
import { runAdmin } from '../src/run-script.ts';
import { makeCompany } from '../src/world.ts';

/*
 * A disk that is really full: the tables lie on a small file system of their own (a tablespace on a tmpfs), which
 * is filled to its last byte. The log of PostgreSQL lies elsewhere; without room for that one it stops.
 */
const run = promisify(execFile);

/** Null where this user may mount nothing; the rest of the folder is an ordinary one. */
const mountSmallDisk = async (size: string): Promise<string | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-disk-'));
  const disk = join(folder, 'disk');
  await mkdir(disk);
  await chmod(folder, 0o711);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
    return folder;
  } catch {
    await rm(folder, { recursive: true });
    return null;
  }
};

const folder = await mountSmallDisk('96m');
const describeOnSmallDisk = describeIf(folder !== null, 'this user may not mount a file system');
let postgres: RunningPostgres | undefined;
let system: RunningSystem | undefined;
let agent: Api;

const disk = (...names: string[]): string => join(folder ?? '', 'disk', ...names);

const asAdministrator = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres?.url });
  await client.connect();
  await client.query(sql);
  await client.end();
};

beforeAll(async () => {
  if (folder === null) {
    return;
  }
  postgres = await startPostgres({ dataDir: join(folder, 'server') });
  const { uid, gid } = await stat(join(folder, 'server', 'pgdata'));
  await mkdir(disk('tables'), { mode: 0o700 });
  await run('chown', [`${uid}:${gid}`, disk('tables')]);
  await asAdministrator(`create tablespace small location '${disk('tables')}'`);
  await asAdministrator('create database small tablespace small');
  const url = new URL(postgres.url);
  url.pathname = '/small';
  system = await startSystem({
    dataDir: join(folder, 'data'),
    databaseUrl: url.href,
    output: () => undefined,
  });
  const { baseUrl } = system;
  const { key } = await makeCompany(createApi({ baseUrl }), 'Full', { baseUrl, withInvite: false });
  agent = createApi({ baseUrl, headers: bearer(key) });
}, 180_000);

afterAll(async () => {
  await system?.stop();
  await postgres?.stop();
  if (folder !== null) {
    await run('umount', [disk()]);
    await rm(folder, { recursive: true });
  }
}, 60_000);

/** Takes all the room that a disk has, the last of it byte by byte. */
const fill = async (ballast = disk('ballast')): Promise<void> => {
  const file = await open(ballast, 'w');
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      while (await hasRoomFor(file, size)) {
        // Until it has none.
      }
    }
  } finally {
    await file.close();
  }
};

const hasRoomFor = async (file: FileHandle, size: number): Promise<boolean> => {
  try {
    return (await file.write(Buffer.alloc(size))).bytesWritten === size;
  } catch {
    return false;
  }
};

const acknowledged: string[] = [];

/** Text that does not shrink, so that its note needs pages of its own. */
const put = async (): Promise<ApiResponse> => {
  const id = randomUUID();
  const content = randomBytes(150_000).toString('base64');
  const response = await agent('PUT', `/api/notes/${id}`, { body: { title: id, content } });
  if (response.status === 201) {
    acknowledged.push(id);
  }
  return response;
};

const ready = async () => {
  const response = await fetch(`${system?.baseUrl ?? ''}/readyz`);
  return { status: response.status, body: (await response.json()) as unknown };
};

describeOnSmallDisk('a full disk', () => {
  it('causes 503 with Retry-After, is reported by /readyz, and ends when there is space', async () => {
    expect((await put()).status).toBe(201);
    await fill();
    let refused = await put();
    // What was free within the files of the tables is used up first.
    for (let tries = 0; refused.status === 201 && tries < 50; tries += 1) {
      refused = await put();
    }
    expect(refused).toMatchObject({
      status: 503,
      body: {
        code: 'service_unavailable',
        detail: expect.stringMatching(/disk of the database is full.*free some space/),
      },
    });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await ready()).toMatchObject({
      status: 503,
      body: {
        services: { notes: 'unavailable' },
        detail: expect.stringMatching(/notes: PostgreSQL cannot write: its disk is full/),
      },
    });
    expect((await agent('GET', '/api/notes')).status).toBe(200);
    await rm(disk('ballast'));
    await until(async () => (await ready()).status === 200);
    expect((await put()).status).toBe(201);
    for (const id of acknowledged) {
      expect((await agent('GET', `/api/notes/${id}`)).status).toBe(200);
    }
  }, 120_000);

  it('does not keep a backup to another disk from being made, whether the system runs or not', async () => {
    const data = await mountSmallDisk('160m');
    if (data === null) {
      throw new Error('The second file system could not be mounted.');
    }
    const env = { DATA_DIR: join(data, 'disk', 'data'), PATH: process.env['PATH'] ?? '' };
    try {
      const server = await startPostgres({ dataDir: join(env.DATA_DIR, 'postgres'), fsync: false });
      const ofServer = { ...env, DATABASE_URL: server.url };
      await runAdmin('migrate', [], { ...ofServer, ...testPasswordVariables });
      await fill(join(data, 'disk', 'ballast'));
      const running = await runAdmin('backup', [join(data, 'running')], ofServer);
      expect(running).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('could not be recorded'),
      });
      await server.stop();
      const stopped = await runAdmin('backup', [join(data, 'stopped')], env);
      expect(stopped.stderr).toMatch(/^The disk of \S+ is full\. Copying the database/);
      expect(stopped).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/rows of \d+ tables, written and verified/),
      });
      expect((await readdir(data)).toSorted()).toEqual(['disk', 'running', 'stopped']);
      const beside = await runAdmin('backup', [join(data, 'disk', 'beside')], env);
      expect(beside.stderr).toMatch(/The disk of \S+ is full: free some space/);
    } finally {
      await run('umount', [join(data, 'disk')]);
      await rm(data, { recursive: true });
    }
  }, 120_000);
});
