import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { flockFile } from '../src/flock-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flock-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a lock without SQLite', () => {
  it('is refused to all but one, until it is released', () => {
    const path = join(folder, 'held');
    const release = flockFile(path);
    expect(release).not.toBeNull();
    expect(flockFile(path)).toBeNull();
    expect(flockFile(join(folder, 'other'))).not.toBeNull();
    release?.();
    release?.();
    expect(flockFile(path)).not.toBeNull();
  });
});
