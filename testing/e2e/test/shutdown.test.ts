import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ProcessName } from '@commonplace/contracts';
import { bearer, createApi } from '../src/call-api.ts';
import { startLoad, type Load } from '../src/load.ts';
import { missingNotes } from '../src/missing-notes.ts';
import { pidsOf } from '../src/processes.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let company: CompanyWorld;
let load: Load;

beforeAll(async () => {
  system = await startTestSystem('local_trusted', {
    replicas: { auth: 2, agents: 2, notes: 2 },
    isMeshed: true,
    env: { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'fatal' },
  });
  company = await makeCompany(system.as({}), 'Steady', {
    baseUrl: system.baseUrl,
    withInvite: false,
  });
}, 120_000);
afterEach(() => load.stop());
afterAll(() => system.stop());

it.each(['notes', 'agents', 'auth'] as const)(
  'SIGTERM to one of two %s processes under load fails no request',
  async (service) => {
    load = startLoad({ baseUrl: system.baseUrl, key: company.key, clients: 16 });
    await sleep(1_000);
    const before = pidsOf(system.system, service);
    process.kill(before[0] ?? 0, 'SIGTERM');
    await untilReplaced(service, before[0] ?? 0);
    await sleep(1_000);
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.acknowledged.length).toBeGreaterThan(50);
  },
  60_000,
);

it('SIGTERM to the gateway under load fails no accepted request', async () => {
  load = startLoad({ baseUrl: system.baseUrl, key: company.key, clients: 16 });
  await sleep(500);
  const [gateway = 0] = pidsOf(system.system, 'gateway');
  process.kill(gateway, 'SIGTERM');
  await untilReplaced('gateway', gateway);
  await load.recovery(performance.now());
  await load.stop();
  // Nobody listens between its end and its return. Who connects in that very moment is reset by the
  // kernel, which is a refusal that comes late: nothing that was sent on it may have been taken.
  const taken = load.failures.filter(
    ({ outcome, isFirst }) => outcome !== 'ECONNREFUSED' && !(outcome === 'ECONNRESET' && isFirst),
  );
  expect(taken).toEqual([]);
  const agent = createApi({ baseUrl: system.baseUrl, headers: bearer(company.key) });
  const reset = load.failures.filter(
    ({ outcome, method }) => outcome === 'ECONNRESET' && method === 'PUT',
  );
  const found = await Promise.all(reset.map(({ path }) => agent('GET', path)));
  expect(found.map(({ status }) => status)).toEqual(reset.map(() => 404));
  expect(await missingNotes(agent, load.acknowledged)).toEqual([]);
}, 60_000);

const untilReplaced = async (service: ProcessName, pid: number) => {
  const count = system.system.processes.filter(({ name }) => name === service).length;
  const deadline = performance.now() + 40_000;
  for (;;) {
    const now = system.system.processes.filter(({ name }) => name === service);
    const isBack = now.every((process) => process.pid !== null && process.pid !== pid);
    if (isBack && now.length === count) {
      return;
    }
    if (performance.now() > deadline) {
      throw new Error(`${service} did not come back`);
    }
    await sleep(50);
  }
};
