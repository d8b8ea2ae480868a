import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, runProgram } from '@commonplace/embedded-postgres';
import { makeHome, nodeOn, type LocalNode, type NodeHome, type Programs } from './local-node.ts';
import { queryNode } from './query-node.ts';

/** A copy of a node that has every commit before it is acknowledged. */
export type LocalStandby = {
  /** Takes the place of the node, which must be dead: promotes the copy, and restarts it at the node's port. */
  readonly takeOver: () => Promise<void>;
};

const applicationName = 'standby';
const readySecondsMax = 60;

/**
 * Copies a running node and keeps the copy up to date, by synchronous streaming replication. Each server is passed to
 * `started` before it starts, so that it can be stopped whatever fails.
 */
export const startLocalStandby = async (
  primary: LocalNode,
  home: NodeHome,
  started: (node: LocalNode) => unknown,
): Promise<LocalStandby> => {
  const pgdata = await makeHome(home);
  await copy(home.programs, primary, pgdata);
  const standby = nodeOn(home, pgdata, await findFreePort());
  started(standby);
  await standby.start();
  await queryNode(primary, `alter system set synchronous_standby_names = '${applicationName}'`);
  await queryNode(primary, 'select pg_reload_conf()');
  await untilSynchronous(primary);
  return {
    takeOver: async () => {
      const [isPromoted] = await queryNode(standby, 'select pg_promote()');
      if (isPromoted !== true) {
        throw new Error('The standby was not promoted');
      }
      await standby.kill();
      const successor = nodeOn(home, pgdata, primary.port);
      started(successor);
      await successor.start();
    },
  };
};

const copy = async (
  { folder, user }: Programs,
  { port }: LocalNode,
  pgdata: string,
): Promise<void> => {
  const source = `host=127.0.0.1 port=${port} user=postgres application_name=${applicationName}`;
  const args = ['--pgdata', pgdata, '--dbname', source, '--checkpoint=fast', '--no-sync'];
  const { code, output } = await runProgram(
    join(folder, 'pg_basebackup'),
    [...args, '--wal-method=stream', '--write-recovery-conf'],
    user,
  );
  if (code !== 0) {
    throw new Error(`pg_basebackup failed: ${output}`);
  }
};

const untilSynchronous = async (primary: LocalNode): Promise<void> => {
  const deadline = Date.now() + readySecondsMax * 1_000;
  while ((await queryNode(primary, 'select sync_state from pg_stat_replication'))[0] !== 'sync') {
    if (Date.now() > deadline) {
      throw new Error(`The standby was not synchronous within ${readySecondsMax} s`);
    }
    await sleep(100);
  }
};
