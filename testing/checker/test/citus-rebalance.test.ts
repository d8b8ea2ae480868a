import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { runCheck } from '../src/run-check.ts';

/** A small cluster is made in less time with six groups of shards than with 32. */
const shardCount = '6';
const checkSecondsMax = 400;
const seed = Number(process.env['CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describeOnCitus('adding a worker and moving every company, while clients synchronise', () => {
  it('loses, repeats and skips nothing, and modes that would are refused', async () => {
    const cluster = await startCitusCluster({ settings: { 'citus.shard_count': shardCount } });
    try {
      const moving = untilThereAreNotes(cluster).then(() => moveCompanies(cluster));
      const history = await runCheck({
        seed,
        seconds: checkSecondsMax,
        companies: 2,
        clientsPerCompany: 4,
        mix: 'all',
        hasFaults: false,
        bug: null,
        stopsEarly: false,
        until: moving,
        openDatabase: async () => ({
          url: cluster.url,
          env: { DATABASE_CITUS: 'on' },
          drop: async () => undefined,
        }),
      });
      process.stderr.write(`seed ${seed}: ${JSON.stringify(history.figures())}\n`);
      expect(await moving).toBeGreaterThan(0);
      expect(history.violations()).toEqual([]);
      expect(history.figures()['acknowledged edits']).toBeGreaterThan(0);
    } finally {
      await cluster.stop();
    }
  }, 600_000);
});

const untilThereAreNotes = async ({ sql }: CitusCluster): Promise<void> => {
  const count = async () => {
    const rows = await sql('select count(*) from notes.notes').catch(() => []);
    return Number(rows[0]?.['count'] ?? 0);
  };
  while ((await count()) < 50) {
    await sleep(250);
  }
};

/**
 * Adds a worker, rebalances, and then moves the shards of each company to another node, all with writes to them blocked
 * meanwhile. Returns how many groups of shards were moved.
 */
const moveCompanies = async (cluster: CitusCluster): Promise<number> => {
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
