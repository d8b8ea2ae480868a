import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  newId,
  runId,
  syncDigest,
  type SyncJob,
  type Undo,
} from '@commonplace/contracts';
import { write } from '@commonplace/db';
import {
  agentCaller,
  grant,
  operatorCaller,
  testIdentitySecrets,
  until,
} from '@commonplace/testkit';
import pg from 'pg';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { startWorkers } from '../start-workers.ts';
import { putOf, syncClient } from '../sync-client.ts';

const leaseMs = 15_000;
let world: NotesWorld;
let agents: Server;
/** Later than it is, once the lease of the killed process is to have run out. */
let aheadMs = 0;
/** What the agents service says of those who ordered jobs that workers of this process run. */
let verdict = async (): Promise<void> => undefined;

beforeAll(async () => {
  world = await createNotesWorld({
    clock: () => new Date(Date.now() + aheadMs),
    authorizeJob: () => verdict(),
  });
  agents = createServer((req, res) => {
    const isOfOperator = req.url?.includes('memberships') ?? false;
    // Slow enough for a kill between two chunks.
    setTimeout(() => {
      res.setHeader('content-type', 'application/json');
      res.end(
        JSON.stringify(
          isOfOperator
            ? { memberships: [membership], isComplete: true }
            : { agent: { agentStatus: 'active', companyStatus: 'active' } },
        ),
      );
    }, 100);
  }).listen(0, '127.0.0.1');
  await once(agents, 'listening');
});

afterAll(async () => {
  agents.close();
  await world.close();
});

/** What the agents service says of every operator. */
const membership = {
  companyId: aCompany(),
  companyName: 'Company',
  role: 'operator',
  companyStatus: 'active',
};

/** A notes service in a process of its own; its workers begin at once. */
const startProcess = (): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'silent',
      DATABASE_URL: world.database.appUrl('notes'),
      DATABASE_CITUS: world.database.isCitus ? 'on' : 'off',
      AGENTS_URL: `http://127.0.0.1:${(agents.address() as AddressInfo).port}`,
      INTERNAL_IDENTITY_SECRETS: testIdentitySecrets.join(),
    },
  });

describe('a job whose worker is killed', () => {
  it('is taken over by another process, and has its effect exactly once', async () => {
    const agent = anAgent();
    const client = syncClient(world, agent);
    const changes = Array.from({ length: 3_000 }, (_, index) => putOf({ content: `${index}` }));
    const { body } = await client.post({ mode: 'background', changes }).expect(202);
    const path = `/api/sync/${(body as { jobId: string }).jobId}`;
    const read = async () => (await world.as(agent).get(path).expect(200)).body as SyncJob;
    const reached = (isReached: (job: SyncJob) => boolean) =>
      until(async () => isReached(await read()));

    const process = startProcess();
    await reached(({ progress }) => progress.done >= 500);
    // Some way into the next chunk: after its COMMIT, perhaps, and before that is noted down.
    await sleep(120);
    process.kill('SIGKILL');
    await once(process, 'exit');
    const { status, progress } = await read();
    expect(status).toBe('running');
    expect(progress.done).toBeLessThan(3_000);

    aheadMs = leaseMs + 1_000;
    const stopWorkers = startWorkers(world);
    await reached(({ finishedAt }) => finishedAt !== null);
    await stopWorkers();

    const { result } = await read();
    expect(result?.results.map(({ status, revision }) => [status, revision])).toEqual(
      changes.map(() => ['applied', 1]),
    );
    const pulled = await client.pullAll();
    expect(pulled.changes).toHaveLength(3_000);
    expect(pulled.changes.every(({ revision }) => revision === 1)).toBe(true);
    expect(pulled.integrity).toEqual({ count: 3_000, digest: await syncDigest(pulled.changes) });
    expect(result?.integrity).toEqual(pulled.integrity);
  }, 60_000);
});

describe('an undo whose worker is killed', () => {
  it('is taken over by another process, and writes no note twice', async () => {
    aheadMs = 0;
    const company = aCompany();
    const run = runId.parse(newId());
    const source = syncClient(world, agentCaller({ companyId: company, runId: run, keyId: null }));
    const notes = Array.from({ length: 500 }, (_, index) => putOf({ content: `${index}\n` }));
    await source.push(...notes);
    const other = syncClient(world, anAgent(company));
    const edited = notes.filter((_, index) => index % 5 === 0);
    await other.push(
      ...edited.map(({ id }) => putOf({ content: 'theirs\n' }, { id, baseRevision: 1 })),
    );
    const operator = operatorCaller({ companies: [grant(company, 'operator')] });
    const request = { runId: run };
    const { body } = await world.as(operator).post('/api/notes/undo').send(request).expect(202);
    const path = `/api/notes/undo/${(body as { id: string }).id}`;
    const read = async () => (await world.as(operator).get(path).expect(200)).body as Undo;
    const reached = (isReached: (undo: Undo) => boolean) =>
      until(async () => isReached(await read()));

    const process = startProcess();
    await reached(({ progress }) => progress.done >= 100);
    process.kill('SIGKILL');
    await once(process, 'exit');
    const { status, progress } = await read();
    expect(status).toBe('running');
    expect(progress.done).toBeLessThan(500);

    aheadMs = leaseMs + 1_000;
    const stopWorkers = startWorkers(world);
    await reached(({ finishedAt }) => finishedAt !== null);
    await stopWorkers();

    const { outcomes } = await read();
    expect(outcomes).toMatchObject({ removed: 400, kept: 100, undone: 0 });
    expect((await other.pullAll()).changes.map(({ content }) => content)).toEqual(
      edited.map(() => 'theirs\n'),
    );
    const [deps] = world.deps;
    const versions = await write(deps?.db as never, company, (tx) =>
      tx.query<{ versions: number; count: number }>(
        `select v.versions::integer, count(*)::integer as count
         from (
           select count(*) as versions from notes.note_revisions
           where company_id = $1 group by note_id
         ) v group by 1`,
        [company],
      ),
    );
    expect(versions).toEqual([{ versions: 2, count: 500 }]);
  }, 60_000);
});

describe('a job that fails each time', () => {
  /** Orders a job and runs it. `pass` lets time pass, and the workers look at the queue. */
  const start = async (prepare: (jobId: string) => Promise<unknown> = async () => undefined) => {
    const agent = anAgent();
    const { body } = await syncClient(world, agent).post({ mode: 'background' }).expect(202);
    const { jobId } = body as { jobId: string };
    await prepare(jobId);
    const stopWorkers = startWorkers(world);
    const read = async () => {
      const { body: job } = await world.as(agent).get(`/api/sync/${jobId}`).expect(200);
      return job as SyncJob;
    };
    const pass = async (ms: number) => {
      aheadMs += ms;
      world.deps.forEach(({ jobSignal }) => jobSignal.notify());
      await sleep(40);
    };
    const ended = async () => {
      await until(async () => {
        await pass(31_000);
        return (await read()).finishedAt !== null;
      }, 25);
      await stopWorkers();
      return read();
    };
    return { pass, ended };
  };
  afterEach(() => {
    verdict = async () => undefined;
  });

  it('because a service is unavailable is retried ever more rarely, and never given up', async () => {
    let attempts = 0;
    verdict = async () => {
      attempts += 1;
      throw new AppError('service_unavailable');
    };
    const { pass, ended } = await start();
    for (let seconds = 0; seconds < 120; seconds += 1) {
      await pass(1_000);
    }
    expect(attempts).toBeGreaterThan(4);
    expect(attempts).toBeLessThan(15);
    verdict = async () => {
      attempts += 1;
      if (attempts < 25) {
        throw new AppError('service_unavailable');
      }
    };
    expect((await ended()).status).toBe('succeeded');
  }, 60_000);

  it('because its statement is too slow is given up', async () => {
    const canceled = `do $$ begin raise exception 'slow' using errcode = 'query_canceled'; end $$`;
    verdict = async () => {
      const [deps] = world.deps;
      await write(deps?.db as never, 'global', (tx) => tx.query(canceled));
    };
    const { ended } = await start();
    expect(await ended()).toMatchObject({
      status: 'failed',
      error: { code: 'service_unavailable' },
    });
  }, 60_000);

  it('because its caller may not go on is ended before its request is read', async () => {
    verdict = async () => {
      throw new AppError('agent_terminated');
    };
    const { ended } = await start(async (jobId) => {
      const admin = new pg.Client({ connectionString: world.database.adminUrl });
      await admin.connect();
      const unreadable = '['.repeat(300) + ']'.repeat(300);
      await admin.query('update notes.jobs set request = $2 where id = $1', [jobId, unreadable]);
      await admin.end();
    });
    expect(await ended()).toMatchObject({ status: 'failed', error: { code: 'agent_terminated' } });
  }, 60_000);
});
