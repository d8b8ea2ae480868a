import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import type { CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { checkCluster, untilNotes } from './check-cluster.ts';

describeOnCitus('adding a worker and moving every company, while clients synchronise', () => {
  it('loses, repeats and skips nothing, and writes go on during a move', async () => {
    const { history, result: moved } = await checkCluster(moveWhileWriting);
    expect(moved).toBeGreaterThan(0);
    expect(history.violations()).toEqual([]);
    expect(history.figures()['acknowledged edits']).toBeGreaterThan(0);
  }, 600_000);

  it('loses, repeats and skips nothing with writes blocked, the only mode where nodes have no logical log', async () => {
    const { history, result: moved } = await checkCluster(moveWithWritesBlocked, {
      wal_level: 'replica',
    });
    expect(moved).toBeGreaterThan(0);
    expect(history.violations()).toEqual([]);
    expect(history.figures()['acknowledged edits']).toBeGreaterThan(0);
  }, 600_000);
});

/** Each company is moved twice, because a move of a small one takes seconds. Returns how many moves there were. */
const moveWhileWriting = async (cluster: CitusCluster): Promise<number> => {
  await untilNotes(cluster, 50);
  expect(await cluster.sql(ownersOfShards)).toEqual([{ owner: 'tenants_owner' }]);
  const onWorker = await rebalance(cluster, 'auto');
  let moved = onWorker;
  for (let round = 0; round < 2; round += 1) {
    for (const { company, shard, port } of await cluster.sql(shardsOfCompanies)) {
      const values = [shard, port, anotherThan(cluster, Number(port)), 'force_logical'];
      const held = await holdBack(cluster, Number(port));
      const moving = moveWhenClean(cluster, values);
      moving.catch(() => undefined);
      try {
        await untilWrittenTwice(cluster, company);
      } finally {
        await held.release();
      }
      await moving;
      moved += 1;
    }
  }
  return moved;
};

const moveWithWritesBlocked = async (cluster: CitusCluster): Promise<number> => {
  await untilNotes(cluster, 50);
  const onWorker = await rebalance(cluster, 'block_writes');
  const shards = await cluster.sql(shardsOfCompanies);
  for (const { shard, port } of shards) {
    const target = anotherThan(cluster, Number(port));
    await expect(moveWhenClean(cluster, [shard, port, target, 'auto'])).rejects.toThrow(
      /wal_level/,
    );
    await moveWhenClean(cluster, [shard, port, target, 'block_writes']);
  }
  return shards.length + onWorker;
};

/** Adds a worker and gives it its part; returns how many groups of shards it has then. */
const rebalance = async (cluster: CitusCluster, mode: string): Promise<number> => {
  const worker = await cluster.addWorker();
  await cluster.sql(rebalanceBy, [mode]);
  await cluster.sql('select citus_rebalance_wait()');
  const [onWorker] = await cluster.sql(groupsOn, [worker.port]);
  expect(Number(onWorker?.['count'])).toBeGreaterThan(0);
  return Number(onWorker?.['count']);
};

/** A move by logical replication cannot begin to copy before the transactions of its source have ended: this one holds it. */
const holdBack = async (
  { workers }: CitusCluster,
  port: number,
): Promise<{ readonly release: () => Promise<void> }> => {
  const source = workers.find((worker) => worker.port === port);
  const client = new pg.Client({ connectionString: source?.url('commonplace') });
  await client.connect();
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  return { release: () => client.end() };
};

/** Waits until a move waits for the transaction that holds it back, and its company was then written twice. */
const untilWrittenTwice = async (cluster: CitusCluster, company: unknown): Promise<void> => {
  const state = async () => (await cluster.sql(stateOfMove, [company]))[0];
  while ((await state())?.['isWaiting'] !== true) {
    await sleep(100);
  }
  const before = Number((await state())?.['head']);
  let after = before;
  while (after < before + 2) {
    await sleep(100);
    after = Number((await state())?.['head']);
  }
  expect((await state())?.['isWaiting']).toBe(true);
};

const anotherThan = ({ workers }: CitusCluster, port: number): number | undefined =>
  workers.toReversed().find((worker) => worker.port !== port)?.port;

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

const rebalanceBy = `
  select citus_rebalance_start(shard_transfer_mode => $1::citus.shard_transfer_mode)`;

const ownersOfShards = `
  select distinct tableowner as owner from pg_tables t
  join pg_dist_partition p on p.logicalrelid = format('%I.%I', t.schemaname, t.tablename)::regclass
  where p.partmethod = 'h'`;

const stateOfMove = `
  select f.head, exists (
    select from run_command_on_workers($sql$
      select count(*) from pg_stat_activity
      where backend_type = 'walsender' and wait_event_type = 'Lock'$sql$) r
    where r.result <> '0') as "isWaiting"
  from notes.company_feed f
  where f.company_id = $1`;

/** Companies may share a shard, which is moved once. */
const shardsOfCompanies = `
  select distinct on (p.shardid) c.company_id as company, p.shardid as shard, p.nodeport::integer as port
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
