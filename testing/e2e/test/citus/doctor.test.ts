import { afterEach, expect, it } from '@jest/globals';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { testPasswordVariables } from '@commonplace/testkit';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { runAdmin } from '../../src/run-script.ts';

let cluster: CitusCluster | undefined;
afterEach(() => cluster?.stop(), 60_000);

const startCluster = async (walLevel: string): Promise<CitusCluster> => {
  cluster = await startCitusCluster({ workers: 1, settings: { wal_level: walLevel } });
  return cluster;
};

/** What the doctor says of one thing. */
const findingsOf = async (
  { url }: Pick<CitusCluster, 'url'>,
  wanted = 'moves of companies',
): Promise<unknown[]> => {
  const { stdout } = await runAdmin('doctor', ['--json'], { DATABASE_URL: url });
  const findings = JSON.parse(stdout) as { check: string; state: string; detail: string }[];
  return findings.filter(({ check }) => check === wanted);
};

describeOnCitus('the doctor', () => {
  it('warns of tables with several owners where moves by logical replication would lose changes', async () => {
    const logical = await startCluster('logical');
    const { port } = logical.coordinator;
    const [worker] = logical.workers;
    const both = [`127.0.0.1:${port}`, `127.0.0.1:${worker?.port}`].toSorted();
    await runAdmin('migrate', [], { ...testPasswordVariables, DATABASE_URL: logical.url });
    expect(await findingsOf(logical)).toEqual([
      expect.objectContaining({ state: 'ok', detail: 'while they are written' }),
    ]);
    await logical.sql('alter table notes.notes owner to notes_owner');
    expect(await findingsOf(logical)).toEqual([
      expect.objectContaining({
        state: 'failure',
        detail: `tables of companies belong to notes_owner, tenants_owner, and wal_level is logical on ${both.join(', ')}: a move may lose changes`,
      }),
    ]);
    await runAdmin('migrate', [], { ...testPasswordVariables, DATABASE_URL: logical.url });
    expect(await findingsOf(logical)).toEqual([expect.objectContaining({ state: 'ok' })]);
  }, 240_000);

  it('names the nodes that are disabled, and how to activate them', async () => {
    const { url, sql, workers } = await startCluster('replica');
    const nodes = () => findingsOf({ url }, 'nodes of the cluster');
    expect(await nodes()).toEqual([expect.objectContaining({ state: 'ok', detail: '2 active' })]);
    const port = workers[0]?.port;
    await sql(`select citus_disable_node('127.0.0.1', $1, true)`, [port]);
    expect(await nodes()).toEqual([
      expect.objectContaining({
        state: 'failure',
        detail: `disabled: 127.0.0.1:${port}`,
        todo: expect.stringContaining(`select citus_activate_node('127.0.0.1', ${port});`),
      }),
    ]);
    await sql(`select citus_activate_node('127.0.0.1', $1)`, [port]);
    expect(await nodes()).toEqual([expect.objectContaining({ state: 'ok' })]);
  }, 240_000);

  it('is content where no node can move them by logical replication, and names those that cannot be reached', async () => {
    const replica = await startCluster('replica');
    expect(await findingsOf(replica)).toEqual([
      expect.objectContaining({ state: 'ok', detail: 'only with writes blocked' }),
    ]);
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
