import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { openWaits } from '../src/wait-for-changes.ts';
import { inviteMember, makeCompany, type CompanyWorld } from '../src/world.ts';

/** The contract says 1 s; a machine that is busy with other things gets more. */
const holdsWithinMs = 3_000;
/** For so long it must stay so on every replica. */
const staysMs = 1_500;

let system: TestSystem;
let gateways: readonly Api[];
let urls: readonly string[];
let owner: Api;
let company: CompanyWorld;
const notes: Record<string, string> = {};

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 2, agents: 2, notes: 2 },
    env: { RATE_LIMIT_PER_SECOND: '0' },
  });
  urls = system.system.processes
    .filter(({ name }) => name === 'gateway')
    .map(({ port }) => `http://127.0.0.1:${port}`);
  const board = system.as(await system.boardHeaders());
  company = await makeCompany(board, 'Granting', { baseUrl: system.baseUrl, withInvite: false });
  owner = (method, path, call = {}) =>
    board(method, path, { ...call, headers: { 'x-company-id': company.companyId } });
  gateways = urls.map((baseUrl) => createApi({ baseUrl, headers: bearer(company.key) }));
  for (const folder of ['a', 'b']) {
    const id = randomUUID();
    notes[folder] = id;
    await owner('PUT', `/api/notes/${id}`, { body: { title: `In ${folder}`, folder } });
  }
}, 120_000);
afterAll(() => system.stop());

const limit = async (grants: readonly object[] | null) => {
  const { status } = await owner('PATCH', `/api/agents/${company.agentId}`, { body: { grants } });
  expect(status).toBe(200);
  return performance.now();
};

const statusesOf = (folder: string, of: readonly Api[] = gateways): Promise<number[]> =>
  Promise.all(of.map(async (api) => (await api('GET', `/api/notes/${notes[folder]}`)).status));

/** Waits until every gateway gives a status, and sees that it stays so. Returns after how many milliseconds. */
const untilAll = async (
  folder: string,
  status: number,
  { sinceMs, of = gateways }: { readonly sinceMs: number; readonly of?: readonly Api[] },
): Promise<number> => {
  let statuses = await statusesOf(folder, of);
  while (statuses.some((each) => each !== status)) {
    expect(performance.now() - sinceMs).toBeLessThan(holdsWithinMs);
    await sleep(20);
    statuses = await statusesOf(folder, of);
  }
  const heldAfterMs = performance.now() - sinceMs;
  const end = performance.now() + staysMs;
  while (performance.now() < end) {
    expect(new Set(await statusesOf(folder, of))).toEqual(new Set([status]));
    await sleep(50);
  }
  return heldAfterMs;
};

it('changed grants of an agent hold on every gateway within a second, for its key and its run', async () => {
  expect(await statusesOf('b')).toEqual([200, 200]);
  const run = createApi({ baseUrl: system.baseUrl, headers: bearer(company.runToken) });
  const limited = await untilAll('b', 403, {
    sinceMs: await limit([{ folder: 'a', scope: 'any' }]),
  });
  expect((await run('GET', `/api/notes/${notes['b']}`)).status).toBe(403);
  expect(await statusesOf('a')).toEqual([200, 200]);
  const widened = await untilAll('b', 200, { sinceMs: await limit(null) });
  process.stderr.write(`grants held after ${Math.round(limited)} and ${Math.round(widened)} ms\n`);
});

it('changed grants end event streams and long polls, and agents/me follows', async () => {
  let changedAtMs = Infinity;
  const waits = await Promise.all(
    urls.map((url) =>
      openWaits(url, { headers: bearer(company.key), path: '/mcp' }, () => changedAtMs),
    ),
  );
  await sleep(300);
  const grants = [{ folder: 'a', scope: 'read', mode: 'direct' }];
  changedAtMs = await limit(grants);
  for (const { over } of waits) {
    for (const wait of await over) {
      expect(wait.endedAfterMs).toBeLessThan(holdsWithinMs);
    }
  }
  await untilAll('b', 403, { sinceMs: changedAtMs });
  const [api] = gateways;
  const me = await api?.('GET', '/api/agents/me');
  expect(me?.body).toMatchObject({ grants, credential: { grants } });
  await limit(null);
});

it('a note that leaves the folders is gone with the next pull, and a cursor of other grants has expired', async () => {
  const made = await owner('POST', `/api/agents/${company.agentId}/keys`, {
    body: { name: 'narrow', grants: [{ folder: 'a', scope: 'any' }] },
  });
  const { key } = made.body as { key: string };
  const narrow = createApi({ baseUrl: system.baseUrl, headers: bearer(key) });
  const pull = async (cursor: string | null) => {
    const { status, body } = await narrow('POST', '/api/sync', { body: { cursor } });
    return { status, ...(body as { cursor: string; changes: Record<string, unknown>[] }) };
  };
  const first = await pull(null);
  expect(first.changes.map(({ id }) => id)).toEqual([notes['a']]);
  await owner('PUT', `/api/notes/${notes['a']}`, { body: { title: 'Elsewhere', folder: 'b' } });
  const second = await pull(first.cursor);
  expect(second.changes).toMatchObject([
    {
      id: notes['a'],
      title: 'In a',
      folder: 'a',
      reason: 'not_granted',
      deletedAt: expect.any(String),
    },
  ]);
  expect(JSON.stringify(second.changes)).not.toContain('Elsewhere');
  const atMs = await limit([{ folder: 'c', scope: 'any' }]);
  let expired = await pull(second.cursor);
  while (expired.status !== 410) {
    expect(performance.now() - atMs).toBeLessThan(holdsWithinMs);
    expired = await pull(second.cursor);
  }
  await limit(null);
});

it('changed grants of a viewer hold on every gateway within a second, and end its streams', async () => {
  const board = system.as(await system.boardHeaders());
  const headers = await inviteMember(board, company, {
    baseUrl: system.baseUrl,
    email: 'viewer@example.org',
    role: 'viewer',
  });
  // A session may be used at any gateway; the origin is the one that the system is set up for.
  const viewers = urls.map((baseUrl) => createApi({ baseUrl, headers }));
  const [viewer] = viewers as [Api, ...Api[]];
  const { operator } = (await viewer('GET', '/api/auth/session')).body as {
    operator: { id: string };
  };
  const limitViewer = async (body: object) => {
    const path = `/api/companies/${company.companyId}/members/${operator.id}`;
    expect((await board('PATCH', path, { body })).status).toBe(200);
    return performance.now();
  };
  expect(await statusesOf('b', viewers)).toEqual([200, 200]);
  let changedAtMs = Infinity;
  const waits = await Promise.all(
    urls.map((url) => openWaits(url, { headers, path: '/mcp' }, () => changedAtMs)),
  );
  await sleep(300);
  const grants = [{ folder: 'a', scope: 'read', mode: 'direct' }];
  changedAtMs = await limitViewer({ grants });
  for (const { over } of waits) {
    for (const wait of await over) {
      expect(wait.endedAfterMs).toBeLessThan(holdsWithinMs);
    }
  }
  const limited = await untilAll('b', 403, { sinceMs: changedAtMs, of: viewers });
  const session = (await viewer('GET', '/api/auth/session')).body;
  expect(session).toMatchObject({ memberships: [{ role: 'viewer', grants }] });
  const widened = await untilAll('b', 200, {
    sinceMs: await limitViewer({ grants: null }),
    of: viewers,
  });
  process.stderr.write(
    `grants of a viewer held after ${Math.round(limited)} and ${Math.round(widened)} ms\n`,
  );
});
