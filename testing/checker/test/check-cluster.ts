import { setTimeout as sleep } from 'node:timers/promises';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import type { History } from '../src/history.ts';
import { runCheck } from '../src/run-check.ts';

/** A small cluster is made in less time with six groups of shards than with 32. */
const shardCount = '6';
const checkSecondsMax = 400;
const writingSecondsMax = 240;
const seed = Number(process.env['CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/**
 * Checks a Citus cluster of its own until what is done to it meanwhile is done; returns the history and the result of that.
 * `settings` are more settings of its nodes.
 */
export const checkCluster = async <Result>(
  work: (cluster: CitusCluster) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly history: History; readonly result: Result }> => {
  const cluster = await startCitusCluster({
    settings: { 'citus.shard_count': shardCount, ...settings },
  });
  try {
    const working = work(cluster);
    const history = await runCheck({
      seed,
      seconds: checkSecondsMax,
      companies: 2,
      clientsPerCompany: 4,
      mix: 'all',
      hasFaults: false,
      bug: null,
      stopsEarly: false,
      until: working,
      openDatabase: async () => ({
        url: cluster.url,
        env: { DATABASE_CITUS: 'on' },
        drop: async () => undefined,
      }),
    });
    process.stderr.write(`seed ${seed}: ${JSON.stringify(history.figures())}\n`);
    return { history, result: await working };
  } finally {
    await cluster.stop();
  }
};

/** Waits until there are at least this many notes. */
export const untilNotes = async (cluster: CitusCluster, count: number): Promise<void> => {
  const deadline = Date.now() + writingSecondsMax * 1_000;
  while ((await countNotes(cluster)) < count) {
    if (Date.now() > deadline) {
      throw new Error(`There were not ${count} notes within ${writingSecondsMax} s`);
    }
    await sleep(250);
  }
};

/** Zero while the cluster does not respond. */
export const countNotes = async ({ sql }: CitusCluster): Promise<number> => {
  const rows = await sql('select count(*) from notes.notes').catch(() => []);
  return Number(rows[0]?.['count'] ?? 0);
};
