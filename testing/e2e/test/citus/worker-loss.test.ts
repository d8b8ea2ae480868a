import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { makeCompaniesOnEachNode, type PlacedCompany } from '../../src/citus/companies-by-node.ts';
import { startOnCluster, type SystemOnCluster } from '../../src/citus/start-on-cluster.ts';
import { writeAndRead, type Clients, type Exchange } from '../../src/citus/write-and-read.ts';

const phaseMs = 3_000;
const recoverySecondsMax = 60;

describeOnCitus('a worker that is killed and started again', () => {
  let cluster: CitusCluster;
  let running: SystemOnCluster;
  let companies: PlacedCompany[];
  let clients: Clients;
  let outage: { readonly fromMs: number; readonly toMs: number };
  let pids: (number | null)[];

  const lostPort = () => cluster.workers[1]?.port;
  const isOnLost = ({ port }: PlacedCompany) => port === lostPort();
  const pidsNow = () => running.system.processes.map(({ pid }) => pid);
  const during = (wanted: (company: PlacedCompany) => boolean): readonly Exchange[] =>
    clients.exchanges.filter(
      ({ company, startedAtMs, endedAtMs }) =>
        wanted(company) && startedAtMs > outage.fromMs && endedAtMs < outage.toMs,
    );

  beforeAll(async () => {
    cluster = await startCitusCluster();
    running = await startOnCluster(cluster, { replicas: { notes: 2 }, isMeshed: true });
    const { baseUrl } = running.system;
    companies = await makeCompaniesOnEachNode(cluster, baseUrl, 2);
    pids = pidsNow();
    clients = writeAndRead(() => baseUrl, companies);
    await sleep(phaseMs);
    await cluster.workers[1]?.kill();
    const fromMs = performance.now();
    await sleep(2 * phaseMs);
    outage = { fromMs, toMs: performance.now() };
    await cluster.workers[1]?.start();
    await untilAllWrite(clients, companies);
    await clients.stop();
  }, 240_000);
  afterAll(async () => {
    await clients?.stop();
    await running?.stop();
    await cluster?.stop();
  }, 60_000);

  it('leaves companies on other workers undisturbed', () => {
    const others = during((company) => !isOnLost(company));
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    const served = new Set(others.map(({ company }) => company.companyId));
    expect(served.size).toBe(2);
  });

  it('is 503 with Retry-After for the companies on it', () => {
    const lost = during(isOnLost);
    expect(lost.length).toBeGreaterThan(0);
    expect([...new Set(lost.map(({ status }) => status))]).toEqual([503]);
    expect(lost.filter(({ retryAfter }) => !/^\d+$/.test(retryAfter ?? ''))).toEqual([]);
  });

  it('serves its companies again without a restart of any process of ours', () => {
    expect(pidsNow()).toEqual(pids);
    const { toMs } = outage;
    const after = clients.exchanges.filter(
      ({ company, startedAtMs, status }) =>
        isOnLost(company) && startedAtMs > toMs && status === 201,
    );
    expect(after.length).toBeGreaterThan(0);
  });

  it('loses nothing that was acknowledged', async () => {
    expect(clients.acknowledged.size).toBeGreaterThan(0);
    expect(await clients.verify()).toEqual([]);
  }, 120_000);

  it('causes no response other than success and 503', () => {
    const others = clients.exchanges.filter(({ status }) => ![200, 201, 503].includes(status ?? 0));
    expect(others).toEqual([]);
  });
});

/** Waits until each company has written since now. */
const untilAllWrite = async (
  { exchanges }: Clients,
  companies: readonly PlacedCompany[],
): Promise<void> => {
  const from = exchanges.length;
  const deadline = Date.now() + recoverySecondsMax * 1_000;
  const hasWritten = (company: PlacedCompany) =>
    exchanges.slice(from).some((one) => one.company === company && one.status === 201);
  while (!companies.every(hasWritten)) {
    if (Date.now() > deadline) {
      throw new Error(`Not every company wrote within ${recoverySecondsMax} s`);
    }
    await sleep(100);
  }
};
