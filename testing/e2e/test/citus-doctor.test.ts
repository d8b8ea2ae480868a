import { afterEach, expect, it } from '@jest/globals';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { runAdmin } from '../src/run-script.ts';

let cluster: CitusCluster | undefined;
afterEach(() => cluster?.stop());

/** What the doctor says of moving companies on a new cluster. */
const findingAt = async (walLevel: string): Promise<unknown> => {
  cluster = await startCitusCluster({ workers: 1, settings: { wal_level: walLevel } });
  const { stdout } = await runAdmin('doctor', ['--json'], { DATABASE_URL: cluster.url });
  const findings = JSON.parse(stdout) as { check: string; state: string; detail: string }[];
  return findings.find(({ check }) => check === 'moves of companies');
};

describeOnCitus('the doctor', () => {
  it('names the nodes that could move companies by logical replication, which loses changes', async () => {
    expect(await findingAt('logical')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/logical on 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+:/),
    });
  });

  it('is content where no node can', async () => {
    expect(await findingAt('replica')).toMatchObject({ state: 'ok' });
  });
});
