import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Row } from '../measurement.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../../../..');
const recordedMegabytes = 1_100;

/**
 * Installs a copy of the repository without development packages, from pnpm's store, and measures its
 * size: sources, packages, Node and PostgreSQL.
 */
export const measureDisk = async (): Promise<readonly Row[]> => {
  const copy = await mkdtemp(join(dirname(repository), '.commonplace-disk-'));
  try {
    const listed = await run('git', ['ls-files', '-z'], { cwd: repository, maxBuffer: 1 << 24 });
    for (const file of listed.stdout.split('\0').filter(Boolean)) {
      // A file may be deleted and not yet committed.
      await cp(join(repository, file), join(copy, file)).catch(() => undefined);
    }
    const install = [
      '-y',
      'pnpm@12',
      'install',
      '--prod',
      '--frozen-lockfile',
      '--prefer-offline',
      '--config.side-effects-cache=false',
    ];
    await run('npx', install, { cwd: copy, maxBuffer: 1 << 24 });
    const { stdout } = await run('du', ['--summarize', '--block-size=1024', copy]);
    return [
      {
        name: 'disk after install without development packages',
        unit: 'MB',
        value: Number.parseInt(stdout, 10) / 1024,
        baseline: recordedMegabytes,
        isBaselineRecorded: true,
        target: { of: 'value', is: 'at most', bound: 280 },
      },
    ];
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
};
