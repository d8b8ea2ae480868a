import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeCompaniesOnEachNode, type PlacedCompany } from '../../src/citus/companies-by-node.ts';
import { startOnCluster, type SystemOnCluster } from '../../src/citus/start-on-cluster.ts';
import { writeAndRead, type Clients } from '../../src/citus/write-and-read.ts';
import { runAdmin } from '../../src/run-script.ts';

const writingMs = 2_000;

/** One story: base backups and a restore point are taken while clients write, and all nodes are restored to the point. */
describeOnCitus('a cluster that is restored to a restore point', () => {
  let folder: string;
  let cluster: CitusCluster;
  let running: SystemOnCluster;
  let companies: PlacedCompany[];
  let clients: Clients;
  /** Contents by note, as acknowledged before the point was requested, that did not change later. */
  let before: ReadonlyMap<string, string>;
  /** Notes that were begun after the point was there. */
  let after: readonly string[];
  let adopted: Awaited<ReturnType<typeof runAdmin>>;

  const start = async () => {
    running = await startOnCluster(cluster, { dataDir: join(folder, 'data') });
  };
  const contentsNow = () =>
    new Map([...clients.acknowledged].map(([id, { content }]) => [id, content]));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commonplace-point-'));
    cluster = await startCitusCluster({ isArchived: true });
    await start();
    companies = await makeCompaniesOnEachNode(cluster, running.system.baseUrl, 2);
    clients = writeAndRead(() => running.system.baseUrl, companies);
    await sleep(writingMs);
    const backup = await cluster.backUp();
    await sleep(writingMs);

    const earlier = contentsNow();
    await cluster.sql(`select citus_create_restore_point('before the loss')`);
    const pointMs = performance.now();
    await sleep(writingMs);
    await clients.stop();
    const last = contentsNow();
    before = new Map([...earlier].filter(([id, content]) => last.get(id) === content));
    const startedBefore = new Set(
      clients.exchanges.filter(({ startedAtMs }) => startedAtMs <= pointMs).map(({ path }) => path),
    );
    after = [...last.keys()].filter((id) => !startedBefore.has(`/api/notes/${id}`));

    await running.stop();
    await backup.restore('before the loss');
    adopted = await runAdmin('restore', ['--adopt'], {
      DATABASE_URL: cluster.url,
      DATA_DIR: join(folder, 'data'),
    });
    await start();
  }, 300_000);
  afterAll(async () => {
    await running?.stop();
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('has every note that was acknowledged before the point, and none that was begun after it', async () => {
    expect(adopted).toMatchObject({ exitCode: 0, stderr: '' });
    expect(before.size).toBeGreaterThan(companies.length);
    expect(after.length).toBeGreaterThan(0);
    const restored = await clients.listContents();
    expect([...before].filter(([id, content]) => restored.get(id) !== content)).toEqual([]);
    expect(after.filter((id) => restored.has(id))).toEqual([]);
  }, 120_000);

  it('is consistent across its nodes: each note has its company on the coordinator, and each of these its note', async () => {
    // Citus joins no table of the coordinator with distributed ones.
    const idsOf = async (text: string) => (await cluster.sql(text)).map(({ id }) => id);
    const owned = await idsOf('select id from notes.note_owner order by id');
    expect(owned.length).toBeGreaterThan(before.size);
    expect(await idsOf('select id from notes.notes order by id')).toEqual(owned);
  }, 120_000);

  it('is written to as before', async () => {
    const again = writeAndRead(() => running.system.baseUrl, companies);
    await sleep(writingMs);
    await again.stop();
    expect(again.exchanges.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(await again.verify()).toEqual([]);
  }, 120_000);
});
