import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { checkCluster, countNotes, untilNotes } from './check-cluster.ts';

const outageMs = 3_000;
/** As many notes are written before the loss, and after it. */
const notesMin = 50;

describeOnCitus('a coordinator that is lost while clients synchronise', () => {
  it('is replaced by its synchronous standby, and nothing acknowledged is lost', async () => {
    const { history } = await checkCluster(replaceCoordinator);
    expect(history.violations()).toEqual([]);
    expect(history.figures()['acknowledged edits']).toBeGreaterThan(0);
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
