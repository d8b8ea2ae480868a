import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, createApi } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { p99While, withholdMany, type ManyWithheld } from '../src/withhold-many.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

/** What docker-compose gives every process. */
const containerMib = 512;
const mib = 1024 * 1024;
const heldForMs = 5_000;

let system: TestSystem;
let flooding: CompanyWorld;
let neighbour: CompanyWorld;
const figures: string[] = [];

beforeAll(async () => {
  system = await startTestSystem('authenticated', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  const board = system.as(await system.boardHeaders());
  const { baseUrl } = system;
  flooding = await makeCompany(board, 'Flood', { baseUrl, withInvite: true });
  neighbour = await makeCompany(board, 'Neighbour', { baseUrl, withInvite: true });
}, 120_000);
afterAll(async () => {
  await system?.stop();
  process.stderr.write(`${figures.join('\n')}\n`);
});

const memoryOf = (pid: number | null): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The highest memory of each process during some work, in MiB. */
const peaksWhile = async (work: () => Promise<void>): Promise<ReadonlyMap<string, number>> => {
  const peaks = new Map<string, number>();
  const look = () => {
    for (const { name, pid } of system.system.processes.filter((each) => each.pid !== null)) {
      peaks.set(name, Math.max(peaks.get(name) ?? 0, Math.round(memoryOf(pid))));
    }
  };
  const timer = setInterval(look, 100);
  await work();
  clearInterval(timer);
  look();
  return peaks;
};

/** Holds a load for a while, beside a neighbour that reads a note over and over; every read has to succeed. */
const endure = async (name: string, begin: () => ManyWithheld) => {
  const { baseUrl } = system;
  const api = createApi({ baseUrl, headers: bearer(neighbour.key) });
  const failures: number[] = [];
  const read = async () => {
    const { status } = await api('GET', `/api/notes/${neighbour.noteId}`);
    failures.push(...(status === 200 ? [] : [status]));
  };
  let load: ManyWithheld | undefined;
  let p99 = Infinity;
  const peaks = await peaksWhile(async () => {
    p99 = await p99While(read, async () => {
      load = begin();
      await sleep(heldForMs);
      load.end();
    });
  });
  const statuses = Object.fromEntries(load?.statuses ?? []);
  figures.push(
    `${name}: memory in MiB ${JSON.stringify(Object.fromEntries(peaks))}, responses ${JSON.stringify(statuses)}, a neighbour's p99 ${Math.round(p99)} ms`,
  );
  return { peaks, failures, statuses };
};

it('200 logins of 2 MiB without their last byte leave every process within its container', async () => {
  const { peaks, failures } = await endure('logins', () =>
    withholdMany({
      baseUrl: system.baseUrl,
      path: '/api/auth/login',
      headers: { origin: system.baseUrl },
      count: 200,
      bytes: 2 * mib,
    }),
  );
  expect(Math.max(...peaks.values())).toBeLessThan(containerMib);
  expect(failures).toEqual([]);
}, 60_000);

it('20 pushes of 32 MiB with one key, without their last byte, do too', async () => {
  const { peaks, failures, statuses } = await endure('pushes', () =>
    withholdMany({
      baseUrl: system.baseUrl,
      path: '/api/sync',
      headers: bearer(flooding.key),
      count: 20,
      bytes: 32 * mib,
    }),
  );
  expect(Math.max(...peaks.values())).toBeLessThan(containerMib);
  expect(failures).toEqual([]);
  expect(statuses).toHaveProperty('429');
}, 60_000);
