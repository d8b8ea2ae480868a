import { join } from 'node:path';
import { runProgram } from '@commonplace/embedded-postgres';
import type { LocalNode, Programs } from './local-node.ts';

/** Takes a base backup of a running node. `connection` and `args` go to pg_basebackup besides. */
export const copyNode = async (
  { folder, user }: Programs,
  { port }: LocalNode,
  {
    pgdata,
    connection = '',
    args = [],
  }: { readonly pgdata: string; readonly connection?: string; readonly args?: readonly string[] },
): Promise<void> => {
  const source = `host=127.0.0.1 port=${port} user=postgres ${connection}`;
  const { code, output } = await runProgram(
    join(folder, 'pg_basebackup'),
    ['--pgdata', pgdata, '--dbname', source, '--checkpoint=fast', '--no-sync', ...args],
    user,
  );
  if (code !== 0) {
    throw new Error(`pg_basebackup failed: ${output}`);
  }
};
