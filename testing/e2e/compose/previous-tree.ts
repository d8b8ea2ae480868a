import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, run } from './compose.ts';

const root = join(import.meta.dirname, '../../..');

/** A checkout of the commit before HEAD; null, with a line that says so, if there is none. */
export const previousTree = async (): Promise<string | null> => {
  const commit = await run('git', ['rev-parse', '--verify', '--quiet', 'HEAD~1'], { folder: root });
  if (commit.exitCode !== 0) {
    process.stderr.write('No earlier commit is here (a shallow clone?): no upgrade is tested.\n');
    return null;
  }
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-before-'));
  const archive = `git -c tar.umask=0022 archive ${commit.output.trim()} | tar -x -C ${folder}`;
  await mustRun('bash', ['-o', 'pipefail', '-c', archive], { folder: root });
  return folder;
};
