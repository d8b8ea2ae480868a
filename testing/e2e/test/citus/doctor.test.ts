import { afterEach, expect, it } from '@jest/globals';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { runAdmin } from '../../src/run-script.ts';

let cluster: CitusCluster | undefined;
afterEach(() => cluster?.stop(), 60_000);

const startCluster = async (walLevel: string): Promise<CitusCluster> => {
  cluster = await startCitusCluster({ workers: 1, settings: { wal_level: walLevel } });
  return cluster;
};

/** What the doctor says of moving companies. */
const findingsOf = async ({ url }: CitusCluster): Promise<unknown[]> => {
  const { stdout } = await runAdmin('doctor', ['--json'], { DATABASE_URL: url });
  const findings = JSON.parse(stdout) as { check: string; state: string; detail: string }[];
  return findings.filter(({ check }) => check === 'moves of companies');
};

describeOnCitus('the doctor', () => {
  it('names the nodes that could move companies by logical replication, which loses changes', async () => {
    const logical = await startCluster('logical');
    const { port } = logical.coordinator;
    const [worker] = logical.workers;
    const both = [`127.0.0.1:${port}`, `127.0.0.1:${worker?.port}`].toSorted();
    expect(await findingsOf(logical)).toEqual([
      expect.objectContaining({
        state: 'warning',
        detail: expect.stringContaining(`logical on ${both.join(', ')}:`),
      }),
    ]);
    // Citus lists only the worker now, and the coordinator has no entry.
    await logical.sql(`select citus_remove_node('127.0.0.1', $1)`, [port]);
    expect(await findingsOf(logical)).toEqual([
      expect.objectContaining({
        state: 'warning',
        detail: expect.stringContaining(`logical on 127.0.0.1:${worker?.port}, the coordinator:`),
      }),
    ]);
  }, 240_000);

  it('is content where no node can, and names those that cannot be reached', async () => {
    const replica = await startCluster('replica');
    expect(await findingsOf(replica)).toEqual([expect.objectContaining({ state: 'ok' })]);
    const [worker] = replica.workers;
    await worker?.kill();
    expect(await findingsOf(replica)).toEqual([
      expect.objectContaining({
        state: 'warning',
        detail: expect.stringMatching(new RegExp(`cannot reach 127\\.0\\.0\\.1:${worker?.port}$`)),
      }),
    ]);
  }, 240_000);
});
