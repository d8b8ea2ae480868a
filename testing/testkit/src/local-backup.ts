import { access, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '@commonplace/embedded-postgres';
import { nodeOn, type LocalNode, type NodeHome } from './local-node.ts';
import { queryNode } from './query-node.ts';

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

const archivedSecondsMax = 60;

/** Takes a base backup of a running node that has the settings of an archive. `started`: as of `startLocalStandby`. */
export const backUpNode = async (
  node: LocalNode,
  { programs, folder, settings }: NodeHome,
  started: (node: LocalNode) => unknown,
): Promise<LocalBackup> => {
  const pgdata = join(folder, 'backup');
  const source = `host=127.0.0.1 port=${node.port} user=postgres`;
  const { code, output } = await runProgram(
    join(programs.folder, 'pg_basebackup'),
    ['--pgdata', pgdata, '--dbname', source, '--checkpoint=fast', '--no-sync'],
    programs.user,
  );
  if (code !== 0) {
    throw new Error(`pg_basebackup failed: ${output}`);
  }
  return {
    archive: async () => {
      const [file] = await queryNode(node, 'select pg_walfile_name(pg_switch_wal())');
      await untilExists(join(folder, 'archive', String(file)));
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
      await untilPromoted(restored);
    },
  };
};

const untilPromoted = (node: LocalNode): Promise<void> =>
  untilTrue(async () => (await queryNode(node, 'select pg_is_in_recovery()'))[0] === false);

const untilExists = (file: string): Promise<void> =>
  untilTrue(() =>
    access(file).then(
      () => true,
      () => false,
    ),
  );

const untilTrue = async (isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + archivedSecondsMax * 1_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) {
      throw new Error(`Neither archived nor restored within ${archivedSecondsMax} s`);
    }
    await sleep(100);
  }
};
