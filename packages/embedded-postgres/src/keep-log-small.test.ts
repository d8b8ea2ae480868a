import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { keepLogSmall } from './keep-log-small.ts';

it('the log of a server that goes on writing starts again when it is too large, and its last lines are beside it, never more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-log-'));
  const path = join(folder, 'postgres.log');
  const server = await open(path, 'a');
  try {
    await server.write('first\n');
    await keepLogSmall(path, 10);
    await server.write('second\n');
    expect(await readFile(path, 'utf8')).toBe('first\nsecond\n');
    await keepLogSmall(path, 10);
    await server.write('third\n');
    expect(await readFile(path, 'utf8')).toBe('third\n');
    expect(await readFile(`${path}.1`, 'utf8')).toBe('second\n');
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
