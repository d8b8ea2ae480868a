import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { noteText, type LocalNote } from '@commonplace/client';
import { openFileStore } from './file-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

const progress = { clientId: 'c', cursor: null, isPullingAfresh: true, job: null };
const noteOf = (id: string, content: string): LocalNote => ({
  id,
  server: { revision: 1, text: noteText({ content }), conflictOf: null },
  outstanding: null,
  draft: null,
  refusal: null,
  isUnseen: false,
});

describe('the store in a file', () => {
  it('loads what was saved last, and drops a line truncated by a crash', async () => {
    const path = join(folder, 'replica.jsonl');
    const first = await openFileStore(path);
    expect(await first.load()).toBeNull();
    await first.save({ progress, notes: [noteOf('a', 'one'), noteOf('b', 'two')] });
    await first.save({ notes: [noteOf('a', 'three'), { ...noteOf('b', ''), server: null }] });
    await first.close();
    await appendFile(path, '{"notes":[{"id":"a","ser');
    const second = await openFileStore(path);
    expect(await second.load()).toEqual({ progress, notes: [noteOf('a', 'three')] });
    await second.save({ notes: [noteOf('c', 'four')] });
    await second.close();
    const third = await openFileStore(path);
    expect((await third.load())?.notes).toEqual([noteOf('a', 'three'), noteOf('c', 'four')]);
    await third.close();
  });

  it('does not grow with the number of writes', async () => {
    const path = join(folder, 'replica.jsonl');
    const store = await openFileStore(path);
    await store.save({ progress, notes: [] });
    const content = 'x'.repeat(500_000);
    for (let index = 0; index < 60; index += 1) {
      await store.save({ notes: [noteOf('a', `${index} ${content}`)] });
    }
    await store.close();
    expect((await stat(path)).size).toBeLessThan(12 * 1024 * 1024);
    const again = await openFileStore(path);
    expect((await again.load())?.notes).toEqual([noteOf('a', `59 ${content}`)]);
    await again.close();
  });
});
