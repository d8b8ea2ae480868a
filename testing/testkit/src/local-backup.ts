import { access, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyNode } from './copy-node.ts';
import { nodeOn, type LocalNode, type NodeHome } from './local-node.ts';
import { queryNode } from './query-node.ts';
import { until } from './until.ts';

/** A base backup of a node, beside the log that it archives. */
export type LocalBackup = {
  /** Makes sure that the log is archived up to now, a restore point included. */
  readonly archive: () => Promise<void>;
  /** Starts the backup at the port of the node, which must be dead, as it was at a restore point. */
  readonly restore: (point: string) => Promise<void>;
};

/** Makes a node archive its log. Commands of the archive run in the data directory. */
export const archiveSettings = {
  archive_mode: 'on',
  archive_command: 'mkdir -p ../archive && cp %p ../archive/%f',
};

/** Takes a base backup of a running node that has the settings of an archive. `started`: as of `startLocalStandby`. */
export const backUpNode = async (
  node: LocalNode,
  { programs, folder, settings }: NodeHome,
  started: (node: LocalNode) => unknown,
): Promise<LocalBackup> => {
  const pgdata = join(folder, 'backup');
  await copyNode(programs, node, { pgdata });
  return {
    archive: async () => {
      const [row] = await queryNode(
        node.url('postgres'),
        'select pg_walfile_name(pg_switch_wal()) as file',
      );
      const file = join(folder, 'archive', String(row?.['file']));
      await until(() => exists(file));
    },
    restore: async (point) => {
      const signal = join(pgdata, 'recovery.signal');
      await writeFile(signal, '');
      if (programs.user !== null) {
        await chown(signal, programs.user.uid, programs.user.gid);
      }
      const recovery = {
        archive_mode: 'off',
        restore_command: 'cp ../archive/%f %p',
        recovery_target_name: point,
        recovery_target_action: 'promote',
      };
      const restored = nodeOn(
        { programs, settings: { ...settings, ...recovery } },
        pgdata,
        node.port,
      );
      started(restored);
      await restored.start();
      await until(() => isPromoted(restored));
    },
  };
};

const isPromoted = async ({ url }: LocalNode): Promise<boolean> => {
  const [row] = await queryNode(url('postgres'), 'select pg_is_in_recovery() as recovering');
  return row?.['recovering'] === false;
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
