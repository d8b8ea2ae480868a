import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem } from '@commonplace/standalone';
import { testPasswordVariables } from '@commonplace/testkit';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApi } from '../../src/call-api.ts';
import { portOf, type PlacedCompany } from '../../src/citus/companies-by-node.ts';
import { startOnCluster } from '../../src/citus/start-on-cluster.ts';
import { writeAndRead } from '../../src/citus/write-and-read.ts';
import { runAdmin } from '../../src/run-script.ts';
import { makeCompanyKey } from '../../src/world.ts';

const companiesCount = 6;
const writingMs = 2_000;

/** One story: from one PostgreSQL to a cluster by a backup, and a backup of the cluster at work that replaces it. */
describeOnCitus('a backup', () => {
  let folder: string;
  let cluster: CitusCluster;
  let baseUrl = '';
  const companies: PlacedCompany[] = [];
  const inFolder = (name: string) => join(folder, name);
  const onCluster = () => ({
    DATABASE_URL: cluster.url,
    DATA_DIR: inFolder('data'),
    ...testPasswordVariables,
  });
  /** With the same secrets, so that the keys of agents stay valid. */
  const startThere = async () => {
    const env = testPasswordVariables;
    const running = await startOnCluster(cluster, { dataDir: inFolder('data'), env });
    ({ baseUrl } = running.system);
    return running;
  };
  const write = () => writeAndRead(() => baseUrl, companies);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commonplace-move-'));
    cluster = await startCitusCluster();
  }, 120_000);
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('of one PostgreSQL is restored on an empty cluster, with every note and every valid key', async () => {
    const dataDir = inFolder('data');
    const plain = await startSystem({ dataDir, output: () => undefined, fsync: false });
    ({ baseUrl } = plain);
    const operator = createApi({ baseUrl });
    for (let count = 0; count < companiesCount; count += 1) {
      companies.push({ ...(await makeCompanyKey(operator, `Company ${count}`)), port: 0 });
    }
    const clients = write();
    await sleep(writingMs);
    await clients.stop();
    const saved = await runAdmin('backup', [inFolder('plain.backup')], { DATA_DIR: dataDir });
    expect(saved).toMatchObject({ exitCode: 0 });
    await plain.stop();

    const restored = await runAdmin('restore', [inFolder('plain.backup')], onCluster());
    expect(restored).toMatchObject({ exitCode: 0 });
    const ports = cluster.workers.map(({ port }) => port);
    for (const { companyId } of companies) {
      expect(ports).toContain(await portOf(cluster, companyId));
    }
    const running = await startThere();
    expect(clients.acknowledged.size).toBeGreaterThan(0);
    expect(await clients.verify()).toEqual([]);
    const more = write();
    await sleep(writingMs);
    await more.stop();
    expect(more.exchanges.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(await more.verify()).toEqual([]);
    await running.stop();
  }, 240_000);

  it('of a cluster at work has every note that was acknowledged before it, and replaces the cluster', async () => {
    const running = await startThere();
    const clients = write();
    await sleep(writingMs);
    const before = [...clients.acknowledged.keys()];
    expect(before.length).toBeGreaterThan(0);
    const saved = await runAdmin('backup', [inFolder('cluster.backup')], onCluster());
    expect(saved).toMatchObject({ exitCode: 0 });
    await clients.stop();
    const failed = clients.exchanges.filter(({ status }) => status !== 200 && status !== 201);
    expect(failed).toEqual([]);
    await running.stop();

    const restored = await runAdmin(
      'restore',
      [inFolder('cluster.backup'), '--force'],
      onCluster(),
    );
    expect(restored).toMatchObject({ exitCode: 0 });
    const again = await startThere();
    const present = await clients.listContents();
    expect(before.filter((id) => !present.has(id))).toEqual([]);
    const more = write();
    await sleep(writingMs);
    await more.stop();
    expect(await more.verify()).toEqual([]);
    await again.stop();
  }, 240_000);
});
