import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { checkCluster, untilNotes } from './check-cluster.ts';

describeOnCitus('adding a worker and moving every company, while clients synchronise', () => {
  it('loses, repeats and skips nothing, and modes that would are refused', async () => {
    const { history, result: moved } = await checkCluster(moveCompanies);
    expect(moved).toBeGreaterThan(0);
    expect(history.violations()).toEqual([]);
    expect(history.figures()['acknowledged edits']).toBeGreaterThan(0);
  }, 600_000);
});

/**
 * Once there are notes, adds a worker, rebalances, and then moves the shards of each company to another node, all
 * with writes to them blocked meanwhile. Returns how many groups of shards were moved.
 */
const moveCompanies = async (cluster: CitusCluster): Promise<number> => {
  await untilNotes(cluster, 50);
  const { sql } = cluster;
  const worker = await cluster.addWorker();
  await sql(`select citus_rebalance_start(shard_transfer_mode => 'block_writes')`);
  await sql('select citus_rebalance_wait()');
  const [onWorker] = await sql(groupsOn, [worker.port]);
  const shards = await sql(shardsOfCompanies);
  for (const { shard, port } of shards) {
    const target = cluster.workers.toReversed().find((worker) => worker.port !== port)?.port;
    await expect(sql(move, [shard, port, target, 'auto'])).rejects.toThrow(/wal_level/);
    await moveWhenClean(cluster, [shard, port, target, 'block_writes']);
  }
  expect(Number(onWorker?.['count'])).toBeGreaterThan(0);
  return shards.length + Number(onWorker?.['count']);
};

/** A shard that was moved before leaves its old copy, which Citus removes when no statement uses it any more. */
const moveWhenClean = async ({ sql }: CitusCluster, values: readonly unknown[]): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql(move, [...values]);
      return;
    } catch (error) {
      if (attempt === attemptsMax || !/could not be cleaned up/.test(String(error))) {
        throw error;
      }
      await sleep(1_000);
    }
  }
};

const attemptsMax = 30;

const shardsOfCompanies = `
  select distinct p.shardid as shard, p.nodeport::integer as port
  from agents.companies c
  join pg_dist_shard_placement p
    on p.shardid = get_shard_id_for_distribution_column('agents.companies', c.company_id)`;

const move = `
  select citus_move_shard_placement(
    $1, '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => $4::citus.shard_transfer_mode)`;

const groupsOn = `
  select count(*) from pg_dist_shard_placement p
  join pg_dist_shard s on s.shardid = p.shardid
  where s.logicalrelid = 'agents.companies'::regclass and p.nodeport = $1`;
