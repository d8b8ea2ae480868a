import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { runCheck } from '../src/run-check.ts';

/** With six groups of shards instead of 32, all are moved in a test. */
const shards = '6';
const checkSecondsMax = 400;
const seed = Number(process.env['CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** How Citus copies a shard: by logical replication, or with writes to it blocked. */
const ways = ['force_logical', 'block_writes'] as const;

describeOnCitus('adding a worker and moving every company, while clients synchronise', () => {
  it('loses, repeats and skips nothing', async () => {
    const cluster = await startCitusCluster({ settings: { 'citus.shard_count': shards } });
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

/** Adds a worker, rebalances, and moves the shards of each company to another node in both ways. Returns the moves. */
const moveCompanies = async (cluster: CitusCluster): Promise<number> => {
  const { sql } = cluster;
  await cluster.addWorker();
  await sql('select citus_rebalance_start()');
  await sql('select citus_rebalance_wait()');
  let moves = Number((await sql(groupsOnNewWorker, [cluster.workers.at(-1)?.port]))[0]?.['count']);
  for (const way of ways) {
    for (const { shard, port } of await sql(shardsOfCompanies)) {
      const target = cluster.workers.find((worker) => worker.port !== port)?.port;
      await sql(move, [shard, port, target, way]);
      moves += 1;
    }
  }
  return moves;
};

const groupsOnNewWorker = `
  select count(*) from pg_dist_shard_placement p
  join pg_dist_shard s on s.shardid = p.shardid
  where s.logicalrelid = 'agents.companies'::regclass and p.nodeport = $1`;

const shardsOfCompanies = `
  select distinct p.shardid as shard, p.nodeport::integer as port
  from agents.companies c
  join pg_dist_shard_placement p
    on p.shardid = get_shard_id_for_distribution_column('agents.companies', c.company_id)`;

const move = `
  select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => $4::citus.shard_transfer_mode)`;
