import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import { bearer, createApi } from '../src/call-api.ts';
import { findMetricsPorts, metricOf, readMetrics } from '../src/metrics.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { withhold, type WithheldRequest } from '../src/withhold.ts';
import { p99While, withholdMany, type ManyWithheld } from '../src/withhold-many.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

/** What docker-compose gives every process. */
const containerMib = 512;
const mib = 1024 * 1024;
const heldForMs = 5_000;
/** A body of which nothing arrived for two seconds is slow. */
const slowAfterMs = 2_500;
const json = { 'content-type': 'application/json' };

let system: TestSystem;
let metricsPort: number;
let flooding: CompanyWorld;
let neighbour: CompanyWorld;
let other: CompanyWorld;
const figures: string[] = [];

beforeAll(async () => {
  metricsPort = await findMetricsPorts();
  const env = { RATE_LIMIT_PER_SECOND: '0', METRICS_PORT: String(metricsPort) };
  system = await startTestSystem('authenticated', { env });
  const board = system.as(await system.boardHeaders());
  const { baseUrl } = system;
  flooding = await makeCompany(board, 'Flood', { baseUrl, withInvite: true });
  neighbour = await makeCompany(board, 'Neighbour', { baseUrl, withInvite: true });
  other = await makeCompany(board, 'Other', { baseUrl, withInvite: false });
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

/** Waits until the gateway has buffered so much of the bodies in flight. */
const untilBuffered = (isEnough: (bytes: number) => boolean): Promise<void> =>
  until(async () =>
    isEnough(metricOf(await readMetrics(metricsPort, 'gateway'), 'gateway_body_bytes')),
  );

/** A push that is complete but for its last byte, most of it white space. */
const begunPush = (key: string): WithheldRequest => {
  const padding = ' '.repeat(30 * mib);
  const text = `{"clientId":"large","mode":"background","changes":[]${padding}}`;
  return withhold(system.baseUrl, {
    method: 'POST',
    path: '/api/sync',
    headers: bearer(key),
    body: text,
  });
};

it('withheld and junk bodies of one company neither overtake nor fail a large push of another', async () => {
  const { baseUrl } = system;
  const begun = begunPush(neighbour.key);
  const withheld = withholdMany({
    baseUrl,
    path: '/api/sync',
    headers: bearer(flooding.key),
    bytes: 32 * mib,
    count: 3,
  });
  const small = { method: 'POST', headers: { ...bearer(flooding.key), ...json } };
  const sendJunk = async () =>
    (await fetch(`${baseUrl}/api/sync`, { ...small, body: 'x'.repeat(1_900_000) })).status;
  const statuses = Promise.all(Array.from({ length: 12 }, sendJunk));
  expect((await begun.finish()).status).toBe(202);
  for (const status of await statuses) {
    expect([400, 429, 503]).toContain(status);
  }
  await until(() => withheld.statuses.has(429));
  withheld.end();
}, 120_000);

it('slow bodies that fill what an address may have make room for a large push', async () => {
  const { baseUrl } = system;
  const path = '/api/sync';
  const withhold32Mib = (key: string, count: number) =>
    withholdMany({ baseUrl, path, headers: bearer(key), bytes: 32 * mib, count });
  await untilBuffered((bytes) => bytes === 0);
  const withheld = [withhold32Mib(flooding.key, 2), withhold32Mib(other.key, 1)];
  await untilBuffered((bytes) => bytes > 95 * mib);
  await sleep(slowAfterMs);
  expect((await begunPush(neighbour.key).finish()).status).toBe(202);
  const displaced = () => withheld.flatMap(({ statuses }) => [...statuses]);
  await until(() => displaced().length > 0);
  expect(displaced()).toEqual([[503, 1]]);
  withheld.forEach(({ end }) => end());
}, 120_000);

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
