import { findFreePort } from '@commonplace/embedded-postgres';
import { copyNode } from './copy-node.ts';
import { makeHome, nodeOn, type LocalNode, type NodeHome } from './local-node.ts';
import { queryNode } from './query-node.ts';
import { until } from './until.ts';

/** A copy of a node that has every commit before it is acknowledged. */
export type LocalStandby = {
  /** Takes the place of the node, which must be dead: promotes the copy, and restarts it at the node's port. */
  readonly takeOver: () => Promise<void>;
};

const applicationName = 'standby';

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
  await copyNode(home.programs, primary, {
    pgdata,
    connection: `application_name=${applicationName}`,
    args: ['--wal-method=stream', '--write-recovery-conf'],
  });
  const standby = nodeOn(home, pgdata, await findFreePort());
  started(standby);
  await standby.start();
  const url = primary.url('postgres');
  await queryNode(url, `alter system set synchronous_standby_names = '${applicationName}'`);
  await queryNode(url, 'select pg_reload_conf()');
  await until(() => isSynchronous(primary));
  return {
    takeOver: async () => {
      const [row] = await queryNode(standby.url('postgres'), 'select pg_promote() as promoted');
      if (row?.['promoted'] !== true) {
        throw new Error('The standby was not promoted');
      }
      await standby.kill();
      const successor = nodeOn(home, pgdata, primary.port);
      started(successor);
      await successor.start();
    },
  };
};

const isSynchronous = async ({ url }: LocalNode): Promise<boolean> => {
  const [row] = await queryNode(url('postgres'), 'select sync_state from pg_stat_replication');
  return row?.['sync_state'] === 'sync';
};
