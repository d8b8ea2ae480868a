import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { checkMachine } from './check-machine.ts';

let dataDir: string;
/** A folder of a disk that has no room; all others have 5 GB. */
let full: string;

beforeEach(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'commonplace-machine-')));
  full = join(dataDir, 'full');
  await Promise.all([mkdir(join(dataDir, 'postgres')), mkdir(full)]);
});
afterEach(() => rm(dataDir, { recursive: true }));

const freeSpace = async (): Promise<string | undefined> => {
  const findings = await checkMachine({ env: { DATA_DIR: dataDir } }, async (folder) => ({
    bavail: folder === full ? 0 : 5e6,
    bsize: 1e3,
  }));
  return findings.find(({ check }) => check === 'disk')?.detail;
};

it('looks at the disk of the database, which a link may have put on another than that of DATA_DIR', async () => {
  expect(await freeSpace()).toBe('5 GB free');
  await symlink(full, join(dataDir, 'postgres', 'pgdata'));
  expect(await freeSpace()).toBe('0 GB free');
});

it('looks where the database was put because its user cannot enter DATA_DIR', async () => {
  const elsewhere = join(dataDir, 'elsewhere');
  await mkdir(elsewhere);
  await symlink(full, join(elsewhere, 'pgdata'));
  await symlink(elsewhere, join(dataDir, 'postgres', 'relocated'));
  expect(await freeSpace()).toBe('0 GB free');
});
