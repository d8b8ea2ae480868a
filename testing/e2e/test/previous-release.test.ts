import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { createTestDatabase } from '@commonplace/testkit';
import pg from 'pg';
import { bearer, createApi } from '../src/call-api.ts';
import {
  checkOutPrevious,
  checkOutRelease,
  type NoRelease,
  type PreviousRelease,
} from '../src/previous-release.ts';
import { runScript } from '../src/run-script.ts';
import { signIn } from '../src/sign-in.ts';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompanyKey } from '../src/world.ts';

/**
 * Expand and contract: while an upgrade rolls over the replicas, and after a rollback, an earlier release works on the
 * new schema. Its own processes and its own demo show that it still can.
 */
const root = join(import.meta.dirname, '../../..');
/** Where releases keep the program of the demo, the newest place first. */
const demoPaths = ['testing/e2e/src/demo/main.ts', 'packages/e2e/src/demo/main.ts'];
let checkout: PreviousRelease | undefined;
let system: TestSystem | undefined;
let database: Awaited<ReturnType<typeof createTestDatabase>> | undefined;

afterEach(async () => {
  await system?.stop();
  await database?.drop();
  await checkout?.remove();
  [system, database, checkout] = [undefined, undefined, undefined];
});

/** The oldest release that a rollback without a backup reaches, as docs/deployment.md names it. */
const oldestDocumented = async (): Promise<PreviousRelease | NoRelease> => {
  const page = await readFile(join(root, 'docs/deployment.md'), 'utf8');
  const [, version] = /oldest release that this reaches is (\d+\.\d+\.\d+)/.exec(page) ?? [];
  return checkOutRelease(version ?? 'named nowhere');
};

const releases = [
  ['the release before the last schema change', () => checkOutPrevious()],
  ['the oldest release that a rollback reaches, which docs/deployment.md names,', oldestDocumented],
] as const;

/** Returns the folder of a release; null, and says why, where there is none to try. */
const folderOf = async (checkOut: () => Promise<PreviousRelease | NoRelease>) => {
  const found = await checkOut();
  if ('why' in found) {
    process.stderr.write(
      `An earlier release could not be tried on the new schema: ${found.why}. packages/migrations/test/schema.test.ts still refuses migrations that take something away.\n`,
    );
    return null;
  }
  checkout = found;
  return found.folder;
};

it.each(releases)(
  '%s completes its demo on the current schema',
  async (_, checkOut) => {
    const folder = await folderOf(checkOut);
    if (folder === null) {
      return;
    }
    system = await startTestSystem('local_trusted', { servicesDir: join(folder, 'services') });
    const paths = demoPaths.map((path) => join(folder, path));
    const demo = relative(root, paths.find((path) => existsSync(path)) ?? '');
    const ended = await runScript(demo, [], { BASE_URL: system.baseUrl });
    expect(ended).toMatchObject({ exitCode: 0 });
  },
  120_000,
);

/** Returns an agent, its note, and a viewer from whom the note was hidden, as this release does that, after it signed in. */
const narrowViewer = async (baseUrl: string, databaseUrl: string) => {
  const board = createApi({ baseUrl, headers: await signIn({ baseUrl, ...administrator }) });
  const company = await makeCompanyKey(board, 'Rolled back');
  const agent = createApi({ baseUrl, headers: bearer(company.key) });
  const write = async (folder: string): Promise<string> => {
    const id = randomUUID();
    const { status } = await agent('PUT', `/api/notes/${id}`, { body: { title: folder, folder } });
    expect(status).toBe(201);
    return id;
  };
  const hidden = await write('hidden');
  const headers = await inviteMember(board, company, {
    baseUrl,
    email: 'narrow@example.org',
    role: 'viewer',
  });
  const viewer = createApi({ baseUrl, headers: { ...headers, 'x-company-id': company.companyId } });
  expect((await viewer('GET', `/api/notes/${hidden}`)).status).toBe(200);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `update agents.memberships set role = 'granted_viewer',
       grants = '[{"folder": "seen", "scope": "read", "mode": "direct"}]'
     where company_id = $1 and role = 'viewer'`,
    [company.companyId],
  );
  await client.end();
  return { viewer, agent, hidden };
};

/** A bound for a busy machine; the contract says 1 s. */
const holdsWithinMs = 20_000;

it.each(releases)(
  '%s shows a viewer with grants no note outside of them',
  async (_, checkOut) => {
    const folder = await folderOf(checkOut);
    if (folder === null) {
      return;
    }
    database = await createTestDatabase();
    const { adminUrl: databaseUrl } = database;
    system = await startTestSystem('authenticated', {
      servicesDir: join(folder, 'services'),
      databaseUrl,
    });
    const { viewer, agent, hidden } = await narrowViewer(system.baseUrl, databaseUrl);
    const startMs = performance.now();
    while ((await viewer('GET', `/api/notes/${hidden}`)).status === 200) {
      expect(performance.now() - startMs).toBeLessThan(holdsWithinMs);
      await sleep(50);
    }
    for (const path of ['/api/notes', '/api/notes?q=hidden', '/api/notes/activity']) {
      expect(JSON.stringify((await viewer('GET', path)).body)).not.toContain(hidden);
    }
    const folders = await viewer('GET', '/api/notes/folders');
    expect(JSON.stringify(folders.body)).not.toContain('"hidden"');
    expect((await viewer('GET', `/api/notes/${hidden}`)).status).not.toBe(200);
    // The others go on.
    expect((await agent('GET', `/api/notes/${hidden}`)).status).toBe(200);
  },
  120_000,
);
