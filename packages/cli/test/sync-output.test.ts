import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runWith } from './notes-environment.ts';
import { asJson, startStubServer, type StubServer } from './stub-server.ts';

const id = '0198a000-0000-7000-8000-000000000001';
const nothing = {
  results: [],
  changes: [],
  cursor: 'one',
  epoch: id,
  hasMore: false,
  integrity: { count: 0, digest: '0'.repeat(16) },
  serverTime: '2026-11-29T00:00:00.000Z',
};

let server: StubServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-output-'));
  server = await startStubServer(({ path }) =>
    asJson(path === '/api/agents/me' ? { id, companyId: id, credential: {} } : nothing),
  );
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

it('sync --json prints one line, in which no name of a file changes the direction of text', async () => {
  const path = 'a\u202e\u009bb.md';
  // It is too large, and so it is named.
  await writeFile(join(folder, path), 'x'.repeat(600 * 1024));
  const { stdout, code } = await runWith(server.env)(['sync', folder, '--json']);
  expect(code).toBe(1);
  expect(stdout).toContain('"a\\u202e\\u009bb.md"');
  expect(stdout.trimEnd()).not.toContain('\n');
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ path }] });
});
