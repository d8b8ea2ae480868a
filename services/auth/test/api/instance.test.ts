import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeNotesContract } from '@commonplace/contracts';
import { createDb } from '@commonplace/db';
import { buildApp, createLog, defineRoute, reply, serviceClient } from '@commonplace/http';
import {
  agentCaller,
  as,
  localOperatorCaller,
  operatorCaller,
  testIdentity,
} from '@commonplace/testkit';
import { createApp } from '../../src/app.ts';
import type { Deps } from '../../src/deps.ts';
import { createWorld, type World } from '../support/auth-world.ts';

const work = {
  eventStreams: 3,
  writeQueue: 2,
  syncJobs: { waiting: 1, running: 1, oldestSeconds: 4.5 },
  searchRebuildChanges: 7,
  catalogBackfillChanges: 0,
};

let world: World;
let peers: Server;
let url: string;
beforeAll(async () => {
  world = await createWorld();
  // Both services at one address: the path of their descriptions is the same.
  peers = createServer(
    buildApp({
      routes: [
        defineRoute(describeNotesContract, async () =>
          reply(200, { migration: '0009_notes', work }),
        ),
      ],
      verifyIdentity: testIdentity.verifyIdentity,
      log: createLog('notes', 'silent'),
      isReady: async () => undefined,
    }),
  );
  await new Promise<void>((resolve) => peers.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(peers.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => peers.close(resolve));
  await world.close();
});

const appWith = (deps: Partial<Deps> = {}) => {
  const call = serviceClient({
    baseUrls: [url],
    self: 'auth',
    mintIdentity: testIdentity.mintFrom('auth'),
    timeoutMs: 2_000,
  });
  return createApp({
    ...world.deps,
    callAgents: call,
    callNotes: call,
    probeAgents: async () => null,
    probeNotes: async () => null,
    verifyIdentity: testIdentity.verifyIdentity,
    ...deps,
  });
};

const administrator = operatorCaller({ isAdmin: true });

const read = async (deps?: Partial<Deps>) =>
  (await as(appWith(deps), administrator).get('/api/instance').expect(200)).body as Record<
    string,
    unknown
  >;

describe('the state of the instance', () => {
  it('has services, database, work and checks, and no backup before the first', async () => {
    const state = await read();
    expect(state).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      mode: 'authenticated',
      services: [
        { name: 'auth', isReady: true, reason: null, migration: expect.stringMatching(/^\d{4}_/) },
        { name: 'agents', isReady: true, reason: null, migration: '0009_notes' },
        { name: 'notes', isReady: true, reason: null, migration: '0009_notes' },
      ],
      database: { version: expect.stringMatching(/^\d+/), connections: {} },
      work,
      backup: null,
    });
    const { database, findings } = state as {
      readonly database: { sizeBytes: number; connections: { used: number; max: number } };
      readonly findings: readonly { check: string; state: string }[];
    };
    expect(database.sizeBytes).toBeGreaterThan(1_000_000);
    expect(database.connections.used).toBeGreaterThan(0);
    expect(database.connections.max).toBeGreaterThan(database.connections.used);
    expect(findings.map(({ check }) => check)).toEqual([
      'PostgreSQL',
      'clock of PostgreSQL',
      'connections',
      'roles',
      'row-level security',
    ]);
    expect(findings.filter(({ state: found }) => found === 'failure')).toEqual([]);
  });

  it('shows the last backup', async () => {
    await world.sql(
      `insert into auth.backups (finished_at, total_rows, bytes, is_verified)
       values ('2026-01-30T10:00:00Z', 1, null, false), ('2026-01-31T10:00:00Z', 12, 4096, true)`,
    );
    expect((await read())['backup']).toEqual({
      finishedAt: '2026-01-31T10:00:00.000Z',
      rows: 12,
      bytes: 4096,
      isVerified: true,
    });
  });

  it('shows a service that is unavailable as such, and the rest', async () => {
    const { mintFrom } = testIdentity;
    const dead = serviceClient({
      baseUrls: ['http://127.0.0.1:9'],
      self: 'auth',
      mintIdentity: mintFrom('auth'),
      timeoutMs: 500,
    });
    const state = await read({ callNotes: dead, probeNotes: async () => 'No response.' });
    expect(state['work']).toBeNull();
    expect(state['services']).toContainEqual({
      name: 'notes',
      isReady: false,
      reason: 'No response.',
      migration: null,
    });
    expect(state['database']).not.toBeNull();
    const unknown = await read({ callNotes: null, probeNotes: null });
    expect(unknown['services']).toContainEqual(
      expect.objectContaining({ reason: 'NOTES_URL of the auth service is not set.' }),
    );
  });

  it('is described without PostgreSQL, too', async () => {
    const db = createDb({
      url: 'postgres://nobody@127.0.0.1:9/none',
      onIdleError: () => undefined,
    });
    const state = await read({ db });
    await db.close();
    expect(state).toMatchObject({
      database: null,
      backup: null,
      work,
      findings: [{ check: 'database', state: 'failure' }],
    });
    expect(state['services']).toContainEqual(
      expect.objectContaining({ name: 'auth', isReady: false }),
    );
  });

  it('is for administrators and the local operator only', async () => {
    const app = appWith();
    await as(app, null).get('/api/instance').expect(401);
    await as(app, operatorCaller()).get('/api/instance').expect(403);
    await as(app, agentCaller()).get('/api/instance').expect(403);
    await as(app, localOperatorCaller()).get('/api/instance').expect(200);
  });
});
