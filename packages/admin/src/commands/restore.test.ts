import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { restore } from './restore.ts';

it('begins on a new machine, where the database is elsewhere and there is no data directory yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-restore-'));
  const env = {
    DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/commonplace',
    DATA_DIR: join(folder, 'new', 'data'),
  };
  try {
    const file = join(folder, 'missing.backup');
    await expect(restore.run({ options: {}, args: [file], env })).rejects.toThrow(
      /^Nothing was changed: \S+missing\.backup cannot be restored/,
    );
    expect(await readdir(env.DATA_DIR)).toEqual(['secrets.json']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
