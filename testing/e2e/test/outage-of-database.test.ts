import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startSystem, type RunningSystem } from '@commonplace/standalone';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { startLoad, type Load } from '../src/load.ts';
import { missingNotes } from '../src/missing-notes.ts';
import { freeze, pidsOf } from '../src/processes.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

let dataDir: string;
let system: RunningSystem;
let company: CompanyWorld;
let agent: Api;
/** A key that was revoked before anything went wrong. */
let deadKey: string;
let load: Load;
const observed: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'commonplace-outage-'));
  system = await startSystem({
    dataDir,
    env: { LOG_LEVEL: 'fatal', RATE_LIMIT_PER_SECOND: '0' },
    output: () => undefined,
  });
  const { baseUrl } = system;
  company = await makeCompany(createApi({ baseUrl }), 'Durable', { baseUrl, withInvite: false });
  agent = createApi({ baseUrl, headers: bearer(company.key) });
  const keys = `/api/agents/${company.agentId}/keys`;
  const { body } = await createApi({ baseUrl })('POST', keys, { body: { name: 'dead' } });
  const made = body as { readonly id: string; readonly key: string };
  await createApi({ baseUrl })('DELETE', `${keys}/${made.id}`);
  deadKey = made.key;
}, 120_000);

afterEach(() => load.stop());

afterAll(async () => {
  await system.stop();
  await rm(dataDir, { recursive: true, force: true });
  process.stderr.write(`Outages of PostgreSQL\n${observed.map((line) => `  ${line}\n`).join('')}`);
});

/** Runs an outage under load, waits for the first success after it, and returns what clients saw. */
const suffer = async (name: string, outage: () => Promise<unknown>): Promise<Load['failures']> => {
  load = startLoad({ baseUrl: system.baseUrl, key: company.key });
  await sleep(500);
  await outage();
  const recoveredMs = await load.recovery(performance.now());
  observed.push(`${name}: first success ${Math.round(recoveredMs)} ms after it was over`);
  expect(recoveredMs).toBeLessThan(Infinity);
  await load.stop();
  return load.failures;
};

/** The only way in which an outage may show. */
const isHonest = ({ outcome, retryAfter }: Load['failures'][number]): boolean =>
  outcome === 503 && retryAfter !== undefined;

const untilAnotherPostgres = async (pid: number): Promise<void> => {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const now = system.processes.find(({ name }) => name === 'postgres')?.pid ?? null;
    if (now !== null && now !== pid) {
      return;
    }
    if (performance.now() > deadline) {
      throw new Error('PostgreSQL did not come back');
    }
    await sleep(20);
  }
};

describe.each([
  ['stopped', 'SIGINT'],
  ['killed', 'SIGKILL'],
] as const)('a PostgreSQL that is %s and comes back', (name, signal) => {
  it('costs 503 with Retry-After, and no acknowledged write', async () => {
    const failures = await suffer(name, async () => {
      const [postgres = 0] = pidsOf(system, 'postgres');
      process.kill(postgres, signal);
      await untilAnotherPostgres(postgres);
    });
    expect(failures.filter((failure) => !isHonest(failure))).toEqual([]);
    expect(await missingNotes(agent, load.acknowledged)).toEqual([]);
  }, 60_000);
});

describe('a suspended PostgreSQL', () => {
  it('causes 503 for every caller and loses nothing when it resumes', async () => {
    const failures = await suffer('frozen for 6 s', async () => {
      const [postgres = 0] = pidsOf(system, 'postgres');
      const goOn = freeze(postgres);
      try {
        // Longer than any lookup is cached.
        await sleep(2_000);
        const callers = [deadKey, company.key, company.runToken].map(bearer);
        const requests = callers.map((headers) =>
          createApi({ baseUrl: system.baseUrl, headers })('GET', '/api/agents/me'),
        );
        const responses = await Promise.all(requests);
        expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
        expect(responses.map(({ headers }) => headers.has('retry-after'))).toEqual([
          true,
          true,
          true,
        ]);
        const ready = await fetch(`${system.baseUrl}/readyz`);
        expect(ready.status).toBe(503);
        expect((await fetch(`${system.baseUrl}/healthz`)).status).toBe(200);
        await sleep(3_000);
      } finally {
        goOn();
      }
    });
    expect(failures.filter((failure) => !isHonest(failure))).toEqual([]);
    expect(await missingNotes(agent, load.acknowledged)).toEqual([]);
  }, 60_000);
});
