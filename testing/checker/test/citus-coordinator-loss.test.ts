import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { runCheck } from '../src/run-check.ts';

/** A small cluster is made in less time with six groups of shards than with 32. */
const shardCount = '6';
const checkSecondsMax = 400;
const outageMs = 3_000;
const writingSecondsMax = 240;
/** As many notes are written before the loss, and after it. */
const notesMin = 50;
const seed = Number(process.env['CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describeOnCitus('a coordinator that is lost while clients synchronise', () => {
  it('is replaced by its synchronous standby, and nothing acknowledged is lost', async () => {
    const cluster = await startCitusCluster({ settings: { 'citus.shard_count': shardCount } });
    try {
      const replaced = replaceCoordinator(cluster);
      const history = await runCheck({
        seed,
        seconds: checkSecondsMax,
        companies: 2,
        clientsPerCompany: 4,
        mix: 'all',
        hasFaults: false,
        bug: null,
        stopsEarly: false,
        until: replaced,
        openDatabase: async () => ({
          url: cluster.url,
          env: { DATABASE_CITUS: 'on' },
          drop: async () => undefined,
        }),
      });
      process.stderr.write(`seed ${seed}: ${JSON.stringify(history.figures())}\n`);
      await replaced;
      expect(history.violations()).toEqual([]);
      expect(history.figures()['acknowledged edits']).toBeGreaterThan(0);
    } finally {
      await cluster.stop();
    }
  }, 600_000);
});

/** As an operator does it: the standby takes the address of the coordinator, and transactions in doubt are decided. */
const replaceCoordinator = async (cluster: CitusCluster): Promise<void> => {
  await untilNotes(cluster, notesMin);
  const standby = await cluster.addStandby();
  await untilNotes(cluster, 2 * notesMin);
  const before = await countNotes(cluster);
  await cluster.coordinator.kill();
  await sleep(outageMs);
  await standby.takeOver();
  await cluster.sql('select recover_prepared_transactions()');
  await untilNotes(cluster, before + notesMin);
};

const untilNotes = async (cluster: CitusCluster, count: number): Promise<void> => {
  const deadline = Date.now() + writingSecondsMax * 1_000;
  while ((await countNotes(cluster)) < count) {
    if (Date.now() > deadline) {
      throw new Error(`There were not ${count} notes within ${writingSecondsMax} s`);
    }
    await sleep(250);
  }
};

/** Zero while the cluster does not respond. */
const countNotes = async ({ sql }: CitusCluster): Promise<number> => {
  const rows = await sql('select count(*) from notes.notes').catch(() => []);
  return Number(rows[0]?.['count'] ?? 0);
};
